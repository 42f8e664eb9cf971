package engine

import (
	"fmt"
	"path/filepath"
	"slices"

	"os"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/jmx"
)

// maxIncludes bounds files that include each other.
const maxIncludes = 50

// expander resolves Module and Include Controllers and drops what is disabled.
type expander struct {
	plan    *jmx.Tree
	opt     *Options
	report  func(elem.Problem)
	depth   int
	modules []*jmx.Node // being expanded, against a module that contains itself
}

// expand returns the Test Plan with everything disabled gone and modules and
// includes in place (JMeter manual, "Module Controller", "Include Controller").
func (x *expander) expand() *jmx.Node {
	for _, r := range x.plan.Roots {
		if r.Class == "TestPlan" && r.Enabled {
			return x.node(r, true)
		}
	}
	return nil
}

// node copies n without what is disabled. own is false inside an included file,
// where Module Controllers do nothing in JMeter.
func (x *expander) node(n *jmx.Node, own bool) *jmx.Node {
	c := *n
	c.Children = nil
	kids := n.Children
	switch n.Class {
	case "ModuleController":
		if own {
			if t := x.module(n); t != nil {
				target := *t
				target.Enabled, target.Parent = true, n
				x.modules = append(x.modules, t)
				c.Append(x.node(&target, own))
				x.modules = x.modules[:len(x.modules)-1]
			}
		}
		kids = nil
	case "IncludeController":
		for _, k := range x.include(n) {
			if k.Enabled {
				c.Append(x.node(k, false))
			}
		}
		kids = nil
	}
	for _, k := range kids {
		if k.Enabled {
			c.Append(x.node(k, own))
		} else {
			x.disabled(k)
		}
	}
	return &c
}

// disabled looks for Module Controllers with a dead path in a disabled branch:
// JMeter resolves them before it drops the branch, and refuses the plan.
func (x *expander) disabled(n *jmx.Node) {
	if n.Class == "ModuleController" {
		x.module(n)
	}
	for _, k := range n.Children {
		x.disabled(k)
	}
}

// module finds the controller that a Module Controller points at. Names are
// compared as they stand; of several siblings of one name the last is meant.
func (x *expander) module(n *jmx.Node) *jmx.Node {
	var path []string
	if p := n.Prop("ModuleController.node_path"); p != nil {
		for _, m := range p.Props {
			path = append(path, m.Value)
		}
	}
	var found *jmx.Node
	if len(path) > 1 {
		for _, r := range x.plan.Roots {
			if r.Name == path[1] {
				if f := descend(r, path[2:]); f != nil {
					found = f
				}
			}
		}
	}
	if found == nil {
		x.report(elem.Problem{Level: elem.Wrong, What: "value", Place: x.place(n), Name: "ModuleController.node_path",
			Text: fmt.Sprintf("ModuleController:%s has no selected Controller (did you rename some element in the path to target controller?)", n.Name)})
		return nil
	}
	if slices.Contains(x.modules, found) {
		x.report(elem.Problem{Level: elem.Wrong, What: "value", Place: x.place(n), Name: "ModuleController.node_path", Text: "the module contains itself"})
		return nil
	}
	return found
}

func descend(n *jmx.Node, path []string) *jmx.Node {
	if len(path) == 0 {
		return n
	}
	var found *jmx.Node
	for _, k := range n.Children {
		if k.Class != "ModuleController" && k.Name == path[0] {
			if f := descend(k, path[1:]); f != nil {
				found = f
			}
		}
	}
	return found
}

// include reads the file of an Include Controller and returns the children of
// its first Test Fragment.
func (x *expander) include(n *jmx.Node) []*jmx.Node {
	name := n.Text("IncludeController.includepath")
	problem := func(format string, args ...any) []*jmx.Node {
		x.report(elem.Problem{Level: elem.Wrong, What: "value", Place: x.place(n), Name: "IncludeController.includepath", Text: fmt.Sprintf(format, args...)})
		return nil
	}
	if name == "" {
		return problem("no file name")
	}
	if x.depth >= maxIncludes {
		return problem("more than %d files include each other", maxIncludes)
	}
	file := x.opt.Props.Get("includecontroller.prefix", "") + name
	path := resolve(x.opt.WorkDir, file)
	if _, err := os.Stat(path); err != nil && !filepath.IsAbs(file) {
		path = filepath.Join(x.opt.BaseDir, name)
	}
	tree, err := jmx.Read(path)
	if err != nil {
		x.report(elem.Problem{Level: elem.Note, What: "value", Place: x.place(n), Name: "IncludeController.includepath",
			Text: fmt.Sprintf("Including file %q failed for Include Controller %q: %v", file, n.Name, err)})
		fmt.Fprintf(x.opt.Out, "Including file \"%s\" failed for Include Controller \"%s\", unexpected error - see log for details\n", file, n.Name)
		return nil
	}
	top := tree.Roots
	for _, r := range tree.Roots {
		if r.Class == "TestPlan" {
			top = r.Children
			break
		}
	}
	for _, k := range top {
		if k.Class == "TestFragmentController" {
			x.depth++
			defer func() { x.depth-- }()
			return k.Children
		}
	}
	x.report(elem.Problem{Level: elem.Note, What: "value", Place: x.place(n), Name: "IncludeController.includepath",
		Text: fmt.Sprintf("No Test Fragment was found in included Test Plan %q, returning empty HashTree", file)})
	return nil
}

func (x *expander) place(n *jmx.Node) string { return place(x.opt.PlanFile, n) }

// place names a node for people: plan.jmx: Test Plan > Users > "Login".
func place(file string, n *jmx.Node) string {
	if file == "" {
		return n.Path()
	}
	return file + ": " + n.Path()
}

func resolve(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}
