package htmlreport

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Numbers as the page shows them: thousands apart, and three figures where more
// would be noise. The exact value is in the cell's data-v.

const none = "–"

func figures(f float64) string {
	switch abs := math.Abs(f); {
	case math.IsNaN(f):
		return none
	case math.IsInf(f, 0):
		return "∞"
	case abs >= 99.95 || f == math.Trunc(f):
		return grouped(int64(math.Round(f)))
	case abs >= 9.995:
		return strconv.FormatFloat(f, 'f', 1, 64)
	case abs >= 0.0995:
		return strconv.FormatFloat(f, 'f', 2, 64)
	default:
		return strconv.FormatFloat(f, 'g', 2, 64)
	}
}

func percent(f float64) string {
	if math.IsNaN(f) {
		return none
	}
	return strconv.FormatFloat(f, 'f', 2, 64) + "%"
}

// exact is the value for scripts.
func exact(f float64) string {
	if math.IsNaN(f) {
		return ""
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// span writes a length of time.
func span(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case ms < 1000:
		return fmt.Sprintf("%d ms", ms)
	case ms < 60_000:
		return strings.TrimSuffix(strconv.FormatFloat(d.Seconds(), 'f', 1, 64), ".0") + " s"
	}
	d = d.Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	var parts []string
	for _, p := range []struct {
		n    int
		unit string
	}{{h / 24, "d"}, {h % 24, "h"}, {m, "min"}, {s, "s"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.unit))
		}
	}
	return strings.Join(parts, " ")
}

// sparkline is the path of a small line over time in a box of 100 by 20, with the
// breaks of the large ones. It is of the means of some parts of the run.
func sparkline(at, values []float64, pauses []Pause, step int64) string {
	const width, height, most = 100, 20, 60
	if len(at) < 2 {
		return ""
	}
	begin, length := at[0], at[len(at)-1]-at[0]
	type mark struct{ part, x, sum, n, first, last float64 }
	var marks []mark
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		x := (at[i] - begin) / length
		part := math.Floor(x * most)
		if len(marks) == 0 || marks[len(marks)-1].part != part {
			marks = append(marks, mark{part: part, first: at[i]})
		}
		m := &marks[len(marks)-1]
		m.x, m.sum, m.n, m.last = m.x+x, m.sum+v, m.n+1, at[i]
	}
	top := 0.0
	for _, m := range marks {
		top = max(top, m.sum/m.n)
	}
	if top == 0 {
		return ""
	}
	var path strings.Builder
	for i, m := range marks {
		op := "L"
		if i == 0 || paused(pauses, marks[i-1].last, m.first, step) {
			op = "M"
		}
		fmt.Fprintf(&path, "%s%.4g %.3g", op, m.x/m.n*width, height-1-(height-2)*m.sum/m.n/top)
		if op == "M" { // so that one that stands alone is seen
			path.WriteString("h0")
		}
	}
	return path.String()
}
