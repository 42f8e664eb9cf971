package control

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[onceOnly](elem.Spec{
		Class: "OnceOnlyController", Title: "Once Only Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// onceOnly runs its children once and is spent, until the nearest controller
// above starts its first pass again: number 1 for a Loop, 0 for any other.
type onceOnly struct{ elem.Flow }

func (c *onceOnly) Props(*elem.Props) {}

func (c *onceOnly) NextIsNull(*vu.Thread) elem.Pick { return elem.Pick{} }

// PassStart arms the controller again.
func (c *onceOnly) PassStart(t *vu.Thread, from elem.Controller, pass int) {
	first := 0
	if _, ok := from.(*loop); ok {
		first = 1
	}
	if pass == first {
		c.ReInitialize(t)
	}
}

var (
	_ elem.Controller  = (*onceOnly)(nil)
	_ elem.PassStarter = (*onceOnly)(nil)
)
