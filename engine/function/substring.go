package function

import (
	"strconv"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__strLen", Title: "length of a text in UTF-16 units", Args: "text, var?",
		Min: 1, Max: -1, Plugin: true, Compile: compileStrLen,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__substring", Title: "part of a text", Args: "text, begin, end, var?",
		Min: 3, Max: -1, Plugin: true, Compile: compileSubstring,
	})
}

func compileStrLen(c *expr.Call) (expr.Eval, error) {
	text, variable := c.Arg(0), newTarget(c, 1, anyName)
	return func(dst []byte, t *vu.Thread) []byte {
		from := len(dst)
		return variable.keep(strconv.AppendInt(dst, int64(java.Length(text.Eval(t))), 10), from, t)
	}, nil
}

func compileSubstring(c *expr.Call) (expr.Eval, error) {
	text, begin, end, variable := c.Arg(0), c.Arg(1), c.Arg(2), newTarget(c, 3, anyName)
	return func(dst []byte, t *vu.Thread) []byte {
		s := text.Eval(t)
		b, e := mustInt(java.Trim(begin.Eval(t))), mustInt(java.Trim(end.Eval(t)))
		part, ok := java.Substring(s, int(b), int(e))
		if !ok {
			throw("java.lang.StringIndexOutOfBoundsException", "begin %d, end %d, length %d", b, e, java.Length(s))
		}
		return variable.yield(dst, t, part)
	}, nil
}
