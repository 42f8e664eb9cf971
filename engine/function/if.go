package function

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__if", Title: "one of two texts, as two others are equal or not", Args: "actual, expected, then, else, var?",
		Min: 4, Max: -1, Plugin: true, Compile: compileIf,
	})
}

func compileIf(c *expr.Call) (expr.Eval, error) {
	actual, expected, then, other := c.Arg(0), c.Arg(1), c.Arg(2), c.Arg(3)
	variable := newTarget(c, 4, anyName)
	return func(dst []byte, t *vu.Thread) []byte {
		from, choice := len(dst), other
		if actual.Eval(t) == expected.Eval(t) {
			choice = then
		}
		return variable.keep(choice.Append(dst, t), from, t)
	}, nil
}
