package function

import (
	"strconv"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__intSum", Title: "sum of ints", Args: "n1, n2, ..., n or var",
		Min: 2, Max: -1, Compile: compileIntSum,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__longSum", Title: "sum of longs", Args: "n1, n2, ..., n or var",
		Min: 2, Max: -1, Compile: compileLongSum,
	})
}

func compileIntSum(c *expr.Call) (expr.Eval, error) {
	add, last := sumArgs(c, anyName)
	return func(dst []byte, t *vu.Thread) []byte {
		name := last.eval(t)
		var sum int32
		for _, x := range add {
			sum += mustInt(x.Eval(t))
		}
		n, isNumber := vu.ParseInt(name)
		from := len(dst)
		dst = strconv.AppendInt(dst, int64(sum+n), 10)
		if !isNumber {
			last.putAs(t, name, string(dst[from:]))
		}
		return dst
	}, nil
}

func compileLongSum(c *expr.Call) (expr.Eval, error) {
	add, last := sumArgs(c, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		name := last.eval(t)
		var sum int64
		for _, x := range add {
			sum += mustLong(x.Eval(t))
		}
		n, isNumber := vu.ParseLong(name)
		from := len(dst)
		dst = strconv.AppendInt(dst, sum+n, 10)
		if !isNumber {
			last.putAs(t, name, string(dst[from:]))
		}
		return dst
	}, nil
}

// sumArgs splits the arguments of a sum: the last is a number or names a variable.
func sumArgs(c *expr.Call, rule targetRule) (add []expr.Text, last target) {
	n := len(c.Args) - 1
	return c.Args[:n], target{name: c.Args[n], ref: vu.NoRef, rule: rule}
}
