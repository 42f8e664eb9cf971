package xpath

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/query/xml"
)

type function func(c *context, args []Value) (Value, error)

type signature struct {
	min, max int
	do       function
}

// many is the number of arguments where there is no limit.
const many = 1 << 20

// functionNamed returns a function of the core library, XPath 1.0, section 4.
func functionNamed(name string) (signature, bool) {
	switch name {
	case "last":
		return signature{0, 0, func(c *context, _ []Value) (Value, error) { return number64(float64(c.size)), nil }}, true
	case "position":
		return signature{0, 0, func(c *context, _ []Value) (Value, error) { return number64(float64(c.position)), nil }}, true
	case "count":
		return signature{1, 1, onNodes(func(nodes []*xml.Node) Value { return number64(float64(len(nodes))) })}, true
	case "sum":
		return signature{1, 1, onNodes(sum)}, true
	case "id": // needs a DTD that says which attributes are identifiers
		return signature{1, 1, func(*context, []Value) (Value, error) { return Value{}, nil }}, true
	case "local-name":
		return signature{0, 1, onFirst(localName)}, true
	case "namespace-uri":
		return signature{0, 1, onFirst(func(n *xml.Node) string { return n.Space })}, true
	case "name":
		return signature{0, 1, onFirst(func(n *xml.Node) string { return n.Name })}, true
	case "string":
		return signature{0, 1, onText(func(s string) Value { return text(s) })}, true
	case "string-length":
		return signature{0, 1, onText(func(s string) Value { return number64(float64(utf8.RuneCountInString(s))) })}, true
	case "normalize-space":
		return signature{0, 1, onText(func(s string) Value {
			return text(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }), " "))
		})}, true
	case "concat":
		return signature{2, many, concat}, true
	case "starts-with":
		return signature{2, 2, onTwo(func(a, b string) Value { return boolean(strings.HasPrefix(a, b)) })}, true
	case "contains":
		return signature{2, 2, onTwo(func(a, b string) Value { return boolean(strings.Contains(a, b)) })}, true
	case "substring-before":
		return signature{2, 2, onTwo(func(a, b string) Value {
			before, _, ok := strings.Cut(a, b)
			if !ok {
				before = ""
			}
			return text(before)
		})}, true
	case "substring-after":
		return signature{2, 2, onTwo(func(a, b string) Value { _, after, _ := strings.Cut(a, b); return text(after) })}, true
	case "substring":
		return signature{2, 3, substring}, true
	case "translate":
		return signature{3, 3, translate}, true
	case "boolean":
		return signature{1, 1, func(_ *context, a []Value) (Value, error) { return boolean(a[0].Bool()), nil }}, true
	case "not":
		return signature{1, 1, func(_ *context, a []Value) (Value, error) { return boolean(!a[0].Bool()), nil }}, true
	case "true":
		return signature{0, 0, func(*context, []Value) (Value, error) { return boolean(true), nil }}, true
	case "false":
		return signature{0, 0, func(*context, []Value) (Value, error) { return boolean(false), nil }}, true
	case "lang":
		return signature{1, 1, lang}, true
	case "number":
		return signature{0, 1, func(c *context, a []Value) (Value, error) { return number64(self(c, a).Num()), nil }}, true
	case "floor":
		return signature{1, 1, onNumber(math.Floor)}, true
	case "ceiling":
		return signature{1, 1, onNumber(math.Ceil)}, true
	case "round":
		return signature{1, 1, onNumber(func(f float64) float64 { return math.Floor(f + 0.5) })}, true
	}
	return signature{}, false
}

// self is the argument, or the context node where there is none.
func self(c *context, args []Value) Value {
	if len(args) > 0 {
		return args[0]
	}
	return Value{Kind: NodeSet, Nodes: []*xml.Node{c.node}}
}

func onNodes(f func([]*xml.Node) Value) function {
	return func(_ *context, a []Value) (Value, error) {
		if a[0].Kind != NodeSet {
			return Value{}, fail("Can not convert %s to a NodeList!", a[0].Kind)
		}
		return f(a[0].Nodes), nil
	}
}

func onFirst(f func(*xml.Node) string) function {
	return func(c *context, a []Value) (Value, error) {
		v := self(c, a)
		if v.Kind != NodeSet {
			return Value{}, fail("Can not convert %s to a NodeList!", v.Kind)
		}
		if len(v.Nodes) == 0 {
			return text(""), nil
		}
		return text(f(v.Nodes[0])), nil
	}
}

func onText(f func(string) Value) function {
	return func(c *context, a []Value) (Value, error) { return f(self(c, a).String()), nil }
}

func onTwo(f func(a, b string) Value) function {
	return func(_ *context, a []Value) (Value, error) { return f(a[0].String(), a[1].String()), nil }
}

func onNumber(f func(float64) float64) function {
	return func(_ *context, a []Value) (Value, error) { return number64(f(a[0].Num())), nil }
}

func sum(nodes []*xml.Node) Value {
	total := 0.0
	for _, n := range nodes {
		total += text(n.StringValue()).Num()
	}
	return number64(total)
}

// localName drops a prefix even where the document was read without namespaces.
func localName(n *xml.Node) string {
	if _, local, ok := strings.Cut(n.Name, ":"); ok && n.Kind != xml.Instruction {
		return local
	}
	return n.Name
}

func concat(_ *context, a []Value) (Value, error) {
	var b strings.Builder
	for _, v := range a {
		b.WriteString(v.String())
	}
	return text(b.String()), nil
}

func substring(_ *context, a []Value) (Value, error) {
	first := math.Floor(a[1].Num() + 0.5)
	last := math.Inf(1)
	if len(a) > 2 {
		last = first + math.Floor(a[2].Num()+0.5)
	}
	var b strings.Builder
	at := 0.0
	for _, r := range a[0].String() {
		if at++; at >= first && at < last {
			b.WriteRune(r)
		}
	}
	return text(b.String()), nil
}

func translate(_ *context, a []Value) (Value, error) {
	from, to := []rune(a[1].String()), []rune(a[2].String())
	return text(strings.Map(func(r rune) rune {
		for i, f := range from {
			if f != r {
				continue
			}
			if i < len(to) {
				return to[i]
			}
			return -1
		}
		return r
	}, a[0].String())), nil
}

func lang(c *context, a []Value) (Value, error) {
	want := strings.ToLower(a[0].String())
	for n := c.node; n != nil; n = n.Parent {
		for _, attr := range n.Attrs {
			if attr.Name == "xml:lang" {
				got := strings.ToLower(attr.Value)
				return boolean(got == want || strings.HasPrefix(got, want+"-")), nil
			}
		}
	}
	return boolean(false), nil
}
