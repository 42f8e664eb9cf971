package script

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// writer turns values into text, Java's way or Groovy's: {a=1} or [a:1]. A collection that holds
// itself ends at a depth where Java would run out of stack.
type writer struct {
	b      strings.Builder
	groovy bool
	depth  int
}

const maxTextDepth = 200

// javaString is Java's toString of a value, "null" for null.
func javaString(v Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	w := writer{}
	w.value(v)
	return w.b.String()
}

// groovyString is how Groovy shows a value in a GString, in print and in join.
func groovyString(v Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	w := writer{groovy: true}
	w.value(v)
	return w.b.String()
}

func (w *writer) value(v Value) {
	if w.depth++; w.depth > maxTextDepth {
		w.b.WriteString("(...)")
		w.depth--
		return
	}
	defer func() { w.depth-- }()
	switch x := v.(type) {
	case nil:
		w.b.WriteString("null")
	case string:
		w.b.WriteString(x)
	case bool:
		w.b.WriteString(strconv.FormatBool(x))
	case int32:
		w.b.WriteString(strconv.Itoa(int(x)))
	case int64:
		w.b.WriteString(strconv.FormatInt(x, 10))
	case float64:
		w.b.WriteString(java.FormatDouble(x))
	case float32:
		w.b.WriteString(java.FormatFloat(x))
	case *Throwable:
		w.b.WriteString(x.Error())
	case *List:
		all := x.all()
		if x.span && len(all) > 0 && (w.groovy || w.depth == 1) {
			w.value(all[0])
			w.b.WriteString("..")
			w.value(all[len(all)-1])
			return
		}
		w.items(all, x)
	case *Set:
		w.items(x.items(), x)
	case *Map:
		w.entries(x)
	case *Entry:
		w.value(x.Key)
		w.b.WriteByte('=')
		w.value(x.Value)
	case *Range:
		if w.groovy || w.depth == 1 {
			w.value(x.at(0))
			w.b.WriteString("..")
			w.value(x.at(x.len() - 1))
		} else {
			w.items(mustItems(x), x)
		}
	case *Array:
		switch {
		case !w.groovy:
			w.b.WriteString(descriptor(x.Elem) + "@" + hexIdentity(x))
		case x.Elem == "char":
			for _, c := range x.Items {
				w.value(c)
			}
		default:
			w.items(x.Items, x)
		}
	case *Bytes:
		if w.groovy {
			w.items(mustItems(x), x)
		} else {
			w.b.WriteString("[B@" + hexIdentity(x))
		}
	case fmt.Stringer:
		w.b.WriteString(x.String())
	case Object:
		w.b.WriteString(x.JavaClass().Name + "@" + hexIdentity(x))
	default:
		fmt.Fprint(&w.b, v)
	}
}

// maxText bounds the text of a collection.
const maxText = 64 << 20

func (w *writer) items(items []Value, self Value) {
	w.b.WriteByte('[')
	for i, v := range items {
		if i > 0 {
			w.b.WriteString(", ")
		}
		if w.b.Len() > maxText {
			break
		}
		if v == self {
			w.b.WriteString("(this Collection)")
			continue
		}
		w.value(v)
	}
	w.b.WriteByte(']')
}

func (w *writer) entries(m *Map) {
	open, colon, shut := byte('{'), byte('='), byte('}')
	if w.groovy {
		open, colon, shut = '[', ':', ']'
	}
	w.b.WriteByte(open)
	for i, e := range m.entries() {
		if i > 0 {
			w.b.WriteString(", ")
		}
		if w.b.Len() > maxText {
			break
		}
		w.value(e.Key)
		w.b.WriteByte(colon)
		if e.Value == Value(m) {
			w.b.WriteString("(this Map)")
			continue
		}
		w.value(e.Value)
	}
	if w.groovy && m.Len() == 0 {
		w.b.WriteByte(colon)
	}
	w.b.WriteByte(shut)
}

func hexIdentity(v any) string { return strconv.FormatUint(uint64(identity(v)), 16) }

// descriptor is how Java names the class of an array: [I, [Ljava.lang.String;
func descriptor(elem string) string {
	if inner, ok := strings.CutSuffix(elem, "[]"); ok {
		return "[" + descriptor(inner)
	}
	if p, ok := primitives[elem]; ok {
		return map[string]string{"int": "[I", "long": "[J", "double": "[D", "float": "[F", "short": "[S", "byte": "[B", "boolean": "[Z", "char": "[C"}[p.Name]
	}
	return "[L" + elem + ";"
}
