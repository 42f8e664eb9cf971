package control

import (
	"slices"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[randomOrder](elem.Spec{
		Class: "RandomOrderController", Title: "Random Order Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// randomOrder runs all its children each pass, in a new order.
type randomOrder struct{ elem.Flow }

func (c *randomOrder) Props(*elem.Props) {}

func (c *randomOrder) Initialize(t *vu.Thread) {
	c.Flow.Initialize(t)
	c.shuffle(t)
}

func (c *randomOrder) ReInitialize(t *vu.Thread) {
	c.Flow.ReInitialize(t)
	c.shuffle(t)
}

func (c *randomOrder) shuffle(t *vu.Thread) {
	cs := slices.Clone(c.Children(t))
	t.Rand.Shuffle(len(cs), func(i, j int) { cs[i], cs[j] = cs[j], cs[i] })
	c.SetChildren(t, cs)
}

var _ elem.Controller = (*randomOrder)(nil)
