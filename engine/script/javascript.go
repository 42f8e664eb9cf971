package script

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/dop251/goja"

	"github.com/gojm/gojm/engine/java"
)

// JavaScript runs in goja with what Rhino, which JMeter uses, adds: the packages of Java, Java objects whose
// methods and bean properties scripts use, and Java texts as objects ("x".equals(y), but x === "y" is false).
// goja knows newer syntax than Rhino; such scripts run here and are errors in JMeter.

func compileJavaScript(source, name string) (*Program, error) {
	prog, err := goja.Compile(name, source, false)
	if err != nil {
		se := &SyntaxError{Name: name, Line: 1, Column: 1, Text: err.Error()}
		if m := jsPlace.FindStringSubmatch(err.Error()); m != nil {
			se.Text = m[1]
			se.Line, se.Column = number10(m[2]), number10(m[3])
		}
		return nil, se
	}
	if onlyLiterals(source) {
		return &Program{name: name, lang: "javascript", run: func(*Run) (Value, error) { return runLiterals(prog) }}, nil
	}
	needs := jsNeeds{
		java:  jsWords(source, "java", "javax", "org", "com", "Packages", "eval"),
		rhino: jsWords(source, "parseInt", "Date", "eval", "Function"),
	}
	return &Program{name: name, lang: "javascript", problems: jsProblems(source), run: func(r *Run) (Value, error) {
		return runJavaScript(r, prog, needs)
	}}, nil
}

// jsNeeds says what a runtime must have for a script: making it takes longer than most scripts.
type jsNeeds struct{ java, rhino bool }

func jsWords(source string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(source, w) {
			return true
		}
	}
	return false
}

// onlyLiterals says that a source names nothing: comparisons of pasted values, as most conditions are. It
// cannot change anything, so that it may run in a runtime used before.
func onlyLiterals(source string) bool {
	for i := 0; i < len(source); {
		switch c := source[i]; {
		case c == '"' || c == '\'':
			j := i + 1
			for j < len(source) && source[j] != c {
				if source[j] == '\\' {
					j++
				}
				j++
			}
			i = j + 1
		case c == '`' || c == '/' || c == '[' || c == '{' || c == '#' || c == '.' && !(i+1 < len(source) && isDigit(source[i+1])):
			return false
		case isWord(c) && !isDigit(c) || c == '\\':
			j := i
			for j < len(source) && isWord(source[j]) {
				j++
			}
			switch source[i:max(j, i+1)] {
			case "true", "false", "null":
			default:
				return false
			}
			i = j
		case isDigit(c):
			for i < len(source) && (isWord(source[i]) || source[i] == '.') {
				i++
			}
		default:
			i++
		}
	}
	return true
}

var literalRuntimes = sync.Pool{New: func() any { return goja.New() }}

func runLiterals(prog *goja.Program) (Value, error) {
	vm := literalRuntimes.Get().(*goja.Runtime)
	defer literalRuntimes.Put(vm)
	res, err := vm.RunProgram(prog)
	if err != nil {
		return nil, jsError(err)
	}
	return JSResult{jsText(res), fromExport(res.Export(), 0)}, nil
}

var (
	jsPlace = regexp.MustCompile(`^(?:SyntaxError: )?(?:SyntaxError: )?(?:.*?: Line \d+:\d+ )?(.*) at .*?:(\d+):(\d+)$`)
	jsClass = regexp.MustCompile(`\b(?:Packages\.)?((?:java|javax|org|com)(?:\.[a-z]\w*)+\.[A-Z]\w*)`)
)

func number10(s string) int {
	n := 0
	for _, c := range []byte(s) {
		n = min(n*10+int(c-'0'), 1<<30)
	}
	return n
}

// jsProblems looks for Java classes that are not at hand.
func jsProblems(source string) []Problem {
	var out []Problem
	for _, m := range jsClass.FindAllStringSubmatchIndex(source, -1) {
		n := source[m[2]:m[3]]
		if _, ok := registry.full[n]; ok || isException(n) {
			continue
		}
		before := source[:m[0]]
		out = append(out, Problem{strings.Count(before, "\n") + 1, m[0] - strings.LastIndexByte(before, '\n'), "class " + n + " is not supported"})
	}
	return out
}

// jsRun is one run of a script.
type jsRun struct {
	run *Run
	vm  *goja.Runtime
}

func runJavaScript(r *Run, prog *goja.Program, needs jsNeeds) (v Value, err error) {
	vm := goja.New()
	vm.SetMaxCallStackSize(maxDepth)
	j := &jsRun{r, vm}
	for n, v := range r.env.Bindings {
		// What JMeter binds is given as it is: a text is a plain text.
		if s, ok := v.(string); ok {
			vm.Set(n, s)
			continue
		}
		vm.Set(n, j.toJS(v))
	}
	if needs.java {
		for _, n := range []string{"java", "javax", "org", "com"} {
			vm.Set(n, vm.NewDynamicObject(&jsPackage{j, n}))
		}
		vm.Set("Packages", vm.NewDynamicObject(&jsPackage{j, ""}))
	}
	if needs.rhino {
		j.likeRhino()
	}
	if r.env.Interrupted != nil {
		stop := j.watch()
		defer stop()
	}
	res, err := vm.RunProgram(prog)
	if err != nil {
		return nil, jsError(err)
	}
	return JSResult{jsText(res), j.fromJS(res)}, nil
}

// JSResult is what a script yields: Rhino's text of it, which is the result of __javaScript and of
// conditions, and its value.
//
// Unlike in Rhino numbers and booleans that Java returns are plain ones always.
type JSResult struct {
	Text  string
	Value Value
}

func (r JSResult) String() string { return r.Text }

// jsText is Context.toString.
func jsText(v goja.Value) (s string) {
	if v == nil {
		return "undefined"
	}
	defer func() {
		if recover() != nil { // a toString that throws
			s = "[object Object]"
		}
	}()
	return v.String()
}

// watch interrupts the script when the run is to end.
func (j *jsRun) watch() (stop func()) {
	done := make(chan struct{})
	var t *time.Timer
	t = time.AfterFunc(time.Second, func() {
		select {
		case <-done:
			return
		default:
		}
		if j.run.env.Interrupted() {
			j.vm.Interrupt("script interrupted")
			return
		}
		t.Reset(time.Second)
	})
	return func() { close(done); t.Stop() }
}

// likeRhino changes what differs from goja: parseInt reads a leading zero as octal, a date in UTC shows
// GMT-0000.
func (j *jsRun) likeRhino() {
	native, _ := goja.AssertFunction(j.vm.Get("parseInt"))
	j.vm.Set("parseInt", func(call goja.FunctionCall) goja.Value {
		s := strings.TrimSpace(call.Argument(0).String())
		neg := strings.HasPrefix(s, "-")
		digits := strings.TrimLeft(s, "+-")
		if radix := call.Argument(1); (goja.IsUndefined(radix) || radix.ToInteger() == 0) && len(digits) > 1 && digits[0] == '0' && digits[1]|0x20 != 'x' {
			digits = digits[1:]
			if neg {
				digits = "-" + digits
			}
			v, err := native(goja.Undefined(), j.vm.ToValue(digits), j.vm.ToValue(8))
			if err != nil {
				panic(err)
			}
			return v
		}
		v, err := native(goja.Undefined(), call.Arguments...)
		if err != nil {
			panic(err)
		}
		return v
	})
	proto, ok := j.vm.Get("Date").(*goja.Object)
	if !ok {
		return
	}
	if p, ok := proto.Get("prototype").(*goja.Object); ok {
		toString, _ := goja.AssertFunction(p.Get("toString"))
		_ = p.Set("toString", func(call goja.FunctionCall) goja.Value {
			v, err := toString(call.This)
			if err != nil {
				panic(err)
			}
			return j.vm.ToValue(strings.Replace(v.String(), "GMT+0000", "GMT-0000", 1))
		})
	}
}

func jsError(err error) error {
	var ex *goja.Exception
	if errors.As(err, &ex) {
		if t, ok := ex.Value().Export().(*jsThrown); ok {
			return t.Throwable
		}
		if o, ok := ex.Value().(*goja.Object); ok {
			if d, ok := o.Export().(*jsObject); ok {
				if t, ok := d.v.(*Throwable); ok {
					return t
				}
			}
		}
		return throw("org.mozilla.javascript.JavaScriptException", "%s", jsText(ex.Value()))
	}
	var in *goja.InterruptedError
	if errors.As(err, &in) {
		return throw("java.lang.InterruptedException", "script interrupted")
	}
	return throw("org.mozilla.javascript.EvaluatorException", "%s", err.Error())
}

// toJS gives a Java value to the script.
func (j *jsRun) toJS(v Value) goja.Value {
	switch x := v.(type) {
	case nil:
		return goja.Null()
	case nothing:
		return goja.Undefined()
	case bool, int32, int64, float64, int16, int8:
		return j.vm.ToValue(x)
	case float32:
		return j.vm.ToValue(float64(x))
	case java.Char:
		return j.vm.ToValue(int(x))
	case goja.Value:
		return x
	case *Class:
		return j.class(x)
	}
	o := j.vm.NewDynamicObject(&jsObject{j, v})
	if _, ok := v.(string); ok { // methods of JavaScript's texts work on Java's
		if s, ok := j.vm.Get("String").(*goja.Object); ok {
			if p, ok := s.Get("prototype").(*goja.Object); ok {
				_ = o.SetPrototype(p)
			}
		}
	}
	return o
}

// fromJS takes a value of the script for Java.
func (j *jsRun) fromJS(v goja.Value) Value {
	switch {
	case v == nil, goja.IsUndefined(v), goja.IsNull(v):
		return nil
	}
	if o, ok := v.(*goja.Object); ok {
		if d, ok := o.Export().(*jsObject); ok {
			return d.v
		}
		if fn, ok := goja.AssertFunction(o); ok {
			return &Closure{native: func(r *Run, args []Value) (Value, error) {
				list := make([]goja.Value, len(args))
				for i, a := range args {
					list[i] = j.toJS(a)
				}
				res, err := fn(goja.Undefined(), list...)
				if err != nil {
					return nil, jsError(err)
				}
				return j.fromJS(res), nil
			}}
		}
	}
	return fromExport(v.Export(), 0)
}

func fromExport(x any, depth int) Value {
	if depth > maxTextDepth {
		return nil
	}
	switch x := x.(type) {
	case int64:
		if x == int64(int32(x)) {
			return int32(x)
		}
		return x
	case float64, string, bool:
		return x
	case []any:
		l := NewList()
		for _, e := range x {
			l.v = append(l.v, fromExport(e, depth+1))
		}
		return l
	case map[string]any:
		m := NewMap()
		for k, e := range x {
			m.Put(k, fromExport(e, depth+1))
		}
		return m
	case *jsObject:
		return x.v
	case *jsPackage:
		return x.name
	case time.Time:
		return x.UnixMilli()
	}
	return nil
}

func (j *jsRun) args(call goja.FunctionCall) []Value {
	out := make([]Value, len(call.Arguments))
	for i, a := range call.Arguments {
		out[i] = j.fromJS(a)
	}
	return out
}

// must turns a Java exception into one of JavaScript.
func (j *jsRun) must(v Value, err error) goja.Value {
	if err != nil {
		panic(j.vm.ToValue(&jsThrown{asThrowable(err)}))
	}
	return j.toJS(v)
}

// jsThrown is a Java exception in a catch of JavaScript.
type jsThrown struct{ *Throwable }

func (t *jsThrown) String() string { return t.Throwable.Error() }

// class is a Java class in the script: a constructor with the static members as properties.
func (j *jsRun) class(c *Class) goja.Value {
	ctor := j.vm.ToValue(func(call goja.ConstructorCall) *goja.Object {
		args := make([]Value, len(call.Arguments))
		for i, a := range call.Arguments {
			args[i] = j.fromJS(a)
		}
		v, err := j.run.construct(c, args)
		o, ok := j.must(v, err).(*goja.Object)
		if !ok {
			return j.vm.NewDynamicObject(&jsObject{j, v})
		}
		return o
	}).(*goja.Object)
	for n := range c.Static {
		_ = ctor.Set(n, func(call goja.FunctionCall) goja.Value { return j.must(j.run.invoke(c, n, j.args(call))) })
	}
	for n, v := range c.Fields {
		_ = ctor.Set(n, j.toJS(v))
	}
	return ctor
}

// jsPackage is java, java.util, Packages.
type jsPackage struct {
	j    *jsRun
	name string
}

func (p *jsPackage) Get(key string) goja.Value {
	n := key
	if p.name != "" {
		n = p.name + "." + key
	}
	if c, ok := registry.full[n]; ok {
		return p.j.class(c)
	}
	if isException(key) {
		return p.j.class(throwableClass(n))
	}
	if key == "toString" || key == "valueOf" {
		return p.j.vm.ToValue(func(goja.FunctionCall) goja.Value { return p.j.vm.ToValue("[JavaPackage " + p.name + "]") })
	}
	return p.j.vm.NewDynamicObject(&jsPackage{p.j, n})
}

func (p *jsPackage) Set(string, goja.Value) bool { return false }
func (p *jsPackage) Has(string) bool             { return true }
func (p *jsPackage) Delete(string) bool          { return false }
func (p *jsPackage) Keys() []string              { return nil }

// jsObject is a Java object in the script.
type jsObject struct {
	j *jsRun
	v Value
}

func (o *jsObject) Get(key string) goja.Value {
	vm := o.j.vm
	switch key {
	case "toString": // a Java text, which is an object; what needs a plain one asks valueOf then
		return vm.ToValue(func(goja.FunctionCall) goja.Value { return o.j.toJS(javaString(o.v)) })
	case "toJSON":
		return vm.ToValue(func(goja.FunctionCall) goja.Value { return vm.ToValue(javaString(o.v)) })
	case "valueOf":
		return vm.ToValue(func(goja.FunctionCall) goja.Value {
			if isNumber(o.v) {
				return vm.ToValue(toDouble(o.v))
			}
			return vm.ToValue(javaString(o.v))
		})
	case "length":
		switch o.v.(type) {
		case *Array, *Bytes:
			return vm.ToValue(len(mustItems(o.v)))
		}
	}
	if list, ok := listItems(o.v); ok && key != "" && isDigit(key[0]) {
		if i := number10(key); i < len(list) {
			return o.j.toJS(list[i])
		}
		return goja.Undefined()
	}
	cl := classOf(o.v)
	if cl.has(key, false) {
		return vm.ToValue(func(call goja.FunctionCall) goja.Value { return o.j.must(o.j.run.invoke(o.v, key, o.j.args(call))) })
	}
	if key == "" || strings.HasPrefix(key, "Symbol(") {
		return nil
	}
	get, is := getters(key)
	for _, n := range []string{get, is} {
		if m := cl.find(n, 0, false); m != nil {
			return o.j.must(m.do(o.j.run, o.v, nil))
		}
	}
	return nil
}

func (o *jsObject) Set(key string, v goja.Value) bool {
	if key != "" && isDigit(key[0]) {
		return o.j.run.setIndex(o.v, []Value{int32(number10(key))}, o.j.fromJS(v)) == nil
	}
	return o.j.run.setProperty(o.v, key, o.j.fromJS(v)) == nil
}

func (o *jsObject) Has(key string) bool    { return o.Get(key) != nil }
func (o *jsObject) Delete(key string) bool { return false }

func (o *jsObject) Keys() []string {
	var out []string
	if m, ok := o.v.(*Map); ok {
		for _, k := range m.keys() {
			out = append(out, javaString(k))
		}
	}
	return out
}
