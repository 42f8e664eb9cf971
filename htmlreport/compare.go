package htmlreport

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Comparison sets one run, B, against another, A.
type Comparison struct {
	A, B  *Report
	Total Difference
	// Rows are the labels that both have, the most different first.
	Rows         []Difference
	OnlyA, OnlyB []string
	Checks       []Check // of the rules that Apply was given
	Broken       bool    // one of them did not pass
}

// Difference is what became of a label, or of all samples.
type Difference struct {
	Label      string
	Controller bool
	A, B       Row
	// Shift is by how many ms B took longer, typically: the median of the
	// differences of all pairs of a sample of A and one of B.
	Shift Estimate
	// Delta is Cliff's delta: how often a sample of B took longer than one of A,
	// less how often it took shorter; from -1 to 1.
	Delta Estimate
	// ErrorPct is the error rate of B less that of A, in points of per cent.
	ErrorPct Estimate

	opt  *Options
	a, b Counter
}

// leastCompared is how many samples a run must have for its times to be judged.
const leastCompared = 10

// Compare reads the result files of two runs. Memory follows the labels and the
// different times, not the rows.
func Compare(a, b []string, opt Options) (*Comparison, error) {
	optA, optB := opt, opt
	shardA, sourcesA, err := gather(a, &optA)
	if err != nil {
		return nil, err
	}
	shardB, sourcesB, err := gather(b, &optB)
	if err != nil {
		return nil, err
	}
	c := &Comparison{A: build(shardA, &optA, sourcesA), B: build(shardB, &optB, sourcesB)}
	c.A.readHealth()
	c.B.readHealth()
	rowsA, rowsB := rowsByLabel(c.A), rowsByLabel(c.B)
	var samplesA, samplesB []*part
	for _, l := range sortedLabels(shardA.labels) {
		samplesA = append(samplesA, &l.parts[sample])
		other := shardB.labels[l.name]
		if other == nil {
			c.OnlyA = append(c.OnlyA, l.name)
			continue
		}
		d := difference(rowsA[l.name], rowsB[l.name], own(l), own(other), &optA)
		c.Rows = append(c.Rows, d)
	}
	for _, l := range sortedLabels(shardB.labels) {
		samplesB = append(samplesB, &l.parts[sample])
		if shardA.labels[l.name] == nil {
			c.OnlyB = append(c.OnlyB, l.name)
		}
	}
	c.Total = difference(&c.A.Total, &c.B.Total, samplesA, samplesB, &optA)
	slices.SortStableFunc(c.Rows, func(x, y Difference) int {
		return cmp.Or(index(!x.judged())-index(!y.judged()), cmp.Compare(math.Abs(y.Delta.Value), math.Abs(x.Delta.Value)))
	})
	return c, nil
}

// own are the parts that the label's row in tables is made of.
func own(l *label) []*part { return []*part{&l.parts[sample], &l.parts[transaction]} }

func rowsByLabel(r *Report) map[string]*Row {
	rows := make(map[string]*Row)
	for i := range r.Rows {
		rows[r.Rows[i].Label] = &r.Rows[i]
	}
	return rows
}

func difference(rowA, rowB *Row, a, b []*part, opt *Options) Difference {
	d := Difference{Label: rowA.Label, Controller: rowA.Controller, A: *rowA, B: *rowB, a: *times(a), b: *times(b), opt: opt}
	nan := math.NaN()
	d.Shift, d.Delta, d.ErrorPct = Estimate{nan, nan, nan}, Estimate{nan, nan, nan}, Estimate{nan, nan, nan}
	if rowA.Samples == 0 || rowB.Samples == 0 {
		return d
	}
	slow := func(c *cell) int64 { return c.elapsed }
	failed := func(c *cell) int64 { return c.failed }
	effect := func(parts []*part, c *Counter) float64 {
		return designEffect(intervalsOf(parts, slow), float64(c.Count()), float64(c.Sum())/float64(c.Count()), c.variance())
	}
	p := newPairs(&d.a, &d.b)
	inflation := math.Sqrt(max(effect(a, &d.a), effect(b, &d.b)))
	d.Delta, d.Shift = p.cliffsDelta(inflation), p.shift(inflation)

	share := func(r *Row) float64 { return float64(r.Errors) / float64(r.Samples) }
	effective := func(parts []*part, r *Row) float64 {
		n, p := float64(r.Samples), share(r)
		return n / designEffect(intervalsOf(parts, failed), n, p, p*(1-p))
	}
	d.ErrorPct = shareDifference(share(rowA), effective(a, rowA), share(rowB), effective(b, rowB))
	return d
}

// judged tells whether there are samples enough.
func (d *Difference) judged() bool { return min(d.A.Samples, d.B.Samples) >= leastCompared }

// Verdict is the difference of times in words. Sizes are those of Romano and
// others (2006) for Cliff's delta.
func (d *Difference) Verdict() string {
	switch {
	case min(d.A.Samples, d.B.Samples) == 0:
		return "no samples"
	case !d.judged():
		return "too few samples"
	case !d.Delta.Clear():
		return "no clear difference"
	}
	word := "slower"
	if d.Delta.Value < 0 {
		word = "faster"
	}
	switch size := math.Abs(d.Delta.Value); {
	case size < 0.147:
		return "hardly " + word
	case size < 0.33:
		return "a little " + word
	case size < 0.474:
		return word
	}
	return "much " + word
}

// ErrorVerdict is the difference of error rates in words, "" where none is clear.
func (d *Difference) ErrorVerdict() string {
	switch {
	case !d.ErrorPct.Clear():
		return ""
	case d.ErrorPct.Value > 0:
		return "more errors"
	}
	return "fewer errors"
}

// Change is a figure of B against that of A, in per cent; NaN without A's.
func Change(a, b float64) float64 {
	if a == b {
		return 0
	}
	return (b - a) / math.Abs(a) * 100
}

// Apply judges the comparison by rules.
func (c *Comparison) Apply(rules []Rule) {
	for _, r := range rules {
		checks := r.check(c)
		c.Checks = append(c.Checks, checks...)
		for _, k := range checks {
			c.Broken = c.Broken || !k.Passed
		}
	}
}

// percentile of a run's times.
func (d *Difference) percentile(c *Counter, q float64) float64 {
	return d.opt.Estimator.Percentile(q, c)
}

// signed writes a change with its sign.
func signed(f float64, unit string) string {
	switch {
	case math.IsNaN(f):
		return none
	case math.IsInf(f, 0):
		return "∞"
	}
	text := fmt.Sprintf("%+.1f", f)
	if math.Abs(f) >= 100 || f == math.Trunc(f) {
		text = fmt.Sprintf("%+.0f", f)
	}
	if strings.Trim(text, "+-0.") == "" {
		text = "0"
	}
	return text + unit
}
