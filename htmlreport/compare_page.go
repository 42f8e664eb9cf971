package htmlreport

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxComparedCurves is how many labels get a curve of their own on the page.
const maxComparedCurves = 12

// Page makes one HTML file of the comparison, without scripts, that needs nothing
// else: both runs drawn above each other, and the table of differences.
func (c *Comparison) Page() ([]byte, error) {
	style, err := pageSource("page.css")
	if err != nil {
		return nil, err
	}
	source, err := pageSource("compare.html")
	if err != nil {
		return nil, err
	}
	t, err := template.New("compare").Funcs(pageFuncs).Funcs(template.FuncMap{
		"signed": signed, "change": Change, "span95": span95, "delta": signedDelta, "tone": tone,
	}).Parse(string(source))
	if err != nil {
		return nil, err
	}
	v, err := c.view()
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := t.Execute(&body, v); err != nil {
		return nil, err
	}
	doc := document{title: v.Title, style: style, body: body.Bytes()}
	return doc.bytes(), nil
}

// compareView is what the template sees.
type compareView struct {
	*Comparison
	Title   string
	Runs    []comparedRun
	All     []*Difference
	Figures []figure
	Notes   []string
}

type comparedRun struct {
	Name, Files string
	Report      *Report
	Start       string
}

func (c *Comparison) view() (*compareView, error) {
	v := &compareView{Comparison: c, Title: "Comparison of two runs", All: c.all(), Notes: c.leftOut()}
	loc := c.A.Options.Location
	if loc == nil {
		loc = time.Local
	}
	for i, r := range []*Report{c.A, c.B} {
		run := comparedRun{Name: "A", Report: r, Start: time.UnixMilli(r.Begin).In(loc).Format("2006-01-02 15:04:05 -07:00")}
		if i == 1 {
			run.Name = "B"
		}
		var names []string
		for _, s := range r.Sources {
			names = append(names, filepath.Base(s.Path))
		}
		run.Files = strings.Join(names, ", ")
		v.Runs = append(v.Runs, run)
		for _, note := range r.notes(loc) {
			v.Notes = append(v.Notes, run.Name+": "+note)
		}
	}
	for i, g := range c.graphs() {
		pictures, err := g.pictures(Drawing{Width: 760, Height: 400, Location: loc, Relative: true})
		if err != nil {
			return nil, err
		}
		v.Figures = append(v.Figures, figure{ID: fmt.Sprintf("graph-%d", i+1), Title: g.Title, Pictures: pictures})
	}
	return v, nil
}

// graphs draw both runs, each from its own beginning.
func (c *Comparison) graphs() []Graph {
	over := func(title, unit string, rate bool, of func(*Overview) []float64) Graph {
		g := Graph{Title: title, YAxis: unit, OverTime: true, Granularity: max(c.A.Granularity, c.B.Granularity)}
		for _, r := range []*Report{c.A, c.B} {
			s := Series{Name: "A"}
			if r == c.B {
				s.Name = "B"
			}
			for _, p := range r.pauses {
				if !rate { // which are 0 there
					s.Pauses = append(s.Pauses, Pause{p[0] - r.Overview.Time[0], p[1] - r.Overview.Time[0]})
				}
			}
			for i, y := range of(&r.Overview) {
				if !math.IsNaN(y) {
					s.point(r.Overview.Time[i]-r.Overview.Time[0], y)
				}
			}
			g.Series = append(g.Series, s)
		}
		return g
	}
	p95 := c.A.Options.PercentileNames[1] + "th percentile"
	all := []Graph{
		curves("All samples: response time by percentile", &c.Total),
		over("Throughput", "Samples per second", true, func(o *Overview) []float64 {
			sum := slices.Clone(o.OK)
			for i, n := range o.Failed {
				sum[i] += n
			}
			return sum
		}),
		over("Median response time", "ms", false, func(o *Overview) []float64 { return o.Median }),
		over(p95+" of response time", "ms", false, func(o *Overview) []float64 { return o.Percentiles[1] }),
		over("Failed samples", "per second", true, func(o *Overview) []float64 { return o.Failed }),
	}
	for i := range c.Rows[:min(len(c.Rows), maxComparedCurves)] {
		if d := &c.Rows[i]; d.judged() {
			all = append(all, curves(named(d.Label)+": response time by percentile", d))
		}
	}
	return all
}

// curves are the times of both runs by percentile.
func curves(title string, d *Difference) Graph {
	g := Graph{Title: plainText(title), XAxis: "Percentile", YAxis: "ms"}
	for i, c := range []*Counter{&d.a, &d.b} {
		s := Series{Name: [2]string{"A", "B"}[i]}
		p, seen := 0.0, int64(0)
		for v, n := range c.All {
			seen += n
			for ; p <= 99.9 && p <= 100*float64(seen)/float64(c.Count()); p += 0.3 {
				s.point(p, float64(v))
			}
		}
		g.Series = append(g.Series, s)
	}
	return g
}

// TimesTone is the colour of what became of the times.
func (d *Difference) TimesTone() string {
	if !d.judged() {
		return ""
	}
	return tone(d.Delta)
}

// tone is the colour of a change of something of which more is worse.
func tone(e Estimate) string {
	switch {
	case !e.Clear():
		return ""
	case e.Value > 0:
		return "bad"
	}
	return "good"
}

// all are the total and the labels.
func (c *Comparison) all() []*Difference {
	all := []*Difference{&c.Total}
	for i := range c.Rows {
		all = append(all, &c.Rows[i])
	}
	return all
}
