package sampler

import (
	"slices"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[debug](elem.Spec{
		Class: "DebugSampler", Title: "Debug Sampler", Kind: elem.KindSampler, Status: elem.Full,
	})
}

// debug makes a sample of the variables and properties.
type debug struct{ variables, properties, system expr.Bool }

func (c *debug) Props(p *elem.Props) {
	p.Bool(&c.variables, "displayJMeterVariables", false, "show the variables")
	p.Bool(&c.properties, "displayJMeterProperties", false, "show the JMeter properties")
	p.Bool(&c.system, "displaySystemProperties", false, "show the system properties")
}

func (c *debug) Sample(t *vu.Thread, s *jtl.Sample) bool {
	var what, body strings.Builder
	section := func(title string, names []string, value func(string) string) {
		what.WriteString(title + "\n")
		body.WriteString(title + ":\n")
		slices.SortFunc(names, naturalOrder)
		for _, n := range names {
			body.WriteString(n + "=" + value(n) + "\n")
		}
		body.WriteString("\n")
	}
	if c.properties.Eval(t) {
		section("JMeterProperties", t.Run.Props.Names(), func(n string) string { v, _ := t.Run.Props.LookupOwn(n); return v })
	}
	if c.variables.Eval(t) {
		section("JMeterVariables", t.Vars.Names(), func(n string) string { return t.Vars.GetOr(n, "") })
	}
	if c.system.Eval(t) {
		section("SystemProperties", t.Run.Props.SystemNames(), func(n string) string { v, _ := t.Run.Props.System(n); return v })
	}
	s.SetBody(body.String())
	s.SamplerData = what.String()
	s.DataType, s.Encoding = "text", "UTF-8"
	s.Code, s.Message, s.Success = "200", "OK", true
	return true
}

// naturalOrder compares names, runs of digits by their number.
func naturalOrder(a, b string) int {
	for a != "" && b != "" {
		da, db := digits(a), digits(b)
		if da > 0 && db > 0 {
			na, nb := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if len(na) != len(nb) {
				return len(na) - len(nb)
			}
			if c := strings.Compare(na, nb); c != 0 {
				return c
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

var _ elem.Sampler = (*debug)(nil)
