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

// sparkline is the path of a small line in a box of 100 by 20; gaps stay gaps.
func sparkline(values []float64) string {
	const width, height, most = 100, 20, 60
	if per := (len(values) + most - 1) / most; per > 1 {
		var joined []float64
		for i := 0; i < len(values); i += per {
			sum, n := 0.0, 0
			for _, v := range values[i:min(i+per, len(values))] {
				if !math.IsNaN(v) {
					sum, n = sum+v, n+1
				}
			}
			joined = append(joined, sum/float64(n))
		}
		values = joined
	}
	top := 0.0
	for _, v := range values {
		if v > top {
			top = v
		}
	}
	if top == 0 || len(values) < 2 {
		return ""
	}
	var path strings.Builder
	pen := false
	for i, v := range values {
		if math.IsNaN(v) {
			pen = false
			continue
		}
		op := "M"
		if pen {
			op = "L"
		}
		pen = true
		fmt.Fprintf(&path, "%s%.4g %.3g", op, float64(i)*width/float64(len(values)-1), height-1-(height-2)*v/top)
	}
	return path.String()
}
