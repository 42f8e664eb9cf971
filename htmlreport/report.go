package htmlreport

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/gojm/gojm/jtl"
)

// Report holds everything that a dashboard shows.
type Report struct {
	Options Options
	Sources []Source

	// Begin is the first start and End the last end, epoch ms, of all rows in
	// the date range.
	Begin, End int64
	// Granularity is the interval of the time charts, in ms.
	Granularity int64

	Total Row   // of samples; transactions would count their samples again
	Rows  []Row // by label

	ApdexTotal ApdexRow // transactions count here, as in JMeter
	Apdex      []ApdexRow

	Errors          []ErrorType
	ErrorsNotListed int64
	Top5Total       Top5
	Top5            []Top5 // labels with errors
	Failures        []Record
	Slowest         []Record

	Graphs   []Graph
	Overview Overview
	HeatMap  HeatMap
	// Generator is how those who made the results fared, as far as they noted it.
	Generator Generator
	Trends    map[string][]float64 // by label: mean time of each of Overview.Time, NaN where nothing ran

	// Late counts samples that came so late in the file that the "Vs Request"
	// graphs are without them.
	Late int64
	// Implausible counts rows left out because a value in them is beyond any
	// run: a time of a thousand years, a petabyte.
	Implausible int64

	pauses         []Pause
	received, sent bool     // there are columns for it
	order          []string // names of series, by time spent, longest first
	listed         map[string]bool
}

// Source is one result file and how its reading went.
type Source struct {
	Path    string
	Info    jtl.Info
	Read    jtl.Report
	Outside int64 // rows outside the date range
}

// Top5 is a line of the table "Top 5 Errors by sampler".
type Top5 struct {
	Label           string
	Samples, Errors int64
	Top             []ErrorCount
}

// Overview is the run at a glance: of all samples, by interval.
type Overview struct {
	Time            []float64 // epoch ms; also of intervals in which nothing ended, at least of those beside others
	OK, Failed      []float64 // per second
	Median          []float64 // ms, NaN where nothing ended, and at the edges where hardly anything did
	Percentiles     [3][]float64
	PercentileNames [3]string
	Threads         []float64 // active ones of all groups, NaN where no row tells; nil where the results do not
}

// HeatMap counts samples by time and by response time.
type HeatMap struct {
	Edges []float64  // lower edges of the rows, ms; the last one is open
	Cells [][3]int64 // index into Overview.Time, row, samples
}

const (
	wantedIntervals = 400
	wantedPoints    = 60_000 // of all labels together
	leastIntervals  = 60
	wantedSamples   = 20 // in an interval, or its percentiles mean little
)

// settle chooses the final interval: short enough to see the run change, long
// enough for figures that mean something and a page of bearable size. After it the
// shard can be read by several goroutines.
func (s *shard) settle() {
	for s.opt.autoGranularity() && s.tooFine() {
		s.fold(coarser(s.granularity))
	}
	s.seconds.close(0)
	s.seconds.fold(s.granularity)
	for _, l := range s.labels {
		l.settle()
	}
}

func (s *shard) tooFine() bool {
	n := s.intervals()
	fine := n*len(s.labels) <= wantedPoints && s.rows >= int64(n)*wantedSamples
	return n > leastIntervals && (n > wantedIntervals || !fine)
}

// build makes the report of a finished aggregation.
func build(s *shard, opt *Options, sources []Source) *Report {
	s.settle()
	r := &Report{Options: *opt, Sources: sources, Begin: s.begin, End: s.end, Granularity: s.granularity, Implausible: s.implausible, Late: s.seconds.late}
	has := func(c jtl.Column) bool {
		return slices.ContainsFunc(sources, func(src Source) bool { return src.Info.Has(c) })
	}
	r.pauses = s.pauses()
	r.received, r.sent = has(jtl.ColBytes), has(jtl.ColSentBytes)

	v := view{shard: s, shown: seriesLabels(s.labels), has: has}
	r.listed, v.lines = v.listed(), v.drawn()
	for _, l := range v.lines {
		r.order = append(r.order, l.name)
	}
	r.Graphs = make([]Graph, len(graphs))
	tasks := []func(){
		func() { r.tables(s, opt) },
		func() { r.overTime(s, opt) },
	}
	for i := range graphs {
		tasks = append(tasks, func() { r.Graphs[i] = v.graph(&graphs[i]) })
	}
	together(tasks...)
	for _, c := range s.customs {
		r.Graphs = append(r.Graphs, c.build())
	}
	for i := range r.Graphs {
		if g := &r.Graphs[i]; g.OverTime && !g.Rate {
			for j := range g.Series {
				g.Series[j].Pauses = r.pauses
			}
		}
	}
	r.Overview.Threads = r.threads()
	return r
}

// tables fills what has a line a label.
func (r *Report) tables(s *shard, opt *Options) {
	samples, everything := &totals{newest: s.newest}, new(totals)
	for _, l := range sortedLabels(s.labels) {
		samples.add(&l.parts[sample])
		everything.add(&l.parts[sample])
		everything.add(&l.parts[transaction])
	}
	r.Total = samples.row("Total", opt)
	r.Total.TimeShare = 1
	r.ApdexTotal = ApdexRow{Label: "Total", Score: everything.apdex(opt.Apdex), Thresholds: opt.Apdex}
	r.Errors, r.ErrorsNotListed = s.failures.sorted(), s.failures.notListed
	r.Failures, r.Slowest = s.failures.first, s.slowest.records

	total := Top5{Label: "Total", Samples: r.Total.Samples, Errors: r.Total.Errors}
	errors := make(map[string]*tally)
	var time [2]float64 // of all samples, of all transactions
	for _, l := range sortedLabels(s.labels) {
		own := l.own()
		row := own.row(l.name, opt)
		row.Controller = l.controller
		r.Rows = append(r.Rows, row)
		if row.Samples > 0 {
			time[index(l.controller)] += row.Mean * float64(row.Samples)
			th := opt.thresholds(l.name)
			r.Apdex = append(r.Apdex, ApdexRow{l.name, l.controller, own.apdex(th), th})
		}
		r.addTop5(l, opt, errors)
	}
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Samples > 0 && time[index(row.Controller)] > 0 {
			row.TimeShare = row.Mean * float64(row.Samples) / time[index(row.Controller)]
		}
	}
	slices.SortStableFunc(r.Apdex, func(a, b ApdexRow) int { return cmp.Compare(a.Score, b.Score) })
	total.Top = topErrors(errors)
	r.Top5Total = total
	slices.SortStableFunc(r.Top5, func(a, b Top5) int { return cmp.Compare(b.Errors, a.Errors) })
}

func (r *Report) addTop5(l *label, opt *Options, all map[string]*tally) {
	p := &l.parts[sample]
	line := Top5{Label: l.name, Samples: p.count(), Errors: p.failed.Count()}
	errors := p.errors
	for key, n := range p.errors {
		if all[key] == nil {
			all[key] = new(tally)
		}
		*all[key] += *n
	}
	if opt.TransactionsInTop5 {
		t := &l.parts[transaction]
		line.Samples += t.count()
		line.Errors += t.failed.Count()
		errors = maps.Clone(p.errors)
		if errors == nil {
			errors = make(map[string]*tally)
		}
		for key, n := range t.errors {
			sum := *n
			if errors[key] != nil {
				sum += *errors[key]
			}
			errors[key] = &sum
		}
	}
	if line.Errors > 0 {
		line.Top = topErrors(errors)
		r.Top5 = append(r.Top5, line)
	}
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// threads are those of the overview, nil where they are not known at its intervals.
func (r *Report) threads() []float64 {
	for i := range r.Graphs {
		if g := &r.Graphs[i]; g.ID == activeThreadsID && g.Granularity == r.Granularity && len(g.Series) > 0 {
			return stacked(g.Series, r.Overview.Time, r.pauses, g.Granularity)
		}
	}
	return nil
}

// overTime fills the overview, the heat map and the trends.
func (r *Report) overTime(s *shard, opt *Options) {
	o := Overview{PercentileNames: opt.PercentileNames}
	perSecond := func(n int64) float64 { return float64(n) * 1000 / float64(s.granularity) }
	var whole Counter
	var seen []float64
	for i := range s.seconds.moments.cells {
		m := &s.seconds.moments.cells[i]
		whole.Merge(&m.value.ok)
		whole.Merge(&m.value.failed)
		seen = append(seen, float64(m.at))
	}
	all := new(Counter) // of an interval
	edges := heatEdges(whole.Min(), whole.Max())
	r.HeatMap.Edges = edges
	o.Time = steps(seen, s.granularity)
	rest := s.seconds.moments.cells
	for i, at := range o.Time {
		m := new(moment) // of nothing
		if len(rest) > 0 && rest[0].at == int64(at) {
			m, rest = &rest[0].value, rest[1:]
		}
		all.reset()
		all.Merge(&m.ok)
		all.Merge(&m.failed)
		part := 1.0
		if opt.autoGranularity() {
			part = s.edge(int64(at), s.granularity)
		}
		o.OK = append(o.OK, perSecond(m.ok.Count())*part)
		o.Failed = append(o.Failed, perSecond(m.failed.Count())*part)
		var values ranked = all
		if edge := i == 0 || i == len(o.Time)-1; edge && all.Count()*int64(len(o.Time)) < whole.Count()/5 {
			values = new(Counter) // an interval that hardly belongs to the run
		}
		o.Median = append(o.Median, opt.Estimator.Percentile(50, values))
		for j, q := range opt.Percentiles {
			o.Percentiles[j] = append(o.Percentiles[j], opt.Estimator.Percentile(q, values))
		}
		row, n := 0, int64(0)
		for value, k := range all.All {
			for row+1 < len(edges) && float64(value) >= edges[row+1] {
				if n > 0 {
					r.HeatMap.Cells = append(r.HeatMap.Cells, [3]int64{int64(i), int64(row), n})
				}
				row, n = row+1, 0
			}
			n += k
		}
		if n > 0 {
			r.HeatMap.Cells = append(r.HeatMap.Cells, [3]int64{int64(i), int64(row), n})
		}
	}
	r.Overview = o
	r.Trends = make(map[string][]float64)
	for _, l := range s.labels {
		if l.excluded || !r.lists(l.name) {
			continue
		}
		trend := make([]float64, len(o.Time))
		cells := cellsOf([]*part{&l.parts[sample], &l.parts[transaction]}, s.granularity)
		for i, at := range o.Time {
			for len(cells) > 0 && cells[0].at < int64(at) {
				cells = cells[1:] // transactions alone ended then
			}
			trend[i] = math.NaN()
			if len(cells) > 0 && cells[0].at == int64(at) {
				trend[i] = cells[0].value.mean(cells[0].value.elapsed)
			}
		}
		r.Trends[l.name] = trend
	}
}

// stacked is the sum of series at the given places, NaN where none says anything. A
// series that says nothing where others do has the value on the line between its
// neighbours, and 0 outside and in a pause.
func stacked(series []Series, at []float64, pauses []Pause, step int64) []float64 {
	sum, told := make([]float64, len(at)), make([]bool, len(at))
	for _, s := range series {
		j := 0
		for i, x := range at {
			for j < len(s.X) && s.X[j] < x {
				j++
			}
			switch {
			case j == len(s.X):
			case s.X[j] == x:
				sum[i] += s.Y[j]
				told[i] = true
			case j > 0 && !paused(pauses, s.X[j-1], s.X[j], step):
				sum[i] += s.Y[j-1] + (s.Y[j]-s.Y[j-1])*(x-s.X[j-1])/(s.X[j]-s.X[j-1])
			}
		}
	}
	for i := range sum {
		if !told[i] {
			sum[i] = math.NaN()
		}
	}
	return sum
}

// heatEdges cuts response times into steps of about a fifth of a decade.
func heatEdges(lowest, highest int64) []float64 {
	var edges []float64
	if lowest < 1 {
		edges = append(edges, 0)
	}
	from := math.Floor(math.Log10(math.Max(1, float64(lowest))) * 5)
	for i := from; ; i++ {
		edge := math.Round(math.Pow(10, i/5))
		if len(edges) > 0 && edge > float64(max(highest, 1)) || len(edges) > 60 {
			return edges
		}
		if len(edges) == 0 || edge > edges[len(edges)-1] {
			edges = append(edges, edge)
		}
	}
}
