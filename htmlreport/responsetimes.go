package htmlreport

import (
	"fmt"
	"strconv"

	"github.com/gojm/gojm/jtl"
)

const (
	responseTimes  = "Response Times"
	distributionID = "responseTimeDistribution"
	overviewID     = "syntheticResponseTimeDistribution"
)

// responseTimeGraphs are those of JMeter's page "Response Times".
var responseTimeGraphs = []spec{
	{
		id: "responseTimePercentiles", title: "Response Time Percentiles", page: responseTimes,
		x: "Percentiles", y: "Percentile value in ms", discriminates: true,
		series: percentileCurves,
	},
	{
		id: overviewID, title: "Response Time Overview", page: responseTimes,
		x: "Response times ranges", y: "Number of responses", kind: Bars, excludes: true, countsSamples: true,
		series: overview,
	},
	{
		id: "timeVsThreads", title: "Time Vs Threads", page: responseTimes,
		x: "Number of active threads", y: "Average response times in ms", discriminates: true, needs: jtl.ColAllThreads,
		series: timeVsThreads,
	},
	{
		id: distributionID, title: "Response Time Distribution", page: responseTimes,
		x: "Response times in ms", y: "Number of responses", kind: Bars, discriminates: true, granularity: 100,
		series: distribution,
	},
}

// times joins the elapsed times of parts.
func times(parts []*part) *Counter {
	c := new(Counter)
	for _, p := range parts {
		c.Merge(&p.ok)
		c.Merge(&p.failed)
	}
	return c
}

// withEmpty adds the part of empty transactions where transactions count.
func (v *view) withEmpty(l *label, parts []*part) []*part {
	if len(v.kinds) > 1 {
		return append(parts, &l.parts[empty])
	}
	return parts
}

// percentileCurves have a point each tenth of a percent, by nearest rank, over
// all rows: JMeter's rule here, which differs from that of its table.
func percentileCurves(v *view) []Series {
	return v.eachLabel(func(s *Series, l *label, parts []*part) {
		c := times(v.withEmpty(l, parts))
		s.room(1001)
		share, r := 0.0, 0
		for value, n := range c.All {
			share += 100 * float64(n) / float64(c.Count())
			for ; float64(r)/10 < share; r++ {
				s.point(float64(r)/10, float64(value))
			}
		}
	})
}

// overview has four bars: within the thresholds of Apdex, above, and failed.
func overview(v *view) []Series {
	var ok, failed Counter
	for _, l := range v.shown {
		parts, _ := v.counted(l)
		for _, p := range parts {
			ok.Merge(&p.ok)
			failed.Merge(&p.failed)
		}
	}
	t, f := v.opt.Apdex.Satisfied, v.opt.Apdex.Tolerated
	satisfied, upTo := ok.AtMost(t), ok.AtMost(max(t, f))
	bars := []Series{
		{Name: fmt.Sprintf("Requests having \nresponse time <= %sms", grouped(t))},
		{Name: fmt.Sprintf("Requests having \nresponse time > %sms and <= %sms", grouped(t), grouped(f))},
		{Name: fmt.Sprintf("Requests having \nresponse time > %sms", grouped(f))},
		{Name: "Requests in error", Failure: true},
	}
	for i, n := range []int64{satisfied, upTo - satisfied, ok.Count() - upTo, failed.Count()} {
		if n > 0 {
			bars[i].point(float64(i), float64(n))
		}
	}
	return bars
}

// grouped writes n with thousands separated.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// timeVsThreads is the mean time by how many threads were active, and for each
// label the one point of all its means.
func timeVsThreads(v *view) []Series {
	var whole []Series
	all := v.eachLabel(func(s *Series, l *label, parts []*part) {
		joined := make(map[int64]*mean)
		var threads, elapsed mean
		for _, p := range parts {
			threads.merge(&p.threads)
			elapsed.merge(&mean{p.count(), p.ok.Sum() + p.failed.Sum()})
			for n, m := range p.byThreads {
				if joined[n] == nil {
					joined[n] = new(mean)
				}
				joined[n].merge(m)
			}
		}
		for n, m := range ascending(joined) {
			s.point(float64(n), m.value())
		}
		if threads.n > 0 {
			whole = append(whole, Series{Name: s.Name + "-Aggregated", Label: s.Label, Controller: s.Controller, Aggregated: true,
				X: []float64{threads.value()}, Y: []float64{elapsed.value()}})
		}
	})
	return append(all, whole...)
}

// distribution counts elapsed times in steps.
func distribution(v *view) []Series {
	return v.eachLabel(func(s *Series, l *label, parts []*part) {
		counts := make(map[int64]int64)
		for value, n := range times(parts).All {
			counts[bucket(value, v.granularity)] += n
		}
		if len(v.kinds) > 1 {
			for value := range times([]*part{&l.parts[empty]}).All {
				counts[bucket(value, v.granularity)] += 0
			}
		}
		for at, n := range ascending(counts) {
			s.point(float64(at), float64(n))
		}
	})
}
