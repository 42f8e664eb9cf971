package script

import (
	"io"
	"math/big"
	"strings"

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
			return nil, throw(bshError, "%s", undefined+n)
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
			return throw(bshError, "%s", noMethod(o, n, args))
		},
		explain: explainBeanShell,
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
	return compileUnit(beanShellDialect, source, name, yieldLast(list))
}

// yieldLast makes the last statement of a script yield its value, if it is an expression.
func yieldLast(list []expr) []expr {
	if len(list) == 0 {
		return list
	}
	last := list[len(list)-1]
	switch last.(type) {
	case *block, *varDecl, *ifStmt, *whileStmt, *forStmt, *forIn, *switchStmt, *jump, *returnStmt, *throwStmt, *tryStmt, *assertStmt,
		*importDecl, *methodDecl:
		return list
	}
	return append(list[:len(list)-1:len(list)-1], &returnStmt{pos: last.at(), x: last})
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
	return nil, throw(bshError, "Command not found: %s( %s )", n, javaTypes(args))
}

func noMethod(o Value, n string, args []Value) string {
	return "Error in method invocation: Method " + n + "( " + javaTypes(args) + " ) not found in class'" + classOf(o).Name + "'"
}

// javaTypes names the types of arguments as BeanShell does.
func javaTypes(args []Value) string {
	names := make([]string, len(args))
	for i, a := range args {
		switch a.(type) {
		case nil:
			names[i] = "null"
		case int32:
			names[i] = "int"
		case int64:
			names[i] = "long"
		case float64:
			names[i] = "double"
		case float32:
			names[i] = "float"
		case bool:
			names[i] = "boolean"
		case java.Char:
			names[i] = "char"
		default:
			names[i] = classOf(a).Name
		}
	}
	return strings.Join(names, ", ")
}

const undefined = "illegal use of undefined variable, class, or 'void' literal : "

// explainBeanShell notes what BeanShell says of an error: not what was thrown, but in which construct.
func explainBeanShell(in construct, name string, err error) error {
	t := asThrowable(err)
	if !t.HasWhere {
		switch t.Class {
		case bshError:
			t.Where = t.Message
		case "java.lang.ArithmeticException":
			t.Where = "Arithemetic Exception in binary op" // the interpreter's own spelling
		}
		t.HasWhere = t.Where != ""
	}
	switch {
	case in == inThrow:
		t.Where, t.HasWhere = "TargetError", true
	case in == inReceiver && strings.HasPrefix(t.Where, undefined):
		i := strings.LastIndexByte(name, '.')
		t.Where = "Attempt to resolve method: " + name[i+1:] + "() on undefined variable or class name: " + name[:i]
	case in == inCall && !t.HasWhere:
		t.Where, t.HasWhere = "Method Invocation "+name, true
	case in == inNullCall:
		t.HasWhere = true
	case in == inNew && !t.HasWhere:
		t.Where, t.HasWhere = "Object constructor", true
	case in == inDeclaration:
		if t.HasWhere = true; t.Where == "" {
			t.Where = "Typed variable declaration"
		} else {
			t.Where = "Typed variable declaration : " + t.Where
		}
	}
	return t
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
