package htmlreport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// writeOne writes a run of 60 s: what a label's samples take is said by its
// median in ms and its share of failures.
func writeOne(t *testing.T, seed uint64, labels map[string][2]float64) string {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,grpThreads,allThreads,Latency\n")
	for i := range 1200 {
		for _, label := range []string{"fast", "same", "broken", "gone", "new", "<b>few"} {
			of, ok := labels[label]
			if !ok || label == "<b>few" && i%200 != 0 {
				continue
			}
			elapsed := int64(of[0] * (0.5 + r.Float64()))
			fmt.Fprintf(&b, "%d,%d,%s,200,OK,T 1-1,%t,10,1,1,1\n", 1_700_000_000_000+i*50, elapsed, label, r.Float64() >= of[1])
		}
	}
	file := filepath.Join(t.TempDir(), fmt.Sprintf("run%d.jtl", seed))
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func compareTwo(t *testing.T) *Comparison {
	t.Helper()
	a := writeOne(t, 1, map[string][2]float64{"fast": {200, 0}, "same": {300, 0.02}, "broken": {100, 0.01}, "gone": {50, 0}, "<b>few": {100, 0}})
	b := writeOne(t, 2, map[string][2]float64{"fast": {120, 0}, "same": {300, 0.02}, "broken": {104, 0.2}, "new": {70, 0}, "<b>few": {900, 0}})
	opt := DefaultOptions()
	opt.Location = time.UTC
	c, err := Compare([]string{a}, []string{b}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCompare(t *testing.T) {
	c := compareTwo(t)
	verdicts := map[string]string{}
	for _, d := range c.Rows {
		verdicts[d.Label] = d.Verdict() + "/" + d.ErrorVerdict()
	}
	want := map[string]string{"fast": "much faster/", "same": "no clear difference/", "broken": "hardly slower/more errors", "<b>few": "too few samples/"}
	if fmt.Sprint(verdicts) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", verdicts, want)
	}
	if c.Rows[0].Label != "fast" || c.Rows[len(c.Rows)-1].Label != "<b>few" {
		t.Errorf("order: %q first, %q last", c.Rows[0].Label, c.Rows[len(c.Rows)-1].Label)
	}
	if d := c.Rows[0]; d.Shift.Value < -90 || d.Shift.Value > -70 || d.Shift.Low > d.Shift.Value || d.Shift.High < d.Shift.Value {
		t.Errorf("shift %+v of 80 ms less", d.Shift)
	}
	if len(c.OnlyA) != 1 || c.OnlyA[0] != "gone" || len(c.OnlyB) != 1 || c.OnlyB[0] != "new" {
		t.Errorf("only %q and %q", c.OnlyA, c.OnlyB)
	}
}

func TestRules(t *testing.T) {
	c := compareTwo(t)
	for _, r := range []struct {
		rule   string
		broken int
		says   string
	}{
		{"p95>20%", 1, "<b>few p95 > 20%: "},
		{"fast: avg > 0", 0, "fast avg > 0 ms: -"},
		{"fast:avg<-10%", 1, "fast avg < -10%: -"},
		{"error%>5", 1, "broken error% > 5 points: +"},
		{"Total: error% > 50", 0, "Total error% > 50 points: +"},
		{"throughput<-5%", 0, "throughput < -5%"},
		{"missing", 1, "labels missing: gone"},
		{"same:missing", 0, "labels missing: none"},
		{"none:p50>1", 1, "none p50 > 1 ms: not in both runs"},
		{"samples<0", 0, ""},
		{"p99.9>100000ms", 0, ""},
		{"stddev>1000%", 0, ""},
		{"median>1000", 0, ""},
		{"same:shift>0%", 0, "same shift > 0%: at least -"},
		{"broken:shift>0", 1, "broken shift > 0 ms: at least +"},
		{"fast:shift<-20%", 1, "fast shift < -20%: at most -"},
		{"shift>10%", 0, "shift > 10%: at least"},
		{"<b>few:shift>0", 1, "<b>few shift > 0 ms: not in both runs with 10 samples at least"},
	} {
		t.Run(r.rule, func(t *testing.T) {
			rule, err := ParseRule(r.rule)
			if err != nil {
				t.Fatal(err)
			}
			broken := 0
			var lines []string
			for _, k := range rule.check(c) {
				if !k.Passed {
					broken++
				}
				lines = append(lines, k.Name+" "+k.Limit+": "+k.Value)
			}
			if broken != r.broken || !strings.Contains(strings.Join(lines, "\n"), r.says) {
				t.Errorf("%d broken of %q", broken, lines)
			}
		})
	}
	for _, wrong := range []string{"", "p95", "p95>", "p95>fast", "p101>1", "p0>1", "speed>1", ":p95>1", "p95>NaN", "avg>>1", "error%>10%", "a: error% < -1 %"} {
		if _, err := ParseRule(wrong); err == nil {
			t.Errorf("%q passed for a rule", wrong)
		}
	}
}

func FuzzParseRule(f *testing.F) {
	for _, s := range []string{"p95>10%", "a:b:error%<-1", "missing", "x:missing"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRule(text)
		if err == nil && r.figure == "" {
			t.Errorf("%q: a rule of nothing", text)
		}
	})
}

func TestCompareText(t *testing.T) {
	c := compareTwo(t)
	var rules []Rule
	for _, text := range []string{"p95>20%", "fast:avg>1"} {
		r, err := ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, r)
	}
	c.Apply(rules)
	if !c.Broken {
		t.Error("no rule broken")
	}
	var text, markdown, asJSON bytes.Buffer
	for _, err := range []error{c.WriteText(&text), c.WriteMarkdown(&markdown), c.WriteJSON(&asJSON)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"much faster\n", "Only in the first run: gone\n", "BROKEN  <b>few p95 > 20%: ", "passed  fast avg > 1 ms: "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if !strings.Contains(markdown.String(), "| &lt;b>few | 6 → 6 |") || !strings.Contains(markdown.String(), "- **broken** &lt;b>few p95") {
		t.Errorf("markdown:\n%s", markdown.String())
	}
	var got struct {
		Passed bool
		Rows   []struct {
			Label       string
			A           struct{ Percentiles map[string]float64 }
			CliffsDelta struct{ Value, Low, High float64 }
		}
	}
	if err := json.Unmarshal(asJSON.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if r := got.Rows[0]; got.Passed || r.Label != "fast" || r.CliffsDelta.High >= 0 || r.A.Percentiles["95"] < 200 {
		t.Errorf("%+v", got)
	}
}

// The page holds both runs, escapes what comes from them, and has no barriers.
func TestComparePage(t *testing.T) {
	c := compareTwo(t)
	rule, err := ParseRule("p95>20%")
	if err != nil {
		t.Fatal(err)
	}
	c.Apply([]Rule{rule})
	page, err := c.Page()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"run1.jtl", "run2.jtl", "much faster", "&lt;b&gt;few", "Only in the first run: gone", "broken</li>", "Cliff&#39;s delta"} {
		if want == "Cliff&#39;s delta" {
			want = "Cliff's delta"
		}
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(string(page), "<b>few") || strings.Contains(string(page), "<script") {
		t.Error("the page has markup of a label, or a script")
	}
	file := filepath.Join(t.TempDir(), "compare.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	if to := os.Getenv("DRAW_TO"); to != "" {
		_ = os.WriteFile(filepath.Join(to, "compare.html"), page, 0o600)
	}
	tb := openTab(t, "file://"+file, 1400, 900)
	var drawn []int
	tb.eval(t, `
		const images = [...document.images];
		for (const i of images) i.loading = "eager";
		await Promise.all(images.map((i) => i.decode()));
		return images.map((i) => i.naturalWidth);`, &drawn)
	if len(drawn) != 2*(5+3) || slices.Contains(drawn, 0) {
		t.Errorf("widths of drawings: %v", drawn)
	}
	if found := tb.barriers(t); len(found) > 0 {
		t.Errorf("barriers:\n%s", strings.Join(found, "\n"))
	}
	// A phone has drawings of its size, and each theme those in its colours.
	for _, c := range []struct {
		screen int64
		shape  float64
	}{{390, 360.0 / 300}, {1400, 760.0 / 400}} {
		tb := openTab(t, "file://"+file, c.screen, 900)
		for _, theme := range []string{"light", "dark"} {
			var shown []string
			tb.eval(t, `
				document.documentElement.dataset.theme = "`+theme+`";
				const images = [...document.images].filter((i) => i.checkVisibility());
				for (const i of images) i.loading = "eager";
				await Promise.all(images.map((i) => i.decode()));
				return images.map((i) => i.parentElement.className + " " + (i.naturalWidth / i.naturalHeight).toFixed(1));`, &shown)
			want := fmt.Sprintf("for-%s %.1f", theme, c.shape)
			if len(shown) != 5+3 || slices.ContainsFunc(shown, func(s string) bool { return s != want }) {
				t.Errorf("%s theme, %d wide: %q, want %q alone", theme, c.screen, shown, want)
			}
		}
	}
}
