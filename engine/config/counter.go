package config

import (
	"math"
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[counter](elem.Spec{
		Class: "CounterConfig", Title: "Counter", Kind: elem.KindConfig, Status: elem.Full,
	})
}

// counter counts the passes of the controller around it: one count for all
// threads, or one for each.
type counter struct {
	start, end, increment expr.Long
	hasEnd                bool
	name                  expr.Text
	format                numberFormat
	perUser               expr.Bool
	reset                 expr.Bool
	slot                  vu.Slot[counterState]

	mu  sync.Mutex // guards all
	all count
}

// count is the number to come.
type count struct {
	begun bool
	next  int64
}

type counterState struct {
	count
	iteration int // of the thread group, at the pass before
}

func (c *counter) Props(p *elem.Props) {
	p.Long(&c.start, "CounterConfig.start", "0", "first number")
	p.Long(&c.end, "CounterConfig.end", "0", "last number; empty is no limit")
	c.hasEnd = p.Has("CounterConfig.end")
	p.Long(&c.increment, "CounterConfig.incr", "0", "step")
	p.Text(&c.name, "CounterConfig.name", "", "variable")
	c.format.props(p, "CounterConfig.format")
	p.Bool(&c.perUser, "CounterConfig.per_user", false, "count for each thread by itself")
	p.Bool(&c.reset, "CounterConfig.reset_on_tg_iteration", false, "start over with each loop of the thread group, when each thread counts by itself")
	c.slot = elem.SlotOf[counterState](p)
}

// TestStart begins the count of all threads.
func (c *counter) TestStart(*vu.Run) error {
	c.all = count{}
	return nil
}

// PassStart sets the variable to the next number.
func (c *counter) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	start, end, step := c.start.Eval(t), c.limit(t), c.increment.Eval(t)
	var n int64
	if c.perUser.Eval(t) {
		n = c.ofThread(t, start, end, step)
	} else {
		n = c.ofAll(start, end, step)
	}
	t.Vars.Put(c.name.Eval(t), c.format.show(t, n))
}

func (c *counter) limit(t *vu.Thread) int64 {
	if n := c.end.Eval(t); n != 0 || !c.hasEnd || c.end.Text.Eval(t) != "" {
		return n
	}
	return math.MaxInt64
}

// ofAll starts over when the number to come is past the end.
func (c *counter) ofAll(start, end, step int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.all.begun || c.all.next > end {
		c.all = count{true, start}
	}
	n := c.all.next
	c.all.next += step
	return n
}

// ofThread looks for the end behind its number, not before it: a start beyond
// the end is used once.
func (c *counter) ofThread(t *vu.Thread, start, end, step int64) int64 {
	s := c.slot.Of(t)
	if !s.begun {
		s.count, s.iteration = count{true, start}, 1
	}
	if c.reset.Eval(t) && s.iteration != t.Iteration {
		s.next, s.iteration = start, t.Iteration
	}
	n := s.next
	if s.next += step; s.next > end {
		s.next = start
	}
	return n
}

var (
	_ elem.PassStarter = (*counter)(nil)
	_ elem.TestStarter = (*counter)(nil)
)
