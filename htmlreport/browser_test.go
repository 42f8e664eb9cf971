package htmlreport

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gojm/gojm/jtl"
)

// hostile are labels that would break out of a page that trusted them.
var hostile = []string{
	`</script><b id="broke-out">x`,
	`<img src=x onerror="document.title='broke out'">`,
	`"><svg onload=alert(1)>`,
	"<!--", "]]>", `\u003c/script>`, "line\u2028separator", "'; alert(1); '",
}

// writeRun writes a result file that gives every graph something to draw.
func writeRun(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(f)
	fmt.Fprintln(out, `timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect,"orders"`)
	quote := func(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
	labels := append([]string(nil), hostile...)
	for i := range 12 {
		labels = append(labels, fmt.Sprintf("GET /item/%02d", i))
	}
	start := int64(1_700_000_000_000)
	for i := range 4000 {
		label := labels[i%len(labels)]
		code, message, ok := "200", "OK", true
		switch i % 97 {
		case 0:
			code, message, ok = "503", "</script><i>unavailable", false
		case 1:
			code, message, ok = "Non HTTP response code: java.net.ConnectException", "Connection refused", false
		}
		at, elapsed := start+int64(i)*60, 20+i*7%900
		fmt.Fprintf(out, "%d,%d,%s,%s,%s,Group <b>%d</b> 1-%d,text,%t,,%d,%d,%d,%d,http://127.0.0.1/,%d,0,%d,%d\n",
			at, elapsed, quote(label), code, quote(message), i%2, i%10, ok, 900+i%100, 120, 1+i/800, 1+i/400, elapsed/2, i%4, i%13)
		if i%50 == 49 {
			fmt.Fprintf(out, "%d,%d,Order <tx>,200,%s,Group 1-1,,true,,900,120,1,%d,null,5,0,1,1\n", at, 3*elapsed,
				quote("Number of samples in transaction : 2, number of failing samples : 0"), 1+i/400)
		}
	}
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// writeHealth notes for that run a generator that is at its limit for a while.
func writeHealth(t *testing.T, results string) {
	t.Helper()
	text := jtl.AppendHealthHeader(nil)
	for i := range 240 {
		h := jtl.Health{Time: 1_700_000_000_000 + 1000*float64(i), CPU: 40, MachineCPU: 50, Memory: 1e8, GCPause: 0.1, Lag: 1}
		if i >= 100 && i < 130 {
			h.CPU, h.Lag = 95, 120
		}
		text = h.AppendLine(text)
	}
	if err := os.WriteFile(results+jtl.HealthSuffix, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// customProps declare a custom graph.
var customProps = map[string]string{
	"jmeter.reportgenerator.graph.custom_orders.classname":                         "org.apache.jmeter.report.processor.graph.impl.CustomGraphConsumer",
	"jmeter.reportgenerator.graph.custom_orders.title":                             "Orders <seen>",
	"jmeter.reportgenerator.graph.custom_orders.property.set_Sample_Variable_Name": "orders",
	"jmeter.reportgenerator.graph.custom_orders.property.set_Y_Axis":               "Orders",
	"jmeter.reportgenerator.graph.custom_orders.property.set_X_Axis":               "Over Time",
	"jmeter.reportgenerator.graph.custom_orders.property.set_Content_Message":      "Orders :",
	"jmeter.reportgenerator.report_title":                                          "Night run </title><script>alert(2)</script>",
}

// tab opens a page in a real browser. What the page writes to the console, and
// what it asks the network for, is gathered.
type tab struct {
	ctx context.Context
	url string

	mu       sync.Mutex
	messages []string
	requests []string
}

func openTab(t *testing.T, url string, width, height int64) *tab {
	t.Helper()
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Fatal("this test needs chromium: install it (Debian: apt-get install chromium)")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true), chromedp.Flag("no-pings", true))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)

	tb := &tab{ctx: ctx, url: url}
	console := chromedp.Console(ctx)
	go func() {
		for m, err := range console {
			if err != nil {
				return
			}
			tb.mu.Lock()
			tb.messages = append(tb.messages, m.String())
			tb.mu.Unlock()
		}
	}()
	if err := chromedp.Listen(ctx, func(ev any) {
		if r, ok := ev.(*network.EventRequestWillBeSent); ok {
			tb.mu.Lock()
			tb.requests = append(tb.requests, r.Request.URL)
			tb.mu.Unlock()
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height), chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	return tb
}

// eval runs the body of an asynchronous function, whose result it unmarshals.
func (tb *tab) eval(t *testing.T, body string, into any) {
	t.Helper()
	text, err := chromedp.Run(tb.ctx, chromedp.Evaluate[string](
		"(async () => { const wait = (ms) => new Promise((r) => setTimeout(r, ms)); const result = await (async () => {"+body+"})(); return JSON.stringify(result ?? null); })()",
		chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// scrollThrough shows all of the page, so that everything gets drawn.
const scrollThrough = `
	for (const figure of document.querySelectorAll("[data-chart]")) {
		figure.scrollIntoView({ behavior: "instant" });
		for (let i = 0; i < 100 && !figure.dataset.drawn; i++) await wait(20);
	}
`

// TestPageInBrowser opens a report as a user would, from disk.
func TestPageInBrowser(t *testing.T) {
	if !ChartsBuiltIn() {
		t.Fatal("the chart library is not built in: run make assets")
	}
	dir := t.TempDir()
	jtlFile := filepath.Join(dir, "run.jtl")
	writeRun(t, jtlFile)
	writeHealth(t, jtlFile)
	opt, err := optionsOf(customProps)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Generate([]string{jtlFile}, filepath.Join(dir, "report"), opt)
	if err != nil {
		t.Fatal(err)
	}
	page := "file://" + filepath.Join(dir, "report", "index.html")
	tb := openTab(t, page, 1400, 900)

	t.Run("draws every graph", func(t *testing.T) {
		var drawn map[string]bool
		tb.eval(t, scrollThrough+`
			const drawn = {};
			for (const figure of document.querySelectorAll("figure.graph")) {
				const canvas = figure.querySelector("canvas");
				const pixels = canvas && canvas.width > 0 && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
				drawn[figure.id] = Boolean(pixels && pixels.some((v) => v !== 0));
			}
			return drawn;`, &drawn)
		want := []string{"glance", "responseTimeHeatMap"}
		for _, g := range slices.Concat(report.Generator.Graphs, report.Graphs) {
			want = append(want, g.ID)
		}
		if len(want) != 2+3+16+1 {
			t.Errorf("%d graphs", len(want))
		}
		for _, id := range want {
			if !drawn[id] {
				t.Errorf("%s is not drawn", id)
			}
		}
	})

	t.Run("takes names as text", func(t *testing.T) {
		var got struct {
			Broke  bool
			Title  string
			Labels []string
			Legend string
		}
		tb.eval(t, `
			return {
				Broke: Boolean(document.getElementById("broke-out")) || document.querySelectorAll("main img, main b[id]").length > 0,
				Title: document.title,
				Labels: [...document.querySelectorAll("#statistics-table tbody tr[data-label]")].map((r) => r.dataset.label),
				Legend: document.querySelector("#responseTimesOverTime .legend").textContent,
			};`, &got)
		if got.Broke || got.Title != customProps["jmeter.reportgenerator.report_title"] {
			t.Errorf("a name became markup: %+v", got)
		}
		if len(got.Labels) != len(hostile)+13 {
			t.Errorf("%d labels: %q", len(got.Labels), got.Labels)
		}
		for _, label := range hostile {
			if !strings.Contains(strings.Join(got.Labels, "\n"), label) {
				t.Errorf("no label %q", label)
			}
		}
	})

	t.Run("filters and sorts the table", func(t *testing.T) {
		var got struct {
			Shown, Transactions, Columns int
			First, Sort                  string
		}
		tb.eval(t, `
			const bar = document.querySelector('[data-for="statistics-table"]');
			const rows = () => [...document.querySelectorAll("#statistics-table tbody:last-child tr")].filter((r) => !r.hidden);
			const search = bar.querySelector("input[type=search]");
			const out = {};
			search.value = "item/0"; search.dispatchEvent(new Event("input"));
			out.Shown = rows().length;
			search.value = ""; search.dispatchEvent(new Event("input"));
			bar.querySelector("input[value=transaction]").click();
			out.Transactions = rows().length;
			bar.querySelector("input[value=all]").click();
			const head = document.querySelectorAll("#statistics-table thead tr:last-child th")[1];
			head.querySelector("button").click();
			out.Sort = head.getAttribute("aria-sort");
			out.First = rows()[0].cells[1].textContent;
			bar.querySelectorAll(".choices input")[0].click();
			out.Columns = [...rows()[0].cells].filter((c) => !c.hidden).length;
			bar.querySelectorAll(".choices input")[0].click();
			return out;`, &got)
		if got.Shown != 10 || got.Transactions != 1 || got.Sort != "descending" || got.First != "200" || got.Columns != 14 {
			t.Errorf("%+v", got)
		}
	})

	t.Run("filters and copies every table", func(t *testing.T) {
		var got struct {
			Bars    []string
			Shown   int
			Copied  string
			Apdex   string
			Columns int
		}
		tb.eval(t, `
			const written = [];
			navigator.clipboard.writeText = async (text) => { written.push(text); };
			const bar = (id) => document.getElementById(id).closest(".scroll").previousElementSibling;
			const out = {};
			out.Bars = ["errors-table", "failures-table", "apdex-table", "slowest-table"].filter((id) => bar(id).querySelector("[data-copy=csv]"));
			const input = bar("slowest-table").querySelector("input");
			input.value = "item/03"; input.dispatchEvent(new Event("input"));
			out.Shown = [...document.querySelectorAll("#slowest-table tbody tr")].filter((r) => !r.hidden).length;
			bar("slowest-table").querySelector("[data-copy=csv]").click();
			input.value = ""; input.dispatchEvent(new Event("input"));
			out.Copied = written.join("");
			written.length = 0;
			bar("apdex-table").querySelector("[data-copy=csv]").click();
			out.Apdex = written.join("");
			return out;`, &got)
		lines := strings.Count(got.Copied, "GET /item/03")
		if len(got.Bars) != 4 || got.Shown == 0 || got.Shown == maxSlowest || lines != got.Shown ||
			!strings.HasPrefix(got.Copied, "Line,Start,Elapsed (ms),Label,Thread,Code and message\n") {
			t.Errorf("%+v", got)
		}
		if !strings.HasPrefix(got.Apdex, "Apdex,T (Toleration threshold),F (Frustration threshold),Label\n0.") || !strings.Contains(got.Apdex, ",500,1500,Total\n") {
			t.Errorf("%q", got.Apdex)
		}
	})

	t.Run("switches theme and zone", func(t *testing.T) {
		var got struct{ Before, After, Start, UTC string }
		tb.eval(t, `
			const back = () => getComputedStyle(document.body).backgroundColor;
			const out = { Before: back() };
			document.getElementById("theme").click();
			out.After = back();
			const start = document.querySelector("time[data-ms]");
			out.Start = start.textContent;
			const zone = document.getElementById("zone");
			zone.value = "utc"; zone.dispatchEvent(new Event("change"));
			out.UTC = start.textContent;
			return out;`, &got)
		if got.Before == got.After || got.UTC != "2023-11-14 22:13:20" || len(got.Start) != len(got.UTC) {
			t.Errorf("%+v", got)
		}
	})

	t.Run("zooms all time charts together", func(t *testing.T) {
		var got struct {
			Ranges  []string
			Shown   bool
			After   string
			Focused []string
		}
		tb.eval(t, `
			const range = (id) => { const x = echarts.getInstanceByDom(document.querySelector("#" + id + " .canvas")).getOption().xAxis[0]; return [x.min, x.max].join(); };
			zoom([1700000060000, 1700000120000]);
			const out = { Ranges: ["glance", "hitsPerSecond", "activeThreadsOverTime", "generatorLag"].map(range), Shown: !document.getElementById("zoom-off").hidden };
			document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
			out.After = range("hitsPerSecond");
			const row = [...document.querySelectorAll("#statistics-table button.label")].find((b) => b.textContent === "GET /item/03");
			row.click();
			out.Focused = echarts.getInstanceByDom(document.querySelector("#responseTimesOverTime .canvas")).getOption().series.map((s) => s.name);
			row.click();
			return out;`, &got)
		for _, r := range got.Ranges {
			if r != "1700000060000,1700000120000" {
				t.Errorf("range %q", r)
			}
		}
		if !got.Shown || got.After == got.Ranges[0] || len(got.Focused) != 1 || got.Focused[0] != "GET /item/03" {
			t.Errorf("%+v", got)
		}
	})

	t.Run("follows mouse and keyboard", func(t *testing.T) {
		var box struct{ X, Y, W, H float64 }
		tb.eval(t, `
			const box = document.querySelector("#hitsPerSecond .canvas");
			box.scrollIntoView({ block: "center", behavior: "instant" });
			await wait(100);
			const r = box.getBoundingClientRect();
			return { X: r.x, Y: r.y, W: r.width, H: r.height };`, &box)
		y := box.Y + box.H/2
		if err := chromedp.Do(tb.ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box.X+box.W/2, y)); err != nil {
			t.Fatal(err)
		}
		var tip string
		tb.eval(t, `await wait(100); return [...document.querySelectorAll(".tip")].map((e) => e.textContent).join();`, &tip)
		if !strings.Contains(tip, "2023-11-14") || !strings.Contains(tip, "hitsPerSecond") {
			t.Errorf("tooltip %q", tip)
		}
		if err := chromedp.Do(tb.ctx, chromedp.DragAndDropXY(box.X+box.W*0.4, y, box.X+box.W*0.6, y)); err != nil {
			t.Fatal(err)
		}
		var zoomed []float64
		tb.eval(t, `return chosen.zoom;`, &zoomed)
		if len(zoomed) != 2 || zoomed[0] < 1_700_000_000_000 || zoomed[1] > 1_700_000_245_000 || zoomed[1]-zoomed[0] < 20_000 {
			t.Errorf("dragging chose %v", zoomed)
		}
		if err := chromedp.Do(tb.ctx, chromedp.KeyEvent(kb.Escape)); err != nil {
			t.Fatal(err)
		}
		var got struct {
			Zoom    any
			Drawn   []string
			Added   []string
			Copied  string
			Pressed string
		}
		tb.eval(t, `
			const out = { Zoom: chosen.zoom };
			const names = () => echarts.getInstanceByDom(document.querySelector("#responseTimesOverTime .canvas")).getOption().series.map((s) => s.name);
			const legend = () => document.querySelector("#responseTimesOverTime .legend");
			const first = legend().querySelector("button");
			first.click();
			out.Pressed = first.getAttribute("aria-pressed");
			out.Drawn = names();
			const more = legend().querySelector("input");
			more.value = legend().querySelector("datalist option").value;
			more.dispatchEvent(new Event("change"));
			out.Added = names();
			const written = [];
			navigator.clipboard.writeText = async (text) => { written.push(text); };
			document.querySelector("#codesPerSecond .acts button").click();
			document.querySelector("[data-copy=markdown]").click();
			out.Copied = written.join("");
			return out;`, &got)
		if got.Zoom != nil || got.Pressed != "false" || len(got.Drawn) != 9 || len(got.Added) != 10 {
			t.Errorf("%+v", got)
		}
		if !strings.Contains(got.Copied, "time,200,503,Non HTTP response code: java.net.ConnectException\n2023-11-14 22:13:20,") ||
			!strings.Contains(got.Copied, "| Label | #Samples |") || !strings.Contains(got.Copied, "| Total | 4000 |") {
			t.Errorf("copied %q", got.Copied)
		}
	})

	t.Run("is quiet and stays at home", func(t *testing.T) {
		// The last word proves that we hear the page at all.
		var heard any
		tb.eval(t, `console.log("the last word"); await wait(100); return null;`, &heard)
		tb.mu.Lock()
		defer tb.mu.Unlock()
		if n := len(tb.messages); n == 0 || !strings.Contains(tb.messages[n-1], "the last word") {
			t.Errorf("console not heard: %q", tb.messages)
		}
		for _, m := range tb.messages {
			if !strings.Contains(m, "the last word") {
				t.Errorf("console: %s", m)
			}
		}
		if len(tb.requests) == 0 {
			t.Error("requests not heard")
		}
		for _, r := range tb.requests {
			if r != page && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") {
				t.Errorf("request to %s", r)
			}
		}
	})
}

// TestPageOnPhone sees that nothing is wider than a small screen.
func TestPageOnPhone(t *testing.T) {
	dir := t.TempDir()
	jtlFile := filepath.Join(dir, "run.jtl")
	writeRun(t, jtlFile)
	if _, err := Generate([]string{jtlFile}, filepath.Join(dir, "report"), DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, "file://"+filepath.Join(dir, "report", "index.html"), 390, 844)
	var over int
	tb.eval(t, `return document.documentElement.scrollWidth - innerWidth;`, &over)
	if over > 0 {
		t.Errorf("the page is %d px wider than the screen", over)
	}
}

// TestManyLabelsInBrowser has tables so long that their ends wait for the first chart,
// and come by themselves then.
func TestManyLabelsInBrowser(t *testing.T) {
	dir := t.TempDir()
	results := filepath.Join(dir, "run.jtl")
	text := []byte("timeStamp,elapsed,label,responseCode,success\n")
	const labels = 300
	for i := range 5 * labels {
		text = fmt.Appendf(text, "%d,%d,label %d,200,true\n", 1_700_000_000_000+int64(i)*20, 10+i%90, i%labels)
	}
	if err := os.WriteFile(results, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Generate([]string{results}, filepath.Join(dir, "report"), DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	tb := openTab(t, "file://"+filepath.Join(dir, "report", "index.html"), 1400, 900)
	var rows struct{ Drawn, Statistics, Apdex, Found int }
	tb.eval(t, `
		for (let i = 0; i < 500 && document.body.classList.contains("loading"); i++) await wait(20);
		const shown = (id) => [...document.querySelector(id).tBodies[1].rows].filter((row) => getComputedStyle(row).display === "table-row").length;
		const rows = { drawn: document.querySelectorAll("[data-drawn]").length, statistics: shown("#statistics-table"), apdex: shown("#apdex-table") };
		const search = document.querySelector("#statistics input[type=search]");
		search.value = "label 29";
		search.dispatchEvent(new Event("input"));
		rows.found = shown("#statistics-table");
		return rows;`, &rows)
	if rows.Drawn == 0 || rows.Statistics != labels || rows.Apdex != labels || rows.Found != 13 {
		t.Errorf("%+v", rows)
	}
	if len(tb.messages) > 0 {
		t.Errorf("the console has %q", tb.messages)
	}
}
