package function

import (
	"fmt"
	"strconv"
	"time"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__time", Title: "the time, as epoch ms or by a pattern", Args: "pattern or /divisor?, var?",
		Max: 2, Compile: compileTime,
	})
}

// timeAliases are the names of patterns that properties (time.YMD) may change.
var timeAliases = map[string]string{
	"YMD": "yyyyMMdd", "HMS": "HHmmss", "YMDHMS": "yyyyMMdd-HHmmss", "USER1": "", "USER2": "",
}

// compileTime evaluates both arguments here and never again, as JMeter does. A
// pattern that is none fails when it is used.
func compileTime(c *expr.Call) (expr.Eval, error) {
	format := c.Arg(0).Eval(c.Engine)
	variable := constTarget(c, java.Trim(c.Arg(1).Eval(c.Engine)), trimmed)
	if format == "" {
		return timeMillis(variable, 1), nil
	}
	if def, ok := timeAliases[format]; ok {
		format = c.Engine.Run.Props.Get("time."+format, def)
	}
	if isDivisor(format) {
		n, err := java.ParseLong(format[1:], 10)
		if err != nil {
			return thrower(err), nil
		}
		return timeMillis(variable, n), nil
	}
	pattern, err := java.ParsePattern(format)
	if err != nil {
		return thrower(fmt.Errorf("Unable to parse date format %s", format)), nil
	}
	return func(dst []byte, t *vu.Thread) []byte {
		from := len(dst)
		return variable.keep(pattern.Append(dst, time.Now(), java.JMeter), from, t)
	}, nil
}

func timeMillis(variable target, divisor int64) expr.Eval {
	return func(dst []byte, t *vu.Thread) []byte {
		if divisor == 0 {
			throw("java.lang.ArithmeticException", "/ by zero")
		}
		from := len(dst)
		return variable.keep(strconv.AppendInt(dst, time.Now().UnixMilli()/divisor, 10), from, t)
	}
}

func isDivisor(s string) bool {
	if len(s) < 2 || s[0] != '/' {
		return false
	}
	for _, c := range []byte(s[1:]) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// thrower makes a call that always fails.
func thrower(err error) expr.Eval {
	return func(dst []byte, _ *vu.Thread) []byte {
		throwJava(err)
		return dst
	}
}
