package listener

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/jtl"
)

// GraphOptions say how to read result files and what to draw, by the options of
// jmeter-plugins' command line.
type GraphOptions struct {
	Read   jtl.ReadOptions
	Filter Filter
	// Granulation is the length of an interval, in ms; 0 is the graph's own.
	Granulation int64
	// Aggregate makes one row of all labels.
	Aggregate bool
	// HideLowCounts leaves out means of so many samples or fewer; 0 shows all.
	HideLowCounts int64
	// Percentiles are those of ResponseTimesPercentilesOverTime (property
	// jmeterPlugin.percentilesOverTime); none is 50, 90, 95 and 99.
	Percentiles []float64
}

// graphType is one of the graphs, under the name the plug-ins have for it.
type graphType struct {
	name, title string
	x, y        string
	granulation int64 // ms; 0: there are no intervals
	overTime    bool
	kind        htmlreport.GraphKind
	nested      bool // rows inside others count, too
	ordered     bool // sums of fractions, which depend on the order of rows
	add         func(*rows, *jtl.Row)
	series      func(*rows) []htmlreport.Series
}

const elapsedTime = "Elapsed time"

// The graphs of jmeter-plugins (its wiki, one page each).
var graphTypes = []graphType{
	{name: "ResponseTimesOverTime", title: "Response Times Over Time", x: elapsedTime, y: "Response times in ms", granulation: 500, overTime: true,
		add: meanOf("Overall Response Times", func(r *jtl.Row) int64 { return r.Elapsed }), series: means},
	{name: "LatenciesOverTime", title: "Response Latencies Over Time", x: elapsedTime, y: "Response latencies in ms", granulation: 500, overTime: true,
		nested: true, add: meanOf("Overall Responses Latencies", func(r *jtl.Row) int64 { return r.Latency }), series: means},
	{name: "ConnectTimesOverTime", title: "Connect Times Over Time", x: elapsedTime, y: "Connect times in ms", granulation: 500, overTime: true,
		nested: true, add: meanOf("Overall Connect Times", func(r *jtl.Row) int64 { return r.Connect }), series: means},
	{name: "ThreadsStateOverTime", title: "Active Threads Over Time", x: elapsedTime, y: "Number of active threads", granulation: 500, overTime: true,
		add: addThreads, series: activeThreads},
	{name: "TransactionsPerSecond", title: "Transactions per Second", x: elapsedTime, y: "Number of transactions /sec", granulation: 1000, overTime: true,
		add: addTransaction, series: transactionsPerSecond},
	{name: "HitsPerSecond", title: "Hits per Second", x: elapsedTime, y: "Number of hits /sec", granulation: 1000, overTime: true, nested: true,
		add: func(b *rows, r *jtl.Row) {
			if !r.IsTransaction() {
				b.at("Server Hits per Second", b.bucket(r.Start)).n++
			}
		}, series: rates},
	{name: "ResponseCodesPerSecond", title: "Response Codes per Second", x: elapsedTime, y: "Number of responses /sec", granulation: 1000, overTime: true,
		nested: true,
		add: func(b *rows, r *jtl.Row) {
			if !r.IsTransaction() {
				b.atBytes(r.Code, b.bucket(r.End)).n++
			}
		}, series: rates},
	{name: "BytesThroughputOverTime", title: "Bytes Throughput Over Time", x: elapsedTime, y: "Bytes /sec", granulation: 1000, overTime: true,
		add: func(b *rows, r *jtl.Row) {
			b.at("Bytes Received per Second", b.bucket(r.End)).sum += r.Bytes
			b.at("Bytes Sent per Second", b.bucket(r.End)).sum += r.SentBytes
		}, series: sumRates},
	{name: "ResponseTimesDistribution", title: "Response Times Distribution", x: "Response times in ms", y: "Number of responses", granulation: 100,
		kind: htmlreport.Bars,
		add: func(b *rows, r *jtl.Row) {
			b.atLabel(r, "Overall Response Times", b.bucket(r.Elapsed)).n++
		}, series: counts},
	{name: "ResponseTimesPercentiles", title: "Response Times Percentiles", x: "Percentiles", y: "Percentile value in ms",
		add: func(b *rows, r *jtl.Row) {
			b.rowOf(r, "Overall Response Times").all.Add(r.Elapsed)
		}, series: percentileCurve},
	{name: "ResponseTimesPercentilesOverTime", title: "Response Times Percentiles Over Time", x: elapsedTime, y: "Response times in ms",
		granulation: 30000, overTime: true,
		add: func(b *rows, r *jtl.Row) {
			c := b.atLabel(r, "Overall Response Times", b.bucket(r.End))
			if c.times == nil {
				c.times = new(htmlreport.Counter)
			}
			c.times.Add(r.Elapsed)
		}, series: percentilesOverTime},
	{name: "TimesVsThreads", title: "Response Times vs Threads", x: "Number of active threads", y: "Response times in ms", kind: htmlreport.Points,
		add: func(b *rows, r *jtl.Row) {
			b.vsThreads(r, "Overall Response Times", float64(r.Elapsed))
		}, series: vsThreads, ordered: true},
	{name: "ThroughputVsThreads", title: "Transaction Throughput vs Threads", x: "Number of active threads", kind: htmlreport.Points,
		y: "Number of estimated transactions /sec", ordered: true,
		add: func(b *rows, r *jtl.Row) {
			if r.Elapsed >= 1 {
				b.vsThreads(r, "", float64(threads(r))*1000/float64(r.Elapsed))
			}
		}, series: vsThreads},
	// The collectors of metrics write a value as a sample of so many seconds.
	{name: "PerfMon", title: "Performance Metrics", x: elapsedTime, y: "Performance Metrics", granulation: 1000, overTime: true, add: metric, series: metrics},
	{name: "DbMon", title: "Database Metrics", x: elapsedTime, y: "Database Metrics", granulation: 1000, overTime: true, add: metric, series: metrics},
	{name: "JMXMon", title: "JMX Metrics", x: elapsedTime, y: "JMX Metrics", granulation: 1000, overTime: true, add: metric, series: metrics},
}

// GraphTypes are the names of the graphs.
func GraphTypes() []string {
	var names []string
	for _, g := range graphTypes {
		names = append(names, g.name)
	}
	return names
}

// typeNamed finds a graph by its name; its package and the ending Gui may stand
// with it, as for JMeterPluginsCMD.
func typeNamed(name string) (*graphType, error) {
	short := strings.TrimSuffix(name[strings.LastIndexByte(name, '.')+1:], "Gui")
	i := slices.IndexFunc(graphTypes, func(g graphType) bool { return g.name == short })
	if short == "MergeResults" {
		return nil, errors.New("MergeResults is a command of its own here: gojm merge --align --prefix a- --prefix b- a.jtl b.jtl")
	}
	if i < 0 {
		return nil, fmt.Errorf("no graph %q; there are %s", name, strings.Join(GraphTypes(), ", "))
	}
	return &graphTypes[i], nil
}

// A Graph is a finished one.
type Graph struct {
	htmlreport.Graph
	Sources []Source
}

// ReadGraph makes one of the graphs out of result files, taken as one run. No row
// at all, or none within the filter, is htmlreport.ErrNoSamples.
//
// Means are exact ones; the plug-ins' running ones end in other digits. Three
// graphs differ from theirs: percentiles over time are exact, not estimates; the
// threads of the two Vs Threads graphs are the row's allThreads where the file
// has it, not what the plug-in guesses from groups; names with commas are quoted.
func ReadGraph(name string, paths []string, opt GraphOptions) (*Graph, error) {
	g, err := typeNamed(name)
	if err != nil {
		return nil, err
	}
	if opt.Granulation <= 0 {
		opt.Granulation = g.granulation
	}
	if len(opt.Percentiles) == 0 {
		opt.Percentiles = []float64{50, 90, 95, 99}
	}
	opt.Read.TopOnly = !g.nested
	if g.ordered {
		opt.Read.Workers = 1
	}
	whole := newRows(&opt)
	out := &Graph{Graph: htmlreport.Graph{ID: g.name, Title: g.title, XAxis: g.x, YAxis: g.y, Kind: g.kind, OverTime: g.overTime}}
	if g.granulation > 0 {
		out.Granularity = opt.Granulation
	}
	for _, path := range paths {
		f := opt.Filter
		if err := f.Prepare(path, opt.Read); err != nil {
			return nil, err
		}
		before := whole.implausible
		rep, err := whole.read(path, g, &f)
		if err != nil {
			return nil, err
		}
		out.Sources = append(out.Sources, Source{path, *rep, whole.implausible - before})
	}
	if len(whole.byName) == 0 {
		return nil, noSamples(out.Sources)
	}
	out.Series = g.series(whole)
	slices.SortFunc(out.Series, func(a, b htmlreport.Series) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}
