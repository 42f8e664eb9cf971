package function

import (
	"unicode"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__changeCase", Title: "a text in capitals, small letters or with a capital in front",
		Args: "text, UPPER or LOWER or CAPITALIZE=UPPER, var?", Min: 1, Max: 3, Compile: compileChangeCase,
	})
	for name, change := range map[string]func(string) string{"__uppercase": java.ToUpper, "__lowercase": java.ToLower} {
		expr.RegisterFunc(expr.Func{
			Name: name, Title: "a text in " + name[2:], Args: "text, var?", Min: 1, Max: -1, Plugin: true,
			Compile: func(c *expr.Call) (expr.Eval, error) {
				text, variable := c.Arg(0), newTarget(c, 1, anyName)
				return func(dst []byte, t *vu.Thread) []byte {
					return variable.yield(dst, t, change(text.Eval(t)))
				}, nil
			},
		})
	}
}

func compileChangeCase(c *expr.Call) (expr.Eval, error) {
	text, mode, variable := c.Arg(0), c.Arg(1), newTarget(c, 2, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		s, m := text.Eval(t), mode.Eval(t)
		switch java.ToUpper(m) {
		case "", "UPPER":
			s = java.ToUpper(s)
		case "LOWER":
			s = java.ToLower(s)
		case "CAPITALIZE":
			s = capitalize(s)
		default:
			errorf(t, "ChangeCase", "Unknown mode %s, returning %s unchanged", m, s)
		}
		return variable.yield(dst, t, s)
	}, nil
}

// capitalize changes the first character only.
func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || r == 'ß' { // which has no capital of one character in Java
		return s
	}
	return string(unicode.ToTitle(r)) + s[n:]
}
