package function

import (
	"strconv"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__isPropDefined", Title: "whether a property is set", Args: "name",
		Min: 1, Max: 1, Compile: compileIsPropDefined,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__isVarDefined", Title: "whether a variable is set", Args: "name",
		Min: 1, Max: 1, Compile: compileIsVarDefined,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__isDefined", Title: "1 when a variable is set, else 0", Args: "name",
		Min: 1, Max: -1, Plugin: true, Compile: compileIsDefined,
	})
}

func compileIsPropDefined(c *expr.Call) (expr.Eval, error) {
	name := c.Arg(0)
	return func(dst []byte, t *vu.Thread) []byte {
		_, ok := t.Run.Props.Lookup(name.Eval(t))
		return strconv.AppendBool(dst, ok)
	}, nil
}

func compileIsVarDefined(c *expr.Call) (expr.Eval, error) {
	name := c.Arg(0)
	return func(dst []byte, t *vu.Thread) []byte {
		return strconv.AppendBool(dst, isSet(t, name.Eval(t)))
	}, nil
}

func compileIsDefined(c *expr.Call) (expr.Eval, error) {
	name := c.Arg(0)
	return func(dst []byte, t *vu.Thread) []byte {
		if isSet(t, java.Trim(name.Eval(t))) {
			return append(dst, '1')
		}
		return append(dst, '0')
	}, nil
}

func isSet(t *vu.Thread, name string) bool {
	if t.Vars == nil {
		return false
	}
	_, ok := t.Vars.Get(name)
	return ok
}
