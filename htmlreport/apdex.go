package htmlreport

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Thresholds are those of Apdex, in ms: up to Satisfied a user is content, up
// to Tolerated not yet annoyed. Both are inclusive.
type Thresholds struct{ Satisfied, Tolerated int64 }

// ApdexRule gives labels thresholds of their own.
type ApdexRule struct {
	Labels     *Pattern // must match the whole label
	Thresholds Thresholds
}

// parseApdexRules reads name:T|F;name:T|F, where name is a regular expression
// (manual, "Generating Dashboard Report", apdex_per_transaction).
func parseApdexRules(text string) ([]ApdexRule, error) {
	var rules []ApdexRule
	for chunk := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(chunk) == "" {
			continue
		}
		colon := strings.LastIndexByte(chunk, ':')
		bar := strings.LastIndexByte(chunk, '|')
		if colon < 0 || bar < colon {
			// JMeter logs such a chunk and goes on without it.
			continue
		}
		var t Thresholds
		var err error
		if t.Satisfied, err = parseMillis(chunk[colon+1 : bar]); err != nil {
			return nil, err
		}
		if t.Tolerated, err = parseMillis(chunk[bar+1:]); err != nil {
			return nil, err
		}
		labels, err := WholePattern(strings.TrimSpace(chunk[:colon]))
		if err != nil {
			return nil, err
		}
		rules = append(rules, ApdexRule{labels, t})
	}
	return rules, nil
}

func parseMillis(text string) (int64, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number of milliseconds", text)
	}
	return n, nil
}

// thresholds are those for one label. Where several rules match, the first
// given wins (in JMeter the order of a hash table decides).
func (o *Options) thresholds(label string) Thresholds {
	for _, r := range o.ApdexRules {
		if r.Labels.Matches(label) {
			return r.Thresholds
		}
	}
	return o.Apdex
}

// An ApdexRow is a line of the Apdex table.
type ApdexRow struct {
	Label      string
	Controller bool
	Score      float64 // 0 to 1, NaN without samples
	Thresholds Thresholds
}

// apdex is JMeter's: satisfied plus half of the tolerated, among all. Failures
// satisfy nobody, however fast.
func (t *totals) apdex(th Thresholds) float64 {
	satisfied := t.ok.AtMost(th.Satisfied)
	tolerated := t.ok.AtMost(th.Tolerated) - satisfied
	all := t.ok.Count() + t.failed.Count()
	if all == 0 {
		return math.NaN()
	}
	return (float64(satisfied) + float64(max(tolerated, 0))/2) / float64(all)
}
