package elem

import (
	"fmt"
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
)

// Decl is one declared property, for the documentation.
type Decl struct {
	Name, Type, Default, Doc string
	Supported                bool
}

// Props reads the properties of one element: each is declared and read in one
// call, in the manner of package flag. Where the same property may be written
// as several kinds (JMeter 5.6 writes numbers as strings or ints), any is read.
//
// A Props without a node only collects the declarations; all reads yield defaults.
type Props struct {
	node  *jmx.Node
	place string
	// lists are searched in turn; the first property that is there wins.
	props  []*jmx.Prop
	member *jmx.Prop // the element property that is read, nil for the node itself
	c      *expr.Compiler
	env    *Env

	decls *[]Decl
	known map[string]bool
	rest  bool // no property is unknown
}

// Env is what decoding shares over a plan.
type Env struct {
	Compiler *expr.Compiler
	Run      *vu.Run // Props, BaseDir and the like; no thread runs yet
	Problems []Problem
	// Controller decodes an element property that is a controller of its own
	// (a thread group's main controller).
	Controller func(p *jmx.Prop, place string) Controller

	texts map[*jmx.Prop]expr.Text
	names map[*jmx.Node]expr.Text
}

// Report adds a problem.
func (e *Env) Report(p Problem) { e.Problems = append(e.Problems, p) }

// NewProps returns the reader of node, whose properties are props (those of the
// node, after the config elements in scope were merged in).
func NewProps(env *Env, node *jmx.Node, props []*jmx.Prop, place string) *Props {
	return &Props{node: node, place: place, props: props, c: env.Compiler, env: env, decls: new([]Decl), known: map[string]bool{}}
}

// Name is the element's name, compiled once however often it is asked for.
func (p *Props) Name() expr.Text {
	if p.node == nil {
		return expr.Text{}
	}
	if p.env == nil {
		return expr.Const(p.node.Name)
	}
	name, ok := p.env.names[p.node]
	if !ok {
		name = p.compile(nil, "name", p.node.Name)
		if p.env.names == nil {
			p.env.names = map[*jmx.Node]expr.Text{}
		}
		p.env.names[p.node] = name
	}
	return name
}

// Place is the element's place in the plan, for messages.
func (p *Props) Place() string { return p.place }

// GUI is the guiclass of the element.
func (p *Props) GUI() string {
	if p.node == nil {
		return ""
	}
	return p.node.GUI
}

// Run is the run to be; its threads do not exist yet. It is nil while
// declarations are collected.
func (p *Props) Run() *vu.Run {
	if p.env == nil {
		return nil
	}
	return p.env.Run
}

// Compiler compiles further texts.
func (p *Props) Compiler() *expr.Compiler { return p.c }

// Property returns a JMeter property as it stands when the plan is compiled.
func (p *Props) Property(name, def string) string {
	if p.env == nil {
		return def
	}
	return p.env.Run.Props.Get(name, def)
}

// SlotOf reserves a place for per-thread state.
func SlotOf[T any](p *Props) vu.Slot[T] {
	if p.c == nil {
		return vu.Slot[T]{}
	}
	return vu.NewSlot[T](p.c.Slots)
}

func (p *Props) declare(name, typ, def, doc string) *jmx.Prop {
	*p.decls = append(*p.decls, Decl{name, typ, def, doc, true})
	p.known[name] = true
	return p.prop(name)
}

func (p *Props) prop(name string) *jmx.Prop {
	for i := len(p.props) - 1; i >= 0; i-- {
		if p.props[i].Name == name {
			return p.props[i]
		}
	}
	return nil
}

// Has tells whether the plan holds the property.
func (p *Props) Has(name string) bool { return p.prop(name) != nil }

func simple(x *jmx.Prop) bool { return x != nil && x.Kind < jmx.Collection }

func (p *Props) text(name, typ, def, doc string) (string, *jmx.Prop) {
	x := p.declare(name, typ, def, doc)
	if !simple(x) {
		return def, nil
	}
	return x.Value, x
}

// Text reads a text that may hold expressions.
func (p *Props) Text(dst *expr.Text, name, def, doc string) {
	s, x := p.text(name, "text", def, doc)
	*dst = p.compile(x, name, s)
}

// Own reads a declared text as the element itself has it, without what config
// elements in scope add.
func (p *Props) Own(dst *expr.Text, name string) {
	if p.node == nil {
		*dst = expr.Text{}
		return
	}
	x, value := p.node.Prop(name), ""
	if simple(x) {
		value = x.Value
	}
	*dst = p.compile(x, name, value)
}

// Raw reads a text whose expressions JMeter does not evaluate.
func (p *Props) Raw(name, def, doc string) string {
	s, _ := p.text(name, "text, taken as it stands", def, doc)
	return s
}

// Int reads an int: text that is none counts as 0.
func (p *Props) Int(dst *expr.Int, name, def, doc string) {
	s, x := p.text(name, "int", def, doc)
	*dst = expr.NewInt(p.compile(x, name, s))
}

// Long reads a long: text that is none counts as 0.
func (p *Props) Long(dst *expr.Long, name, def, doc string) {
	s, x := p.text(name, "long", def, doc)
	*dst = expr.NewLong(p.compile(x, name, s))
}

// Float reads a double: text that is none counts as 0.
func (p *Props) Float(dst *expr.Float, name, def, doc string) {
	s, x := p.text(name, "double", def, doc)
	*dst = expr.NewFloat(p.compile(x, name, s))
}

// Bool reads a flag. A boolProp is not evaluated, a stringProp is.
func (p *Props) Bool(dst *expr.Bool, name string, def bool, doc string) {
	s, x := p.text(name, "bool", fmt.Sprint(def), doc)
	if x != nil && x.Kind == jmx.Bool {
		*dst = expr.NewBool(expr.Const(s))
		return
	}
	*dst = expr.NewBool(p.compile(x, name, s))
}

// Flag reads a flag once, when the plan is compiled.
func (p *Props) Flag(dst *bool, name string, def bool, doc string) {
	var b expr.Bool
	p.Bool(&b, name, def, doc)
	*dst = p.c != nil && b.Eval(p.c.Engine)
	if p.c == nil {
		*dst = def
	}
}

// Texts reads a collection of texts.
func (p *Props) Texts(dst *[]expr.Text, name, doc string) {
	*dst = nil
	if x := p.declare(name, "list of texts", "", doc); x != nil {
		for _, m := range x.Props {
			*dst = append(*dst, p.compile(m, name, m.Value))
		}
	}
}

// Rows reads a collection of collections of texts.
func (p *Props) Rows(dst *[][]expr.Text, name, doc string) {
	*dst = nil
	if x := p.declare(name, "table of texts", "", doc); x != nil {
		for _, row := range x.Props {
			var r []expr.Text
			for _, m := range row.Props {
				r = append(r, p.compile(m, name, m.Value))
			}
			*dst = append(*dst, r)
		}
	}
}

// Each reads a collection of element properties, or the collection of that name
// inside an element property: f is called for each member.
func (p *Props) Each(name, doc string, f func(m *Props)) {
	x := p.declare(name, "list of elements", "", doc)
	if x == nil {
		return
	}
	for _, m := range x.Props {
		f(p.inner(m))
	}
}

// Elem reads an element property through f; it is not called when it is absent.
func (p *Props) Elem(name, doc string, f func(m *Props)) {
	if x := p.declare(name, "element", "", doc); x != nil {
		f(p.inner(x))
	}
}

// Object reads an objProp: tag and text of each child of its value. It is nil
// when the plan has none.
func (p *Props) Object(name, doc string) map[string]string {
	x := p.declare(name, "object", "", doc)
	if x == nil {
		return nil
	}
	m := map[string]string{}
	for _, c := range x.Props {
		m[c.Name] = c.Value
	}
	return m
}

func (p *Props) inner(x *jmx.Prop) *Props {
	return &Props{node: p.node, place: p.place, props: x.Props, member: x, c: p.c, env: p.env, decls: p.decls, known: p.known}
}

// MemberName reads the name of the element inside a collection that p stands
// for: that of a cookie, say.
func (p *Props) MemberName(dst *expr.Text) {
	p.known["TestElement.name"] = true
	if p.member == nil {
		return
	}
	name := p.member.TestName
	if x := p.prop("TestElement.name"); simple(x) {
		name = x.Value
	}
	if name == "" {
		name = p.member.Name
	}
	*dst = p.compile(nil, "TestElement.name", name)
}

// Arg is one row of an arguments table.
type Arg struct {
	Name, Value, Metadata expr.Text
	// HasMetadata tells an absent metadata from an empty one.
	HasMetadata bool
}

// Args reads an elementProp of class Arguments.
func (p *Props) Args(dst *[]Arg, name, doc string) {
	*dst = nil
	p.Elem(name, doc, func(m *Props) { m.ArgRows(dst) })
}

// ArgRows reads the rows of an Arguments element itself.
func (p *Props) ArgRows(dst *[]Arg) {
	p.Each("Arguments.arguments", "rows of name and value", func(m *Props) {
		var a Arg
		m.Text(&a.Name, "Argument.name", "", "name")
		m.Text(&a.Value, "Argument.value", "", "value")
		m.Text(&a.Metadata, "Argument.metadata", "", "between name and value")
		a.HasMetadata = m.Has("Argument.metadata")
		m.Ignore("Argument.desc", "Argument.description")
		*dst = append(*dst, a)
	})
}

// Main reads the main controller of a thread group.
func (p *Props) Main(dst *Controller, name, doc string) {
	x := p.declare(name, "controller", "", doc)
	if x == nil || p.env == nil {
		return
	}
	*dst = p.env.Controller(x, p.place)
}

// Ignore declares properties that do nothing in a command-line run.
func (p *Props) Ignore(names ...string) {
	for _, n := range names {
		p.known[n] = true
	}
}

// IgnoreRest takes all other properties for known: those of elements whose
// properties are there for others.
func (p *Props) IgnoreRest() { p.rest = true }

// Unsupported declares a property that JMeter heeds and gojm does not. Values
// for which that makes no difference (harmless) are not reported.
func (p *Props) Unsupported(name, doc string, harmless ...string) {
	*p.decls = append(*p.decls, Decl{name, "", "", doc, false})
	p.known[name] = true
	x := p.prop(name)
	if x == nil || (x.Value == "" && len(x.Props) == 0) {
		return
	}
	for _, h := range harmless {
		if strings.EqualFold(x.Value, h) {
			return
		}
	}
	p.report(Unsupported, "property", name, fmt.Sprintf("not supported: %s (here %q)", doc, x.Value))
}

// Refuse reports a use that gojm does not support, found out by the element.
func (p *Props) Refuse(what, name, format string, args ...any) {
	p.report(Unsupported, what, name, fmt.Sprintf(format, args...))
}

// Wrong reports a value with which JMeter would not run either.
func (p *Props) Wrong(name, format string, args ...any) {
	p.report(Wrong, "value", name, fmt.Sprintf(format, args...))
}

// Note remarks on something that does not keep the plan from running.
func (p *Props) Note(what, name, format string, args ...any) {
	p.report(Note, what, name, fmt.Sprintf(format, args...))
}

func (p *Props) report(l Level, what, name, text string) {
	if p.env != nil {
		p.env.Report(Problem{Level: l, What: what, Place: p.place, Name: name, Text: text})
	}
}

// Compile compiles a text that the property name holds.
func (p *Props) Compile(name, src string) expr.Text { return p.compile(nil, name, src) }

// compile compiles the text of property x, once however many elements take it
// over: an occurrence of a function in an HTTP Request Defaults is one, with
// one state, for all samplers in its scope.
func (p *Props) compile(x *jmx.Prop, name, src string) expr.Text {
	if p.c == nil {
		return expr.Const(src)
	}
	if text, ok := p.env.texts[x]; ok && x != nil {
		return text
	}
	text, err := p.c.Text(src)
	if err != nil {
		p.report(Wrong, "expression", name, err.Error())
	}
	if x != nil {
		if p.env.texts == nil {
			p.env.texts = map[*jmx.Prop]expr.Text{}
		}
		p.env.texts[x] = text
	}
	return text
}

// Leftovers reports the properties that nobody declared: JMeter ignores them
// as well, so they are notes. What expressions they hold is compiled all the
// same, since a broken one ends the run in JMeter.
func (p *Props) Leftovers() {
	for _, x := range p.node.Props {
		if p.known[x.Name] || strings.HasPrefix(x.Name, "TestElement.") || strings.HasSuffix(x.Name, ".comments") {
			continue
		}
		p.known[x.Name] = true
		p.checkAll(x)
		if p.rest {
			continue
		}
		p.report(Note, "property", x.Name, "not known, ignored")
	}
}

func (p *Props) checkAll(x *jmx.Prop) {
	if simple(x) && x.Kind != jmx.Bool {
		p.compile(x, x.Name, x.Value)
	}
	for _, m := range x.Props {
		p.checkAll(m)
	}
}
