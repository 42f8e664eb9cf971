package assertion

import (
	"errors"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[size](elem.Spec{
		Class: "SizeAssertion", Title: "Size Assertion", Kind: elem.KindAssertion, Status: elem.Full,
	})
}

// size compares the size of a part of the response. On a variable it compares
// the number that the variable holds.
type size struct {
	scope
	limit    expr.Text
	operator expr.Int
	field    expr.Text
}

func (c *size) Props(p *elem.Props) {
	c.scope.props(p)
	p.Text(&c.limit, "SizeAssertion.size", "", "size in bytes")
	p.Int(&c.operator, "SizeAssertion.operator", "0", "1 =, 2 !=, 3 >, 4 <, 5 >=, 6 <=")
	p.Text(&c.field, "Assertion.test_field", "SizeAssertion.response_network_size", "part of the response")
}

// Needs is what the chosen part asks for.
func (c *size) Needs() elem.Needs {
	if !c.field.IsConst() {
		return elem.NeedAll
	}
	if c.field.Source() == "SizeAssertion.response_data" {
		return elem.NeedBody
	}
	return 0
}

func (c *size) measured(t *vu.Thread, s *jtl.Sample) (int64, string) {
	if c.isVariable() {
		v := c.variable.Eval(t)
		text := t.Vars.GetOr(v, "null")
		n, ok := vu.ParseLong(text)
		if !ok {
			return 0, "Error parsing variable name: " + v + " value: " + text
		}
		return n, ""
	}
	switch c.field.Eval(t) {
	case "SizeAssertion.response_headers":
		return s.HeaderSize, ""
	case "SizeAssertion.response_data":
		if s.BodySize == 0 {
			return int64(len(s.Body)), ""
		}
		return s.BodySize, ""
	case "SizeAssertion.response_code":
		return int64(java.Length(s.Code)), ""
	case "SizeAssertion.response_message":
		return int64(java.Length(s.Message)), ""
	}
	return s.Bytes, ""
}

// operators are the comparisons with their words.
var operators = []struct {
	holds func(got, want int64) bool
	words string
}{
	1: {func(a, b int64) bool { return a == b }, "been equal to"},
	2: {func(a, b int64) bool { return a != b }, "not been equal to"},
	3: {func(a, b int64) bool { return a > b }, "been greater than"},
	4: {func(a, b int64) bool { return a < b }, "been less than"},
	5: {func(a, b int64) bool { return a >= b }, "been greater or equal to"},
	6: {func(a, b int64) bool { return a <= b }, "been less than or equal to"},
}

func (c *size) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	name := c.label.Eval(t)
	got, problem := c.measured(t, s)
	if problem != "" {
		return failed(name, problem)
	}
	text := c.limit.Eval(t)
	want, ok := vu.ParseLong(text)
	if !ok {
		vu.Throw(errors.New("java.lang.NumberFormatException: For input string: \"" + text + "\""))
	}
	words := "ERROR - invalid condition"
	if op := c.operator.Eval(t); op > 0 && op < len(operators) {
		if operators[op].holds(got, want) {
			return passed(name)
		}
		words = operators[op].words
	}
	return failed(name, "The result was the wrong size: It was "+grouped(got)+" bytes, but should have "+words+" "+grouped(want)+" bytes.")
}

var (
	_ elem.Assertion = (*size)(nil)
	_ elem.Needer    = (*size)(nil)
)
