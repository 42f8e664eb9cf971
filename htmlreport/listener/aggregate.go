package listener

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/jtl"
)

// Options say how to read result files and what to count.
type Options struct {
	Layout Layout
	Read   jtl.ReadOptions
	// Percentiles are those of the three lines, 0 < p <= 100, and their names as
	// the user wrote them (properties aggregate_rpt_pct1 to 3).
	Percentiles     [3]float64
	PercentileNames [3]string
	Filter          Filter
}

// DefaultOptions are those without any property.
func DefaultOptions() Options {
	o := htmlreport.DefaultOptions()
	return Options{Layout: Full, Percentiles: o.Percentiles, PercentileNames: o.PercentileNames}
}

// Source is one result file and how its reading went.
type Source struct {
	Path string
	Read jtl.Report
	// Implausible counts rows that were left out; see htmlreport.Plausible.
	Implausible int64
}

// Table is a line a label, in the order in which the labels first appear, and the
// total over all rows.
type Table struct {
	Lines   []Line
	Total   Line
	Sources []Source
	options Options
}

// Line is what the rows of one label come to. Times are in ms.
type Line struct {
	Label           string
	Samples, Errors int64
	Average         float64
	Median          int64
	Percentiles     [3]int64
	Min, Max        int64
	StdDev          float64 // of all samples, not an estimate for others
	ErrorPct        float64
	// Rates are per second, over the time from the first start to the last end;
	// Throughput is Inf when that is no time at all, and the others 0.
	Throughput, ReceivedKB, SentKB float64 // KB of 1024 bytes
	AvgBytes                       float64

	// summary are the rates of the Summary Report, whose time is the longest seen
	// from the first start so far to an end: a row further down that started
	// before all others does not lengthen it after the fact. No time at all gives 0.
	// They are JMeter's only when the file was read in order.
	summary struct{ throughput, receivedKB, sentKB float64 }
}

// Read makes the table of some result files, taken as one run. No row at all, or
// none within the filter, is htmlreport.ErrNoSamples.
func Read(paths []string, opt Options) (*Table, error) {
	t := &Table{options: opt}
	opt.Read.TopOnly = true
	if opt.Layout.ordered {
		opt.Read.Workers = 1
	}
	whole := newShard(&opt)
	for i, path := range paths {
		f := opt.Filter
		if err := f.Prepare(path, opt.Read); err != nil {
			return nil, err
		}
		before := whole.implausible
		rep, err := whole.read(path, i, &f)
		if err != nil {
			return nil, err
		}
		t.Sources = append(t.Sources, Source{path, *rep, whole.implausible - before})
	}
	total := &sums{}
	for _, s := range whole.inOrder() {
		t.Lines = append(t.Lines, s.line(&opt))
		total.merge(s)
	}
	if total.n == 0 {
		return nil, noSamples(t.Sources)
	}
	total.label = "TOTAL"
	total.interval = whole.interval
	t.Total = total.line(&opt)
	return t, nil
}

// shard is what one worker gathers.
type shard struct {
	opt    *Options
	file   int
	filter *Filter
	labels map[string]*sums // nil: not taken by the filter
	last   *sums
	// Of all rows.
	minStart, interval int64
	seen               bool
	implausible        int64
}

func newShard(opt *Options) *shard { return &shard{opt: opt, labels: make(map[string]*sums)} }

// sums are what the rows of one label add up to.
type sums struct {
	label            string
	file             int
	line0            int64 // where the first row stands
	n, errors        int64
	elapsed          int64
	squares          float64 // of elapsed
	times            htmlreport.Counter
	bytes, sent      int64
	minStart, maxEnd int64
	interval         int64 // as the Summary Report has it
}

func (s *shard) read(path string, file int, f *Filter) (*jtl.Report, error) {
	r, err := jtl.Open(path, s.opt.Read)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	shards := make([]*shard, r.Workers())
	for i := range shards {
		shards[i] = s
		if i > 0 {
			shards[i] = newShard(s.opt)
		}
		shards[i].file, shards[i].filter, shards[i].last = file, f, nil
	}
	rep, err := r.Read(func(worker int, row *jtl.Row) error {
		shards[worker].add(row)
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
	for _, o := range shards[1:] {
		s.merge(o)
	}
	return rep, nil
}

func (s *shard) add(r *jtl.Row) {
	if !htmlreport.Plausible(r) {
		s.implausible++
		return
	}
	if !s.filter.TakesRow(r) {
		return
	}
	l := s.last
	if l == nil || l.label != string(r.Label) {
		var known bool
		if l, known = s.labels[string(r.Label)]; !known {
			label := string(r.Label)
			if s.filter.TakesLabel(label) {
				l = &sums{label: label, file: s.file, line0: r.Line}
			}
			s.labels[label] = l
		}
		if l == nil {
			return
		}
		s.last = l
	}
	l.add(r)
	if !s.seen || r.Start < s.minStart {
		s.minStart, s.seen = r.Start, true
	}
	s.interval = max(s.interval, r.End-s.minStart)
}

func (s *sums) add(r *jtl.Row) {
	if s.n == 0 {
		s.minStart, s.maxEnd = r.Start, r.End
	}
	s.minStart, s.maxEnd = min(s.minStart, r.Start), max(s.maxEnd, r.End)
	s.interval = max(s.interval, r.End-s.minStart)
	s.bytes += r.Bytes
	s.sent += r.SentBytes
	s.elapsed += r.Elapsed
	if n := r.SampleCount; n > 1 {
		// The sum of n samples, each of which counts as the nth part.
		s.n += n
		s.errors += r.ErrorCount
		s.squares += float64(r.Elapsed) * float64(r.Elapsed) / float64(n)
		s.times.AddN(r.Elapsed/n, n)
		return
	}
	s.n++
	if !r.Success {
		s.errors++
	}
	s.squares += float64(r.Elapsed) * float64(r.Elapsed)
	s.times.Add(r.Elapsed)
}

func (s *sums) merge(o *sums) {
	if o.n == 0 {
		return
	}
	if s.n == 0 {
		s.minStart, s.maxEnd = o.minStart, o.maxEnd
	}
	s.minStart, s.maxEnd = min(s.minStart, o.minStart), max(s.maxEnd, o.maxEnd)
	s.interval = max(s.interval, o.interval)
	s.n += o.n
	s.errors += o.errors
	s.elapsed += o.elapsed
	s.squares += o.squares
	s.bytes += o.bytes
	s.sent += o.sent
	s.times.Merge(&o.times)
}

func (s *shard) merge(o *shard) {
	s.implausible += o.implausible
	for name, l := range o.labels {
		switch mine := s.labels[name]; {
		case mine == nil:
			s.labels[name] = l
		default:
			if l.file == mine.file && l.line0 < mine.line0 {
				mine.line0 = l.line0
			}
			mine.merge(l)
		}
	}
	if o.seen {
		if !s.seen || o.minStart < s.minStart {
			s.minStart, s.seen = o.minStart, true
		}
		s.interval = max(s.interval, o.interval)
	}
}

func (s *shard) inOrder() []*sums {
	var all []*sums
	for _, l := range s.labels {
		if l != nil {
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b *sums) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line0, b.line0), strings.Compare(a.label, b.label))
	})
	return all
}

// line is what JMeter's calculator makes of the sums.
func (s *sums) line(opt *Options) Line {
	n := float64(s.n)
	l := Line{
		Label: strings.ToValidUTF8(s.label, "\uFFFD"), Samples: s.n, Errors: s.errors, Average: float64(s.elapsed) / n,
		Median: s.rank(0.5), Min: s.times.Min(), Max: s.times.Max(),
		ErrorPct: float64(s.errors) / n * 100, AvgBytes: float64(s.bytes) / n,
	}
	l.StdDev = math.Sqrt(max(0, s.squares/n-l.Average*l.Average))
	for i, q := range opt.Percentiles {
		// JMeter holds the fraction in a float, which shows: 10 times 0.95f is a bit
		// less than 9.5, and so the 9th value.
		l.Percentiles[i] = s.rank(float64(float32(q / 100)))
	}
	seconds := float64(s.maxEnd-s.minStart) / 1000
	l.Throughput = n / seconds
	if seconds > 0 {
		l.ReceivedKB, l.SentKB = float64(s.bytes)/seconds/1024, float64(s.sent)/seconds/1024
	}
	if seconds := float64(s.interval) / 1000; seconds > 0 {
		l.summary.throughput = n / seconds
		l.summary.receivedKB, l.summary.sentKB = float64(s.bytes)/seconds/1024, float64(s.sent)/seconds/1024
	}
	return l
}

// rank is JMeter's percentile in listeners: the nearest rank.
func (s *sums) rank(fraction float64) int64 {
	if fraction >= 1 {
		return s.times.Max()
	}
	k := int64(math.Floor(float64(s.n)*fraction + 0.5))
	return int64(s.times.Kth(min(max(k, 1), s.n)))
}

// noSamples is htmlreport.ErrNoSamples with its reason.
func noSamples(sources []Source) error {
	var reads []jtl.Report
	var rows, implausible int64
	for _, src := range sources {
		rows += src.Read.Rows
		implausible += src.Implausible
		reads = append(reads, src.Read)
	}
	err := htmlreport.NoSamples(reads)
	if rows > 0 && rows == implausible {
		err = fmt.Errorf("%w: all %d hold a time or a size beyond any run", htmlreport.ErrNoSamples, rows)
	}
	if len(sources) == 1 {
		return fmt.Errorf("%s: %w", sources[0].Path, err)
	}
	return err
}
