package vu

import (
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gojm/gojm/jtl"
)

// Action is what a thread does after the sample at hand.
type Action uint8

// The actions of Flow Control Action, Result Status Action Handler and scripts.
const (
	Continue            Action = iota
	NextThreadIteration        // start the next loop of the thread group
	NextLoopIteration          // start the next pass of the nearest loop
	BreakLoop                  // leave the nearest loop
)

// Named is an element whose name may hold expressions.
type Named interface{ Name(t *Thread) string }

// Thread is one virtual user. All of it belongs to its goroutine, but for
// Stop, Interrupt and Done, which may be called from others.
type Thread struct {
	Name  string // "Users 1-1"
	Num   int    // 0-based number in its group
	Group *Group
	Run   *Run
	Vars  *Vars
	Rand  *rand.Rand

	// Prev is the result before the line that runs: the current one in
	// post-processors, assertions and listeners, the last one before a sample.
	Prev *jtl.Sample
	// PrevTurn is the Turn in which Prev was made.
	PrevTurn uint64
	// Sampler is the sampler at hand, nil before the first.
	Sampler Named
	// Turn counts the samplers that the thread has come to, the one at hand included:
	// what lasts for one of them only is marked by it.
	Turn uint64
	// Rename is the name that a script has given to the sample that comes next; ""
	// is the sampler's own.
	Rename string
	// Iteration is the 1-based loop of the thread group.
	Iteration int
	// Action is asked for by the sample at hand and done after it.
	Action Action
	// End is when the scheduler ends the thread; zero without one.
	End time.Time
	// SameUser is false when each iteration stands for a new user.
	SameUser bool

	slots   []any
	timer   *time.Timer
	stopped atomic.Bool
	wake    chan struct{} // closed by Interrupt

	mu        sync.Mutex
	interrupt func()
	woken     bool

	cut  func()        // wakes SleepInSample
	cuts chan struct{} // of its calls, for one that is waiting
}

// NewThread returns a thread of g that has not started.
func NewThread(g *Group, num int, name string, vars *Vars) *Thread {
	return &Thread{
		Name: name, Num: num, Group: g, Run: g.Run, Vars: vars, SameUser: true,
		Rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())),
		wake: make(chan struct{}),
	}
}

// Log is the run's log.
func (t *Thread) Log() *slog.Logger { return t.Run.Log }

// Stop ends the thread after its current sample.
func (t *Thread) Stop() { t.stopped.Store(true) }

// Stopped tells whether the thread is to end after its current sample.
func (t *Thread) Stopped() bool { return t.stopped.Load() }

// Interrupt stops the thread, wakes it from a sleep and cuts its sample short.
func (t *Thread) Interrupt() {
	t.Stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.woken {
		t.woken = true
		close(t.wake)
	}
	if t.interrupt != nil {
		t.interrupt()
	}
}

// InterruptSampler cuts only the sample at hand short, and tells whether there
// was one that can be.
func (t *Thread) InterruptSampler() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.interrupt == nil {
		return false
	}
	t.interrupt()
	return true
}

// OnInterrupt names what cuts the operation at hand short; nil ends that. f is
// called from another goroutine. If the thread is interrupted already, f is
// called at once.
func (t *Thread) OnInterrupt(f func()) {
	t.mu.Lock()
	t.interrupt = f
	woken := t.woken
	t.mu.Unlock()
	if woken && f != nil {
		f()
	}
}

// Interrupted is closed when the thread is interrupted.
func (t *Thread) Interrupted() <-chan struct{} { return t.wake }

// Sleep waits d, or until the thread is interrupted; it tells whether the wait
// was whole.
func (t *Thread) Sleep(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	if t.timer == nil {
		t.timer = time.NewTimer(d)
	} else {
		t.timer.Reset(d)
	}
	select {
	case <-t.timer.C:
		return true
	case <-t.wake:
		t.timer.Stop()
		return false
	}
}

// SleepInSample is Sleep for a sampler: what cuts its sample short ends the wait,
// too.
func (t *Thread) SleepInSample(d time.Duration) bool {
	if d <= 0 {
		return true
	}
	if t.cut == nil {
		cuts := make(chan struct{}, 1)
		t.cuts = cuts
		t.cut = func() {
			select {
			case cuts <- struct{}{}:
			default:
			}
		}
	}
	select {
	case <-t.cuts: // came too late for the wait before
	default:
	}
	t.OnInterrupt(t.cut)
	defer t.OnInterrupt(nil)
	if t.timer == nil {
		t.timer = time.NewTimer(d)
	} else {
		t.timer.Reset(d)
	}
	select {
	case <-t.timer.C:
		return true
	case <-t.cuts:
	case <-t.wake:
	}
	t.timer.Stop()
	return false
}
