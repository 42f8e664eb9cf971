package function

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__P", Title: "a property, or 1", Args: "name, default=1",
		Min: 1, Max: 2, Compile: compileP,
	})
}

func compileP(c *expr.Call) (expr.Eval, error) {
	name, def := c.Arg(0), expr.Const("1")
	if len(c.Args) > 1 {
		def = c.Args[1]
	}
	c.Settle()
	return func(dst []byte, t *vu.Thread) []byte {
		return append(dst, property(t, name.Eval(t), def.Eval(t))...)
	}, nil
}

// property returns a property or its default, trimmed.
func property(t *vu.Thread, name, def string) string {
	if v, ok := t.Run.Props.Lookup(name); ok {
		return java.Trim(v)
	}
	return java.Trim(def)
}
