package elem

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// Derived is what an element makes of a text: a compiled pattern or path. That of
// a constant is made once, when the plan is compiled, and shared by all threads;
// that of another text is kept by each thread and made anew when it has changed.
type Derived[T any] struct {
	text  expr.Text
	make  func(text string) (T, error)
	value T
	err   error
	slot  vu.Slot[derivedState[T]]
}

type derivedState[T any] struct {
	made  bool
	text  string
	value T
	err   error
}

// Derive returns what make_ makes of text. make_ is called by many threads at once.
func Derive[T any](p *Props, text expr.Text, make_ func(text string) (T, error)) Derived[T] {
	d := Derived[T]{text: text, make: make_}
	if text.IsConst() {
		d.value, d.err = make_(text.Source())
	} else {
		d.slot = SlotOf[derivedState[T]](p)
	}
	return d
}

// Source is the text as it stands in the plan.
func (d *Derived[T]) Source() string { return d.text.Source() }

// Err is what is wrong with a constant text.
func (d *Derived[T]) Err() error { return d.err }

// Text is the text for thread t.
func (d *Derived[T]) Text(t *vu.Thread) string { return d.text.Eval(t) }

// Of returns what was made of the text, or why it could not be.
func (d *Derived[T]) Of(t *vu.Thread) (T, error) {
	if d.text.IsConst() {
		return d.value, d.err
	}
	return d.For(t, d.text.Eval(t))
}

// For is Of where text is what [Derived.Text] returned: expressions that count are
// not to be evaluated twice.
func (d *Derived[T]) For(t *vu.Thread, text string) (T, error) {
	if d.text.IsConst() {
		return d.value, d.err
	}
	s := d.slot.Of(t)
	if !s.made || text != s.text {
		s.made, s.text = true, text
		s.value, s.err = d.make(text)
	}
	return s.value, s.err
}
