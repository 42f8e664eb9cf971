package htmlreport

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// barriers runs axe-core on the page in both themes and gives what it takes for
// serious or worse, rule by rule.
func (tb *tab) barriers(t *testing.T) []string {
	t.Helper()
	script, err := os.ReadFile("testdata/axe/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatalf("this test needs axe-core: run npm ci --ignore-scripts in htmlreport/testdata/axe (%v)", err)
	}
	if _, err := chromedp.Run(tb.ctx, chromedp.Evaluate[any](string(script)+"; null")); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Passed int
		Found  []string
	}
	tb.eval(t, `
		const out = { Passed: 0, Found: [] };
		for (const scheme of ["light", "dark"]) {
			document.documentElement.style.colorScheme = scheme;
			await wait(300);
			const r = await axe.run(document);
			out.Passed += r.passes.length;
			for (const v of r.violations) {
				if (v.impact === "serious" || v.impact === "critical") {
					const n = v.nodes[0];
					out.Found.push([scheme, v.id, v.help, v.nodes.length + " times", n.html.slice(0, 200), n.failureSummary].join(" | "));
				}
			}
		}
		return out;`, &got)
	if got.Passed < 40 {
		t.Errorf("only %d rules were looked at", got.Passed)
	}
	return got.Found
}

// axe-core finds nothing serious, with the chart library and without.
func TestPageIsAccessible(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "run.jtl")
	writeRun(t, file)
	writeHealth(t, file)
	opt, err := optionsOf(customProps)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Read([]string{file}, opt)
	if err != nil {
		t.Fatal(err)
	}
	library, err := chartScript()
	if err != nil || library == nil {
		t.Fatalf("the chart library is not built in: run make (%v)", err)
	}
	for name, library := range map[string][]byte{"charts": library, "drawings": nil} {
		t.Run(name, func(t *testing.T) {
			page, err := report.page(library)
			if err != nil {
				t.Fatal(err)
			}
			html := filepath.Join(dir, name+".html")
			if err := os.WriteFile(html, page, 0o600); err != nil {
				t.Fatal(err)
			}
			tb := openTab(t, "file://"+html, 1400, 900)
			if library == nil {
				// The drawings are there: the page's policy lets them through.
				var wide []int
				tb.eval(t, `
					const images = [...document.querySelectorAll("img.drawn")];
					for (const i of images) i.loading = "eager";
					await Promise.all(images.map((i) => i.decode()));
					return images.map((i) => i.naturalWidth);`, &wide)
				if len(wide) != 2*20 || slices.Contains(wide, 0) {
					t.Errorf("widths of drawings: %v", wide)
				}
			} else {
				var drawn any
				tb.eval(t, scrollThrough+"return null;", &drawn)
			}
			if found := tb.barriers(t); len(found) > 0 {
				t.Errorf("barriers:\n%s", strings.Join(found, "\n"))
			}
		})
	}
}
