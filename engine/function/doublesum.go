package function

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__doubleSum", Title: "sum of doubles", Args: "n1, n2, ..., n or var",
		Min: 2, Max: -1, Plugin: true, Compile: compileDoubleSum,
	})
}

func compileDoubleSum(c *expr.Call) (expr.Eval, error) {
	add, last := sumArgs(c, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		name := last.eval(t)
		var sum float64
		for _, x := range add {
			n, err := java.ParseDouble(x.Eval(t))
			if err != nil {
				throwJava(err)
			}
			sum += n
		}
		from := len(dst)
		n, err := java.ParseDouble(name)
		if err == nil {
			return java.AppendDouble(dst, sum+n)
		}
		dst = java.AppendDouble(dst, sum)
		last.putAs(t, name, string(dst[from:]))
		return dst
	}, nil
}
