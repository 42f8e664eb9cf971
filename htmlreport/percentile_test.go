package htmlreport

import (
	"math"
	"slices"
	"testing"
)

func tens() *Counter {
	c := new(Counter)
	for v := int64(10); v <= 100; v += 10 {
		c.Add(v)
	}
	return c
}

// TestEstimators has what commons-math gave in JMeter for 10, 20, ... 100.
func TestEstimators(t *testing.T) {
	want := map[string][4]float64{ // 50, 90, 95, 99
		"LEGACY": {55, 99, 100, 100},
		"R_1":    {50, 90, 100, 100},
		"R_2":    {55, 95, 100, 100},
		"R_3":    {50, 90, 100, 100},
		"R_4":    {50, 90, 95, 99},
		"R_5":    {55, 95, 100, 100},
		"R_6":    {55, 99, 100, 100},
		"R_7":    {55, 91, 95.5, 99.1},
		"R_8":    {55, 96.33333333333333, 100, 100},
		"R_9":    {55, 96, 100, 100},
	}
	for name, values := range want {
		e, err := ParseEstimator(name)
		if err != nil {
			t.Fatal(err)
		}
		if e.String() != name {
			t.Errorf("%s is called %s", name, e)
		}
		for i, q := range []float64{50, 90, 95, 99} {
			if got := e.Percentile(q, tens()); math.Abs(got-values[i]) > 1e-9 {
				t.Errorf("%s: %v%% = %v, want %v", name, q, got, values[i])
			}
		}
		if got := e.Percentile(100, tens()); got != 100 {
			t.Errorf("%s: 100%% = %v", name, got)
		}
		if got := e.Percentile(0.001, tens()); got != 10 && e != R7 { // R_7 always interpolates
			t.Errorf("%s: 0.001%% = %v", name, got)
		}
		if got := e.Percentile(50, new(Counter)); !math.IsNaN(got) {
			t.Errorf("%s of nothing = %v", name, got)
		}
	}
	if _, err := ParseEstimator("R_10"); err == nil {
		t.Error("R_10 was taken for an estimator")
	}
}

// TestLegacyWindow is JMeter's figure for 21,000 rows, of which its window has
// forgotten the first thousand, and ours over all of them.
func TestLegacyWindow(t *testing.T) {
	w, all := &window{size: 20_000}, new(Counter)
	for i := range int64(21_000) {
		v := i % 1000
		if i < 1000 {
			v = 100_000
		}
		w.Add(v)
		all.Add(v)
	}
	for q, want := range map[float64]float64{50: 499.5, 90: 899.9000000000015, 95: 949.9500000000007, 99: 989.9900000000016} {
		if got := Legacy.Percentile(q, w); got != want {
			t.Errorf("window: %v%% = %v, want %v", q, got, want)
		}
	}
	if got := Legacy.Percentile(99, all); got != 100_000 {
		t.Errorf("all: 99%% = %v", got)
	}
}

// FuzzCounter compares with a sorted list; the second half comes by Merge.
func FuzzCounter(f *testing.F) {
	f.Add([]byte{1, 2, 3}, int64(100), uint8(50))
	f.Add([]byte{0, 255, 0, 9}, int64(-7), uint8(99))
	f.Add([]byte{4, 4, 4, 4}, int64(40_000), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, scale int64, q uint8) {
		if len(data) == 0 || len(data) > 2000 || scale > 1<<40 || scale < -1<<40 || q == 0 || q > 100 {
			return
		}
		var list sortedValues
		c, other := new(Counter), new(Counter)
		for i, b := range data {
			v := int64(b) * scale
			list = append(list, v)
			if i%2 == 0 {
				c.Add(v)
			} else {
				other.Add(v)
			}
		}
		c.Merge(other)
		slices.Sort(list)
		var sum int64
		for _, v := range list {
			sum += v
		}
		if c.Count() != list.Count() || c.Sum() != sum || c.Min() != list[0] || c.Max() != list[len(list)-1] {
			t.Fatalf("count %d, sum %d, min %d, max %d of %v", c.Count(), c.Sum(), c.Min(), c.Max(), list)
		}
		for k := range list {
			if c.Kth(int64(k+1)) != float64(list[k]) {
				t.Fatalf("%d-th is %v of %v", k+1, c.Kth(int64(k+1)), list)
			}
		}
		for e := Legacy; e <= R9; e++ {
			if got, want := e.Percentile(float64(q), c), e.Percentile(float64(q), list); got != want {
				t.Fatalf("%s: %d%% = %v, want %v", e, q, got, want)
			}
		}
		at := list[len(list)/2]
		n, _ := slices.BinarySearch(list, at+1)
		if c.AtMost(at) != int64(n) {
			t.Fatalf("%d are at most %d, want %d", c.AtMost(at), at, n)
		}
	})
}

// TestCounterCarry fills a cell to its brim, which takes 2^32 samples.
func TestCounterCarry(t *testing.T) {
	c := new(Counter)
	c.Add(5)
	c.settle()
	c.spread()
	c.pages[0][5] = math.MaxUint32
	c.n = math.MaxUint32
	c.Add(5)
	o := new(Counter)
	o.Add(5)
	o.settle()
	o.spread()
	o.pages[0][5], o.n = math.MaxUint32, math.MaxUint32
	c.Merge(o)
	c.Merge(o)
	var n int64
	for v, k := range c.All {
		if v != 5 {
			t.Fatalf("value %d", v)
		}
		n += k
	}
	if want := int64(1)<<32 + 2*math.MaxUint32; n != want || c.Count() != want {
		t.Errorf("%d and %d, want %d", n, c.Count(), want)
	}
}
