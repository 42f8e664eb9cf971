package function

import (
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__strReplace", Title: "a text with all occurrences of another replaced", Args: "text, search, replacement, var?",
		Min: 3, Max: -1, Plugin: true, Compile: compileReplace,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__strReplaceRegex", Title: "a text with all matches of a Java expression replaced", Args: "text, expression, replacement, var?",
		Min: 3, Max: -1, Plugin: true, Compile: compileReplaceRegex,
	})
}

func compileReplace(c *expr.Call) (expr.Eval, error) {
	text, search, by, variable := c.Arg(0), c.Arg(1), c.Arg(2), newTarget(c, 3, exact)
	return func(dst []byte, t *vu.Thread) []byte {
		return variable.yield(dst, t, strings.ReplaceAll(text.Eval(t), search.Eval(t), by.Eval(t)))
	}, nil
}

func compileReplaceRegex(c *expr.Call) (expr.Eval, error) {
	text, search, by, variable := c.Arg(0), c.Arg(1), c.Arg(2), newTarget(c, 3, exact)
	patterns := patternsOf(c, regex.Java)
	return func(dst []byte, t *vu.Thread) []byte {
		s, pattern, replacement := text.Eval(t), search.Eval(t), by.Eval(t)
		re, err := patterns.Get(pattern)
		if err != nil {
			throw("java.util.regex.PatternSyntaxException", "%v", err)
		}
		from, at := len(dst), 0
		for m := re.NextString(nil, s); len(m) > 0; m = re.NextString(m, s) {
			dst = append(dst, s[at:m[0]]...)
			dst = appendReplacement(dst, s, m, replacement)
			at = m[1]
		}
		return variable.keep(append(dst, s[at:]...), from, t)
	}, nil
}

// appendReplacement is java.util.regex.Matcher's: $n is a group, as many digits as
// there are groups for, and a backslash takes its meaning from what follows.
func appendReplacement(dst []byte, s string, m []int, by string) []byte {
	for i := 0; i < len(by); i++ {
		switch by[i] {
		case '\\':
			if i++; i == len(by) {
				throwArgument("character to be escaped is missing")
			}
			dst = append(dst, by[i])
		case '$':
			n, digits := 0, 0
			for _, c := range []byte(by[i+1:]) {
				if c < '0' || c > '9' || digits > 0 && 2*(n*10+int(c-'0')) >= len(m) {
					break
				}
				n = n*10 + int(c-'0')
				digits++
			}
			switch {
			case digits == 0:
				throwArgument("Illegal group reference")
			case 2*n >= len(m):
				throw("java.lang.IndexOutOfBoundsException", "No group %d", n)
			case m[2*n] >= 0:
				dst = append(dst, s[m[2*n]:m[2*n+1]]...)
			}
			i += digits
		default:
			dst = append(dst, by[i])
		}
	}
	return dst
}
