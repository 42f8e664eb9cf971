package function

import (
	"unicode"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	for _, f := range []struct {
		name, title string
		convert     func(string) (string, error)
	}{
		{"__escapeHtml", "escapes a text for HTML 4", sure(java.EscapeHTML)},
		{"__unescapeHtml", "a text without the entities of HTML 4", java.UnescapeHTML},
		{"__escapeXml", "escapes a text for XML 1.0", sure(java.EscapeXML)},
		{"__unescape", "a text without the escapes of Java", java.UnescapeJava},
	} {
		expr.RegisterFunc(expr.Func{
			Name: f.name, Title: f.title, Args: "text", Min: 1, Max: 1,
			Compile: func(c *expr.Call) (expr.Eval, error) { return converted(c.Arg(0), f.convert), nil },
		})
	}
	expr.RegisterFunc(expr.Func{
		Name: "__escapeOroRegexpChars", Title: "a regular expression that matches a text", Args: "text, var?",
		Min: 1, Max: 2, Compile: compileEscapeOro,
	})
}

// sure makes a conversion that cannot fail one that does not.
func sure(f func(string) string) func(string) (string, error) {
	return func(s string) (string, error) { return f(s), nil }
}

func compileEscapeOro(c *expr.Call) (expr.Eval, error) {
	text, variable := c.Arg(0), newTarget(c, 1, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		from := len(dst)
		for _, r := range text.Eval(t) {
			if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				dst = append(dst, '\\')
			}
			dst = utf8.AppendRune(dst, r)
		}
		return variable.keep(dst, from, t)
	}, nil
}
