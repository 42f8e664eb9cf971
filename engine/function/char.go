package function

import (
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__char", Title: "the characters of numbers", Args: "number, number, ...",
		Min: 1, Max: -1, Compile: compileChar,
	})
}

// compileChar makes a UTF-16 unit of each number; what is no number is left out.
func compileChar(c *expr.Call) (expr.Eval, error) {
	numbers := c.Args
	return func(dst []byte, t *vu.Thread) []byte {
		var units []uint16
		for _, x := range numbers {
			s := java.Trim(x.Eval(t))
			n, err := java.Decode(s, 64)
			if err != nil {
				warnf(t, "CharFunction", "Failed to parse %s: %v", s, err)
				continue
			}
			units = append(units, uint16(n))
		}
		return append(dst, java.FromUnits(units)...)
	}, nil
}
