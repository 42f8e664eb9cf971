package scripted

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/script/host"
	"github.com/gojm/gojm/engine/vu"
)

// element is what all elements with a script have in common.
type element struct {
	class    string // JMeter's
	place    string
	name     expr.Text
	language expr.Text // of BeanShell elements a constant
	script   expr.Text
	file     expr.Text
	params   expr.Text

	seat     host.Seat
	programs *programs
	slot     vu.Slot[state]
	reported *sync.Once
}

// state is what a thread keeps of one element.
type state struct {
	env  script.Env
	log  api.Log
	name string                  // of log
	prog *script.Program         // frozen, of a JSR223 element with a cache
	vars map[string]script.Value // of a BeanShell interpreter that lives on
}

// names are the names of an element's properties.
type names struct{ script, file, params string }

var beanNames = names{"script", "filename", "parameters"}

func (e *element) props(p *elem.Props, class string, n names) {
	e.class, e.place, e.name = elem.FullClass(class), p.Place(), p.Name()
	p.Text(&e.script, n.script, "", "the script")
	p.Text(&e.file, n.file, "", "file that holds the script, in place of it")
	p.Text(&e.params, n.params, "", "text for the script: Parameters, and args split at blanks")
	if p.Run() == nil {
		return
	}
	e.seat, e.programs, e.slot, e.reported = host.SeatOf(p.Run(), p.Compiler().Slots), programsOf(p.Run()), elem.SlotOf[state](p), new(sync.Once)
}

// sources are the texts that are known before the run.
func (e *element) sources(r *vu.Run) []string {
	switch {
	case e.file.Source() == "":
		return []string{e.script.Source()}
	case e.file.IsConst():
		if text, err := e.programs.file(e.path(r, e.file.Source())); err == nil {
			return []string{text}
		}
	}
	return nil
}

// path is a file name as JMeter takes it: relative to the working directory.
func (e *element) path(r *vu.Run, name string) string {
	if name = java.FilePath(name); filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.WorkDir, name)
}

// check reports what the script uses and is not supported. engines are the languages
// by the names that the element takes.
func (e *element) check(p *elem.Props, n names, engines map[string]string) {
	if p.Run() == nil || !e.language.IsConst() {
		return
	}
	property := n.script
	if e.file.Source() != "" {
		property = n.file
	}
	lang, ok := engines[e.language.Source()]
	if !ok {
		p.Note("value", "scriptLanguage", "JMeter has no script engine of the name %q: the element fails", e.language.Source())
		return
	}
	for _, text := range e.sources(p.Run()) {
		problems, err := inspect(lang, text)
		var syntax *script.SyntaxError
		var vague *unknown
		switch {
		case errors.As(err, &vague) && !vague.certain():
			p.Note("script", property, "cannot be read before its ${...} are replaced: %v", err)
		case errors.As(err, &syntax):
			p.Refuse("script", property, "line %d, column %d: %s", syntax.Line, syntax.Column, syntax.Text)
		case err != nil:
			p.Refuse("script", property, "%v", err)
		}
		for _, x := range problems {
			p.Refuse("script", property, "%s", x)
		}
	}
}

// reference is a ${...} that JMeter replaces before the script is compiled, if it
// knows what it names.
var reference = regexp.MustCompile(`\$\{[^{}]*\}`)

// inspect compiles a text as it stands in the plan. With references in it the script
// is not known: it may be read with them left as they are, or with numbers in their
// place; where neither is a script the error is an unknown.
func inspect(lang, text string) ([]script.Problem, error) {
	prog, err := script.Compile(lang, text, "Script1.groovy")
	if err == nil {
		return prog.Unsupported(), nil
	}
	if !strings.Contains(text, "${") {
		return nil, err
	}
	text = reference.ReplaceAllStringFunc(text, func(ref string) string { // places stay
		return "1" + strings.Repeat(" ", len(ref)-1-strings.Count(ref, "\n")) + strings.Repeat("\n", strings.Count(ref, "\n"))
	})
	if prog, err = script.Compile(lang, text, "Script1.groovy"); err != nil {
		return nil, &unknown{err}
	}
	return prog.Unsupported(), nil
}

// unknown is an error in a text that will be another one once its ${...} are replaced.
type unknown struct{ error }

func (e *unknown) Unwrap() error { return e.error }

// certain says that the construct is missing here whatever is put in its place.
func (e *unknown) certain() bool { return strings.Contains(e.Error(), "not supported") }

// compile compiles the text for a run.
func (e *element) compile(t *vu.Thread, lang, text string) (*script.Program, error) {
	prog, err := e.programs.compile(lang, text)
	if err == nil && len(prog.Unsupported()) > 0 {
		e.reported.Do(func() {
			if t.Run.Fail != nil {
				t.Run.Fail(fmt.Errorf("%s: script: %s", e.place, prog.Unsupported()[0]))
			}
		})
	}
	return prog, err
}

// bind readies the surroundings of a run of the script. vars are the names that the
// script finds; those of before are kept. more sets what only some elements have.
func (e *element) bind(t *vu.Thread, st *state, vars map[string]script.Value, logger string, more func(h *api.Host, b map[string]script.Value)) *script.Env {
	if st.env.Interrupted == nil {
		st.env = host.Env(t)
	}
	st.env.Bindings = vars
	h := e.seat.Host(t)
	if st.log == nil || st.name != logger {
		st.log, st.name = host.Log(t.Log(), host.LogName(logger)), logger
	}
	h.Log = st.log
	if more != nil {
		more(h, vars)
	}
	api.Bind(&st.env, h)
	delete(vars, "threadName") // functions have it, elements do not
	if h.Prev == nil {
		vars["prev"] = nil
	}
	return &st.env
}

// args are the parameters split at blanks.
func args(params string) *script.Array {
	a := &script.Array{Elem: "java.lang.String"}
	for s := range strings.FieldsFuncSeq(params, func(r rune) bool { return r == ' ' }) {
		a.Items = append(a.Items, s)
	}
	return a
}

// readers are the names by which a script reaches a result.
var readers = []string{"prev", "ctx", "esult", "data", "Response", "Request", "getContext"}

// reads tells whether the script may read a result.
func (e *element) reads() bool {
	if e.file.Source() != "" {
		return true
	}
	for _, name := range readers {
		if strings.Contains(e.script.Source(), name) {
			return true
		}
	}
	return !e.script.IsConst() && strings.Contains(e.script.Source(), "__")
}

// Needs is nothing for a script that never mentions a result.
func (e *element) Needs() elem.Needs {
	if e.reads() {
		return elem.NeedAll
	}
	return 0
}

// readsPrevious says that the script, which runs before a sample, may read the one before.
func (e *element) readsPrevious(p *elem.Props) {
	if c := p.Compiler(); c != nil && e.reads() {
		c.ReadsPrev = true
	}
}

// stop gives in to a script that ends its thread or the test by an exception.
func stop(err error) {
	var x *script.Throwable
	if !errors.As(err, &x) {
		return
	}
	switch x.Class {
	case "org.apache.jorphan.util.JMeterStopThreadException":
		vu.Throw(vu.ErrStopThread)
	case "org.apache.jorphan.util.JMeterStopTestException":
		vu.Throw(vu.ErrStopTest)
	case "org.apache.jorphan.util.JMeterStopTestNowException":
		vu.Throw(vu.ErrStopTestNow)
	}
}

// fatal says that err is one of Java's Errors, such as a failed assert of Groovy,
// which nothing but the end of the thread answers.
func fatal(err error) bool {
	var x *script.Throwable
	return errors.As(err, &x) && strings.HasSuffix(x.Class, "Error")
}

// text is a value's toString; null is "" and false.
func text(v script.Value) (string, bool) {
	if r, ok := v.(script.JSResult); ok {
		if r.Value == nil {
			return "", false
		}
		return r.Text, true
	}
	if v == nil {
		return "", false
	}
	s, _ := script.ToString(v)
	return s, true
}
