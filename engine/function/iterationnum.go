package function

import (
	"strconv"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__iterationNum", Title: "number of the thread's iteration, from 1",
		Max: -1, Plugin: true, Compile: func(*expr.Call) (expr.Eval, error) { return iterationNum, nil },
	})
}

func iterationNum(dst []byte, t *vu.Thread) []byte {
	return strconv.AppendInt(dst, int64(t.Iteration), 10)
}
