package control

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

// index keeps the variable __jm__<name>__idx, the 0-based number of a loop's
// pass, without making a text of it at every step.
type index struct {
	slot vu.Slot[indexState]
	ref  vu.Ref // of the variable, where the controller's name is fixed
}

type indexState struct {
	vu.Counter
	of, name string
}

func newIndex(p *elem.Props) index {
	x := index{elem.SlotOf[indexState](p), vu.NoRef}
	if name := p.Name(); name.IsConst() && p.Compiler() != nil {
		x.ref = p.Compiler().Names.Ref(indexName(name.Source()))
	}
	return x
}

func indexName(controller string) string { return "__jm__" + controller + "__idx" }

func (x index) set(t *vu.Thread, controller string, n int) {
	s := x.slot.Of(t)
	s.N = int64(n)
	if x.ref != vu.NoRef {
		t.Vars.PutObjectRef(x.ref, &s.Counter)
		return
	}
	if s.name == "" || s.of != controller {
		s.of, s.name = controller, indexName(controller)
	}
	t.Vars.PutObject(s.name, &s.Counter)
}
