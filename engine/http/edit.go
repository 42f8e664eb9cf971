package http

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// edits are what pre-processors and scripts have changed of a sampler for the
// sample at hand; they end with it.
type edits struct {
	turn uint64 // of the thread: which sample is meant
	set  uint64 // bit set of prop
	text [props]string
	args []argument // in force when own is set
	own  bool

	headers    []header // in force when ownHeaders is set: of several managers
	ownHeaders bool
}

// current returns the HTTP sampler that the thread is about to run, nil when it
// is another one.
func current(t *vu.Thread) *sampler {
	step, _ := t.Sampler.(*elem.Step)
	if step == nil {
		return nil
	}
	switch s := step.Sampler.(type) {
	case *sampler:
		return s
	case *oldSampler:
		return &s.sampler
	case *accessLog:
		return &s.s
	}
	return nil
}

// edit returns the edits of the sample at hand, to add to them.
func (s *sampler) edit(t *vu.Thread) *edits {
	st := s.slot.Of(t)
	if st.current(t) == nil {
		st.edits = &edits{turn: t.Turn}
	}
	return st.edits
}

// current returns the edits of the sample at hand, nil where there are none.
func (st *state) current(t *vu.Thread) *edits {
	if st.edits == nil || st.edits.turn != t.Turn {
		return nil
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
			return s.value(t, s.slot.Of(t).current(t), prop(i)), true
		}
	}
	return "", false
}

// SetProperty changes the property for the thread's next sample, after which it
// is as before.
func (s *sampler) SetProperty(t *vu.Thread, name, value string) (ok bool) {
	for i := range properties {
		switch {
		case properties[i].name != name:
		case prop(i) == propPath:
			s.setPath(t, value)
			return true
		default:
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

// removeArgument leaves out the arguments of that name.
func (e *edits) removeArgument(s *sampler, t *vu.Thread, name string) {
	var kept []argument
	for _, a := range s.arguments(e) {
		if a.name.Eval(t) != name {
			kept = append(kept, a)
		}
	}
	e.setArguments(kept)
}

// setPath changes the path. As in JMeter the query of a GET or DELETE becomes
// arguments.
func (s *sampler) setPath(t *vu.Thread, path string) {
	e := s.edit(t)
	whole := strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://")
	method := s.value(t, e, propMethod)
	if path, query, ok := strings.Cut(path, "?"); ok && !whole && (method == "GET" || method == "DELETE") {
		e.put(propPath, path)
		args := append([]argument(nil), s.arguments(e)...)
		for part := range strings.SplitSeq(query, "&") {
			if name, value, equals := strings.Cut(part, "="); name != "" {
				args = append(args, newArgument(name, value, metadata(equals), true))
			}
		}
		e.setArguments(args)
		return
	}
	e.put(propPath, path)
}

func metadata(equals bool) string {
	if equals {
		return "="
	}
	return ""
}

// newArgument is an argument of fixed texts. One that is encoded already is
// decoded, and encoded again when it is sent, if that makes a difference.
func newArgument(name, value, metadata string, encoded bool) argument {
	encode := true
	if encoded {
		if n, err := java.URLDecode(name, java.UTF8); err == nil {
			name = n
		}
		if v, err := java.URLDecode(value, java.UTF8); err == nil {
			value = v
		}
		encode = java.URLEncode(name, java.UTF8) != name || java.URLEncode(value, java.UTF8) != value
	}
	return plainArgument(name, value, metadata, encode)
}

func plainArgument(name, value, metadata string, encode bool) argument {
	return argument{name: expr.Const(name), value: expr.Const(value), metadata: expr.Const(metadata),
		encode: expr.NewBool(expr.Const(strconv.FormatBool(encode))), contentType: expr.Const(typeText)}
}
