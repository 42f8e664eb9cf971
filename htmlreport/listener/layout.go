package listener

import (
	"math"
	"strconv"
	"strings"
)

// A Layout is a table of JMeter's or of the plug-ins': its columns, and how CSV
// writes them.
type Layout struct {
	Name    string
	columns []column
	ordered bool // figures depend on the order of rows
}

// The layouts. Full has the columns of all of them.
var (
	Full = Layout{Name: "Full", columns: []column{label, samples, average, median, line(0), line(1), line(2), least, most,
		errorPct(3), throughput(5), received(fixed, 2), sent, stdDev}}
	// AggregateReport and SummaryReport are what "Save Table Data" of JMeter's
	// listeners writes (manual, "Listeners").
	AggregateReport = Layout{Name: "AggregateReport", columns: []column{label, samples, average, median, line(0), line(1), line(2),
		least, most, errorPct(3), throughput(5), received(fixed, 2), sent}}
	SummaryReport = Layout{Name: "SummaryReport", ordered: true, columns: []column{label, samples, average, least, most, stdDev,
		errorPct(3), summaryThroughput, summaryReceived, summarySent, avgBytes}}
	// PluginAggregateReport and SynthesisReport are the CSV of jmeter-plugins.
	PluginAggregateReport = Layout{Name: "AggregateReport", columns: []column{label, samples, average, median, line(0), line(1), line(2),
		least, most, errorPct(2), throughput(1), received(noZero, 1), stdDev}}
	SynthesisReport = Layout{Name: "SynthesisReport", columns: []column{label, samples, average, least, most, line(0), stdDev,
		errorPct(2), throughput(1), received(fixed, 2), avgBytes}}
)

// column is one of a table's: what CSV says and what the number is.
type column struct {
	name  string
	key   string // in JSON
	nth   int    // of the percentile lines: which, from 1
	text  func(*Line) string
	value func(*Line) float64
	// screen is how it reads on the terminal, where that differs.
	screen func(*Line) string
}

var (
	label   = column{name: "Label", key: "label", text: func(l *Line) string { return l.Label }}
	samples = number("# Samples", "samples", func(l *Line) int64 { return l.Samples })
	average = column{name: "Average", key: "average",
		text: func(l *Line) string { return whole(int64(l.Average)) }, value: func(l *Line) float64 { return l.Average }}
	median   = number("Median", "median", func(l *Line) int64 { return l.Median })
	least    = number("Min", "min", func(l *Line) int64 { return l.Min })
	most     = number("Max", "max", func(l *Line) int64 { return l.Max })
	stdDev   = decimal("Std. Dev.", "stdDev", fixed, 2, func(l *Line) float64 { return l.StdDev })
	sent     = decimal("Sent KB/sec", "sentKBPerSec", fixed, 2, func(l *Line) float64 { return l.SentKB })
	avgBytes = decimal("Avg. Bytes", "avgBytes", noZero, 1, func(l *Line) float64 { return l.AvgBytes })

	summaryThroughput = rate(5, func(l *Line) float64 { return l.summary.throughput })
	summaryReceived   = decimal("Received KB/sec", "receivedKBPerSec", fixed, 2, func(l *Line) float64 { return l.summary.receivedKB })
	summarySent       = decimal("Sent KB/sec", "sentKBPerSec", fixed, 2, func(l *Line) float64 { return l.summary.sentKB })
)

func number(name, key string, of func(*Line) int64) column {
	return column{name: name, key: key,
		text:  func(l *Line) string { return whole(of(l)) },
		value: func(l *Line) float64 { return float64(of(l)) }}
}

func decimal(name, key string, format func(float64, int) string, digits int, of func(*Line) float64) column {
	return column{name: name, key: key, value: of,
		text:   func(l *Line) string { return format(of(l), digits) },
		screen: func(l *Line) string { return fixed(of(l), digits) }}
}

func line(i int) column {
	c := number("", "", func(l *Line) int64 { return l.Percentiles[i] })
	c.nth = i + 1
	return c
}

func errorPct(digits int) column {
	return column{name: "Error %", key: "errorPct",
		text:   func(l *Line) string { return fixed(l.ErrorPct, digits) + "%" },
		screen: func(l *Line) string { return fixed(l.ErrorPct, 2) + "%" },
		value:  func(l *Line) float64 { return l.ErrorPct }}
}

func received(format func(float64, int) string, digits int) column {
	return decimal("Received KB/sec", "receivedKBPerSec", format, digits, func(l *Line) float64 { return l.ReceivedKB })
}

func throughput(digits int) column {
	return rate(digits, func(l *Line) float64 { return l.Throughput })
}

func rate(digits int, of func(*Line) float64) column {
	return column{name: "Throughput", key: "throughput", value: of,
		text:   func(l *Line) string { return noZero(of(l), digits) },
		screen: func(l *Line) string { return perUnit(of(l)) }}
}

// perUnit is a rate as JMeter's tables show it: in the unit in which it is 1 at least.
func perUnit(perSecond float64) string {
	switch {
	case math.IsInf(perSecond, 1):
		return "∞"
	case perSecond >= 1:
		return fixed(perSecond, 1) + "/sec"
	case perSecond*60 >= 1:
		return fixed(perSecond*60, 1) + "/min"
	}
	return fixed(perSecond*3600, 1) + "/hour"
}

// Headings are the names of the columns.
func (t *Table) Headings() []string {
	var names []string
	for _, c := range t.options.Layout.columns {
		if c.nth > 0 {
			c.name = t.options.PercentileNames[c.nth-1] + "% Line"
		}
		names = append(names, c.name)
	}
	return names
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

func fixed(f float64, digits int) string { return strconv.FormatFloat(f, 'f', digits, 64) }

// noZero is fixed without a zero in front of the point, as Java's pattern "#.0".
func noZero(f float64, digits int) string {
	if math.IsInf(f, 1) {
		return "∞"
	}
	text := fixed(f, digits)
	if rest, ok := strings.CutPrefix(text, "0."); ok {
		return "." + rest
	}
	return text
}
