package htmlreport

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// writePaused writes a run of two stretches of two minutes, ten samples a second of one
// label and a single sample of another in each, with a pause between them.
func writePaused(t *testing.T, length time.Duration) string {
	t.Helper()
	text := []byte("timeStamp,elapsed,label,responseCode,threadName,success,bytes,sentBytes,grpThreads,allThreads,Latency,Connect\n")
	for stretch := range 2 {
		begin := int64(1_700_000_000_000) + int64(stretch)*(length.Milliseconds()+120_000)
		for i := range 1200 {
			label := "often"
			if i == 600 {
				label = "rarely"
			}
			text = fmt.Appendf(text, "%d,%d,%s,%d,g 1-1,true,100,50,%d,%d,5,1\n", begin+int64(i)*100, 20+i%50, label, 200+stretch, 10+5*stretch, 10+5*stretch)
		}
	}
	file := filepath.Join(t.TempDir(), "run.jtl")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// In a pause of any length rates are 0, times and threads are not told, and the data do
// not grow with it.
func TestPause(t *testing.T) {
	const begin = 1_700_000_000_000.0
	for _, length := range []time.Duration{2 * time.Minute, 20 * time.Minute, 3 * time.Hour, 90 * 24 * time.Hour} {
		t.Run(length.String(), func(t *testing.T) {
			r, err := Read([]string{writePaused(t, length)}, DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			from, to := begin+120_000, begin+120_000+float64(length.Milliseconds())
			if len(r.pauses) != 1 || math.Abs(r.pauses[0][0]-from) > 2*float64(r.Granularity) || math.Abs(r.pauses[0][1]-to) > 2*float64(r.Granularity) {
				t.Fatalf("pauses %v, want %v to %v", r.pauses, from, to)
			}
			inside := func(x float64) bool { return x >= r.pauses[0][0] && x < r.pauses[0][1] }
			o := r.Overview
			told := 0
			for i, x := range o.Time {
				if !inside(x) {
					continue
				}
				told++
				if o.OK[i] != 0 || o.Failed[i] != 0 || !math.IsNaN(o.Median[i]) || !math.IsNaN(o.Threads[i]) {
					t.Errorf("at %v: %v and %v a second, median %v, %v threads", x, o.OK[i], o.Failed[i], o.Median[i], o.Threads[i])
				}
			}
			if told < 2 || len(o.Time) > maxShared+2 {
				t.Errorf("%d of %d places in the pause", told, len(o.Time))
			}
			all, _ := r.charts()
			for _, c := range all {
				if !c.OverTime || c.Kind == "heat" || c.Kind == "glance" {
					continue
				}
				for _, s := range c.Series {
					x := c.X
					if s.X != nil {
						x = s.X
					}
					zeros := 0
					for i, y := range s.Y {
						if inside((*x)[i]) && !math.IsNaN(y) {
							zeros++
							if y != 0 || !s.Rate {
								t.Errorf("%s %q is %v in the pause", c.ID, s.Name, y)
							}
						}
					}
					if s.Rate != (zeros >= 2) {
						t.Errorf("%s %q has %d zeros in the pause", c.ID, s.Name, zeros)
					}
				}
			}
			for label, lines := range map[string]int{"often": 2, "rarely": 2} {
				path := sparkline(o.Time, r.Trends[label], r.pauses, r.Granularity)
				if strings.Count(path, "M") != lines {
					t.Errorf("%s: the small line is %q", label, path)
				}
			}
			for i := range r.Graphs {
				g := &r.Graphs[i]
				if g.ID != "responseTimesOverTime" && g.ID != activeThreadsID {
					continue
				}
				for _, s := range g.Series {
					n := 0
					for range pieces(s.X, s.Pauses, g.Granularity) {
						n++
					}
					if n != 2 {
						t.Errorf("%s %q is in %d pieces", g.ID, s.Name, n)
					}
				}
			}
		})
	}
}

// A graph whose interval is asked for is as honest, also when its series do not share
// their places any more.
func TestPauseOfAskedIntervals(t *testing.T) {
	opt, err := optionsOf(map[string]string{"jmeter.reportgenerator.overall_granularity": "100"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read([]string{writePaused(t, 3*time.Hour)}, opt)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Graphs {
		g := &r.Graphs[i]
		if g.ID != "codesPerSecond" && g.ID != "totalTPS" && g.ID != "bytesThroughputOverTime" {
			continue
		}
		data, _ := g.chart(nil)
		for _, s := range data.Series {
			if s.X == nil {
				t.Fatalf("%s: the series share their places", g.ID)
			}
			for i := 1; i < len(s.Y); i++ {
				if (*s.X)[i]-(*s.X)[i-1] > 3_600_000 && (s.Y[i-1] != 0 || s.Y[i] != 0) {
					t.Errorf("%s %q goes from %v to %v through the pause", g.ID, s.Name, s.Y[i-1], s.Y[i])
				}
			}
		}
	}
}

// Few rows are no pauses, and one that is told apart stays so in intervals of a graph's own.
func TestPausesOf(t *testing.T) {
	for _, c := range []struct {
		at   []float64
		want []Pause
	}{
		{nil, nil},
		{[]float64{5}, nil},
		{[]float64{0, 9000}, nil},
		{[]float64{0, 1000, 2000, 5000, 6000}, nil},
		{[]float64{0, 1000, 2000, 6000, 7000}, []Pause{{3000, 6000}}},
		{[]float64{0, 30_000, 60_000, 120_000}, nil},
	} {
		if got := pausesOf(c.at, 1000); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.at, got, c.want)
		}
	}
	all := []Pause{{12_000, 43_000}}
	for _, c := range []struct {
		a, b float64
		step int64
		want bool
	}{
		{11_000, 43_000, 1000, true},
		{5000, 50_000, 1000, true},
		{10_000, 40_000, 10_000, true}, // starts of longer intervals
		{0, 60_000, 60_000, false},     // neighbours
		{11_000, 20_000, 1000, false},  // something was measured in it
		{20_000, 43_000, 1000, false},
		{50_000, 60_000, 1000, false},
	} {
		if got := paused(all, c.a, c.b, c.step); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got := steps([]float64{0, 2, 5, 6, 1e9}, 1); !slices.Equal(got, []float64{0, 1, 2, 3, 4, 5, 6, 7, 1e9 - 1, 1e9}) {
		t.Errorf("steps %v", got)
	}
	if got := steps([]float64{0, 4}, 1); !slices.Equal(got, []float64{0, 1, 2, 3, 4}) {
		t.Errorf("steps %v", got)
	}
}

// The browser draws no line through a pause and copies only what was measured.
func TestPauseInBrowser(t *testing.T) {
	dir := t.TempDir()
	if _, err := Generate([]string{writePaused(t, 3*time.Hour)}, filepath.Join(dir, "report"), DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, "file://"+filepath.Join(dir, "report", "index.html"), 1400, 900)
	var got struct {
		Through, Broken []string
		Threads, Glance []string
		Dots            int
	}
	tb.eval(t, scrollThrough+`
		const [from, to] = report.pauses[0];
		const out = { Through: [], Broken: [], Dots: 0 };
		for (const c of report.charts.filter((c) => c.time && c.kind !== "heat")) {
			for (const s of echarts.getInstanceByDom(document.querySelector("#" + c.id + " .canvas")).getOption().series) {
				const shift = zoneShift();
				const told = s.data.filter((p) => p[0] >= from + shift && p[0] < to + shift);
				const name = c.id + " " + s.name;
				if (told.some((p) => p[1] === null) && told.every((p) => p[1] === null)) out.Broken.push(name);
				else if (told.length < 2 || told.some((p) => p[1] !== 0)) out.Through.push(name);
				if (typeof s.symbolSize === "function" && s.showSymbol) out.Dots += s.data.filter((p) => s.symbolSize(p) > 0).length;
			}
		}
		const written = [];
		navigator.clipboard.writeText = async (text) => { written.push(text); };
		document.querySelector("#activeThreadsOverTime .acts button").click();
		document.querySelector("#glance .acts button").click();
		const values = (csv, column) => [...new Set(csv.trim().split("\n").map((l) => l.split(",")[column]))];
		out.Threads = values(written[0], 1);
		out.Glance = values(written[1], 7);
		return out;`, &got)
	if len(got.Through) > 0 || len(got.Broken) != 5+2+6+1+2+2 || got.Dots != 6 {
		t.Errorf("%d broken: %q, %d dots, through the pause go %q", len(got.Broken), got.Broken, got.Dots, got.Through)
	}
	if !slices.Equal(got.Threads, []string{"g", "10", "15"}) || !slices.Equal(got.Glance, []string{"Active threads", "10", "", "15"}) {
		t.Errorf("copied threads %q, at a glance %q", got.Threads, got.Glance)
	}
}

// The graphs of two runs have the breaks of each.
func TestPauseInComparison(t *testing.T) {
	c, err := Compare([]string{writePaused(t, 3*time.Hour)}, []string{writePaused(t, 0)}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for _, g := range c.graphs() {
		if !g.OverTime {
			continue
		}
		drawn++
		svg, err := g.SVG(Drawing{Relative: true})
		if err != nil || len(svg) == 0 {
			t.Fatal(err)
		}
		n := 0
		for range pieces(g.Series[0].X, g.Series[0].Pauses, g.Granularity) {
			n++
		}
		want := 2
		if strings.Contains(g.YAxis, "second") {
			want = 1
			if !slices.Contains(g.Series[0].Y, 0) {
				t.Errorf("%s is never 0", g.Title)
			}
		}
		if n != want || len(g.Series[1].Pauses) != 0 {
			t.Errorf("%s: in %d pieces, want %d; the whole run has pauses %v", g.Title, n, want, g.Series[1].Pauses)
		}
	}
	if drawn != 4 {
		t.Errorf("%d graphs over time", drawn)
	}
}
