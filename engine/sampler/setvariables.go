package sampler

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[setVariables](elem.Spec{
		Class: "kg.apc.jmeter.control.sampler.SetVariablesAction", Title: "jp@gc Set Variables Action", Kind: elem.KindSampler, Status: elem.Partial,
		Note: "not compared with the plug-in at work",
	})
}

// setVariables sets variables. It makes no sample.
type setVariables struct{ rows []elem.Arg }

func (c *setVariables) Props(p *elem.Props) { p.Args(&c.rows, "SetVariablesAction", "variables") }

func (c *setVariables) Sample(t *vu.Thread, _ *jtl.Sample) bool {
	elem.PutArgs(t, c.rows)
	return false
}

var _ elem.Sampler = (*setVariables)(nil)
