package script

import (
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// expr compiles an expression. Statements in the place of an expression yield null.
func (c *compiler) expr(x expr) code {
	switch x := x.(type) {
	case *literal:
		v := x.v
		return func(*frame) (Value, error) { return v, nil }
	case *gstring:
		return c.gstring(x)
	case *name:
		return c.name(x)
	case *listLit:
		return c.listLit(x)
	case *setLit:
		build := c.args(x.items)
		return func(fr *frame) (Value, error) {
			list, err := build(fr)
			if err != nil {
				return nil, err
			}
			s := newSet(byHash, hashSetClass)
			for _, v := range list {
				s.add(v)
			}
			return s, nil
		}
	case *mapLit:
		return c.mapLit(x)
	case *rangeLit:
		return c.rangeLit(x)
	case *unary:
		return c.unaryOp(x)
	case *step:
		return c.step(x)
	case *binary:
		return c.binaryOp(x)
	case *logic:
		a, b, and := c.truth(x.x), c.truth(x.y), x.and
		return func(fr *frame) (Value, error) {
			ok, err := a(fr)
			if err != nil || ok != and {
				return ok, err
			}
			return b2v(b(fr))
		}
	case *ternary:
		return c.ternary(x)
	case *assign:
		return c.assign(x)
	case *multiAssign:
		return c.multiAssign(x)
	case *property:
		return c.property(x)
	case *index:
		return c.index(x)
	case *call:
		return c.call(x)
	case *newObject:
		return c.newObject(x)
	case *newArray:
		return c.newArray(x)
	case *cast:
		v, cl, as := c.expr(x.x), c.typeClass(x.class), x.as
		if cl == nil {
			return v
		}
		return func(fr *frame) (Value, error) {
			y, err := v(fr)
			if err != nil {
				return nil, err
			}
			if as {
				return asType(fr.run, y, cl)
			}
			return castTo(fr.run, y, cl)
		}
	case *instance:
		v, cl, not := c.expr(x.x), c.typeClass(x.class), x.not
		return func(fr *frame) (Value, error) {
			y, err := v(fr)
			return instanceOf(y, cl) != not, err
		}
	case *closureLit:
		return c.closure(x)
	case *methodRef:
		return c.methodRef(x)
	case *spread:
		c.fail(x.pos, "a spread is not allowed here")
	case *void:
		return func(*frame) (Value, error) { return voidValue{}, nil }
	}
	return c.statementValue(x)
}

// statementValue compiles a statement in the place of an expression: the code of a GString, say.
func (c *compiler) statementValue(x expr) code {
	switch x.(type) {
	case *block, *varDecl, *jexlVar, *ifStmt, *whileStmt, *forStmt, *forIn, *switchStmt, *returnStmt, *throwStmt, *tryStmt, *assertStmt:
	default:
		c.fail(x.at(), "this cannot stand here")
	}
	a := c.statement(x, true)
	return func(fr *frame) (Value, error) {
		_, err := a(fr)
		v := fr.ret
		fr.ret = nil
		return v, err
	}
}

func b2v(b bool, err error) (Value, error) { return b, err }

// voidValue is what BeanShell finds in a name that nobody set.
type voidValue struct{}

func (c *compiler) gstring(x *gstring) code {
	parts := make([]code, len(x.parts))
	for i, p := range x.parts {
		parts[i] = c.expr(p)
	}
	return func(fr *frame) (Value, error) {
		var b strings.Builder
		for _, p := range parts {
			v, err := p(fr)
			if err != nil {
				return nil, err
			}
			if cl, ok := v.(*Closure); ok { // ${-> x}
				if v, err = cl.Call(fr.run); err != nil {
					return nil, err
				}
			}
			b.WriteString(groovyString(v))
			if b.Len() > maxText {
				return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
			}
		}
		return b.String(), nil
	}
}

// name reads a variable, a binding, or names a class.
func (c *compiler) name(x *name) code {
	if l, up, ok := c.scope.lookup(x.name); ok {
		if up >= 0 {
			return func(fr *frame) (Value, error) { return fr.up[up].v, nil }
		}
		return func(fr *frame) (Value, error) { return l.get(fr), nil }
	}
	n := x.name
	if n == "this" {
		return func(fr *frame) (Value, error) { return &scriptObject{fr.run, fr.unit}, nil }
	}
	if n == "owner" || n == "delegate" {
		return func(fr *frame) (Value, error) {
			if n == "delegate" && fr.closure != nil && fr.closure.delegate != nil {
				return fr.closure.delegate, nil
			}
			return &scriptObject{fr.run, fr.unit}, nil
		}
	}
	free, classes := c.dialect.free, !c.dialect.noClasses
	return func(fr *frame) (Value, error) {
		if v, ok := fr.delegated(n, true); ok {
			return v, nil
		}
		if v, ok := fr.run.env.Bindings[n]; ok {
			return v, nil
		}
		if v, ok := fr.delegated(n, false); ok {
			return v, nil
		}
		if classes {
			if cl, ok := fr.unit.class(n); ok {
				return cl, nil
			}
		}
		return free(fr, n)
	}
}

// delegated looks a name up in the objects that with() and its like put behind a closure.
func (fr *frame) delegated(n string, first bool) (Value, bool) {
	for cl := fr.closure; cl != nil; cl = cl.owner {
		if cl.delegate == nil || cl.delegateFirst != first {
			continue
		}
		if m, ok := cl.delegate.(*Map); ok {
			if v, ok := m.Get(n); ok {
				return v, true
			}
			continue
		}
		if v, err := fr.run.getProperty(cl.delegate, n); err == nil {
			return v, true
		}
	}
	return nil, false
}

// args compiles arguments and items, spreads among them.
func (c *compiler) args(list []expr) func(*frame) ([]Value, error) {
	codes := make([]code, len(list))
	var spreads []bool
	for i, a := range list {
		if s, ok := a.(*spread); ok {
			if spreads == nil {
				spreads = make([]bool, len(list))
			}
			spreads[i] = true
			a = s.x
		}
		codes[i] = c.expr(a)
	}
	if len(codes) == 0 {
		return func(*frame) ([]Value, error) { return nil, nil }
	}
	return func(fr *frame) ([]Value, error) {
		out := make([]Value, 0, len(codes))
		for i, a := range codes {
			v, err := a(fr)
			if err != nil {
				return nil, err
			}
			if spreads == nil || !spreads[i] {
				out = append(out, v)
				continue
			}
			list, ok := items(v)
			if !ok && v != nil {
				return nil, throw("java.lang.IllegalArgumentException", "cannot spread the type %s with value %s", classOf(v).Name, groovyString(v))
			}
			out = append(out, list...)
		}
		return out, nil
	}
}

func (c *compiler) listLit(x *listLit) code {
	build, array := c.args(x.items), x.array
	return func(fr *frame) (Value, error) {
		list, err := build(fr)
		if err != nil {
			return nil, err
		}
		if array {
			return jexlArray(list), nil
		}
		return NewList(list...), nil
	}
}

func (c *compiler) mapLit(x *mapLit) code {
	keys, values := make([]code, len(x.keys)), make([]code, len(x.values))
	for i := range x.keys {
		if x.keys[i] != nil { // nil: a spread map
			keys[i] = c.expr(x.keys[i])
		}
		values[i] = c.expr(x.values[i])
	}
	hash := c.dialect.hashMaps
	return func(fr *frame) (Value, error) {
		m := NewMap()
		if hash {
			m = newMap(byHash, hashMapClass)
		}
		for i := range values {
			v, err := values[i](fr)
			if err != nil {
				return nil, err
			}
			if keys[i] == nil {
				if o, ok := v.(*Map); ok {
					for _, e := range o.entries() {
						m.Put(e.Key, e.Value)
					}
				}
				continue
			}
			k, err := keys[i](fr)
			if err != nil {
				return nil, err
			}
			m.Put(k, v)
		}
		return m, nil
	}
}

func (c *compiler) rangeLit(x *rangeLit) code {
	from, to, open := c.expr(x.from), c.expr(x.to), x.open
	make := c.dialect.makeRange
	return func(fr *frame) (Value, error) {
		a, err := from(fr)
		if err != nil {
			return nil, err
		}
		b, err := to(fr)
		if err != nil {
			return nil, err
		}
		return make(a, b, open)
	}
}

func (c *compiler) unaryOp(x *unary) code {
	if x.op == "!" {
		t := c.truth(x.x)
		return func(fr *frame) (Value, error) {
			ok, err := t(fr)
			return !ok, err
		}
	}
	op := c.dialect.unary(x.op)
	if op == nil {
		c.fail(x.pos, "unary operator %s is not supported", x.op)
	}
	v := c.expr(x.x)
	lenient := x.op == "empty" || x.op == "size"
	if l, ok := x.x.(*literal); ok && x.op == "-" { // -1 is a constant
		if n, err := op(&Run{dialect: c.dialect}, l.v); err == nil {
			return func(*frame) (Value, error) { return n, nil }
		}
	}
	return func(fr *frame) (Value, error) {
		y, err := v(fr)
		if err != nil {
			if !lenient || !fr.run.lenient(err, x.op) {
				return nil, err
			}
			y = nil
		}
		return op(fr.run, y)
	}
}

func (c *compiler) binaryOp(x *binary) code {
	op := c.dialect.binary(x.op)
	if op == nil {
		c.fail(x.pos, "operator %s is not supported", x.op)
	}
	if v, ok := x.y.(*void); ok { // name == void
		n, isName := x.x.(*name)
		if !isName {
			c.fail(v.pos, "void is not supported here")
		}
		if _, _, declared := c.scope.lookup(n.name); declared {
			eq := x.op != "=="
			return func(*frame) (Value, error) { return eq, nil }
		}
		want := x.op == "=="
		return func(fr *frame) (Value, error) {
			_, ok := fr.run.env.Bindings[n.name]
			return ok != want, nil
		}
	}
	a, b := c.expr(x.x), c.expr(x.y)
	return func(fr *frame) (Value, error) {
		p, err := a(fr)
		if err != nil {
			return nil, err
		}
		q, err := b(fr)
		if err != nil {
			return nil, err
		}
		return op(fr.run, p, q)
	}
}

func (c *compiler) ternary(x *ternary) code {
	no := c.expr(x.no)
	if x.yes == nil {
		v, truth := c.expr(x.cond), c.dialect.elvis
		if x.null {
			truth = func(_ *Run, v Value) (bool, error) { return v != nil, nil }
		}
		return func(fr *frame) (Value, error) {
			y, err := v(fr)
			if err != nil {
				if !fr.run.lenientElvis(err) {
					return nil, err
				}
				return no(fr)
			}
			ok, err := truth(fr.run, y)
			if err != nil {
				return nil, err
			}
			if ok {
				return y, nil
			}
			return no(fr)
		}
	}
	cond, yes := c.truth(x.cond), c.expr(x.yes)
	return func(fr *frame) (Value, error) {
		ok, err := cond(fr)
		if err != nil {
			return nil, err
		}
		if ok {
			return yes(fr)
		}
		return no(fr)
	}
}

func (c *compiler) closure(x *closureLit) code {
	fn := c.function(c.scope, "closure", x.params, x.implicit, x.body.list)
	return func(fr *frame) (Value, error) {
		cl := &Closure{fn: fn, unit: fr.unit, owner: fr.closure}
		for _, u := range fn.ups {
			if u.fromParent {
				cl.up = append(cl.up, fr.up[u.index])
				continue
			}
			b, ok := fr.vars[u.index].(*cell)
			if !ok { // declared, not yet reached: def f; f = { f() }
				b = &cell{fr.vars[u.index]}
				fr.vars[u.index] = b
			}
			cl.up = append(cl.up, b)
		}
		return cl, nil
	}
}

func (c *compiler) methodRef(x *methodRef) code {
	obj, n := c.expr(x.obj), x.name
	return func(fr *frame) (Value, error) {
		o, err := obj(fr)
		if err != nil {
			return nil, err
		}
		return &Closure{native: func(r *Run, args []Value) (Value, error) { return r.invoke(o, n, args) }}, nil
	}
}

func (c *compiler) newObject(x *newObject) code {
	cl, args, n, d := c.typeClass(x.class), c.args(x.args), x.class.name, c.dialect
	if cl != nil && cl.New == nil && !isException(cl.Name) {
		if _, known := registry.full[cl.Name]; known {
			c.problem(x.pos, "new %s is not supported", n)
		}
	}
	return func(fr *frame) (Value, error) {
		list, err := args(fr)
		if err != nil {
			return nil, err
		}
		v, err := fr.run.construct(cl, list)
		return v, d.explained(inNew, n, err)
	}
}

func (c *compiler) newArray(x *newArray) code {
	elem := x.class
	name := elem.name
	if p, ok := primitives[name]; ok {
		name = p.Name
	} else if cl := c.typeClass(typeRef{pos: x.pos, name: name}); cl != nil {
		name = cl.Name
	}
	if x.given {
		build := c.args(x.init)
		cl := c.typeClass(typeRef{pos: x.pos, name: x.class.name, dims: 1})
		return func(fr *frame) (Value, error) {
			list, err := build(fr)
			if err != nil {
				return nil, err
			}
			return asType(fr.run, NewList(list...), cl)
		}
	}
	dims := c.args(x.dims)
	total := x.class.dims
	return func(fr *frame) (Value, error) {
		list, err := dims(fr)
		if err != nil {
			return nil, err
		}
		sizes := make([]int, len(list))
		n := 1
		for i, v := range list {
			if !isNumber(v) {
				return nil, throw("java.lang.ClassCastException", "array size is %s", classOf(v).Name)
			}
			sizes[i] = int(toInt(v))
			if sizes[i] < 0 {
				return nil, throw("java.lang.NegativeArraySizeException", "%d", sizes[i])
			}
			if n *= max(sizes[i], 1); n > maxItems {
				return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
			}
		}
		return makeArray(name, total, sizes), nil
	}
}

// makeArray makes an array of arrays; total is the number of brackets, sizes are those given.
func makeArray(elem string, total int, sizes []int) Value {
	if total == 1 && elem == "byte" {
		return &Bytes{B: make([]byte, sizes[0])}
	}
	a := &Array{Elem: elem + strings.Repeat("[]", total-1), Items: make([]Value, sizes[0])}
	for i := range a.Items {
		switch {
		case len(sizes) > 1:
			a.Items[i] = makeArray(elem, total-1, sizes[1:])
		case total == 1:
			a.Items[i] = zeroOf(typeRef{name: elem})
			if elem == "char" {
				a.Items[i] = java.Char(0)
			}
		}
	}
	return a
}
