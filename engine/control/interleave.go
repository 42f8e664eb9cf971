package control

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[interleave](elem.Spec{
		Class: "InterleaveControl", Title: "Interleave Controller", Kind: elem.KindController, Status: elem.Full,
	})
	elem.Register[random](elem.Spec{
		Class: "RandomController", Title: "Random Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// The styles of an Interleave Controller.
const (
	ignoreBlocks = 0 // one sampler of a sub-controller a visit
	useBlocks    = 1 // all of them
)

// interleave runs one child a pass, in turn.
type interleave struct {
	elem.Flow
	style  expr.Int
	across expr.Bool
	slot   vu.Slot[interleaveState]
}

type interleaveState struct {
	skipNext  bool
	searching bool // start is in force
	start     elem.Child
	startOK   bool
	returned  bool // the current child handed out something
	moved     bool // JMeter's "still same" turned round
	nulls     int  // children in a row that handed out nothing
}

func (c *interleave) Props(p *elem.Props) {
	p.Int(&c.style, "InterleaveControl.style", "0", "0 takes one sampler of a sub-controller a visit, 1 all")
	p.Bool(&c.across, "InterleaveControl.accrossThreads", false, "threads start at different children")
	c.slot = elem.SlotOf[interleaveState](p)
}

func (c *interleave) Initialize(t *vu.Thread) {
	c.Flow.Initialize(t)
	if n := len(c.Children(t)); n > 0 && c.across.Eval(t) {
		c.SetPosition(t, t.Num%n)
	}
}

// ReInitialize keeps the position: the next pass goes on from here.
func (c *interleave) ReInitialize(t *vu.Thread) {
	*c.slot.Of(t) = interleaveState{}
	pos := c.Position(t)
	c.Flow.ReInitialize(t)
	c.SetPosition(t, pos)
}

func (c *interleave) Next(t *vu.Thread) elem.Pick { return c.next(t, c) }

// next is Next for self, which may be a Random Controller.
func (c *interleave) next(t *vu.Thread, self elem.Controller) elem.Pick {
	s := c.slot.Of(t)
	if s.skipNext {
		self.ReInitialize(t)
		return elem.Pick{}
	}
	c.FireIterEvents(t)
	if self.IsDone(t) {
		return elem.Pick{}
	}
	child, ok := self.Current(t)
	if !ok && len(c.Children(t)) == 0 {
		self.SetDone(t, true)
		return elem.Pick{}
	}
	switch {
	case !s.searching:
		s.searching, s.start, s.startOK = ok, child, ok
	case s.startOK && ok && same(s.start, child) && s.moved:
		self.ReInitialize(t)
		return elem.Pick{}
	}
	switch {
	case ok && child.Ctl != nil:
		return self.NextIsController(t, child.Ctl)
	case ok:
		return self.NextIsStep(t, child.Step)
	}
	return self.NextIsNull(t)
}

func same(a, b elem.Child) bool { return a.Step == b.Step && a.Ctl == b.Ctl }

func (c *interleave) NextIsController(t *vu.Thread, child elem.Controller) elem.Pick {
	return c.nextIsController(t, child, c)
}

func (c *interleave) nextIsController(t *vu.Thread, child, self elem.Controller) elem.Pick {
	s := c.slot.Of(t)
	p := child.Next(t)
	if p.None() {
		// In style 0 JMeter asks a child that ended its pass at once again, and
		// for ever one that has nothing to give: such a child is passed over here.
		if s.nulls++; s.nulls > 2*len(c.Children(t))+1 {
			self.ReInitialize(t)
			return elem.Pick{}
		}
		self.CurrentReturnedNull(t, child)
		return self.Next(t)
	}
	s.nulls = 0
	s.returned = true
	if c.style.Eval(t) == ignoreBlocks {
		self.IncrementCurrent(t)
		s.skipNext = true
	} else {
		s.searching = false
	}
	return p
}

func (c *interleave) NextIsStep(t *vu.Thread, st *elem.Step) elem.Pick {
	return c.nextIsStep(t, st, c)
}

func (c *interleave) nextIsStep(t *vu.Thread, st *elem.Step, self elem.Controller) elem.Pick {
	c.slot.Of(t).skipNext = true
	self.IncrementCurrent(t)
	return elem.Pick{Step: st}
}

func (c *interleave) NextIsNull(t *vu.Thread) elem.Pick {
	c.ResetCurrent(t)
	return c.Next(t)
}

func (c *interleave) CurrentReturnedNull(t *vu.Thread, child elem.Controller) {
	c.currentReturnedNull(t, child, c)
}

func (c *interleave) currentReturnedNull(t *vu.Thread, child, self elem.Controller) {
	switch {
	case child.IsDone(t):
		c.RemoveCurrent(t)
	case c.style.Eval(t) == useBlocks || c.slot.Of(t).nulls > 1:
		self.IncrementCurrent(t)
	}
}

func (c *interleave) IncrementCurrent(t *vu.Thread) {
	s := c.slot.Of(t)
	if s.returned {
		s.skipNext = true
	}
	s.moved = true
	c.Flow.IncrementCurrent(t)
}

// random runs one child a pass, any.
type random struct{ interleave }

func (c *random) Next(t *vu.Thread) elem.Pick { return c.next(t, c) }

func (c *random) NextIsController(t *vu.Thread, child elem.Controller) elem.Pick {
	return c.nextIsController(t, child, c)
}

func (c *random) NextIsStep(t *vu.Thread, st *elem.Step) elem.Pick { return c.nextIsStep(t, st, c) }

func (c *random) NextIsNull(t *vu.Thread) elem.Pick {
	c.ResetCurrent(t)
	return c.Next(t)
}

func (c *random) CurrentReturnedNull(t *vu.Thread, child elem.Controller) {
	c.currentReturnedNull(t, child, c)
}

func (c *random) ResetCurrent(t *vu.Thread) {
	pos := 0
	if n := len(c.Children(t)); n > 0 {
		pos = t.Rand.IntN(n)
	}
	c.SetPosition(t, pos)
}

func (c *random) IncrementCurrent(t *vu.Thread) {
	c.interleave.IncrementCurrent(t)
	c.ResetCurrent(t)
}

var (
	_ elem.Controller = (*interleave)(nil)
	_ elem.Controller = (*random)(nil)
)
