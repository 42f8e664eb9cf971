package script

import (
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// The classes every script meets; their methods stand in the files named after them.
var (
	objectClass        = NewClass("java.lang.Object", nil)
	nullClass          = NewClass("org.codehaus.groovy.runtime.NullObject", objectClass)
	classClass         = NewClass("java.lang.Class", objectClass)
	stringClass        = NewClass("java.lang.String", objectClass, "java.lang.CharSequence", "java.lang.Comparable")
	booleanClass       = NewClass("java.lang.Boolean", objectClass, "java.lang.Comparable")
	characterClass     = NewClass("java.lang.Character", objectClass, "java.lang.Comparable")
	numberClass        = NewClass("java.lang.Number", objectClass)
	byteClass          = NewClass("java.lang.Byte", numberClass, "java.lang.Comparable")
	shortClass         = NewClass("java.lang.Short", numberClass, "java.lang.Comparable")
	integerClass       = NewClass("java.lang.Integer", numberClass, "java.lang.Comparable")
	longClass          = NewClass("java.lang.Long", numberClass, "java.lang.Comparable")
	floatClass         = NewClass("java.lang.Float", numberClass, "java.lang.Comparable")
	doubleClass        = NewClass("java.lang.Double", numberClass, "java.lang.Comparable")
	bigIntegerClass    = NewClass("java.math.BigInteger", numberClass, "java.lang.Comparable")
	bigDecimalClass    = NewClass("java.math.BigDecimal", numberClass, "java.lang.Comparable")
	closureClass       = NewClass("groovy.lang.Closure", objectClass, "java.lang.Runnable", "java.util.Comparator", "java.util.concurrent.Callable")
	scriptClass        = NewClass("groovy.lang.Script", objectClass)
	collectionClass    = NewClass("java.util.Collection", objectClass, "java.lang.Iterable")
	listClass          = NewClass("java.util.List", collectionClass)
	arrayListClass     = NewClass("java.util.ArrayList", listClass)
	setClass           = NewClass("java.util.Set", collectionClass)
	hashSetClass       = NewClass("java.util.HashSet", setClass)
	linkedHashSetClass = NewClass("java.util.LinkedHashSet", setClass)
	treeSetClass       = NewClass("java.util.TreeSet", setClass, "java.util.SortedSet")
	mapClass           = NewClass("java.util.Map", objectClass)
	hashMapClass       = NewClass("java.util.HashMap", mapClass)
	linkedHashMapClass = NewClass("java.util.LinkedHashMap", hashMapClass)
	treeMapClass       = NewClass("java.util.TreeMap", mapClass, "java.util.SortedMap")
	entryClass         = NewClass("java.util.Map.Entry", objectClass)
	intRangeClass      = NewClass("groovy.lang.IntRange", listClass, "groovy.lang.Range")
	objectRangeClass   = NewClass("groovy.lang.ObjectRange", listClass, "groovy.lang.Range")
	throwableBase      = NewClass("java.lang.Throwable", objectClass)
	arrayBase          = &Class{Name: "array", Super: objectClass}
)

// primitives are the classes that primitive types are boxed in.
var primitives = map[string]*Class{
	"int": primitive("int", integerClass), "long": primitive("long", longClass), "double": primitive("double", doubleClass),
	"float": primitive("float", floatClass), "short": primitive("short", shortClass), "byte": primitive("byte", byteClass),
	"boolean": primitive("boolean", booleanClass), "char": primitive("char", characterClass),
}

func primitive(name string, boxed *Class) *Class { return &Class{Name: name, Super: boxed} }

// arrayClass is the class of arrays of the named elements.
func arrayClass(elem string) *Class { return &Class{Name: elem + "[]", Super: arrayBase} }

// throwableClass is the class of an exception.
func throwableClass(name string) *Class {
	if c, ok := registry.full[name]; ok {
		return c
	}
	return &Class{Name: name, Super: throwableBase}
}

func newThrowable(class string, args []Value) *Throwable {
	t := &Throwable{Class: class}
	for i, a := range args {
		switch x := a.(type) {
		case *Throwable:
			t.Cause = x
			if i == 0 {
				t.Message, t.HasText = x.Error(), true
			}
		case nil:
		default:
			if i == 0 {
				t.Message, t.HasText = groovyString(x), true
			}
		}
	}
	return t
}

func badCast(v Value, cl *Class) error {
	if v == nil {
		return throw("org.codehaus.groovy.runtime.typehandling.GroovyCastException",
			"Cannot cast object 'null' with class 'null' to class '%s'. Try '%s' instead", cl.Name, cl.Super.Name)
	}
	return throw("org.codehaus.groovy.runtime.typehandling.GroovyCastException",
		"Cannot cast object '%s' with class '%s' to class '%s'", groovyString(v), classOf(v).Name, cl.Name)
}

// isPrimitive tells int from java.lang.Integer.
func (c *Class) isPrimitive() bool { return c.Super != nil && primitives[c.Name] == c }

// boxed is the class behind a primitive.
func (c *Class) boxed() *Class {
	if c.isPrimitive() {
		return c.Super
	}
	return c
}

// toNumber converts a number to another class of numbers; ok is false when cl is none.
func toNumber(v Value, cl *Class) (n Value, ok bool, err error) {
	switch cl.boxed() {
	case integerClass:
		return toInt(v), true, nil
	case longClass:
		return toLong(v), true, nil
	case doubleClass:
		return toDouble(v), true, nil
	case floatClass:
		return float32(toDouble(v)), true, nil
	case shortClass:
		return int16(toInt(v)), true, nil
	case byteClass:
		return int8(toInt(v)), true, nil
	case bigIntegerClass:
		return toBig(v), true, nil
	case bigDecimalClass:
		d, err := toDecimal(v)
		return d, true, err
	case numberClass:
		return v, true, nil
	}
	return nil, false, nil
}

// coerce fits a value to a declared class, as an assignment does.
func coerce(r *Run, v Value, cl *Class) (Value, error) {
	if v == nil {
		if cl.isPrimitive() {
			if cl.Name == "boolean" {
				return false, nil
			}
			return nil, badCast(v, cl)
		}
		return nil, nil
	}
	switch cl.boxed() {
	case stringClass:
		if r.isGroovy() {
			return groovyString(v), nil
		}
		if s, ok := v.(string); ok {
			return s, nil
		}
		return nil, badCast(v, cl)
	case booleanClass:
		if b, ok := v.(bool); ok {
			return b, nil
		}
		if r.isGroovy() {
			return truthOf(r, v)
		}
		return nil, badCast(v, cl)
	case characterClass:
		switch x := v.(type) {
		case java.Char:
			return x, nil
		case string:
			if c, ok := java.CharAt(x, 0); ok && java.Length(x) == 1 {
				return java.Char(c), nil
			}
		default:
			if isNumber(x) {
				return java.Char(toInt(x)), nil
			}
		}
		return nil, badCast(v, cl)
	}
	if isNumber(v) {
		if n, ok, err := toNumber(v, cl); ok {
			return n, err
		}
	}
	if c, ok := v.(java.Char); ok {
		if n, ok, err := toNumber(int32(c), cl); ok {
			return n, err
		}
	}
	if instanceOf(v, cl) {
		return v, nil
	}
	if _, known := registry.full[cl.Name]; !known && cl.Super != arrayBase && !cl.isPrimitive() {
		return v, nil // a class that was reported as unknown
	}
	return convert(r, v, cl)
}

// convert is what Groovy does besides for assignments and casts: collections become others.
func convert(r *Run, v Value, cl *Class) (Value, error) {
	if _, ok := v.(*Closure); ok && cl.Super == objectClass {
		return v, nil // an interface with one method
	}
	if cl.Super == arrayBase {
		if s, ok := v.(string); ok && cl.Name == "char[]" {
			return charArray(s), nil
		}
		list, ok := items(v)
		if _, isText := v.(string); !ok || isText {
			return nil, badCast(v, cl)
		}
		return toArray(r, list, cl)
	}
	if !r.isGroovy() {
		return nil, badCast(v, cl)
	}
	if list, ok := items(v); ok {
		if _, isText := v.(string); !isText {
			if c, ok := collectionOf(list, cl); ok {
				return c, nil
			}
		}
	}
	if m, ok := v.(*Map); ok && cl.isA("java.util.Map") {
		return mapOf(m, cl), nil
	}
	return nil, badCast(v, cl)
}

func charArray(s string) *Array {
	a := &Array{Elem: "char"}
	for i := range java.Length(s) {
		c, _ := java.CharAt(s, i)
		a.Items = append(a.Items, java.Char(c))
	}
	return a
}

func toArray(r *Run, list []Value, cl *Class) (Value, error) {
	elem := strings.TrimSuffix(cl.Name, "[]")
	if elem == "byte" {
		b := make([]byte, len(list))
		for i, e := range list {
			if !isNumber(e) {
				return nil, badCast(e, byteClass)
			}
			b[i] = byte(toInt(e))
		}
		return &Bytes{b}, nil
	}
	a := &Array{Elem: elem, Items: make([]Value, len(list))}
	ec, ok := primitives[elem]
	if !ok {
		ec, ok = FindClass(elem)
	}
	for i, e := range list {
		if ok && elem != "java.lang.Object" {
			var err error
			if e, err = asType(r, e, ec); err != nil {
				return nil, err
			}
		}
		a.Items[i] = e
	}
	return a, nil
}

// collectionOf makes a collection of the class out of items.
func collectionOf(list []Value, cl *Class) (Value, bool) {
	switch {
	case cl == listClass || cl == collectionClass || cl.Name == "java.lang.Iterable" || cl == arrayListClass:
		return NewList(append([]Value(nil), list...)...), true
	case cl.isA("java.util.List"):
		return &List{v: append([]Value(nil), list...), class: cl}, true
	}
	order := byInsertion
	switch cl {
	case setClass, linkedHashSetClass:
		cl = linkedHashSetClass
	case hashSetClass:
		order = byHash
	case treeSetClass:
		order = byKey
	default:
		return nil, false
	}
	s := newSet(order, cl)
	for _, e := range list {
		s.add(e)
	}
	return s, true
}

func mapOf(m *Map, cl *Class) Value {
	c := newMap(byInsertion, cl)
	switch cl {
	case hashMapClass:
		c.order = byHash
	case treeMapClass:
		c.order = byKey
	case mapClass:
		return m
	}
	for _, e := range m.entries() {
		c.Put(e.Key, e.Value)
	}
	return c
}

// castTo is (T) v.
func castTo(r *Run, v Value, cl *Class) (Value, error) {
	if s, ok := v.(string); ok && cl.boxed().isA("java.lang.Number") && r.isGroovy() && java.Length(s) == 1 {
		c, _ := java.CharAt(s, 0)
		n, _, err := toNumber(int32(c), cl)
		return n, err
	}
	return coerce(r, v, cl)
}

// asType is v as T.
func asType(r *Run, v Value, cl *Class) (Value, error) {
	if v == nil {
		if cl.isPrimitive() {
			if cl.Name == "boolean" {
				return false, nil
			}
			return nil, badCast(v, cl)
		}
		return nil, nil
	}
	switch k := cl.boxed(); k {
	case stringClass:
		return groovyString(v), nil
	case booleanClass:
		return truthOf(r, v)
	case integerClass, longClass, doubleClass, floatClass, shortClass, byteClass, bigIntegerClass, bigDecimalClass:
		switch x := v.(type) {
		case string:
			return parseNumber(java.Trim(x), k)
		case java.Char:
			n, _, err := toNumber(int32(x), k)
			return n, err
		case bool:
			return nil, badCast(v, cl)
		}
	}
	if f, ok := v.(*Closure); ok && cl != closureClass && cl != objectClass && cl.Super != arrayBase {
		// An object with one method, which Java's methods take where Groovy's take closures.
		return &Closure{native: func(r *Run, args []Value) (Value, error) { return f.Call(r, args...) }}, nil
	}
	if cl.Super == arrayBase || !instanceOf(v, cl) {
		return coerce(r, v, cl)
	}
	return v, nil
}
