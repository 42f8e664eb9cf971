package htmlreport

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// RuleHelp says how rules are written.
const RuleHelp = `A rule is [label:]figure, then > or <, then how much it may change from the first
run to the second. Figures are avg, median, min, max, stddev, any percentile (p95,
p99.9), error% (in points), errors, samples and throughput. "p95>10%" is broken when
the 95th percentile grew by more than 10 per cent, "p95>50" by more than 50 ms,
"error%>1" when one per cent of the samples more failed than before, and
"throughput<-5%" when the throughput fell by more than 5 per cent. A rule holds for the total
and for every label, or for the one label before the colon ("Total:" is the total).
The figure shift is how much longer samples took, and breaks its rule only when it
surely did so: "shift>5%" when the near end of the interval of confidence is above 5
per cent of the first run's median, which chance seldom makes it.
"missing" is broken when a label of the first run is not in the second.`

// Rule is what a comparison must keep.
type Rule struct {
	text     string
	label    string // "" is every one
	figure   string
	q        float64 // of a percentile
	below    bool
	limit    float64
	relative bool // in per cent
}

func (r Rule) String() string { return r.text }

// ParseRule reads a rule; RuleHelp tells its form.
func ParseRule(text string) (Rule, error) {
	r := Rule{text: text}
	fail := func(why string) (Rule, error) { return r, fmt.Errorf("rule %q: %s", text, why) }
	rest := strings.TrimSpace(text)
	if i := strings.LastIndexByte(rest, ':'); i >= 0 {
		r.label, rest = strings.TrimSpace(rest[:i]), rest[i+1:]
		if r.label == "" {
			return fail("nothing stands before the colon")
		}
	}
	if strings.TrimSpace(rest) == "missing" {
		r.figure = "missing"
		return r, nil
	}
	i := strings.IndexAny(rest, "<>")
	if i < 0 {
		return fail("it has neither > nor <")
	}
	r.figure, r.below = strings.ToLower(strings.TrimSpace(rest[:i])), rest[i] == '<'
	limit := strings.TrimSpace(rest[i+1:])
	if number, ok := strings.CutSuffix(limit, "%"); ok {
		r.relative, limit = true, number
	}
	limit = strings.TrimSpace(strings.TrimSuffix(limit, "ms"))
	var err error
	if r.limit, err = strconv.ParseFloat(limit, 64); err != nil || math.IsNaN(r.limit) || math.IsInf(r.limit, 0) {
		return fail("what may change is no number")
	}
	switch r.figure {
	case "avg", "mean", "average":
		r.figure = "avg"
	case "median", "min", "max", "stddev", "errors", "samples", "throughput", "shift":
	case "error%":
		if r.relative { // of a share, it could mean points as well
			return fail(fmt.Sprintf(`is that points or a change relative to the first run? Say "error%%%[1]s" for points, or "errors%[1]s%%" for the number of errors by per cent of the first run's`, rest[i:i+1]+limit))
		}
	default:
		q, ok := strings.CutPrefix(r.figure, "p")
		if r.q, err = strconv.ParseFloat(q, 64); !ok || err != nil || !(r.q > 0 && r.q <= 100) {
			return fail(fmt.Sprintf("no figure %q; there are avg, median, min, max, stddev, p95 and the like, error%%, errors, samples, throughput and shift", r.figure))
		}
	}
	return r, nil
}

// of gives the figure of one of the runs.
func (r *Rule) of(d *Difference, row *Row, c *Counter) float64 {
	switch r.figure {
	case "avg":
		return row.Mean
	case "median":
		return row.Median
	case "min":
		return float64(row.Min)
	case "max":
		return float64(row.Max)
	case "stddev":
		return math.Sqrt(c.variance())
	case "error%":
		return row.ErrorPct
	case "errors":
		return float64(row.Errors)
	case "samples":
		return float64(row.Samples)
	case "throughput":
		return row.Throughput
	}
	return d.percentile(c, r.q)
}

// unit is that of the figure.
func (r *Rule) unit() string {
	switch r.figure {
	case "error%":
		return "%"
	case "errors", "samples":
		return ""
	case "throughput":
		return "/s"
	}
	return " ms"
}

// check applies the rule. Of each that is broken it tells; of none, it tells the
// one that came closest.
func (r *Rule) check(c *Comparison) []Check {
	if r.figure == "missing" {
		return r.missing(c)
	}
	limit := "> "
	if r.below {
		limit = "< "
	}
	unit := r.unit()
	if r.relative {
		unit = "%"
	} else if r.figure == "error%" {
		unit = " points"
	}
	limit += strings.TrimPrefix(signed(r.limit, unit), "+")
	var broken []Check
	var closest *Check
	least := math.Inf(1)
	for _, d := range append([]Difference{c.Total}, c.Rows...) {
		if r.label != "" && r.label != d.Label || d.A.Samples == 0 || d.B.Samples == 0 {
			continue
		}
		if r.figure == "shift" && (!d.judged() || math.IsNaN(d.Shift.Value)) {
			continue
		}
		change, value := r.change(&d, unit)
		room := r.limit - change
		if r.below {
			room = -room
		}
		k := Check{Name: named(d.Label) + " " + r.figure, Limit: limit, Passed: !(room < 0), Value: value}
		if !k.Passed {
			broken = append(broken, k)
		} else if room < least || closest == nil {
			least, closest = room, &k
		}
	}
	switch {
	case len(broken) > 0:
		return broken
	case closest != nil:
		return []Check{*closest}
	}
	// A rule for a label that is not there checks nothing, which must not pass.
	why := "not in both runs"
	if r.figure == "shift" {
		why = fmt.Sprintf("not in both runs with %d samples at least", leastCompared)
	}
	return []Check{{Name: strings.TrimSpace(r.label + " " + r.figure), Limit: limit, Value: why}}
}

// change is what became of the figure, also for people to read.
func (r *Rule) change(d *Difference, unit string) (change float64, text string) {
	if r.figure == "shift" {
		change, end := d.Shift.Low, "at least" // the end that is nearer to what the rule allows
		if r.below {
			change, end = d.Shift.High, "at most"
		}
		median := d.A.Median
		if r.relative {
			change = Change(median, median+change)
		}
		return change, fmt.Sprintf("%s %s (%s, interval %s; the median was %s ms)", end, signed(change, unit), signed(d.Shift.Value, " ms"), span95(d.Shift), figures(median))
	}
	a, b := r.of(d, &d.A, &d.a), r.of(d, &d.B, &d.b)
	change = b - a
	if r.relative {
		change = Change(a, b)
	}
	return change, fmt.Sprintf("%s (%s%s, was %s%s)", signed(change, unit), figures(b), r.unit(), figures(a), r.unit())
}

func (r *Rule) missing(c *Comparison) []Check {
	var gone []string
	for _, label := range c.OnlyA {
		if r.label == "" || r.label == label {
			gone = append(gone, named(label))
		}
	}
	if len(gone) == 0 {
		return []Check{{Name: "labels", Limit: "missing", Value: "none", Passed: true}}
	}
	return []Check{{Name: "labels", Limit: "missing", Value: strings.Join(gone, ", ")}}
}
