package http

import (
	"slices"
	"sync/atomic"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// fixed is the call of a sampler in which nothing varies, but for what managers
// add: all threads share it. Where it asks for properties it is made anew once
// they have changed.
type fixed struct {
	at   atomic.Pointer[fixedCall] // nil where every sample evaluates its own
	kind fixedKind
}

type fixedCall struct {
	call
	edits uint64 // of the properties it was made with
	made  int    // how many were made before
}

type fixedKind uint8

const (
	varies   fixedKind = iota
	constant           // come what may
	settled            // as long as the properties do not change
)

// maxFixed is how often a call is made anew before every sample makes its own,
// which costs less when properties change all the time.
const maxFixed = 100

func (f *fixed) bind(s *sampler) {
	if f.kind = s.kind(); f.kind != varies {
		f.at.Store(newFixed(s, s.engine, 0))
	}
}

// loosen lets every sample evaluate its own call.
func (f *fixed) loosen() { f.at.Store(nil) }

// call returns the call at hand, nil where the sample has to make its own.
func (f *fixed) call(s *sampler, t *vu.Thread) *call {
	c := f.at.Load()
	switch {
	case c == nil:
		return nil
	case f.kind == constant || c.edits == t.Run.Props.Edits():
		return &c.call
	case c.made >= maxFixed:
		f.loosen()
		return nil
	}
	c = newFixed(s, t, c.made+1)
	f.at.Store(c)
	return &c.call
}

func newFixed(s *sampler, t *vu.Thread, made int) *fixedCall {
	c := &fixedCall{edits: t.Run.Props.Edits(), made: made}
	c.fill(s, t, nil, nil)
	c.compose(t)
	return c
}

// kind says how much the calls of s differ.
func (s *sampler) kind() fixedKind {
	for _, p := range []prop{propSource, propOldFile} {
		if s.text[p].Source() != "" {
			return varies
		}
	}
	multipart := s.text[propMultipart]
	if len(s.files) > 0 || s.sh.localAddress != "" || !multipart.IsConst() || isTrue(multipart.Source()) {
		return varies
	}
	texts := slices.Clone(s.text[:])
	for i := range s.args {
		t := s.args[i].texts()
		texts = append(texts, t[:]...)
	}
	for _, m := range s.headers.managers {
		for _, r := range m.rows {
			texts = append(texts, r.name, r.value)
		}
	}
	switch {
	case !slices.ContainsFunc(texts, func(x expr.Text) bool { return !x.IsConst() }):
		return constant
	case !slices.ContainsFunc(texts, func(x expr.Text) bool { return !x.Settled() }):
		return settled
	}
	return varies
}
