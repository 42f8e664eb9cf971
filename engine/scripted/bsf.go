package scripted

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/script/host"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	const title = " (deprecated)"
	elem.Register[bsfSampler](elem.Spec{Class: "BSFSampler", Title: "BSF Sampler" + title, Kind: elem.KindSampler, Status: elem.Partial, Note: note})
	elem.Register[bsfPre](elem.Spec{Class: "BSFPreProcessor", Title: "BSF PreProcessor" + title, Kind: elem.KindPre, Status: elem.Partial, Note: note})
	elem.Register[bsfPost](elem.Spec{Class: "BSFPostProcessor", Title: "BSF PostProcessor" + title, Kind: elem.KindPost, Status: elem.Partial, Note: note})
	elem.Register[bsfAssertion](elem.Spec{Class: "BSFAssertion", Title: "BSF Assertion" + title, Kind: elem.KindAssertion, Status: elem.Partial, Note: note})
	elem.Register[bsfTimer](elem.Spec{Class: "BSFTimer", Title: "BSF Timer" + title, Kind: elem.KindTimer, Status: elem.Partial, Note: note})
	elem.Register[bsfListener](elem.Spec{Class: "BSFListener", Title: "BSF Listener" + title, Kind: elem.KindListener, Status: elem.Partial, Note: note})
}

// bsf is an element of the family that JSR223 replaced: the same names for scripts, no
// cache, no default language.
type bsf struct{ element }

func (e *bsf) read(p *elem.Props, class string) {
	e.props(p, class, beanNames)
	p.Text(&e.language, "scriptLanguage", "", "javascript or beanshell")
	e.check(p, beanNames, bsfEngines)
}

// bsfEngines are those of the names that the framework knows which JMeter has code for.
var bsfEngines = map[string]string{"javascript": "javascript", "beanshell": "beanshell"}

// bsfNames are the other names that it knows.
var bsfNames = []string{"bml", "groovy", "jacl", "java", "javaclass", "jpython", "jruby", "jscript", "judoscript", "jython", "lotusscript",
	"netrexx", "perl", "perlscript", "pnuts", "ruby", "vbscript", "xslt"}

// run runs the script.
func (e *bsf) run(t *vu.Thread, label string, x evaluated, more func(h *api.Host, b map[string]script.Value)) (script.Value, error) {
	lang, ok := bsfEngines[x.language]
	if !ok {
		what := "unsupported language"
		if slices.Contains(bsfNames, x.language) {
			what = "unable to load language"
		}
		return nil, fmt.Errorf("org.apache.bsf.BSFException: %s: %s", what, x.language)
	}
	source := x.script
	if x.file != "" {
		var err error
		if source, err = e.programs.file(e.path(t.Run, x.file)); err != nil {
			return nil, fmt.Errorf("org.apache.bsf.BSFException: Problem reading script file")
		}
	}
	prog, err := e.compile(t, lang, source)
	if err != nil {
		return nil, fmt.Errorf("org.apache.bsf.BSFException: %w", err)
	}
	st := e.slot.Of(t)
	if st.vars == nil {
		st.vars = map[string]script.Value{}
	}
	clear(st.vars)
	b := st.vars
	b["Label"], b["FileName"], b["Parameters"], b["args"], b["sampler"] = label, x.file, x.params, args(x.params), nil
	env := e.bind(t, st, b, e.class, more)
	defer e.seat.Release(t)
	v, err := prog.Run(env)
	if err != nil {
		var x *script.Throwable
		if lang == "javascript" && errors.As(err, &x) && x.HasText {
			return nil, fmt.Errorf("org.apache.bsf.BSFException: JavaScript Error: %s", x.Message)
		}
		return nil, fmt.Errorf("org.apache.bsf.BSFException: %w", err)
	}
	return v, nil
}

func (e *bsf) evaluate(t *vu.Thread) evaluated {
	return evaluated{e.language.Eval(t), e.script.Eval(t), e.file.Eval(t), e.params.Eval(t)}
}

// warn writes what went wrong in a script.
func (e *bsf) warn(t *vu.Thread, err error) {
	t.Log().Warn("Problem in BSF script: "+err.Error(), "logger", host.LogName(e.class), "thread", t.Name)
}

// process is the whole of the elements whose script yields nothing.
func (e *bsf) process(t *vu.Thread) {
	if _, err := e.run(t, e.name.Eval(t), e.evaluate(t), nil); err != nil {
		e.warn(t, err)
	}
}

type bsfSampler struct{ bsf }

func (e *bsfSampler) Props(p *elem.Props) {
	e.read(p, "BSFSampler")
	e.readsPrevious(p)
}

// Sample runs the script; what it returns is the body.
func (e *bsfSampler) Sample(t *vu.Thread, s *jtl.Sample) bool {
	x := e.evaluate(t)
	s.Success, s.Code, s.Message, s.DataType, s.HasSamplerData = true, "200", "OK", "text", true
	if s.SamplerData = x.script; x.file != "" {
		s.SamplerData = "File: " + x.file
	}
	v, err := e.run(t, s.Label, x, func(h *api.Host, _ map[string]script.Value) {
		h.Result, h.ResultName = e.seat.Result(t, s), "SampleResult"
	})
	if err != nil {
		e.warn(t, err)
		s.Success, s.Code, s.Message = false, "500", err.Error()
		return true
	}
	if body, ok := text(v); ok {
		e.seat.SetBody(t, s, body)
	}
	return true
}

type bsfPre struct{ bsf }

func (e *bsfPre) Props(p *elem.Props) {
	e.read(p, "BSFPreProcessor")
	e.readsPrevious(p)
}

func (e *bsfPre) Before(t *vu.Thread) { e.process(t) }

type bsfPost struct{ bsf }

func (e *bsfPost) Props(p *elem.Props) { e.read(p, "BSFPostProcessor") }

func (e *bsfPost) After(t *vu.Thread, _ *jtl.Sample) { e.process(t) }

type bsfAssertion struct{ bsf }

func (e *bsfAssertion) Props(p *elem.Props) { e.read(p, "BSFAssertion") }

// Check lets the script judge. JMeter takes back an error that the script has set.
func (e *bsfAssertion) Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion {
	label := e.name.Eval(t)
	a := &api.Assertion{Judgement: api.Judgement{Name: label}}
	_, err := e.run(t, label, e.evaluate(t), func(h *api.Host, b map[string]script.Value) {
		h.Result, h.ResultName = e.seat.Result(t, s), "SampleResult"
		b["AssertionResult"] = a
	})
	a.Error = false
	if err != nil {
		e.warn(t, err)
		a.Failure, a.Error, a.Message, a.HasMessage = true, true, err.Error(), true
	}
	return host.Assertion(a.Judgement)
}

type bsfTimer struct{ bsf }

func (e *bsfTimer) Props(p *elem.Props) {
	e.read(p, "BSFTimer")
	e.readsPrevious(p)
}

// Wait is what the script returns, in ms.
func (e *bsfTimer) Wait(t *vu.Thread) time.Duration {
	v, err := e.run(t, e.name.Eval(t), e.evaluate(t), nil)
	if err != nil {
		e.warn(t, err)
		return 0
	}
	return e.delay(t, v, "Problem in BSF script")
}

type bsfListener struct{ bsf }

func (e *bsfListener) Props(p *elem.Props) { e.read(p, "BSFListener") }

// Sampled runs the script on a finished sample.
func (e *bsfListener) Sampled(t *vu.Thread, s *jtl.Sample) {
	_, err := e.run(t, e.name.Eval(t), e.evaluate(t), func(h *api.Host, b map[string]script.Value) { e.event(t, s, h, b) })
	if err != nil {
		e.warn(t, err)
	}
}

var (
	_ elem.Sampler       = (*bsfSampler)(nil)
	_ elem.PreProcessor  = (*bsfPre)(nil)
	_ elem.PostProcessor = (*bsfPost)(nil)
	_ elem.Assertion     = (*bsfAssertion)(nil)
	_ elem.Timer         = (*bsfTimer)(nil)
	_ elem.Listener      = (*bsfListener)(nil)
)
