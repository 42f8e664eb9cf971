package htmlreport

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/gojm/gojm/jtl"
)

// position is the place of a row: its file and its line, in that order.
type position struct {
	file int
	line int64
}

func (p position) compare(o position) int {
	return cmp.Or(cmp.Compare(p.file, o.file), cmp.Compare(p.line, o.line))
}

func (p position) before(o position) bool { return p.compare(o) < 0 }

const (
	// With automatic granularity a shard coarsens its intervals when the report would,
	// or when it has this many cells in all labels together.
	maxCells = 200_000
	// With a granularity that was asked for it gives up rather than exhaust the
	// machine.
	maxAskedIntervals = 1_000_000
)

// granularities are the interval lengths to choose from, in ms; each divides
// the next, so that intervals can be joined later.
var granularities = []int64{1000, 5000, 10_000, 30_000, 60_000, 300_000, 600_000, 1_800_000, 3_600_000,
	10_800_000, 21_600_000, 43_200_000, 86_400_000, 864_000_000, 8_640_000_000, 86_400_000_000, 864_000_000_000}

func coarser(g int64) int64 {
	for _, next := range granularities {
		if next > g {
			return next
		}
	}
	return g * 10
}

// byKind is a timeline for each kind of rows.
type byKind[T any, P interface {
	*T
	merge(*T)
}] [numKinds]timeline[T, P]

func (b *byKind[T, P]) merge(o *byKind[T, P]) {
	for i := range b {
		b[i].merge(&o[i])
	}
}

func (b *byKind[T, P]) fold(g int64) {
	for i := range b {
		b[i].fold(g)
	}
}

// A shard is what one worker gathers. It is not safe for concurrent use.
type shard struct {
	opt         *Options
	file        int
	granularity int64
	cells       int
	// In what interval a row starts and ends, and in what unit of seconds.
	start, stop, unit ruler

	rows, outside int64 // rows seen; of them outside the date range
	implausible   int64 // of them left out for a value that is none
	begin, end    int64 // first start and last end of the rows inside

	labels  map[string]*label
	ended   timeline[tally, *tally] // the intervals in which samples ended
	hits    byKind[tally, *tally]
	codes   map[string]*byKind[tally, *tally]
	groups  map[string]*byKind[mean, *mean] // active threads, by thread group
	newest  *window                         // of all samples, when a window is in force
	windows timeline[window, *window]       // of the successful
	customs []*customSeries

	recentLabels recent[label]
	recentCodes  recent[byKind[tally, *tally]]
	recentGroups recent[byKind[mean, *mean]]

	batch    *batch
	seconds  *seconds
	failures failures
	slowest  slowest
}

func newShard(opt *Options, sec *seconds) *shard {
	s := &shard{
		opt: opt, seconds: sec, batch: new(batch), unit: ruler{granularity: sec.unit},
		begin: math.MaxInt64, end: math.MinInt64,
		labels: make(map[string]*label), codes: make(map[string]*byKind[tally, *tally]),
		groups: make(map[string]*byKind[mean, *mean]),
	}
	s.measure(opt.baseGranularity())
	if opt.Window > 0 {
		s.newest = &window{size: opt.Window}
	}
	for i := range opt.Customs {
		s.customs = append(s.customs, &customSeries{graph: &opt.Customs[i]})
	}
	return s
}

// Plausible tells whether sums of such values mean anything: times of less than
// a thousand years, stamps after 1970 that such a time reaches, sizes of less than a
// petabyte. Anything else is damage, and would spoil every sum it is in.
func Plausible(r *jtl.Row) bool {
	times, sizes := r.Elapsed|r.Latency|r.Connect|r.GroupThreads|r.AllThreads|r.Start|r.End, r.Bytes|r.SentBytes
	if uint64(times)>>45|uint64(sizes)>>50 == 0 {
		return r.Start > 0
	}
	return within(r.Elapsed, 45) && within(r.Latency, 45) && within(r.Connect, 45) && within(r.GroupThreads, 45) &&
		within(r.AllThreads, 45) && r.Start > 0 && within(r.Start, 45) && within(r.End, 45) && within(r.Bytes, 50) && within(r.SentBytes, 50)
}

func within(v int64, bits uint) bool { return v <= 1<<bits && v >= -(1<<bits) }

var emptyTransaction = []byte("Number of samples in transaction : 0")

// add counts one row.
func (s *shard) add(r *jtl.Row) error {
	s.rows++
	if !Plausible(r) {
		s.implausible++
		return nil
	}
	if r.Start < s.opt.start() || r.Start > s.opt.end() {
		s.outside++
		return nil
	}
	s.begin, s.end = min(s.begin, r.Start), max(s.end, r.End)

	k := sample
	if r.IsTransaction() {
		k = transaction
		if bytes.HasPrefix(r.Message, emptyTransaction) {
			k = empty
		}
	}
	l := s.label(r, k)
	if l.excluded {
		return nil
	}
	if o := &l.outcomes[index(!r.Success)]; o.line == 0 {
		*o = firstRow{position{s.file, r.Line}, k != sample}
	}
	p := &l.parts[k]
	p.interval(r.Start, r.End)
	times := &p.ok
	if !r.Success {
		times = &p.failed
	}
	times.Add(r.Elapsed)
	p.bytes += r.Bytes
	p.sent += r.SentBytes

	at := s.stop.of(r.End)
	c, created := p.overTime.at(at)
	c.n++
	if !r.Success {
		c.failed++
	}
	c.elapsed += r.Elapsed
	c.latency += r.Latency
	c.connect += r.Connect
	c.bytes += r.Bytes
	c.sent += r.SentBytes
	if created {
		s.cells++
	}

	if k != empty {
		p.addThreads(r.AllThreads, r.Elapsed)
		s.addGroup(r, k, at)
	}
	if k == sample {
		s.addSample(r, at)
	} else if s.seconds.whole != nil {
		s.seconds.addTransaction(r.End)
	}
	if k != empty && l.newest != nil {
		l.newest.Add(r.Elapsed)
	}
	code := byName(s.codes, &s.recentCodes, r.Code)
	n, _ := code[k].at(at)
	*n++
	h, _ := s.hits[k].at(s.start.of(r.Start))
	*h++
	if !r.Success {
		s.addFailure(r, l, k)
	}
	for _, cs := range s.customs {
		if err := cs.add(r); err != nil {
			return err
		}
	}
	if created {
		return s.limit()
	}
	return nil
}

// addSample counts what only samples count for: the curves over all labels.
func (s *shard) addSample(r *jtl.Row, at int64) {
	if s.newest != nil {
		s.newest.Add(r.Elapsed)
		if r.Success {
			w, _ := s.windows.at(at)
			w.size = s.opt.Window
			w.Add(r.Elapsed)
		}
	}
	s.addTimes(r)
	if s.slowest.takes(r.Elapsed) {
		s.slowest.add(recordOf(r, s.file))
	}
}

// label finds or makes the label of a row.
func (s *shard) label(r *jtl.Row, k kind) *label {
	e := s.recentLabels.entry(r.Label)
	if e.value != nil && e.name == string(r.Label) {
		return e.value
	}
	l := s.labels[string(r.Label)]
	if l == nil {
		l = s.newLabel(valid(r.Label))
		if l.first.line == 0 {
			l.first, l.controller = position{s.file, r.Line}, k != sample
		}
	}
	if e.name, e.value = l.name, l; l.name != string(r.Label) {
		e.name = string(r.Label)
	}
	return l
}

func (s *shard) newLabel(name string) *label {
	l := s.labels[name]
	if l == nil {
		l = &label{name: name, excluded: !s.opt.SampleFilter.Matches(name)}
		if s.opt.Window > 0 {
			l.newest = &window{size: s.opt.Window}
		}
		s.labels[name] = l
	}
	return l
}

// valid copies text out of a file, with U+FFFD for what is not UTF-8.
func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// addGroup counts the active threads of a thread group, whose name is that of
// the thread up to its last blank.
func (s *shard) addGroup(r *jtl.Row, k kind, at int64) {
	name := r.Thread
	if i := bytes.LastIndexByte(name, ' '); i >= 0 {
		name = name[:i]
	}
	m, _ := byName(s.groups, &s.recentGroups, name)[k].at(at)
	m.add(r.GroupThreads)
}

// byName finds or makes the entry of a map keyed by text.
func byName[T any](m map[string]*T, lately *recent[T], name []byte) *T {
	if e := lately.last; e != nil && e.name == string(name) {
		return e.value
	}
	e := lately.entry(name)
	lately.last = e
	if e.value != nil && e.name == string(name) {
		return e.value
	}
	v := m[string(name)]
	if v == nil {
		key := valid(name)
		if v = m[key]; v == nil {
			v = new(T)
			m[key] = v
		}
	}
	e.name, e.value = string(name), v
	return v
}

// intervals is how many there are in which something happened, as far as that is
// known: the times of samples are handed over in batches.
func (s *shard) intervals() int { return max(len(s.ended.cells), len(s.hits[transaction].cells)) }

// limit keeps the number of intervals bounded.
func (s *shard) limit() error {
	if !s.opt.autoGranularity() {
		if s.cells > maxAskedIntervals {
			return fmt.Errorf("property %s: %d ms gives more than %d intervals; take a longer one",
				propGranularity, s.granularity, maxAskedIntervals)
		}
		return nil
	}
	for s.intervals() > wantedIntervals || s.cells > maxCells {
		s.fold(coarser(s.granularity))
		if s.granularity >= granularities[len(granularities)-1] {
			break
		}
	}
	return nil
}

// measure sets the length of intervals.
func (s *shard) measure(g int64) {
	s.granularity = g
	s.start, s.stop = ruler{granularity: g}, ruler{granularity: g}
}

// fold coarsens all that is by time, and sorts it.
func (s *shard) fold(g int64) {
	s.measure(g)
	s.ended.fold(g)
	s.windows.fold(g)
	s.hits.fold(g)
	for _, c := range s.codes {
		c.fold(g)
	}
	for _, m := range s.groups {
		m.fold(g)
	}
	s.cells = 0
	for _, l := range s.labels {
		for k := range l.parts {
			l.parts[k].overTime.fold(g)
			s.cells += len(l.parts[k].overTime.cells)
		}
	}
}

// finish hands over what is gathered and not yet shared.
func (s *shard) finish() { s.handOver() }

// merge adds what another worker gathered, which must not be used after.
func (s *shard) merge(o *shard) {
	if s.granularity < o.granularity {
		s.fold(o.granularity)
	} else if s.granularity > o.granularity {
		o.fold(s.granularity)
	}
	s.rows += o.rows
	s.outside += o.outside
	s.implausible += o.implausible
	s.begin, s.end = min(s.begin, o.begin), max(s.end, o.end)
	for name, l := range o.labels {
		mine := s.labels[name]
		if mine == nil {
			s.labels[name] = l
			continue
		}
		if l.first.before(mine.first) {
			mine.first, mine.controller = l.first, l.controller
		}
		for i := range l.outcomes {
			mine.outcomes[i].merge(l.outcomes[i])
		}
		for k := range l.parts {
			mine.parts[k].merge(&l.parts[k])
		}
	}
	s.ended.merge(&o.ended)
	s.hits.merge(&o.hits)
	mergeByName(s.codes, o.codes)
	mergeByName(s.groups, o.groups)
	for i, c := range o.customs {
		s.customs[i].values.merge(&c.values)
	}
	s.failures.merge(&o.failures)
	s.slowest.merge(&o.slowest)
}

func mergeByName[T any, P interface {
	*T
	merge(*T)
}](into, from map[string]*T) {
	for name, v := range from {
		if mine := into[name]; mine != nil {
			P(mine).merge(v)
		} else {
			into[name] = v
		}
	}
}
