package htmlreport

import "math"

// Estimate is a figure and the interval that holds the true one with a
// confidence of 95 per cent.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Clear tells whether the interval leaves out no difference at all.
func (e Estimate) Clear() bool { return e.Low > 0 || e.High < 0 }

const z95 = 1.959963984540054 // of the normal distribution, two-sided 95 per cent

// counted is a value and how often it came.
type valueCount struct{ v, n int64 }

func valuesOf(c *Counter) []valueCount {
	var all []valueCount
	for v, n := range c.All {
		all = append(all, valueCount{v, n})
	}
	return all
}

// pairs are all pairs of a value of a and one of b: nothing of their number
// needs to be kept, as counts of values say it all.
type pairs struct {
	a, b   []valueCount
	na, nb int64
}

func newPairs(a, b *Counter) *pairs {
	return &pairs{a: valuesOf(a), b: valuesOf(b), na: a.Count(), nb: b.Count()}
}

// all is their number.
func (p *pairs) all() float64 { return float64(p.na) * float64(p.nb) }

// atMost counts the pairs with b - a <= shift.
func (p *pairs) atMost(shift int64) float64 {
	sum := 0.0
	i, below := 0, int64(0) // values of a less than the present b - shift
	for _, b := range p.b {
		for i < len(p.a) && p.a[i].v < b.v-shift {
			below += p.a[i].n
			i++
		}
		sum += float64(b.n) * float64(p.na-below)
	}
	return sum
}

// quantile is the least difference that a share of the pairs does not exceed.
func (p *pairs) quantile(share float64) float64 {
	low, high := p.b[0].v-p.a[len(p.a)-1].v, p.b[len(p.b)-1].v-p.a[0].v
	want := share * p.all()
	for low < high {
		mid := low + (high-low)>>1
		if p.atMost(mid) >= want {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return float64(low)
}

// superiority is the probability that a value of b - shift is above one of a, ties
// counting half, and its standard error. The error is that of DeLong, DeLong and
// Clarke-Pearson (1988), which asks for neither equal spread nor any shape.
func (p *pairs) superiority(shift int64) (probability, se float64) {
	mean := 0.0
	// placement of a value: the share of the other run below it, ties half.
	spread := func(mine, other []valueCount, nOther int64, offset int64) (variance float64) {
		var n, sum, squares float64
		i, below := 0, int64(0)
		for _, m := range mine {
			for i < len(other) && other[i].v < m.v+offset {
				below += other[i].n
				i++
			}
			equal := int64(0)
			if i < len(other) && other[i].v == m.v+offset {
				equal = other[i].n
			}
			place := (float64(below) + float64(equal)/2) / float64(nOther)
			n += float64(m.n)
			sum += float64(m.n) * place
			squares += float64(m.n) * place * place
		}
		mean = sum / n
		if n < 2 {
			return 0
		}
		return max(0, squares-sum*sum/n) / (n - 1) / n
	}
	variance := spread(p.a, p.b, p.nb, shift)
	variance += spread(p.b, p.a, p.na, -shift)
	return mean, math.Sqrt(variance)
}

// cliffsDelta is how often b is above a less how often it is below: 0 for alike,
// 1 where every value of b is above every one of a. inflation widens its interval.
func (p *pairs) cliffsDelta(inflation float64) Estimate {
	probability, se := p.superiority(0)
	d := 2*probability - 1
	half := 2 * z95 * se * inflation
	return Estimate{d, max(-1, d-half), min(1, d+half)}
}

// shift is the median of the differences of all pairs (Hodges and Lehmann), in ms.
func (p *pairs) shift(inflation float64) Estimate {
	value := p.quantile(0.5)
	_, se := p.superiority(int64(value))
	half := min(0.5, z95*se*inflation)
	return Estimate{value, p.quantile(max(0.5-half, 1/p.all())), p.quantile(0.5 + half)}
}

// moments are what intervals of a run say of a mean: how many samples each had,
// and their sum.
type interval struct{ n, sum float64 }

// designEffect is by how much the mean of samples varies more than it would if
// they were independent: those of one moment are alike, as all of them meet the
// same load. It compares the variance over intervals with that of as many
// independent samples; 1 where there are too few intervals to tell.
func designEffect(intervals []interval, n, mean, variance float64) float64 {
	const least = 10
	if len(intervals) < least || variance <= 0 || n < 2 {
		return 1
	}
	sum := 0.0
	for _, i := range intervals {
		d := i.sum - i.n*mean
		sum += d * d
	}
	k := float64(len(intervals))
	between := k / (k - 1) * sum / (n * n)
	return max(1, between/(variance/n))
}

// variance of the values around their mean.
func (c *Counter) variance() float64 {
	mean, sum := float64(c.Sum())/float64(c.Count()), 0.0
	for v, n := range c.All {
		d := float64(v) - mean
		sum += float64(n) * d * d
	}
	return sum / float64(c.Count())
}

// shareDifference is the share of b less that of a, in per cent, with the interval
// of Newcombe (1998, method 10), made of those of Wilson. n are effective numbers
// of samples.
func shareDifference(shareA, nA, shareB, nB float64) Estimate {
	wilson := func(p, n float64) (low, high float64) {
		mid := p + z95*z95/(2*n)
		half := z95 * math.Sqrt(p*(1-p)/n+z95*z95/(4*n*n))
		scale := 1 + z95*z95/n
		return max(0, (mid-half)/scale), min(1, (mid+half)/scale)
	}
	lowA, highA := wilson(shareA, nA)
	lowB, highB := wilson(shareB, nB)
	d := shareB - shareA
	return Estimate{100 * d, 100 * (d - math.Hypot(shareB-lowB, highA-shareA)), 100 * (d + math.Hypot(highB-shareB, shareA-lowA))}
}

// intervalsOf are the intervals of some parts, by pick.
func intervalsOf(parts []*part, pick func(*cell) int64) []interval {
	var all []interval
	for _, c := range cellsOf(parts, 1) {
		all = append(all, interval{float64(c.value.n), float64(pick(&c.value))})
	}
	return all
}
