package htmlreport

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Long labels wrap in every table, blank ones are told apart, what is left out is said,
// and legends end with a whole line.
func TestLongLabelsInBrowser(t *testing.T) {
	text := []byte(fewHeader)
	long := strings.Repeat("x", 400)
	labels := []string{"", "   ", long}
	for i := range 12 {
		labels = append(labels, fmt.Sprintf("label %02d with a longer name", i))
	}
	const rows = 1500
	for i := range rows {
		text = fmt.Appendf(text, "%d,%d,%s,%d,OK,g 1-1,%t,1,1,1,1,1,1\n", 1_700_000_000_000+i*100, 5+i%90, labels[i%len(labels)], 200+300*(i%2), i%2 == 0)
	}
	tb := openResults(t, string(text), 1400)
	var got struct {
		Wide            []string
		Statistics, Few []string
		Failures        string
		Cut             []string
	}
	const look = scrollThrough + `
		const out = { Cut: [] };
		const labels = (id) => [...document.getElementById(id).tBodies].at(-1).rows;
		out.Wide = [...document.querySelectorAll(".scroll")].filter((s) => innerWidth > 1000 && s.scrollWidth > s.clientWidth + 1).map((s) => s.getAttribute("aria-label"));
		out.Statistics = [...labels("statistics-table")].map((r) => r.querySelector("button.label").textContent).filter((l) => l.startsWith("("));
		out.Few = [...new Set([...labels("failures-table")].map((r) => r.cells[3].textContent).filter((l) => l.startsWith("(")))];
		out.Failures = document.getElementById("failures-table").closest(".scroll").nextElementSibling?.textContent ?? "";
		for (const list of document.querySelectorAll(".legend")) {
			const end = list.getBoundingClientRect().bottom;
			for (const e of list.children) {
				const r = e.getBoundingClientRect();
				if (r.top < end - 1 && r.bottom > end + 1) out.Cut.push(list.getAttribute("aria-label") + ": " + e.textContent);
			}
		}
		return out;`
	tb.eval(t, look, &got)
	if len(got.Wide) > 0 {
		t.Errorf("wider than the screen: %q", got.Wide)
	}
	slices.Sort(got.Few)
	blank := []string{"(blank)", "(blank, 3 long)"}
	if !slices.Equal(got.Statistics, blank) || !slices.Equal(got.Few, blank) {
		t.Errorf("blank labels are %q and among failures %q", got.Statistics, got.Few)
	}
	if got.Failures != "700 later ones are left out here." {
		t.Errorf("below the first failures: %q", got.Failures)
	}
	if len(got.Cut) > 0 {
		t.Errorf("legends cut %q", got.Cut)
	}
	phone := openTab(t, tb.url, 390, 844)
	phone.eval(t, look, &got)
	if len(got.Cut) > 0 {
		t.Errorf("on a phone legends cut %q", got.Cut)
	}
}

// A page that tells more about how it was computed fits on a phone too.
func TestManySamplesOnPhone(t *testing.T) {
	text := []byte("timeStamp,elapsed,label,success\n")
	for i := range 20_100 {
		text = fmt.Appendf(text, "%d,%d,a,true\n", 1_700_000_000_000+i*10, i%90)
	}
	tb := openResults(t, string(text), 390)
	var got struct {
		Over int
		Told bool
	}
	tb.eval(t, `return { Over: document.documentElement.scrollWidth - document.documentElement.clientWidth,
		Told: document.getElementById("computed").textContent.includes("statistic_window=20000") };`, &got)
	if got.Over > 0 || !got.Told {
		t.Errorf("%+v", got)
	}
}
