package function

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/script/host"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__BeanShell", Title: "the value of a BeanShell script", Args: "script, var?",
		Min: 1, Max: 2, Compile: compileBeanShell,
	})
}

// beanShell is one occurrence of the function: an interpreter whose variables all
// threads share and which runs one script at a time.
type beanShell struct {
	mu       sync.Mutex
	names    map[string]script.Value
	init     string // script that the first call runs, empty once it has
	seat     host.Seat
	programs *script.Cache
}

func compileBeanShell(c *expr.Call) (expr.Eval, error) {
	source, variable := c.Arg(0), newTarget(c, 1, trimmed)
	if readsPrev(source.Source()) {
		c.NeedPrev()
	}
	b := &beanShell{names: map[string]script.Value{}, seat: host.SeatOf(c.Engine.Run, c.Slots), programs: programsOf(c)}
	if file := c.Engine.Run.Props.Get("beanshell.function.init", ""); file != "" {
		text, err := os.ReadFile(inWorkOrPlanDir(c.Engine, file))
		if err != nil {
			return nil, fmt.Errorf("beanshell.function.init: %w", err)
		}
		b.init = string(text)
	}
	if source.IsConst() {
		b.check(c, source.Source())
	}
	return func(dst []byte, t *vu.Thread) []byte {
		src := source.Eval(t)
		text, err := b.run(t, src)
		if err != nil {
			logf(t, slog.LevelWarn, "BeanShell", "Error running BSH script [%s]: %v", src, err)
			return dst
		}
		return variable.yield(dst, t, text)
	}, nil
}

// check tells while the plan is compiled what a script that does not change asks
// for in vain.
func (b *beanShell) check(c *expr.Call, src string) {
	program, err := b.programs.Compile("beanshell", ended(src), "inline")
	if err != nil {
		c.Notice("__BeanShell: %v", err)
		return
	}
	for _, p := range program.Unsupported() {
		c.Lack("__BeanShell: %s in [%s]", p.Text, src)
	}
}

// ended is the source with the semicolon that the last statement may lack.
func ended(src string) string {
	if strings.HasSuffix(src, ";") {
		return src
	}
	return src + ";"
}

func (b *beanShell) run(t *vu.Thread, src string) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.init != "" {
		init := b.init
		b.init = ""
		if _, err := b.once(t, init); err != nil {
			logf(t, slog.LevelWarn, "BeanShell", "Error in the init file: %v", err)
		}
	}
	v, err := b.once(t, src)
	if err != nil {
		return "", err
	}
	text, null := script.ToString(v)
	if null {
		text = ""
	}
	return text, nil
}

func (b *beanShell) once(t *vu.Thread, src string) (script.Value, error) {
	program, err := b.programs.Compile("beanshell", ended(src), "inline")
	if err != nil {
		return nil, err
	}
	e, h := host.Env(t), *b.seat.Host(t)
	h.Log = host.Log(t.Log(), "o.a.j.f.BeanShell")
	if t.Vars == nil {
		h.Vars = nil
	}
	h.Result, h.ResultName = h.Prev, "SampleResult"
	e.Bindings = b.names
	api.Bind(&e, &h)
	e.Bindings["Sampler"] = e.Bindings["sampler"]
	for _, other := range []string{"prev", "sampler", "OUT"} {
		delete(e.Bindings, other)
	}
	if h.Result == nil {
		e.Bindings["SampleResult"] = nil
	}
	defer b.seat.Release(t)
	return program.Run(&e)
}
