package script

import (
	"io"
	"strings"
)

// groovyDialect is Groovy 3.
var groovyDialect *dialect

func init() {
	groovyDialect = &dialect{
		name: "groovy", groovy: true, lastValue: true,
		truth: truthOf, elvis: truthOf, binary: groovyBinary, unary: groovyUnary, makeRange: makeRange, caseMatches: caseMatches,
		boundNames: map[string]bool{"SampleResult": true, "AssertionResult": true, "Label": true, "Parameters": true, "FileName": true, "OUT": true},
		free: func(fr *frame, n string) (Value, error) {
			return nil, throw("groovy.lang.MissingPropertyException", "No such property: %s for class: %s", n, fr.unit.class0)
		},
		freeCall: groovyFreeCall,
	}
}

func compileGroovy(source, name string) (*Program, error) {
	list, err := parseSource(source, name, false)
	if err != nil {
		return nil, err
	}
	return compileUnit(groovyDialect, source, name, list)
}

// groovyFreeCall calls a function that the script does not declare: a closure in a binding, a method
// of a delegate, one of those every object has.
func groovyFreeCall(fr *frame, n string, args []Value) (Value, error) {
	r := fr.run
	for cl := fr.closure; cl != nil; cl = cl.owner {
		if cl.delegate == nil {
			continue
		}
		if m := classOf(cl.delegate).find(n, len(args), true); m != nil && (cl.delegateFirst || objectClass.Groovy[n] != m) {
			return m.do(r, cl.delegate, args)
		}
		if call, ok := builder(cl.delegate); ok {
			return call(r, n, args)
		}
		if v, ok, err := r.callHeld(cl.delegate, n, args); ok {
			return v, err
		}
	}
	if v, ok := r.env.Bindings[n]; ok {
		return r.invoke(v, "call", args)
	}
	switch n {
	case "printf", "sprintf":
		if len(args) == 0 {
			break
		}
		s, err := formatText(groovyString(args[0]), spreadArgs(args[1:]))
		if err != nil || n == "sprintf" {
			return s, err
		}
		_, err = io.WriteString(r.out(), s.(string))
		return nil, err
	case "print", "println", "sleep":
		if m := objectClass.Groovy[n]; m.fits(len(args)) {
			return m.do(r, &scriptObject{r, fr.unit}, args)
		}
	}
	return nil, throw("groovy.lang.MissingMethodException", "No signature of method: org.codehaus.groovy.jsr223.GroovyScriptEngineImpl.%s() is applicable for argument types: (%s) values: [%s]",
		n, argTypes(args), strings.TrimSuffix(strings.TrimPrefix(groovyString(NewList(args...)), "["), "]"))
}

// spreadArgs takes one list for all arguments.
func spreadArgs(args []Value) []Value {
	if len(args) == 1 {
		if l, ok := args[0].(*List); ok {
			return l.all()
		}
	}
	return args
}
