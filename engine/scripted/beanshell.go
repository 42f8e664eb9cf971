package scripted

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/script/host"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[beanShellSampler](elem.Spec{Class: "BeanShellSampler", Title: "BeanShell Sampler", Kind: elem.KindSampler, Status: elem.Partial, Note: note})
	elem.Register[beanShellPre](elem.Spec{Class: "BeanShellPreProcessor", Title: "BeanShell PreProcessor", Kind: elem.KindPre, Status: elem.Partial, Note: note})
	elem.Register[beanShellPost](elem.Spec{Class: "BeanShellPostProcessor", Title: "BeanShell PostProcessor", Kind: elem.KindPost, Status: elem.Partial, Note: note})
	elem.Register[beanShellAssertion](elem.Spec{Class: "BeanShellAssertion", Title: "BeanShell Assertion", Kind: elem.KindAssertion, Status: elem.Partial, Note: note})
	elem.Register[beanShellTimer](elem.Spec{Class: "BeanShellTimer", Title: "BeanShell Timer", Kind: elem.KindTimer, Status: elem.Partial, Note: note})
	elem.Register[beanShellListener](elem.Spec{Class: "BeanShellListener", Title: "BeanShell Listener", Kind: elem.KindListener, Status: elem.Partial, Note: note})
}

// beanShell is an element with an interpreter that lives as long as its thread: what
// a script sets, the next run of the same element finds (JMeter manual, BeanShell Sampler).
type beanShell struct {
	element
	reset   expr.Bool
	sampler bool // the script sees the sampler: only pre-processors do
}

// read reads the properties, whose names have a prefix where JMeter's element is an
// old one.
func (e *beanShell) read(p *elem.Props, class, prefix, init string) {
	n := beanNames
	reset := "resetInterpreter"
	if prefix != "" {
		n = names{prefix + "query", prefix + "filename", prefix + "parameters"}
		reset = prefix + reset
	}
	e.props(p, class, n)
	e.language = expr.Const("beanshell")
	p.Bool(&e.reset, reset, false, "forget before each run what the runs before have set")
	e.check(p, n, engines)
	refuseInit(p, "beanshell."+init+".init")
}

// bshError is org.apache.jorphan.util.JMeterException around an error of the script.
type bshError struct {
	method, where string // eval and the text, source and the file
	cause         error
}

func (e *bshError) Error() string {
	return "org.apache.jorphan.util.JMeterException: Error invoking bsh method: " + e.method + "\t" + sourced(e.where, e.cause)
}

func (e *bshError) Unwrap() error { return e.cause }

// sourced is an error as the interpreter tells it: not what was thrown, but in which
// construct, and nothing at all of some.
func sourced(where string, err error) string {
	var syntax *script.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Sprintf("In file: %s %s at line %d, column %d.", where, syntax.Text, syntax.Line, syntax.Column)
	}
	text, detail := "Sourced file: "+where, err.Error()
	var x *script.Throwable
	if errors.As(err, &x) {
		switch {
		case x.HasWhere:
			detail = x.Where
		case x.Class == "bsh.EvalError":
			detail = x.Message
		case x.Class == "java.lang.NullPointerException", x.Class == "java.lang.ArrayIndexOutOfBoundsException":
			detail = ""
		case x.Class == "java.lang.ArithmeticException":
			detail = "Arithemetic Exception in binary op" // its own spelling
		}
	}
	if detail != "" {
		text += " : " + detail
	}
	return text
}

// inline is how BeanShell shows a text that it ran.
func inline(text string) string {
	if !strings.HasSuffix(text, ";") {
		text += ";"
	}
	s := strings.NewReplacer("\n", " ", "\r", " ").Replace(text)
	if r := []rune(s); len(r) > 80 {
		s = string(r[:80]) + " . . . "
	}
	return "inline evaluation of: ``" + s + "''"
}

// evaluate reads what is to be run.
func (e *beanShell) evaluate(t *vu.Thread) evaluated {
	x := evaluated{file: e.file.Eval(t), params: e.params.Eval(t)}
	if x.file == "" {
		x.script = e.script.Eval(t)
	}
	return x
}

// run runs the script. The names it leaves are returned, too.
func (e *beanShell) run(t *vu.Thread, label string, x evaluated, more func(h *api.Host, b map[string]script.Value)) (script.Value, map[string]script.Value, error) {
	st := e.slot.Of(t)
	if st.vars == nil || e.reset.Eval(t) {
		st.vars = map[string]script.Value{}
	}
	b := st.vars
	source, where, method := x.script, x.file, "source"
	var err error
	if x.file == "" {
		where, method = inline(source), "eval"
	} else if source, err = e.programs.file(e.path(t.Run, x.file)); err != nil {
		return nil, b, fmt.Errorf("org.apache.jorphan.util.JMeterException: Error invoking bsh method: source\t%s (No such file or directory)", x.file)
	}
	prog, err := e.compile(t, "beanshell", source)
	if err != nil {
		return nil, b, &bshError{method, where, err}
	}
	bsh := script.NewMap()
	bsh.Put("args", args(x.params))
	b["Label"], b["FileName"], b["Parameters"], b["bsh"] = label, x.file, x.params, bsh
	env := e.bind(t, st, b, e.class, func(h *api.Host, b map[string]script.Value) {
		if !e.sampler {
			h.Sampler = nil
		}
		if more != nil {
			more(h, b)
		}
	})
	delete(b, "OUT") // JSR223 elements have it
	defer e.seat.Release(t)
	v, err := prog.Run(env)
	if err != nil {
		return nil, b, &bshError{method, where, err}
	}
	return v, b, nil
}

// warn writes what went wrong in a script.
func (e *beanShell) warn(t *vu.Thread, text string, err error) {
	t.Log().Warn(text+" "+err.Error(), "logger", host.LogName(e.class), "thread", t.Name)
}

type beanShellSampler struct{ beanShell }

func (e *beanShellSampler) Props(p *elem.Props) {
	e.read(p, "BeanShellSampler", "BeanShellSampler.", "sampler")
	e.readsPrevious(p)
}

// Sample runs the script, which may set ResponseCode, ResponseMessage and IsSuccess;
// what it returns is the body.
func (e *beanShellSampler) Sample(t *vu.Thread, s *jtl.Sample) bool {
	s.DataType, s.HasSamplerData = "text", true
	x := e.evaluate(t)
	s.SamplerData = x.script + x.file
	v, b, err := e.run(t, s.Label, x, func(h *api.Host, b map[string]script.Value) {
		h.Result, h.ResultName = e.seat.Result(t, s), "SampleResult"
		b["ResponseCode"], b["ResponseMessage"], b["IsSuccess"] = "200", "OK", true
	})
	if err != nil {
		e.warn(t, "Exception executing script.", err)
		s.Success, s.Code, s.Message = false, "500", err.Error()
		return true
	}
	if body, ok := text(v); ok {
		e.seat.SetBody(t, s, body)
	}
	code, null := script.ToString(b["ResponseCode"])
	message, null2 := script.ToString(b["ResponseMessage"])
	ok, null3 := script.ToString(b["IsSuccess"])
	if null || null2 || null3 {
		code, ok = "500", ""
		message = `java.lang.NullPointerException: Cannot invoke "Object.toString()" because the return value of "org.apache.jmeter.util.BeanShellInterpreter.get(String)" is null`
	}
	s.Code, s.Message, s.Success = code, message, strings.EqualFold(ok, "true")
	return true
}

type beanShellPre struct{ beanShell }

func (e *beanShellPre) Props(p *elem.Props) {
	e.sampler = true
	e.read(p, "BeanShellPreProcessor", "", "preprocessor")
	e.readsPrevious(p)
}

func (e *beanShellPre) Before(t *vu.Thread) {
	if _, _, err := e.run(t, e.name.Eval(t), e.evaluate(t), nil); err != nil {
		e.warn(t, "Problem in BeanShell script.", err)
	}
}

type beanShellPost struct{ beanShell }

func (e *beanShellPost) Props(p *elem.Props) {
	e.read(p, "BeanShellPostProcessor", "", "postprocessor")
}

// After runs the script, which finds the body as data.
func (e *beanShellPost) After(t *vu.Thread, s *jtl.Sample) {
	_, _, err := e.run(t, e.name.Eval(t), e.evaluate(t), func(_ *api.Host, b map[string]script.Value) { b["data"] = bytesOf(s) })
	if err != nil {
		e.warn(t, "Problem in BeanShell script:", err)
	}
}

func bytesOf(s *jtl.Sample) *script.Bytes { return &script.Bytes{B: append([]byte(nil), s.Body...)} }

type beanShellAssertion struct{ beanShell }

func (e *beanShellAssertion) Props(p *elem.Props) {
	e.read(p, "BeanShellAssertion", "BeanShellAssertion.", "assertion")
}

const noVerdict = `java.lang.NullPointerException: Cannot invoke "Object.toString()" because the return value of ` +
	`"org.apache.jmeter.util.BeanShellInterpreter.get(String)" is null`

// Check lets the script judge by setting Failure and FailureMessage.
func (e *beanShellAssertion) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	a := jtl.Assertion{Name: e.name.Eval(t), HasMessage: true}
	_, b, err := e.run(t, a.Name, e.evaluate(t), func(h *api.Host, b map[string]script.Value) {
		r := e.seat.Result(t, s)
		h.Result, h.ResultName = r, "SampleResult"
		b["Response"], b["ResponseData"] = api.ResultValue(r), bytesOf(s)
		for name, f := range map[string]api.Text{
			"ResponseCode": api.Code, "ResponseMessage": api.Message, "ResponseHeaders": api.ResponseHeaders,
			"RequestHeaders": api.RequestHeaders, "SampleLabel": api.Label, "SamplerData": api.SamplerData,
		} {
			b[name] = nil
			if text, ok := r.Text(f); ok {
				b[name] = text
			}
		}
		b["Successful"], b["FailureMessage"], b["Failure"] = s.Success, "", false
	})
	if err != nil {
		e.warn(t, "Error in BeanShellAssertion", err)
		a.Error, a.Message = true, err.Error()
		return a
	}
	if b["FailureMessage"] == nil || b["Failure"] == nil {
		// A script that leaves null, often the value of an unset variable, is in error.
		e.warn(t, "Error in BeanShellAssertion", errors.New(noVerdict))
		a.Error, a.Message = true, noVerdict
		return a
	}
	a.Message, _ = script.ToString(b["FailureMessage"])
	failure, _ := script.ToString(b["Failure"])
	a.Failure = strings.EqualFold(failure, "true")
	return a
}

type beanShellTimer struct{ beanShell }

func (e *beanShellTimer) Props(p *elem.Props) {
	e.read(p, "BeanShellTimer", "", "timer")
	e.readsPrevious(p)
}

// Wait is what the script returns in ms, as decimal, hexadecimal or octal number.
func (e *beanShellTimer) Wait(t *vu.Thread) time.Duration {
	v, _, err := e.run(t, e.name.Eval(t), e.evaluate(t), nil)
	if err != nil {
		e.warn(t, "Problem in BeanShell script.", err)
		return 0
	}
	s, ok := text(v)
	if !ok {
		return 0
	}
	ms, err := java.Decode(s, 64)
	if err != nil {
		t.Log().Warn("Number format exception while decoding number: '"+s+"'", "logger", host.LogName(e.class))
		return 0
	}
	return time.Duration(ms) * time.Millisecond
}

type beanShellListener struct{ beanShell }

func (e *beanShellListener) Props(p *elem.Props) {
	e.read(p, "BeanShellListener", "", "listener")
}

// Sampled runs the script on a finished sample.
func (e *beanShellListener) Sampled(t *vu.Thread, s *jtl.Sample) {
	_, _, err := e.run(t, e.name.Eval(t), e.evaluate(t), func(h *api.Host, b map[string]script.Value) { e.event(t, s, h, b) })
	if err != nil {
		e.warn(t, "Problem in BeanShell script.", err)
	}
}

var (
	_ elem.Sampler       = (*beanShellSampler)(nil)
	_ elem.PreProcessor  = (*beanShellPre)(nil)
	_ elem.PostProcessor = (*beanShellPost)(nil)
	_ elem.Assertion     = (*beanShellAssertion)(nil)
	_ elem.Timer         = (*beanShellTimer)(nil)
	_ elem.Listener      = (*beanShellListener)(nil)
)
