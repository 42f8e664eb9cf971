package group

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[virtualUser](elem.Spec{
		Class: "com.blazemeter.jmeter.control.VirtualUserController", Title: "Main controller of the bzm thread groups", Kind: elem.KindController, Status: elem.Partial,
		Note: "compared with the plug-in at work (casutg 2.10), not by recorded cases",
	})
}

// virtualUser is the main controller of a Concurrency or Arrivals Thread Group: it
// asks its group at each step whether the thread goes on.
type virtualUser struct {
	elem.Flow
	owner owner
	slot  vu.Slot[virtualUserState]
}

// owner is the group that a virtual user belongs to.
type owner interface {
	// over tells whether the group needs no more samples.
	over(t *vu.Thread) bool
	// arrived is told of an iteration that begins; false ends the thread.
	arrived(t *vu.Thread) bool
	// completed is told of an iteration that is over, and whether to its end; it
	// may wait. It says whether the thread goes on.
	completed(t *vu.Thread, iterations int64, whole bool) bool
}

type virtualUserState struct {
	inside     bool // in an iteration
	broken     bool
	iterations int64
	index      vu.Counter
	of, name   string // the index variable
}

func (c *virtualUser) Props(p *elem.Props) {
	c.slot = elem.SlotOf[virtualUserState](p)
}

// setIndex keeps the variable __jm__<group>__idx.
func (c *virtualUser) setIndex(t *vu.Thread, s *virtualUserState) {
	s.index.N = s.iterations - 1
	if s.name == "" || s.of != t.Group.Name {
		s.of, s.name = t.Group.Name, "__jm__"+t.Group.Name+"__idx"
	}
	t.Vars.PutObject(s.name, &s.index)
}

func (c *virtualUser) Next(t *vu.Thread) elem.Pick {
	s := c.slot.Of(t)
	switch {
	case s.broken || c.owner.over(t):
		s.broken = false
		c.SetDone(t, true)
	case !s.inside:
		s.inside = true
		s.iterations++
		if !c.owner.arrived(t) {
			c.SetDone(t, true)
		}
	}
	c.setIndex(t, s)
	p := c.Flow.Next(t)
	c.setIndex(t, s)
	return p
}

func (c *virtualUser) NextIsNull(t *vu.Thread) elem.Pick {
	if !c.complete(t, true) {
		c.SetDone(t, true)
		return elem.Pick{}
	}
	return c.Next(t)
}

// complete ends the iteration at hand.
func (c *virtualUser) complete(t *vu.Thread, whole bool) bool {
	n := c.slot.Of(t).iterations
	c.ReInitialize(t)
	return c.owner.completed(t, n, whole)
}

func (c *virtualUser) ReInitialize(t *vu.Thread) {
	c.Flow.ReInitialize(t)
	c.slot.Of(t).inside = false
}

func (c *virtualUser) Pass(t *vu.Thread) int { return int(c.slot.Of(t).iterations) }

// StartNextLoop gives the iteration up.
func (c *virtualUser) StartNextLoop(t *vu.Thread) {
	if !c.complete(t, false) {
		c.SetDone(t, true)
	}
}

// BreakLoop ends the thread.
func (c *virtualUser) BreakLoop(t *vu.Thread) {
	c.slot.Of(t).broken = true
	c.SetFirst(t, true)
	c.ResetCurrent(t)
}

var _ elem.Looper = (*virtualUser)(nil)
