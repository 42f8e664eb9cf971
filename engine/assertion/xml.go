package assertion

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/xml"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[wellFormed](elem.Spec{
		Class: "XMLAssertion", Title: "XML Assertion", Kind: elem.KindAssertion, Status: elem.Full,
	})
}

// wellFormed fails a response that is not well-formed XML.
type wellFormed struct{ label expr.Text }

func (c *wellFormed) Props(p *elem.Props) { c.label = p.Name() }

// Needs: only the body is read.
func (c *wellFormed) Needs() elem.Needs { return elem.NeedBody }

// Name is the assertion's name.
func (c *wellFormed) Name(t *vu.Thread) string { return c.label.Eval(t) }

func (c *wellFormed) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name := c.label.Eval(t)
	text := s.Text()
	if len(text) == 0 {
		return wasNull(name)
	}
	if err := xml.WellFormed(string(text)); err != nil {
		res := failed(name, err.Error())
		res.Error = true
		return res
	}
	return passed(name)
}

var (
	_ elem.Assertion = (*wellFormed)(nil)
	_ elem.Needer    = (*wellFormed)(nil)
)
