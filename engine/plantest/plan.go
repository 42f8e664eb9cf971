// Package plantest runs small plans in the tests of elements: a tree of nodes is
// written as a .jmx, read, compiled and run, and what was sampled is given back.
// Inside a testing/synctest bubble its times are exact and cost nothing.
package plantest

import (
	"encoding/xml"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gojm/gojm/engine"
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
	"github.com/gojm/gojm/jtl"
)

// Node is an element with its children.
type Node struct {
	Class, GUI, Name string
	Props            []string // as XML
	Below            []Node
}

// E is an element.
func E(class, name string, props ...string) Node {
	return Node{Class: class, GUI: class + "Gui", Name: name, Props: props}
}

// With is the element with children.
func (n Node) With(below ...Node) Node {
	n.Below = append(n.Below, below...)
	return n
}

// S is a property as JMeter writes most of them.
func S(name string, value any) string {
	return fmt.Sprintf(`<stringProp name="%s">%s</stringProp>`, escape(name), escape(fmt.Sprint(value)))
}

// B is a flag.
func B(name string, value bool) string {
	return fmt.Sprintf(`<boolProp name="%s">%v</boolProp>`, escape(name), value)
}

// List is a collection of texts.
func List(name string, values ...string) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(S("", v))
	}
	return fmt.Sprintf(`<collectionProp name="%s">%s</collectionProp>`, escape(name), b.String())
}

// Table is a collection of collections of texts.
func Table(name string, rows ...[]string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(List("", row...))
	}
	return fmt.Sprintf(`<collectionProp name="%s">%s</collectionProp>`, escape(name), b.String())
}

// Elem is an element property, such as a thread group's main controller.
func Elem(name, class string, props ...string) string {
	return fmt.Sprintf(`<elementProp name="%s" elementType="%s">%s</elementProp>`, escape(name), class, strings.Join(props, ""))
}

// Args is an element property of names and values in turn.
func Args(name string, pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString(Elem(pairs[i], "Argument", S("Argument.name", pairs[i]), S("Argument.value", pairs[i+1])))
	}
	return Elem(name, "Arguments", `<collectionProp name="Arguments.arguments">`+b.String()+`</collectionProp>`)
}

// Users is a thread group of n threads, each with so many loops.
func Users(n, loops int, below ...Node) Node {
	return E("ThreadGroup", "Users", S("ThreadGroup.num_threads", n),
		Elem("ThreadGroup.main_controller", "LoopController", B("LoopController.continue_forever", false), S("LoopController.loops", loops)),
	).With(below...)
}

// Sampler takes a sample of a label, which may hold expressions.
func Sampler(label string, below ...Node) Node {
	return E("plantest.Sampler", label).With(below...)
}

// Slow is a Sampler that takes so long.
func Slow(label string, d time.Duration, below ...Node) Node {
	return E("plantest.Sampler", label, S("sleep", d.Milliseconds())).With(below...)
}

// Failing is a Sampler that fails.
func Failing(label string, below ...Node) Node {
	return E("plantest.Sampler", label, B("fail", true)).With(below...)
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

func (n Node) write(b *strings.Builder) {
	fmt.Fprintf(b, `<%s guiclass="%s" testclass="%[1]s" testname="%[3]s">%[4]s</%[1]s><hashTree>`, n.Class, n.GUI, escape(n.Name), strings.Join(n.Props, ""))
	for _, k := range n.Below {
		k.write(b)
	}
	b.WriteString("</hashTree>")
}

// Plan is what a run is given beside its nodes.
type Plan struct {
	Dir   string            // of the plan and its data files
	Props map[string]string // JMeter properties
}

// Result is what a run answered.
type Result struct {
	Samples  []*jtl.Sample   // in the order of their ends
	Started  []time.Duration // of the samples, after the start of the run
	Problems []elem.Problem
	Err      error  // of compiling or running
	Log      string // lines of the log
	Run      *vu.Run
}

// Labels are those of the samples, with a blank between.
func (r *Result) Labels() string {
	var out []string
	for _, s := range r.Samples {
		out = append(out, s.Label)
	}
	return strings.Join(out, " ")
}

// Run runs the nodes, which stand below a Test Plan.
func Run(t testing.TB, nodes ...Node) *Result { return Plan{}.Run(t, nodes...) }

// Run runs the nodes, which stand below a Test Plan.
func (p Plan) Run(t testing.TB, nodes ...Node) *Result {
	t.Helper()
	var log lines
	r := &Result{}
	defer func() { r.Log = log.String() }()
	compiled, rec := p.compile(t, r, slog.New(slog.NewTextHandler(&log, nil)), nodes)
	if r.Err != nil {
		return r
	}
	r.Run = compiled.Run()
	begin := time.Now()
	r.Err = compiled.Start().Run()
	r.Samples = rec.samples
	for _, at := range rec.started {
		r.Started = append(r.Started, at.Sub(begin))
	}
	return r
}

func (p Plan) compile(t testing.TB, r *Result, log *slog.Logger, nodes []Node) (*engine.Plan, *recorder) {
	t.Helper()
	root := E("TestPlan", "Test Plan").With(nodes...).With(E("plantest.Recorder", "recorder"))
	var b strings.Builder
	b.WriteString(`<jmeterTestPlan version="1.2"><hashTree>`)
	root.write(&b)
	b.WriteString(`</hashTree></jmeterTestPlan>`)
	tree, err := jmx.Decode(strings.NewReader(b.String()), "plan.jmx")
	if err != nil {
		t.Fatal(err)
	}
	props := vu.NewProperties()
	for name, value := range p.Props {
		props.Set(name, value)
	}
	rec := &recorder{}
	props.Set(recorderProperty, register(rec))
	t.Cleanup(func() { forget(rec) })
	var compiled *engine.Plan
	compiled, r.Problems, r.Err = engine.Compile(tree, engine.Options{Props: props, Log: log, PlanFile: "plan.jmx", BaseDir: p.Dir, WorkDir: t.TempDir()})
	return compiled, rec
}

// lines is a log that threads write.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
