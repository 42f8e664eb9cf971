package postproc

import (
	"strconv"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/xml"
	"github.com/gojm/gojm/engine/query/xpath"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[xPathExtractor](elem.Spec{
		Class: "XPathExtractor", Title: "XPath Extractor", Kind: elem.KindPost, Status: elem.Partial,
		Note: "XML only: no tolerant parser, no fetching of DTDs",
	})
}

const logXPath = "o.a.j.e.XPathExtractor"

// xPathExtractor puts what an XPath 1.0 expression finds into variables.
type xPathExtractor struct {
	scope
	label, name, fallback expr.Text
	path                  elem.Derived[*xpath.Expression]
	number                expr.Int
	fragment, namespace   expr.Bool
}

func (c *xPathExtractor) Props(p *elem.Props) {
	c.label = p.Name()
	c.scope.props(p)
	p.Text(&c.name, "XPathExtractor.refname", "", "variable")
	var path expr.Text
	p.Text(&path, "XPathExtractor.xpathQuery", "", "XPath expression")
	c.path = elem.Derive(p, path, xpath.Compile)
	p.Text(&c.fallback, "XPathExtractor.default", "", "value without a match")
	p.Int(&c.number, "XPathExtractor.matchNumber", "-1", "0 any, -1 all, else that match")
	p.Bool(&c.fragment, "XPathExtractor.fragment", false, "elements as XML, not their text")
	p.Bool(&c.namespace, "XPathExtractor.namespace", false, "look at namespaces")
	p.Unsupported("XPathExtractor.tolerant", "reading HTML as if it were XML", "false")
	p.Unsupported("XPathExtractor.download_dtds", "fetching of DTDs", "false")
	p.Ignore("XPathExtractor.validate", "XPathExtractor.whitespace", // JMeter does not heed them
		"XPathExtractor.quiet", "XPathExtractor.report_errors", "XPathExtractor.show_warnings") // of the tolerant parser
}

// Needs: only the body is read.
func (c *xPathExtractor) Needs() elem.Needs { return elem.NeedBody }

func (c *xPathExtractor) After(t *vu.Thread, main *jtl.Sample) {
	name := c.name.Eval(t)
	t.Vars.Put(name, c.fallback.Eval(t))
	count := name + "_matchNr"
	previous, _ := vu.ParseInt(t.Vars.GetOr(count, "")) // number of matches before
	t.Vars.Put(count, "0")
	t.Vars.Remove(numbered(name, 1))
	matches, err := c.find(t, main)
	if err != nil {
		t.Log().Warn("Exception while processing ("+c.path.Source()+"). "+err.Error(), "logger", logXPath)
		main.Assertions = append(main.Assertions, jtl.Assertion{Name: c.label.Eval(t), Failure: true, HasMessage: true,
			Message: err.Error() + "\nSee log file for further details."})
		return // the sample itself does not fail
	}
	t.Vars.Put(count, strconv.Itoa(len(matches)))
	for i, m := range matches {
		if m.Null {
			continue
		}
		if i == 0 {
			t.Vars.Put(name, m.Text)
		}
		t.Vars.Put(numbered(name, i+1), m.Text)
	}
	t.Vars.Remove(numbered(name, len(matches)+1))
	for i := len(matches) + 2; i <= int(previous); i++ {
		t.Vars.Remove(numbered(name, i))
	}
}

// find returns the matches asked for in all texts of the scope.
func (c *xPathExtractor) find(t *vu.Thread, main *jtl.Sample) (out []xpath.Match, _ error) {
	if c.scope.isVariable(t) {
		v := c.scope.variable.Eval(t)
		text, ok := t.Vars.Get(v)
		switch {
		case !ok:
			t.Log().Warn("No variable '"+v+"' found to process by XPathExtractor '"+c.label.Eval(t)+"', skipping processing", "logger", logXPath)
			return nil, nil
		case text == "":
			return nil, nil
		}
		return c.search(t, out, []byte(text))
	}
	for _, s := range c.scope.samples(t, main) {
		var err error
		if out, err = c.search(t, out, s.Text()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// search appends the matches in one document, of a node set only the one asked for.
func (c *xPathExtractor) search(t *vu.Thread, out []xpath.Match, text []byte) ([]xpath.Match, error) {
	doc, err := xml.Parse(text, c.namespace.Eval(t))
	if err != nil {
		return nil, err
	}
	path, err := c.path.Of(t)
	if err != nil {
		return nil, err
	}
	value, err := path.Eval(doc, xpath.RootResolver(doc))
	if err != nil {
		return nil, err
	}
	if number := c.number.Eval(t); value.Kind == xpath.NodeSet && number >= 0 {
		switch {
		case number == 0 && len(value.Nodes) > 0:
			number = t.Rand.IntN(len(value.Nodes)) + 1
		case number == 0 || number > len(value.Nodes):
			return out, nil
		}
		value.Nodes = value.Nodes[number-1 : number]
	}
	return append(out, value.Matches(c.fragment.Eval(t))...), nil
}

var (
	_ elem.PostProcessor = (*xPathExtractor)(nil)
	_ elem.Needer        = (*xPathExtractor)(nil)
)
