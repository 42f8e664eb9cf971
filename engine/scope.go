package engine

import (
	"slices"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/jmx"
)

// walker builds the controllers and steps of one thread group. Scopes are those
// of JMeter's test compiler: an element counts for a sampler if its parent is
// the sampler or an ancestor of it; the Test Plan's own elements stand behind
// the thread group's.
type walker struct {
	c *compiler
	g *group
}

// walk visits n, which stands below the controllers that parent leads to.
func (w *walker) walk(n *jmx.Node, parent elem.Controller) {
	e := w.c.built[n]
	ctl, isCtl := e.(elem.Controller)
	inner := parent
	if _, isGroup := e.(elem.Group); !isGroup && isCtl {
		inner = ctl
	}
	if e != nil {
		w.g.elements = append(w.g.elements, e)
	}
	for _, k := range n.Children {
		w.walk(k, inner)
	}
	// after the children, as JMeter's walk leaves a node
	switch x := e.(type) {
	case elem.Group:
	case elem.Sampler:
		step := w.step(n, x)
		elem.FlowOf(parent).Add(elem.Child{Step: step, Name: step.Label})
	case elem.Controller:
		elem.FlowOf(parent).Add(elem.Child{Ctl: x, Name: elem.FlowOf(x).Label})
		if t, ok := e.(elem.Transactional); ok {
			t.BindTransaction(w.transaction(n))
		}
	}
	if s, ok := e.(elem.PassStarter); ok {
		elem.FlowOf(parent).AddStarter(s)
	}
}

// leaf adds an element of the Test Plan's level.
func (w *walker) leaf(n *jmx.Node, main elem.Controller) {
	e := w.c.built[n]
	if e == nil {
		return
	}
	w.g.elements = append(w.g.elements, e)
	if s, ok := e.(elem.PassStarter); ok {
		elem.FlowOf(main).AddStarter(s)
	}
}

// levels returns the nodes in scope of n, nearest level first.
func (c *compiler) levels(n *jmx.Node) [][]*jmx.Node {
	var out [][]*jmx.Node
	for up := n; up != nil && up != c.root; up = up.Parent {
		level := up.Children
		if up.Parent == c.root || up.Parent == nil { // the thread group
			level = slices.Clone(level)
			for _, k := range c.root.Children {
				if s := elem.Lookup(k.Class, k.GUI); s == nil || s.Kind != elem.KindGroup {
					level = append(level, k)
				}
			}
		}
		out = append(out, level)
	}
	return out
}

// step collects what applies to a sampler.
func (w *walker) step(n *jmx.Node, s elem.Sampler) *elem.Step {
	st := &elem.Step{Sampler: s, Place: w.c.place(n)}
	st.Label = elem.NewProps(w.c.env, n, nil, st.Place).Name()
	if n.Name == "" {
		st.Label = w.c.inheritedName(n)
	}
	sc := &elem.Scope{}
	for _, level := range w.c.levels(n) {
		var pre []elem.PreProcessor
		var post []elem.PostProcessor
		var as []elem.Assertion
		for _, k := range level {
			e := w.c.built[k]
			if sp := w.c.spec[k]; sp != nil && sp.Kind == elem.KindConfig && e != nil {
				sc.Configs = append(sc.Configs, e)
			}
			if x, ok := e.(elem.Listener); ok {
				st.Listeners = append(st.Listeners, x)
			}
			if x, ok := e.(elem.Timer); ok {
				st.Timers = append(st.Timers, x)
			}
			if x, ok := e.(elem.PreProcessor); ok {
				pre = append(pre, x)
			}
			if x, ok := e.(elem.PostProcessor); ok {
				post = append(post, x)
			}
			if x, ok := e.(elem.Assertion); ok {
				as = append(as, x)
			}
		}
		st.Pre = append(pre, st.Pre...)
		st.Post = append(post, st.Post...)
		st.Assertions = append(as, st.Assertions...)
	}
	for _, e := range st.Post {
		if r, ok := e.(elem.SettingsReader); ok && r.ReadsSettings() {
			st.Settings = elem.NewProps(w.c.env, n, w.c.merged(n, w.c.spec[n]), st.Place).Settings()
			break
		}
	}
	for up := n.Parent; up != nil && up != w.c.root; up = up.Parent {
		if ctl, ok := w.c.built[up].(elem.Controller); ok {
			st.Controllers = append(st.Controllers, ctl)
		}
	}
	st.Controllers = append(st.Controllers, w.g.main)
	sc.Needs = w.c.needs(st)
	if b, ok := s.(elem.Binder); ok {
		b.Bind(sc)
	}
	return st
}

// needs joins what everything behind a sampler reads of its response.
func (c *compiler) needs(st *elem.Step) elem.Needs {
	if c.env.Compiler.ReadsPrev {
		return elem.NeedAll
	}
	var n elem.Needs
	of := func(e elem.Element) {
		if x, ok := e.(elem.Needer); ok {
			n |= x.Needs()
		} else {
			n = elem.NeedAll
		}
	}
	for _, e := range st.Post {
		of(e)
	}
	for _, e := range st.Assertions {
		of(e)
	}
	for _, e := range st.Listeners {
		of(e)
	}
	// what runs before the next sample may look at this one
	for _, e := range c.plan.all {
		if _, ok := e.(elem.PreProcessor); ok {
			of(e)
		}
	}
	return n
}

// transaction collects what applies to a Transaction Controller's own row.
func (w *walker) transaction(n *jmx.Node) *elem.TransactionScope {
	sc := &elem.TransactionScope{}
	for _, level := range w.c.levels(n) {
		for _, k := range level {
			e := w.c.built[k]
			if x, ok := e.(elem.Listener); ok {
				sc.Listeners = append(sc.Listeners, x)
			}
			if x, ok := e.(elem.Assertion); ok {
				sc.Assertions = append(sc.Assertions, x)
			}
		}
	}
	return sc
}
