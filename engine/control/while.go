package control

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[while](elem.Spec{
		Class: "WhileController", Title: "While Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// while repeats its children until the condition reads "false"; any other text
// goes on. Blank and LAST look at the last sample. Between two passes the
// condition is evaluated twice, as in JMeter: once to end the pass, once to
// enter the next.
type while struct {
	elem.Flow
	condition expr.Text
	slot      vu.Slot[whileState]
	index     index
}

type whileState struct{ broken bool }

func (c *while) Props(p *elem.Props) {
	p.Text(&c.condition, "WhileController.condition", "", "condition, blank or LAST")
	c.slot = elem.SlotOf[whileState](p)
	c.index = newIndex(p)
}

func (c *while) over(t *vu.Thread, loopEnd bool) bool {
	if c.slot.Of(t).broken {
		return true
	}
	cond := strings.TrimSpace(c.condition.Eval(t))
	if loopEnd && cond == "" || strings.EqualFold(cond, "LAST") {
		return strings.EqualFold(t.Vars.GetOr("JMeterThread.last_sample_ok", ""), "false")
	}
	return strings.EqualFold(cond, "false")
}

func (c *while) leave(t *vu.Thread) elem.Pick {
	c.slot.Of(t).broken = false
	c.ResetPass(t)
	return elem.Pick{}
}

func (c *while) Next(t *vu.Thread) elem.Pick {
	name := c.Name(t)
	c.index.set(t, name, c.Pass(t))
	if c.First(t) && c.over(t, false) {
		c.leave(t)
		c.index.set(t, name, c.Pass(t))
		return elem.Pick{}
	}
	p := c.Flow.Next(t)
	c.index.set(t, name, c.Pass(t))
	return p
}

func (c *while) NextIsNull(t *vu.Thread) elem.Pick {
	c.ReInitialize(t)
	if c.over(t, true) {
		return c.leave(t)
	}
	return c.Next(t)
}

func (c *while) TriggerEndOfLoop(t *vu.Thread) {
	c.Flow.TriggerEndOfLoop(t)
	c.over(t, true) // evaluated in JMeter too, which may show
	c.ResetPass(t)
}

// StartNextLoop ends the pass at hand.
func (c *while) StartNextLoop(t *vu.Thread) { c.ReInitialize(t) }

// BreakLoop ends the loop.
func (c *while) BreakLoop(t *vu.Thread) {
	c.slot.Of(t).broken = true
	c.SetFirst(t, true)
	c.ResetCurrent(t)
	c.ResetPass(t)
}

// PassStart begins the loop anew with each pass of the parent.
func (c *while) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	c.ReInitialize(t)
	c.ResetPass(t)
}

var (
	_ elem.Looper      = (*while)(nil)
	_ elem.PassStarter = (*while)(nil)
)
