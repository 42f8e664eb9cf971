package host

import (
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/vu"
)

// thread is ctx.getThread() and what else scripts ask of one.
type thread struct{ t *vu.Thread }

func (h *thread) Name() string      { return h.t.Name }
func (h *thread) Number() int       { return h.t.Num }
func (h *thread) Iteration() int    { return h.t.Iteration }
func (h *thread) GroupName() string { return h.t.Group.Name }
func (h *thread) GroupThreads() int { return h.t.Group.Threads }
func (h *thread) StopThread()       { h.t.Stop() }

// StopTest ends the test; now cuts samples short.
func (h *thread) StopTest(now bool) {
	if h.t.Run.Stop != nil {
		h.t.Run.Stop(now, "asked by a script of "+h.t.Name)
	}
}

// Do asks for what happens after the sample at hand.
func (h *thread) Do(a api.Action) {
	switch a {
	case api.StartNextIteration:
		h.t.Action = vu.NextThreadIteration
	case api.StartNextLoop:
		h.t.Action = vu.NextLoopIteration
	case api.BreakCurrentLoop:
		h.t.Action = vu.BreakLoop
	default:
		h.t.Action = vu.Continue
	}
}
