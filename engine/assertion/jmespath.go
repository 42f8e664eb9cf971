package assertion

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/jmespath"
	"github.com/gojm/gojm/engine/query/json"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[jmesPath](elem.Spec{
		Class: "JMESPathAssertion", Title: "JSON JMESPath Assertion", Kind: elem.KindAssertion, Status: elem.Full,
	})
}

// jmesPath judges what a JMESPath expression yields.
type jmesPath struct {
	label                              expr.Text
	path                               elem.Derived[*jmespath.Expression]
	expected                           elem.Derived[*regex.Regexp]
	validate, expectNull, invert, isRE expr.Bool
}

func (c *jmesPath) Props(p *elem.Props) {
	var path, expected expr.Text
	c.label = p.Name()
	p.Text(&path, "JMES_PATH", "", "JMESPath expression")
	p.Text(&expected, "EXPECTED_VALUE", "", "expected value")
	p.Bool(&c.validate, "JSONVALIDATION", false, "compare the value, not only ask that there is one")
	p.Bool(&c.expectNull, "EXPECT_NULL", false, "null is expected")
	p.Bool(&c.invert, "INVERT", false, "fail where it would pass")
	p.Bool(&c.isRE, "ISREGEX", true, "the expected value is a regular expression")
	c.path, c.expected = elem.Derive(p, path, jmespath.Compile), pattern(p, expected)
}

// Needs: only the body is read.
func (c *jmesPath) Needs() elem.Needs { return elem.NeedBody }

// Name is the assertion's name.
func (c *jmesPath) Name(t *vu.Thread) string { return c.label.Eval(t) }

func (c *jmesPath) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name := c.label.Eval(t)
	text := s.Text()
	if len(text) == 0 {
		return wasNull(name)
	}
	invert := c.invert.Eval(t)
	ok, err := c.holds(t, text)
	switch {
	case err != nil && !invert:
		return jtl.Assertion{Name: name, Error: true, Message: err.Error(), HasMessage: true}
	case err == nil && ok == invert:
		return failed(name, c.message(t, invert))
	}
	return jtl.Assertion{Name: name, HasMessage: true} // JMeter's message is then "", not null
}

// holds tells whether the document is as it should be, inversion aside.
func (c *jmesPath) holds(t *vu.Thread, text []byte) (bool, error) {
	doc, err := json.ParseShown(text)
	if err != nil {
		return false, err
	}
	path, err := c.path.Of(t)
	if err != nil {
		return false, err
	}
	value, err := path.Search(doc)
	if err != nil {
		return false, err
	}
	null := value.Kind() == json.Null
	switch {
	case !c.validate.Eval(t):
		return !null, nil
	case c.expectNull.Eval(t):
		return null, nil
	}
	// A decimal compares as JMeter prints it and as the document writes it (JMeter's
	// issue 5539).
	printed, written := value.JacksonText(), value.WrittenJackson()
	if c.isRE.Eval(t) {
		re, err := c.expected.Of(t)
		if err != nil {
			return false, err
		}
		return re.MatchesString(printed) || re.MatchesString(written), nil
	}
	expected := c.expected.Text(t)
	if printed == expected || written == expected {
		return true, nil
	}
	want, err := json.ParseShown([]byte(expected))
	if err != nil {
		return false, err
	}
	return want.Equal(value), nil
}

func (c *jmesPath) message(t *vu.Thread, invert bool) string {
	not := ""
	if invert {
		not = " not"
	}
	switch {
	case !c.validate.Eval(t):
		return "JMESPATH " + c.path.Text(t) + " expected" + not + " to exist"
	case c.expectNull.Eval(t):
		return "Value expected" + not + " to be null"
	case c.isRE.Eval(t):
		return "Value expected" + not + " to match " + c.expected.Text(t)
	}
	return "Value expected" + not + " to be equal to " + c.expected.Text(t)
}

var (
	_ elem.Assertion = (*jmesPath)(nil)
	_ elem.Needer    = (*jmesPath)(nil)
)
