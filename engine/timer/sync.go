package timer

import (
	"fmt"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[syncTimer](elem.Spec{
		Class: "SyncTimer", Title: "Synchronizing Timer", Kind: elem.KindTimer, Status: elem.Full,
	})
}

// syncTimer holds threads back until so many have come, then lets them all go.
type syncTimer struct {
	size    expr.Int
	timeout expr.Long
	name    expr.Text
	barrier barrier
}

func (c *syncTimer) Props(p *elem.Props) {
	c.name = p.Name()
	p.Int(&c.size, "groupSize", "0", "number of threads to wait for; 0 is all of the thread group")
	p.Long(&c.timeout, "timeoutInMs", "0", "longest wait in ms; 0 is none")
}

// TestStart begins with nobody waiting.
func (c *syncTimer) TestStart(*vu.Run) error {
	c.barrier = barrier{}
	return nil
}

// ThreadStart fixes how many threads to wait for, the first of all threads does.
func (c *syncTimer) ThreadStart(t *vu.Thread) {
	n := c.size.Eval(t)
	if n == 0 {
		n = t.Group.Threads
	}
	c.barrier.setUp(n)
}

// stopCheck is how often a waiting thread looks whether it was told to stop.
const stopCheck = time.Second

func (c *syncTimer) Wait(t *vu.Thread) time.Duration {
	if c.size.Eval(t) < 0 {
		return 0
	}
	timeout := ms(c.timeout.Eval(t))
	if timeout < 0 {
		vu.Throw(fmt.Errorf("Negative value for timeout:%d in Synchronizing Timer %s", timeout.Milliseconds(), c.name.Eval(t))) //nolint:staticcheck // JMeter's wording
	}
	var end time.Time
	if timeout > 0 {
		end = time.Now().Add(timeout)
	}
	if !t.End.IsZero() && (end.IsZero() || t.End.Before(end)) {
		end = t.End // the schedule's end is not missed
	}
	gate := c.barrier.arrive()
	if gate == nil {
		return 0
	}
	timer := time.NewTimer(stopCheck)
	defer timer.Stop()
	for {
		left := stopCheck
		if !end.IsZero() {
			left = min(left, time.Until(end))
		}
		if left <= 0 {
			t.Log().Warn(fmt.Sprintf("SyncTimer %s timeouted waiting for users after: %dms", c.name.Eval(t), timeout.Milliseconds()), "logger", "o.a.j.t.SyncTimer")
			c.barrier.release(gate)
			return 0
		}
		timer.Reset(left)
		select {
		case <-gate:
			return 0
		case <-t.Interrupted():
			c.barrier.release(gate)
			return 0
		case <-timer.C:
			if t.Stopped() {
				c.barrier.release(gate)
				return 0
			}
		}
	}
}

// barrier lets threads go when enough have come. One thread that gives up
// releases all that wait with it.
type barrier struct {
	mu      sync.Mutex
	parties int // 0 before it is set up
	waiting int
	gate    chan struct{} // closed to let go those that wait
}

func (b *barrier) setUp(parties int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.parties == 0 {
		b.parties = parties
	}
}

// arrive returns what the thread is to wait for, nil when it is the last.
func (b *barrier) arrive() chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gate == nil {
		b.gate = make(chan struct{})
	}
	b.waiting++
	if b.waiting >= b.parties {
		b.open()
		return nil
	}
	return b.gate
}

func (b *barrier) open() {
	close(b.gate)
	b.gate, b.waiting = nil, 0
}

// release opens a gate that is still shut.
func (b *barrier) release(gate chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gate == gate {
		b.open()
	}
}

var (
	_ elem.Timer         = (*syncTimer)(nil)
	_ elem.TestStarter   = (*syncTimer)(nil)
	_ elem.ThreadStarter = (*syncTimer)(nil)
)
