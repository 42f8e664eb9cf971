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
		x: "Time", y: "Number of hits / sec", overTime: true, rate: true, excludes: true, countsSamples: true,
		series: func(v *view) []Series {
			s := Series{Name: "hitsPerSecond"}
			s.rates(v, ofKinds(v, &v.hits))
			return []Series{s}
		},
	},
	{
		id: "codesPerSecond", title: "Codes Per Second", page: throughput,
		x: "Time", y: "Number of responses / sec", overTime: true, rate: true, excludes: true, countsSamples: true,
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
			var t outcomes
			t.count(v.allCells(), 1)
			if slices.Contains(v.kinds, transaction) {
				for _, l := range v.shown {
					t.count(v.cells([]*part{&l.parts[empty]}), 0)
				}
			}
			ok, failed := Series{Name: "Transaction-success"}, Series{Name: "Transaction-failure", Failure: true}
			ok.rates(v, &t.passes)
			failed.rates(v, &t.failures)
			return []Series{ok, failed}
		},
	},
	{
		id: "responseTimeVsRequest", title: "Response Time Vs Request", page: throughput,
		x: "Requests per second", y: "Median Response Time in ms", kind: Points, granularity: 1000, excludes: true, countsSamples: true,
		series: func(v *view) []Series {
			return v.vsRequest(func(g *vsGroup) ranked { return g.elapsed.values() })
		},
	},
	{
		id: "latencyVsRequest", title: "Latency Vs Request", page: throughput,
		x: "Requests per second", y: "Median Latency in ms", kind: Points, granularity: 1000, excludes: true, countsSamples: true,
		needs: jtl.ColLatency,
		series: func(v *view) []Series {
			return v.vsRequest(func(g *vsGroup) ranked { return g.latency.values() })
		},
	},
}

func codesPerSecond(v *view) []Series {
	var all []Series
	for _, code := range slices.Sorted(maps.Keys(v.codes)) {
		counts := ofKinds(v, v.codes[code])
		if len(counts.cells) == 0 {
			continue
		}
		s := Series{Name: code}
		if strings.TrimSpace(code) == "" {
			s.Name = "EMPTY_RES_CODE"
		}
		s.rates(v, counts)
		all = append(all, s)
	}
	return all
}

// rates adds what was counted, by second.
func (s *Series) rates(v *view, counts *timeline[tally, *tally]) {
	s.room(len(counts.cells))
	for _, n := range counts.inOrder() {
		s.point(float64(n.at), v.rate(int64(n.value)))
	}
}

// outcomes are passes and failures over time.
type outcomes struct{ passes, failures timeline[tally, *tally] }

// count adds cells. With weight 0 they only make a point.
func (t *outcomes) count(cells []timed[cell], weight int64) {
	for _, c := range cells {
		if passed := c.value.n - c.value.failed; passed > 0 {
			n, _ := t.passes.at(c.at)
			*n += tally(passed * weight)
		}
		if c.value.failed > 0 {
			n, _ := t.failures.at(c.at)
			*n += tally(c.value.failed * weight)
		}
	}
}

// transactionsPerSecond has up to two lines a label, of successes and of
// failures. An empty transaction makes its line exist and counts nothing.
func transactionsPerSecond(v *view) []Series {
	var all []Series
	for _, l := range v.lines {
		parts, any := v.counted(l)
		if !any {
			continue
		}
		ok := Series{Name: l.name + "-success", Label: l.name, Controller: v.controller(l.outcomes[0].controller)}
		failed := Series{Name: l.name + "-failure", Label: l.name, Controller: v.controller(l.outcomes[1].controller), Failure: true}
		var t outcomes
		t.count(v.cells(parts), 1)
		if slices.Contains(v.kinds, transaction) {
			t.count(v.cells([]*part{&l.parts[empty]}), 0)
		}
		ok.rates(v, &t.passes)
		failed.rates(v, &t.failures)
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
	groups := v.seconds.groups
	if len(v.none) > 0 && v.seconds.whole != nil {
		groups = *v.seconds.whole
	}
	for i, name := range []string{"Successes", "Failures"} {
		s := Series{Name: name, Failure: i == 1}
		for n, g := range ascending(groups[i]) {
			s.point(float64(n), v.opt.Estimator.Percentile(50, pick(g)))
		}
		if len(s.X) > 0 {
			all = append(all, s)
		}
	}
	return all
}
