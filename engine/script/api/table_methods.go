package api

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/script"
)

// column makes a getter and a setter of a column.
func column(m script.Methods, name, column string) {
	m["get"+name] = get(func(c *script.Call) script.Value { return c.Self.(*row).get(column) })
	m["set"+name] = script.NewMethod(1, 1, none(func(c *script.Call) { c.Self.(*row).set(column, textOf(c, 0)) }))
}

// flagColumn makes them for a switch.
func flagColumn(m script.Methods, getter, setter, column string) {
	m[getter] = get(func(c *script.Call) script.Value { return c.Self.(*row).get(column) == "true" })
	m[setter] = script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
		on := c.Bool(0)
		if err := c.Err(); err != nil {
			return nil, err
		}
		c.Self.(*row).set(column, strconv.FormatBool(on))
		return nil, nil
	})
}

// rowAt is a method that returns row i of the table, or null.
func rowAt() *script.Method {
	return script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
		t, i := c.Self.(*table), c.Int(0)
		if err := c.Err(); err != nil {
			return nil, err
		}
		if i < 0 || i >= t.Len() {
			return nil, nil
		}
		return t.at(i), nil
	})
}

func removeAt(t *table, i int) {
	if i >= 0 && i < t.Len() {
		t.Remove(i)
	}
}

func length() *script.Method {
	return get(func(c *script.Call) script.Value { return int32(c.Self.(*table).Len()) })
}

func initTables() {
	m := script.Methods{}
	column(m, "Name", "Argument.name")
	column(m, "Value", "Argument.value")
	column(m, "MetaData", "Argument.metadata")
	column(m, "Description", "Argument.desc")
	argumentClass.Methods = m
	argumentClass.New = script.NewMethod(0, 4, func(c *script.Call) (script.Value, error) {
		r := newArgument(textOf(c, 0), textOf(c, 1), textOf(c, 2))
		r.class = argumentClass
		return r, nil
	})
	h := script.Methods{}
	flagColumn(h, "isAlwaysEncoded", "setAlwaysEncoded", "HTTPArgument.always_encode")
	column(h, "ContentType", "HTTPArgument.content_type")
	h["isUseEquals"] = get(func(c *script.Call) script.Value {
		r := c.Self.(*row)
		return r.get("Argument.metadata") == "=" || r.get("Argument.value") != ""
	})
	h["setUseEquals"] = script.NewMethod(1, 1, none(func(c *script.Call) {
		s := ""
		if c.Bool(0) {
			s = "="
		}
		c.Self.(*row).set("Argument.metadata", s)
	}))
	httpArgumentClass.Methods = h
	httpArgumentClass.New = script.NewMethod(0, 4, makeArgument)
	propertyClass.Methods = script.Methods{
		"getStringValue": get(func(c *script.Call) script.Value { return c.Self.(*rowProperty).String() }),
		"getObjectValue": get(func(c *script.Call) script.Value { return c.Self.(*rowProperty).r }),
		"getName":        get(func(c *script.Call) script.Value { return c.Self.(*rowProperty).r.get("Argument.name") }),
	}
	argumentsClass.New = script.NewMethod(0, 0, func(*script.Call) (script.Value, error) {
		return &table{argumentsClass, httpArgumentClass, argumentColumns, &memory{}}, nil
	})
	argumentsClass.Methods = script.Methods{
		"addArgument":        script.NewMethod(1, 4, addArgument),
		"addEmptyArgument":   script.NewMethod(0, 0, none(func(c *script.Call) { c.Self.(*table).add(newArgument("", "", "")) })),
		"getArgument":        rowAt(),
		"getArgumentCount":   length(),
		"removeArgument":     script.NewMethod(1, 2, removeArgument),
		"removeAllArguments": script.NewMethod(0, 0, none(func(c *script.Call) { c.Self.(*table).clear() })),
		"clear":              script.NewMethod(0, 0, none(func(c *script.Call) { c.Self.(*table).clear() })),
		"iterator":           get(func(c *script.Call) script.Value { return script.NewIterator(c.Self.(*table).Items()) }),
		"getArgumentsAsMap": get(func(c *script.Call) script.Value {
			t, m := c.Self.(*table), script.NewMap()
			for i := range t.Len() {
				if _, ok := m.Get(t.Cell(i, "Argument.name")); !ok {
					m.Put(t.Cell(i, "Argument.name"), t.Cell(i, "Argument.value"))
				}
			}
			return m
		}),
	}
	initHeaders()
	initCookies()
	initSamplerTables()
}

// makeArgument is new HTTPArgument in all its forms.
func makeArgument(c *script.Call) (script.Value, error) {
	if c.N() == 1 {
		if r, ok := c.Args[0].(*row); ok {
			return newArgument(r.get("Argument.name"), r.get("Argument.value"), r.get("Argument.metadata")), nil
		}
		return nil, script.MissingMethod(c.Self, "<init>", c.Args)
	}
	metadata, encoded := "=", false
	for _, a := range c.Args[min(2, c.N()):] {
		switch x := a.(type) {
		case bool:
			encoded = x
		case string:
			metadata = x
		}
	}
	switch {
	case c.N() == 0:
		r := newArgument("", "", "")
		r.own["HTTPArgument.always_encode"] = "false"
		return r, nil
	case encoded:
		return decoded(textOf(c, 0), textOf(c, 1), metadata)
	}
	return newArgument(textOf(c, 0), textOf(c, 1), metadata), nil
}

// addArgument takes an argument, or its texts: then it has no sign between name and
// value unless one is given, and is encoded when it is sent.
func addArgument(c *script.Call) (script.Value, error) {
	t := c.Self.(*table)
	if r, ok := c.Args[0].(*row); ok && c.N() == 1 {
		t.add(r)
		return nil, nil
	}
	if c.N() == 1 {
		return nil, script.MissingMethod(c.Self, "addArgument", c.Args)
	}
	t.add(newArgument(textOf(c, 0), textOf(c, 1), textOf(c, 2)))
	return nil, nil
}

func removeArgument(c *script.Call) (script.Value, error) {
	t := c.Self.(*table)
	switch x := c.Args[0].(type) {
	case *row:
		if x.in == t.Table {
			removeAt(t, x.index)
		}
	case string:
		for i := t.Len() - 1; i >= 0; i-- {
			if t.Cell(i, "Argument.name") == x && (c.N() == 1 || t.Cell(i, "Argument.value") == textOf(c, 1)) {
				t.Remove(i)
			}
		}
	default:
		i := c.Int(0)
		if err := c.Err(); err != nil {
			return nil, err
		}
		removeAt(t, i)
	}
	return nil, nil
}

func initHeaders() {
	m := script.Methods{}
	column(m, "Name", "Header.name")
	column(m, "Value", "Header.value")
	headerClass.Methods = m
	headerClass.New = script.NewMethod(0, 2, func(c *script.Call) (script.Value, error) {
		return &row{class: headerClass, columns: headerColumns, own: map[string]string{"Header.name": textOf(c, 0), "Header.value": textOf(c, 1)}}, nil
	})
	headerManagerClass.Methods = script.Methods{
		"add": script.NewMethod(0, 1, func(c *script.Call) (script.Value, error) {
			t := c.Self.(*table)
			if c.N() == 0 {
				t.Append()
				return nil, nil
			}
			r, ok := c.Args[0].(*row)
			if !ok || r.class != headerClass {
				return nil, script.MissingMethod(c.Self, "add", c.Args)
			}
			t.add(r)
			return nil, nil
		}),
		"get": rowAt(), "getHeader": rowAt(), "size": length(),
		"remove": script.NewMethod(1, 1, none(func(c *script.Call) { removeAt(c.Self.(*table), c.Int(0)) })),
		"clear":  script.NewMethod(0, 0, none(func(c *script.Call) { c.Self.(*table).clear() })),
		"removeHeaderNamed": script.NewMethod(1, 1, none(func(c *script.Call) {
			t, name := c.Self.(*table), textOf(c, 0)
			for i := t.Len() - 1; i >= 0; i-- {
				if strings.EqualFold(t.Cell(i, "Header.name"), name) {
					t.Remove(i)
				}
			}
		})),
		"getFirstHeaderNamed": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			t := c.Self.(*table)
			if i := t.find("Header.name", textOf(c, 0), strings.EqualFold); i >= 0 {
				return t.at(i), nil
			}
			return nil, nil
		}),
	}
}

func initCookies() {
	m := script.Methods{}
	column(m, "Name", "Cookie.name")
	column(m, "Value", "Cookie.value")
	column(m, "Domain", "Cookie.domain")
	column(m, "Path", "Cookie.path")
	flagColumn(m, "getSecure", "setSecure", "Cookie.secure")
	flagColumn(m, "isPathSpecified", "setPathSpecified", "Cookie.path_specified")
	flagColumn(m, "isDomainSpecified", "setDomainSpecified", "Cookie.domain_specified")
	// When a cookie ends counts only while it is received.
	m["setExpires"] = script.NewMethod(1, 1, none(func(*script.Call) {}))
	cookieClass.Methods = m
	// name, value, domain, path, secure, expires [, path specified, domain specified [, version]]
	cookieClass.New = script.NewMethod(0, 9, func(c *script.Call) (script.Value, error) {
		r := &row{class: cookieClass, columns: cookieColumns, own: map[string]string{"Cookie.path_specified": "true", "Cookie.domain_specified": "true"}}
		for i, column := range []string{"Cookie.name", "Cookie.value", "Cookie.domain", "Cookie.path", "Cookie.secure", "", "Cookie.path_specified", "Cookie.domain_specified", "Cookie.version"} {
			if i < c.N() && column != "" {
				r.own[column] = textOf(c, i)
			}
		}
		return r, nil
	})
	cookieManagerClass.Methods = script.Methods{
		"add": script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			t := c.Self.(*table)
			r, ok := c.Args[0].(*row)
			if !ok || r.class != cookieClass {
				return nil, script.MissingMethod(c.Self, "add", c.Args)
			}
			for i := t.Len() - 1; i >= 0; i-- { // the same cookie is replaced
				same := func(column string) bool { return t.Cell(i, column) == r.get(column) }
				if same("Cookie.name") && same("Cookie.path") && same("Cookie.domain") {
					t.Remove(i)
				}
			}
			if r.get("Cookie.value") != "" { // without a value it is deleted
				t.add(r)
			}
			return nil, nil
		}),
		"get": rowAt(), "getCookieCount": length(),
		"remove": script.NewMethod(1, 1, none(func(c *script.Call) { removeAt(c.Self.(*table), c.Int(0)) })),
		"clear":  script.NewMethod(0, 0, none(func(c *script.Call) { c.Self.(*table).clear() })),
	}
}

// initSamplerTables gives samplers the methods that reach their tables.
func initSamplerTables() {
	m := samplerClass.Methods
	of := func(c *script.Call, name string) (*table, error) {
		if t, ok := tableOf(c.Self.(*sampler).s, name).(*table); ok {
			return t, nil
		}
		return nil, script.Throw("java.lang.NullPointerException", "")
	}
	for getter, name := range map[string]string{"getArguments": "arguments", "getHeaderManager": "headers", "getCookieManager": "cookies"} {
		m[getter] = get(func(c *script.Call) script.Value { return tableOf(c.Self.(*sampler).s, name) })
	}
	add := func(min, max int, argument func(c *script.Call) (*row, error)) *script.Method {
		return script.NewMethod(min, max, func(c *script.Call) (script.Value, error) {
			t, err := of(c, "arguments")
			if err != nil {
				return nil, err
			}
			r, err := argument(c)
			if err != nil {
				return nil, err
			}
			t.add(r)
			return nil, nil
		})
	}
	sign := func(c *script.Call) string {
		if c.N() > 2 {
			return textOf(c, 2)
		}
		return "="
	}
	m["addArgument"] = add(2, 3, func(c *script.Call) (*row, error) { return newArgument(textOf(c, 0), textOf(c, 1), sign(c)), nil })
	m["addEncodedArgument"] = add(2, 4, func(c *script.Call) (*row, error) {
		r, err := decoded(textOf(c, 0), textOf(c, 1), sign(c))
		if err == nil && plain(r.get("Argument.name")) && plain(r.get("Argument.value")) {
			r.set("HTTPArgument.always_encode", "false")
		}
		return r, err
	})
	m["addNonEncodedArgument"] = add(3, 4, func(c *script.Call) (*row, error) {
		r := newArgument(textOf(c, 0), textOf(c, 1), textOf(c, 2))
		r.set("HTTPArgument.always_encode", "false")
		r.set("HTTPArgument.content_type", textOf(c, 3))
		return r, nil
	})
	m["setArguments"] = script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
		t, err := of(c, "arguments")
		if err != nil {
			return nil, err
		}
		given, ok := c.Args[0].(*table)
		if !ok || given.class != argumentsClass {
			return nil, script.MissingMethod(c.Self, "setArguments", c.Args)
		}
		if given.Table == t.Table {
			return nil, nil
		}
		var rows []*row
		for i := range given.Len() {
			r := newArgument("", "", "")
			for _, column := range argumentColumns {
				r.own[column] = given.Cell(i, column)
			}
			rows = append(rows, r)
		}
		t.clear()
		for _, r := range rows {
			t.add(r)
		}
		given.Table = t.Table // what the script changes from now on is the sampler's
		return nil, nil
	})
}

// plain says that URL encoding leaves a text as it is.
func plain(s string) bool { return string(java.AppendURLEncoded(nil, s, java.UTF8)) == s }
