package htmlreport

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Very many different long times cost bounded memory and stay right to a
// thousandth; what is short stays exact.
func TestCounterOfManyLongTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var a, b, few Counter
	var all []int64
	for range 60_000 {
		v := r.Int64N(1 << 40)
		if v%3 == 0 {
			v %= 1000
		}
		all = append(all, v)
		if r.IntN(2) == 0 {
			a.Add(v)
		} else {
			b.Add(v)
		}
	}
	for v := range int64(100) {
		few.Add(directMax + v)
		all = append(all, directMax+v)
	}
	a.Merge(&few)
	a.Merge(&b)
	slices.Sort(all)
	var sum int64
	for _, v := range all {
		sum += v
	}
	if a.Count() != int64(len(all)) || a.Sum() != sum || a.Min() != all[0] || a.Max() != all[len(all)-1] {
		t.Fatalf("count %d, sum %d, from %d to %d; want %d, %d, %d, %d", a.Count(), a.Sum(), a.Min(), a.Max(), len(all), sum, all[0], all[len(all)-1])
	}
	for _, q := range []float64{0.1, 0.3, 0.334, 0.5, 0.9, 0.99, 1} {
		k := max(1, int64(q*float64(len(all))))
		got, want := a.Kth(k), float64(all[k-1])
		if want < directMax && got != want || math.Abs(got-want) > want/1000 {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
	last, n := int64(math.MinInt64), int64(0)
	for v, k := range a.All {
		if v <= last {
			t.Fatalf("%d after %d", v, last)
		}
		last = v
		n += k
	}
	if n != a.Count() {
		t.Errorf("%d values, want %d", n, a.Count())
	}
	if len(a.rest) > maxRest {
		t.Errorf("%d values are told apart", len(a.rest))
	}
}
