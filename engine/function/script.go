package function

import (
	"cmp"
	"log/slog"
	"os"
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/host"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	for _, f := range []*scriptFunction{
		{name: "__groovy", lang: "groovy", class: "Groovy", title: "the value of a Groovy script", level: slog.LevelWarn},
		{name: "__jexl3", lang: "jexl3", class: "Jexl3Function", title: "the value of a JEXL 3 expression", level: slog.LevelError, silent: true},
		{name: "__jexl2", lang: "jexl2", class: "Jexl2Function", title: "the value of a JEXL 2 expression", level: slog.LevelError},
		{name: "__javaScript", lang: "javascript", class: "JavaScript", title: "the value of a JavaScript expression", level: slog.LevelError, anyName: true},
	} {
		expr.RegisterFunc(expr.Func{
			Name: f.name, Title: f.title, Args: "script, var?", Min: 1, Max: 2, Compile: f.compile,
		})
	}
}

// scriptFunction is what the functions that run a script differ in.
type scriptFunction struct {
	name, lang, class, title string
	level                    slog.Level // of the log line of a script that fails
	anyName                  bool       // an empty name of a variable is a name
	silent                   bool       // a failure at run time still sets the variable
}

// compile makes a call. The script is a text: the values of variables are part of
// its source. A script that fails is logged and is an empty text, and sets no
// variable.
func (f *scriptFunction) compile(c *expr.Call) (expr.Eval, error) {
	rule := trimmed
	if f.anyName {
		rule = anyName
	}
	source, variable := c.Arg(0), newTarget(c, 1, rule)
	if readsPrev(source.Source()) {
		c.NeedPrev()
	}
	prefix, err := f.utilities(c)
	if err != nil {
		return nil, err
	}
	programs, seat := programsOf(c), host.SeatOf(c.Engine.Run, c.Slots)
	if source.IsConst() {
		f.check(c, programs, prefix, source.Source())
	}
	return func(dst []byte, t *vu.Thread) []byte {
		src := source.Eval(t)
		text, err := "", error(nil)
		program, broken := programs.Compile(f.lang, prefix+src, "Script1."+f.lang)
		if broken == nil {
			text, err = f.run(program, f.env(seat, t))
			seat.Release(t)
		}
		if err = cmp.Or(broken, err); err != nil {
			logf(t, f.level, f.class, "Error running %s script [%s]: %v", f.lang, src, err)
			if broken != nil || !f.silent {
				return dst
			}
		}
		return variable.yield(dst, t, text)
	}, nil
}

// check tells while the plan is compiled what will fail in a script that does not
// change.
func (f *scriptFunction) check(c *expr.Call, programs *script.Cache, prefix, src string) {
	program, err := programs.Compile(f.lang, prefix+src, "Script1."+f.lang)
	if err != nil {
		c.Notice("%s: %v", f.name, err)
		return
	}
	for _, p := range program.Unsupported() {
		c.Lack("%s: %s in [%s]", f.name, p.Text, src)
	}
}

// run returns the value of a script as text; null is an empty one.
func (f *scriptFunction) run(p *script.Program, e *script.Env) (string, error) {
	v, err := p.Run(e)
	if err != nil {
		return "", err
	}
	text, null := script.ToString(v)
	if null {
		text = ""
	}
	return text, nil
}

// utilities is the file of the property groovy.utilities, whose functions scripts
// may call.
func (f *scriptFunction) utilities(c *expr.Call) (string, error) {
	file := c.Engine.Run.Props.Get("groovy.utilities", "")
	if f.lang != "groovy" || file == "" {
		return "", nil
	}
	b, err := os.ReadFile(inWorkOrPlanDir(c.Engine, file))
	if err != nil {
		return "", err
	}
	return java.UTF8.Decode(b) + "\n", nil
}

// readsPrev tells whether a script may look at the previous result, by the words
// that lead to it.
func readsPrev(source string) bool {
	for _, word := range []string{"prev", "ampleResult", "ctx", "Context"} {
		if strings.Contains(source, word) {
			return true
		}
	}
	return false
}

type programsKey struct{}

// programsOf is what the run remembers of scripts that functions compiled. Their
// sources hold the values of variables, which are few as a rule.
func programsOf(c *expr.Call) *script.Cache {
	return runShared(c, programsKey{}, func() *script.Cache { return script.NewCache(1000) })
}
