package htmlreport

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// What the page's script draws from. Series of one graph that share their x
// values say them once; numbers have at most six figures.

type chartData struct {
	ID        string         `json:"id"`
	Kind      string         `json:"kind"`
	OverTime  bool           `json:"time,omitempty"`
	Option    map[string]any `json:"option"`
	X         *numbers       `json:"x,omitempty"`
	Series    []seriesData   `json:"series"`
	HeatEdges *numbers       `json:"edges,omitempty"`
	Step      int64          `json:"step,omitempty"` // of time or of bars
}

type seriesData struct {
	Name       string   `json:"n"`
	Label      *int     `json:"l,omitempty"` // index of the label
	Failure    bool     `json:"f,omitempty"`
	Aggregated bool     `json:"a,omitempty"`
	Rate       bool     `json:"r,omitempty"` // has zeros where others have pauses
	X          *numbers `json:"x,omitempty"`
	Y          numbers  `json:"y"`
}

type numbers []float64

func (n numbers) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 7*len(n)+2), '[')
	for i, v := range n {
		if i > 0 {
			out = append(out, ',')
		}
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			out = append(out, "null"...)
		case v == math.Trunc(v) && math.Abs(v) < 1e15:
			out = strconv.AppendInt(out, int64(v), 10)
		default:
			out = strconv.AppendFloat(out, v, 'g', 6, 64)
		}
	}
	return append(out, ']'), nil
}

const (
	// maxShared is how many x values the series of a graph may share; beyond,
	// each series is thinned on its own.
	maxShared = 1500
	// maxChartPoints is for all series of a graph together.
	maxChartPoints = 60_000
)

// chart makes the data of one graph; thinned tells whether points were left out.
func (g *Graph) chart(labels map[string]int) (data chartData, thinned bool) {
	data = chartData{ID: g.ID, Kind: [...]string{"line", "stack", "points", "bars"}[g.Kind], OverTime: g.OverTime,
		Option: g.option(), Step: g.Granularity}
	points := 0
	for _, s := range g.Series {
		points += len(s.X)
	}
	all := make([]float64, 0, min(points, 51*maxShared))
	for _, s := range g.Series {
		if !s.Aggregated && len(all) <= 50*maxShared {
			all = append(all, s.X...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	missing := math.NaN()
	if g.Rate {
		all, missing = steps(all, g.Granularity), 0
	}
	shared := g.OverTime && len(all) <= maxShared
	if shared {
		x := numbers(all)
		data.X = &x
	}
	most := max(40, min(1000, maxChartPoints/max(1, len(g.Series))))
	for _, s := range g.Series {
		d := seriesData{Name: cmp.Or(g.Content, s.Name), Failure: s.Failure, Aggregated: s.Aggregated, Rate: g.Rate}
		if i, ok := labels[s.Label]; ok && s.Label != "" {
			d.Label = &i
		}
		if shared {
			d.Y = make(numbers, len(all))
			j := 0
			for i, x := range all {
				d.Y[i] = missing
				if j < len(s.X) && s.X[j] == x {
					d.Y[i] = s.Y[j]
					j++
				}
			}
		} else {
			xs, ys := s.X, s.Y
			if g.Rate && g.OverTime {
				xs, ys = withZeros(xs, ys, g.Granularity)
			}
			if g.Kind != Bars {
				xs, ys = withoutRuns(xs, ys, s.Pauses, g.Granularity)
			}
			if len(xs) > most && g.Kind != Bars {
				xs, ys = thin(xs, ys, most)
				thinned = true
			}
			x := numbers(xs)
			d.X, d.Y = &x, numbers(ys)
		}
		data.Series = append(data.Series, d)
	}
	return data, thinned
}

// withoutRuns drops points between two others of the same y: the line through
// the rest is the same. It has ends at pauses.
func withoutRuns(x, y []float64, pauses []Pause, step int64) (xs, ys []float64) {
	for from, to := range pieces(x, pauses, step) {
		for i := from; i < to; i++ {
			if i > from && i+1 < to && y[i-1] == y[i] && y[i] == y[i+1] {
				continue
			}
			xs, ys = append(xs, x[i]), append(ys, y[i])
		}
	}
	return xs, ys
}

// thin leaves about most points: of each of equal steps of x the first, the
// lowest, the highest and the last, so that no extreme is lost.
func thin(x, y []float64, most int) (xs, ys []float64) {
	steps := max(1, most/4)
	width := (x[len(x)-1] - x[0]) / float64(steps)
	for from := 0; from < len(x); {
		edge := x[0] + width*(math.Floor((x[from]-x[0])/width)+1)
		to := from + 1
		for to < len(x) && x[to] < edge {
			to++
		}
		lowest, highest := from, from
		for i := from; i < to; i++ {
			if y[i] < y[lowest] {
				lowest = i
			}
			if y[i] > y[highest] {
				highest = i
			}
		}
		keep := []int{from, lowest, highest, to - 1}
		slices.Sort(keep)
		for _, i := range slices.Compact(keep) {
			xs, ys = append(xs, x[i]), append(ys, y[i])
		}
		from = to
	}
	return xs, ys
}

// option is the part of a chart's options that follows from what it shows; the
// page's script adds series, colours and the writing of numbers.
func (g *Graph) option() map[string]any {
	x := opts.XAxis{Name: g.XAxis, Type: "value"}
	switch {
	case g.OverTime:
		x.Name, x.Type = "", "time"
	case g.ID == overviewID:
		x.Type = "category"
	}
	y := opts.YAxis{Name: g.YAxis, Type: "value"}
	limit := func(into *any, v *float64) {
		if v != nil {
			*into = *v
		}
	}
	limit(&x.Min, g.Options.MinX)
	limit(&x.Max, g.Options.MaxX)
	limit(&y.Min, g.Options.MinY)
	limit(&y.Max, g.Options.MaxY)
	return baseOption(x, y)
}

func baseOption(x opts.XAxis, y opts.YAxis) map[string]any {
	c := charts.NewLine()
	c.SetGlobalOptions(
		charts.WithAnimation(false),
		charts.WithXAxisOpts(x),
		charts.WithYAxisOpts(y),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "axis"}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithGridOpts(opts.Grid{Left: "8", Right: "16", Top: "34", Bottom: "8", ContainLabel: opts.Bool(true)}),
	)
	c.Validate()
	option := c.JSON()
	for _, unused := range []string{"series", "color", "title", "toolbox"} {
		delete(option, unused)
	}
	return option
}

// charts are all that the page draws, the overview and the heat map first.
func (r *Report) charts() (all []chartData, thinned map[string]bool) {
	labels := make(map[string]int)
	for i, name := range r.order {
		labels[name] = i
	}
	all = append(all, r.Overview.chart(r.Granularity), r.heatMapChart())
	thinned = make(map[string]bool)
	for i := range r.Generator.Graphs {
		data, _ := r.Generator.Graphs[i].chart(nil)
		all = append(all, data)
	}
	datas, less := make([]chartData, len(r.Graphs)), make([]bool, len(r.Graphs))
	var tasks []func()
	for i := range r.Graphs {
		if g := &r.Graphs[i]; g.Absent == "" && len(g.Series) > 0 {
			tasks = append(tasks, func() { datas[i], less[i] = g.shown(&r.Options).chart(labels) })
		}
	}
	together(tasks...)
	for i := range datas {
		if len(datas[i].Series) > 0 {
			thinned[r.Graphs[i].ID] = less[i]
			all = append(all, datas[i])
		}
	}
	return all, thinned
}

// shown is the graph with the series that the display filters let through
// (manual, "Generating Dashboard Report", series_filter and its two flags).
func (g *Graph) shown(o *Options) *Graph {
	if o.SeriesFilter == nil && !o.OnlyControllers {
		return g
	}
	out := *g
	out.Series = nil
	for _, s := range g.Series {
		passes := o.SeriesFilter.Matches(s.Name) || o.OnlySamples && !g.Discriminates || g.ID == "totalTPS"
		if passes && (!o.OnlyControllers || !g.Discriminates || s.Controller) {
			out.Series = append(out.Series, s)
		}
	}
	return &out
}

// showsRow is the same for the lines of tables that tell transactions apart.
func (o *Options) showsRow(label string, controller bool) bool {
	return o.SeriesFilter.Matches(label) && (!o.OnlyControllers || controller)
}

func (o *Overview) chart(step int64) chartData {
	x := numbers(o.Time)
	d := chartData{ID: "glance", Kind: "glance", OverTime: true, X: &x, Step: step,
		Option: baseOption(opts.XAxis{Type: "time"}, opts.YAxis{Type: "value"})}
	d.Series = append(d.Series,
		seriesData{Name: "Successful per second", Y: o.OK, Rate: true},
		seriesData{Name: "Failed per second", Y: o.Failed, Failure: true, Rate: true},
		seriesData{Name: "Median", Y: o.Median})
	for i, p := range o.Percentiles {
		d.Series = append(d.Series, seriesData{Name: o.PercentileNames[i] + "th pct", Y: p})
	}
	if o.Threads != nil {
		d.Series = append(d.Series, seriesData{Name: "Active threads", Y: o.Threads})
	}
	return d
}

func (r *Report) heatMapChart() chartData {
	edges, x := numbers(r.HeatMap.Edges), numbers(r.Overview.Time)
	d := chartData{ID: "responseTimeHeatMap", Kind: "heat", OverTime: true, X: &x, HeatEdges: &edges, Step: r.Granularity,
		Option: baseOption(opts.XAxis{Type: "time"}, opts.YAxis{Name: "Response time in ms", Type: "value"})}
	flat := make(numbers, 0, 3*len(r.HeatMap.Cells))
	for _, c := range r.HeatMap.Cells {
		flat = append(flat, float64(c[0]), float64(c[1]), float64(c[2]))
	}
	d.Series = []seriesData{{Name: "Samples", Y: flat}}
	return d
}

// pageData is what the page's script starts from.
type pageData struct {
	Labels []string    `json:"labels"`
	Charts []chartData `json:"-"` // comes last
	Begin  int64       `json:"begin"`
	Pauses []Pause     `json:"pauses,omitempty"`
	// Offset is the distance from UTC, in minutes, of the file's zone.
	Offset int `json:"offset"`
}

// json is the whole for the page; its charts are written by all processors.
func (d *pageData) json() ([]byte, error) {
	charts, errs := make([][]byte, len(d.Charts)), make([]error, len(d.Charts)+1)
	var tasks []func()
	for i := range d.Charts {
		tasks = append(tasks, func() { charts[i], errs[i] = json.Marshal(d.Charts[i]) })
	}
	together(tasks...)
	out, err := json.Marshal(d)
	errs[len(d.Charts)] = err
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	out = append(out[:len(out)-1], `,"charts":[`...)
	out = append(out, bytes.Join(charts, []byte{','})...)
	return append(out, "]}"...), nil
}
