package http

import (
	"errors"
	"strconv"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[regexUserParameters](elem.Spec{Class: "RegExUserParameters", Title: "RegEx User Parameters", Kind: elem.KindPre, Status: elem.Full})
}

// regexUserParameters gives arguments the values that a regular expression
// extractor has found for their names.
type regexUserParameters struct{ ref, names, values expr.Text }

func (m *regexUserParameters) Props(p *elem.Props) {
	p.Text(&m.ref, "RegExUserParameters.regex_ref_name", "", "variable of the extractor")
	p.Text(&m.names, "RegExUserParameters.param_names_gr_nr", "", "number of the group that holds names")
	p.Text(&m.values, "RegExUserParameters.param_values_gr_nr", "", "number of the group that holds values")
}

// Needs: only variables are read.
func (m *regexUserParameters) Needs() elem.Needs { return 0 }

// Before changes the arguments of the sampler at hand.
func (m *regexUserParameters) Before(t *vu.Thread) {
	s := current(t)
	if s == nil {
		return
	}
	ref, names, values := m.ref.Eval(t)+"_", "_g"+m.names.Eval(t), "_g"+m.values.Eval(t)
	count, ok := t.Vars.Get(ref + "matchNr")
	_, hasName := t.Vars.Get(ref + "1" + names)
	_, hasValue := t.Vars.Get(ref + "1" + values)
	if !ok || !hasName || !hasValue {
		t.Log().Info("RegExUserParameters element: Referenced RegExp was not found, no parameter will be changed", "logger", "o.a.j.p.h.m.RegExUserParameters")
		return
	}
	n, ok := vu.ParseInt(count)
	if !ok {
		vu.Throw(errors.New("java.lang.NumberFormatException: For input string: \"" + count + "\""))
	}
	if n < 0 {
		vu.Throw(errors.New("java.lang.IllegalArgumentException: Illegal initial capacity: " + count))
	}
	found := map[string]string{}
	for i := 1; i <= int(n); i++ {
		name, _ := t.Vars.Get(ref + strconv.Itoa(i) + names)
		if value, ok := t.Vars.Get(ref + strconv.Itoa(i) + values); ok {
			found[name] = value
		} else {
			delete(found, name)
		}
	}
	e := s.edit(t)
	args := append([]argument(nil), s.arguments(e)...)
	for i := range args {
		if value, ok := found[args[i].name.Eval(t)]; ok {
			args[i].value = expr.Const(value)
		}
	}
	e.setArguments(args)
}

var _ elem.PreProcessor = (*regexUserParameters)(nil)
