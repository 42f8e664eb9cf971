package config

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[arguments](elem.Spec{Class: "Arguments", Title: "User Defined Variables", Kind: elem.KindConfig, Status: elem.Full})
}

// arguments defines variables for every thread of the plan, wherever it stands.
type arguments struct{ rows []elem.Arg }

func (c *arguments) Props(p *elem.Props) { p.ArgRows(&c.rows) }

// Variables are the element's rows.
func (c *arguments) Variables(t *vu.Thread) [][2]string { return variables(c.rows, t) }
