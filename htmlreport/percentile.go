package htmlreport

import (
	"fmt"
	"math"
	"slices"
)

// An Estimator is a rule that makes a percentile out of sorted values: the
// estimation types of Hyndman and Fan under the names that commons-math gives
// them, as in JMeter's property backend_metrics_percentile_estimator.
type Estimator uint8

// The rules that JMeter accepts. Legacy, its default, takes position p(n+1) and
// interpolates between neighbours.
const (
	Legacy Estimator = iota
	R1
	R2
	R3
	R4
	R5
	R6
	R7
	R8
	R9
)

var estimatorNames = []string{"LEGACY", "R_1", "R_2", "R_3", "R_4", "R_5", "R_6", "R_7", "R_8", "R_9"}

// ParseEstimator reads JMeter's name of a rule.
func ParseEstimator(name string) (Estimator, error) {
	i := slices.Index(estimatorNames, name)
	if i < 0 {
		return 0, fmt.Errorf("%q is not one of %v", name, estimatorNames)
	}
	return Estimator(i), nil
}

func (e Estimator) String() string { return estimatorNames[e] }

// ranked are values that can be asked for by rank.
type ranked interface {
	Count() int64
	Kth(k int64) float64 // k-th smallest, from 1
}

// Percentile returns the q-th percentile (0 < q <= 100), NaN of nothing.
func (e Estimator) Percentile(q float64, values ranked) float64 {
	p := q / 100
	count := values.Count()
	switch count {
	case 0:
		return math.NaN()
	case 1:
		return values.Kth(1)
	}
	n := float64(count)
	at := func(pos float64) float64 {
		switch floor := math.Floor(pos); {
		case pos < 1:
			return values.Kth(1)
		case pos >= n:
			return values.Kth(count)
		default:
			lower, upper := values.Kth(int64(floor)), values.Kth(int64(floor)+1)
			return lower + (pos-floor)*(upper-lower)
		}
	}
	// between clamps to the first and last value as commons-math does.
	between := func(lo, hi, pos float64) float64 {
		switch {
		case p < lo:
			pos = 0
		case p >= hi:
			pos = n
		}
		return at(pos)
	}
	switch e {
	case R1:
		pos := n*p + 0.5 // this way round, as rounding shows at whole positions
		return at(math.Ceil(pos - 0.5))
	case R2:
		if p >= 1 {
			return at(n)
		}
		pos := n*p + 0.5
		return (at(math.Ceil(pos-0.5)) + at(math.Floor(pos+0.5))) / 2
	case R3:
		if p <= 0.5/n {
			return at(0)
		}
		return at(math.RoundToEven(n * p))
	case R4:
		return between(1/n, 1, n*p)
	case R5:
		return between(0.5/n, (n-0.5)/n, n*p+0.5)
	case R6:
		return between(1/(n+1), n/(n+1), (n+1)*p)
	case R7:
		return between(0, 1, 1+(n-1)*p)
	case R8:
		return between(2.0/3/(n+1.0/3), (n-1.0/3)/(n+1.0/3), (n+1.0/3)*p+1.0/3)
	case R9:
		return between(5.0/8/(n+0.25), (n-3.0/8)/(n+0.25), (n+0.25)*p+3.0/8)
	default:
		return between(0, 1, p*(n+1))
	}
}

// A window keeps the newest values only, in the order they came: what JMeter
// takes its percentiles from (property jmeter.reportgenerator.statistic_window).
type window struct {
	size   int
	next   int
	values []int64
	sorted []int64 // of values, nil when out of date
}

func (w *window) Add(v int64) {
	w.sorted = nil
	if len(w.values) < w.size {
		w.values = append(w.values, v)
		return
	}
	w.values[w.next] = v
	w.next = (w.next + 1) % w.size
}

// merge adds what came after.
func (w *window) merge(o *window) {
	w.size = o.size
	for _, v := range o.values[o.next:] {
		w.Add(v)
	}
	for _, v := range o.values[:o.next] {
		w.Add(v)
	}
}

func (w *window) Count() int64 { return int64(len(w.values)) }

func (w *window) Kth(k int64) float64 {
	if w.sorted == nil {
		w.sorted = slices.Sorted(slices.Values(w.values))
	}
	return float64(w.sorted[k-1])
}

// sortedValues is a small sorted list.
type sortedValues []int64

func (s sortedValues) Count() int64        { return int64(len(s)) }
func (s sortedValues) Kth(k int64) float64 { return float64(s[k-1]) }
