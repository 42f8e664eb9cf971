package listener

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[resultAction](elem.Spec{
		Class: "ResultAction", Title: "Result Status Action Handler", Kind: elem.KindPost, Status: elem.Full,
	})
}

// resultAction steers the thread after a sample that failed. JMeter's menu has
// it among the post-processors, but it acts as a listener: after the assertions.
type resultAction struct{ action expr.Int }

// The values of OnError.action; 0 goes on.
const (
	onErrorStopThread = 1 + iota
	onErrorStopTest
	onErrorStopTestNow
	onErrorNextThreadLoop
	onErrorNextLoop
	onErrorBreakLoop
)

func (c *resultAction) Props(p *elem.Props) {
	p.Int(&c.action, "OnError.action", "0", "after an error: 0 go on, 1 stop the thread, 2 stop the test, 3 stop it now, "+
		"4 next loop of the thread, 5 next pass of the nearest loop, 6 leave that loop")
}

// Needs: only the success is read.
func (c *resultAction) Needs() elem.Needs { return 0 }

func (c *resultAction) Sampled(t *vu.Thread, s *jtl.Sample) {
	if s.Success || s.Transaction { // what a transaction's row asks for is not heard in JMeter
		return
	}
	switch action := c.action.Eval(t); action {
	case onErrorStopThread:
		t.Stop()
	case onErrorStopTest, onErrorStopTestNow:
		t.Stop()
		t.Run.Stop(action == onErrorStopTestNow, "Result Status Action Handler of "+t.Name)
	case onErrorNextThreadLoop:
		t.Action = vu.NextThreadIteration
	case onErrorNextLoop:
		t.Action = vu.NextLoopIteration
	case onErrorBreakLoop:
		t.Action = vu.BreakLoop
	}
}

var (
	_ elem.Listener = (*resultAction)(nil)
	_ elem.Needer   = (*resultAction)(nil)
)
