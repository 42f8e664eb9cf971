package assertion

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/xml"
	"github.com/gojm/gojm/engine/query/xpath"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[xPath](elem.Spec{
		Class: "XPathAssertion", Title: "XPath Assertion", Kind: elem.KindAssertion, Status: elem.Partial,
		Note: "XML only: no tolerant parser, no validation",
	})
}

// xPath judges what an XPath 1.0 expression yields.
type xPath struct {
	scope
	path              elem.Derived[*xpath.Expression]
	negate, namespace expr.Bool
}

func (c *xPath) Props(p *elem.Props) {
	c.scope.props(p)
	var path expr.Text
	p.Text(&path, "XPath.xpath", "/", "XPath expression")
	c.path = elem.Derive(p, path, xpath.Compile)
	p.Bool(&c.negate, "XPath.negate", false, "fail where it would pass")
	p.Bool(&c.namespace, "XPath.namespace", false, "look at namespaces")
	p.Unsupported("XPath.tolerant", "reading HTML as if it were XML", "false")
	p.Unsupported("XPath.validate", "validating against the document's DTD", "false")
	p.Unsupported("XPath.whitespace", "dropping white space that the document's DTD allows", "false")
	p.Unsupported("XPath.download_dtds", "fetching of DTDs", "false")
	p.Ignore("XPath.quiet", "XPath.report_errors", "XPath.show_warnings") // of the tolerant parser
}

// Needs is what the scope asks for.
func (c *xPath) Needs() elem.Needs {
	if c.isVariable() {
		return 0
	}
	return elem.NeedBody
}

func (c *xPath) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name := c.label.Eval(t)
	data := s.Body // JMeter gives the parser the bytes, which find their encoding themselves
	if c.isVariable() {
		data = []byte(t.Vars.GetOr(c.variable.Eval(t), ""))
	}
	if len(data) == 0 {
		return wasNull(name)
	}
	doc, err := xml.Parse(data, c.namespace.Eval(t))
	if err != nil {
		return jtl.Assertion{Name: name, Error: true, Message: "SAXException: " + err.Error(), HasMessage: true}
	}
	return c.judge(t, name, doc)
}

// judge evaluates the expression. JMeter's messages stand in results that passed,
// too, where it sets them beforehand.
func (c *xPath) judge(t *vu.Thread, name string, doc *xml.Node) jtl.Assertion {
	src, negate := c.path.Text(t), c.negate.Eval(t)
	value, err := evaluate(&c.path, t, src, doc)
	res := jtl.Assertion{Name: name, HasMessage: true}
	switch {
	case err != nil:
		res.Error = true
		res.Message = "TransformerException: " + err.Error() + " for: " + src
	case value.Kind == xpath.NodeSet && len(value.Nodes) == 0:
		res.Failure, res.Message = !negate, "No Nodes Matched "+src
	case value.Kind == xpath.NodeSet:
		if res.Failure = negate; negate {
			res.Message = "Specified XPath was found... Turn off negate if this is not desired"
		}
	case value.Kind != xpath.Boolean:
		res.Failure, res.Message = true, "Cannot understand: "+src
	case negate:
		res.Failure, res.Message = value.True, "Nodes Matched for "+src
	default:
		res.Failure, res.Message = !value.True, "No Nodes Matched for "+src
	}
	return res
}

func evaluate(path *elem.Derived[*xpath.Expression], t *vu.Thread, src string, doc *xml.Node) (xpath.Value, error) {
	e, err := path.For(t, src)
	if err != nil {
		return xpath.Value{}, err
	}
	return e.Eval(doc, xpath.RootResolver(doc))
}

var (
	_ elem.Assertion = (*xPath)(nil)
	_ elem.Needer    = (*xPath)(nil)
)
