package htmlreport

import (
	"maps"
	"slices"

	"github.com/gojm/gojm/jtl"
)

const (
	overTime        = "Over Time"
	activeThreadsID = "activeThreadsOverTime"
)

// overTimeGraphs are those of JMeter's page "Over Time".
var overTimeGraphs = []spec{
	{
		id: "responseTimesOverTime", title: "Response Times Over Time", page: overTime,
		x: "Time", y: "Average response time in ms", overTime: true, discriminates: true,
		series: func(v *view) []Series {
			return v.means(func(c *cell) int64 { return c.elapsed })
		},
	},
	{
		id: "responseTimePercentilesOverTime", title: "Response Time Percentiles Over Time (successful responses)", page: overTime,
		x: "Time", y: "Response Time in ms", overTime: true,
		series: percentilesOverTime,
	},
	{
		id: activeThreadsID, title: "Active Threads Over Time", page: overTime,
		x: "Time", y: "Number of active threads", kind: Stacked, overTime: true, needs: jtl.ColGroupThreads,
		series: activeThreads,
	},
	{
		id: "bytesThroughputOverTime", title: "Bytes Throughput Over Time", page: overTime,
		x: "Time", y: "Bytes / sec", overTime: true, rate: true, excludes: true, countsSamples: true, needs: jtl.ColBytes,
		series: bytesThroughput,
	},
	{
		id: "latenciesOverTime", title: "Latencies Over Time", page: overTime,
		x: "Time", y: "Average response latencies in ms", overTime: true, discriminates: true, needs: jtl.ColLatency,
		series: func(v *view) []Series {
			return v.means(func(c *cell) int64 { return c.latency })
		},
	},
	{
		id: "connectTimeOverTime", title: "Connect Time Over Time", page: overTime,
		x: "Time", y: "Average Connect Time in ms", overTime: true, discriminates: true, needs: jtl.ColConnect,
		series: func(v *view) []Series {
			if !v.opt.Connect {
				return nil
			}
			return v.means(func(c *cell) int64 { return c.connect })
		},
	},
}

// means is a line a label: the mean of what pick takes, by end time.
func (v *view) means(pick func(*cell) int64) []Series {
	return v.eachLabel(func(s *Series, l *label, parts []*part) {
		cells := v.cells(parts)
		s.room(len(cells))
		for _, c := range cells {
			s.point(float64(c.at), c.value.mean(pick(&c.value)))
		}
	})
}

// momentsOf yields the moments at the granularity of the graph, in order.
func (v *view) momentsOf(yield func(at int64, m *moment) bool) {
	cells := v.seconds.moments.cells
	for len(cells) > 0 {
		at, m := bucket(cells[0].at, v.granularity), &cells[0].value
		n := 1
		for n < len(cells) && bucket(cells[n].at, v.granularity) == at {
			n++
		}
		if n > 1 {
			m = new(moment)
			for i := range cells[:n] {
				m.mergeCopy(&cells[i].value)
			}
		}
		if !yield(at, m) {
			return
		}
		cells = cells[n:]
	}
}

// percentilesOverTime tells of successful samples only.
func percentilesOverTime(v *view) []Series {
	names := v.opt.PercentileNames
	all := []Series{{Name: "Min"}, {Name: "Max"}, {Name: "Median"}}
	for _, n := range names {
		all = append(all, Series{Name: n + "th percentile"})
	}
	var windows timeline[window, *window]
	windows.mergeFolded(&v.windows, v.granularity)
	for at, m := range v.momentsOf {
		if m.ok.Count() == 0 {
			continue
		}
		var values ranked = &m.ok
		if i := windows.find(at); i >= 0 {
			values = &windows.cells[i].value
		}
		x := float64(at)
		all[0].point(x, float64(m.ok.Min()))
		all[1].point(x, float64(m.ok.Max()))
		all[2].point(x, v.opt.Estimator.Percentile(50, values))
		for i, q := range v.opt.Percentiles {
			// JMeter holds the number in a float, here only.
			all[3+i].point(x, v.opt.Estimator.Percentile(float64(float32(q)), values))
		}
	}
	return all
}

// activeThreads is the mean of grpThreads, an area a thread group.
func activeThreads(v *view) []Series {
	var all []Series
	for _, name := range slices.Sorted(maps.Keys(v.groups)) {
		means := ofKinds(v, v.groups[name])
		if len(means.cells) == 0 {
			continue
		}
		s := Series{Name: seriesName(name)}
		for _, m := range means.inOrder() {
			s.point(float64(m.at), m.value.value())
		}
		all = append(all, s)
	}
	return all
}

func bytesThroughput(v *view) []Series {
	received, sent := Series{Name: "Bytes received per second"}, Series{Name: "Bytes sent per second"}
	for _, c := range v.allCells() {
		received.point(float64(c.at), v.rate(c.value.bytes))
		sent.point(float64(c.at), v.rate(c.value.sent))
	}
	if !v.has(jtl.ColSentBytes) {
		return []Series{received}
	}
	return []Series{received, sent}
}
