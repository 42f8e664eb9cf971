package function

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__property", Title: "a property, or its name", Args: "name, var?, default=name",
		Min: 1, Max: 3, Compile: compileProperty,
	})
}

func compileProperty(c *expr.Call) (expr.Eval, error) {
	name, variable, def := c.Arg(0), newTarget(c, 1, exact), c.Arg(2)
	other := len(c.Args) > 2
	if v := c.Arg(1); v.IsConst() && v.Source() == "" {
		c.Settle() // it sets no variable
	}
	return func(dst []byte, t *vu.Thread) []byte {
		n := name.Eval(t)
		d := n
		if other {
			d = def.Eval(t)
		}
		return variable.yield(dst, t, property(t, n, d))
	}, nil
}
