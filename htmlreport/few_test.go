package htmlreport

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const fewHeader = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,sentBytes,grpThreads,allThreads,Latency,Connect\n"

// openResults opens the page of a result file in a browser.
func openResults(t *testing.T, text string, width int64) *tab {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "run.jtl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Generate([]string{file}, filepath.Join(dir, "report"), DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	return openTab(t, "file://"+filepath.Join(dir, "report", "index.html"), width, 900)
}

// What "Generate parent sample" leaves are transactions only: the page counts them where
// there is no sample, and does not call the run a success.
func TestFailedTransactionsOnly(t *testing.T) {
	text := []byte(fewHeader)
	for i := range 40 {
		text = fmt.Appendf(text, "%d,5,TX,200,\"Number of samples in transaction : 1, number of failing samples : %d\",g 1-1,%t,1,1,1,1,1,1\n",
			1_700_000_000_000+i*1000, index(i%10 == 0), i%10 != 0)
	}
	tb := openResults(t, string(text), 1400)
	var got struct{ Errors, Label, Bar string }
	tb.eval(t, scrollThrough+`
		const svg = document.querySelector(".passfail svg");
		return {
			Errors: document.getElementById("errors").textContent.replace(/\s+/g, " "),
			Label: svg.getAttribute("aria-label"),
			Bar: [...svg.querySelectorAll("rect")].map((r) => [r.x.baseVal.value, r.width.baseVal.value]).join(),
		};`, &got)
	for _, want := range []string{"PASS 90.00%", "FAIL 10.00% of 40 transactions", "No samples: this file has rows of transactions only. 4 of them failed"} {
		if !strings.Contains(got.Errors, want) {
			t.Errorf("no %q in %q", want, got.Errors)
		}
	}
	if strings.Contains(got.Errors, "No failed samples") || got.Label != "90.00% passed, 10.00% failed" || got.Bar != "0,100,90,10" {
		t.Errorf("%+v", got)
	}
	if len(tb.messages) > 0 {
		t.Errorf("the console has %q", tb.messages)
	}
}

// Without any row that counts there is no bar.
func TestNoBarOfNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.jtl")
	text := fewHeader + "1700000000000,5,TX,200,\"Number of samples in transaction : 0, number of failing samples : 0\",g 1-1,true,1,1,1,1,1,1\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Read([]string{file}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	page, err := r.page(nil)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(page, []byte("PASS ")) || bytes.Contains(page, []byte(`x=""`)) || !bytes.Contains(page, []byte("rows of transactions only.")) {
		t.Errorf("%s", page)
	}
}

// A single row is a point in the second around it.
func TestOneRowInBrowser(t *testing.T) {
	tb := openResults(t, fewHeader+"1700000000500,131,single,200,OK,g 1-1,true,607,478,1,1,87,3\n", 1400)
	var got map[string]struct {
		Span   [2]float64
		Points []float64
	}
	tb.eval(t, scrollThrough+`
		const out = {};
		for (const c of report.charts.filter((c) => c.time && c.kind !== "heat")) {
			const chart = echarts.getInstanceByDom(document.querySelector("#" + c.id + " .canvas"));
			const option = chart.getOption();
			const extent = chart.getModel().getComponent("xAxis").axis.scale.getExtent().map((x) => x - zoneShift());
			out[c.id] = { Span: extent, Points: option.series.filter((s) => s.showSymbol && (typeof s.symbolSize !== "function" || s.symbolSize(s.data[0]) > 0)).map((s) => s.data[0][1]) };
		}
		return out;`, &got)
	if len(got) != 1+10 {
		t.Errorf("%d graphs over time", len(got))
	}
	for id, c := range got {
		if c.Span != [2]float64{1_699_999_999_000, 1_700_000_001_000} || len(c.Points) == 0 {
			t.Errorf("%s: %+v", id, c)
		}
	}
	if p := got["glance"].Points; len(p) != 7 {
		t.Errorf("at a glance shows %v", p)
	}
	if len(tb.messages) > 0 {
		t.Errorf("the console has %q", tb.messages)
	}
}

// Both panes at a glance span the same time, also where one has nothing to tell at the ends.
func TestPanesSpanTheSame(t *testing.T) {
	text := []byte(fewHeader)
	text = fmt.Append(text, "1699999990000,5,early,200,OK,g 1-1,true,1,1,1,1,1,1\n")
	for i := range 1200 {
		text = fmt.Appendf(text, "%d,%d,a,200,OK,g 1-1,true,1,1,1,1,1,1\n", 1_700_000_000_000+i*100, 5+i%90)
	}
	tb := openResults(t, string(text), 1400)
	var got struct {
		Ends    []*float64
		Extents [][2]float64
	}
	tb.eval(t, scrollThrough+`
		const model = echarts.getInstanceByDom(document.querySelector("#glance .canvas")).getModel();
		return {
			Ends: report.charts[0].series.find((s) => s.n === "Median").y.slice(0, 1),
			Extents: [0, 1].map((i) => model.getComponent("xAxis", i).axis.scale.getExtent()),
		};`, &got)
	if len(got.Ends) != 1 || got.Ends[0] != nil {
		t.Fatalf("the first median is told: %v", got.Ends)
	}
	if len(got.Extents) != 2 || got.Extents[0] != got.Extents[1] || got.Extents[0][1]-got.Extents[0][0] < 120_000 {
		t.Errorf("the panes span %v", got.Extents)
	}
}
