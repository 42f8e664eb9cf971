package timer

import (
	"math"
	"slices"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[constantThroughput](elem.Spec{
		Class: "ConstantThroughputTimer", Title: "Constant Throughput Timer", Kind: elem.KindTimer, Status: elem.Full,
	})
}

// The modes: what the throughput is counted over.
const (
	thisThread = iota
	allThreads
	groupThreads
	allThreadsShared
	groupThreadsShared
)

// modeTexts are how old plans store the mode.
var modeTexts = []string{
	"this thread only",
	"all active threads",
	"all active threads in current thread group",
	"all active threads (shared)",
	"all active threads in current thread group (shared)",
}

// constantThroughput keeps samples so far apart that a throughput is not
// exceeded. A thread's first sample never waits, and lost time is not made up.
type constantThroughput struct {
	throughput expr.Float // samples a minute
	mode       expr.Text
	slot       vu.Slot[throughputState]
}

type throughputState struct{ previous int64 } // epoch ms

// sharedClock hands out one slot after the other to many threads.
type sharedClock struct {
	mu   sync.Mutex
	last int64 // epoch ms
}

// sharedClockKey: the group is nil for the test-wide clock, which all timers of
// that mode share whatever their throughput.
type sharedClockKey struct{ group *vu.Group }

func (c *constantThroughput) Props(p *elem.Props) {
	p.Float(&c.throughput, "throughput", "0", "samples a minute")
	p.Text(&c.mode, "calcMode", "0", "0 this thread, 1 all threads, 2 the group's, 3 all (shared), 4 the group's (shared)")
	c.slot = elem.SlotOf[throughputState](p)
}

func (c *constantThroughput) Wait(t *vu.Thread) time.Duration {
	s := c.slot.Of(t)
	now := time.Now().UnixMilli()
	target := s.previous + c.gap(t)
	if now > target {
		s.previous = now
		return 0
	}
	s.previous = target
	return ms(target - now)
}

// gap is how far apart, in ms, this thread's samples are to be.
func (c *constantThroughput) gap(t *vu.Thread) int64 {
	per := 60000 / c.throughput.Eval(t)
	switch c.calcMode(t) {
	case allThreads:
		return round(float64(t.Run.Active.Load()) * per)
	case groupThreads:
		return round(float64(t.Group.Active.Load()) * per)
	case allThreadsShared:
		return sharedGap(t, nil, round(per))
	case groupThreadsShared:
		return sharedGap(t, t.Group, round(per))
	}
	return round(per)
}

func (c *constantThroughput) calcMode(t *vu.Thread) int {
	s := c.mode.Eval(t)
	if n, ok := vu.ParseInt(s); ok {
		return int(n)
	}
	return max(0, slices.Index(modeTexts, s))
}

func sharedGap(t *vu.Thread, g *vu.Group, per int64) int64 {
	clock := vu.Shared(t.Run, sharedClockKey{g}, func() *sharedClock { return &sharedClock{} })
	now := time.Now().UnixMilli()
	clock.mu.Lock()
	defer clock.mu.Unlock()
	clock.last = max(now, clock.last+per)
	return clock.last - now
}

// round is Math.round, with its limits: a throughput of 0 means practically for
// ever.
func round(x float64) int64 {
	switch x = math.Floor(x + 0.5); {
	case x != x:
		return 0
	case x > 1e15:
		return 1e15
	}
	return int64(x)
}

var _ elem.Timer = (*constantThroughput)(nil)
