package sampler

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[debug](elem.Spec{
		Class: "DebugSampler", Title: "Debug Sampler", Kind: elem.KindSampler, Status: elem.Full,
	})
}

// debug makes a sample of the variables and properties.
type debug struct{ variables, properties, system expr.Bool }

func (c *debug) Props(p *elem.Props) {
	p.Bool(&c.variables, "displayJMeterVariables", false, "show the variables")
	p.Bool(&c.properties, "displayJMeterProperties", false, "show the JMeter properties")
	p.Bool(&c.system, "displaySystemProperties", false, "show the system properties")
}

func (c *debug) Sample(t *vu.Thread, s *jtl.Sample) bool {
	var l vu.Listing
	if c.properties.Eval(t) {
		l.Properties(t.Run.Props)
	}
	if c.variables.Eval(t) {
		l.Variables(t)
	}
	if c.system.Eval(t) {
		l.System(t.Run.Props)
	}
	s.SetBody(l.Body())
	s.SamplerData = l.Titles()
	s.DataType, s.Encoding = "text", "UTF-8"
	s.Code, s.Message, s.Success = "200", "OK", true
	return true
}

var _ elem.Sampler = (*debug)(nil)
