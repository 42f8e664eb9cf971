package postproc

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/jmespath"
	"github.com/gojm/gojm/engine/query/json"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[jmesExtractor](elem.Spec{
		Class: "JMESPathExtractor", Title: "JSON JMESPath Extractor", Kind: elem.KindPost, Status: elem.Full,
	})
}

// jmesExtractor puts what a JMESPath expression finds into variables. An array is
// as many matches as it has items.
type jmesExtractor struct {
	scope
	label, name, number, fallback expr.Text
	path                          elem.Derived[*jmespath.Expression]
}

func (c *jmesExtractor) Props(p *elem.Props) {
	c.label = p.Name()
	c.scope.props(p)
	p.Text(&c.name, "JMESExtractor.referenceName", "", "variable")
	var path expr.Text
	p.Text(&path, "JMESExtractor.jmesPathExpr", "", "JMESPath expression")
	c.path = elem.Derive(p, path, func(text string) (*jmespath.Expression, error) { return jmespath.Compile(strings.TrimSpace(text)) })
	p.Text(&c.number, "JMESExtractor.matchNumber", "", "0 or nothing: any, -1 all, else that match")
	p.Text(&c.fallback, "JMESExtractor.defaultValue", "", "value without a match")
}

// Needs: only the body is read.
func (c *jmesExtractor) Needs() elem.Needs { return elem.NeedBody }

func (c *jmesExtractor) After(t *vu.Thread, main *jtl.Sample) {
	texts, err := c.texts(t, main)
	name, def := c.name.Eval(t), c.fallback.Eval(t)
	number := 0
	if text := c.number.Eval(t); strings.TrimSpace(text) != "" {
		n, ok := vu.ParseInt(text)
		if !ok {
			vu.Throw(errors.New("java.lang.NumberFormatException: For input string: \"" + text + "\""))
		}
		number = int(n)
	}
	clearNumbered(t, name)
	if len(texts) == 0 && err == nil {
		t.Vars.Put(name, def)
		return
	}
	var values []string
	if err == nil {
		values, err = c.search(t, texts)
	}
	if err != nil {
		t.Log().Error("Error processing JSON content in "+c.label.Eval(t)+", message: "+err.Error(), "logger", "o.a.j.e.j.j.JMESPathExtractor")
		t.Vars.Put(name, def)
		return
	}
	switch {
	case len(values) == 0:
		t.Vars.Put(name, def)
	case number < 0:
		for i, v := range values {
			t.Vars.Put(numbered(name, i+1), v)
		}
	case len(values) == 1: // whatever match was asked for
		t.Vars.Put(name, values[0])
	default:
		v, ok := choose(t, values, number)
		if !ok {
			v = def
		}
		t.Vars.Put(name, v)
	}
	t.Vars.Put(name+"_matchNr", strconv.Itoa(len(values)))
}

// texts are those in scope; blank ones do not count.
func (c *jmesExtractor) texts(t *vu.Thread, main *jtl.Sample) (texts [][]byte, err error) {
	if c.scope.isVariable(t) {
		text, ok := t.Vars.Get(c.scope.variable.Eval(t))
		if !ok {
			return nil, errors.New(`argument "content" is null`)
		}
		return [][]byte{[]byte(text)}, nil
	}
	for _, s := range c.scope.samples(t, main) {
		if text := s.Text(); len(bytes.TrimSpace(text)) > 0 {
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// search returns what the expression finds in all texts.
func (c *jmesExtractor) search(t *vu.Thread, texts [][]byte) (values []string, _ error) {
	path, err := c.path.Of(t)
	if err != nil {
		return nil, err
	}
	for _, text := range texts {
		doc, err := json.ParseShown(text)
		if err != nil {
			return nil, err
		}
		found, err := path.Search(doc)
		switch {
		case err != nil:
			return nil, err
		case found.Kind() == json.Null:
		case found.Kind() == json.Array:
			for i := range found.Len() {
				values = append(values, found.At(i).WrittenJackson())
			}
		default:
			values = append(values, found.WrittenJackson())
		}
	}
	return values, nil
}

var (
	_ elem.PostProcessor = (*jmesExtractor)(nil)
	_ elem.Needer        = (*jmesExtractor)(nil)
)
