package elem

import (
	"slices"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// Controller decides what runs next. The protocol is JMeter's: a controller is
// asked for the next sampler and may stop half-way; the zero Pick ends a pass.
// Every controller embeds [Flow], which is a Simple Controller, and overrides
// what it does differently; Flow calls back through the interface, so that an
// override counts wherever it is called from.
type Controller interface {
	Element
	flow() *Flow

	// Next returns what runs next, or the zero Pick at the end of a pass.
	Next(t *vu.Thread) Pick
	// NextIsNull is called at the end of the children.
	NextIsNull(t *vu.Thread) Pick
	// NextIsController asks the child controller c.
	NextIsController(t *vu.Thread, c Controller) Pick
	// NextIsStep hands out a sampler.
	NextIsStep(t *vu.Thread, s *Step) Pick
	// Current returns the child at the current position.
	Current(t *vu.Thread) (c Child, ok bool)
	// CurrentReturnedNull moves on after child c ended its pass.
	CurrentReturnedNull(t *vu.Thread, c Controller)
	IncrementCurrent(t *vu.Thread)
	ResetCurrent(t *vu.Thread)
	// Initialize prepares the controller and those below for a new thread.
	Initialize(t *vu.Thread)
	// ReInitialize ends a pass.
	ReInitialize(t *vu.Thread)
	// TriggerEndOfLoop ends the pass from outside (start next loop).
	TriggerEndOfLoop(t *vu.Thread)
	IsDone(t *vu.Thread) bool
	SetDone(t *vu.Thread, done bool)
	// Pass is the number of the pass that begins, as JMeter counts.
	Pass(t *vu.Thread) int
}

// Looper is a controller that repeats its children: Loop, While, ForEach.
type Looper interface {
	Controller
	StartNextLoop(t *vu.Thread)
	BreakLoop(t *vu.Thread)
}

// Child is one child of a controller: a step or a controller.
type Child struct {
	Step *Step
	Ctl  Controller
	Name expr.Text
}

// Flow is the state machine of a Simple Controller, and the base of all others.
type Flow struct {
	Label    expr.Text
	self     Controller
	slot     vu.Slot[flowState]
	children []Child
	starters []PassStarter // the last registered is told first
}

// flowState is a thread's state; its zero value is that of a new thread.
type flowState struct {
	left    []Child // what is left of the children once one was removed
	cut     bool    // left is in force
	current int
	pass    int
	entered bool // JMeter's "first" turned round
	done    bool
}

// SetUp makes f the flow of self; the engine calls it once while compiling.
func (f *Flow) SetUp(self Controller, label expr.Text, slots *vu.Slots) {
	f.self, f.Label, f.slot = self, label, vu.NewSlot[flowState](slots)
}

// Add appends a child.
func (f *Flow) Add(c Child) { f.children = append(f.children, c) }

// AddStarter registers an element that is told of each pass.
func (f *Flow) AddStarter(s PassStarter) { f.starters = slices.Insert(f.starters, 0, s) }

// FlowOf returns the Flow embedded in c.
func FlowOf(c Controller) *Flow { return c.flow() }

func (f *Flow) flow() *Flow { return f }

var _ interface{ flow() *Flow } = (*Flow)(nil) // part of each Controller that embeds it

// Name is the controller's name for thread t.
func (f *Flow) Name(t *vu.Thread) string { return f.Label.Eval(t) }

// Children are those that are left: the ones that are done are removed for the
// rest of the thread's life.
func (f *Flow) Children(t *vu.Thread) []Child {
	if s := f.slot.Of(t); s.cut {
		return s.left
	}
	return f.children
}

// SetChildren puts the thread's children in another order.
func (f *Flow) SetChildren(t *vu.Thread, c []Child) {
	s := f.slot.Of(t)
	s.left, s.cut = c, true
}

// All are the children as declared.
func (f *Flow) All() []Child { return f.children }

// Position is the index of the current child.
func (f *Flow) Position(t *vu.Thread) int { return f.slot.Of(t).current }

// SetPosition moves to a child.
func (f *Flow) SetPosition(t *vu.Thread, i int) { f.slot.Of(t).current = i }

// First tells whether a pass is about to begin.
func (f *Flow) First(t *vu.Thread) bool { return !f.slot.Of(t).entered }

// SetFirst makes the next call of Next begin a pass, or not.
func (f *Flow) SetFirst(t *vu.Thread, first bool) { f.slot.Of(t).entered = !first }

// Next is the Simple Controller's. Overrides may call it as JMeter's call super.next().
func (f *Flow) Next(t *vu.Thread) Pick {
	f.FireIterEvents(t)
	if f.self.IsDone(t) {
		return Pick{}
	}
	c, ok := f.self.Current(t)
	switch {
	case ok && c.Ctl != nil:
		return f.self.NextIsController(t, c.Ctl)
	case ok:
		return f.self.NextIsStep(t, c.Step)
	case len(f.Children(t)) == 0:
		f.self.SetDone(t, true)
		return Pick{}
	}
	return f.self.NextIsNull(t)
}

// FireIterEvents tells the starters when a pass begins.
func (f *Flow) FireIterEvents(t *vu.Thread) {
	s := f.slot.Of(t)
	if s.entered {
		return
	}
	f.fireStart(t)
	s.entered = true
}

func (f *Flow) fireStart(t *vu.Thread) {
	if len(f.starters) == 0 {
		return
	}
	pass := f.self.Pass(t)
	for _, x := range f.starters {
		x.PassStart(t, f.self, pass)
	}
}

func (f *Flow) NextIsNull(t *vu.Thread) Pick {
	f.self.ReInitialize(t)
	return Pick{}
}

func (f *Flow) NextIsController(t *vu.Thread, c Controller) Pick {
	if p := c.Next(t); !p.None() {
		return p
	}
	f.self.CurrentReturnedNull(t, c)
	return f.self.Next(t)
}

func (f *Flow) NextIsStep(t *vu.Thread, s *Step) Pick {
	f.self.IncrementCurrent(t)
	return Pick{Step: s}
}

func (f *Flow) Current(t *vu.Thread) (Child, bool) {
	cs, i := f.Children(t), f.slot.Of(t).current
	if i < len(cs) {
		return cs[i], true
	}
	return Child{}, false
}

func (f *Flow) CurrentReturnedNull(t *vu.Thread, c Controller) {
	if c.IsDone(t) {
		f.RemoveCurrent(t)
	} else {
		f.self.IncrementCurrent(t)
	}
}

// RemoveCurrent removes the current child for the rest of the thread's life.
func (f *Flow) RemoveCurrent(t *vu.Thread) {
	s := f.slot.Of(t)
	if !s.cut {
		s.left, s.cut = slices.Clone(f.children), true
	}
	if s.current < len(s.left) {
		s.left = slices.Delete(s.left, s.current, s.current+1)
	}
}

func (f *Flow) IncrementCurrent(t *vu.Thread) { f.slot.Of(t).current++ }
func (f *Flow) ResetCurrent(t *vu.Thread)     { f.slot.Of(t).current = 0 }

func (f *Flow) Initialize(t *vu.Thread) {
	f.self.ResetCurrent(t)
	s := f.slot.Of(t)
	s.pass, s.done, s.entered = 0, false, false
	f.InitializeChildren(t)
}

// InitializeChildren initializes the controllers below.
func (f *Flow) InitializeChildren(t *vu.Thread) {
	for _, c := range f.Children(t) {
		if c.Ctl != nil {
			c.Ctl.Initialize(t)
		}
	}
}

func (f *Flow) ReInitialize(t *vu.Thread) {
	f.self.ResetCurrent(t)
	s := f.slot.Of(t)
	s.pass++
	s.entered = false
}

func (f *Flow) TriggerEndOfLoop(t *vu.Thread)   { f.self.ReInitialize(t) }
func (f *Flow) IsDone(t *vu.Thread) bool        { return f.slot.Of(t).done }
func (f *Flow) SetDone(t *vu.Thread, done bool) { f.slot.Of(t).done = done }
func (f *Flow) Pass(t *vu.Thread) int           { return f.slot.Of(t).pass }

// ResetPass sets the pass number back to 0.
func (f *Flow) ResetPass(t *vu.Thread) { f.slot.Of(t).pass = 0 }
