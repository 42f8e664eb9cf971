package control

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[parameterized](elem.Spec{
		Class: "kg.apc.jmeter.control.ParameterizedController", Title: "jp@gc Parameterized Controller", Kind: elem.KindController, Status: elem.Partial,
		Note: "not compared with the plug-in at work",
	})
}

// parameterized sets variables before each step inside it.
type parameterized struct {
	elem.Flow
	rows []elem.Arg
}

func (c *parameterized) Props(p *elem.Props) {
	p.Args(&c.rows, "ParameterizedController", "variables")
}

func (c *parameterized) Next(t *vu.Thread) elem.Pick {
	elem.PutArgs(t, c.rows)
	return c.Flow.Next(t)
}

var _ elem.Controller = (*parameterized)(nil)
