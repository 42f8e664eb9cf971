package listener

import (
	"bufio"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// WriteCSV writes the graph as jmeter-plugins do: a line for each x, in which a
// cell is empty where a row has no point. Times are those of a clock at loc.
func (g *Graph) WriteCSV(w io.Writer, loc *time.Location) error {
	var xs []float64
	for _, s := range g.Series {
		xs = append(xs, s.X...)
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)

	out := bufio.NewWriter(w)
	fields := []string{g.XAxis}
	for _, s := range g.Series {
		fields = append(fields, s.Name)
	}
	writeCSVRow(out, fields)
	next := make([]int, len(g.Series))
	for _, x := range xs {
		fields = append(fields[:0], g.xText(x, loc))
		for i, s := range g.Series {
			cell := ""
			if j := next[i]; j < len(s.X) && s.X[j] == x {
				cell = javaDouble(s.Y[j])
				next[i]++
			}
			fields = append(fields, cell)
		}
		writeCSVRow(out, fields)
	}
	return out.Flush()
}

func (g *Graph) xText(x float64, loc *time.Location) string {
	switch {
	case g.OverTime: // Java's HH:mm:ss.S, whose S is not filled up with zeros
		t := time.UnixMilli(int64(x)).In(loc)
		return t.Format("15:04:05.") + strconv.Itoa(t.Nanosecond()/1e6)
	case g.ID == "ResponseTimesPercentiles":
		return javaDouble(x / 10)
	}
	return strconv.FormatInt(int64(x), 10)
}

// javaDouble writes a number as Java's Double.toString.
func javaDouble(f float64) string {
	switch abs := math.Abs(f); {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case abs == 0 || abs >= 1e-3 && abs < 1e7:
		text := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	}
	digits, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if !strings.Contains(digits, ".") {
		digits += ".0"
	}
	n, _ := strconv.Atoi(exp)
	return digits + "E" + strconv.Itoa(n)
}
