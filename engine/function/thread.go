package function

import (
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__threadNum", Title: "number of the thread in its group, from 1",
		Compile: func(*expr.Call) (expr.Eval, error) { return threadNum, nil },
	})
	expr.RegisterFunc(expr.Func{
		Name: "__threadGroupName", Title: "name of the thread group",
		Compile: func(*expr.Call) (expr.Eval, error) { return threadGroupName, nil },
	})
	expr.RegisterFunc(expr.Func{
		Name: "__samplerName", Title: "name of the sampler at hand", Args: "var?",
		Max: 1, Compile: compileSamplerName,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__TestPlanName", Title: "file name of the plan",
		Compile: func(*expr.Call) (expr.Eval, error) { return testPlanName, nil },
	})
}

// threadNum reads the number off the thread's name, as JMeter does: the part of a
// worker in front of it is no matter, and the engine's own thread has number 1.
func threadNum(dst []byte, t *vu.Thread) []byte {
	return append(dst, t.Name[strings.LastIndexByte(t.Name, '-')+1:]...)
}

func threadGroupName(dst []byte, t *vu.Thread) []byte {
	if t.Group == nil {
		return dst
	}
	return append(dst, t.Group.Name...)
}

func testPlanName(dst []byte, t *vu.Thread) []byte { return append(dst, t.Run.PlanFile...) }

type samplerNameKey struct{}

// compileSamplerName names the sampler at hand. In the name of a sampler itself it
// would never end; JMeter then loses the thread by a stack overflow.
func compileSamplerName(c *expr.Call) (expr.Eval, error) {
	variable := newTarget(c, 0, trimmed)
	inside := runShared(c, samplerNameKey{}, func() vu.Slot[bool] { return vu.NewSlot[bool](c.Slots) })
	return func(dst []byte, t *vu.Thread) []byte {
		name := ""
		if t.Sampler != nil {
			name = samplerName(t, inside.Of(t))
		}
		return variable.yield(dst, t, name)
	}, nil
}

func samplerName(t *vu.Thread, inside *bool) string {
	if *inside {
		errorf(t, "SamplerName", "java.lang.StackOverflowError: __samplerName in the name of a sampler")
		vu.Throw(vu.ErrStopThread)
	}
	*inside = true
	defer func() { *inside = false }()
	return t.Sampler.Name(t)
}
