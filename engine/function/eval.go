package function

import (
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__eval", Title: "evaluates the references in the value of a text", Args: "text",
		Min: 1, Max: 1, Compile: compileEval,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__evalVar", Title: "evaluates the references in the value of a variable", Args: "variable name",
		Min: 1, Max: 1, Compile: compileEvalVar,
	})
}

func compileEval(c *expr.Call) (expr.Eval, error) {
	text, again := c.Arg(0), reader(c)
	return func(dst []byte, t *vu.Thread) []byte { return again(dst, t, text.Eval(t)) }, nil
}

func compileEvalVar(c *expr.Call) (expr.Eval, error) {
	name, again := c.Arg(0), reader(c)
	return func(dst []byte, t *vu.Thread) []byte {
		if t.Vars == nil {
			return dst
		}
		text, _ := t.Vars.Get(name.Eval(t))
		return again(dst, t, text)
	}, nil
}

type evalKey struct{}

// maxEval bounds evaluations inside evaluations. A variable that evaluates itself
// never ends; JMeter then loses the thread by a stack overflow.
const maxEval = 200

// reader returns what appends the value of a text that is only known now. A text
// that does not parse has none. Functions in it are new each time: a counter
// starts again at 1.
func reader(c *expr.Call) func([]byte, *vu.Thread, string) []byte {
	c.NeedPrev() // the text may ask for the previous result
	compiler := c.During()
	depths := runShared(c, evalKey{}, func() vu.Slot[int] { return vu.NewSlot[int](c.Slots) })
	return func(dst []byte, t *vu.Thread, src string) []byte {
		if !strings.ContainsAny(src, `$\`) {
			return append(dst, src...)
		}
		text, err := compiler.Argument(src)
		if err != nil {
			return dst
		}
		depth := depths.Of(t)
		if *depth == maxEval {
			errorf(t, "EvalFunction", "java.lang.StackOverflowError: %s", src)
			vu.Throw(vu.ErrStopThread)
		}
		*depth++
		defer func() { *depth-- }()
		return text.Append(dst, t)
	}
}
