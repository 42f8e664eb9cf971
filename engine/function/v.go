package function

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__V", Title: "the variable of a name that is put together", Args: "name, default=name",
		Min: 1, Max: 2, Compile: compileV,
	})
}

func compileV(c *expr.Call) (expr.Eval, error) {
	name, def, other := c.Arg(0), c.Arg(1), len(c.Args) > 1
	ref := vu.NoRef
	if name.IsConst() {
		ref = c.Names.Ref(name.Source())
	}
	return func(dst []byte, t *vu.Thread) []byte {
		n := name.Eval(t)
		d := n
		if other {
			d = def.Eval(t)
		}
		if t.Vars == nil {
			return append(dst, d...)
		}
		v, ok := "", false
		if ref != vu.NoRef {
			v, ok = t.Vars.GetRef(ref)
		} else {
			v, ok = t.Vars.Get(n)
		}
		if !ok {
			v = d
		}
		return append(dst, v...)
	}, nil
}
