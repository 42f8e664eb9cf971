package htmlreport

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func counterOf(values []int64) *Counter {
	c := new(Counter)
	for _, v := range values {
		c.Add(v)
	}
	return c
}

// The figures from counts are those of all pairs, one by one.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		values := func(n int, high int64) []int64 {
			all := make([]int64, n)
			for i := range all {
				all[i] = r.Int64N(high) - 5
			}
			return all
		}
		a, b := values(1+r.IntN(40), 1+r.Int64N(300_000)), values(1+r.IntN(40), 1+r.Int64N(30))
		if round%2 == 0 {
			a, b = b, values(len(a), 40)
		}
		p := newPairs(counterOf(a), counterOf(b))
		var differences []int64
		above := 0.0
		shift := r.Int64N(20) - 10
		for _, x := range a {
			for _, y := range b {
				differences = append(differences, y-x)
				switch {
				case y-shift > x:
					above++
				case y-shift == x:
					above += 0.5
				}
			}
		}
		slices.Sort(differences)
		n := float64(len(differences))
		for _, share := range []float64{1 / n, 0.3, 0.5, 1} {
			want := differences[max(0, int(math.Ceil(share*n-1e-9))-1)]
			if got := p.quantile(share); got != float64(want) {
				t.Fatalf("quantile %v of %v and %v: %v, want %v", share, a, b, got, want)
			}
		}
		if got, _ := p.superiority(shift); math.Abs(got-above/n) > 1e-12 {
			t.Fatalf("superiority of %v over %v: %v, want %v", b, a, got, above/n)
		}
	}
}

// The standard error of DeLong and others, from its definition.
func TestSuperiorityError(t *testing.T) {
	a, b := []int64{1, 3, 5, 5, 9}, []int64{2, 5, 7, 8}
	kernel := func(x, y int64) float64 {
		switch {
		case y > x:
			return 1
		case y == x:
			return 0.5
		}
		return 0
	}
	spread := func(n, m int, of func(i, j int) float64) float64 {
		places, mean := make([]float64, n), 0.0
		for i := range n {
			for j := range m {
				places[i] += of(i, j) / float64(m)
			}
			mean += places[i] / float64(n)
		}
		sum := 0.0
		for _, p := range places {
			sum += (p - mean) * (p - mean)
		}
		return sum / float64(n-1) / float64(n)
	}
	want := math.Sqrt(spread(len(a), len(b), func(i, j int) float64 { return kernel(a[i], b[j]) }) +
		spread(len(b), len(a), func(i, j int) float64 { return kernel(a[j], b[i]) }))
	if _, se := newPairs(counterOf(a), counterOf(b)).superiority(0); math.Abs(se-want) > 1e-12 {
		t.Errorf("%v, want %v", se, want)
	}
}

// An interval of 95 per cent holds the true difference in about 95 of 100 runs.
func TestIntervalsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	held, heldDelta, rounds := 0, 0, 400
	for range rounds {
		var a, b Counter
		for range 150 {
			a.Add(int64(r.ExpFloat64() * 1000))
			b.Add(int64(r.ExpFloat64()*1000) + 100)
		}
		p := newPairs(&a, &b)
		if s := p.shift(1); s.Low <= 100 && s.High >= 100 {
			held++
		}
		// Of two exponentials with 1000 ms, one of them 100 ms later.
		true1 := 1 - math.Exp(-0.1)
		if d := p.cliffsDelta(1); d.Low <= true1 && d.High >= true1 {
			heldDelta++
		}
	}
	for _, n := range []int{held, heldDelta} {
		if n < rounds*91/100 || n > rounds*99/100 {
			t.Errorf("the interval held in %d and %d of %d", held, heldDelta, rounds)
		}
	}
}

// The example of Newcombe's paper: 56 of 70 against 48 of 80.
func TestShareDifference(t *testing.T) {
	e := shareDifference(48.0/80, 80, 56.0/70, 70)
	if math.Abs(e.Value-20) > 1e-9 || math.Abs(e.Low-5.24) > 0.005 || math.Abs(e.High-33.39) > 0.005 {
		t.Errorf("%+v", e)
	}
}

func TestDesignEffect(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	alike, independent := make([]interval, 100), make([]interval, 100)
	var a, b Counter
	for i := range alike {
		level := int64(r.ExpFloat64() * 1000)
		for range 50 {
			a.Add(level) // all of an interval the same
			alike[i].n++
			alike[i].sum += float64(level)
			v := int64(r.ExpFloat64() * 1000)
			b.Add(v)
			independent[i].n++
			independent[i].sum += float64(v)
		}
	}
	effect := func(i []interval, c *Counter) float64 {
		return designEffect(i, float64(c.Count()), float64(c.Sum())/float64(c.Count()), c.variance())
	}
	if got := effect(alike, &a); got < 45 || got > 55 {
		t.Errorf("50 times the same sample: %v", got)
	}
	if got := effect(independent, &b); got > 1.5 {
		t.Errorf("independent samples: %v", got)
	}
	if got := effect(alike[:9], &a); got != 1 {
		t.Errorf("too few intervals: %v", got)
	}
}
