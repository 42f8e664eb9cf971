package scripted

import (
	"os"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/script/host"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// note is the limit of all elements here.
const note = "Groovy, BeanShell, JavaScript and JEXL, with the classes that plans use; what a script uses beyond is reported with line and column"

func init() {
	elem.Register[jsr223Sampler](elem.Spec{Class: "JSR223Sampler", Title: "JSR223 Sampler", Kind: elem.KindSampler, Status: elem.Partial, Note: note})
	elem.Register[jsr223Pre](elem.Spec{Class: "JSR223PreProcessor", Title: "JSR223 PreProcessor", Kind: elem.KindPre, Status: elem.Partial, Note: note})
	elem.Register[jsr223Post](elem.Spec{Class: "JSR223PostProcessor", Title: "JSR223 PostProcessor", Kind: elem.KindPost, Status: elem.Partial, Note: note})
	elem.Register[jsr223Assertion](elem.Spec{Class: "JSR223Assertion", Title: "JSR223 Assertion", Kind: elem.KindAssertion, Status: elem.Partial, Note: note})
	elem.Register[jsr223Timer](elem.Spec{Class: "JSR223Timer", Title: "JSR223 Timer", Kind: elem.KindTimer, Status: elem.Partial, Note: note})
	elem.Register[jsr223Listener](elem.Spec{Class: "JSR223Listener", Title: "JSR223 Listener", Kind: elem.KindListener, Status: elem.Partial, Note: note})
}

// jsr223 is an element with a script of any language (JMeter manual, JSR223 Sampler).
type jsr223 struct {
	element
	cacheKey expr.Text
}

func (e *jsr223) read(p *elem.Props, class string) {
	e.props(p, class, beanNames)
	p.Text(&e.language, "scriptLanguage", "", "groovy (also when empty), beanshell, javascript, jexl and their other names")
	p.Text(&e.cacheKey, "cacheKey", "true", "false: evaluate the ${...} of the script each time, not once a thread")
	e.check(p, beanNames, engines)
	refuseInit(p, "jsr223.init.file")
}

// refuseInit reports a script that JMeter runs at its start.
func refuseInit(p *elem.Props, property string) {
	if file := p.Property(property, ""); file != "" {
		p.Refuse("property", property, "scripts that prepare the engine are not run (here %s)", file)
	}
}

// engines are the names of the script engines that JMeter brings along, which are to be
// written exactly so, and of those for JavaScript, which Java has up to version 14.
var engines = map[string]string{
	"": "groovy", "groovy": "groovy", "Groovy": "groovy",
	"beanshell": "beanshell", "bsh": "beanshell", "java": "beanshell",
	"JEXL": "jexl2", "Jexl": "jexl2", "jexl": "jexl2", "JEXL2": "jexl2", "Jexl2": "jexl2", "jexl2": "jexl2",
	"javascript": "javascript", "JavaScript": "javascript", "js": "javascript", "JS": "javascript", "ecmascript": "javascript",
	"ECMAScript": "javascript", "nashorn": "javascript", "Nashorn": "javascript",
}

// evaluated are the element's texts for one run of the script.
type evaluated struct{ language, script, file, params string }

// evaluate reads all properties, those not needed included: functions in them count.
func (e *jsr223) evaluate(t *vu.Thread) evaluated {
	return evaluated{e.language.Eval(t), e.script.Eval(t), e.file.Eval(t), e.params.Eval(t)}
}

// scriptError is javax.script.ScriptException.
type scriptError struct {
	text  string
	cause error
}

func (e *scriptError) Error() string { return "javax.script.ScriptException: " + e.text }
func (e *scriptError) Unwrap() error { return e.cause }

// run runs the script.
func (e *jsr223) run(t *vu.Thread, label string, x evaluated, more func(h *api.Host, b map[string]script.Value)) (script.Value, error) {
	st := e.slot.Of(t)
	prog, err := e.program(t, st, label, x)
	if err != nil {
		return nil, err
	}
	if st.vars == nil {
		st.vars = map[string]script.Value{}
	}
	clear(st.vars)
	b := st.vars
	b["Label"], b["FileName"], b["Parameters"], b["args"], b["sampler"] = label, x.file, x.params, args(x.params), nil
	env := e.bind(t, st, b, e.class+"."+label, more)
	defer e.seat.Release(t)
	v, err := prog.Run(env)
	if err != nil {
		text := err.Error()
		if engines[x.language] == "beanshell" {
			text = sourced(inline(x.script), err) + "\n\nTarget exception: " + text
		}
		if x.file == "" && e.cacheKey.Eval(t) == "false" { // JMeter wraps it twice
			text = "javax.script.ScriptException: " + text
		}
		return nil, &scriptError{text, err}
	}
	return v, nil
}

// program is what to run. With the cache on, a thread keeps to the text of its first
// run, as JMeter does.
func (e *jsr223) program(t *vu.Thread, st *state, label string, x evaluated) (*script.Program, error) {
	lang, ok := engines[x.language]
	if !ok {
		return nil, &scriptError{"Cannot find engine named: '" + x.language + "', ensure you set language field in JSR223 Test Element: " + label, nil}
	}
	source := x.script
	switch {
	case x.file != "":
		path := e.path(t.Run, x.file)
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return nil, &scriptError{"Script file '" + path + "' is not a file for element: " + label, nil}
		}
		var err error
		if source, err = e.programs.file(path); err != nil {
			return nil, &scriptError{"Script file '" + path + "' is not readable for element:" + label, nil}
		}
	case source == "":
		return nil, &scriptError{"Both script file and script text are empty for element:" + label, nil}
	case lang != "beanshell" && e.cacheKey.Eval(t) != "false":
		if st.prog != nil {
			return st.prog, nil
		}
		prog, err := e.compile(t, lang, source)
		if err != nil {
			return nil, compileError(lang, err)
		}
		st.prog = prog
		return prog, nil
	}
	prog, err := e.compile(t, lang, source)
	if err != nil {
		return nil, compileError(lang, err)
	}
	return prog, nil
}

func compileError(lang string, err error) error {
	text := err.Error()
	if lang == "groovy" {
		text = "org.codehaus.groovy.control.MultipleCompilationErrorsException: startup failed:\n" + text + "\n\n1 error\n"
	}
	return &scriptError{text, err}
}

// logError writes what went wrong in a script.
func (e *element) logError(t *vu.Thread, text string, err error) {
	t.Log().Error(text, "logger", host.LogName(e.class), "thread", t.Name, "err", err)
}

// process is the whole of the elements whose script yields nothing.
func (e *jsr223) process(t *vu.Thread) {
	label := e.name.Eval(t)
	if _, err := e.run(t, label, e.evaluate(t), nil); err != nil {
		e.failed(t, label, err)
	}
}

// failed deals with an error outside of a sampler: it is logged and the rest goes on,
// but for a stop that the script has thrown. Java's Errors end the thread.
func (e *jsr223) failed(t *vu.Thread, label string, err error) {
	stop(err)
	e.logError(t, "Problem in JSR223 script, "+label, err)
	if fatal(err) {
		t.Stop()
	}
}

type jsr223Sampler struct{ jsr223 }

func (e *jsr223Sampler) Props(p *elem.Props) {
	e.read(p, "JSR223Sampler")
	e.readsPrevious(p)
}

// Sample runs the script. What it returns is the body, unless it has set one.
func (e *jsr223Sampler) Sample(t *vu.Thread, s *jtl.Sample) bool {
	x := e.evaluate(t)
	s.Success, s.Code, s.Message, s.DataType, s.HasSamplerData = true, "200", "OK", "text", true
	if s.SamplerData = x.script; x.file != "" {
		s.SamplerData = "File: " + x.file
	}
	label := s.Label
	v, err := e.run(t, label, x, func(h *api.Host, _ map[string]script.Value) {
		h.Result, h.ResultName = e.seat.Result(t, s), "SampleResult"
	})
	if err != nil {
		stop(err)
		e.logError(t, "Problem in JSR223 script "+label, err)
		if fatal(err) {
			vu.Throw(vu.ErrStopThread)
		}
		s.Success, s.Code, s.Message = false, "500", err.Error()
		return true
	}
	if body, ok := text(v); ok && len(s.Body) == 0 {
		e.seat.SetBody(t, s, body)
	}
	return true
}

type jsr223Pre struct{ jsr223 }

func (e *jsr223Pre) Props(p *elem.Props) {
	e.read(p, "JSR223PreProcessor")
	e.readsPrevious(p)
}

func (e *jsr223Pre) Before(t *vu.Thread) { e.process(t) }

type jsr223Post struct{ jsr223 }

func (e *jsr223Post) Props(p *elem.Props) { e.read(p, "JSR223PostProcessor") }

func (e *jsr223Post) After(t *vu.Thread, _ *jtl.Sample) { e.process(t) }

type jsr223Assertion struct{ jsr223 }

func (e *jsr223Assertion) Props(p *elem.Props) { e.read(p, "JSR223Assertion") }

// Check lets the script judge. JMeter takes back an error that the script has set.
func (e *jsr223Assertion) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	label := e.name.Eval(t)
	a := &api.Assertion{Judgement: api.Judgement{Name: label}}
	_, err := e.run(t, label, e.evaluate(t), func(h *api.Host, b map[string]script.Value) {
		h.Result, h.ResultName = e.seat.Result(t, s), "SampleResult"
		b["AssertionResult"] = a
	})
	a.Error = false
	if err != nil {
		stop(err)
		e.logError(t, "Problem in JSR223 script: "+label, err)
		a.Error, a.Message, a.HasMessage = true, err.Error(), true
	}
	return host.Assertion(a.Judgement)
}

type jsr223Timer struct{ jsr223 }

func (e *jsr223Timer) Props(p *elem.Props) {
	e.read(p, "JSR223Timer")
	e.readsPrevious(p)
}

// Wait is what the script returns, in ms.
func (e *jsr223Timer) Wait(t *vu.Thread) time.Duration {
	label := e.name.Eval(t)
	v, err := e.run(t, label, e.evaluate(t), nil)
	if err != nil {
		e.failed(t, label, err)
		return 0
	}
	return e.delay(t, v, "Problem in JSR223 script, "+label)
}

// delay reads what the script of a timer returned.
func (e *element) delay(t *vu.Thread, v script.Value, problem string) time.Duration {
	s, ok := text(v)
	if !ok {
		t.Log().Warn("Script did not return a value", "logger", host.LogName(e.class))
		return 0
	}
	ms, ok := vu.ParseLong(s)
	if !ok {
		e.logError(t, problem, &notNumber{s})
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

// notNumber is java.lang.NumberFormatException.
type notNumber struct{ text string }

func (e *notNumber) Error() string {
	return `java.lang.NumberFormatException: For input string: "` + e.text + `"`
}

type jsr223Listener struct{ jsr223 }

func (e *jsr223Listener) Props(p *elem.Props) { e.read(p, "JSR223Listener") }

// Sampled runs the script on a finished sample.
func (e *jsr223Listener) Sampled(t *vu.Thread, s *jtl.Sample) {
	label := e.name.Eval(t)
	_, err := e.run(t, label, e.evaluate(t), func(h *api.Host, b map[string]script.Value) { e.event(t, s, h, b) })
	if err != nil {
		e.logError(t, "Problem in JSR223 script, "+label, err)
	}
}

// event gives a listener's script its sample.
func (e *element) event(t *vu.Thread, s *jtl.Sample, h *api.Host, b map[string]script.Value) {
	h.Result, h.ResultName = e.seat.Result(t, s), "sampleResult"
	b["sampleEvent"] = &api.Event{Result: h.Result, Group: t.Group.Name, Hostname: s.Hostname}
}

var (
	_ elem.Sampler       = (*jsr223Sampler)(nil)
	_ elem.PreProcessor  = (*jsr223Pre)(nil)
	_ elem.PostProcessor = (*jsr223Post)(nil)
	_ elem.Assertion     = (*jsr223Assertion)(nil)
	_ elem.Timer         = (*jsr223Timer)(nil)
	_ elem.Listener      = (*jsr223Listener)(nil)
	_ elem.Needer        = (*jsr223Post)(nil)
)
