package control

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

// index keeps the variable __jm__<name>__idx, the 0-based number of a loop's
// pass, without making a text of it at every step.
type index struct{ slot vu.Slot[indexState] }

type indexState struct {
	vu.Counter
	of, name string
}

func newIndex(p *elem.Props) index { return index{elem.SlotOf[indexState](p)} }

func (x index) set(t *vu.Thread, controller string, n int) {
	s := x.slot.Of(t)
	s.N = int64(n)
	if s.name == "" || s.of != controller {
		s.of, s.name = controller, "__jm__"+controller+"__idx"
	}
	t.Vars.PutObject(s.name, &s.Counter)
}
