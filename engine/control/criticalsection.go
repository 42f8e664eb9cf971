package control

import (
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[criticalSection](elem.Spec{
		Class: "CriticalSectionController", Title: "Critical Section Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// criticalSection lets one thread at a time run its children; sections of one
// name share a lock, over all thread groups.
type criticalSection struct {
	elem.Flow
	lock expr.Text
	slot vu.Slot[criticalSectionState]
}

type criticalSectionState struct{ held *sectionLock }

// sectionLock is a lock that its holder may take again.
type sectionLock struct {
	free  chan struct{} // holds one token while nobody has the lock
	mu    sync.Mutex
	owner *vu.Thread
	depth int
}

type sectionLockKey string

func (c *criticalSection) Props(p *elem.Props) {
	p.Text(&c.lock, "CriticalSectionController.lockName", "", "name of the lock")
	c.slot = elem.SlotOf[criticalSectionState](p)
}

func (c *criticalSection) Next(t *vu.Thread) elem.Pick {
	name := c.lock.Eval(t)
	if name == "" {
		t.Log().Warn("Empty lock name in Critical Section Controller: "+c.Name(t), "logger", "o.a.j.c.CriticalSectionController")
		return c.Flow.Next(t)
	}
	if c.First(t) {
		s := c.slot.Of(t)
		if s.held == nil {
			l := vu.Shared(t.Run, sectionLockKey(name), func() *sectionLock {
				l := &sectionLock{free: make(chan struct{}, 1)}
				l.free <- struct{}{}
				return l
			})
			if !l.take(t) {
				vu.Throw(vu.ErrStopThread) // the run was stopped while we waited
			}
			s.held = l
		}
	}
	return c.Flow.Next(t)
}

func (l *sectionLock) take(t *vu.Thread) bool {
	l.mu.Lock()
	if l.owner == t {
		l.depth++
		l.mu.Unlock()
		return true
	}
	l.mu.Unlock()
	select {
	case <-l.free:
	case <-t.Interrupted():
		return false
	}
	l.mu.Lock()
	l.owner, l.depth = t, 1
	l.mu.Unlock()
	return true
}

func (l *sectionLock) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.depth--; l.depth == 0 {
		l.owner = nil
		l.free <- struct{}{}
	}
}

func (c *criticalSection) release(t *vu.Thread) {
	if s := c.slot.Of(t); s.held != nil {
		s.held.release()
		s.held = nil
	}
}

func (c *criticalSection) ReInitialize(t *vu.Thread) {
	c.release(t)
	c.Flow.ReInitialize(t)
}

// ThreadEnd releases the lock of a thread that ended inside.
func (c *criticalSection) ThreadEnd(t *vu.Thread) { c.release(t) }

var (
	_ elem.Controller  = (*criticalSection)(nil)
	_ elem.ThreadEnder = (*criticalSection)(nil)
)
