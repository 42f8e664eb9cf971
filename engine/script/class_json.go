package script

import (
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/java"
)

// groovy.json: JsonSlurper, JsonOutput, JsonBuilder.

var (
	slurperClass     = NewClass("groovy.json.JsonSlurper", objectClass)
	slurperClassic   = NewClass("groovy.json.JsonSlurperClassic", slurperClass)
	jsonOutputClass  = NewClass("groovy.json.JsonOutput", objectClass)
	jsonBuilderClass = NewClass("groovy.json.JsonBuilder", objectClass)
)

type slurper struct{}

func (*slurper) JavaClass() *Class { return slurperClass }

// jsonBuilder is a JsonBuilder with what was built.
type jsonBuilder struct{ content Value }

func (*jsonBuilder) JavaClass() *Class { return jsonBuilderClass }
func (b *jsonBuilder) String() string  { s, _ := toJSON(b.content); return s }

// CallAny is builder.name(value) or builder.name { ... }: an object with one member.
func (b *jsonBuilder) CallAny(r *Run, n string, args []Value) (Value, error) {
	if n == "call" {
		v, err := jsonContent(r, args)
		b.content = v
		return v, err
	}
	v, err := jsonContent(r, args)
	if err != nil {
		return nil, err
	}
	m := NewMap()
	m.Put(n, v)
	b.content = m
	return m, nil
}

// jsonObject takes the calls of a builder's closure as members.
type jsonObject struct{ m *Map }

func (*jsonObject) JavaClass() *Class { return jsonBuilderClass }

// CallAny adds a member.
func (o *jsonObject) CallAny(r *Run, n string, args []Value) (Value, error) {
	v, err := jsonContent(r, args)
	if err != nil {
		return nil, err
	}
	o.m.Put(n, v)
	return v, nil
}

// jsonContent makes a value of what a builder was called with.
func jsonContent(r *Run, args []Value) (Value, error) {
	switch len(args) {
	case 0:
		return NewMap(), nil
	case 1:
		if cl, ok := args[0].(*Closure); ok {
			return jsonOf(r, cl)
		}
		return args[0], nil
	}
	cl, ok := args[len(args)-1].(*Closure)
	if !ok {
		return NewList(args...), nil
	}
	if list, isList := listItems(args[0]); isList { // each item through the closure
		out := []Value{}
		for _, e := range list {
			o := &jsonObject{NewMap()}
			if _, err := cl.with(o, true).Call(r, e); err != nil {
				return nil, err
			}
			out = append(out, o.m)
		}
		return NewList(out...), nil
	}
	o := &jsonObject{NewMap()}
	if m, ok := args[0].(*Map); ok {
		o.m = m.copy()
	}
	_, err := cl.with(o, true).Call(r, args[0])
	return o.m, err
}

func jsonOf(r *Run, cl *Closure) (Value, error) {
	o := &jsonObject{NewMap()}
	_, err := cl.with(o, true).Call(r)
	return o.m, err
}

func jsonFault(format string, args ...any) error {
	return throw("groovy.json.JsonException", format, args...)
}

func initJSON() {
	make := method(0, 0, func(c *Call) (Value, error) { return &slurper{}, nil })
	slurperClass.New, slurperClassic.New = make, make
	slurperClass.Methods = Methods{
		"parseText": method(1, 1, func(c *Call) (Value, error) {
			if c.Args[0] == nil || c.Str(0) == "" {
				return nil, throw("java.lang.IllegalArgumentException", "Text must not be null or empty")
			}
			return parseJSON(c.Str(0))
		}),
		"parse": method(1, 2, func(c *Call) (Value, error) {
			switch x := c.Args[0].(type) {
			case *Bytes:
				cs, err := charset(c, 1)
				if err != nil {
					return nil, err
				}
				return parseJSON(cs.Decode(x.B))
			case *file:
				b, err := x.read(c.Run)
				if err != nil {
					return nil, err
				}
				return parseJSON(string(b))
			case *reader:
				return parseJSON(x.rest())
			}
			return parseJSON(groovyString(c.Args[0]))
		}),
		"setType": method(1, 1, func(c *Call) (Value, error) { return c.Self, nil }),
	}
	pretty := func(v Value) (Value, error) {
		s, err := toJSON(v)
		if err != nil {
			return nil, err
		}
		return prettyJSON(s), nil
	}
	jsonOutputClass.Static = Methods{
		"toJson":      method(1, 1, func(c *Call) (Value, error) { return errValue(toJSON(c.Args[0])) }),
		"prettyPrint": method(1, 1, func(c *Call) (Value, error) { return prettyJSON(c.Str(0)), nil }),
	}
	jsonBuilderClass.New = method(0, 1, func(c *Call) (Value, error) {
		b := &jsonBuilder{}
		if c.N() == 1 {
			b.content = c.Args[0]
		}
		return b, nil
	})
	b := func(c *Call) *jsonBuilder { return c.Self.(*jsonBuilder) }
	jsonBuilderClass.Methods = Methods{
		"toString":       method(0, 0, func(c *Call) (Value, error) { return errValue(toJSON(b(c).content)) }),
		"toPrettyString": method(0, 0, func(c *Call) (Value, error) { return pretty(b(c).content) }),
		"getContent":     method(0, 0, func(c *Call) (Value, error) { return b(c).content, nil }),
		"writeTo": method(1, 1, func(c *Call) (Value, error) {
			s, err := toJSON(b(c).content)
			if err != nil {
				return nil, err
			}
			return c.Run.invoke(c.Args[0], "write", []Value{s})
		}),
	}
}

// jsonParser reads JSON as JsonSlurper does: members in order, whole numbers as Integer, Long or BigInteger,
// others as BigDecimal.
type jsonParser struct {
	s     string
	at    int
	depth int
}

func parseJSON(s string) (Value, error) {
	p := &jsonParser{s: s}
	p.blank()
	if p.at == len(s) {
		return nil, throw("java.lang.IllegalArgumentException", "Text must not be null or empty")
	}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	if p.blank(); p.at < len(s) {
		return nil, p.unexpected()
	}
	return v, nil
}

func (p *jsonParser) blank() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *jsonParser) unexpected() error {
	if p.at >= len(p.s) {
		return jsonFault("Unexpected end of the text")
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.at:])
	line := strings.Count(p.s[:p.at], "\n") + 1
	return jsonFault("Unable to determine the current character, it is not a string, number, array, or object\n\nThe current character read is '%c' with an int value of %d\nline number %d\nindex number %d", r, r, line, p.at)
}

func (p *jsonParser) value() (Value, error) {
	if p.depth++; p.depth > 1000 {
		return nil, jsonFault("nested too deeply")
	}
	defer func() { p.depth-- }()
	p.blank()
	if p.at >= len(p.s) {
		return nil, p.unexpected()
	}
	switch c := p.s[p.at]; {
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '"':
		return p.text()
	case c == '-' || isDigit(c):
		return p.number()
	}
	for word, v := range map[string]Value{"true": true, "false": false, "null": nil} {
		if strings.HasPrefix(p.s[p.at:], word) {
			p.at += len(word)
			return v, nil
		}
	}
	return nil, p.unexpected()
}

func (p *jsonParser) object() (Value, error) {
	m := NewMap()
	p.at++
	if p.blank(); p.at < len(p.s) && p.s[p.at] == '}' {
		p.at++
		return m, nil
	}
	for {
		if p.blank(); p.at >= len(p.s) || p.s[p.at] != '"' {
			return nil, p.unexpected()
		}
		k, err := p.text()
		if err != nil {
			return nil, err
		}
		if p.blank(); p.at >= len(p.s) || p.s[p.at] != ':' {
			return nil, p.unexpected()
		}
		p.at++
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		m.Put(k, v)
		if more, err := p.more('}'); err != nil || !more {
			return m, err
		}
	}
}

func (p *jsonParser) array() (Value, error) {
	list := []Value{}
	p.at++
	if p.blank(); p.at < len(p.s) && p.s[p.at] == ']' {
		p.at++
		return NewList(), nil
	}
	for {
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if more, err := p.more(']'); err != nil || !more {
			return NewList(list...), err
		}
	}
}

// more reads a comma, or the end.
func (p *jsonParser) more(end byte) (bool, error) {
	p.blank()
	if p.at >= len(p.s) || p.s[p.at] != ',' && p.s[p.at] != end {
		return false, p.unexpected()
	}
	p.at++
	return p.s[p.at-1] == ',', nil
}

func (p *jsonParser) text() (string, error) {
	var b strings.Builder
	for i := p.at + 1; i < len(p.s); i++ {
		c := p.s[i]
		switch {
		case c == '"':
			p.at = i + 1
			return b.String(), nil
		case c == '\\' && i+1 < len(p.s):
			i++
			if k := strings.IndexByte(`"\/bfnrt`, p.s[i]); k >= 0 {
				b.WriteByte("\"\\/\b\f\n\r\t"[k])
				continue
			}
			if p.s[i] == 'u' {
				units, n := hexUnits(p.s[i-1:])
				if n > 0 {
					b.WriteString(java.FromUnits(units))
					i += n - 2
					continue
				}
			}
			p.at = i
			return "", p.unexpected()
		default:
			b.WriteByte(c)
		}
	}
	p.at = len(p.s)
	return "", p.unexpected()
}

// hexUnits reads \uXXXX one after the other and says how many bytes they take.
func hexUnits(s string) (units []uint16, n int) {
	for len(s) >= n+6 && s[n] == '\\' && s[n+1] == 'u' {
		v, err := strconv.ParseUint(s[n+2:n+6], 16, 16)
		if err != nil {
			break
		}
		units = append(units, uint16(v))
		n += 6
	}
	return units, n
}

func (p *jsonParser) number() (Value, error) {
	start := p.at
	for p.at < len(p.s) && strings.IndexByte("+-.eE0123456789", p.s[p.at]) >= 0 {
		p.at++
	}
	s := p.s[start:p.at]
	if !strings.ContainsAny(s, ".eE") {
		n, ok := parseBig(s, 10)
		switch {
		case !ok:
			p.at = start
			return nil, p.unexpected()
		case n.IsInt64() && n.Int64() == int64(int32(n.Int64())):
			return int32(n.Int64()), nil
		case n.IsInt64():
			return n.Int64(), nil
		}
		return n, nil
	}
	d, err := java.ParseDecimal(s)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// toJSON is JsonOutput.toJson: characters outside ASCII are escaped, the slash is not.
func toJSON(v Value) (string, error) {
	var b strings.Builder
	if err := writeJSON(&b, v, 0); err != nil {
		return "", err
	}
	return b.String(), nil
}

func writeJSON(b *strings.Builder, v Value, depth int) error {
	if depth > maxTextDepth {
		return throw("java.lang.StackOverflowError", "")
	}
	list := func(items []Value) error {
		b.WriteByte('[')
		for i, e := range items {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeJSON(b, e, depth+1); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	switch x := v.(type) {
	case nil:
		b.WriteString("null")
	case bool, int32, int64, int16, int8, *big.Int, java.Decimal:
		b.WriteString(javaString(x))
	case float64, float32:
		if f := toDouble(x); f != f || f-f != 0 {
			return jsonFault("Number value with an unhandled format: %s", javaString(x))
		}
		b.WriteString(javaString(x))
	case string:
		quoteJSON(b, x)
	case *Map:
		b.WriteByte('{')
		for i, e := range x.entries() {
			if i > 0 {
				b.WriteByte(',')
			}
			if e.Key == nil {
				return throw("java.lang.IllegalArgumentException", "Maps with null keys can't be converted to JSON")
			}
			quoteJSON(b, groovyString(e.Key))
			b.WriteByte(':')
			if err := writeJSON(b, e.Value, depth+1); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case *Date:
		quoteJSON(b, string(mustSimple("yyyy-MM-dd'T'HH:mm:ssZ").Append(nil, x.T.UTC(), java.JMeter)))
	case *jsonBuilder:
		return writeJSON(b, x.content, depth+1)
	default:
		if items, ok := items(v); ok {
			return list(items)
		}
		quoteJSON(b, groovyString(v))
	}
	return nil
}

func quoteJSON(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strings.ContainsRune("\b\f\n\r\t", r):
			b.WriteByte('\\')
			b.WriteByte("bfnrt"[strings.IndexRune("\b\f\n\r\t", r)])
		case r > 0xFFFF:
			b.WriteString(`\u` + hex4(0xD800+(r-0x10000)>>10) + `\u` + hex4(0xDC00+(r-0x10000)&0x3FF))
		case r < ' ' || r > 0x7E:
			b.WriteString(`\u` + hex4(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

func hex4(r rune) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", max(4-len(s), 0)) + s
}

// prettyJSON is JsonOutput.prettyPrint: an empty object or array takes two lines.
func prettyJSON(s string) string {
	var b strings.Builder
	indent := 0
	line := func() { b.WriteString("\n" + strings.Repeat("    ", max(indent, 0))) }
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"':
			j := i + 1
			for j < len(s) && s[j] != '"' {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j, len(s)-1)
			b.WriteString(s[i : j+1])
			i = j
		case '{', '[':
			b.WriteByte(c)
			indent++
			line()
		case '}', ']':
			indent--
			line()
			b.WriteByte(c)
		case ',':
			b.WriteByte(c)
			line()
		case ':':
			b.WriteString(": ")
		case ' ', '\n', '\t', '\r':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
