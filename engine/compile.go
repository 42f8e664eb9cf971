package engine

import (
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
)

// Compile turns a tree into a plan. All problems are collected and returned,
// notes included; the error is ErrNotRunnable when one of them keeps the plan
// from running.
func Compile(tree *jmx.Tree, opt Options) (*Plan, []elem.Problem, error) {
	opt.fill()
	names := vu.NewNames()
	run := &vu.Run{Props: opt.Props, Log: opt.Log, Out: opt.Out, Err: opt.Err,
		PlanFile: opt.PlanFile, BaseDir: opt.BaseDir, WorkDir: opt.WorkDir, Start: time.Now()}
	engineThread := vu.NewThread(&vu.Group{Run: run}, 0, "main-1", vu.NewVars(names))
	c := &compiler{
		opt: &opt, tree: tree,
		plan: &Plan{run: run, timerFactor: opt.timerFactor(), lastOK: names.Ref("JMeterThread.last_sample_ok"),
			lastStep: names.Ref(elem.LastStepVar), sameUser: names.Ref("__jmv_SAME_USER")},
		thread: engineThread,
		built:  map[*jmx.Node]elem.Element{},
		spec:   map[*jmx.Node]*elem.Spec{},
	}
	c.env = &elem.Env{Run: run, Controller: c.controllerProp, Compiler: &expr.Compiler{
		Names: names, Slots: new(vu.Slots), Engine: engineThread,
		CachePerIteration: opt.Props.Bool("function.cache.per.iteration", false),
	}}
	c.compile()
	names.Freeze()
	c.plan.vars = engineThread.Vars
	for _, p := range c.env.Problems {
		if p.Level != elem.Note {
			return nil, c.env.Problems, ErrNotRunnable
		}
	}
	return c.plan, c.env.Problems, nil
}

func (o *Options) fill() {
	if o.Props == nil {
		o.Props = vu.NewProperties()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Out == nil {
		o.Out = io.Discard
	}
	if o.Err == nil {
		o.Err = io.Discard
	}
	if o.WorkDir == "" {
		o.WorkDir = "."
	}
	if o.BaseDir == "" {
		o.BaseDir = o.WorkDir
	}
}

func (o *Options) timerFactor() float64 {
	if f, err := strconv.ParseFloat(o.Props.Get("timer.factor", "1"), 64); err == nil {
		return f
	}
	return 1
}

type compiler struct {
	opt    *Options
	tree   *jmx.Tree
	env    *elem.Env
	thread *vu.Thread // JMeter's engine thread
	plan   *Plan
	root   *jmx.Node
	built  map[*jmx.Node]elem.Element
	spec   map[*jmx.Node]*elem.Spec
	node   *jmx.Node // being decoded
	inert  int       // how many inert elements it stands below
}

func (c *compiler) compile() {
	x := &expander{plan: c.tree, opt: c.opt, report: c.env.Report}
	if c.root = x.expand(); c.root == nil {
		c.env.Report(elem.Problem{Level: elem.Wrong, What: "element", Place: c.opt.PlanFile, Name: "TestPlan", Text: "Could not find the TestPlan class!"})
		return
	}
	for _, r := range c.tree.Roots {
		c.unknown(r, true)
	}
	c.env.Compiler.Seen = c.seenFunction
	c.env.Compiler.Note = func(text string) { c.remark(elem.Note, text) }
	c.env.Compiler.Lacks = func(text string) { c.remark(elem.Unsupported, text) }
	c.thread.Vars = vu.NewVars(c.env.Compiler.Names)
	c.decode(c.root)
	for _, n := range c.root.Children {
		if g, ok := c.built[n].(elem.Group); ok {
			c.group(n, g)
		}
	}
	if s, ok := c.built[c.root].(planSettings); ok {
		c.plan.run.Functional, c.plan.serial, c.plan.tearDown = s.Settings()
	}
}

func (c *compiler) place(n *jmx.Node) string { return place(c.opt.PlanFile, n) }

// remark reports what an expression of the node at hand does not do.
func (c *compiler) remark(level elem.Level, text string) {
	if c.node != nil {
		name, rest, _ := strings.Cut(text, ": ")
		c.env.Report(elem.Problem{Level: level, What: "function", Place: c.place(c.node), Name: name, Text: rest})
	}
}

// seenFunction is told of each reference that looks like a function.
func (c *compiler) seenFunction(name string, known bool) {
	if known || c.node == nil {
		return
	}
	p := elem.Problem{Level: elem.Note, What: "function", Place: c.place(c.node), Name: name,
		Text: "no such function, the text stays as it is"}
	if unsupportedFunctions[name] {
		p.Level, p.Text = elem.Unsupported, "not supported"
	}
	c.env.Report(p)
}

// decode makes the elements, in tree order: JMeter compiles expressions and
// evaluates User Defined Variables in one such walk.
func (c *compiler) decode(n *jmx.Node) {
	c.node = n
	s := elem.Lookup(n.Class, n.GUI)
	if s == nil || s.Status == elem.None {
		if c.inert > 0 {
			return // a recorder's children do nothing either
		}
		text := "not supported"
		if s == nil {
			text = "not supported (not an element of JMeter 5.6.3 itself)"
			if known[n.Class] {
				text = "not supported yet"
			}
		} else if s.Note != "" {
			text += ": " + s.Note
		}
		p := elem.Problem{Level: elem.Unsupported, What: "element", Place: c.place(n), Name: n.Class, Text: text}
		if c.opt.Lenient {
			p.Level, p.Text = elem.Note, text+", left out with all below it"
			c.env.Report(p)
			return
		}
		c.env.Report(p)
	}
	if s != nil && s.Status != elem.None {
		c.spec[n] = s
		if e := s.New(); e != nil {
			c.make(n, s, e)
		}
		if s.Status == elem.Inert {
			c.inert++
			defer func() { c.inert-- }()
		}
	}
	for _, k := range n.Children {
		c.decode(k)
	}
}

// unknown reports disabled elements of a class that nobody knows: JMeter does
// not load a plan with one.
func (c *compiler) unknown(n *jmx.Node, enabled bool) {
	enabled = enabled && n.Enabled
	if !enabled && !known[n.Class] && !pluginClasses[n.Class] && elem.Lookup(n.Class, n.GUI) == nil {
		p := elem.Problem{Level: elem.Unsupported, What: "element", Place: c.place(n), Name: n.Class,
			Text: "not known to anyone; JMeter refuses a plan with it even though it is disabled"}
		if c.opt.Lenient {
			p.Level = elem.Note
		}
		c.env.Report(p)
	}
	for _, k := range n.Children {
		c.unknown(k, enabled)
	}
}

// known are the classes that JMeter 5.6.3 ships.
var known = func() map[string]bool {
	m := map[string]bool{}
	for _, c := range jmx.Classes() {
		m[c.Alias] = true
		m[c.Full] = true
	}
	return m
}()

func (c *compiler) make(n *jmx.Node, s *elem.Spec, e elem.Element) {
	p := elem.NewProps(c.env, n, c.merged(n, s), c.place(n))
	if ctl, ok := e.(elem.Controller); ok {
		elem.FlowOf(ctl).SetUp(ctl, p.Name(), c.env.Compiler.Slots)
	}
	p.Name() // in its turn, also where nobody asks for it
	e.Props(p)
	p.Leftovers()
	c.built[n] = e
	c.plan.all = append(c.plan.all, e)
	if v, ok := e.(Variables); ok {
		c.define(n, v)
	}
	if n == c.root { // what exists before any User Defined Variables element
		start := c.plan.run.Start
		c.thread.Vars.Put("START.MS", c.opt.Props.Get("START.MS", fmt.Sprint(start.UnixMilli())))
		c.thread.Vars.Put("START.YMD", c.opt.Props.Get("START.YMD", start.Format("20060102")))
		c.thread.Vars.Put("START.HMS", c.opt.Props.Get("START.HMS", start.Format("150405")))
		now := fmt.Sprint(start.UnixMilli())
		c.opt.Props.Set("TESTSTART.MS", now)
		c.thread.Vars.Put("TESTSTART.MS", now)
	}
}

// define evaluates the variables of one element. They do not see each other.
func (c *compiler) define(n *jmx.Node, v Variables) {
	var rows [][2]string
	if err := vu.Try(func() { rows = v.Variables(c.thread) }); err != nil {
		c.env.Report(elem.Problem{Level: elem.Wrong, What: "expression", Place: c.place(n), Name: n.Class, Text: err.Error()})
	}
	done := map[string]bool{}
	for _, r := range rows {
		if !done[r[0]] {
			done[r[0]] = true
			c.thread.Vars.Put(r[0], r[1])
		}
	}
}

// controllerProp decodes an element property that is a controller.
func (c *compiler) controllerProp(p *jmx.Prop, place string) elem.Controller {
	s := elem.Lookup(p.Class, p.GUI)
	var e elem.Element
	if s != nil {
		e = s.New()
	}
	ctl, ok := e.(elem.Controller)
	if !ok {
		c.env.Report(elem.Problem{Level: elem.Unsupported, What: "element", Place: place, Name: p.Class, Text: "not supported as the main controller of a thread group"})
		return nil
	}
	q := elem.NewProps(c.env, c.node, p.Props, place)
	elem.FlowOf(ctl).SetUp(ctl, q.Name(), c.env.Compiler.Slots) // a group's controller has its name
	ctl.Props(q)
	return ctl
}

// group builds the steps of one thread group.
func (c *compiler) group(n *jmx.Node, e elem.Group) {
	g := &group{Group: e, name: elem.NewProps(c.env, n, n.Props, c.place(n)).Name(), place: c.place(n), main: e.Main()}
	if p, ok := e.(elem.Phased); ok {
		g.phase = p.Phase()
	} else {
		g.phase = elem.MainPhase
	}
	if g.main == nil {
		c.env.Report(elem.Problem{Level: elem.Wrong, What: "property", Place: g.place, Name: "ThreadGroup.main_controller", Text: "the thread group has no main controller"})
		return
	}
	w := &walker{c: c, g: g}
	w.walk(n, g.main)
	for _, k := range c.root.Children { // appended to the group's own children, as leaves
		if s := c.spec[k]; s != nil && s.Kind != elem.KindGroup && s.Kind != elem.KindController {
			w.leaf(k, g.main)
		}
	}
	elem.FlowOf(g.main).AddStarter(iteration{g}) // last, so that it is told first
	for _, e := range g.elements {
		if m, ok := e.(elem.Monitor); ok {
			g.monitors = append(g.monitors, m)
		}
		if m, ok := e.(elem.ThreadStarter); ok {
			g.threads = append(g.threads, m)
		}
		if m, ok := e.(elem.ThreadEnder); ok {
			g.ends = append(g.ends, m)
		}
		if m, ok := e.(elem.IterationStarter); ok {
			g.iters = append(g.iters, m)
		}
	}
	c.plan.groups = append(c.plan.groups, g)
}
