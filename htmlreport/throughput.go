package htmlreport

import (
	"maps"
	"slices"
	"strings"

	"github.com/gojm/gojm/jtl"
)

const throughput = "Throughput"

// throughputGraphs are those of JMeter's page "Throughput".
var throughputGraphs = []spec{
	{
		id: "hitsPerSecond", title: "Hits Per Second", page: throughput,
		x: "Time", y: "Number of hits / sec", overTime: true, rate: true, excludes: true,
		series: func(v *view) []Series {
			s := Series{Name: "hitsPerSecond"}
			for at, n := range ascending(v.tallies(&v.hits)) {
				s.point(float64(at), v.rate(int64(*n)))
			}
			return []Series{s}
		},
	},
	{
		id: "codesPerSecond", title: "Codes Per Second", page: throughput,
		x: "Time", y: "Number of responses / sec", overTime: true, rate: true, excludes: true,
		series: codesPerSecond,
	},
	{
		id: "transactionsPerSecond", title: "Transactions Per Second", page: throughput,
		x: "Time", y: "Number of transactions / sec", overTime: true, rate: true, discriminates: true,
		series: transactionsPerSecond,
	},
	{
		id: "totalTPS", title: "Total Transactions Per Second", page: throughput,
		x: "Time", y: "Number of transactions / sec", overTime: true, rate: true, discriminates: true,
		series: func(v *view) []Series {
			ok, failed := Series{Name: "Transaction-success"}, Series{Name: "Transaction-failure", Failure: true}
			for at, c := range ascending(v.allCells()) {
				if c.n > c.failed {
					ok.point(float64(at), v.rate(c.n-c.failed))
				}
				if c.failed > 0 {
					failed.point(float64(at), v.rate(c.failed))
				}
			}
			return []Series{ok, failed}
		},
	},
	{
		id: "responseTimeVsRequest", title: "Response Time Vs Request", page: throughput,
		x: "Requests per second", y: "Median Response Time in ms", kind: Points, granularity: 1000, excludes: true, samplesOnly: true,
		series: func(v *view) []Series {
			return v.vsRequest(func(g *vsGroup) ranked { return g.elapsed.values() })
		},
	},
	{
		id: "latencyVsRequest", title: "Latency Vs Request", page: throughput,
		x: "Requests per second", y: "Median Latency in ms", kind: Points, granularity: 1000, excludes: true, samplesOnly: true,
		needs: jtl.ColLatency,
		series: func(v *view) []Series {
			return v.vsRequest(func(g *vsGroup) ranked { return g.latency.values() })
		},
	},
}

func codesPerSecond(v *view) []Series {
	var all []Series
	for _, code := range slices.Sorted(maps.Keys(v.codes)) {
		counts := v.tallies(v.codes[code])
		if len(counts) == 0 {
			continue
		}
		s := Series{Name: code}
		if strings.TrimSpace(code) == "" {
			s.Name = "EMPTY_RES_CODE"
		}
		for at, n := range ascending(counts) {
			s.point(float64(at), v.rate(int64(*n)))
		}
		all = append(all, s)
	}
	return all
}

// transactionsPerSecond has up to two lines a label, of successes and of
// failures. An empty transaction makes its line exist and counts nothing.
func transactionsPerSecond(v *view) []Series {
	var all []Series
	for _, l := range v.shown {
		parts, any := v.counted(l)
		if !any {
			continue
		}
		ok := Series{Name: l.name + "-success", Label: l.name, Controller: l.controller}
		failed := Series{Name: l.name + "-failure", Label: l.name, Controller: l.controller, Failure: true}
		cells := v.cells(parts)
		okAt, failedAt := make(map[int64]int64), make(map[int64]int64)
		for at, c := range cells {
			if c.n > c.failed {
				okAt[at] = c.n - c.failed
			}
			if c.failed > 0 {
				failedAt[at] = c.failed
			}
		}
		if slices.Contains(v.kinds, transaction) {
			for at, c := range v.cells([]*part{&l.parts[empty]}) {
				if c.n > c.failed {
					okAt[at] += 0
				}
				if c.failed > 0 {
					failedAt[at] += 0
				}
			}
		}
		for at, n := range ascending(okAt) {
			ok.point(float64(at), v.rate(n))
		}
		for at, n := range ascending(failedAt) {
			failed.point(float64(at), v.rate(n))
		}
		for _, s := range []Series{ok, failed} {
			if len(s.X) > 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

// vsRequest sets the median of what pick takes against samples in the second.
func (v *view) vsRequest(pick func(*vsGroup) ranked) []Series {
	var all []Series
	for i, name := range []string{"Successes", "Failures"} {
		s := Series{Name: name, Failure: i == 1}
		for n, g := range ascending(v.seconds.groups[i]) {
			s.point(float64(n), v.opt.Estimator.Percentile(50, pick(g)))
		}
		if len(s.X) > 0 {
			all = append(all, s)
		}
	}
	return all
}
