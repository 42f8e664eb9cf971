package htmlreport

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/go-analyze/charts/chartdraw"
	"github.com/go-analyze/charts/chartdraw/drawing"
)

// Drawing says how a graph is drawn without a browser.
type Drawing struct {
	Width, Height int            // pixels; 0 is 800 by 600
	Location      *time.Location // of the clock on a time axis; nil is the local one
	// Relative counts time from the first point on.
	Relative bool
	// MaxY ends the y axis; 0 leaves it to the values.
	MaxY float64
	// Dark takes the colours of the page's dark theme.
	Dark bool
}

// SVG draws the graph as an SVG document.
func (g *Graph) SVG(d Drawing) ([]byte, error) { return g.draw(d, chartdraw.SVG) }

// PNG draws the graph as a PNG image. Its font has Latin, Greek and Cyrillic
// letters; SVG leaves others to the viewer.
func (g *Graph) PNG(d Drawing) ([]byte, error) { return g.draw(d, chartdraw.PNG) }

// A palette are the colours of a drawing, those of the page in a theme.
type palette struct {
	series                         []drawing.Color
	fail, ink, faint, rule, ground drawing.Color
}

var (
	lightPalette = palette{
		series: hexes("2b6fd6", "d98200", "0f9484", "8354d1", "5d8a1f", "b3428f", "0a95c9", "8c6239", "5a6b85", "a29300"),
		fail:   hex("c4242b"), ink: hex("18202c"), faint: hex("5b6675"), rule: hex("dfe4eb"), ground: hex("ffffff"),
	}
	darkPalette = palette{
		series: hexes("6ea8ff", "ffb04d", "3fd0bd", "b794ff", "a3d15c", "f28bd0", "5fd0ff", "d3a878", "9fb2cf", "e6da4b"),
		fail:   hex("ff7f78"), ink: hex("e7ecf3"), faint: hex("a0adbe"), rule: hex("2a3543"), ground: hex("161d27"),
	}
)

func hexes(all ...string) (colors []drawing.Color) {
	for _, s := range all {
		colors = append(colors, hex(s))
	}
	return colors
}

func hex(s string) drawing.Color { return drawing.ColorFromHex(s) }

const (
	drawnFont    = 9.0
	legendHeight = 16
	legendWidth  = 230  // of an entry, at least
	legendShare  = 0.35 // of the height, at most; series beyond are not drawn
)

// drawn is a series ready to draw.
type drawn struct {
	name   string // "" stands in no legend
	color  drawing.Color
	large  bool
	x, y   []float64
	base   []float64 // what a stacked area stands on
	pauses []Pause
}

// sketch is a drawing in the making.
type sketch struct {
	Drawing
	palette
	g                        *Graph
	r                        chartdraw.Renderer
	series                   []drawn
	more                     int
	left, top, right, bottom int // of the area with the data
	x0, x1, y0, y1           float64
}

func (g *Graph) draw(d Drawing, provider chartdraw.RendererProvider) ([]byte, error) {
	if d.Width <= 0 {
		d.Width = 800
	}
	if d.Height <= 0 {
		d.Height = 600
	}
	if d.Width > 10_000 || d.Height > 10_000 {
		return nil, fmt.Errorf("a drawing of %d by %d pixels is too large", d.Width, d.Height)
	}
	if d.Location == nil {
		d.Location = time.Local
	}
	s := &sketch{Drawing: d, palette: lightPalette, g: g, r: provider(d.Width, d.Height)}
	if d.Dark {
		s.palette = darkPalette
	}
	s.r.SetDPI(drawing.DefaultDPI)
	s.r.SetFont(chartdraw.GetDefaultFont())
	s.take()
	s.extent()
	s.frame()
	for i := range s.series {
		switch g.Kind {
		case Stacked:
			s.area(&s.series[len(s.series)-1-i])
		case Bars:
			s.bars(&s.series[i], i)
		case Points:
			s.points(&s.series[i])
		default:
			s.line(&s.series[i])
		}
	}
	s.legend()
	var b bytes.Buffer
	if err := s.r.Save(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// take picks the series that there is room for and thins them as the page does.
func (s *sketch) take() {
	g := *s.g
	room := max(4, s.columns()*int(float64(s.Height)*legendShare/legendHeight))
	g.Series = nil
	var colors []drawing.Color
	byLabel := make(map[string]drawing.Color)
	listed := 0
	all := slices.Clone(s.g.Series) // those that sum up another after it
	slices.SortStableFunc(all, func(a, b Series) int { return index(a.Aggregated) - index(b.Aggregated) })
	for _, of := range all {
		c, ok := byLabel[of.Label]
		switch {
		case of.Aggregated && !ok: // that of a label which is left out
			continue
		case of.Aggregated:
		case listed < room-1 || len(s.g.Series) <= room:
			if !ok || of.Label == "" {
				c = s.palette.series[len(byLabel)%len(s.palette.series)]
				if of.Label == "" {
					c = s.palette.series[listed%len(s.palette.series)]
				}
			}
			byLabel[of.Label] = c
			listed++
		default:
			s.more++
			continue
		}
		g.Series, colors = append(g.Series, of), append(colors, c)
	}
	data, _ := g.chart(nil)
	var base []float64
	for i, of := range data.Series {
		one := drawn{name: of.Name, color: colors[i], pauses: g.Series[i].Pauses}
		switch {
		case of.Failure:
			one.color = s.fail
		case of.Aggregated:
			one.name, one.large = "", true
		}
		x := data.X
		if of.X != nil {
			x = of.X
		}
		for j, y := range of.Y {
			if g.Kind == Stacked && math.IsNaN(y) {
				y = 0
			}
			if !math.IsNaN(y) && !math.IsInf(y, 0) {
				one.x, one.y = append(one.x, (*x)[j]), append(one.y, y)
			}
		}
		if g.Kind == Stacked && data.X != nil {
			one.base = slices.Clone(base)
			if base == nil {
				base = make([]float64, len(one.y))
				one.base = make([]float64, len(one.y))
			}
			for j := range one.y {
				one.y[j] += base[j]
			}
			base = one.y
		}
		s.series = append(s.series, one)
	}
}

// extent finds what the axes must span.
func (s *sketch) extent() {
	s.x0, s.x1 = math.Inf(1), math.Inf(-1)
	for _, of := range s.series {
		for i, x := range of.x {
			s.x0, s.x1 = min(s.x0, x), max(s.x1, x)
			s.y0, s.y1 = min(s.y0, of.y[i]), max(s.y1, of.y[i])
		}
	}
	switch {
	case s.x0 > s.x1:
		s.x0, s.x1 = 0, 1
	case s.g.Kind == Bars:
		s.x1 += s.barWidth()
	case s.x0 == s.x1:
		around := 1.0
		if s.g.OverTime {
			around = float64(max(1000, s.g.Granularity))
		}
		s.x0, s.x1 = s.x0-around, s.x1+around
	}
	if s.MaxY > 0 {
		s.y1 = s.MaxY
	}
	if s.y1 <= s.y0 {
		s.y1 = s.y0 + 1
	}
}

func (s *sketch) barWidth() float64 {
	if s.g.Granularity > 0 {
		return float64(s.g.Granularity)
	}
	return 1
}

func (s *sketch) px(x float64) int {
	return s.left + int(math.Round((x-s.x0)/(s.x1-s.x0)*float64(s.right-s.left)))
}

func (s *sketch) py(y float64) int {
	y = min(max(y, s.y0), s.y1)
	return s.bottom - int(math.Round((y-s.y0)/(s.y1-s.y0)*float64(s.bottom-s.top)))
}

// frame draws title, axes and rules, and leaves room for the legend.
func (s *sketch) frame() {
	s.rect(0, 0, s.Width, s.Height, s.ground)
	title := 12.0
	if s.Width < 500 {
		title = 10
	}
	s.text(s.fit(s.g.Title, int(float64(s.Width-24)*drawnFont/title)), s.Width/2, 24, title, s.ink, middle)

	step := niceStep(s.y1-s.y0, 8)
	if s.MaxY <= 0 {
		s.y1 = math.Ceil(s.y1/step-1e-9) * step
	}
	s.y0 = math.Floor(s.y0/step+1e-9) * step
	widest := 0
	for y := s.y0; y <= s.y1+step/1e6; y += step {
		widest = max(widest, s.width(figures(round(y, step))))
	}
	s.left, s.top, s.right = widest+18, 54, s.Width-18
	s.bottom = max(s.top+40, s.Height-46-s.legendRows()*legendHeight)
	s.text(s.g.YAxis, 8, 44, drawnFont, s.faint, start)
	for y := s.y0; y <= s.y1+step/1e6; y += step {
		at := s.py(y)
		s.stroke([]int{s.left, s.right}, []int{at, at}, 1, s.rule)
		s.text(figures(round(y, step)), s.left-6, at+4, drawnFont, s.faint, end)
	}
	s.xAxis()
}

// round takes away what adding steps up has left behind.
func round(v, step float64) float64 { return math.Round(v/step) * step }

func (s *sketch) xAxis() {
	name := s.g.XAxis
	if s.g.OverTime {
		name = ""
	}
	s.text(name, (s.left+s.right)/2, s.bottom+34, drawnFont, s.faint, middle)
	if s.g.ID == overviewID { // its legend names the bars
		return
	}
	wanted := max(2, (s.right-s.left)/90)
	step, from, label := niceStep(s.x1-s.x0, wanted), 0.0, figures
	switch {
	case s.g.OverTime && s.Relative:
		step, from, label = timeStep(s.x1-s.x0, wanted), s.x0, func(x float64) string { return span(int64(x - s.x0)) }
	case s.g.OverTime:
		step = timeStep(s.x1-s.x0, wanted)
		_, offset := time.UnixMilli(int64(s.x0)).In(s.Location).Zone()
		from = -float64(offset) * 1000
		layout := "15:04:05"
		if step >= 60_000 {
			layout = "15:04"
		}
		if s.x1-s.x0 >= 86_400_000 {
			layout = "Jan 2 " + layout
		}
		label = func(x float64) string { return time.UnixMilli(int64(x)).In(s.Location).Format(layout) }
	case s.g.ID == "ResponseTimesPercentiles": // counted in tenths
		label = func(x float64) string { return figures(x / 10) }
	}
	for x := from + math.Ceil((s.x0-from)/step)*step; x <= s.x1; x += step {
		at := s.px(x)
		s.stroke([]int{at, at}, []int{s.bottom, s.bottom + 4}, 1, s.faint)
		text := label(x)
		half := s.width(text) / 2
		s.text(text, min(max(at, half+2), s.Width-half-2), s.bottom+18, drawnFont, s.faint, middle)
	}
}

// niceStep is 1, 2 or 5 times a power of ten, so that no more than n of it make
// the length.
func niceStep(length float64, n int) float64 {
	step := math.Pow(10, math.Floor(math.Log10(length/float64(n))))
	for _, k := range []float64{1, 2, 5, 10} {
		if length/(step*k) <= float64(n) {
			return step * k
		}
	}
	return step * 10
}

func timeStep(length float64, n int) float64 {
	for _, ms := range []float64{1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000,
		7_200_000, 10_800_000, 21_600_000, 43_200_000} {
		if length/ms <= float64(n) {
			return ms
		}
	}
	return 86_400_000 * math.Ceil(length/86_400_000/float64(n))
}

func (s *sketch) line(of *drawn) {
	if len(of.x) == 1 {
		s.points(of)
		return
	}
	for from, to := range pieces(of.x, of.pauses, s.g.Granularity) {
		if to-from == 1 {
			s.dot(of.x[from], of.y[from], 2, of.color)
			continue
		}
		xs, ys := s.place(of.x[from:to], of.y[from:to])
		s.stroke(xs, ys, 1.6, of.color)
	}
}

func (s *sketch) points(of *drawn) {
	radius := 2.5
	if of.large {
		radius = 4
	}
	for i, x := range of.x {
		s.dot(x, of.y[i], radius, of.color)
	}
}

func (s *sketch) area(of *drawn) {
	if len(of.base) != len(of.x) { // too many places to add up
		s.line(of)
		return
	}
	for from, to := range pieces(of.x, of.pauses, s.g.Granularity) {
		xs, ys := s.place(of.x[from:to], of.y[from:to])
		for i := to - 1; i >= from; i-- {
			xs, ys = append(xs, s.px(of.x[i])), append(ys, s.py(of.base[i]))
		}
		s.fill(xs, ys, of.color.WithAlpha(150))
	}
	s.line(of)
}

// bars stand side by side where series share a place.
func (s *sketch) bars(of *drawn, i int) {
	width := s.barWidth()
	n := len(s.series)
	if n > 8 || s.g.ID == overviewID {
		i, n = 0, 1
	}
	for j, x := range of.x {
		from := s.px(x + width*float64(i)/float64(n))
		to := max(from+1, s.px(x+width*float64(i+1)/float64(n))-1)
		s.rect(from, s.py(of.y[j]), to, s.py(0), of.color.WithAlpha(200))
	}
}

func (s *sketch) place(x, y []float64) (xs, ys []int) {
	for i := range x {
		xs, ys = append(xs, s.px(x[i])), append(ys, s.py(y[i]))
	}
	return xs, ys
}

func (s *sketch) columns() int { return max(1, (s.Width-24)/legendWidth) }

// entry is a line of the legend.
type entry struct {
	name  string
	color *drawing.Color
}

func (s *sketch) entries() []entry {
	var all []entry
	for i := range s.series {
		if of := &s.series[i]; of.name != "" {
			all = append(all, entry{of.name, &of.color})
		}
	}
	if s.more > 0 {
		all = append(all, entry{name: "and " + strconv.Itoa(s.more) + " more"})
	}
	return all
}

func (s *sketch) legendRows() int {
	n := len(s.entries())
	return (n + s.columns() - 1) / s.columns()
}

func (s *sketch) legend() {
	cols := s.columns()
	width := (s.Width - 24) / cols
	for i, e := range s.entries() {
		x, y := 14+i%cols*width, s.bottom+46+i/cols*legendHeight
		if e.color != nil {
			s.rect(x, y, x+10, y+10, *e.color)
		}
		s.text(s.fit(named(e.name), width-26), x+16, y+9, drawnFont, s.ink, start)
	}
}

// fit shortens a text to so many pixels.
func (s *sketch) fit(text string, width int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > 200 {
		runes = runes[:200]
	}
	s.r.SetFontSize(drawnFont)
	if s.width(string(runes)) <= width {
		return string(runes)
	}
	n := sort.Search(len(runes), func(n int) bool { return s.width(string(runes[:n])+"…") > width })
	return string(runes[:max(n-1, 1)]) + "…"
}

// align is where a text has its given place.
type align uint8

const (
	start align = iota
	middle
	end
)

func (s *sketch) width(text string) int {
	s.r.SetFontSize(drawnFont)
	box := s.r.MeasureText(text)
	return box.Width()
}

func (s *sketch) text(text string, x, y int, size float64, c drawing.Color, a align) {
	if text == "" {
		return
	}
	s.r.SetFontColor(c)
	s.r.SetFontSize(size)
	box := s.r.MeasureText(text)
	switch a {
	case middle:
		x -= box.Width() / 2
	case end:
		x -= box.Width()
	}
	s.r.Text(text, x, y)
}

func (s *sketch) path(xs, ys []int) {
	s.r.MoveTo(xs[0], ys[0])
	for i := 1; i < len(xs); i++ {
		s.r.LineTo(xs[i], ys[i])
	}
}

func (s *sketch) stroke(xs, ys []int, width float64, c drawing.Color) {
	if len(xs) < 2 {
		return
	}
	s.r.SetStrokeColor(c)
	s.r.SetStrokeWidth(width)
	s.r.SetFillColor(drawing.ColorTransparent)
	s.path(xs, ys)
	s.r.Stroke()
}

func (s *sketch) fill(xs, ys []int, c drawing.Color) {
	if len(xs) < 3 {
		return
	}
	s.r.SetStrokeColor(drawing.ColorTransparent)
	s.r.SetStrokeWidth(0)
	s.r.SetFillColor(c)
	s.path(xs, ys)
	s.r.Close()
	s.r.Fill()
}

func (s *sketch) rect(x0, y0, x1, y1 int, c drawing.Color) {
	s.fill([]int{x0, x1, x1, x0}, []int{y0, y0, y1, y1}, c)
}

func (s *sketch) dot(x, y, radius float64, c drawing.Color) {
	s.r.SetStrokeColor(drawing.ColorTransparent)
	s.r.SetStrokeWidth(0)
	s.r.SetFillColor(c)
	s.r.Circle(radius, s.px(x), s.py(y))
	s.r.Fill()
}
