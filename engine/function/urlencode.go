package function

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__urlencode", Title: "form-encodes a text", Args: "text",
		Min: 1, Max: 1, Compile: compileURLEncode,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__urldecode", Title: "decodes a form-encoded text", Args: "text",
		Min: 1, Max: 1, Compile: compileURLDecode,
	})
}

func compileURLEncode(c *expr.Call) (expr.Eval, error) {
	text := c.Arg(0)
	return func(dst []byte, t *vu.Thread) []byte { return java.AppendURLEncoded(dst, text.Eval(t), java.UTF8) }, nil
}

func compileURLDecode(c *expr.Call) (expr.Eval, error) {
	return converted(c.Arg(0), func(s string) (string, error) { return java.URLDecode(s, java.UTF8) }), nil
}

// converted makes the call of a function that is nothing but a conversion of its
// argument, the errors of which are thrown.
func converted(x expr.Text, convert func(string) (string, error)) expr.Eval {
	return func(dst []byte, t *vu.Thread) []byte {
		s, err := convert(x.Eval(t))
		if err != nil {
			throwJava(err)
		}
		return append(dst, s...)
	}
}
