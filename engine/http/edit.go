package http

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// edits are what pre-processors and scripts have changed of a sampler for the
// sample that comes next; they end with it.
type edits struct {
	set  uint64 // bit set of prop
	text [props]string
	args []argument // in force when own is set
	own  bool
}

// current returns the HTTP sampler that the thread is about to run, nil when it
// is another one.
func current(t *vu.Thread) *sampler {
	step, _ := t.Sampler.(*elem.Step)
	if step == nil {
		return nil
	}
	s, _ := step.Sampler.(*sampler)
	return s
}

func (s *sampler) edit(t *vu.Thread) *edits {
	st := s.slot.Of(t)
	if st.edits == nil {
		st.edits = new(edits)
	}
	return st.edits
}

// value is the property's text for the next sample.
func (s *sampler) value(t *vu.Thread, e *edits, p prop) string {
	if e != nil && e.set&(1<<p) != 0 {
		return e.text[p]
	}
	return s.text[p].Eval(t)
}

// arguments are those of the next sample.
func (s *sampler) arguments(e *edits) []argument {
	if e != nil && e.own {
		return e.args
	}
	return s.args
}

// Property returns what the property of that name, in JMeter's spelling, holds
// for the thread's next sample; ok is false for one that is not a single text.
// Scripts read the sampler by it.
func (s *sampler) Property(t *vu.Thread, name string) (value string, ok bool) {
	for i := range properties {
		if properties[i].name == name {
			return s.value(t, s.slot.Of(t).edits, prop(i)), true
		}
	}
	return "", false
}

// SetProperty changes the property for the thread's next sample, after which it
// is as before.
func (s *sampler) SetProperty(t *vu.Thread, name, value string) (ok bool) {
	for i := range properties {
		if properties[i].name == name {
			s.edit(t).put(prop(i), value)
			return true
		}
	}
	return false
}

func (e *edits) put(p prop, value string) {
	e.set |= 1 << p
	e.text[p] = value
}

// setArguments replaces the arguments.
func (e *edits) setArguments(args []argument) { e.args, e.own = args, true }

// constantArgument is an argument of fixed texts.
func constantArgument(name, value, metadata string, encode bool) argument {
	flag := "false"
	if encode {
		flag = "true"
	}
	return argument{name: expr.Const(name), value: expr.Const(value), metadata: expr.Const(metadata),
		encode: expr.NewBool(expr.Const(flag)), contentType: expr.Const("text/plain")}
}
