package htmlreport

import (
	"math"
)

// Row is a line of the statistics table.
type Row struct {
	Label      string
	Controller bool // of transactions
	Samples    int64
	Errors     int64
	// ErrorPct, Mean and the percentiles are NaN without samples.
	ErrorPct    float64
	Mean        float64    // ms
	Min, Max    int64      // ms
	Median      float64    // ms
	Percentiles [3]float64 // ms
	// Rates are per second over the time from the first start to the last end;
	// Inf when that is no time at all.
	Throughput float64
	ReceivedKB float64 // 1024 bytes
	SentKB     float64
	// TimeShare is the part, 0 to 1, that the label has in the time of all
	// labels of its kind together.
	TimeShare float64
	Start     int64 // epoch ms of the first start
	End       int64 // and of the last end
}

func (t *totals) row(name string, opt *Options) Row {
	n := t.ok.Count() + t.failed.Count()
	r := Row{
		Label: name, Samples: n, Errors: t.failed.Count(),
		ErrorPct: float64(t.failed.Count()) * 100 / float64(n),
		Start:    t.minStart, End: t.maxEnd,
	}
	if n == 0 {
		r.Start, r.End = 0, 0
		nan := math.NaN()
		r.ErrorPct, r.Mean, r.Median, r.Percentiles = nan, nan, nan, [3]float64{nan, nan, nan}
		return r
	}
	var all Counter
	all.Merge(&t.ok)
	all.Merge(&t.failed)
	var values ranked = &all
	if t.newest != nil {
		values = t.newest
	}
	r.Mean = float64(all.Sum()) / float64(n)
	r.Min, r.Max = all.Min(), all.Max()
	r.Median = opt.Estimator.Percentile(50, values)
	for i, q := range opt.Percentiles {
		r.Percentiles[i] = opt.Estimator.Percentile(q, values)
	}
	r.Throughput = t.perSecond(float64(n))
	r.ReceivedKB = t.perSecond(float64(t.bytes)) / 1024
	r.SentKB = t.perSecond(float64(t.sent)) / 1024
	return r
}
