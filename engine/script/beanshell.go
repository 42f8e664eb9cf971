package script

import (
	"io"
	"math/big"

	"github.com/gojm/gojm/engine/java"
)

// beanShellDialect is BeanShell 2: Java's syntax with types left out where one likes. Names that a script
// declares or sets stay in its bindings, as in an interpreter that is kept between calls.
//
// Unlike BeanShell, == compares texts by what they say: there the outcome depends on which texts happen to be
// one object.
var beanShellDialect *dialect

func init() {
	beanShellDialect = &dialect{
		name: "beanshell", globals: true,
		truth: func(_ *Run, v Value) (bool, error) {
			if b, ok := v.(bool); ok {
				return b, nil
			}
			return false, throw(bshError, "Condition must evaluate to a Boolean or primitive boolean.")
		},
		binary: beanShellBinary, unary: beanShellUnary, makeRange: makeRange,
		caseMatches: func(_ *Run, want, v Value) (bool, error) { return equalGroovy(want, v), nil },
		boundNames: map[string]bool{"SampleResult": true, "ResponseCode": true, "ResponseMessage": true, "IsSuccess": true, "Response": true,
			"ResponseData": true, "ResponseHeaders": true, "RequestHeaders": true, "SampleLabel": true, "SamplerData": true, "Successful": true,
			"Failure": true, "FailureMessage": true, "Label": true, "FileName": true, "Parameters": true, "Sampler": true},
		free: func(_ *frame, n string) (Value, error) {
			return nil, throw(bshError, "illegal use of undefined variable, class, or 'void' literal : %s", n)
		},
		freeCall: beanShellCall,
		property: func(r *Run, o Value, n string) (Value, bool, error) {
			if m, ok := o.(*Map); ok {
				v, ok := m.Get(n)
				return v, ok, nil
			}
			return nil, false, nil
		},
		missingMethod: func(o Value, n string, args []Value) error {
			return throw(bshError, "Method %s( %s ) not found in class'%s'", n, argTypes(args), classOf(o).Name)
		},
		missingProperty: func(o Value, n string) error {
			return throw(bshError, "Cannot access field: %s, on object: %s", n, javaString(o))
		},
	}
	beanShellDialect.elvis = beanShellDialect.truth
}

const bshError = "bsh.EvalError"

func compileBeanShell(source, name string) (*Program, error) {
	list, err := parseSource(source, name, true)
	if err != nil {
		return nil, err
	}
	return compileUnit(beanShellDialect, source, name, list)
}

func beanShellCall(fr *frame, n string, args []Value) (Value, error) {
	switch n {
	case "print", "error", "debug":
		if len(args) == 1 {
			w := fr.run.out()
			if n == "error" {
				w = fr.run.errOut()
			}
			if n == "debug" {
				return nil, nil
			}
			_, err := io.WriteString(w, javaString(args[0])+"\n")
			return nil, err
		}
	}
	if m := fr.unit.methods[n]; m != nil {
		return nil, throw(bshError, "Command not found: %s( %s )", n, argTypes(args))
	}
	return nil, throw(bshError, "Command not found: %s( %s )", n, argTypes(args))
}

func beanShellBinary(op string) func(*Run, Value, Value) (Value, error) {
	switch op {
	case "+":
		return func(_ *Run, a, b Value) (Value, error) {
			_, sa := a.(string)
			_, sb := b.(string)
			if sa || sb {
				return joinText(javaString(a), javaString(b))
			}
			return javaArithmetic('+', a, b)
		}
	case "-", "*", "/", "%":
		return func(_ *Run, a, b Value) (Value, error) { return javaArithmetic(op[0], a, b) }
	case "==", "!=":
		want := op == "=="
		return func(_ *Run, a, b Value) (Value, error) {
			a, b = charNumber(a), charNumber(b)
			if isNumber(a) && isNumber(b) {
				return (compareNumbers(a, b) == 0) == want, nil
			}
			return equals(a, b) == want, nil
		}
	case "<", ">", "<=", ">=":
		compare := groovyBinary(op)
		return func(r *Run, a, b Value) (Value, error) {
			a, b = charNumber(a), charNumber(b)
			if !isNumber(a) || !isNumber(b) {
				return nil, throw(bshError, "Use of non + operator with String")
			}
			return compare(r, a, b)
		}
	case "&", "|", "^", "<<", ">>", ">>>":
		return func(r *Run, a, b Value) (Value, error) { return bits(r, op, a, b) }
	}
	return nil
}

// javaArithmetic is Java's: chars count as numbers, whole numbers divide whole.
func javaArithmetic(op byte, a, b Value) (Value, error) {
	a, b = charNumber(a), charNumber(b)
	if !isNumber(a) || !isNumber(b) {
		return nil, throw(bshError, "Operator: '%c' inappropriate for objects", op)
	}
	return arithmetic(op, a, b)
}

func beanShellUnary(op string) func(*Run, Value) (Value, error) {
	switch op {
	case "-", "+":
		return func(r *Run, v Value) (Value, error) {
			switch charNumber(v).(type) {
			case int32, int64, float64, float32, int16, int8, *big.Int, java.Decimal:
				if op == "+" {
					return charNumber(v), nil
				}
				if n, ok := v.(int64); ok && n == 1<<31 { // the literal -2147483648
					return int32(-1 << 31), nil
				}
				return negate(r, v)
			}
			return nil, throw(bshError, "Unary operation %s inappropriate for object", op)
		}
	case "~":
		return groovyUnary(op)
	}
	return nil
}
