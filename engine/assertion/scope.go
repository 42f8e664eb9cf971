package assertion

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// scope is what an assertion judges: the sample, its sub-samples, both, or a
// variable.
type scope struct {
	label    expr.Text
	apply    string
	variable expr.Text
}

func (s *scope) props(p *elem.Props) {
	s.label = p.Name()
	s.apply = p.Raw("Assertion.scope", "", "absent: the sample; children, all or variable")
	p.Text(&s.variable, "Scope.variable", "", "variable to judge")
}

// Scope tells the engine which results are meant.
func (s *scope) Scope() (main, children bool) {
	switch s.apply {
	case "children":
		return false, true
	case "all":
		return true, true
	}
	return s.apply == "" || s.apply == "parent" || s.isVariable(), false
}

func (s *scope) isVariable() bool { return s.apply == "variable" }

// Name is the assertion's name.
func (s *scope) Name(t *vu.Thread) string { return s.label.Eval(t) }

// passed is the result of an assertion that has nothing to say.
func passed(name string) jtl.Assertion { return jtl.Assertion{Name: name} }

// failed is the result of an assertion that fails.
func failed(name, message string) jtl.Assertion {
	return jtl.Assertion{Name: name, Failure: true, Message: message, HasMessage: true}
}

// wasNull is what JMeter says where there is nothing to judge.
func wasNull(name string) jtl.Assertion { return failed(name, "Response was null") }

var _ elem.Scoped = (*scope)(nil)
