package sampler

import (
	"fmt"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[flowControl](elem.Spec{
		Class: "TestAction", Title: "Flow Control Action", Kind: elem.KindSampler, Status: elem.Full,
	})
}

// The actions and targets of a Flow Control Action.
const (
	actionStop = iota
	actionPause
	actionStopNow
	actionNextThreadLoop
	actionNextLoop
	actionBreak

	targetThread = 0
	targetTest   = 2
)

// flowControl pauses, stops or steers the thread. It makes no sample.
type flowControl struct {
	action, target expr.Int
	duration       expr.Text
}

func (c *flowControl) Props(p *elem.Props) {
	p.Int(&c.action, "ActionProcessor.action", "0", "0 stop, 1 pause, 2 stop now, 3 next thread loop, 4 next loop, 5 break the loop")
	p.Int(&c.target, "ActionProcessor.target", "0", "0 this thread, 2 the whole test")
	p.Text(&c.duration, "ActionProcessor.duration", "", "pause in ms")
}

func (c *flowControl) Sample(t *vu.Thread, _ *jtl.Sample) bool {
	switch action := c.action.Eval(t); action {
	case actionPause:
		c.pause(t)
	case actionStop, actionStopNow:
		switch {
		case c.target.Eval(t) != targetTest:
			t.Stop()
		default:
			t.Stop()
			t.Run.Stop(action == actionStopNow, "Flow Control Action of "+t.Name)
		}
	case actionNextThreadLoop:
		t.Action = vu.NextThreadIteration
	case actionNextLoop:
		t.Action = vu.NextLoopIteration
	case actionBreak:
		t.Action = vu.BreakLoop
	}
	return false
}

func (c *flowControl) pause(t *vu.Thread) {
	text := c.duration.Eval(t)
	n, ok := vu.ParseLong(text)
	switch {
	case !ok:
		t.Log().Warn("Could not parse number: '"+text+"'", "logger", "o.a.j.s.TestAction")
		return
	case n < 0:
		vu.Throw(fmt.Errorf("timeout value is negative: %d", n))
	}
	d := time.Duration(n) * time.Millisecond
	if !t.End.IsZero() {
		d = min(d, time.Until(t.End)) // the schedule's end is not missed
	}
	t.SleepInSample(d)
}

var _ elem.Sampler = (*flowControl)(nil)
