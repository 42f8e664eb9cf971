package function

import (
	"os"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__env", Title: "a variable of the environment", Args: "name, var?, default=name",
		Min: 1, Max: 3, Plugin: true, Compile: compileEnv,
	})
}

func compileEnv(c *expr.Call) (expr.Eval, error) {
	name, variable, def, other := c.Arg(0), newTarget(c, 1, exact), c.Arg(2), len(c.Args) > 2
	return func(dst []byte, t *vu.Thread) []byte {
		n := name.Eval(t)
		d := n
		if other {
			d = def.Eval(t)
		}
		if v, ok := os.LookupEnv(n); ok {
			d = v
		}
		return variable.yield(dst, t, java.Trim(d))
	}, nil
}
