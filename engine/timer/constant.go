package timer

import (
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[constantTimer](elem.Spec{
		Class: "ConstantTimer", Title: "Constant Timer", Kind: elem.KindTimer, Status: elem.Full,
	})
}

// constantTimer waits the same time before every sampler in its scope.
type constantTimer struct{ delay expr.Long }

func (c *constantTimer) Props(p *elem.Props) {
	p.Long(&c.delay, "ConstantTimer.delay", "300", "wait before each sampler, in ms")
	p.Ignore("RandomTimer.range")
}

func (c *constantTimer) Wait(t *vu.Thread) time.Duration { return ms(c.delay.Eval(t)) }

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

var _ elem.Timer = (*constantTimer)(nil)
