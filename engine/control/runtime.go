package control

import (
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[runTime](elem.Spec{
		Class: "RunTime", Title: "Runtime Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// runTime repeats its children until so many whole seconds have passed; a
// sample that runs is not cut short.
type runTime struct {
	elem.Flow
	seconds expr.Long
	slot    vu.Slot[runTimeState]
}

type runTimeState struct {
	start time.Time
	count int
}

func (c *runTime) Props(p *elem.Props) {
	p.Long(&c.seconds, "RunTime.seconds", "0", "run time in seconds")
	c.slot = elem.SlotOf[runTimeState](p)
}

func (c *runTime) IsDone(t *vu.Thread) bool {
	if c.seconds.Eval(t) > 0 && len(c.Children(t)) > 0 {
		return c.Flow.IsDone(t)
	}
	return true
}

func (c *runTime) over(t *vu.Thread) bool {
	return int64(time.Since(c.slot.Of(t).start)/time.Second) >= c.seconds.Eval(t)
}

func (c *runTime) Next(t *vu.Thread) elem.Pick {
	s := c.slot.Of(t)
	if s.start.IsZero() {
		s.start = time.Now()
	}
	if c.over(t) {
		c.ReInitialize(t)
		*s = runTimeState{}
		return elem.Pick{}
	}
	return c.Flow.Next(t)
}

func (c *runTime) NextIsNull(t *vu.Thread) elem.Pick {
	c.ReInitialize(t)
	if c.over(t) {
		*c.slot.Of(t) = runTimeState{}
		return elem.Pick{}
	}
	return c.Next(t)
}

func (c *runTime) Pass(t *vu.Thread) int { return c.slot.Of(t).count + 1 }

func (c *runTime) ReInitialize(t *vu.Thread) {
	c.SetFirst(t, true)
	c.ResetCurrent(t)
	c.slot.Of(t).count++
}

func (c *runTime) TriggerEndOfLoop(t *vu.Thread) {
	c.Flow.TriggerEndOfLoop(t)
	*c.slot.Of(t) = runTimeState{}
}

var _ elem.Controller = (*runTime)(nil)
