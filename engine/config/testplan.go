package config

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[testPlan](elem.Spec{Class: "TestPlan", Title: "Test Plan", Kind: elem.KindPlan, Status: elem.Full})
}

// testPlan is the root of a plan.
type testPlan struct {
	vars                         []elem.Arg
	functional, serial, tearDown bool
}

func (c *testPlan) Props(p *elem.Props) {
	p.Args(&c.vars, "TestPlan.user_defined_variables", "variables, evaluated once before all others")
	p.Flag(&c.functional, "TestPlan.functional_mode", false, "save response and sampler data in every listener")
	p.Flag(&c.serial, "TestPlan.serialize_threadgroups", false, "run thread groups one after the other")
	p.Flag(&c.tearDown, "TestPlan.tearDown_on_shutdown", false, "run tearDown thread groups after a shutdown of the main ones")
	p.Ignore("TestPlan.comments")
	if cp := p.Raw("TestPlan.user_define_classpath", "", "jars of the user"); cp != "" {
		p.Note("property", "TestPlan.user_define_classpath", "jars are not loaded: %s", cp)
	}
}

// Settings are the plan-wide flags.
func (c *testPlan) Settings() (functional, serial, tearDown bool) {
	return c.functional, c.serial, c.tearDown
}

// Variables are the plan's own.
func (c *testPlan) Variables(t *vu.Thread) [][2]string { return variables(c.vars, t) }

func variables(args []elem.Arg, t *vu.Thread) [][2]string {
	var out [][2]string
	for _, a := range args {
		out = append(out, [2]string{a.Name.Eval(t), a.Value.Eval(t)})
	}
	return out
}
