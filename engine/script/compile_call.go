package script

import "strings"

// qualified tells a dotted name of a class from a chain of properties: java.util.UUID.
func (c *compiler) qualified(x expr) (*Class, bool) {
	n, ok := dotted(x)
	if !ok || c.dialect.noClasses {
		return nil, false
	}
	head, _, _ := strings.Cut(n, ".")
	if _, _, declared := c.scope.lookup(head); declared {
		return nil, false
	}
	if cl, ok := registry.full[n]; ok {
		return cl, true
	}
	if isException(n) && strings.Contains(n, ".") {
		return throwableClass(n), true
	}
	// A class of a package that is not at hand. Only names that look like one are meant.
	last := n[strings.LastIndexByte(n, '.')+1:]
	switch head {
	case "java", "javax", "org", "com", "groovy", "io", "net", "Packages":
		if strings.Contains(n, ".") && last[0] >= 'A' && last[0] <= 'Z' {
			if outer, ok := registry.full[n[:len(n)-len(last)-1]]; ok && outer != nil {
				return nil, false // a constant or nested class of a known class
			}
			c.problem(x.at(), "class %s is not supported", n)
			return &Class{Name: n, Super: objectClass}, true
		}
	}
	return nil, false
}

func dotted(x expr) (string, bool) {
	switch x := x.(type) {
	case *name:
		return x.name, true
	case *property:
		if x.safe || x.spread || x.dynamic != nil || x.attribute {
			return "", false
		}
		if head, ok := dotted(x.obj); ok {
			return head + "." + x.name, true
		}
	}
	return "", false
}

// object compiles what stands before a dot: a class, or a value.
func (c *compiler) object(x expr) code {
	if p, ok := x.(*property); ok {
		if cl, ok := c.qualified(p); ok {
			return func(*frame) (Value, error) { return cl, nil }
		}
	}
	v := c.expr(x)
	if _, ok := x.(*name); ok && c.dialect.nullSafe { // a method of nothing is nothing
		return func(fr *frame) (Value, error) {
			o, err := v(fr)
			if err != nil && fr.run.lenient(err, "?:") {
				return nil, nil
			}
			return o, err
		}
	}
	return v
}

// constantName compiles a member's name: mostly a constant.
func (c *compiler) constantName(n string, dynamic expr) func(*frame) (string, error) {
	if dynamic == nil {
		return func(*frame) (string, error) { return n, nil }
	}
	v := c.expr(dynamic)
	return func(fr *frame) (string, error) {
		s, err := v(fr)
		return groovyString(s), err
	}
}

func (c *compiler) property(x *property) code {
	if _, ok := x.obj.(*gstring); ok && x.name == "class" && c.dialect.groovy { // plain text in all else
		return func(*frame) (Value, error) { return gstringClass, nil }
	}
	if cl, ok := c.qualified(x); ok {
		return func(*frame) (Value, error) { return cl, nil }
	}
	if s := c.dialect.antish; s != nil {
		if v := s(c, x); v != nil {
			return v
		}
	}
	obj, n, safe, each := c.object(x.obj), c.constantName(x.name, x.dynamic), x.safe, x.spread
	if x.attribute {
		plain := n
		n = func(fr *frame) (string, error) { s, err := plain(fr); return "@" + s, err }
	}
	return func(fr *frame) (Value, error) {
		o, err := obj(fr)
		if err != nil {
			return nil, err
		}
		if o == nil && safe {
			return nil, nil
		}
		field, err := n(fr)
		if err != nil {
			return nil, err
		}
		if !each {
			return fr.run.getProperty(o, field)
		}
		return spreadOver(o, func(e Value) (Value, error) { return fr.run.getProperty(e, field) })
	}
}

// spreadOver is what *. does: the result for each item, null for null.
func spreadOver(o Value, do func(Value) (Value, error)) (Value, error) {
	if o == nil {
		return nil, nil
	}
	list, ok := items(o)
	if !ok {
		list = []Value{o}
	}
	out := make([]Value, len(list))
	for i, e := range list {
		if e == nil {
			continue
		}
		v, err := do(e)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return NewList(out...), nil
}

func (c *compiler) index(x *index) code {
	obj, args, safe := c.object(x.obj), c.args(x.args), x.safe
	return func(fr *frame) (Value, error) {
		o, err := obj(fr)
		if err != nil {
			return nil, err
		}
		if o == nil && safe {
			return nil, nil
		}
		list, err := args(fr)
		if err != nil {
			return nil, err
		}
		return fr.run.getIndex(o, list)
	}
}

// call compiles a call of a method, of a function of the script, or of a variable that holds a closure.
func (c *compiler) call(x *call) code {
	args := c.args(x.args)
	if x.obj == nil {
		return c.freeCall(x, args)
	}
	if x.dynamic == nil && !x.spread {
		c.checkMethod(x)
	}
	obj, n, safe, each := c.object(x.obj), c.constantName(x.name, x.dynamic), x.safe, x.spread
	d, written := c.dialect, x.name
	head, _ := dotted(x.obj)
	if head != "" {
		written = head + "." + x.name
	}
	_, isName := x.obj.(*name)
	return func(fr *frame) (Value, error) {
		o, err := obj(fr)
		if err != nil {
			if isName {
				err = d.explained(inReceiver, written, err)
			}
			return nil, err
		}
		if o == nil && (safe || each) {
			return nil, nil
		}
		m, err := n(fr)
		if err != nil {
			return nil, err
		}
		list, err := args(fr)
		if err != nil {
			return nil, err
		}
		if each {
			return spreadOver(o, func(e Value) (Value, error) { return fr.run.invoke(e, m, list) })
		}
		v, err := fr.run.invoke(o, m, list)
		if err != nil && o == nil {
			return nil, d.explained(inNullCall, written, err)
		}
		return v, d.explained(inCall, written, err)
	}
}

// checkMethod reports a method that nothing at hand has.
func (c *compiler) checkMethod(x *call) {
	var cl *Class
	if l, ok := x.obj.(*literal); ok && l.v == nil {
		return // fails in any case
	}
	if p, ok := x.obj.(*property); ok {
		cl, _ = c.qualified(p)
		if cl != nil && registry.full[cl.Name] == nil && !isException(cl.Name) {
			return // the class itself was reported
		}
	}
	if n, ok := x.obj.(*name); ok {
		if _, _, declared := c.scope.lookup(n.name); !declared && n.name[0] >= 'A' && n.name[0] <= 'Z' && !c.dialect.boundNames[n.name] {
			if k, ok := c.class(n.name); ok {
				cl = k
			} else if full, ok := c.imports[n.name]; ok {
				c.problem(x.pos, "class %s is not supported", full)
				return
			}
		}
	}
	if cl != nil {
		if cl.Static[x.name] == nil && !classClass.has(x.name, true) && cl.Fields[x.name] == nil {
			c.problem(x.pos, "method %s.%s is not supported", cl.Name, x.name)
		}
		return
	}
	if !knownMethod(x.name, c.dialect.groovy) && !c.declared[x.name] && !c.dialect.openNames && !c.mayBeHeld(x.name) {
		c.problem(x.pos, "method %s is not supported", x.name)
	}
}

// mayBeHeld says that a name that no class has may still be called: as a closure that a map or another
// script's object holds, or on a builder, which takes any name.
func (c *compiler) mayBeHeld(n string) bool {
	if jsWords(c.source, "Builder", "Expando", "metaClass", "getObject", "props.get", "delegate", "Proxy") {
		return true
	}
	for rest := c.source; ; { // the name stands somewhere else than behind a dot
		i := strings.Index(rest, n)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(n):]
		whole := (before == "" || !isWord(before[len(before)-1])) && (after == "" || !isWord(after[0]))
		if whole && !strings.HasSuffix(strings.TrimRight(before, " \t\n&?*"), ".") {
			return true
		}
		rest = after
	}
}

func (c *compiler) freeCall(x *call, args func(*frame) ([]Value, error)) code {
	n := x.name
	if _, _, ok := c.scope.lookup(n); ok {
		v := c.name(&name{x.pos, n})
		return func(fr *frame) (Value, error) {
			f, err := v(fr)
			if err != nil {
				return nil, err
			}
			list, err := args(fr)
			if err != nil {
				return nil, err
			}
			return fr.run.invoke(f, "call", list)
		}
	}
	if full, ok := c.imports["static "+n]; ok {
		i := strings.LastIndexByte(full, '.')
		if cl, ok := FindClass(full[:i]); ok {
			return func(fr *frame) (Value, error) {
				list, err := args(fr)
				if err != nil {
					return nil, err
				}
				return fr.run.invoke(cl, full[i+1:], list)
			}
		}
	}
	call := c.dialect.freeCall
	return func(fr *frame) (Value, error) {
		list, err := args(fr)
		if err != nil {
			return nil, err
		}
		if fs := fr.unit.methods[n]; fs != nil {
			if f := pick(fs, list); f != nil {
				return fr.run.callFunction(f, fr.unit, nil, nil, list)
			}
		}
		return call(fr, n, list)
	}
}

// pick chooses the overload for the arguments: the number must fit, then declared classes.
func pick(fs []*function, args []Value) *function {
	var fallback *function
	for _, f := range fs {
		least, most := f.arity()
		if len(args) < least || most >= 0 && len(args) > most {
			continue
		}
		if f.accepts(args) {
			return f
		}
		if fallback == nil {
			fallback = f
		}
	}
	return fallback
}

// assign compiles x = y, x += y and x ?= y.
func (c *compiler) assign(x *assign) code {
	value := c.expr(x.value)
	get, set := c.target(x.target)
	if x.op == "" {
		return func(fr *frame) (Value, error) {
			v, err := value(fr)
			if err != nil {
				return nil, err
			}
			return set(fr, v, nil)
		}
	}
	if x.op == "?" {
		truth := c.dialect.truth
		return func(fr *frame) (Value, error) {
			old, keep, err := get(fr)
			if err != nil {
				return nil, err
			}
			if ok, err := truth(fr.run, old); err != nil || ok {
				return old, err
			}
			v, err := value(fr)
			if err != nil {
				return nil, err
			}
			return set(fr, v, keep)
		}
	}
	op := c.dialect.binary(x.op)
	if op == nil || c.dialect.noCompound {
		c.fail(x.pos, "operator %s= is not supported", x.op)
	}
	return func(fr *frame) (Value, error) {
		old, keep, err := get(fr)
		if err != nil {
			return nil, err
		}
		v, err := value(fr)
		if err != nil {
			return nil, err
		}
		if v, err = op(fr.run, old, v); err != nil {
			return nil, err
		}
		return set(fr, v, keep)
	}
}

// step compiles ++ and --.
func (c *compiler) step(x *step) code {
	get, set := c.target(x.x)
	op, prefix := c.dialect.binary(x.op), x.prefix
	groovyNext := c.dialect.groovy
	plus := x.op == "+"
	return func(fr *frame) (Value, error) {
		old, keep, err := get(fr)
		if err != nil {
			return nil, err
		}
		var v Value
		if groovyNext && !isNumber(old) {
			m := "next"
			if !plus {
				m = "previous"
			}
			v, err = fr.run.invoke(old, m, nil)
		} else {
			v, err = op(fr.run, old, int32(1))
		}
		if err != nil {
			return nil, err
		}
		if v, err = set(fr, v, keep); err != nil {
			return nil, err
		}
		if prefix {
			return v, nil
		}
		return old, nil
	}
}

// held is an object and index that an assignment reads and then writes, computed once.
type held struct {
	obj  Value
	args []Value
	name string
}

type (
	getter func(*frame) (Value, *held, error)
	setter func(*frame, Value, *held) (Value, error)
)

// target compiles what stands left of an assignment.
func (c *compiler) target(x expr) (getter, setter) {
	switch x := x.(type) {
	case *name:
		return c.nameTarget(x)
	case *property:
		whole, chain := dotted(x)
		obj, n := c.object(x.obj), c.constantName(x.name, x.dynamic)
		antish := c.dialect.antish != nil && chain
		hold := func(fr *frame) (*held, error) {
			o, err := obj(fr)
			if err != nil {
				return nil, err
			}
			s, err := n(fr)
			if x.attribute {
				s = "@" + s
			}
			return &held{obj: o, name: s}, err
		}
		return func(fr *frame) (Value, *held, error) {
				h, err := hold(fr)
				if err != nil {
					return nil, nil, err
				}
				v, err := fr.run.getProperty(h.obj, h.name)
				return v, h, err
			}, func(fr *frame, v Value, h *held) (Value, error) {
				if h == nil {
					if head, _, _ := strings.Cut(whole, "."); antish && fr.run.env.Bindings[head] == nil {
						fr.run.env.Bindings[whole] = v
						return v, nil
					}
					var err error
					if h, err = hold(fr); err != nil {
						return nil, err
					}
				}
				if h.obj == nil && x.safe {
					return nil, nil
				}
				return v, fr.run.setProperty(h.obj, h.name, v)
			}
	case *index:
		obj, args := c.object(x.obj), c.args(x.args)
		hold := func(fr *frame) (*held, error) {
			o, err := obj(fr)
			if err != nil {
				return nil, err
			}
			list, err := args(fr)
			return &held{obj: o, args: list}, err
		}
		return func(fr *frame) (Value, *held, error) {
				h, err := hold(fr)
				if err != nil {
					return nil, nil, err
				}
				v, err := fr.run.getIndex(h.obj, h.args)
				return v, h, err
			}, func(fr *frame, v Value, h *held) (Value, error) {
				if h == nil {
					var err error
					if h, err = hold(fr); err != nil {
						return nil, err
					}
				}
				return v, fr.run.setIndex(h.obj, h.args, v)
			}
	}
	c.fail(x.at(), "this cannot be assigned to")
	return nil, nil
}

func (c *compiler) nameTarget(x *name) (getter, setter) {
	read := c.name(x)
	get := func(fr *frame) (Value, *held, error) {
		v, err := read(fr)
		return v, nil, err
	}
	n := x.name
	l, up, ok := c.scope.lookup(n)
	if !ok {
		return get, func(fr *frame, v Value, _ *held) (Value, error) {
			return v, fr.setFree(n, v)
		}
	}
	cl := c.typeClass(l.class)
	return get, func(fr *frame, v Value, _ *held) (Value, error) {
		if cl != nil {
			var err error
			if v, err = coerce(fr.run, v, cl); err != nil {
				return nil, err
			}
		}
		if up >= 0 {
			fr.up[up].v = v
		} else {
			l.set(fr, v)
		}
		return v, nil
	}
}

// setFree sets a name that nobody declared: a property of a delegate, else a binding.
func (fr *frame) setFree(n string, v Value) error {
	for cl := fr.closure; cl != nil; cl = cl.owner {
		if cl.delegate == nil || !cl.delegateFirst {
			continue
		}
		if err := fr.run.setProperty(cl.delegate, n, v); err == nil {
			return nil
		}
	}
	fr.run.env.Bindings[n] = v
	return nil
}

func (c *compiler) multiAssign(x *multiAssign) code {
	value := c.expr(x.value)
	sets := make([]setter, len(x.targets))
	for i, t := range x.targets {
		_, sets[i] = c.target(t)
	}
	return func(fr *frame) (Value, error) {
		v, err := value(fr)
		if err != nil {
			return nil, err
		}
		list, _ := items(v)
		for i, set := range sets {
			var e Value
			if i < len(list) {
				e = list[i]
			}
			if _, err := set(fr, e, nil); err != nil {
				return nil, err
			}
		}
		return v, nil
	}
}
