package assertion

import (
	"fmt"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/json"
	"github.com/gojm/gojm/engine/query/jsonpath"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[jsonPath](elem.Spec{
		Class: "JSONPathAssertion", Title: "JSON Assertion", Kind: elem.KindAssertion, Status: elem.Full,
	})
}

// jsonPath judges what a JSON path yields.
type jsonPath struct {
	label                              expr.Text
	path                               elem.Derived[*jsonpath.Path]
	expected                           elem.Derived[*regex.Regexp]
	validate, expectNull, invert, isRE expr.Bool
}

func (c *jsonPath) Props(p *elem.Props) {
	c.label = p.Name()
	var path, expected expr.Text
	p.Text(&path, "JSON_PATH", "", "JSON path")
	p.Text(&expected, "EXPECTED_VALUE", "", "expected value")
	c.path, c.expected = elem.Derive(p, path, jsonpath.Compile), pattern(p, expected)
	p.Bool(&c.validate, "JSONVALIDATION", false, "compare the value, not only ask that there is one")
	p.Bool(&c.expectNull, "EXPECT_NULL", false, "null is expected")
	p.Bool(&c.invert, "INVERT", false, "fail where it would pass")
	p.Bool(&c.isRE, "ISREGEX", true, "the expected value is a regular expression")
}

// Needs: only the body is read.
func (c *jsonPath) Needs() elem.Needs { return elem.NeedBody }

// Name is the assertion's name.
func (c *jsonPath) Name(t *vu.Thread) string { return c.label.Eval(t) }

func (c *jsonPath) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name := c.label.Eval(t)
	text := s.Text()
	if len(text) == 0 {
		return wasNull(name)
	}
	err := c.judge(t, text)
	ok := jtl.Assertion{Name: name, HasMessage: true} // JMeter's message is then "", not null
	switch {
	case c.invert.Eval(t) && err != nil:
		return ok
	case c.invert.Eval(t):
		path := c.path.Text(t)
		switch {
		case !c.validate.Eval(t):
			return failed(name, "Failed that JSONPath not exists: "+path)
		case c.expectNull.Eval(t):
			return failed(name, "Failed that JSONPath "+path+" not matches null")
		}
		return failed(name, "Failed that JSONPath "+path+" not matches "+c.expected.Text(t))
	case err != nil:
		return failed(name, err.Error())
	}
	return ok
}

// judge returns why the document does not hold, nil when it does.
func (c *jsonPath) judge(t *vu.Thread, text []byte) error {
	doc, err := json.ParseLenient(text)
	if err != nil {
		return err
	}
	path, err := c.path.Of(t)
	if err != nil {
		return err
	}
	value, err := path.Read(doc)
	if err != nil {
		return err
	}
	src, expected := c.path.Text(t), c.expected.Text(t)
	if !c.validate.Eval(t) {
		if value.Kind() == json.Array && value.Len() == 0 && !path.Definite() {
			return fmt.Errorf("JSONPath '%s' is indefinite and the extracted Value is an empty Array."+
				" Please use an assertion value, to be sure to get a correct result. Expected value was '%s'", src, expected)
		}
		return nil
	}
	null := c.expectNull.Eval(t)
	if value.Kind() == json.Array {
		if value.Len() == 0 && expected == "[]" {
			return nil
		}
		for i := range value.Len() {
			item := value.At(i)
			if item.Kind() == json.Null && null {
				return nil
			}
			if ok, err := c.equal(t, item, expected); ok || err != nil {
				return err
			}
		}
		if ok, err := c.equal(t, value, expected); ok || err != nil {
			return err
		}
	} else {
		if null && value.Kind() == json.Null {
			return nil
		}
		if ok, err := c.equal(t, value, expected); ok || err != nil {
			return err
		}
	}
	switch {
	case null:
		return fmt.Errorf("Value in json path '%s' expected to be null, but found '%s'", src, value.Text()) //nolint:staticcheck // JMeter's wording
	case c.isRE.Eval(t):
		return fmt.Errorf("Value in json path '%s' expected to match regexp '%s', but it did not match: '%s'", src, expected, value.AssertionText()) //nolint:staticcheck // JMeter's wording
	}
	return fmt.Errorf("Value in json path '%s' expected to be '%s', but found '%s'", src, expected, value.AssertionText()) //nolint:staticcheck // JMeter's wording
}

func (c *jsonPath) equal(t *vu.Thread, v *json.Value, expected string) (bool, error) {
	if c.isRE.Eval(t) {
		re, err := c.expected.Of(t)
		if err != nil {
			return false, err
		}
		// a decimal matches as the document writes it, too (JMeter's issue 5539)
		return re.MatchesString(v.AssertionText()) || re.MatchesString(v.Written()), nil
	}
	want, err := json.ParseLenient([]byte(expected))
	if err != nil {
		return v.Kind() == json.Null, nil // what cannot be read is null to JMeter
	}
	return want.Equal(v), nil
}

var (
	_ elem.Assertion = (*jsonPath)(nil)
	_ elem.Needer    = (*jsonPath)(nil)
)
