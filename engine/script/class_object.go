package script

import (
	"strings"

	"github.com/gojm/gojm/engine/java"
)

func initObject() {
	objectClass.New = method(0, 0, func(c *Call) (Value, error) { return &plainObject{}, nil })
	objectClass.Methods = Methods{
		"toString": method(0, 0, func(c *Call) (Value, error) {
			if c.Run.isGroovy() {
				return groovyString(c.Self), nil
			}
			return javaString(c.Self), nil
		}),
		"equals":   method(1, 1, func(c *Call) (Value, error) { return equals(c.Self, c.Args[0]), nil }),
		"hashCode": method(0, 0, func(c *Call) (Value, error) { return hashCode(c.Self), nil }),
		"getClass": method(0, 0, func(c *Call) (Value, error) { return classOf(c.Self), nil }),
	}
	objectClass.Groovy = Methods{
		"is":     method(1, 1, func(c *Call) (Value, error) { return same(c.Self, c.Args[0]), nil }),
		"asType": method(1, 1, func(c *Call) (Value, error) { return asTypeArg(c) }),
		"with": method(1, 2, func(c *Call) (Value, error) {
			return c.fn(c.N()-1).with(c.Self, true).Call(c.Run, c.Self)
		}),
		"tap": method(1, 1, func(c *Call) (Value, error) {
			_, err := c.fn(0).with(c.Self, true).Call(c.Run, c.Self)
			return c.Self, err
		}),
		"identity": method(1, 1, func(c *Call) (Value, error) {
			return c.fn(0).with(c.Self, true).Call(c.Run, c.Self)
		}),
		"inspect":  method(0, 0, func(c *Call) (Value, error) { return inspect(c.Self), nil }),
		"isCase":   method(1, 1, func(c *Call) (Value, error) { return b2v(caseMatches(c.Run, c.Self, c.Args[0])) }),
		"println":  method(0, 1, func(c *Call) (Value, error) { return printLine(c) }),
		"print":    method(1, 1, func(c *Call) (Value, error) { return printText(c) }),
		"sleep":    method(1, 1, sleep),
		"getAt":    method(1, 1, func(c *Call) (Value, error) { return c.Run.getIndex(c.Self, c.Args) }),
		"putAt":    method(2, 2, func(c *Call) (Value, error) { return nil, c.Run.setIndex(c.Self, c.Args[:1], c.Args[1]) }),
		"iterator": method(0, 0, func(c *Call) (Value, error) { return newIterator(c.Self) }),
		"invokeMethod": method(2, 2, func(c *Call) (Value, error) {
			args, ok := listItems(c.Args[1])
			if !ok {
				args = []Value{c.Args[1]}
			}
			return c.Run.invoke(c.Self, c.Str(0), args)
		}),
	}
	nullClass.Groovy = Methods{
		"toString":  method(0, 0, func(c *Call) (Value, error) { return "null", nil }),
		"equals":    method(1, 1, func(c *Call) (Value, error) { return c.Args[0] == nil, nil }),
		"is":        method(1, 1, func(c *Call) (Value, error) { return c.Args[0] == nil, nil }),
		"plus":      method(1, 1, func(c *Call) (Value, error) { return groovyPlus(c.Run, nil, c.Args[0]) }),
		"asType":    method(1, 1, func(c *Call) (Value, error) { return nil, nil }),
		"with":      method(1, 1, func(c *Call) (Value, error) { return c.fn(0).Call(c.Run, nil) }),
		"asBoolean": method(0, 0, func(c *Call) (Value, error) { return false, nil }),
		"iterator":  method(0, 0, func(c *Call) (Value, error) { return newIterator(NewList()) }),
		"each":      method(1, 1, func(c *Call) (Value, error) { return nil, nil }),
	}
	nullClass.Super = nil
	classClass.Methods = Methods{
		"getName":       method(0, 0, func(c *Call) (Value, error) { return c.Self.(*Class).Name, nil }),
		"getSimpleName": method(0, 0, func(c *Call) (Value, error) { return c.Self.(*Class).Simple(), nil }),
		"isInstance":    method(1, 1, func(c *Call) (Value, error) { return instanceOf(c.Args[0], c.Self.(*Class)), nil }),
		"newInstance":   method(0, -1, func(c *Call) (Value, error) { return c.Run.construct(c.Self.(*Class), c.Args) }),
		"forName": method(1, 1, func(c *Call) (Value, error) {
			if cl, ok := registry.full[c.Str(0)]; ok {
				return cl, nil
			}
			return nil, throw("java.lang.ClassNotFoundException", "%s", c.Str(0))
		}),
		"getPackage": method(0, 0, func(c *Call) (Value, error) {
			n := c.Self.(*Class).Name
			return "package " + n[:max(strings.LastIndexByte(n, '.'), 0)], nil
		}),
	}
	closureClass.Groovy = Methods{
		"call": method(0, -1, func(c *Call) (Value, error) { return c.Self.(*Closure).Call(c.Run, c.Args...) }),
		"curry": method(1, -1, func(c *Call) (Value, error) {
			cl, fixed := c.Self.(*Closure), c.Args
			return &Closure{native: func(r *Run, args []Value) (Value, error) {
				return cl.Call(r, append(append([]Value(nil), fixed...), args...)...)
			}}, nil
		}),
		"rcurry": method(1, -1, func(c *Call) (Value, error) {
			cl, fixed := c.Self.(*Closure), c.Args
			return &Closure{native: func(r *Run, args []Value) (Value, error) {
				return cl.Call(r, append(append([]Value(nil), args...), fixed...)...)
			}}, nil
		}),
		"rightShift": method(1, 1, func(c *Call) (Value, error) { return compose(c.Self, c.fn(0)), nil }),
		"leftShift":  method(1, 1, func(c *Call) (Value, error) { return compose(c.Args[0], c.Self.(*Closure)), nil }),
		"memoize": method(0, 0, func(c *Call) (Value, error) {
			cl := *c.Self.(*Closure)
			cl.memo = &memo{}
			return &cl, nil
		}),
		"getMaximumNumberOfParameters": method(0, 0, func(c *Call) (Value, error) { return int32(c.Self.(*Closure).params()), nil }),
		"setDelegate":                  method(1, 1, func(c *Call) (Value, error) { c.Self.(*Closure).delegate = c.Args[0]; return nil, nil }),
		"getDelegate":                  method(0, 0, func(c *Call) (Value, error) { return c.Self.(*Closure).delegate, nil }),
		"setResolveStrategy": method(1, 1, func(c *Call) (Value, error) {
			c.Self.(*Closure).delegateFirst = c.Int(0) == 1 || c.Int(0) == 3
			return nil, nil
		}),
	}
	run := method(0, -1, func(c *Call) (Value, error) { return c.Self.(*Closure).Call(c.Run, c.Args...) })
	closureClass.Methods = Methods{"run": run, "compare": run, "accept": run, "apply": run, "test": run, "doCall": run}
	closureClass.Fields = map[string]Value{"DELEGATE_FIRST": int32(1), "DELEGATE_ONLY": int32(3), "OWNER_FIRST": int32(0), "OWNER_ONLY": int32(2)}

	throwableBase.Methods = Methods{
		"getMessage":          method(0, 0, throwableText),
		"getLocalizedMessage": method(0, 0, throwableText),
		"getCause": method(0, 0, func(c *Call) (Value, error) {
			if t := c.Self.(*Throwable).Cause; t != nil {
				return t, nil
			}
			return nil, nil
		}),
		"toString":        method(0, 0, func(c *Call) (Value, error) { return c.Self.(*Throwable).Error(), nil }),
		"getClass":        method(0, 0, func(c *Call) (Value, error) { return throwableClass(c.Self.(*Throwable).Class), nil }),
		"printStackTrace": method(0, 1, func(c *Call) (Value, error) { return nil, nil }),
		"getStackTrace":   method(0, 0, func(c *Call) (Value, error) { return &Array{Elem: "java.lang.StackTraceElement"}, nil }),
		"initCause": method(1, 1, func(c *Call) (Value, error) {
			if t, ok := c.Args[0].(*Throwable); ok {
				c.Self.(*Throwable).Cause = t
			}
			return c.Self, nil
		}),
	}
	entryClass.Methods = Methods{
		"getKey":   method(0, 0, func(c *Call) (Value, error) { return c.Self.(*Entry).Key, nil }),
		"getValue": method(0, 0, func(c *Call) (Value, error) { return c.Self.(*Entry).Value, nil }),
		"setValue": method(1, 1, func(c *Call) (Value, error) {
			e := c.Self.(*Entry)
			old := e.Value
			e.Value = c.Args[0]
			return old, nil
		}),
	}
}

func throwableText(c *Call) (Value, error) {
	if t := c.Self.(*Throwable); t.HasText {
		return t.Message, nil
	}
	return nil, nil
}

func asTypeArg(c *Call) (Value, error) {
	cl, ok := c.Args[0].(*Class)
	if !ok {
		c.fail(0, "java.lang.Class")
		return nil, nil
	}
	return asType(c.Run, c.Self, cl)
}

// compose is first >> then.
func compose(first Value, then *Closure) Value {
	return &Closure{native: func(r *Run, args []Value) (Value, error) {
		v, err := r.invoke(first, "call", args)
		if err != nil {
			return nil, err
		}
		return then.Call(r, v)
	}}
}

// plainObject is new Object(), used for locks.
type plainObject struct{ _ byte }

func (*plainObject) JavaClass() *Class { return objectClass }

// inspect shows texts in quotes.
func inspect(v Value) string {
	switch x := v.(type) {
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(x) + "'"
	case *List:
		var parts []string
		for _, e := range x.all() {
			parts = append(parts, inspect(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *Map:
		var parts []string
		for _, e := range x.entries() {
			parts = append(parts, inspect(e.Key)+":"+inspect(e.Value))
		}
		if parts == nil {
			return "[:]"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return groovyString(v)
}

// iterator is java.util.Iterator over what was there when it was made.
type iterator struct {
	list   []Value
	at     int
	remove func(v Value)
}

var iteratorClass = NewClass("java.util.Iterator", objectClass, "java.util.Enumeration")

func (*iterator) JavaClass() *Class { return iteratorClass }

// Items is what is left, and uses it up.
func (i *iterator) Items() []Value {
	rest := i.list[i.at:]
	i.at = len(i.list)
	return rest
}

func newIterator(v Value) (Value, error) {
	list, ok := items(v)
	if !ok {
		list = []Value{v}
	}
	it := &iterator{list: list}
	switch x := v.(type) {
	case *List:
		it.remove = func(e Value) { _ = x.edit(func(old []Value) []Value { return cut(old, e) }) }
	case *Set:
		it.remove = func(e Value) { x.m.Remove(e) }
	case *Map:
		it.remove = func(e Value) { x.Remove(e.(*Entry).Key) }
	}
	return it, nil
}

// cut returns a list without the first item that is v.
func cut(old []Value, v Value) []Value {
	for i, e := range old {
		if equals(e, v) {
			return append(append(make([]Value, 0, len(old)-1), old[:i]...), old[i+1:]...)
		}
	}
	return old
}

func initIterator() {
	next := func(c *Call) (Value, error) {
		it := c.Self.(*iterator)
		if it.at >= len(it.list) {
			return nil, throw("java.util.NoSuchElementException", "")
		}
		it.at++
		return it.list[it.at-1], nil
	}
	has := func(c *Call) (Value, error) { it := c.Self.(*iterator); return it.at < len(it.list), nil }
	iteratorClass.Methods = Methods{
		"next": method(0, 0, next), "nextElement": method(0, 0, next),
		"hasNext": method(0, 0, has), "hasMoreElements": method(0, 0, has),
		"remove": method(0, 0, func(c *Call) (Value, error) {
			it := c.Self.(*iterator)
			if it.at == 0 || it.remove == nil {
				return nil, throw("java.lang.IllegalStateException", "")
			}
			it.remove(it.list[it.at-1])
			return nil, nil
		}),
	}
}

// StringBuilder is java.lang.StringBuilder, StringBuffer and StringWriter.
type StringBuilder struct {
	b     []byte
	class *Class
}

var (
	stringBuilderClass = NewClass("java.lang.StringBuilder", objectClass, "java.lang.CharSequence")
	stringBufferClass  = NewClass("java.lang.StringBuffer", stringBuilderClass)
	stringWriterClass  = NewClass("java.io.StringWriter", objectClass, "java.io.Writer")
)

// JavaClass is StringBuilder, StringBuffer or StringWriter.
func (s *StringBuilder) JavaClass() *Class {
	if s.class != nil {
		return s.class
	}
	return stringBuilderClass
}

func (s *StringBuilder) String() string { return string(s.b) }

func (s *StringBuilder) append(t string) { s.b = append(s.b, t...) }

func builderOf(class *Class) *Method {
	return method(0, 1, func(c *Call) (Value, error) {
		s := &StringBuilder{class: class}
		if c.N() == 1 && !isNumber(c.Args[0]) {
			s.append(javaString(c.Args[0]))
		}
		return s, nil
	})
}

func initBuilders() {
	stringBuilderClass.New = builderOf(nil)
	stringBufferClass.New = builderOf(stringBufferClass)
	stringWriterClass.New = builderOf(stringWriterClass)
	appendMethod := method(1, 3, func(c *Call) (Value, error) {
		s := c.Self.(*StringBuilder)
		t := ""
		switch x := c.Args[0].(type) {
		case *Array:
			t = groovyString(x)
		default:
			t = javaString(x)
		}
		if c.N() == 3 {
			sub, ok := java.Substring(t, c.Int(1), c.Int(2))
			if !ok {
				return nil, throw("java.lang.IndexOutOfBoundsException", "start %d, end %d, length %d", c.Int(1), c.Int(2), java.Length(t))
			}
			t = sub
		}
		if len(s.b)+len(t) > maxText {
			return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
		}
		s.append(t)
		return s, nil
	})
	edit := func(least, most int, do func(c *Call, s *StringBuilder) (string, error)) *Method {
		return method(least, most, func(c *Call) (Value, error) {
			s := c.Self.(*StringBuilder)
			t, err := do(c, s)
			if err != nil {
				return nil, err
			}
			if err := c.Err(); err != nil {
				return nil, err
			}
			s.b = []byte(t)
			return s, nil
		})
	}
	splice := func(s string, from, to int, with string) (string, error) {
		n := java.Length(s)
		to = min(to, n)
		head, ok := java.Substring(s, 0, from)
		tail, ok2 := java.Substring(s, to, n)
		if !ok || !ok2 || from > to {
			return "", throw("java.lang.StringIndexOutOfBoundsException", "start %d, end %d, length %d", from, to, n)
		}
		return head + with + tail, nil
	}
	stringBuilderClass.Methods = Methods{
		"append": appendMethod,
		"insert": edit(2, 2, func(c *Call, s *StringBuilder) (string, error) {
			return splice(s.String(), c.Int(0), c.Int(0), javaString(c.Args[1]))
		}),
		"delete": edit(2, 2, func(c *Call, s *StringBuilder) (string, error) { return splice(s.String(), c.Int(0), c.Int(1), "") }),
		"deleteCharAt": edit(1, 1, func(c *Call, s *StringBuilder) (string, error) {
			return splice(s.String(), c.Int(0), c.Int(0)+1, "")
		}),
		"replace": edit(3, 3, func(c *Call, s *StringBuilder) (string, error) {
			return splice(s.String(), c.Int(0), c.Int(1), c.Str(2))
		}),
		"setCharAt": edit(2, 2, func(c *Call, s *StringBuilder) (string, error) {
			return splice(s.String(), c.Int(0), c.Int(0)+1, javaString(c.Args[1]))
		}),
		"reverse": edit(0, 0, func(c *Call, s *StringBuilder) (string, error) { return reversed(s.String()), nil }),
		"setLength": method(1, 1, func(c *Call) (Value, error) {
			s := c.Self.(*StringBuilder)
			n := c.Int(0)
			if n < 0 || n > maxText {
				return nil, throw("java.lang.StringIndexOutOfBoundsException", "String index out of range: %d", n)
			}
			t := s.String()
			if sub, ok := java.Substring(t, 0, n); ok {
				s.b = []byte(sub)
			} else {
				s.append(strings.Repeat("\x00", n-java.Length(t)))
			}
			return nil, nil
		}),
		"toString": method(0, 0, func(c *Call) (Value, error) { return c.Self.(*StringBuilder).String(), nil }),
	}
	for _, n := range []string{"length", "charAt", "indexOf", "lastIndexOf", "substring", "isEmpty"} {
		stringBuilderClass.Methods[n] = method(0, 2, func(c *Call) (Value, error) {
			return c.Run.invoke(c.Self.(*StringBuilder).String(), n, c.Args)
		})
	}
	stringBuilderClass.Groovy = Methods{
		"leftShift": appendMethod,
		"size":      method(0, 0, func(c *Call) (Value, error) { return int32(java.Length(c.Self.(*StringBuilder).String())), nil }),
	}
	write := method(1, 3, func(c *Call) (Value, error) {
		t := javaString(c.Args[0])
		if isNumber(c.Args[0]) {
			t = string(rune(c.Int(0)))
		}
		c.Self.(*StringBuilder).append(t)
		return nil, nil
	})
	stringWriterClass.Methods = Methods{
		"write": write, "append": appendMethod,
		"toString":  method(0, 0, func(c *Call) (Value, error) { return c.Self.(*StringBuilder).String(), nil }),
		"getBuffer": method(0, 0, func(c *Call) (Value, error) { return c.Self, nil }),
		"flush":     method(0, 0, func(c *Call) (Value, error) { return nil, nil }),
		"close":     method(0, 0, func(c *Call) (Value, error) { return nil, nil }),
	}
	stringWriterClass.Groovy = Methods{"leftShift": appendMethod}
}

// NewIterator returns a java.util.Iterator over items.
func NewIterator(items []Value) Value { return &iterator{list: items} }
