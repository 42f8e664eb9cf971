package postproc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/boundary"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[boundaryExtractor](elem.Spec{
		Class: "BoundaryExtractor", Title: "Boundary Extractor", Kind: elem.KindPost, Status: elem.Partial,
		Note: "all but responses read as documents",
	})
}

// boundaryExtractor puts texts between two boundaries into variables.
type boundaryExtractor struct {
	scope
	part
	label                       expr.Text
	name, left, right, fallback expr.Text
	number                      expr.Int
	fallbackEmpty               expr.Bool
}

func (c *boundaryExtractor) Props(p *elem.Props) {
	c.label = p.Name()
	c.scope.props(p)
	c.part.props(p, "BoundaryExtractor.useHeaders")
	p.Text(&c.name, "BoundaryExtractor.refname", "", "variable")
	p.Text(&c.left, "BoundaryExtractor.lboundary", "", "left boundary")
	p.Text(&c.right, "BoundaryExtractor.rboundary", "", "right boundary")
	p.Int(&c.number, "BoundaryExtractor.match_number", "0", "0 any, -1 all, else that match")
	p.Text(&c.fallback, "BoundaryExtractor.default", "", "value without a match")
	p.Bool(&c.fallbackEmpty, "BoundaryExtractor.default_empty_value", false, "an empty default counts")
}

// Needs is what the chosen part asks for.
func (c *boundaryExtractor) Needs() elem.Needs { return c.part.needs() }

func (c *boundaryExtractor) After(t *vu.Thread, main *jtl.Sample) {
	name := c.name.Eval(t)
	if name == "" {
		vu.Throw(fmt.Errorf("One of the mandatory properties is missing in Boundary Extractor:%s", c.label.Eval(t))) //nolint:staticcheck // JMeter's wording
	}
	if def := c.fallback.Eval(t); strings.TrimSpace(def) != "" || c.fallbackEmpty.Eval(t) {
		t.Vars.Put(name, def)
	}
	number := c.number.Eval(t)
	previous := takeCount(t, name)
	matches := c.find(t, main, number)
	count := 0
	switch {
	case number < 0:
		count = len(matches)
		t.Vars.Put(name+"_matchNr", strconv.Itoa(count))
		for i, m := range matches {
			t.Vars.Put(numbered(name, i+1), m)
		}
	case len(matches) == 0:
	case number == 0:
		t.Vars.Put(name, matches[t.Rand.IntN(len(matches))])
	default:
		t.Vars.Put(name, matches[0])
	}
	for i := count + 1; i <= previous; i++ {
		t.Vars.Remove(numbered(name, i))
	}
}

// find returns all matches, or only the one asked for.
func (c *boundaryExtractor) find(t *vu.Thread, main *jtl.Sample, number int) []string {
	left, right := []byte(c.left.Eval(t)), []byte(c.right.Eval(t))
	if c.scope.isVariable(t) {
		v := c.scope.variable.Eval(t)
		text, ok := t.Vars.Get(v)
		if !ok {
			t.Log().Warn("No variable '"+v+"' found to process by Boundary Extractor, skipping processing", "logger", "o.a.j.e.BoundaryExtractor")
			return nil
		}
		if number > 0 {
			if i, j, ok := boundary.Find([]byte(text), left, right, number); ok {
				return []string{text[i:j]}
			}
			return nil
		}
		return all(nil, []byte(text), left, right)
	}
	var out []string
	for _, s := range c.scope.samples(t, main) {
		out = all(out, c.part.of(t, s), left, right)
	}
	if number > 0 {
		if number > len(out) {
			return nil
		}
		return out[number-1 : number]
	}
	return out
}

func all(out []string, text, left, right []byte) []string {
	at := boundary.FindAll(nil, text, left, right, -1)
	for i := 0; i+1 < len(at); i += 2 {
		out = append(out, string(text[at[i]:at[i+1]]))
	}
	return out
}

var (
	_ elem.PostProcessor = (*boundaryExtractor)(nil)
	_ elem.Needer        = (*boundaryExtractor)(nil)
)
