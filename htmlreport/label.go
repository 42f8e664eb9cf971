package htmlreport

import (
	"math"
	"slices"
)

// kind tells apart the rows that JMeter's report treats differently.
type kind uint8

const (
	sample      kind = iota // what a sampler did, sub-results among them
	transaction             // the row of a Transaction Controller
	empty                   // a transaction in which nothing ran
	numKinds
)

// label is all that is known of the rows with one label, by kind.
type label struct {
	name string
	// first is the place of its first row; the kind of that row decides whether
	// JMeter takes the whole label for a transaction's.
	first      position
	controller bool
	outcomes   [2]firstRow // the same of successes and of failures
	parts      [numKinds]part
	// newest are the values that percentiles come from when a window is in force.
	newest *window
	// excluded labels are those that sample_filter drops.
	excluded bool
}

// firstRow is the place of a row, and whether it is a transaction's.
type firstRow struct {
	position
	controller bool
}

// merge takes the earlier of two, either of which may be none.
func (f *firstRow) merge(o firstRow) {
	if o.line > 0 && (f.line == 0 || o.before(f.position)) {
		*f = o
	}
}

// settle counts what is pending.
func (l *label) settle() {
	for k := range l.parts {
		l.parts[k].ok.settle()
		l.parts[k].failed.settle()
	}
}

// blank labels are named so in graphs, as by JMeter.
const emptySeries = "EMPTY_SERIE_NAME"

// part is what rows of one label and one kind add up to. It holds integers
// only, so that the order of rows, and of merging, changes nothing.
type part struct {
	ok, failed      Counter // elapsed, by success
	bytes, sent     int64
	minStart        int64
	maxEnd          int64
	overTime        timeline[cell, *cell]
	byThreads       map[int64]*mean // elapsed, by all active threads
	threads         mean            // all active threads
	threadsLast     *mean
	threadsLastKey  int64
	errors          map[string]*tally // by error key
	errorsNotListed int64             // of further keys
}

// cell is what the rows of a part that ended in one interval add up to.
type cell struct {
	n, failed, elapsed, latency, connect, bytes, sent int64
}

func (c *cell) merge(o *cell) {
	c.n += o.n
	c.failed += o.failed
	c.elapsed += o.elapsed
	c.latency += o.latency
	c.connect += o.connect
	c.bytes += o.bytes
	c.sent += o.sent
}

// mean is a sum of the cell by its rows.
func (c *cell) mean(sum int64) float64 { return float64(sum) / float64(c.n) }

func (p *part) count() int64 { return p.ok.Count() + p.failed.Count() }

// interval widens the time from first start to last end.
func (p *part) interval(start, end int64) {
	if p.count() == 0 {
		p.minStart, p.maxEnd = start, end
		return
	}
	p.minStart, p.maxEnd = min(p.minStart, start), max(p.maxEnd, end)
}

func (p *part) addThreads(n, elapsed int64) {
	p.threads.add(n)
	if p.threadsLast == nil || p.threadsLastKey != n {
		m := p.byThreads[n]
		if m == nil {
			if p.byThreads == nil {
				p.byThreads = make(map[int64]*mean)
			}
			m = new(mean)
			p.byThreads[n] = m
		}
		p.threadsLast, p.threadsLastKey = m, n
	}
	p.threadsLast.add(elapsed)
}

// merge adds o, whose values may be taken over.
func (p *part) merge(o *part) {
	if o.count() > 0 {
		if p.count() == 0 {
			p.minStart, p.maxEnd = o.minStart, o.maxEnd
		} else {
			p.interval(o.minStart, o.maxEnd)
		}
	}
	p.ok.Merge(&o.ok)
	p.failed.Merge(&o.failed)
	p.bytes += o.bytes
	p.sent += o.sent
	p.overTime.merge(&o.overTime)
	p.mergeRest(o)
}

// mergeCopy adds o and leaves it alone.
func (p *part) mergeCopy(o *part) {
	copied := *o
	copied.overTime = timeline[cell, *cell]{cells: slices.Clone(o.overTime.cells)}
	p.merge(&copied)
}

func (p *part) mergeRest(o *part) {
	p.threads.merge(&o.threads)
	for k, m := range o.byThreads {
		if p.byThreads == nil {
			p.byThreads = make(map[int64]*mean)
		}
		if p.byThreads[k] == nil {
			p.byThreads[k] = new(mean)
		}
		p.byThreads[k].merge(m)
	}
	p.threadsLast = nil
	for k, n := range o.errors {
		p.addError(k, int64(*n))
	}
	p.errorsNotListed += o.errorsNotListed
}

// totals are the figures of some parts together, without what is by time.
type totals struct {
	ok, failed       Counter
	bytes, sent      int64
	minStart, maxEnd int64
	newest           *window
}

func (t *totals) add(p *part) {
	if n := p.count(); n > 0 {
		if t.ok.Count()+t.failed.Count() == 0 {
			t.minStart, t.maxEnd = p.minStart, p.maxEnd
		} else {
			t.minStart, t.maxEnd = min(t.minStart, p.minStart), max(t.maxEnd, p.maxEnd)
		}
	}
	t.ok.Merge(&p.ok)
	t.failed.Merge(&p.failed)
	t.bytes += p.bytes
	t.sent += p.sent
}

// perSecond is JMeter's rate: over the time from first start to last end. No
// time at all gives Inf, or NaN of nothing.
func (t *totals) perSecond(n float64) float64 {
	return n / (float64(t.maxEnd-t.minStart) / 1000)
}

// own are the figures of the label's row in tables.
func (l *label) own() *totals {
	t := &totals{newest: l.newest, minStart: math.MaxInt64, maxEnd: math.MinInt64}
	t.add(&l.parts[sample])
	t.add(&l.parts[transaction])
	return t
}
