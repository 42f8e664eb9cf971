package function

import (
	"strconv"
	"sync/atomic"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__counter", Title: "counts its calls, from 1", Args: "per thread, var?",
		Min: 1, Max: 2, Compile: compileCounter,
	})
}

// compileCounter makes two counts, one of all threads and one of each, because
// the argument that chooses may change. They are Java ints and wrap as such.
func compileCounter(c *expr.Call) (expr.Eval, error) {
	perThread, variable := expr.NewBool(c.Arg(0)), newTarget(c, 1, trimmed)
	all := new(atomic.Int32)
	own := func(*vu.Thread) *int32 { return nil }
	if c.Live {
		var n int32
		own = func(*vu.Thread) *int32 { return &n }
	} else if !perThread.IsConst() || truth(perThread.Source()) {
		own = vu.NewSlot[int32](c.Slots).Of
	}
	return func(dst []byte, t *vu.Thread) []byte {
		var n int32
		if perThread.Eval(t) {
			p := own(t)
			*p++
			n = *p
		} else {
			n = all.Add(1)
		}
		from := len(dst)
		return variable.keep(strconv.AppendInt(dst, int64(n), 10), from, t)
	}, nil
}
