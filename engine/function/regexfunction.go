package function

import (
	"strconv"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/query/regex"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__regexFunction", Title: "what a regular expression finds in the previous response or a variable",
		Args: "expression, template, which=1, between?, default?, var?, input variable?",
		Min:  2, Max: 7, Compile: compileRegexFunction,
	})
}

// regexFunction is one occurrence of the function. Blanks count in all its arguments.
type regexFunction struct {
	pattern, template, which, between, def, name, input expr.Text
	patterns                                            *regex.Cache
	fixed                                               *regex.Regexp // of a pattern that does not change
	bad                                                 error         // it is none
}

func compileRegexFunction(c *expr.Call) (expr.Eval, error) {
	f := &regexFunction{
		pattern: c.Arg(0), template: c.Arg(1), which: c.Arg(2), between: c.Arg(3), def: c.Arg(4),
		name: c.Arg(5), input: c.Arg(6),
	}
	dialect := regex.ORO
	if c.Engine.Run.Props.Get("jmeter.regex.engine", "oro") != "oro" {
		dialect = regex.Java
	}
	f.patterns = patternsOf(c, dialect)
	if f.pattern.IsConst() {
		f.fixed, f.bad = f.patterns.Get(f.pattern.Source())
	}
	c.NeedPrev()
	return f.eval, nil
}

type patternsKey struct{ dialect regex.Dialect }

// patternsOf is the run's cache of the patterns that functions use.
func patternsOf(c *expr.Call, d regex.Dialect) *regex.Cache {
	return runShared(c, patternsKey{d}, func() *regex.Cache { return regex.NewCache(d, 1000) })
}

func (f *regexFunction) eval(dst []byte, t *vu.Thread) []byte {
	template, which, between := f.template.Eval(t), f.which.Eval(t), f.between.Eval(t)
	def, name, input := f.def.Eval(t), f.name.Eval(t), f.input.Eval(t)
	if t.Vars == nil {
		return append(dst, def...)
	}
	if name != "" {
		t.Vars.Put(name, def)
	}
	text := searched(t, input)
	if len(text) == 0 {
		return append(dst, def...)
	}
	re, err := f.regexp(t)
	var matches []int
	stride, count := 1, 0
	if err == nil {
		matches, stride = re.FindAll(nil, text, -1), re.Stride()
		count = len(matches) / stride
	}
	if name != "" {
		t.Vars.Put(name+"_matchNr", strconv.Itoa(count))
	}
	switch {
	case err != nil:
		errorf(t, "RegexFunction", "Malformed pattern: %v", err)
		return dst
	case count == 0:
		return append(dst, def...)
	}
	fill := func(i int) { dst = f.fill(dst, t, template, name, text, matches[i*stride:(i+1)*stride]) }
	switch which {
	case "ALL":
		for i := range count {
			if i > 0 {
				dst = append(dst, between...)
			}
			fill(i)
		}
	case "RAND":
		fill(t.Rand.IntN(count))
	default:
		i, ok := chooseMatch(which, count)
		if !ok {
			return append(dst, def...)
		}
		fill(i)
	}
	return dst
}

func (f *regexFunction) regexp(t *vu.Thread) (*regex.Regexp, error) {
	if f.fixed != nil || f.bad != nil {
		return f.fixed, f.bad
	}
	return f.patterns.Get(f.pattern.Eval(t))
}

// searched is the text of the variable, else the previous response.
func searched(t *vu.Thread, variable string) []byte {
	if variable != "" {
		s, _ := t.Vars.Get(variable)
		return []byte(s)
	}
	if t.Prev == nil {
		return nil
	}
	return bodyText(t)
}

// chooseMatch reads which match is meant: a number from 1, or a fraction of their
// count. A whole number beyond the count means none; any other is thrown.
func chooseMatch(which string, count int) (i int, ok bool) {
	if which == "" {
		return 0, true
	}
	if n, whole := vu.ParseInt(which); whole {
		if i = int(n) - 1; i >= count {
			return 0, false
		}
	} else {
		ratio, err := java.ParseDouble(which)
		if err != nil {
			throwNumber(which)
		}
		i = int(float64(float32(count)*float32(ratio))+.5) - 1
	}
	if i < 0 || i >= count {
		throw("java.lang.IndexOutOfBoundsException", "Index %d out of bounds for length %d", i, count)
	}
	return i, true
}

// fill appends the template with the groups of one match. It leaves the result in
// the variable and the groups in name_g0, name_g1 and so on, which are set even where
// name is empty. A group that took no part is Java's null.
func (f *regexFunction) fill(dst []byte, t *vu.Thread, template, name string, text []byte, m []int) []byte {
	group := func(n int) (string, bool) {
		if n < 0 || 2*n >= len(m) || m[2*n] < 0 {
			return "null", false
		}
		return string(text[m[2*n]:m[2*n+1]]), true
	}
	for n := range len(m) / 2 {
		key := name + "_g" + strconv.Itoa(n)
		if s, ok := group(n); ok {
			t.Vars.Put(key, s)
		} else {
			t.Vars.Remove(key)
		}
	}
	from := len(dst)
	for template != "" {
		if n, size := groupRef(template); size > 0 {
			s, _ := group(n)
			dst = append(dst, s...)
			template = template[size:]
			continue
		}
		dst = append(dst, template[0])
		template = template[1:]
	}
	if name != "" {
		t.Vars.Put(name, string(dst[from:]))
	}
	return dst
}

// groupRef reads "$n$" at the start of s; size is 0 where it is something else.
func groupRef(s string) (n, size int) {
	if s[0] != '$' {
		return 0, 0
	}
	i := 1
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	if i == 1 || i == len(s) || s[i] != '$' {
		return 0, 0
	}
	n, err := strconv.Atoi(s[1:i])
	if err != nil {
		n = -1
	}
	return n, i + 1
}
