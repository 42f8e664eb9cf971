package host

import (
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/vu"
)

type thread struct{ t *vu.Thread }

func (h thread) Name() string   { return h.t.Name }
func (h thread) Number() int    { return h.t.Num }
func (h thread) Iteration() int { return h.t.Iteration }

func (h thread) GroupName() string {
	if h.t.Group == nil {
		return ""
	}
	return h.t.Group.Name
}

func (h thread) GroupThreads() int {
	if h.t.Group == nil {
		return 0
	}
	return h.t.Group.Threads
}

func (h thread) StopThread() { h.t.Stop() }

func (h thread) StopTest(now bool) {
	if h.t.Run.Stop != nil {
		h.t.Run.Stop(now, "stopped by a script of thread "+h.t.Name)
	}
}

func (h thread) Do(a api.Action) {
	switch a {
	case api.Continue:
		h.t.Action = vu.Continue
	case api.StartNextIteration:
		h.t.Action = vu.NextThreadIteration
	case api.StartNextLoop:
		h.t.Action = vu.NextLoopIteration
	case api.BreakCurrentLoop:
		h.t.Action = vu.BreakLoop
	}
}
