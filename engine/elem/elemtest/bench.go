// Package elemtest decodes single elements in tests and gives them a thread to
// run on.
package elemtest

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
)

// Bench is a run with one thread.
type Bench struct {
	Run    *vu.Run
	Thread *vu.Thread
	// Log and Console hold what was written to them.
	Log, Console *bytes.Buffer
	// Problems are those of all decoded elements.
	Problems []elem.Problem

	t   testing.TB
	env *elem.Env
}

// New returns a bench with the JMeter properties given as name and value in turn.
func New(t testing.TB, properties ...string) *Bench {
	t.Helper()
	b := &Bench{Log: new(bytes.Buffer), Console: new(bytes.Buffer), t: t}
	b.Run = &vu.Run{
		Props: vu.NewProperties(), Log: slog.New(slog.NewTextHandler(b.Log, nil)), Out: b.Console, Err: b.Console,
		PlanFile: "plan.jmx", WorkDir: t.TempDir(), BaseDir: t.TempDir(),
		Stop: func(now bool, why string) {}, Fail: func(err error) { t.Errorf("the run failed: %v", err) },
	}
	for i := 0; i+1 < len(properties); i += 2 {
		b.Run.Props.Set(properties[i], properties[i+1])
	}
	names := vu.NewNames()
	group := &vu.Group{Name: "Users", Number: 1, Run: b.Run, Threads: 1}
	engine := vu.NewThread(group, 0, "main-1", vu.NewVars(names))
	b.Thread = vu.NewThread(group, 0, "Users 1-1", vu.NewVars(names))
	b.Thread.Iteration = 1
	b.env = &elem.Env{Run: b.Run, Compiler: &expr.Compiler{Names: names, Slots: new(vu.Slots), Engine: engine}}
	return b
}

// Decode lets e, which is named "it", read its properties.
func Decode[E elem.Element](b *Bench, e E, props ...*jmx.Prop) E {
	b.t.Helper()
	node := &jmx.Node{Name: "it", Enabled: true, Props: props}
	p := elem.NewProps(b.env, node, props, "plan.jmx: it")
	e.Props(p)
	p.Leftovers()
	b.Problems = b.env.Problems
	return e
}

// Set sets variables, given as name and value in turn.
func (b *Bench) Set(pairs ...string) *Bench {
	for i := 0; i+1 < len(pairs); i += 2 {
		b.Thread.Vars.Put(pairs[i], pairs[i+1])
	}
	return b
}

// Vars are the variables whose names begin with prefix, as name=value, sorted by
// name and joined by spaces.
func (b *Bench) Vars(prefix string) string {
	var out []string
	for _, n := range b.Thread.Vars.Names() {
		if strings.HasPrefix(n, prefix) {
			out = append(out, n+"="+b.Thread.Vars.GetOr(n, ""))
		}
	}
	return strings.Join(out, " ")
}

// Text, Bool and List are properties.
func Text(name, value string) *jmx.Prop { return &jmx.Prop{Kind: jmx.String, Name: name, Value: value} }

func Bool(name string, value bool) *jmx.Prop {
	p := &jmx.Prop{Kind: jmx.Bool, Name: name, Value: "false"}
	if value {
		p.Value = "true"
	}
	return p
}

func List(name string, values ...string) *jmx.Prop {
	p := &jmx.Prop{Kind: jmx.Collection, Name: name}
	for _, v := range values {
		p.Props = append(p.Props, Text("", v))
	}
	return p
}

// Element is a member of a list that has properties of its own.
func Element(name string, props ...*jmx.Prop) *jmx.Prop {
	return &jmx.Prop{Kind: jmx.Element, Name: name, Enabled: true, Props: props}
}

// Members is a list of elements.
func Members(name string, members ...*jmx.Prop) *jmx.Prop {
	return &jmx.Prop{Kind: jmx.Collection, Name: name, Props: members}
}
