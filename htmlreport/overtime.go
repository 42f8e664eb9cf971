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
		x: "Time", y: "Bytes / sec", overTime: true, rate: true, excludes: true, needs: jtl.ColBytes,
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
		for at, c := range ascending(v.cells(parts)) {
			s.point(float64(at), float64(pick(c))/float64(c.n))
		}
	})
}

// percentilesOverTime tells of successful samples only.
func percentilesOverTime(v *view) []Series {
	names := v.opt.PercentileNames
	all := []Series{{Name: "Min"}, {Name: "Max"}, {Name: "Median"}}
	for _, n := range names {
		all = append(all, Series{Name: n + "th percentile"})
	}
	for at, m := range ascending(v.moments.folded(v.granularity)) {
		if m.ok.n == 0 {
			continue
		}
		var values ranked = &m.ok
		if m.newest != nil {
			values = m.newest
		}
		x := float64(at)
		all[0].point(x, float64(m.ok.min))
		all[1].point(x, float64(m.ok.max))
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
		joined := make(map[int64]*mean)
		for _, k := range v.kinds {
			for at, m := range v.groups[name][k].cells {
				key := bucket(at, v.granularity)
				if joined[key] == nil {
					joined[key] = new(mean)
				}
				joined[key].merge(m)
			}
		}
		if len(joined) == 0 {
			continue
		}
		s := Series{Name: seriesName(name)}
		for at, m := range ascending(joined) {
			s.point(float64(at), m.value())
		}
		all = append(all, s)
	}
	return all
}

func bytesThroughput(v *view) []Series {
	received, sent := Series{Name: "Bytes received per second"}, Series{Name: "Bytes sent per second"}
	for at, c := range ascending(v.allCells()) {
		received.point(float64(at), v.rate(c.bytes))
		sent.point(float64(at), v.rate(c.sent))
	}
	if !v.has(jtl.ColSentBytes) {
		return []Series{received}
	}
	return []Series{received, sent}
}
