package htmlreport

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain sets the time zone that the recordings were made in.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

const goldenDir = "../testdata/report"

// differs lists where the report is not JMeter's on purpose, and why. Each is
// asserted below; a case that is not listed must agree in everything.
var differs = map[string]struct {
	reason  string
	fails   string // JMeter makes no report and neither do we: part of our message
	samples int64  // else what our Total counts
	skipped int64  // and how many lines were left out
	tail    bool   // and whether the file ends inside a row
}{
	"err-empty":              {reason: "nothing to report on", fails: "no samples"},
	"err-header-only":        {reason: "nothing to report on", fails: "no samples"},
	"err-filter-no-match":    {reason: "nothing to report on", fails: `sample_filter "zzz" matches no label`},
	"err-bad-elapsed":        {reason: "its only line is bad: nothing to report on", fails: "line 2"},
	"err-open-quote":         {reason: "its only row never ends: nothing to report on", fails: "no samples"},
	"err-missing-label":      {reason: "a file without labels is one label, as in JMeter's listeners", samples: 5},
	"err-missing-latency":    {reason: "only the graphs of latency need that column", samples: 5},
	"err-truncated-row":      {reason: "what came before the damage counts; the page tells", samples: 5, tail: true},
	"err-blank-line":         {reason: "a blank line is no sample; the rest counts", samples: 3},
	"err-dates-no-format":    {reason: "date patterns that JMeter's listeners know are tried", samples: 3},
	"headerless-2x-10col":    {reason: "the layout of JMeter 2.3 to 2.11 is known by its number of fields", samples: 12},
	"headerless":             {reason: "JMeter loses the first row of a file without a header", samples: 10},
	"quirk-reordered-header": {reason: "columns go by name in any order; JMeter reads them by place", samples: 5},
}

// goldenOptions are those of a case's arguments, at JMeter's default interval.
func goldenOptions(t *testing.T, name string) Options {
	t.Helper()
	props := map[string]string{propGranularity: "60000"}
	for line := range strings.Lines(readFile(t, filepath.Join(goldenDir, name, "args"))) {
		key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "-J")), "=")
		if ok {
			props[key] = value
		}
	}
	opt, err := optionsOf(props)
	if err != nil {
		t.Fatal(err)
	}
	return opt
}

func optionsOf(props map[string]string) (Options, error) {
	return OptionsFromProperties(func(name string) (string, bool) {
		v, ok := props[name]
		return v, ok
	}, slices.Sorted(maps.Keys(props)))
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(readFile(t, path)), into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func TestGolden(t *testing.T) {
	cases, err := os.ReadDir(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	cases = slices.DeleteFunc(cases, func(c os.DirEntry) bool { return !c.IsDir() })
	if len(cases) != 40 {
		t.Fatalf("%d cases, want 40", len(cases))
	}
	for _, c := range cases {
		name := c.Name()
		t.Run(name, func(t *testing.T) {
			opt := goldenOptions(t, name)
			report, err := Read([]string{filepath.Join(goldenDir, name, "in.jtl")}, opt)
			d, expected := differs[name]
			if expected && d.fails != "" {
				if err == nil || !strings.Contains(err.Error(), d.fails) {
					t.Fatalf("error %v, want one with %q (%s)", err, d.fails, d.reason)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if expected {
				got := report.Sources[0].Read
				if report.Total.Samples != d.samples || got.Skipped != d.skipped || got.Truncated != d.tail {
					t.Errorf("%d samples, %d skipped, truncated %t; want %d, %d, %t (%s)",
						report.Total.Samples, got.Skipped, got.Truncated, d.samples, d.skipped, d.tail, d.reason)
				}
				if all := filepath.Join(goldenDir, name, "statistics.allrows.json"); exists(all) {
					compareStatistics(t, report, all)
				}
				return
			}
			dir := filepath.Join(goldenDir, name)
			compareStatistics(t, report, filepath.Join(dir, "statistics.json"))
			compareTables(t, report, filepath.Join(dir, "tables.json"))
			if csv := filepath.Join(dir, "equivalent.csv"); exists(csv) {
				same, err := Read([]string{csv}, opt)
				if err != nil {
					t.Fatal(err)
				}
				compareStatistics(t, same, filepath.Join(dir, "statistics.json"))
			}
			if graphs := filepath.Join(dir, "graphs.json"); name != "many-labels" { // for its size
				compareGraphs(t, report, graphs)
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// tolerance is relative. JMeter's running means are the only values that are
// not the nearest double to the exact one.
const tolerance = 1e-12

func same(a, b float64) bool {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
		return math.IsNaN(a) && math.IsNaN(b)
	case a == b:
		return true
	}
	return math.Abs(a-b) <= tolerance*max(math.Abs(a), math.Abs(b))
}

// number reads a number of JMeter's, words among them.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case string:
		switch v {
		case "NaN":
			return math.NaN()
		case "Infinity":
			return math.Inf(1)
		}
	}
	panic(fmt.Sprintf("%v is no number", v))
}

func compareStatistics(t *testing.T, r *Report, path string) {
	t.Helper()
	b, err := r.StatisticsJSON()
	if err != nil {
		t.Fatal(err)
	}
	var got, want map[string]map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	readJSON(t, path, &want)
	if g, w := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(g, w) {
		t.Errorf("labels %q, want %q", g, w)
		return
	}
	exact := map[string]bool{"sampleCount": true, "errorCount": true, "errorPct": true, "minResTime": true, "maxResTime": true}
	for label, entry := range want {
		if g, w := slices.Sorted(maps.Keys(got[label])), slices.Sorted(maps.Keys(entry)); !slices.Equal(g, w) {
			t.Errorf("%q: keys %q, want %q", label, g, w)
			continue
		}
		for key, w := range entry {
			g := got[label][key]
			switch {
			case key == "transaction":
				if g != w {
					t.Errorf("%q: transaction %v, want %v", label, g, w)
				}
			case exact[key] && g != w:
				t.Errorf("%q: %s = %v, want exactly %v", label, key, g, w)
			case !same(number(g), number(w)):
				t.Errorf("%q: %s = %v, want %v", label, key, g, w)
			}
		}
	}
}

// goldenTable is a table of JMeter's page.
type goldenTable struct {
	Overall struct{ Data []any }
	Items   []struct {
		Data         []any
		IsController bool
	}
}

// asJMeterText is how JMeter's page holds a text that came from a sample.
func asJMeterText(s string) string {
	s = html.EscapeString(s)
	for _, r := range [][2]string{{"&#34;", "&quot;"}, {"&#39;", "'"}, {"é", "&eacute;"}, {"\r", `\r`}, {"\n", `\n`}} {
		s = strings.ReplaceAll(s, r[0], r[1])
	}
	return s
}

func compareTables(t *testing.T, r *Report, path string) {
	t.Helper()
	var want struct {
		RequestsSummary                                                     struct{ OkPercent, KoPercent any }
		ApdexSummary, StatisticsSummary, ErrorsSummary, Top5ErrorsBySampler goldenTable
	}
	readJSON(t, path, &want)

	if g, w := 100-r.Total.ErrorPct, number(want.RequestsSummary.OkPercent); !same(g, w) {
		t.Errorf("requests summary: %v %% passed, want %v", g, w)
	}

	rows := make(map[string][]any)
	for i := range r.Rows {
		rows[r.Rows[i].Label] = statisticsData(&r.Rows[i])
	}
	compareData(t, "statistics Total", statisticsData(&r.Total), want.StatisticsSummary.Overall.Data)
	if len(want.StatisticsSummary.Items) != len(rows) {
		t.Errorf("statistics: %d rows, want %d", len(rows), len(want.StatisticsSummary.Items))
	}
	for _, item := range want.StatisticsSummary.Items {
		label := item.Data[0].(string)
		compareData(t, "statistics", rows[label], item.Data)
		i := slices.IndexFunc(r.Rows, func(row Row) bool { return row.Label == label })
		if i >= 0 && r.Rows[i].Controller != item.IsController {
			t.Errorf("statistics %q: controller %t", label, r.Rows[i].Controller)
		}
	}

	apdex := make(map[string][]any)
	for _, a := range r.Apdex {
		apdex[a.Label] = apdexData(a)
	}
	compareData(t, "apdex Total", apdexData(r.ApdexTotal), want.ApdexSummary.Overall.Data)
	if len(want.ApdexSummary.Items) != len(apdex) {
		t.Errorf("apdex: %d rows, want %d", len(apdex), len(want.ApdexSummary.Items))
	}
	for _, item := range want.ApdexSummary.Items {
		compareData(t, "apdex", apdex[item.Data[3].(string)], item.Data)
	}

	errors := make(map[string][]any)
	for _, e := range r.Errors {
		key := asJMeterText(e.Key)
		errors[key] = []any{key, float64(e.Count), float64(e.Count) * 100 / float64(r.Total.Errors), float64(e.Count) * 100 / float64(r.Total.Samples)}
	}
	if len(want.ErrorsSummary.Items) != len(errors) {
		t.Errorf("errors: %d rows, want %d", len(errors), len(want.ErrorsSummary.Items))
	}
	for _, item := range want.ErrorsSummary.Items {
		compareData(t, "errors", errors[item.Data[0].(string)], item.Data)
	}

	compareTop5(t, r.Top5Total, want.Top5ErrorsBySampler.Overall.Data)
	listed := 0
	for _, item := range want.Top5ErrorsBySampler.Items {
		if len(item.Data) == 0 {
			continue // JMeter's lines of labels without errors are empty
		}
		listed++
		i := slices.IndexFunc(r.Top5, func(x Top5) bool { return x.Label == item.Data[0] })
		if i < 0 {
			t.Errorf("top 5: no row for %q", item.Data[0])
			continue
		}
		compareTop5(t, r.Top5[i], item.Data)
	}
	if listed != len(r.Top5) {
		t.Errorf("top 5: %d rows, want %d", len(r.Top5), listed)
	}
}

func statisticsData(r *Row) []any {
	lowest, highest := float64(r.Min), float64(r.Max)
	if r.Samples == 0 {
		lowest, highest = math.MaxInt64, math.MinInt64
	}
	return []any{r.Label, float64(r.Samples), float64(r.Errors), r.ErrorPct, r.Mean, lowest, highest, r.Median,
		r.Percentiles[0], r.Percentiles[1], r.Percentiles[2], r.Throughput, r.ReceivedKB, r.SentKB}
}

func apdexData(a ApdexRow) []any {
	return []any{a.Score, float64(a.Thresholds.Satisfied), float64(a.Thresholds.Tolerated), a.Label}
}

func compareData(t *testing.T, what string, got, want []any) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
		return
	}
	for i, w := range want {
		if g, ok := got[i].(float64); ok {
			if !same(g, number(w)) {
				t.Errorf("%s: %v, want %v (field %d)", what, got, want, i)
			}
		} else if got[i] != w {
			t.Errorf("%s: %v, want %v (field %d)", what, got, want, i)
		}
	}
}

// compareTop5 takes errors that are equally frequent in any order: JMeter's is
// that of a hash table, and so is which of them are the last of the five.
func compareTop5(t *testing.T, got Top5, want []any) {
	t.Helper()
	if len(want) == 0 {
		return
	}
	if got.Label != want[0] || float64(got.Samples) != want[1] || float64(got.Errors) != want[2] {
		t.Errorf("top 5: %+v, want %v", got, want)
	}
	var counts []float64
	least := math.Inf(1)
	named := make(map[string]float64)
	for i := 3; i+1 < len(want); i += 2 {
		if key, _ := want[i].(string); key != "" {
			n := want[i+1].(float64)
			named[key] = n
			counts = append(counts, n)
			least = min(least, n)
		}
	}
	if len(got.Top) != len(counts) {
		t.Errorf("top 5 %q: %v, want %v", got.Label, got.Top, want)
		return
	}
	for i, e := range got.Top {
		n, ok := named[asJMeterText(e.Key)]
		if float64(e.Count) != counts[i] || (ok && n != float64(e.Count)) || (!ok && float64(e.Count) != least) {
			t.Errorf("top 5 %q: %v, want %v", got.Label, got.Top, want)
		}
	}
}

func compareGraphs(t *testing.T, r *Report, path string) {
	t.Helper()
	var want map[string]struct {
		Granularity float64
		Series      []struct {
			Label        string
			IsController bool
			Data         [][2]any
		}
		SupportsControllersDiscrimination bool
	}
	readJSON(t, path, &want)
	for id, w := range want {
		name := id
		if id == "latenciesVsRequest" { // the word JMeter's page has for it
			name = "latencyVsRequest"
		}
		i := slices.IndexFunc(r.Graphs, func(g Graph) bool { return g.ID == name })
		if i < 0 {
			t.Errorf("no graph %s", name)
			continue
		}
		g := r.Graphs[i]
		if g.Absent != "" {
			// JMeter draws a column that is not there as zeros.
			if name != "connectTimeOverTime" || r.Sources[0].Info.Has(21) {
				t.Errorf("%s: %s", name, g.Absent)
			}
			continue
		}
		if g.Granularity != int64(w.Granularity) || g.Discriminates != w.SupportsControllersDiscrimination {
			t.Errorf("%s: granularity %d, discriminates %t; want %v", name, g.Granularity, g.Discriminates, w.Granularity)
		}
		series := make(map[string]Series)
		for _, s := range g.Series {
			series[s.Name] = s
		}
		compared := 0
		for _, ws := range w.Series {
			var points [][2]float64
			for _, p := range ws.Data {
				if x := number(p[0]); !math.IsNaN(x) {
					points = append(points, [2]float64{x, number(p[1])})
				}
			}
			slices.SortFunc(points, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
			s, ok := series[ws.Label]
			if !ok {
				// Lines without a point need not exist, and blank labels are one
				// in all graphs; in JMeter not in this one.
				blank := name == "transactionsPerSecond" && strings.HasPrefix(strings.TrimSpace(ws.Label), "-")
				if blank {
					delete(series, emptySeries+"-success")
				}
				if len(points) > 0 && !blank && (ws.Label != "Bytes sent per second" || r.sent) {
					t.Errorf("%s: no series %q", name, ws.Label)
				}
				continue
			}
			compared++
			if s.Controller != ws.IsController {
				t.Errorf("%s %q: controller %t", name, ws.Label, s.Controller)
			}
			if len(s.X) != len(points) || !slices.IsSorted(s.X) {
				t.Errorf("%s %q: points %v %v, want %v", name, ws.Label, s.X, s.Y, points)
				continue
			}
			for j, x := range s.X {
				p := points[j]
				if p[1] == math.SmallestNonzeroFloat64 {
					p[1] = 0 // what JMeter's search for a maximum begins with
				}
				if !same(x, p[0]) || !same(s.Y[j], p[1]) {
					t.Errorf("%s %q: at %v %v, want %v", name, ws.Label, x, s.Y[j], p)
				}
			}
		}
		for name, s := range series {
			if len(s.X) == 0 {
				delete(series, name)
			}
		}
		if compared < len(series) {
			t.Errorf("%s: series %q, of which only %d are JMeter's", name, slices.Sorted(maps.Keys(series)), compared)
		}
	}
}
