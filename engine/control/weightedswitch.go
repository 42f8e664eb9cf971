package control

import (
	"fmt"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[weightedSwitch](elem.Spec{
		Class: "com.blazemeter.jmeter.control.WeightedSwitchController", Title: "bzm - Weighted Switch Controller", Kind: elem.KindController, Status: elem.Partial,
		Note: "not compared with the plug-in at work",
	})
}

// weightedSwitch runs one child a pass, so that their numbers come to the weights.
type weightedSwitch struct {
	elem.Flow
	rows   [][]expr.Text // name, weight, enabled; in the order of the enabled children
	random expr.Bool
	slot   vu.Slot[weightedSwitchState]
}

type weightedSwitchState struct {
	inside bool
	chosen int
	counts []int
	total  int
}

func (c *weightedSwitch) Props(p *elem.Props) {
	p.Rows(&c.rows, "Weights", "name of the child, weight, enabled")
	p.Bool(&c.random, "IsRandomChoice", false, "choose by chance, not by what ran before")
	c.slot = elem.SlotOf[weightedSwitchState](p)
}

func (c *weightedSwitch) Next(t *vu.Thread) elem.Pick {
	s := c.slot.Of(t)
	if !s.inside {
		n, ok := c.choose(t, s)
		if !ok {
			return elem.Pick{}
		}
		s.inside, s.chosen = true, n
		c.SetPosition(t, n)
	} else if c.Position(t) != s.chosen {
		c.ReInitialize(t)
		return elem.Pick{}
	}
	return c.Flow.Next(t)
}

// CurrentReturnedNull ends the pass; a child that is done keeps its place, by which
// the weights find it.
func (c *weightedSwitch) CurrentReturnedNull(t *vu.Thread, _ elem.Controller) { c.IncrementCurrent(t) }

func (c *weightedSwitch) ReInitialize(t *vu.Thread) {
	c.slot.Of(t).inside = false
	c.Flow.ReInitialize(t)
}

// choose is the index of the child to run.
func (c *weightedSwitch) choose(t *vu.Thread, s *weightedSwitchState) (index int, ok bool) {
	var weights []float64
	var sum float64
	for _, row := range c.rows {
		if len(row) < 2 || len(row) > 2 && row[2].Eval(t) != "true" {
			continue
		}
		text := row[1].Eval(t)
		n, isNumber := vu.ParseLong(text)
		if !isNumber {
			vu.Throw(fmt.Errorf("weight %q is not a number", text))
		}
		weights = append(weights, float64(n))
		sum += float64(n)
	}
	if sum <= 0 {
		return 0, false
	}
	if c.random.Eval(t) {
		x := t.Rand.Float64() * sum
		for i, w := range weights {
			if x -= w; x <= 0 {
				return i, true
			}
		}
		return 0, true
	}
	if len(s.counts) != len(weights) {
		s.counts, s.total = make([]int, len(weights)), 0
	}
	index = s.choose(weights, sum)
	s.total++
	s.counts[index]++
	return index, true
}

// choose is the child that lags most behind its weight, the heaviest if none does.
func (s *weightedSwitchState) choose(weights []float64, sum float64) int {
	best, most := -1, 0.0
	for i, w := range weights {
		var share float64
		if s.total > 0 {
			share = float64(s.counts[i]) / float64(s.total)
		}
		if lag := w/sum - share; lag > most {
			best, most = i, lag
		}
	}
	if best >= 0 {
		return best
	}
	for i, w := range weights {
		if w > most {
			best, most = i, w
		}
	}
	return best
}

var _ elem.Controller = (*weightedSwitch)(nil)
