package function

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__split", Title: "splits a text into variables", Args: "text, var, delimiters=comma",
		Min: 2, Max: 3, Compile: compileSplit,
	})
}

// compileSplit sets var, var_n and var_1 to var_n, and unsets only the variable
// after the last.
func compileSplit(c *expr.Call) (expr.Eval, error) {
	text, variable, delimiters := c.Arg(0), c.Arg(1), c.Arg(2)
	return func(dst []byte, t *vu.Thread) []byte {
		s, name, d := text.Eval(t), java.Trim(variable.Eval(t)), delimiters.Eval(t)
		if d == "" {
			d = ","
		}
		if t.Vars != nil {
			parts := splitText(s, d)
			t.Vars.Put(name, s)
			t.Vars.Put(name+"_n", strconv.Itoa(len(parts)))
			for i, p := range parts {
				t.Vars.Put(name+"_"+strconv.Itoa(i+1), p)
			}
			t.Vars.Remove(name + "_" + strconv.Itoa(len(parts)+1))
		}
		return append(dst, s...)
	}, nil
}

// splitText cuts s at every character of delimiters. What is empty after a
// delimiter becomes "?"; before the first one it is nothing.
func splitText(s, delimiters string) []string {
	var parts []string
	after := false
	for s != "" {
		n := strings.IndexAny(s, delimiters)
		switch n {
		case 0:
			if after {
				parts = append(parts, "?")
			}
			after = true
			_, n = utf8.DecodeRuneInString(s)
		case -1:
			n = len(s)
			fallthrough
		default:
			parts = append(parts, s[:n])
			after = false
		}
		s = s[n:]
	}
	if after {
		parts = append(parts, "?")
	}
	return parts
}
