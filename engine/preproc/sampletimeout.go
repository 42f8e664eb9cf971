package preproc

import (
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[sampleTimeout](elem.Spec{
		Class: "SampleTimeout", Title: "Sample Timeout", Kind: elem.KindPre, Status: elem.Full,
	})
}

// sampleTimeout cuts samples short that take too long. It has no scope: it holds
// for every sampler of its thread group.
type sampleTimeout struct {
	timeout expr.Long
	slot    vu.Slot[*watch]
}

// watch is a thread's timer. It runs only while a sample does; armed tells its
// late call from one in time.
type watch struct {
	timer *time.Timer
	mu    sync.Mutex
	armed bool
}

func (c *sampleTimeout) Props(p *elem.Props) {
	p.Long(&c.timeout, "InterruptTimer.timeout", "0", "longest time of a sample in ms; 0 is none")
	c.slot = elem.SlotOf[*watch](p)
}

func (c *sampleTimeout) SampleStarting(t *vu.Thread) {
	d := time.Duration(c.timeout.Eval(t)) * time.Millisecond
	if d <= 0 {
		return
	}
	w := *c.slot.Of(t)
	if w == nil {
		w = &watch{armed: true}
		w.timer = time.AfterFunc(d, func() { w.fire(t) })
		*c.slot.Of(t) = w
		return
	}
	w.mu.Lock()
	w.armed = true
	w.mu.Unlock()
	w.timer.Reset(d)
}

func (w *watch) fire(t *vu.Thread) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.armed && t.InterruptSampler() {
		t.Log().Warn("Sample Timeout interrupted a sampler", "logger", "o.a.j.m.SampleTimeout", "thread", t.Name)
	}
}

func (c *sampleTimeout) SampleEnded(t *vu.Thread) {
	if w := *c.slot.Of(t); w != nil {
		w.timer.Stop()
		w.mu.Lock()
		w.armed = false
		w.mu.Unlock()
	}
}

var _ elem.Monitor = (*sampleTimeout)(nil)
