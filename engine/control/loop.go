package control

import (
	"fmt"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[loop](elem.Spec{
		Class: "LoopController", Title: "Loop Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// loop runs its children a number of times. The count is read when a run of the
// loop starts and kept, and read anew each time while it is 0 or -1. The main
// controller of a thread group is one.
type loop struct {
	elem.Flow
	place   string
	loops   expr.Int
	forever expr.Bool
	slot    vu.Slot[loopState]
	index   index
}

type loopState struct {
	count  int
	loops  int
	known  bool
	broken bool
}

func (c *loop) Props(p *elem.Props) {
	c.place = p.Place()
	p.Int(&c.loops, "LoopController.loops", "0", "number of passes, -1 without end")
	p.Bool(&c.forever, "LoopController.continue_forever", true, "start again whenever the parent starts a pass; in a thread group: never end")
	c.slot = elem.SlotOf[loopState](p)
	c.index = newIndex(p)
}

const infinite = -1

func (c *loop) count(t *vu.Thread, s *loopState) int {
	if !s.known || s.loops == 0 || s.loops == infinite {
		s.loops, s.known = c.loops.Eval(t), true
		if s.loops == 0 && t.Run.Fail != nil {
			if text, wrong := c.loops.Wrong(t); wrong {
				t.Run.Fail(fmt.Errorf("%s: LoopController.loops: %q is not a number, taken as 0", c.place, text))
			}
		}
	}
	return s.loops
}

func (c *loop) over(t *vu.Thread, s *loopState) bool {
	n := c.count(t, s)
	return s.broken || n > infinite && s.count >= n
}

func (c *loop) Next(t *vu.Thread) elem.Pick {
	s := c.slot.Of(t)
	c.index.set(t, c.Name(t), s.count)
	if c.over(t, s) {
		if !c.forever.Eval(t) {
			c.SetDone(t, true)
		}
		s.broken = false
		return elem.Pick{}
	}
	p := c.Flow.Next(t)
	c.index.set(t, c.Name(t), s.count)
	return p
}

func (c *loop) SetDone(t *vu.Thread, done bool) {
	s := c.slot.Of(t)
	s.broken, s.known = false, false
	c.Flow.SetDone(t, done)
}

func (c *loop) NextIsNull(t *vu.Thread) elem.Pick {
	c.ReInitialize(t)
	s := c.slot.Of(t)
	if c.over(t, s) {
		if !c.forever.Eval(t) {
			c.SetDone(t, true)
		} else {
			c.resetCount(t)
		}
		return elem.Pick{}
	}
	return c.Next(t)
}

func (c *loop) resetCount(t *vu.Thread) {
	s := c.slot.Of(t)
	s.count, s.known = 0, false
}

func (c *loop) TriggerEndOfLoop(t *vu.Thread) {
	c.Flow.TriggerEndOfLoop(t)
	c.resetCount(t)
}

func (c *loop) Pass(t *vu.Thread) int { return c.slot.Of(t).count + 1 }

func (c *loop) ReInitialize(t *vu.Thread) {
	c.SetFirst(t, true)
	c.ResetCurrent(t)
	c.slot.Of(t).count++
}

// StartNextLoop ends the pass at hand.
func (c *loop) StartNextLoop(t *vu.Thread) { c.ReInitialize(t) }

// BreakLoop ends the loop.
func (c *loop) BreakLoop(t *vu.Thread) {
	c.slot.Of(t).broken = true
	c.SetFirst(t, true)
	c.ResetCurrent(t)
	c.resetCount(t)
}

// PassStart begins the loop anew with each pass of the parent.
func (c *loop) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	c.ReInitialize(t)
	c.resetCount(t)
}

var (
	_ elem.Looper      = (*loop)(nil)
	_ elem.PassStarter = (*loop)(nil)
)
