package script

import (
	"fmt"
	"strings"
)

// code computes an expression, action runs a statement.
type (
	code   func(*frame) (Value, error)
	action func(*frame) (flow, error)
)

// flow says how a statement ended.
type flow uint8

const (
	flowNext flow = iota
	flowBreak
	flowContinue
	flowReturn
)

// frame is one activation of a function or closure.
type frame struct {
	run     *Run
	vars    []Value // a boxed variable is a *cell
	up      []*cell
	ret     Value
	label   string   // of a labelled break or continue under way
	closure *Closure // what runs, nil in the script itself and in methods
	unit    *unit
}

// cell holds a variable that closures share.
type cell struct{ v Value }

// local is a declared variable.
type local struct {
	slot  int
	boxed bool // some closure uses it; known when all is compiled
	class typeRef
}

// function is the compiled body of a script, a method or a closure.
type function struct {
	name   string
	params []compiledParam
	it     bool
	body   action
	slots  int
	ups    []upvalue
}

type compiledParam struct {
	*local
	name    string
	init    code
	varargs bool
}

// upvalue says where a closure finds a cell when it is made.
type upvalue struct {
	fromParent bool // in the maker's own upvalues, else in its variables
	index      int
}

// unit is a whole script after compilation.
type unit struct {
	dialect *dialect
	class0  string            // the class of the script itself, as messages name it
	imports map[string]string // short name to full name
	stars   []string          // packages imported whole
	methods map[string][]*function
	main    *function
}

// scope is a function while it is compiled.
type scope struct {
	parent *scope
	fn     *function
	blocks []map[string]*local
	ups    map[*local]int
}

type compiler struct {
	*unit
	source   string
	scope    *scope
	problems []Problem
	declared map[string]bool // methods of the script
}

// abort leaves the compiler at a construct that it cannot compile.
type abort struct{ err *SyntaxError }

func (c *compiler) fail(at pos, format string, args ...any) {
	panic(abort{&SyntaxError{Line: at.line, Column: at.col, Text: fmt.Sprintf(format, args...)}})
}

func (c *compiler) problem(at pos, format string, args ...any) {
	c.problems = append(c.problems, Problem{at.line, at.col, fmt.Sprintf(format, args...)})
}

// compileUnit compiles a parsed script.
func compileUnit(d *dialect, source, scriptName string, list []expr) (p *Program, err error) {
	defer func() {
		switch a := recover().(type) {
		case nil:
		case abort:
			a.err.Name = scriptName
			p, err = nil, a.err
		default:
			panic(a)
		}
	}()
	c := &compiler{
		unit:     &unit{dialect: d, class0: strings.TrimSuffix(scriptName, ".groovy"), imports: map[string]string{}, methods: map[string][]*function{}},
		source:   source,
		declared: map[string]bool{},
	}
	for _, s := range list {
		switch s := s.(type) {
		case *importDecl:
			c.addImport(s)
		case *methodDecl:
			c.declared[s.name] = true
		}
	}
	for _, s := range list {
		if m, ok := s.(*methodDecl); ok {
			c.methods[m.name] = append(c.methods[m.name], c.function(nil, m.name, m.params, false, m.body.list))
		}
	}
	c.main = c.function(nil, "run", nil, false, list)
	u := c.unit
	return &Program{name: scriptName, lang: d.name, problems: c.problems, run: func(r *Run) (Value, error) {
		r.dialect = d
		fr := &frame{run: r, unit: u, vars: make([]Value, u.main.slots)}
		f, err := u.main.body(fr)
		if err != nil {
			return nil, asThrowable(err)
		}
		if f == flowReturn || d.tracked {
			return fr.ret, nil
		}
		return nil, nil
	}}, nil
}

func (c *compiler) addImport(s *importDecl) {
	switch {
	case s.static:
		i := strings.LastIndexByte(s.name, '.')
		if _, ok := FindClass(s.name[:max(i, 0)]); !ok {
			c.problem(s.pos, "class %s is not supported", s.name[:max(i, 0)])
		}
		c.imports["static "+s.alias] = s.name
	case strings.HasSuffix(s.name, ".*"):
		c.stars = append(c.stars, strings.TrimSuffix(s.name, "*"))
	default:
		c.imports[s.alias] = s.name // reported only where it is used: unused imports do no harm
	}
}

// class resolves a name as written.
func (u *unit) class(n string) (*Class, bool) {
	if full, ok := u.imports[n]; ok {
		return FindClass(full)
	}
	for _, p := range u.stars {
		if cl, ok := registry.full[p+n]; ok {
			return cl, true
		}
	}
	return FindClass(n)
}

// typeClass resolves the class of a declaration, a cast or new; nil stands for def.
func (c *compiler) typeClass(t typeRef) *Class {
	if t.name == "" {
		return nil
	}
	if p, ok := primitives[t.name]; ok && t.dims == 0 {
		return p
	}
	if t.dims > 0 {
		elem := t.name
		if _, ok := primitives[elem]; !ok {
			if cl, ok := c.class(elem); ok {
				elem = cl.Name
			}
		}
		return arrayClass(elem + strings.Repeat("[]", t.dims-1))
	}
	cl, ok := c.class(t.name)
	if !ok {
		c.problem(t.pos, "class %s is not supported", t.name)
		return &Class{Name: t.name, Super: objectClass}
	}
	return cl
}

// function compiles a body with its own variables.
func (c *compiler) function(parent *scope, fname string, params []param, it bool, body []expr) *function {
	outer := c.scope
	defer func() { c.scope = outer }()
	fn := &function{name: fname, it: it}
	c.scope = &scope{parent: parent, fn: fn, ups: map[*local]int{}}
	c.push()
	if it {
		params = []param{{name: "it"}}
	}
	for _, p := range params {
		cp := compiledParam{name: p.name, varargs: p.varargs}
		if p.init != nil {
			cp.init = c.expr(p.init)
		}
		cp.local = c.declare(p.name, p.class)
		fn.params = append(fn.params, cp)
	}
	fn.body = c.statements(body, c.dialect.lastValue)
	c.pop()
	return fn
}

func (c *compiler) push() { c.scope.blocks = append(c.scope.blocks, map[string]*local{}) }
func (c *compiler) pop()  { c.scope.blocks = c.scope.blocks[:len(c.scope.blocks)-1] }

// declare adds a variable to the innermost block.
func (c *compiler) declare(n string, class typeRef) *local {
	l := &local{slot: c.scope.fn.slots, class: class}
	c.scope.fn.slots++
	c.scope.blocks[len(c.scope.blocks)-1][n] = l
	return l
}

// lookup finds a declared variable: in the running function (up < 0), or as an upvalue.
func (s *scope) lookup(n string) (l *local, up int, ok bool) {
	for i := len(s.blocks) - 1; i >= 0; i-- {
		if l := s.blocks[i][n]; l != nil {
			return l, -1, true
		}
	}
	if s.parent == nil {
		return nil, 0, false
	}
	l, outer, ok := s.parent.lookup(n)
	if !ok {
		return nil, 0, false
	}
	if i, ok := s.ups[l]; ok {
		return l, i, true
	}
	u := upvalue{fromParent: outer >= 0, index: outer}
	if outer < 0 {
		l.boxed = true
		u.index = l.slot
	}
	i := len(s.fn.ups)
	s.fn.ups = append(s.fn.ups, u)
	s.ups[l] = i
	return l, i, true
}

// get reads a variable of the running function.
func (l *local) get(fr *frame) Value {
	if l.boxed {
		if b, ok := fr.vars[l.slot].(*cell); ok {
			return b.v
		}
		return nil
	}
	return fr.vars[l.slot]
}

func (l *local) set(fr *frame, v Value) {
	if l.boxed {
		if b, ok := fr.vars[l.slot].(*cell); ok {
			b.v = v
			return
		}
		fr.vars[l.slot] = &cell{v}
		return
	}
	fr.vars[l.slot] = v
}

// init sets a variable where it is declared: a closure made before keeps the old one.
func (l *local) init(fr *frame, v Value) {
	if l.boxed {
		fr.vars[l.slot] = &cell{v}
		return
	}
	fr.vars[l.slot] = v
}

// statements compiles a list. With tail, the value of its last statement is returned.
func (c *compiler) statements(list []expr, tail bool) action {
	var as []action
	for i, s := range list {
		if a := c.statement(s, tail && i == len(list)-1); a != nil {
			as = append(as, a)
		}
	}
	switch len(as) {
	case 0:
		return func(fr *frame) (flow, error) { fr.ret = nil; return flowNext, nil }
	case 1:
		return as[0]
	}
	return func(fr *frame) (flow, error) {
		for _, a := range as {
			if f, err := a(fr); f != flowNext || err != nil {
				return f, err
			}
		}
		return flowNext, nil
	}
}

func (c *compiler) block(s expr, tail bool) action {
	if s == nil {
		return func(*frame) (flow, error) { return flowNext, nil }
	}
	c.push()
	defer c.pop()
	if b, ok := s.(*block); ok {
		return c.statements(b.list, tail)
	}
	if a := c.statement(s, tail); a != nil {
		return a
	}
	return func(*frame) (flow, error) { return flowNext, nil }
}

// statement compiles one statement; nil when there is nothing to do.
func (c *compiler) statement(s expr, tail bool) action {
	switch s := s.(type) {
	case *importDecl, *methodDecl:
		if m, ok := s.(*methodDecl); ok && c.scope.parent != nil {
			c.fail(m.pos, "a method inside a closure is not supported")
		}
		return nil
	case *block:
		return c.block(s, tail)
	case *varDecl:
		return c.varDecl(s)
	case *jexlVar:
		declare := c.varDecl(s.varDecl)
		read := c.name(&name{s.pos, s.names[0]})
		return func(fr *frame) (flow, error) {
			if f, err := declare(fr); err != nil {
				return f, err
			}
			var err error
			fr.ret, err = read(fr)
			return flowNext, err
		}
	case *ifStmt:
		cond := c.truth(s.cond)
		yes, no := c.block(s.yes, tail), c.block(s.no, tail)
		tracked := c.dialect.tracked
		return func(fr *frame) (flow, error) {
			ok, err := cond(fr)
			if err != nil {
				return 0, err
			}
			if ok {
				return yes(fr)
			}
			if tracked {
				fr.ret = nil
			}
			return no(fr)
		}
	case *whileStmt:
		return c.while(s)
	case *forStmt:
		return c.forLoop(s)
	case *forIn:
		return c.forIn(s)
	case *switchStmt:
		return c.switchCase(s, tail)
	case *jump:
		f := flowBreak
		if s.cont {
			f = flowContinue
		}
		label := s.label
		return func(fr *frame) (flow, error) {
			fr.label = label
			return f, nil
		}
	case *returnStmt:
		if s.x == nil {
			return func(fr *frame) (flow, error) { fr.ret = nil; return flowReturn, nil }
		}
		return returning(c.expr(s.x))
	case *throwStmt:
		x, d := c.expr(s.x), c.dialect
		return func(fr *frame) (flow, error) {
			v, err := x(fr)
			if err != nil {
				return 0, err
			}
			if t, ok := v.(*Throwable); ok {
				return 0, d.explained(inThrow, "", t)
			}
			return 0, throw("java.lang.ClassCastException", "%s is not a Throwable", classOf(v).Name)
		}
	case *tryStmt:
		return c.try(s, tail)
	case *assertStmt:
		return c.assert(s)
	}
	x := c.expr(s)
	if tail {
		return returning(x)
	}
	if c.dialect.tracked {
		return func(fr *frame) (flow, error) {
			v, err := x(fr)
			fr.ret = v
			return flowNext, err
		}
	}
	return func(fr *frame) (flow, error) {
		_, err := x(fr)
		return flowNext, err
	}
}

func returning(x code) action {
	return func(fr *frame) (flow, error) {
		v, err := x(fr)
		if err != nil {
			return 0, err
		}
		fr.ret = v
		return flowReturn, nil
	}
}

func (c *compiler) varDecl(s *varDecl) action {
	if s.multi {
		value := c.expr(s.inits[0])
		locals := make([]*local, len(s.names))
		sets := make([]func(*frame, Value) error, len(s.names))
		for i, n := range s.names {
			locals[i] = c.declare(n, s.types[i])
			sets[i] = c.initLocal(locals[i])
		}
		return func(fr *frame) (flow, error) {
			v, err := value(fr)
			if err != nil {
				return 0, err
			}
			list, _ := items(v)
			for i := range sets {
				var e Value
				if i < len(list) {
					e = list[i]
				}
				if err := sets[i](fr, e); err != nil {
					return 0, err
				}
			}
			return flowNext, nil
		}
	}
	var as []action
	for i, n := range s.names {
		if c.dialect.globals && c.scope.parent == nil && len(c.scope.blocks) == 1 && c.scope.fn.name == "run" {
			// BeanShell keeps what the script declares: methods see it, and so do later runs.
			as = append(as, c.globalDecl(n, s.class, s.inits[i]))
			continue
		}
		var init code
		if s.inits[i] != nil {
			init = c.expr(s.inits[i])
		}
		l := c.declare(n, s.class)
		set := c.initLocal(l)
		zero, d := zeroOf(s.class), c.dialect
		as = append(as, func(fr *frame) (flow, error) {
			if init == nil {
				l.init(fr, zero)
				return flowNext, nil
			}
			v, err := init(fr)
			if err == nil {
				err = set(fr, v)
			}
			return flowNext, d.explained(inDeclaration, "", err)
		})
	}
	if len(as) == 1 {
		return as[0]
	}
	return func(fr *frame) (flow, error) {
		for _, a := range as {
			if _, err := a(fr); err != nil {
				return 0, err
			}
		}
		return flowNext, nil
	}
}

func (c *compiler) globalDecl(n string, class typeRef, init expr) action {
	cl, d := c.typeClass(class), c.dialect
	zero := zeroOf(class)
	var x code
	if init != nil {
		x = c.expr(init)
	}
	return func(fr *frame) (flow, error) {
		v := zero
		if x != nil {
			var err error
			if v, err = x(fr); err == nil && cl != nil {
				v, err = coerce(fr.run, v, cl)
			}
			if err != nil {
				return 0, d.explained(inDeclaration, "", err)
			}
		}
		fr.run.env.Bindings[n] = v
		return flowNext, nil
	}
}

// initLocal sets a declared variable to a value, made to fit its class.
func (c *compiler) initLocal(l *local) func(*frame, Value) error {
	cl := c.typeClass(l.class)
	if cl == nil {
		return func(fr *frame, v Value) error { l.init(fr, v); return nil }
	}
	return func(fr *frame, v Value) error {
		v, err := coerce(fr.run, v, cl)
		if err == nil {
			l.init(fr, v)
		}
		return err
	}
}

// zeroOf is what a declared variable holds before it is set.
func zeroOf(t typeRef) Value {
	if t.dims > 0 {
		return nil
	}
	switch t.name {
	case "int", "short", "byte":
		return int32(0)
	case "long":
		return int64(0)
	case "double":
		return float64(0)
	case "float":
		return float32(0)
	case "boolean":
		return false
	}
	return nil
}

// truth compiles a condition.
func (c *compiler) truth(x expr) func(*frame) (bool, error) {
	v, truth := c.expr(x), c.dialect.truth
	return func(fr *frame) (bool, error) {
		b, err := v(fr)
		if err != nil {
			return false, err
		}
		if t, ok := b.(bool); ok {
			return t, nil
		}
		return truth(fr.run, b)
	}
}
