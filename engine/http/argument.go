package http

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// argument is one row of the parameters table.
type argument struct {
	name, value, metadata expr.Text
	encode                expr.Bool // HTTPArgument.always_encode
	contentType           expr.Text // of its part of a multipart body
}

// readArguments reads HTTPsampler.Arguments.
func readArguments(p *elem.Props, dst *[]argument) {
	*dst = nil
	p.Elem("HTTPsampler.Arguments", "parameters, or the parts of the body", func(m *elem.Props) {
		m.Each("Arguments.arguments", "rows of name and value", func(m *elem.Props) {
			var a argument
			m.Text(&a.name, "Argument.name", "", "name")
			m.Text(&a.value, "Argument.value", "", "value")
			m.Text(&a.metadata, "Argument.metadata", "", "between name and value in a query")
			m.Bool(&a.encode, "HTTPArgument.always_encode", false, "encode for URLs and forms")
			m.Text(&a.contentType, "HTTPArgument.content_type", "text/plain", "type of the part in a multipart body")
			m.Ignore("HTTPArgument.use_equals", "Argument.desc", "Argument.description")
			*dst = append(*dst, a)
		})
	})
}

func (a *argument) texts() [5]expr.Text {
	return [...]expr.Text{a.name, a.value, a.metadata, a.encode.Text, a.contentType}
}

// appendQuery appends the arguments as a query (JMeter manual, HTTP Request,
// "Send Parameters With the Request"). sep goes before the first one. Without a
// charset, for one that does not exist, values to be encoded are left out.
func appendQuery(dst []byte, args []argument, t *vu.Thread, charset *java.Charset, sep byte) []byte {
	for i := range args {
		a := &args[i]
		encode := a.encode.Eval(t)
		mark := len(dst)
		dst = append(dst, sep)
		start := len(dst)
		if encode {
			dst = java.AppendURLEncoded(dst, a.name.Eval(t), java.UTF8)
		} else {
			dst = a.name.Append(dst, t)
		}
		if len(dst) == start {
			dst = dst[:mark]
			continue
		}
		sep = '&'
		dst = a.metadata.Append(dst, t)
		switch {
		case !encode:
			dst = a.value.Append(dst, t)
		case charset != nil:
			dst = java.AppendURLEncoded(dst, a.value.Eval(t), charset)
		}
	}
	return dst
}

// skippable says that a body leaves the argument out: one without a name, or
// whose name is a variable that is not defined.
func skippable(name string) bool {
	return isBlank(name) || strings.HasPrefix(name, "${") && strings.HasSuffix(name, "}")
}

// appendForm appends the arguments as a form body. Text that is not to be
// encoded is taken for encoded already: it is decoded first.
func appendForm(dst []byte, args []argument, t *vu.Thread, charset *java.Charset) ([]byte, error) {
	sep := false
	for i := range args {
		a := &args[i]
		name := a.name.Eval(t)
		if skippable(name) {
			continue
		}
		value := a.value.Eval(t)
		if !a.encode.Eval(t) {
			var err error
			if name, err = java.URLDecode(name, charset); err == nil {
				value, err = java.URLDecode(value, charset)
			}
			if err != nil {
				return dst, &wire.Error{Class: classArgument, Message: err.Error()}
			}
		}
		if sep {
			dst = append(dst, '&')
		}
		sep = true
		dst = append(appendFormEncoded(dst, name, charset), '=')
		dst = appendFormEncoded(dst, value, charset)
	}
	return dst, nil
}

// appendFormEncoded encodes byte by byte, as HttpClient does for forms; a query,
// which java.net.URLEncoder encodes, differs in charsets whose characters hold
// bytes that are letters of ASCII.
func appendFormEncoded(dst []byte, s string, charset *java.Charset) []byte {
	if charset == java.UTF8 {
		return java.AppendURLEncoded(dst, s, charset)
	}
	const hex = "0123456789ABCDEF"
	for _, c := range charset.Encode(s) {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '-', c == '_', c == '.', c == '*':
			dst = append(dst, c)
		case c == ' ':
			dst = append(dst, '+')
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

// appendRaw appends the values of all arguments as the body. The text is
// UTF-8; the caller encodes it.
func appendRaw(dst []byte, args []argument, t *vu.Thread, charset *java.Charset) []byte {
	for i := range args {
		if a := &args[i]; a.encode.Eval(t) {
			dst = java.AppendURLEncoded(dst, a.value.Eval(t), charset)
		} else {
			dst = a.value.Append(dst, t)
		}
	}
	return dst
}

// nameless says that no argument has a name, and that there are some: their
// values are then the body.
func nameless(args []argument, t *vu.Thread) bool {
	for i := range args {
		if a := &args[i]; a.name.IsConst() && a.name.Source() != "" || !a.name.IsConst() && a.name.Eval(t) != "" {
			return false
		}
	}
	return len(args) > 0
}
