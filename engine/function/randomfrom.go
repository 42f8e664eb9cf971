package function

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__RandomFromMultipleVars", Title: "the value of one of several variables or their matches",
		Args: "name|name|..., var?", Min: 1, Max: 2, Compile: compileRandomFromMultipleVars,
	})
	expr.RegisterFunc(expr.Func{
		Name: "__chooseRandom", Title: "one of several texts", Args: "text, text, ..., var",
		Min: 3, Max: -1, Plugin: true, Compile: compileChooseRandom,
	})
}

func compileRandomFromMultipleVars(c *expr.Call) (expr.Eval, error) {
	names, variable := c.Arg(0), newTarget(c, 1, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		list := java.Trim(names.Eval(t))
		if t.Vars == nil {
			return dst
		}
		var from []string // names of variables that hold a value
		for name := range strings.SplitSeq(list, "|") {
			from = appendHolders(from, t, name)
		}
		if len(from) == 0 {
			return variable.yield(dst, t, "")
		}
		v, ok := t.Vars.Get(from[t.Rand.IntN(len(from))])
		if !ok { // a match that is not set: Java's null
			return variable.null(dst, t)
		}
		return variable.yield(dst, t, v)
	}, nil
}

// appendHolders appends the names of the matches of a variable, or its own.
func appendHolders(list []string, t *vu.Thread, name string) []string {
	if name == "" {
		return list
	}
	if s, _ := t.Vars.Get(name + "_matchNr"); s != "" {
		if n := mustInt(s); n > 0 {
			for i := int64(1); i <= int64(n); i++ {
				list = append(list, name+"_"+strconv.FormatInt(i, 10))
			}
			return list
		}
	}
	if s, _ := t.Vars.Get(name); s != "" {
		list = append(list, name)
	}
	return list
}

func compileChooseRandom(c *expr.Call) (expr.Eval, error) {
	n := len(c.Args) - 1
	texts, variable := c.Args[:n], newTarget(c, n, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		from := len(dst)
		return variable.keep(texts[t.Rand.IntN(n)].Append(dst, t), from, t)
	}, nil
}
