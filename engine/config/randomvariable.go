package config

import (
	"fmt"
	"math"
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[randomVariable](elem.Spec{
		Class: "RandomVariableConfig", Title: "Random Variable", Kind: elem.KindConfig, Status: elem.Full,
	})
}

// randomVariable draws a number each time the controller around it starts a
// pass. The numbers of a seed are those of java.util.Random.
type randomVariable struct {
	name      expr.Text
	format    numberFormat
	min, max  expr.Text
	seed      expr.Text
	perThread expr.Bool
	slot      vu.Slot[*draw]

	mu  sync.Mutex // guards all
	all *draw
}

// draw is a generator with its bounds, fixed when it is first used.
type draw struct {
	random *java.Random
	min    int64
	span   int32 // 0 when there is no number to draw
}

func (c *randomVariable) Props(p *elem.Props) {
	p.Text(&c.name, "variableName", "", "variable")
	c.format.props(p, "outputFormat")
	p.Text(&c.min, "minimumValue", "", "smallest number")
	p.Text(&c.max, "maximumValue", "", "largest number")
	p.Text(&c.seed, "randomSeed", "", "seed; empty for other numbers in each run")
	p.Bool(&c.perThread, "perThread", false, "a generator for each thread")
	c.slot = elem.SlotOf[*draw](p)
}

// TestStart begins the draws of all threads.
func (c *randomVariable) TestStart(*vu.Run) error {
	c.all = nil
	return nil
}

// PassStart draws.
func (c *randomVariable) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	d := c.draw(t)
	if d.span <= 0 {
		return
	}
	n, err := d.random.IntN(d.span)
	if err != nil {
		vu.Throw(err)
	}
	t.Vars.Put(c.name.Eval(t), c.format.show(t, d.min+int64(n)))
}

func (c *randomVariable) draw(t *vu.Thread) *draw {
	if c.perThread.Eval(t) {
		d := c.slot.Of(t)
		if *d == nil {
			*d = c.begin(t)
		}
		return *d
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all == nil {
		c.all = c.begin(t)
	}
	return c.all
}

func (c *randomVariable) begin(t *vu.Thread) *draw {
	low, high, seed := c.min.Eval(t), c.max.Eval(t), c.seed.Eval(t)
	lowest, _ := vu.ParseLong(low)
	highest, _ := vu.ParseLong(high)
	d := &draw{min: lowest}
	switch span := highest - lowest + 1; { // may overflow
	case lowest > highest:
		t.Log().Error(fmt.Sprintf("maximum(%s) must be >= minimum(%s)", high, low), "logger", "o.a.j.c.RandomVariableConfig")
	case span > math.MaxInt32 || span <= 0:
		t.Log().Warn(fmt.Sprintf("maximum(%s) - minimum(%s) must be <= %d", high, low, math.MaxInt32), "logger", "o.a.j.c.RandomVariableConfig")
		d.span = math.MaxInt32
	default:
		d.span = int32(span)
	}
	if n, ok := vu.ParseLong(seed); ok {
		d.random = java.NewRandom(n)
		return d
	}
	if seed != "" {
		t.Log().Warn("Cannot parse random seed: '"+seed+"'", "logger", "o.a.j.c.RandomVariableConfig")
	}
	d.random = java.NewUnseededRandom()
	return d
}

var (
	_ elem.PassStarter = (*randomVariable)(nil)
	_ elem.TestStarter = (*randomVariable)(nil)
)
