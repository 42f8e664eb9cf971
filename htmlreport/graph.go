package htmlreport

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gojm/gojm/jtl"
)

// Series is a named line, or set of points or bars. X ascends; over time it is
// epoch ms.
type Series struct {
	Name string
	// Label is the label that the series tells of, "" when it tells of all.
	Label string
	// Controller says that the label is that of a transaction.
	Controller bool
	// Failure says that it counts failed samples.
	Failure bool
	// Aggregated series are one point that sums up another one.
	Aggregated bool
	X, Y       []float64
	// Pauses break a line over time.
	Pauses []Pause
}

// room makes room for n points.
func (s *Series) room(n int) {
	s.X, s.Y = make([]float64, 0, n), make([]float64, 0, n)
}

func (s *Series) point(x, y float64) {
	s.X = append(s.X, x)
	s.Y = append(s.Y, y)
}

// Graph is one of the report's graphs, under JMeter's id and name.
type Graph struct {
	ID, Title    string
	Page         string // JMeter's page: "Over Time", "Throughput", "Response Times" or "Customs Graphs"
	XAxis, YAxis string
	Kind         GraphKind
	OverTime     bool  // X is time
	Granularity  int64 // ms, of time or of elapsed; 0 where there is none
	Rate         bool  // Y counts something by time: an interval without a point is 0
	// Discriminates says that series know whether they are transactions'.
	Discriminates bool
	Series        []Series
	// Content is what a value of a custom graph is called where it is pointed at.
	Content string
	// Absent says why there is nothing to draw: the file lacks a column.
	Absent  string
	Options GraphOptions
}

// GraphKind is how a graph is drawn.
type GraphKind uint8

// The kinds of graphs.
const (
	Lines GraphKind = iota
	Stacked
	Points
	Bars
)

// spec declares a graph. Property names are made of its id.
type spec struct {
	id, title, page string
	x, y            string
	kind            GraphKind
	overTime        bool
	rate            bool
	discriminates   bool
	// excludes is JMeter's default of exclude_controllers. Graphs that count samples
	// count transactions as none also where they are not excluded: there is a point,
	// if of 0.
	excludes, countsSamples bool
	// needs is a column without which the graph would be a lie.
	needs jtl.Column
	// granularity is a fixed interval, in ms; 0 is that of all graphs over time.
	granularity int64
	series      func(v *view) []Series
}

// graphs are JMeter's, in the order of its menu.
var graphs = slices.Concat(overTimeGraphs, throughputGraphs, responseTimeGraphs)

// view is what a graph may see of a finished aggregation.
type view struct {
	*shard
	shown       []*label // with one entry for all blank labels, longest total time first
	lines       []*label // those of them that have lines of their own
	kinds       []kind   // what counts
	none        []kind   // what counts as none
	granularity int64
	has         func(jtl.Column) bool
}

// names of series; JMeter has one for blank labels.
func seriesName(label string) string {
	if strings.TrimSpace(label) == "" {
		return emptySeries
	}
	return label
}

// seriesLabels are the labels as graphs show them.
func seriesLabels(labels map[string]*label) []*label {
	byName := make(map[string]*label)
	for _, l := range sortedLabels(labels) {
		name := seriesName(l.name)
		mine := byName[name]
		if mine == nil {
			if name != l.name {
				l = &label{name: name, first: l.first, controller: l.controller, outcomes: l.outcomes, parts: *cloneParts(l)}
			}
			byName[name] = l
			continue
		}
		for k := range l.parts {
			mine.parts[k].merge(&cloneParts(l)[k])
		}
		if l.first.before(mine.first) {
			mine.first, mine.controller = l.first, l.controller
		}
		for i := range l.outcomes {
			mine.outcomes[i].merge(l.outcomes[i])
		}
	}
	return slices.SortedFunc(maps.Values(byName), func(a, b *label) int {
		return cmp.Or(cmp.Compare(b.totalTime(), a.totalTime()), a.first.compare(b.first))
	})
}

func cloneParts(l *label) *[numKinds]part {
	var parts [numKinds]part
	for k := range parts {
		parts[k].mergeCopy(&l.parts[k])
	}
	return &parts
}

// sortedLabels are those that count, by name.
func sortedLabels(labels map[string]*label) []*label {
	var list []*label
	for _, l := range labels {
		if !l.excluded {
			list = append(list, l)
		}
	}
	slices.SortFunc(list, func(a, b *label) int { return cmp.Compare(a.name, b.name) })
	return list
}

func (l *label) totalTime() int64 {
	var sum int64
	for k := range l.parts {
		sum += l.parts[k].ok.Sum() + l.parts[k].failed.Sum()
	}
	return sum
}

// counted are the label's parts that count, and whether there are rows of them
// (those of empty transactions too, for they make a series exist).
func (v *view) counted(l *label) (parts []*part, any bool) {
	for _, k := range v.kinds {
		p := &l.parts[k]
		parts = append(parts, p)
		any = any || p.count() > 0
		if k == transaction {
			any = any || l.parts[empty].count() > 0
		}
	}
	return parts, any
}

// controller tells whether a series, whose first row is one of a transaction or not,
// is that of a transaction: where those are excluded none is.
func (v *view) controller(first bool) bool { return first && slices.Contains(v.kinds, transaction) }

// eachLabel makes one series a label.
func (v *view) eachLabel(fill func(s *Series, l *label, parts []*part)) []Series {
	var all []Series
	for _, l := range v.lines {
		parts, any := v.counted(l)
		if !any {
			continue
		}
		s := Series{Name: l.name, Label: l.name, Controller: v.controller(l.controller)}
		fill(&s, l, parts)
		all = append(all, s)
	}
	return all
}

// cellsOf are the cells of some parts, joined to intervals of a granularity, in
// order. They may be those of a part, and are not to be changed.
func cellsOf(parts []*part, granularity int64) []timed[cell] {
	parts = slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return len(p.overTime.cells) == 0 })
	if len(parts) == 1 && parts[0].overTime.has(granularity) {
		return parts[0].overTime.cells
	}
	var sum timeline[cell, *cell]
	for _, p := range parts {
		sum.mergeFolded(&p.overTime, granularity)
	}
	return sum.inOrder()
}

// cells are those of some parts at the granularity of the graph.
func (v *view) cells(parts []*part) []timed[cell] { return cellsOf(parts, v.granularity) }

// allCells are those of all labels.
func (v *view) allCells() []timed[cell] {
	var parts []*part
	for _, l := range v.shown {
		mine, _ := v.counted(l)
		parts = append(parts, mine...)
	}
	return v.cells(parts)
}

// ascending yields a map in order of its keys.
func ascending[T any](m map[int64]T) func(yield func(int64, T) bool) {
	return func(yield func(int64, T) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// rate is JMeter's: as if rows came during the whole interval, which makes the
// first and the last one look smaller than they were.
func (v *view) rate(n int64) float64 { return float64(n) * 1000 / float64(v.granularity) }

// ofKinds is a timeline of the kinds that count, at the graph's granularity.
func ofKinds[T any, P interface {
	*T
	merge(*T)
}](v *view, b *byKind[T, P]) *timeline[T, P] {
	var sum timeline[T, P]
	for _, k := range v.kinds {
		sum.mergeFolded(&b[k], v.granularity)
	}
	for _, k := range v.none {
		for _, n := range b[k].inOrder() {
			sum.at(bucket(n.at, v.granularity))
		}
	}
	return &sum
}

// graph builds one graph.
func (v view) graph(g *spec) Graph {
	of := v.opt.Graphs[g.id]
	out := Graph{ID: g.id, Title: g.title, Page: g.page, XAxis: g.x, YAxis: g.y, Kind: g.kind, OverTime: g.overTime, Rate: g.rate,
		Discriminates: g.discriminates, Options: of}
	if of.Title != "" {
		out.Title = of.Title
	}
	excludes := g.excludes
	if of.ExcludeControllers != nil {
		excludes = *of.ExcludeControllers
	}
	v.kinds = []kind{sample, transaction}
	if g.countsSamples && !excludes {
		v.none = []kind{transaction, empty}
	}
	if excludes || g.countsSamples {
		v.kinds = v.kinds[:1]
	}
	switch {
	case g.granularity > 0:
		out.Granularity = g.granularity
		if of.Granularity > 0 {
			out.Granularity = of.Granularity
		}
	case g.overTime && of.Granularity > 0:
		out.Granularity = of.Granularity
	case g.overTime && !v.opt.autoGranularity() && v.opt.Granularity == 0:
		out.Granularity = defaultGranularity
	case g.overTime && v.opt.Granularity > 0:
		out.Granularity = v.opt.Granularity
	case g.overTime:
		out.Granularity = v.shard.granularity
	}
	v.granularity = out.Granularity
	if g.needs != jtl.ColTimeStamp && !v.has(g.needs) {
		out.Absent = "The result file has no column " + g.needs.String() + "."
		return out
	}
	out.Series = g.series(&v)
	if out.Rate && out.OverTime && v.opt.autoGranularity() {
		for i := range out.Series {
			v.ownEdges(&out.Series[i])
		}
	}
	return out
}

// edge tells what to multiply a rate with that belongs to the interval at a time:
// more than 1 where the run covers a part of it only, NaN where that is too little
// to tell a rate. JMeter's rates, which are ours where its interval is asked for,
// look low there.
func (s *shard) edge(at, granularity int64) float64 {
	covered := min(at+granularity, s.end) - max(at, s.begin)
	switch {
	case covered <= 0 || covered*leastCovered < granularity:
		if s.end-s.begin < granularity { // there is hardly more to the run
			return 1
		}
		return math.NaN()
	case covered < granularity:
		return float64(granularity) / float64(covered)
	}
	return 1
}

// leastCovered is the part of an interval that a run must cover, one of so many:
// the last samples of a run come in when its load has gone.
const leastCovered = 2

// ownEdges makes the rates of the first and the last interval those of the time
// that the run covers.
func (v *view) ownEdges(s *Series) {
	n := 0
	for i, x := range s.X {
		if f := v.edge(int64(x), v.granularity); !math.IsNaN(f) {
			s.X[n], s.Y[n] = x, s.Y[i]*f
			n++
		}
	}
	s.X, s.Y = s.X[:n], s.Y[:n]
}
