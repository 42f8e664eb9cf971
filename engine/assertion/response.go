package assertion

import (
	"bytes"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[response](elem.Spec{
		Class: "ResponseAssertion", Title: "Response Assertion", Kind: elem.KindAssertion, Status: elem.Partial,
		Note: "all but responses read as documents",
	})
}

// The bits of a Response Assertion's type.
const (
	typeMatch = 1 << iota
	typeContains
	typeNot
	typeEquals
	typeSubstring
	typeOr
)

// response compares a part of the result with patterns.
type response struct {
	scope
	field         expr.Text
	kind          expr.Int
	patterns      []elem.Derived[*regex.Regexp]
	assumeSuccess expr.Bool
	custom        expr.Text
	diff          diffText
}

func (c *response) Props(p *elem.Props) {
	c.scope.props(p)
	var texts []expr.Text
	p.Texts(&texts, "Asserion.test_strings", "patterns to test")
	c.patterns = nil
	for _, text := range texts {
		c.patterns = append(c.patterns, pattern(p, text))
	}
	p.Text(&c.field, "Assertion.test_field", "", "part of the result to test")
	p.Int(&c.kind, "Assertion.test_type", "2", "bits: 1 match, 2 contains, 4 not, 8 equals, 16 substring, 32 or")
	p.Bool(&c.assumeSuccess, "Assertion.assume_success", false, "set the sample successful first")
	p.Text(&c.custom, "Assertion.custom_message", "", "failure message")
	if c.field.Source() == "Assertion.response_data_as_document" {
		p.Refuse("option", "Assertion.test_field", "responses are not read as documents (PDF, Word and the like)")
	}
	c.diff = newDiffText(p)
}

// Needs is what the tested part asks for.
func (c *response) Needs() elem.Needs {
	if c.isVariable() {
		return 0
	}
	if !c.field.IsConst() {
		return elem.NeedAll
	}
	switch c.field.Source() {
	case "Assertion.response_data":
		return elem.NeedBody
	case "Assertion.response_headers":
		return elem.NeedResponseHeaders
	case "Assertion.request_headers":
		return elem.NeedRequestHeaders
	case "Assertion.request_data":
		return elem.NeedSamplerData
	}
	return 0
}

// tested returns the text to test and what messages call it.
func (c *response) tested(t *vu.Thread, s *jtl.Sample) (text []byte, what string) {
	if c.isVariable() {
		v := c.variable.Eval(t)
		value, _ := t.Vars.Get(v)
		return []byte(value), "variable(" + v + ")"
	}
	switch c.field.Eval(t) {
	case "Assertion.response_data":
		return s.Text(), "text"
	case "Assertion.response_data_as_document":
		return s.Text(), "document"
	case "Assertion.response_code":
		return []byte(s.Code), "code"
	case "Assertion.response_message":
		return []byte(s.Message), "message"
	case "Assertion.request_headers":
		return []byte(s.RequestHeaders), "request headers"
	case "Assertion.request_data":
		return []byte(s.SentText()), "request data"
	case "Assertion.response_headers":
		return []byte(s.ResponseHeaders), "headers"
	}
	return []byte(s.URL), "URL"
}

func (c *response) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name := c.label.Eval(t)
	if c.assumeSuccess.Eval(t) {
		s.Success = true
	}
	text, what := c.tested(t, s)
	kind := c.kind.Eval(t)
	not, or := kind&typeNot != 0, kind&typeOr != 0
	if len(text) == 0 {
		if not {
			return passed(name)
		}
		return wasNull(name)
	}
	var messages strings.Builder
	for i := range c.patterns {
		p := c.patterns[i].Text(t)
		found, err := c.found(t, kind, text, &c.patterns[i], p)
		if err != nil {
			return jtl.Assertion{Name: name, Error: true, HasMessage: true, Message: "Bad test configuration " + thrown(err)}
		}
		switch pass := found != not; {
		case pass && or:
			return passed(name)
		case !pass && or:
			messages.WriteString(c.message(kind, what, p, text) + "\t")
		case !pass:
			return failed(name, c.customOr(t, func() string { return c.message(kind, what, p, text) }))
		}
	}
	if or {
		if messages.Len() == 0 {
			messages.WriteByte('\t')
		}
		return failed(name, c.customOr(t, messages.String))
	}
	return passed(name)
}

func (c *response) customOr(t *vu.Thread, message func() string) string {
	if m := c.custom.Eval(t); m != "" {
		return m
	}
	return message()
}

func (c *response) found(t *vu.Thread, kind int, text []byte, d *elem.Derived[*regex.Regexp], pattern string) (bool, error) {
	switch {
	case kind&typeContains != 0:
		re, err := d.For(t, pattern)
		return err == nil && re.Contains(text), err
	case kind&typeEquals != 0:
		return string(text) == pattern, nil
	case kind&typeSubstring != 0:
		return bytes.Contains(text, []byte(pattern)), nil
	}
	re, err := d.For(t, pattern)
	return err == nil && re.Matches(text), err
}

// verbs are the words for the types that have some.
var verbs = map[int]string{
	typeContains:            "to contain",
	typeSubstring:           "to contain",
	typeNot | typeContains:  "not to contain",
	typeNot | typeSubstring: "not to contain",
	typeMatch:               "to match",
	typeNot | typeMatch:     "not to match",
	typeEquals:              "to equal",
	typeNot | typeEquals:    "not to equal",
}

func (c *response) message(kind int, what, pattern string, text []byte) string {
	verb, ok := verbs[kind]
	if !ok {
		verb = "something using"
	}
	if kind&typeEquals != 0 {
		pattern = c.diff.text(string(text), pattern)
	}
	return "Test failed: " + what + " expected " + verb + " /" + pattern + "/"
}

var (
	_ elem.Assertion = (*response)(nil)
	_ elem.Needer    = (*response)(nil)
)
