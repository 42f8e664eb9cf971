package vu

import "sync/atomic"

// Slots hands out places for per-thread state. Safe for concurrent use.
type Slots struct{ n atomic.Int32 }

// Slot is the place of one element's per-thread state: an index into the
// thread's own array. The zero T is its first value.
type Slot[T any] struct{ i int32 }

// NewSlot reserves a place in every thread.
func NewSlot[T any](s *Slots) Slot[T] { return Slot[T]{s.n.Add(1)} }

// Of returns the state of thread t, made on first use.
func (s Slot[T]) Of(t *Thread) *T {
	if int(s.i) < len(t.slots) {
		if p := t.slots[s.i]; p != nil {
			return p.(*T)
		}
	} else {
		t.slots = append(t.slots, make([]any, int(s.i)+1-len(t.slots))...)
	}
	p := new(T)
	t.slots[s.i] = p
	return p
}
