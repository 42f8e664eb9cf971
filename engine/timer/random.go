package timer

import (
	"math"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[uniform](elem.Spec{Class: "UniformRandomTimer", Title: "Uniform Random Timer", Kind: elem.KindTimer, Status: elem.Full})
	elem.Register[gaussian](elem.Spec{Class: "GaussianRandomTimer", Title: "Gaussian Random Timer", Kind: elem.KindTimer, Status: elem.Full})
	elem.Register[poisson](elem.Spec{Class: "PoissonRandomTimer", Title: "Poisson Random Timer", Kind: elem.KindTimer, Status: elem.Full})
}

// randomTimer is an offset and a spread; the property timer.factor scales it.
type randomTimer struct {
	offset expr.Long
	spread expr.Float
}

func (c *randomTimer) Props(p *elem.Props) {
	p.Long(&c.offset, "ConstantTimer.delay", "0", "constant offset in ms")
	p.Float(&c.spread, "RandomTimer.range", "0", "range, deviation or lambda in ms")
}

// Modifiable marks the timers that timer.factor scales.
func (c *randomTimer) Modifiable() {}

// wait is the whole milliseconds of x beside the offset, never negative.
func (c *randomTimer) wait(t *vu.Thread, x float64) time.Duration {
	return ms(int64(math.Abs(x + float64(c.offset.Eval(t)))))
}

// uniform spreads evenly over [offset, offset+range).
type uniform struct{ randomTimer }

func (c *uniform) Wait(t *vu.Thread) time.Duration {
	return c.wait(t, t.Rand.Float64()*c.spread.Eval(t))
}

// gaussian spreads normally around the offset.
type gaussian struct{ randomTimer }

func (c *gaussian) Wait(t *vu.Thread) time.Duration {
	return c.wait(t, t.Rand.NormFloat64()*c.spread.Eval(t))
}

// poisson adds a Poisson number with the mean lambda.
type poisson struct{ randomTimer }

func (c *poisson) Wait(t *vu.Thread) time.Duration {
	return c.wait(t, float64(poissonNumber(math.Floor(c.spread.Eval(t)+0.5), t.Rand.Float64, t.Rand.NormFloat64)))
}

// poissonNumber draws a Poisson number of mean lambda: by multiplying uniform
// numbers while lambda is small, else by the rounded normal distribution with
// the same mean and variance, whose error is far below a millisecond's noise.
func poissonNumber(lambda float64, uniform, normal func() float64) int64 {
	if lambda <= 0 {
		return 0
	}
	if lambda > 500 {
		return max(0, int64(math.Floor(lambda+math.Sqrt(lambda)*normal()+0.5)))
	}
	limit, product, n := math.Exp(-lambda), uniform(), int64(0)
	for product > limit {
		product *= uniform()
		n++
	}
	return n
}

var (
	_ elem.Timer = (*uniform)(nil)
	_ elem.Timer = (*gaussian)(nil)
	_ elem.Timer = (*poisson)(nil)
)
