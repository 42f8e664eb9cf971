package control

import (
	"math"
	"strconv"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[foreach](elem.Spec{
		Class: "ForeachController", Title: "ForEach Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// foreach runs its children for each of the variables in_1, in_2, ...
type foreach struct {
	elem.Flow
	input, output expr.Text
	start, end    expr.Int
	hasEnd        bool
	separator     expr.Bool
	slot          vu.Slot[foreachState]
	index         index
}

type foreachState struct {
	count  int
	broken bool
}

func (c *foreach) Props(p *elem.Props) {
	p.Text(&c.input, "ForeachController.inputVal", "", "prefix of the variables")
	p.Text(&c.output, "ForeachController.returnVal", "", "variable that holds the value at hand")
	p.Int(&c.start, "ForeachController.startIndex", "0", "start index, itself left out")
	p.Int(&c.end, "ForeachController.endIndex", "", "end index, itself taken; absent is no limit, empty is 0")
	c.hasEnd = p.Has("ForeachController.endIndex")
	p.Bool(&c.separator, "ForeachController.useSeparator", true, "_ before the number")
	c.slot = elem.SlotOf[foreachState](p)
	c.index = newIndex(p)
}

func (c *foreach) limit(t *vu.Thread) int {
	if !c.hasEnd {
		return math.MaxInt32
	}
	return c.end.Eval(t)
}

// value is the variable of the pass at hand, nil when there is none.
func (c *foreach) value(t *vu.Thread) any {
	name := c.input.Eval(t)
	if c.separator.Eval(t) {
		name += "_"
	}
	return t.Vars.Object(name + strconv.Itoa(c.slot.Of(t).count+1))
}

// IsDone also sets the output variable, as JMeter's does when it looks.
func (c *foreach) IsDone(t *vu.Thread) bool {
	if c.slot.Of(t).count >= c.limit(t) {
		return true
	}
	if v := c.value(t); v != nil {
		t.Vars.PutObject(c.output.Eval(t), v)
		return false
	}
	return c.Flow.IsDone(t)
}

func (c *foreach) Next(t *vu.Thread) elem.Pick {
	s, name := c.slot.Of(t), c.Name(t)
	c.index.set(t, name, s.count)
	var p elem.Pick
	if s.broken || c.value(t) == nil {
		s.broken = false
		c.ReInitialize(t)
		s.count = c.start.Eval(t)
	} else {
		p = c.Flow.Next(t)
	}
	c.index.set(t, name, s.count)
	return p
}

func (c *foreach) NextIsNull(t *vu.Thread) elem.Pick {
	c.ReInitialize(t)
	s := c.slot.Of(t)
	if s.broken || c.value(t) == nil || s.count >= c.limit(t) {
		s.broken = false
		s.count = c.start.Eval(t)
		return elem.Pick{}
	}
	return c.Next(t)
}

func (c *foreach) Pass(t *vu.Thread) int { return c.slot.Of(t).count + 1 }

func (c *foreach) ReInitialize(t *vu.Thread) {
	c.SetFirst(t, true)
	c.ResetCurrent(t)
	c.slot.Of(t).count++
}

func (c *foreach) TriggerEndOfLoop(t *vu.Thread) {
	c.Flow.TriggerEndOfLoop(t)
	c.slot.Of(t).count = c.start.Eval(t)
}

func (c *foreach) Initialize(t *vu.Thread) {
	c.Flow.Initialize(t)
	c.slot.Of(t).count = c.start.Eval(t)
}

// StartNextLoop ends the pass at hand.
func (c *foreach) StartNextLoop(t *vu.Thread) { c.ReInitialize(t) }

// BreakLoop ends the loop.
func (c *foreach) BreakLoop(t *vu.Thread) {
	s := c.slot.Of(t)
	s.broken = true
	c.SetFirst(t, true)
	c.ResetCurrent(t)
	s.count = c.start.Eval(t)
}

// PassStart begins the loop anew with each pass of the parent.
func (c *foreach) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	c.ReInitialize(t)
	c.slot.Of(t).count = c.start.Eval(t)
}

var (
	_ elem.Looper      = (*foreach)(nil)
	_ elem.PassStarter = (*foreach)(nil)
)
