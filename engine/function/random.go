package function

import (
	"strconv"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__Random", Title: "a number between two, both included", Args: "min, max, var?",
		Min: 2, Max: 3, Compile: compileRandom,
	})
}

func compileRandom(c *expr.Call) (expr.Eval, error) {
	low, high, variable := c.Arg(0), c.Arg(1), newTarget(c, 2, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		from := mustLong(java.Trim(low.Eval(t)))
		// Beyond the highest long the bound wraps and is refused, as in Java.
		bound := mustLong(java.Trim(high.Eval(t))) + 1
		if from >= bound {
			throwArgument("bound must be greater than origin")
		}
		n := from + int64(t.Rand.Uint64N(uint64(bound)-uint64(from)))
		at := len(dst)
		return variable.keep(strconv.AppendInt(dst, n, 10), at, t)
	}, nil
}
