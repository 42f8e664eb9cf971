package api

import (
	"strings"

	"github.com/gojm/gojm/engine/script"
)

var (
	varsClass  = script.NewClass("org.apache.jmeter.threads.JMeterVariables", script.ObjectClass())
	propsClass = script.NewClass("java.util.Properties", script.ObjectClass(), "java.util.Map", "java.util.Hashtable")
	logClass   = script.NewClass("org.slf4j.Logger", script.ObjectClass())
)

// vars is JMeterVariables.
type vars struct{ h *Host }

func (*vars) JavaClass() *script.Class { return varsClass }

// Equal makes vars equal to ctx.getVariables().
func (v *vars) Equal(o script.Value) bool {
	w, ok := o.(*vars)
	return ok && w.h == v.h
}

// Items are the entries, for loops.
func (v *vars) Items() []script.Value { return entries(v.h.Vars.Names(), v.h.Vars.Object) }

func entries(names []string, get func(string) any) []script.Value {
	var out []script.Value
	for _, n := range names {
		out = append(out, &script.Entry{Key: n, Value: get(n)})
	}
	return out
}

// text is a variable as text, or null.
func (v *vars) text(name string) script.Value {
	o := v.h.Vars.Object(name)
	if o == nil {
		return nil
	}
	s, _ := script.ToString(o)
	return s
}

// props is java.util.Properties.
type props struct{ p Props }

func (*props) JavaClass() *script.Class { return propsClass }

// Items are the entries, for loops.
func (p *props) Items() []script.Value { return entries(p.p.Names(), p.p.Object) }

// logger is a slf4j Logger.
type logger struct{ l Log }

func (*logger) JavaClass() *script.Class { return logClass }

// textArg is an argument that must be a text: JavaScript's numbers become one, others fit no method.
func textArg(c *script.Call, name string, i int) (string, error) {
	switch x := c.Args[i].(type) {
	case string:
		return x, nil
	case nil:
		return "", nil
	default:
		if c.Run.Language() == "javascript" {
			s, _ := script.ToString(x)
			return s, nil
		}
	}
	return "", script.MissingMethod(c.Self, name, c.Args)
}

func init() {
	v := func(c *script.Call) *vars { return c.Self.(*vars) }
	varsClass.Methods = script.Methods{
		"get": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) { return v(c).text(c.Str(0)), nil }),
		"getObject": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			return v(c).h.Vars.Object(c.Str(0)), nil
		}),
		"put": script.NewMethod(2, 2, func(c *script.Call) (script.Value, error) {
			n, err := textArg(c, "put", 0)
			if err != nil {
				return nil, err
			}
			s, err := textArg(c, "put", 1)
			if err != nil {
				return nil, err
			}
			if c.Args[1] == nil {
				v(c).h.Vars.Remove(n)
				return script.Void, nil
			}
			v(c).h.Vars.PutObject(n, s)
			return script.Void, nil
		}),
		"putObject": script.NewMethod(2, 2, func(c *script.Call) (script.Value, error) {
			n := c.Str(0)
			if err := c.Err(); err != nil {
				return nil, err
			}
			v(c).h.Vars.PutObject(n, c.Args[1])
			return script.Void, nil
		}),
		"remove": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			n := c.Str(0)
			old := v(c).h.Vars.Object(n)
			v(c).h.Vars.Remove(n)
			return old, nil
		}),
		"putAll": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			if m, ok := c.Args[0].(*script.Map); ok {
				for _, e := range m.Entries() {
					n, _ := script.ToString(e.Key)
					v(c).h.Vars.PutObject(n, e.Value)
				}
			}
			return nil, nil
		}),
		"entrySet":    get(func(c *script.Call) script.Value { return script.NewList(v(c).Items()...) }),
		"getIterator": get(func(c *script.Call) script.Value { return script.NewIterator(v(c).Items()) }),
		"getIteration": get(func(c *script.Call) script.Value {
			if t := v(c).h.Thread; t != nil {
				return int32(t.Iteration())
			}
			return int32(0)
		}),
		"getThreadName": get(func(c *script.Call) script.Value {
			if t := v(c).h.Thread; t != nil {
				return t.Name()
			}
			return ""
		}),
	}
	varsClass.Property = func(c *script.Call, name string) (script.Value, bool, error) { return v(c).text(name), true, nil }

	p := func(c *script.Call) Props { return c.Self.(*props).p }
	put := func(c *script.Call) (script.Value, error) {
		if c.Args[0] == nil || c.Args[1] == nil {
			return nil, script.Throw("java.lang.NullPointerException", "")
		}
		n := c.Str(0)
		if err := c.Err(); err != nil {
			return nil, err
		}
		old := p(c).Object(n)
		p(c).PutObject(n, c.Args[1])
		return old, nil
	}
	keys := func(c *script.Call) []script.Value {
		var out []script.Value
		for _, n := range p(c).Names() {
			out = append(out, n)
		}
		return out
	}
	propsClass.Methods = script.Methods{
		"get": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) { return p(c).Object(c.Str(0)), nil }),
		"getOrDefault": script.NewMethod(2, 2, func(c *script.Call) (script.Value, error) {
			if o := p(c).Object(c.Str(0)); o != nil {
				return o, nil
			}
			return c.Args[1], nil
		}),
		"put": script.NewMethod(2, 2, put), "setProperty": script.NewMethod(2, 2, put),
		"getProperty": script.NewMethod(1, 2, func(c *script.Call) (script.Value, error) {
			if s, ok := p(c).Lookup(c.Str(0)); ok {
				return s, nil
			}
			if c.N() == 2 {
				return c.Args[1], nil
			}
			return nil, nil
		}),
		"remove": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			old := p(c).Object(c.Str(0))
			p(c).Remove(c.Str(0))
			return old, nil
		}),
		"containsKey":         script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) { return p(c).Object(c.Str(0)) != nil, nil }),
		"keys":                get(func(c *script.Call) script.Value { return script.NewIterator(keys(c)) }),
		"keySet":              get(func(c *script.Call) script.Value { return script.NewList(keys(c)...) }),
		"stringPropertyNames": get(func(c *script.Call) script.Value { return script.NewList(keys(c)...) }),
		"entrySet":            get(func(c *script.Call) script.Value { return script.NewList(c.Self.(*props).Items()...) }),
		"size":                get(func(c *script.Call) script.Value { return int32(len(p(c).Names())) }),
		"isEmpty":             get(func(c *script.Call) script.Value { return len(p(c).Names()) == 0 }),
		"putIfAbsent": script.NewMethod(2, 2, func(c *script.Call) (script.Value, error) {
			if o := p(c).Object(c.Str(0)); o != nil {
				return o, nil
			}
			return put(c)
		}),
	}
	propsClass.Property = func(c *script.Call, name string) (script.Value, bool, error) { return p(c).Object(name), true, nil }
	propsClass.SetProperty = func(c *script.Call, name string, v script.Value) (bool, error) {
		p(c).PutObject(name, v)
		return true, nil
	}
	propsClass.Groovy = script.Methods{
		"getAt": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) { return p(c).Object(c.Str(0)), nil }),
		"putAt": script.NewMethod(2, 2, put),
	}

	for _, level := range []string{"trace", "debug", "info", "warn", "error"} {
		if logClass.Methods == nil {
			logClass.Methods = script.Methods{}
		}
		logClass.Methods[level] = script.NewMethod(1, -1, func(c *script.Call) (script.Value, error) {
			text, cause := message(c.Args)
			c.Self.(*logger).l.Log(strings.ToUpper(level), text, cause)
			return nil, nil
		})
		logClass.Methods["is"+strings.ToUpper(level[:1])+level[1:]+"Enabled"] = get(func(*script.Call) script.Value {
			return level != "trace" && level != "debug"
		})
	}
}

// message fills the {} of a slf4j message; an exception left over is the cause.
func message(args []script.Value) (text, cause string) {
	text, _ = script.ToString(args[0])
	rest := args[1:]
	if len(rest) == 1 {
		if a, ok := rest[0].(*script.Array); ok {
			rest = a.Items
		}
	}
	var b strings.Builder
	for len(rest) > 0 {
		i := strings.Index(text, "{}")
		if i < 0 {
			break
		}
		s, _ := script.ToString(rest[0])
		b.WriteString(text[:i])
		b.WriteString(s)
		text, rest = text[i+2:], rest[1:]
	}
	b.WriteString(text)
	if len(rest) > 0 {
		if t, ok := rest[len(rest)-1].(*script.Throwable); ok {
			cause = t.Error()
		}
	}
	return b.String(), cause
}
