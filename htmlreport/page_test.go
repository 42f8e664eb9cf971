package htmlreport

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func testReport(t *testing.T) *Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jtl")
	writeRun(t, path)
	opt, err := optionsOf(customProps)
	if err != nil {
		t.Fatal(err)
	}
	opt.Version, opt.Command = "gojm 1.2", `gojm -g "a<b>.jtl"`
	opt.Checks = []Check{{Name: "p95", Limit: "< 100 ms", Value: "870 ms"}, {Name: "failed", Limit: "< 5%", Value: "2%", Passed: true}}
	opt.Notes = []string{"The run was <aborted>."}
	r, err := Read([]string{path}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPagePolicy sees that the page allows its own scripts and style, and
// holds nothing else that could run or be fetched.
func TestPagePolicy(t *testing.T) {
	page, err := testReport(t).page([]byte("var echarts;"))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(page, []byte("</head>"))
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindSubmatch(head)
	if policy == nil || !bytes.HasPrefix(policy[1], []byte("default-src 'none'; ")) || bytes.Contains(policy[1], []byte("unsafe")) {
		t.Fatalf("policy %s", policy)
	}
	blocks := regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`).FindAllSubmatch(page, -1)
	if len(blocks) != 3 {
		t.Fatalf("%d scripts and styles", len(blocks))
	}
	for _, b := range blocks {
		if !bytes.Contains(policy[1], []byte(sourceHash(b[2]))) {
			t.Errorf("the policy does not allow this %s: %.60s", b[1], b[2])
		}
	}
	for _, bad := range []string{`<b id="broke-out"`, `<img src=x`, `<svg onload`, `<aborted>`, `<i>unavailable`, "<title>Night run </title>"} {
		if bytes.Contains(page, []byte(bad)) {
			t.Errorf("the page has %q as markup", bad)
		}
	}
	tags := regexp.MustCompile(`"[^"]*"`).ReplaceAll(bytes.ReplaceAll(page, blocks[2][0], nil), []byte(`""`))
	if m := regexp.MustCompile(`(?i)<[a-z][^>]*\s(on[a-z]+|style)=`).Find(tags); m != nil {
		t.Errorf("the page has an inline handler or style: %s", m)
	}
	if m := regexp.MustCompile(`(?i)(?:src|href)="(https?:)?//[^"]*"`).Find(page); m != nil {
		t.Errorf("the page refers to %s", m)
	}
}

// TestPageData reads what the page's script would read.
func TestPageData(t *testing.T) {
	r := testReport(t)
	page, err := r.page([]byte("var echarts;"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)id="report-data">(.*?)</script>`).FindSubmatch(page)
	var data struct {
		Labels []string
		Charts []struct {
			ID     string
			Option struct {
				XAxis, YAxis []struct{ Type, Name string }
			}
			Series []struct {
				N    string
				L    *int
				X, Y []*float64
			}
			X []float64
		}
	}
	if err := json.Unmarshal(m[1], &data); err != nil {
		t.Fatal(err)
	}
	if len(data.Labels) != len(r.Rows) || len(data.Charts) != 2+len(r.Graphs) {
		t.Errorf("%d labels, %d charts", len(data.Labels), len(data.Charts))
	}
	for _, c := range data.Charts {
		if c.ID == "custom_orders" && (len(c.Series) != 1 || c.Series[0].N != "Orders :") {
			t.Errorf("%s: %+v", c.ID, c.Series)
		}
		if len(c.Option.XAxis) != 1 || len(c.Option.YAxis) != 1 {
			t.Errorf("%s: axes %+v", c.ID, c.Option)
		}
		for _, s := range c.Series {
			if want := len(s.X) + len(c.X); c.ID != "responseTimeHeatMap" && len(s.Y) != want && len(s.Y) != len(s.X) {
				t.Errorf("%s %q: %d values for %d places", c.ID, s.N, len(s.Y), want)
			}
			if s.L != nil && !strings.HasPrefix(s.N, data.Labels[*s.L]) {
				t.Errorf("%s %q is of label %q", c.ID, s.N, data.Labels[*s.L])
			}
		}
	}
}

// TestPageWithoutCharts still has every table, and says what it lacks.
func TestPageWithoutCharts(t *testing.T) {
	page, err := testReport(t).page(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<code>make</code>", "data:image/svg&#43;xml;base64,", `id="statistics-table"`, `id="errors-table"`, `id="top5-table"`, `id="apdex-table"`,
		`id="failures-table"`, `id="slowest-table"`, "Not drawn: this one needs the chart library", "The run was &lt;aborted&gt;.", "p95 &lt; 100 ms: <b>870 ms</b> failed",
		"gojm 1.2", "Requests Summary", `href="statistics.json"`} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := bytes.Count(page, []byte("<script>")); n != 1 {
		t.Errorf("%d scripts", n)
	}
}

// TestEmptyStates sees that a page of little data speaks.
func TestEmptyStates(t *testing.T) {
	for name, want := range map[string]string{
		"one-zero":            "No failed samples.",
		"err-missing-latency": "The result file has no column Latency.",
		"err-truncated-row":   "in.jtl ends in the middle of a row, as after a crash; that row is left out.",
		"headerless-2x-10col": "in.jtl has no header line; its columns were taken for those of JMeter&#39;s layout with 10 columns.",
		"pct-window":          "Percentiles are of the newest 5 samples of each line only (statistic_window).",
		"filter-sample":       "labels matching (Search|Order)",
	} {
		r, err := Read([]string{filepath.Join(goldenDir, name, "in.jtl")}, goldenOptions(t, name))
		if err != nil {
			t.Fatal(err)
		}
		page, err := r.Page()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("%s: the page lacks %q", name, want)
		}
	}
}

// TestOnlyTransactions has a file without a single sample.
func TestOnlyTransactions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tx.jtl")
	text := "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,grpThreads,allThreads,Latency\n" +
		"1700000000000,5,TX,200,\"Number of samples in transaction : 1, number of failing samples : 0\",g 1-1,true,1,1,1,1\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := Read([]string{path}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if r.Total.Samples != 0 || !math.IsNaN(r.Total.Mean) || len(r.Rows) != 1 || r.Rows[0].Samples != 1 {
		t.Errorf("%+v %+v", r.Total, r.Rows)
	}
	if _, err := r.Page(); err != nil {
		t.Error(err)
	}
	if b, err := r.StatisticsJSON(); err != nil || !bytes.Contains(b, []byte(`"errorPct": "NaN"`)) {
		t.Errorf("%s %v", b, err)
	}
}

// TestThin keeps the extremes of a long series.
func TestThin(t *testing.T) {
	var x, y []float64
	for i := range 100_000 {
		x, y = append(x, float64(i)), append(y, math.Sin(float64(i)/500))
	}
	y[33_333], y[66_666] = 99, -99
	xs, ys := thin(x, y, 1000)
	if len(xs) > 1004 || len(xs) < 500 || len(xs) != len(ys) {
		t.Fatalf("%d points", len(xs))
	}
	extremes := 0
	for i := range ys {
		if xs[i] == 33_333 && ys[i] == 99 || xs[i] == 66_666 && ys[i] == -99 {
			extremes++
		}
		if i > 0 && xs[i] <= xs[i-1] {
			t.Fatalf("x goes back at %d", i)
		}
	}
	if extremes != 2 || xs[0] != 0 || xs[len(xs)-1] != 99_999 {
		t.Errorf("%d extremes, from %v to %v", extremes, xs[0], xs[len(xs)-1])
	}
	xs, ys = withoutRuns([]float64{1, 2, 3, 4, 5}, []float64{7, 7, 7, 8, 8}, nil, 1)
	if len(xs) != 4 || xs[1] != 3 || ys[2] != 8 {
		t.Errorf("%v %v", xs, ys)
	}
}

func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 5: "5", 1234567: "1,234,567", 12.345: "12.3", 0.5: "0.50", 0.0123: "0.012", 123.4: "123", -1500: "-1,500",
		math.Inf(1): "∞", 99.97: "100", 9.999: "10.0",
	} {
		if got := figures(v); got != want {
			t.Errorf("%v is written %q, want %q", v, got, want)
		}
	}
	if figures(math.NaN()) != none || percent(math.NaN()) != none {
		t.Error("what is no number is written as one")
	}
	for ms, want := range map[int64]string{500: "500 ms", 1500: "1.5 s", 60_000: "1 min", 3_723_000: "1 h 2 min 3 s", 90_000_000: "1 d 1 h", 100_000: "1 min 40 s"} {
		if got := span(ms); got != want {
			t.Errorf("%d ms is written %q, want %q", ms, got, want)
		}
	}
	b, err := json.Marshal(numbers{1, 2.5, math.NaN(), 1.0 / 3, 1_700_000_000_000, 123456.789})
	if err != nil || string(b) != "[1,2.5,null,0.333333,1700000000000,123457]" {
		t.Errorf("%s %v", b, err)
	}
}

// A label named Total does not take the place of the total.
func TestLabelNamedTotal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.jtl")
	text := "timeStamp,elapsed,label,success\n1,10,Total,true\n2,20,Total (label),true\n3,30,other,true\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Read([]string{file}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	data, err := r.StatisticsJSON()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]struct {
		Transaction string
		SampleCount int
		MeanResTime float64
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	total, label, other := got["Total"], got["Total (label 2)"], got["Total (label)"]
	if len(got) != 4 || total.SampleCount != 3 || total.MeanResTime != 20 || label.Transaction != "Total" || label.MeanResTime != 10 || other.MeanResTime != 20 {
		t.Errorf("%+v", got)
	}
	if key := r.TotalLabelKey(); key != "Total (label 2)" {
		t.Errorf("told %q", key)
	}
}
