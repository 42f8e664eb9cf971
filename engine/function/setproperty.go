package function

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__setProperty", Title: "sets a property", Args: "name, value, return the old value=false",
		Min: 2, Max: 3, Compile: compileSetProperty,
	})
}

func compileSetProperty(c *expr.Call) (expr.Eval, error) {
	name, value, old := c.Arg(0), c.Arg(1), expr.NewBool(c.Arg(2))
	return func(dst []byte, t *vu.Thread) []byte {
		n, v, back := name.Eval(t), value.Eval(t), old.Eval(t)
		was, ok := t.Run.Props.LookupOwn(n)
		t.Run.Props.Set(n, v)
		switch {
		case !back:
			return dst
		case !ok:
			return append(dst, "null"...)
		}
		return append(dst, was...)
	}, nil
}
