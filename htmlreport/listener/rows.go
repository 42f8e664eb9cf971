package listener

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/jtl"
)

// maxPoints bounds the points of a graph: more than that is a mistake in the
// granulation, and would exhaust the machine.
const maxPoints = 4_000_000

// rows is what one worker gathers for a graph.
type rows struct {
	opt         *GraphOptions
	filter      *Filter
	taken       map[string]bool // labels, by the filter
	byName      map[string]*row
	points      int
	implausible int64
	// parent is the point of a transaction whose nested rows follow.
	parent *point
}

func newRows(opt *GraphOptions) *rows {
	return &rows{opt: opt, taken: make(map[string]bool), byName: make(map[string]*row)}
}

// row is a line of a graph.
type row struct {
	points map[int64]*point
	last   *point
	at     int64
	all    htmlreport.Counter // of graphs that need every time
	// The mean of all of a graph against threads.
	n        int64
	x, y     float64
	failures map[int64]int64 // of TransactionsPerSecond
}

// point is what the rows that fall onto one place add up to.
type point struct {
	n, sum int64
	y      float64
	times  *htmlreport.Counter
}

func (b *rows) read(path string, g *graphType, f *Filter) (*jtl.Report, error) {
	r, err := jtl.Open(path, b.opt.Read)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	workers := make([]*rows, r.Workers())
	for i := range workers {
		workers[i] = b
		if i > 0 {
			workers[i] = newRows(b.opt)
		}
		workers[i].filter, workers[i].parent = f, nil
	}
	inside := make([]bool, len(workers)) // a top-level row that the filter takes
	rep, err := r.Read(func(worker int, row *jtl.Row) error {
		b := workers[worker]
		if !htmlreport.Plausible(row) {
			b.implausible++
			return nil
		}
		if row.Depth == 0 {
			inside[worker] = b.takes(row)
			b.parent = nil
		}
		if !inside[worker] {
			return nil
		}
		g.add(b, row)
		if b.points > maxPoints {
			return fmt.Errorf("%s: more than %d points; take a longer granulation than %d ms", g.name, maxPoints, b.opt.Granulation)
		}
		return nil
	})
	if err == nil || rep.Damaged != nil {
		if err = htmlreport.Needed(r.Info(), rep); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, o := range workers[1:] {
		b.merge(o)
	}
	return rep, nil
}

// takes tells whether a row passes the filter.
func (b *rows) takes(r *jtl.Row) bool {
	if !b.filter.TakesRow(r) {
		return false
	}
	taken, known := b.taken[string(r.Label)]
	if !known {
		taken = b.filter.TakesLabel(string(r.Label))
		b.taken[string(r.Label)] = taken
	}
	return taken
}

func (b *rows) bucket(v int64) int64 { return v - v%b.opt.Granulation }

func (b *rows) row(name []byte) *row {
	l := b.byName[string(name)]
	if l == nil {
		l = &row{points: make(map[int64]*point)}
		b.byName[string(name)] = l
	}
	return l
}

// rowOf is the row of a label, or that of all when rows are aggregated.
func (b *rows) rowOf(r *jtl.Row, overall string) *row {
	if b.opt.Aggregate && overall != "" {
		return b.row([]byte(overall))
	}
	return b.row(r.Label)
}

func (b *rows) point(l *row, x int64) *point {
	if l.last != nil && l.at == x {
		return l.last
	}
	p := l.points[x]
	if p == nil {
		p = new(point)
		l.points[x] = p
		b.points++
	}
	l.last, l.at = p, x
	return p
}

func (b *rows) at(name string, x int64) *point                 { return b.point(b.row([]byte(name)), x) }
func (b *rows) atBytes(name []byte, x int64) *point            { return b.point(b.row(name), x) }
func (b *rows) atLabel(r *jtl.Row, all string, x int64) *point { return b.point(b.rowOf(r, all), x) }

func (b *rows) merge(o *rows) {
	b.implausible += o.implausible
	for name, theirs := range o.byName {
		mine := b.byName[name]
		if mine == nil {
			b.byName[name] = theirs
			b.points += len(theirs.points)
			continue
		}
		mine.all.Merge(&theirs.all)
		for x, p := range theirs.points {
			q := b.point(mine, x)
			q.n += p.n
			q.sum += p.sum
			if q.times == nil {
				q.times = p.times
			} else if p.times != nil {
				q.times.Merge(p.times)
			}
		}
		for x, n := range theirs.failures {
			mine.fail(x, n)
		}
	}
}

// meanOf adds a time of a row to its label's. A transaction of XML, which has
// none of its own, gets those of the samples right inside it.
func meanOf(overall string, of func(*jtl.Row) int64) func(*rows, *jtl.Row) {
	return func(b *rows, r *jtl.Row) {
		switch {
		case r.Depth == 0:
			p := b.atLabel(r, overall, b.bucket(r.End))
			p.n++
			p.sum += of(r)
			if r.IsTransaction() {
				b.parent = p
			}
		case r.Depth == 1 && b.parent != nil:
			b.parent.sum += of(r)
		}
	}
}

// metric adds a value that a collector of metrics measured. A sample that failed
// tells why there is none.
func metric(b *rows, r *jtl.Row) {
	if r.Success {
		p := b.point(b.row(r.Label), b.bucket(r.Start))
		p.n++
		p.sum += r.Elapsed
	}
}

func metrics(b *rows) []htmlreport.Series {
	return b.each(func(p *point) (float64, bool) {
		return float64(p.sum) / float64(p.n) / 1000, p.n > b.opt.HideLowCounts
	})
}

func addThreads(b *rows, r *jtl.Row) {
	group := r.Thread
	if i := bytes.LastIndexByte(group, ' '); i >= 0 {
		group = group[:i]
	}
	p := b.atBytes(group, b.bucket(r.End))
	p.n++
	p.sum += r.GroupThreads
}

func addTransaction(b *rows, r *jtl.Row) {
	l := b.rowOf(r, "Transactions per Second")
	x := b.bucket(r.End)
	p := b.point(l, x)
	if r.Success {
		p.n++
	} else {
		l.fail(x, 1)
	}
}

func (l *row) fail(x, n int64) {
	if l.failures == nil {
		l.failures = make(map[int64]int64)
	}
	l.failures[x] += n
}

// threads is how many threads were active: in all groups, where the file tells.
func threads(r *jtl.Row) int64 {
	if r.AllThreads > 0 {
		return r.AllThreads
	}
	return r.GroupThreads
}

func (b *rows) vsThreads(r *jtl.Row, overall string, y float64) {
	l := b.rowOf(r, overall)
	x := threads(r)
	p := b.point(l, x)
	p.n++
	p.y += y
	l.n++
	l.x += float64(x)
	l.y += y
}

// each makes a series of every row; value tells of a point, and whether it shows.
func (b *rows) each(value func(p *point) (float64, bool)) []htmlreport.Series {
	var all []htmlreport.Series
	for name, l := range b.byName {
		s := htmlreport.Series{Name: valid(name), Label: valid(name)}
		for _, x := range slices.Sorted(maps.Keys(l.points)) {
			if y, ok := value(l.points[x]); ok {
				s.X, s.Y = append(s.X, float64(x)), append(s.Y, y)
			}
		}
		all = append(all, s)
	}
	return all
}

func valid(name string) string { return strings.ToValidUTF8(name, "\uFFFD") }

func means(b *rows) []htmlreport.Series {
	return b.each(func(p *point) (float64, bool) {
		return float64(p.sum) / float64(p.n), p.n > b.opt.HideLowCounts
	})
}

func counts(b *rows) []htmlreport.Series {
	return b.each(func(p *point) (float64, bool) { return float64(p.n), true })
}

// rate is n events in an interval, by the second: a sum of as many terms, as in
// the plug-ins, whose last digits it has.
func (b *rows) rate(n int64) float64 {
	term, sum := 1000/float64(b.opt.Granulation), 0.0
	for range n {
		sum += term
	}
	return sum
}

func rates(b *rows) []htmlreport.Series {
	return b.each(func(p *point) (float64, bool) { return b.rate(p.n), true })
}

func sumRates(b *rows) []htmlreport.Series {
	return b.each(func(p *point) (float64, bool) { return float64(p.sum) * 1000 / float64(b.opt.Granulation), true })
}

func transactionsPerSecond(b *rows) []htmlreport.Series {
	var all []htmlreport.Series
	for name, l := range b.byName {
		names := [2]string{name + " (success)", name + " (failure)"}
		if b.opt.Aggregate {
			names = [2]string{"Successful Transactions per Second", "Failed Transactions per Second"}
		}
		ok, failed := htmlreport.Series{Name: valid(names[0])}, htmlreport.Series{Name: valid(names[1]), Failure: true}
		for _, x := range slices.Sorted(maps.Keys(l.points)) {
			if n := l.points[x].n; n > 0 {
				ok.X, ok.Y = append(ok.X, float64(x)), append(ok.Y, b.rate(n))
			}
			if n := l.failures[x]; n > 0 || b.opt.Aggregate {
				failed.X, failed.Y = append(failed.X, float64(x)), append(failed.Y, b.rate(n))
			}
		}
		for _, s := range []htmlreport.Series{ok, failed} {
			if len(s.X) > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

// activeThreads are those of each group or, aggregated, the sum of what each group
// last had while it lasted.
func activeThreads(b *rows) []htmlreport.Series {
	groups := means(b)
	if !b.opt.Aggregate {
		return groups
	}
	total := htmlreport.Series{Name: "Overall Active Threads"}
	seen := map[float64]bool{}
	for _, s := range groups {
		for _, x := range s.X {
			seen[x] = true
		}
	}
	for _, x := range slices.Sorted(maps.Keys(seen)) {
		sum := 0.0
		for _, s := range groups {
			i, exact := slices.BinarySearch(s.X, x)
			if !exact {
				i--
			}
			if i >= 0 && x <= s.X[len(s.X)-1]+float64(b.opt.Granulation) {
				sum += s.Y[i]
			}
		}
		total.X, total.Y = append(total.X, x), append(total.Y, sum)
	}
	return []htmlreport.Series{total}
}

// percentileCurve is each tenth of a per cent up to 99.9, in tenths.
func percentileCurve(b *rows) []htmlreport.Series {
	var all []htmlreport.Series
	for name, l := range b.byName {
		s := htmlreport.Series{Name: valid(name)}
		var seen int64
		p, n := 1.0, float64(l.all.Count())
		for v, k := range l.all.All {
			seen += k
			for ; p < 1000 && 100*float64(seen)/n >= p/10; p++ {
				s.X, s.Y = append(s.X, p), append(s.Y, float64(v))
			}
		}
		all = append(all, s)
	}
	return all
}

func percentilesOverTime(b *rows) []htmlreport.Series {
	var all []htmlreport.Series
	for name, l := range b.byName {
		for _, q := range b.opt.Percentiles {
			s := htmlreport.Series{Name: valid(name) + " (p" + strconv.FormatFloat(math.Round(q*1e4)/1e4, 'f', -1, 64) + ")"}
			for _, x := range slices.Sorted(maps.Keys(l.points)) {
				times := l.points[x].times
				k := int64(math.Ceil(q / 100 * float64(times.Count())))
				s.X, s.Y = append(s.X, float64(x)), append(s.Y, times.Kth(min(max(k, 1), times.Count())))
			}
			all = append(all, s)
		}
	}
	return all
}

func vsThreads(b *rows) []htmlreport.Series {
	all := b.each(func(p *point) (float64, bool) { return p.y / float64(p.n), p.n > b.opt.HideLowCounts })
	for name, l := range b.byName {
		all = append(all, htmlreport.Series{Name: "Average " + valid(name), Label: valid(name), Aggregated: true,
			X: []float64{math.Round(l.x / float64(l.n))}, Y: []float64{l.y / float64(l.n)}})
	}
	return all
}
