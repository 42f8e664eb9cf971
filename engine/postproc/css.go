package postproc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/css"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[cssExtractor](elem.Spec{
		Class: "HtmlExtractor", Title: "CSS Selector Extractor", Kind: elem.KindPost, Status: elem.Partial,
		Note: "jsoup's selectors, not Jodd's",
	})
}

// cssExtractor puts texts or attributes of HTML elements into variables.
type cssExtractor struct {
	scope
	label, name, attribute, fallback expr.Text
	query                            elem.Derived[*css.Selector]
	number                           expr.Int
	fallbackEmpty                    expr.Bool
	page                             vu.Slot[page] // one for all of these elements
}

// page is the page that a thread read last: often several extractors look at one.
type page struct {
	text string
	doc  *html.Node
}

type pageKey struct{}

func (c *cssExtractor) Props(p *elem.Props) {
	c.label = p.Name()
	c.scope.props(p)
	p.Text(&c.name, "HtmlExtractor.refname", "", "variable")
	var query expr.Text
	p.Text(&query, "HtmlExtractor.expr", "", "selector")
	c.query = elem.Derive(p, query, css.Compile)
	p.Text(&c.attribute, "HtmlExtractor.attribute", "", "attribute; nothing means the element's text")
	p.Int(&c.number, "HtmlExtractor.match_number", "0", "0 any, -1 all, else that match")
	p.Text(&c.fallback, "HtmlExtractor.default", "", "value without a match")
	p.Bool(&c.fallbackEmpty, "HtmlExtractor.default_empty_value", false, "an empty default counts")
	p.Unsupported("HtmlExtractor.extractor_impl", "selectors of Jodd", "", "JSOUP")
	if p.Run() != nil {
		c.page = vu.Shared(p.Run(), pageKey{}, func() vu.Slot[page] { return elem.SlotOf[page](p) })
	}
}

// Needs: only the body is read.
func (c *cssExtractor) Needs() elem.Needs { return elem.NeedBody }

func (c *cssExtractor) After(t *vu.Thread, main *jtl.Sample) {
	name, number := c.name.Eval(t), c.number.Eval(t)
	if def := c.fallback.Eval(t); def != "" || c.fallbackEmpty.Eval(t) {
		t.Vars.Put(name, def)
	}
	matches, err := c.find(t, main, number)
	if err != nil { // then nothing else changes
		t.Log().Warn(c.label.Eval(t)+": Error while generating result. "+err.Error(), "logger", "o.a.j.e.HtmlExtractor")
		return
	}
	previous, count := takeCount(t, name), 0
	if number >= 0 {
		if m, ok := choose(t, matches, number); ok {
			t.Vars.Put(name, m)
		}
	} else {
		count = len(matches)
		t.Vars.Put(name+"_matchNr", strconv.Itoa(count))
		for i, m := range matches {
			t.Vars.Put(numbered(name, i+1), m)
		}
	}
	for i := count + 1; i <= previous; i++ {
		t.Vars.Remove(numbered(name, i))
	}
}

// find returns the matches in all texts of the scope, up to the one asked for.
func (c *cssExtractor) find(t *vu.Thread, main *jtl.Sample, number int) (out []string, err error) {
	if c.scope.isVariable(t) {
		v := c.scope.variable.Eval(t)
		text, ok := t.Vars.Get(v)
		if !ok {
			t.Log().Warn("No variable '"+v+"' found to process by CSS Selector Extractor '"+c.label.Eval(t)+"', skipping processing", "logger", "o.a.j.e.HtmlExtractor")
		}
		if text == "" {
			return nil, nil
		}
		return c.search(t, out, []byte(text), number)
	}
	for _, s := range c.scope.samples(t, main) {
		if out, err = c.search(t, out, s.Text(), number); err != nil {
			return nil, err
		}
		if number > 0 && len(out) == number {
			break
		}
	}
	return out, nil
}

// search appends the matches in one page.
func (c *cssExtractor) search(t *vu.Thread, out []string, text []byte, number int) ([]string, error) {
	query, err := c.query.Of(t)
	if err != nil {
		return nil, err
	}
	p := c.page.Of(t)
	if p.doc == nil || p.text != string(text) {
		p.text = string(text)
		if p.doc, err = css.Parse(p.text); err != nil {
			return nil, err
		}
	}
	attribute := c.attribute.Eval(t)
	for _, n := range query.Select(p.doc) {
		if number > 0 && len(out) == number {
			break
		}
		if strings.TrimSpace(attribute) != "" {
			out = append(out, css.Attr(n, attribute))
		} else {
			out = append(out, css.Text(n))
		}
	}
	return out, nil
}

var (
	_ elem.PostProcessor = (*cssExtractor)(nil)
	_ elem.Needer        = (*cssExtractor)(nil)
)
