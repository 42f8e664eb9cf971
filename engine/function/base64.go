package function

import (
	"encoding/base64"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__base64Encode", Title: "a text in Base64", Args: "text, var?",
		Min: 1, Max: 2, Plugin: true, Compile: compileBase64Encode,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__base64Decode", Title: "the text that Base64 stands for", Args: "text, var?",
		Min: 1, Max: 2, Plugin: true, Compile: compileBase64Decode,
	})
}

func compileBase64Encode(c *expr.Call) (expr.Eval, error) {
	text, variable := c.Arg(0), newTarget(c, 1, exact)
	return func(dst []byte, t *vu.Thread) []byte {
		from := len(dst)
		return variable.keep(base64.StdEncoding.AppendEncode(dst, []byte(text.Eval(t))), from, t)
	}, nil
}

func compileBase64Decode(c *expr.Call) (expr.Eval, error) {
	text, variable := c.Arg(0), newTarget(c, 1, exact)
	return func(dst []byte, t *vu.Thread) []byte {
		return variable.yield(dst, t, java.UTF8.Decode(decodeBase64(text.Eval(t))))
	}, nil
}

// decodeBase64 takes both alphabets of RFC 4648 and skips what is in neither, up to
// the first sign of equality. Bits that make no whole byte are lost.
func decodeBase64(s string) []byte {
	var out []byte
	var bits, n uint
	for i := 0; i < len(s) && s[i] != '='; i++ {
		v, ok := sextet(s[i])
		if !ok {
			continue
		}
		bits, n = bits<<6|v, n+6
		if n >= 8 {
			n -= 8
			out = append(out, byte(bits>>n))
			bits &= 1<<n - 1
		}
	}
	return out
}

func sextet(c byte) (v uint, ok bool) {
	switch {
	case c >= 'A' && c <= 'Z':
		return uint(c - 'A'), true
	case c >= 'a' && c <= 'z':
		return uint(c-'a') + 26, true
	case c >= '0' && c <= '9':
		return uint(c-'0') + 52, true
	case c == '+' || c == '-':
		return 62, true
	case c == '/' || c == '_':
		return 63, true
	}
	return 0, false
}
