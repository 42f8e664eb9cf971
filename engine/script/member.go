package script

import (
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// invoke calls a method of a value.
func (r *Run) invoke(o Value, n string, args []Value) (Value, error) {
	groovy := r.isGroovy()
	switch x := o.(type) {
	case nil:
		if m := nullClass.find(n, len(args), groovy); m != nil && groovy {
			return m.do(r, nil, args)
		}
		if r.dialect != nil && r.dialect.nullSafe {
			return nil, nil
		}
		return nil, throw("java.lang.NullPointerException", "Cannot invoke method %s() on null object", n)
	case *Closure:
		if n == "call" || n == "doCall" {
			return x.Call(r, args...)
		}
	case *scriptObject:
		if fs := x.unit.methods[n]; fs != nil {
			if f := pick(fs, args); f != nil {
				return r.callFunction(f, x.unit, nil, nil, args)
			}
		}
		return r.freeCall(&frame{run: r, unit: x.unit}, n, args)
	case *Class:
		if m := x.Static[n]; m != nil && m.fits(len(args)) {
			return m.do(r, x, args)
		}
		for k := x.Super; k != nil; k = k.Super {
			if m := k.Static[n]; m != nil && m.fits(len(args)) {
				return m.do(r, x, args)
			}
		}
	}
	if m := classOf(o).find(n, len(args), groovy); m != nil {
		return m.do(r, o, args)
	}
	if groovy {
		if v, ok, err := r.callHeld(o, n, args); ok {
			return v, err
		}
	}
	if b, ok := builder(o); ok {
		return b(r, n, args)
	}
	return nil, r.missing(o, n, args)
}

// callHeld calls a closure that a map holds under the name, or uses a property as a method.
func (r *Run) callHeld(o Value, n string, args []Value) (Value, bool, error) {
	switch x := o.(type) {
	case *Map:
		if v, ok := x.Get(n); ok {
			if cl, ok := v.(*Closure); ok {
				v, err := cl.Call(r, args...)
				return v, true, err
			}
		}
	case *List: // a method of no list is one for each of its items only with *.
	}
	return nil, false, nil
}

// builder finds the method handler of objects that take any method (JsonBuilder and its like).
func builder(o Value) (func(*Run, string, []Value) (Value, error), bool) {
	b, ok := o.(interface {
		CallAny(r *Run, n string, args []Value) (Value, error)
	})
	if !ok {
		return nil, false
	}
	return b.CallAny, true
}

func (r *Run) missing(o Value, n string, args []Value) error {
	if r.dialect != nil && r.dialect.missingMethod != nil {
		return r.dialect.missingMethod(o, n, args)
	}
	return missingMethod(o, n, args)
}

func missingMethod(o Value, n string, args []Value) error {
	class, static := classOf(o).Name, ""
	if cl, ok := o.(*Class); ok {
		class, static = cl.Name, "static "
	}
	var types, values []string
	for _, a := range args {
		t := "null"
		if a != nil {
			t = classOf(a).Simple()
		}
		types = append(types, t)
		values = append(values, groovyString(a))
	}
	return throw("groovy.lang.MissingMethodException", "No signature of method: %s%s.%s() is applicable for argument types: (%s) values: [%s]",
		static, class, n, strings.Join(types, ", "), strings.Join(values, ", "))
}

// getter names the methods behind a property.
func getters(n string) (get, is string) {
	c := strings.ToUpper(n[:1]) + n[1:]
	return "get" + c, "is" + c
}

// getProperty reads o.n.
func (r *Run) getProperty(o Value, n string) (Value, error) {
	if r.dialect != nil && r.dialect.property != nil {
		if v, ok, err := r.dialect.property(r, o, n); ok || err != nil {
			return v, err
		}
	}
	groovy := r.isGroovy()
	switch x := o.(type) {
	case nil:
		return nil, throw("java.lang.NullPointerException", "Cannot get property '%s' on null object", n)
	case *Map:
		if groovy || r.lang == "jexl3" || r.lang == "jexl2" {
			if v, ok := x.Get(n); ok || n != "empty" && n != "size" || groovy {
				if !ok && x.absent != nil {
					return r.absent(x, n)
				}
				return v, nil
			}
		}
	case *Class:
		if v, ok := x.Fields[n]; ok {
			return v, nil
		}
		if nested, ok := registry.full[x.Name+"."+n]; ok {
			return nested, nil
		}
		if n == "class" {
			return x, nil
		}
		if n != "" {
			get, _ := getters(n)
			if m := x.Static[get]; m != nil && m.fits(0) {
				return m.do(r, x, nil)
			}
		}
	case *Array:
		if n == "length" {
			return int32(len(x.Items)), nil
		}
	case *Bytes:
		if n == "length" {
			return int32(len(x.B)), nil
		}
	case *scriptObject:
		if v, ok := r.env.Bindings[n]; ok {
			return v, nil
		}
	case *Throwable:
		if n == "class" {
			return throwableClass(x.Class), nil
		}
	}
	if n == "class" {
		return classOf(o), nil
	}
	cl := classOf(o)
	if n != "" {
		get, is := getters(n)
		if m := cl.find(get, 0, groovy); m != nil {
			return m.do(r, o, nil)
		}
		if m := cl.find(is, 0, groovy); m != nil {
			return m.do(r, o, nil)
		}
	}
	for k := cl; k != nil; k = k.Super {
		if k.Property == nil {
			continue
		}
		c := Call{Run: r, Self: o}
		if v, ok, err := k.Property(&c, n); ok || err != nil {
			return v, err
		}
	}
	if groovy {
		switch o.(type) {
		case *List, *Array, *Set, *Range:
			return spreadOver(o, func(e Value) (Value, error) { return r.getProperty(e, n) })
		}
	}
	return nil, r.noProperty(o, n)
}

func (r *Run) noProperty(o Value, n string) error {
	if r.dialect != nil && r.dialect.missingProperty != nil {
		return r.dialect.missingProperty(o, n)
	}
	return throw("groovy.lang.MissingPropertyException", "No such property: %s for class: %s", n, classOf(o).Name)
}

func (r *Run) absent(m *Map, key Value) (Value, error) {
	v, err := m.absent.Call(r, key)
	if err == nil {
		m.Put(key, v)
	}
	return v, err
}

// setProperty writes o.n = v.
func (r *Run) setProperty(o Value, n string, v Value) error {
	switch x := o.(type) {
	case nil:
		return throw("java.lang.NullPointerException", "Cannot set property '%s' on null object", n)
	case *Map:
		if x.fixed {
			return throw("java.lang.UnsupportedOperationException", "")
		}
		x.Put(n, v)
		return nil
	case *scriptObject:
		r.env.Bindings[n] = v
		return nil
	}
	for k := classOf(o); k != nil; k = k.Super {
		if k.SetProperty == nil {
			continue
		}
		c := Call{Run: r, Self: o}
		if ok, err := k.SetProperty(&c, n, v); ok || err != nil {
			return err
		}
	}
	if n != "" {
		if m := classOf(o).find("set"+strings.ToUpper(n[:1])+n[1:], 1, r.isGroovy()); m != nil {
			_, err := m.do(r, o, []Value{v})
			return err
		}
	}
	return r.noProperty(o, n)
}

func indexError(i, n int) error {
	return throw("java.lang.IndexOutOfBoundsException", "Index %d out of bounds for length %d", i, n)
}

// getIndex reads o[args].
func (r *Run) getIndex(o Value, args []Value) (Value, error) {
	if len(args) != 1 {
		return r.manyIndexes(o, args)
	}
	i := args[0]
	groovy := r.isGroovy()
	switch x := o.(type) {
	case nil:
		return nil, throw("java.lang.NullPointerException", "Cannot invoke method getAt() on null object")
	case *Map:
		v, ok := x.Get(i)
		if !ok && x.absent != nil {
			return r.absent(x, i)
		}
		return v, nil
	case string:
		if groovy {
			return stringAt(r, x, i)
		}
		return r.noIndex(o, i)
	}
	if list, ok := listItems(o); ok {
		if isRangeOrList(i) && groovy {
			return pickItems(r, o, list, i)
		}
		if !isNumber(i) {
			if s, ok := i.(string); ok && groovy {
				return r.getProperty(o, s)
			}
			return r.noIndex(o, i)
		}
		k := int(toInt(i))
		_, isArray := o.(*Array)
		_, isBytes := o.(*Bytes)
		if groovy && k < 0 {
			k += len(list)
			if k < 0 && !isArray && !isBytes {
				return nil, throw("java.lang.ArrayIndexOutOfBoundsException", "Negative array index [%d] too large for array size %d", k-len(list), len(list))
			}
		}
		if k < 0 || k >= len(list) {
			if groovy && !isArray && !isBytes {
				return nil, nil
			}
			if isArray || isBytes {
				return nil, throw("java.lang.ArrayIndexOutOfBoundsException", "Index %d out of bounds for length %d", k, len(list))
			}
			return nil, indexError(k, len(list))
		}
		return list[k], nil
	}
	cl := classOf(o)
	for _, n := range []string{"getAt", "get"} {
		if m := cl.find(n, 1, true); m != nil && m != objectClass.Groovy[n] {
			return m.do(r, o, args)
		}
	}
	if s, ok := i.(string); ok {
		return r.getProperty(o, s)
	}
	return nil, r.missing(o, "getAt", args)
}

// noIndex is what an index means that the object does not have.
func (r *Run) noIndex(o, i Value) (Value, error) {
	if r.lang == "jexl2" {
		return nil, nil
	}
	return nil, r.noProperty(o, javaString(i))
}

func isRangeOrList(v Value) bool {
	switch v.(type) {
	case *Range, *List:
		return true
	}
	return false
}

// span turns a range used as an index of n items into first and last, counted from the end if negative.
func (g *Range) span(n int) (from, to int, reverse, ok bool) {
	fix := func(i int32) int {
		if i < 0 {
			return int(i) + n
		}
		return int(i)
	}
	from, to = fix(g.From), fix(g.To)
	if from > to {
		from, to, reverse = to, from, true
	}
	return from, to, reverse, from >= 0 && to < n
}

func pickItems(r *Run, o Value, list []Value, i Value) (Value, error) {
	var out []Value
	if g, ok := i.(*Range); ok && !g.Chars {
		from, to, reverse, ok := g.span(len(list))
		if !ok {
			return nil, throw("java.lang.IndexOutOfBoundsException", "toIndex = %d", to+1)
		}
		for k := from; k <= to; k++ {
			out = append(out, list[k])
		}
		if reverse {
			for a, b := 0, len(out)-1; a < b; a, b = a+1, b-1 {
				out[a], out[b] = out[b], out[a]
			}
		}
		return NewList(out...), nil
	}
	for _, k := range mustItems(i) {
		v, err := r.getIndex(o, []Value{k})
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return NewList(out...), nil
}

// manyIndexes is o[1, 3]: several items, or the keys of a map.
func (r *Run) manyIndexes(o Value, args []Value) (Value, error) {
	if !r.isGroovy() || len(args) == 0 {
		return nil, throw("java.lang.IllegalArgumentException", "an index is missing")
	}
	out := make([]Value, len(args))
	for i, a := range args {
		v, err := r.getIndex(o, []Value{a})
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return NewList(out...), nil
}

// stringAt is text[i] of Groovy: a character, counted from the end if negative, or a range.
func stringAt(r *Run, s string, i Value) (Value, error) {
	n := java.Length(s)
	if g, ok := i.(*Range); ok && !g.Chars {
		from, to, reverse, ok := g.span(n)
		sub, ok2 := java.Substring(s, from, to+1)
		if !ok || !ok2 {
			return nil, throw("java.lang.StringIndexOutOfBoundsException", "begin %d, end %d, length %d", from, to+1, n)
		}
		if reverse {
			return reversed(sub), nil
		}
		return sub, nil
	}
	if l, ok := i.(*List); ok {
		out := ""
		for _, k := range l.all() {
			c, err := stringAt(r, s, k)
			if err != nil {
				return nil, err
			}
			out += javaString(c)
		}
		return out, nil
	}
	if !isNumber(i) {
		return r.getProperty(s, javaString(i))
	}
	k := int(toInt(i))
	if k < 0 {
		k += n
	}
	sub, ok := java.Substring(s, k, k+1)
	if !ok {
		return nil, throw("java.lang.StringIndexOutOfBoundsException", "begin %d, end %d, length %d", k, k+1, n)
	}
	return sub, nil
}

func reversed(s string) string {
	rs := []rune(s)
	for a, b := 0, len(rs)-1; a < b; a, b = a+1, b-1 {
		rs[a], rs[b] = rs[b], rs[a]
	}
	return string(rs)
}

// setIndex writes o[args] = v.
func (r *Run) setIndex(o Value, args []Value, v Value) error {
	if len(args) != 1 {
		return throw("java.lang.IllegalArgumentException", "one index is needed")
	}
	i := args[0]
	switch x := o.(type) {
	case nil:
		return throw("java.lang.NullPointerException", "Cannot invoke method putAt() on null object")
	case *Map:
		if x.fixed {
			return throw("java.lang.UnsupportedOperationException", "")
		}
		x.Put(i, v)
		return nil
	case *List:
		if !isNumber(i) {
			break
		}
		n, k := len(x.all()), int(toInt(i))
		if k < 0 {
			k += n
		}
		switch {
		case k < 0:
			return throw("java.lang.ArrayIndexOutOfBoundsException", "Negative array index [%d] too large for array size %d", k-n, n)
		case k < n:
			x.put(k, v)
			return nil
		case !r.isGroovy():
			return indexError(k, n)
		case k > maxItems:
			return throw("java.lang.OutOfMemoryError", "Java heap space")
		}
		return x.edit(func(old []Value) []Value { // Groovy fills up with null
			for len(old) < k {
				old = append(old, nil)
			}
			return append(old, v)
		})
	case *Array, *Bytes:
		return setArray(r, o, i, v)
	}
	cl := classOf(o)
	for _, n := range []string{"putAt", "set"} {
		if m := cl.find(n, 2, true); m != nil && m != objectClass.Groovy[n] {
			_, err := m.do(r, o, []Value{i, v})
			return err
		}
	}
	if s, ok := i.(string); ok {
		return r.setProperty(o, s, v)
	}
	return r.missing(o, "putAt", []Value{i, v})
}

func setArray(r *Run, o, i, v Value) error {
	if !isNumber(i) {
		return throw("java.lang.IllegalArgumentException", "%s is no index", javaString(i))
	}
	k, n := int(toInt(i)), len(mustItems(o))
	if k < 0 && r.isGroovy() {
		k += n
	}
	if k < 0 || k >= n {
		return throw("java.lang.ArrayIndexOutOfBoundsException", "Index %d out of bounds for length %d", k, n)
	}
	switch x := o.(type) {
	case *Bytes:
		if !isNumber(v) {
			return throw("java.lang.ClassCastException", "%s is no byte", javaString(v))
		}
		x.B[k] = byte(toInt(v))
	case *Array:
		if p, ok := primitives[x.Elem]; ok {
			var err error
			if v, err = coerce(r, v, p); err != nil {
				return err
			}
		}
		x.Items[k] = v
	}
	return nil
}

// construct is new.
func (r *Run) construct(cl *Class, args []Value) (Value, error) {
	if cl == nil {
		return nil, throw("java.lang.InstantiationException", "")
	}
	if isException(cl.Name) && cl.New == nil {
		return newThrowable(cl.Name, args), nil
	}
	if cl.New == nil || !cl.New.fits(len(args)) {
		return nil, throw("groovy.lang.GroovyRuntimeException", "Could not find matching constructor for: %s(%s)", cl.Name, argTypes(args))
	}
	return cl.New.do(r, cl, args)
}

func argTypes(args []Value) string {
	var types []string
	for _, a := range args {
		if a == nil {
			types = append(types, "null")
		} else {
			types = append(types, classOf(a).Simple())
		}
	}
	return strings.Join(types, ", ")
}
