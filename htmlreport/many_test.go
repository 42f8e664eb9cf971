package htmlreport

import (
	"fmt"
	"strings"
	"testing"
)

// TestManyLabels has an id in each label: the page stays one that opens, tells what
// it leaves out, and leaves out nothing of the sums.
func TestManyLabels(t *testing.T) {
	opt := DefaultOptions()
	const n = maxListed + 500
	rows := rowsOf(n, 100)
	s := newShard(&opt, newSeconds(&opt))
	for i, r := range rows {
		r.Label, r.Message, r.Elapsed = fmt.Appendf(nil, "/order/%d", i), []byte("OK"), int64(i)
		if err := s.add(r); err != nil {
			t.Fatal(err)
		}
	}
	s.finish()
	r := build(s, &opt, source(t))
	if len(r.Rows) != n || r.Total.Samples != n {
		t.Errorf("%d lines, %d samples, want %d", len(r.Rows), r.Total.Samples, n)
	}
	for _, g := range r.Graphs {
		switch {
		case len(g.Series) > 2*maxDrawn:
			t.Errorf("%s has %d series", g.ID, len(g.Series))
		case g.ID == "responseTimesOverTime":
			if len(g.Series) != maxDrawn || g.Series[0].Label != fmt.Sprintf("/order/%d", n-1) {
				t.Errorf("%d series, the first is that of %s", len(g.Series), g.Series[0].Label)
			}
		case g.ID == overviewID:
			sum := 0.0
			for _, s := range g.Series {
				for _, y := range s.Y {
					sum += y
				}
			}
			if sum != n {
				t.Errorf("%s counts %v of %d", g.ID, sum, n)
			}
		}
	}
	page, err := r.page(nil)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(page), `<tr data-kind=`); lines != maxListed {
		t.Errorf("the table has %d lines, want %d", lines, maxListed)
	}
	for _, want := range []string{"Graphs show at most 500 of the 2,500 labels", "Tables show 2,000 of the 2,500 labels"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
