package script

import (
	"math"
	"math/big"
	"regexp"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// The arithmetic and the lookups of Commons JEXL, in the strict mode that JMeter sets. JEXL 2 and 3 differ
// in what + does with texts, in what a missing member is, and in small things.

var jexlDialects [4]*dialect

func init() {
	for _, v := range []int{2, 3} {
		two := v == 2
		d := &dialect{
			name: "jexl3", tracked: true, hashMaps: true, openNames: true, nullSafe: !two, noClasses: true,
			truth: jexlTruth(two), elvis: jexlElvis(two), caseMatches: caseMatches,
			binary: func(op string) func(*Run, Value, Value) (Value, error) { return jexlBinary(op, two) },
			unary:  func(op string) func(*Run, Value) (Value, error) { return jexlUnary(op, two) },
			free: func(fr *frame, n string) (Value, error) {
				return nil, throw(jexlUndefined, "undefined variable %s", n)
			},
			freeCall: func(fr *frame, n string, args []Value) (Value, error) {
				if cl, ok := fr.run.env.Bindings[n].(*Closure); ok {
					return cl.Call(fr.run, args...)
				}
				return nil, throw(jexlError, "unknown, ambiguous or inaccessible method %s", n)
			},
			lenient: func(err error, op string) bool {
				t, ok := err.(*Throwable)
				return ok && t.Class == jexlUndefined && (!two || op == "?:")
			},
			makeRange: makeRange,
			antish:    func(c *compiler, x *property) code { return antish(c, x, two) },
			property:  func(r *Run, o Value, n string) (Value, bool, error) { return jexlProperty(r, o, n, two) },
			missingMethod: func(o Value, n string, args []Value) error {
				if !two { // JEXL 3 makes nothing of it
					return nil
				}
				return throw(jexlError, "unknown, ambiguous or inaccessible method %s", n)
			},
			missingProperty: func(o Value, n string) error { return throw(jexlError, "undefined property '%s'", n) },
		}
		if two {
			d.name, d.noCompound = "jexl2", true
		}
		jexlDialects[v] = d
	}
}

const (
	jexlError     = "org.apache.commons.jexl3.JexlException"
	jexlUndefined = "org.apache.commons.jexl3.JexlException.Variable"
)

func compileJEXL3(source, name string) (*Program, error) { return compileJEXL(source, name, 3) }
func compileJEXL2(source, name string) (*Program, error) { return compileJEXL(source, name, 2) }

func compileJEXL(source, name string, version int) (*Program, error) {
	list, err := parseJEXL(source, name, version == 2)
	if err != nil {
		return nil, err
	}
	return compileUnit(jexlDialects[version], source, name, list)
}

func nullOperand(op string) error {
	return throw("java.lang.ArithmeticException", "%s error caused by null operand", op)
}

func jexlTruth(two bool) func(*Run, Value) (bool, error) {
	return func(_ *Run, v Value) (bool, error) {
		switch x := v.(type) {
		case nil:
			return false, throw("java.lang.ArithmeticException", "boolean coercion error caused by null operand")
		case bool:
			return x, nil
		case string:
			return x != "" && x != "false", nil
		case java.Char:
			return x != 0, nil
		}
		if isNumber(v) {
			f := toDouble(v)
			return f == f && f != 0, nil
		}
		return !two, nil
	}
}

// jexlElvis is the condition of a ?: b, for which null is false.
func jexlElvis(two bool) func(*Run, Value) (bool, error) {
	truth := jexlTruth(two)
	return func(r *Run, v Value) (bool, error) {
		if v == nil {
			return false, nil
		}
		return truth(r, v)
	}
}

// jexlWhole returns a whole number of at most 64 bits, booleans too in JEXL 3.
func jexlWhole(v Value, two bool) (int64, bool) {
	if b, ok := v.(bool); ok && !two {
		if b {
			return 1, true
		}
		return 0, true
	}
	return integral(v)
}

var floatText = regexp.MustCompile(`^[+-]?\d*(\.\d*)?([eE][+-]?\d+)?$`)

// jexlFloat says that an operand makes the arithmetic floating: a double, or a text that looks like one.
func jexlFloat(v Value) bool {
	switch x := v.(type) {
	case float64, float32:
		return true
	case string:
		m := floatText.FindStringSubmatch(x)
		return m != nil && (m[1] != "" || m[2] != "")
	}
	return false
}

func jexlDouble(v Value) (float64, error) {
	switch x := v.(type) {
	case string:
		if x == "" {
			return 0, nil
		}
		return java.ParseDouble(x)
	case float32: // by its text, as JEXL goes
		return java.ParseDouble(java.FormatFloat(x))
	case bool:
		if x {
			return 1, nil
		}
		return 0, nil
	case java.Char:
		return float64(x), nil
	}
	if isNumber(v) {
		return toDouble(v), nil
	}
	return 0, throw("java.lang.ArithmeticException", "Double coercion: %s:(%s)", classOf(v).Name, javaString(v))
}

func jexlBig(v Value) (*big.Int, error) {
	switch x := v.(type) {
	case string:
		if x == "" {
			return new(big.Int), nil
		}
		n, ok := parseBig(strings.TrimPrefix(x, "+"), 10)
		if !ok || strings.Contains(x, "_") {
			return nil, throw("java.lang.NumberFormatException", "For input string: \"%s\"", x)
		}
		return n, nil
	case java.Char:
		return big.NewInt(int64(x)), nil
	case bool:
		if x {
			return big.NewInt(1), nil
		}
		return new(big.Int), nil
	}
	if isNumber(v) {
		return toBig(v), nil
	}
	return nil, throw("java.lang.ArithmeticException", "BigInteger coercion: %s:(%s)", classOf(v).Name, javaString(v))
}

func jexlDecimal(v Value) (java.Decimal, error) {
	if s, ok := v.(string); ok {
		if s == "" {
			return java.Decimal{}, nil
		}
		return java.ParseDecimal(s)
	}
	if isNumber(v) {
		return toDecimal(v)
	}
	n, err := jexlBig(v)
	if err != nil {
		return java.Decimal{}, err
	}
	return java.NewDecimal(n, 0), nil
}

// narrow gives a whole result the smallest class, not smaller than that of its operands.
func narrow(n *big.Int, a, b Value) Value {
	_, bigA := a.(*big.Int)
	_, bigB := b.(*big.Int)
	if bigA || bigB || !n.IsInt64() {
		return n
	}
	_, longA := a.(int64)
	_, longB := b.(int64)
	if v := n.Int64(); longA || longB || v != int64(int32(v)) {
		return v
	}
	return int32(n.Int64())
}

// jexlArithmetic is + - * / % on numbers and texts that hold numbers.
func jexlArithmetic(op byte, two bool) func(*Run, Value, Value) (Value, error) {
	return func(_ *Run, a, b Value) (Value, error) {
		if a == nil || b == nil {
			return nil, nullOperand(string(op))
		}
		if op == '+' && !two {
			_, sa := a.(string)
			_, sb := b.(string)
			if sa || sb {
				return joinText(javaString(a), javaString(b))
			}
		}
		v, err := jexlCompute(op, a, b, two)
		if err == nil || op != '+' {
			return v, err
		}
		if two && (!isText(a) && !isNumber(a) || !isText(b) && !isNumber(b)) {
			return nil, err
		}
		return joinText(javaString(a), javaString(b)) // what cannot be added is joined
	}
}

func jexlCompute(op byte, a, b Value, two bool) (Value, error) {
	if two {
		if _, ok := a.(bool); ok {
			return nil, throw("java.lang.ArithmeticException", "Boolean operand of %c", op)
		}
		if _, ok := b.(bool); ok {
			return nil, throw("java.lang.ArithmeticException", "Boolean operand of %c", op)
		}
	}
	byZero := func() (Value, error) { return nil, throw("java.lang.ArithmeticException", "%c", op) }
	if x, ok := jexlWhole(a, two); ok {
		if y, ok := jexlWhole(b, two); ok {
			return jexlBigOp(op, big.NewInt(x), big.NewInt(y), a, b, two, byZero)
		}
	}
	floats := jexlFloat(a) || jexlFloat(b)
	decimals := isDecimal(a) || isDecimal(b)
	if floats && (two || !decimals) {
		x, err := jexlDouble(a)
		if err != nil {
			return nil, err
		}
		y, err := jexlDouble(b)
		if err != nil {
			return nil, err
		}
		if y == 0 && (op == '/' || op == '%') {
			return byZero()
		}
		switch op {
		case '+':
			return x + y, nil
		case '-':
			return x - y, nil
		case '*':
			return x * y, nil
		case '/':
			return x / y, nil
		}
		return math.Mod(x, y), nil
	}
	if decimals {
		x, err := jexlDecimal(a)
		if err != nil {
			return nil, err
		}
		y, err := jexlDecimal(b)
		if err != nil {
			return nil, err
		}
		switch op {
		case '+':
			return x.Add(y), nil
		case '-':
			return x.Sub(y), nil
		case '*':
			return x.Mul(y), nil
		}
		if y.Sign() == 0 {
			return byZero()
		}
		if op == '/' {
			return errValue(x.QuoPrecision(y, 34, java.RoundHalfEven))
		}
		return errValue(x.Rem(y))
	}
	x, err := jexlBig(a)
	if err != nil {
		return nil, err
	}
	y, err := jexlBig(b)
	if err != nil {
		return nil, err
	}
	return jexlBigOp(op, x, y, a, b, two, byZero)
}

func jexlBigOp(op byte, x, y *big.Int, a, b Value, two bool, byZero func() (Value, error)) (Value, error) {
	n := new(big.Int)
	switch op {
	case '+':
		n.Add(x, y)
	case '-':
		n.Sub(x, y)
	case '*':
		n.Mul(x, y)
	default:
		if y.Sign() == 0 {
			return byZero()
		}
		switch {
		case op == '/':
			n.Quo(x, y)
		case two: // JEXL 2 takes the mathematical modulus
			if y.Sign() < 0 {
				return byZero()
			}
			n.Mod(x, y)
		default:
			n.Rem(x, y)
		}
	}
	return narrow(n, a, b), nil
}

func jexlLong(v Value) (int64, error) {
	switch x := v.(type) {
	case string:
		if x == "" {
			return 0, nil
		}
		return java.ParseLong(x, 10)
	case java.Char:
		return int64(x), nil
	case bool:
		if x {
			return 1, nil
		}
		return 0, nil
	}
	if isNumber(v) {
		return toLong(v), nil
	}
	return 0, throw("java.lang.ArithmeticException", "Long coercion: %s:(%s)", classOf(v).Name, javaString(v))
}

// jexlCompare compares two operands, both not null.
func jexlCompare(a, b Value, op string) (int, error) {
	sign := func(less, more bool) int {
		switch {
		case less:
			return -1
		case more:
			return 1
		}
		return 0
	}
	switch {
	case isDecimal(a) || isDecimal(b):
		x, err := jexlDecimal(a)
		if err != nil {
			return 0, err
		}
		y, err := jexlDecimal(b)
		return x.Cmp(y), err
	case isBigInt(a) || isBigInt(b):
		x, err := jexlBig(a)
		if err != nil {
			return 0, err
		}
		y, err := jexlBig(b)
		if err != nil {
			return 0, err
		}
		return x.Cmp(y), nil
	case isFloat(a) || isFloat(b):
		x, err := jexlDouble(a)
		if err != nil {
			return 0, err
		}
		y, err := jexlDouble(b)
		switch {
		case x != x && y != y:
			return 0, err
		case x != x:
			return -1, err
		case y != y:
			return 1, err
		}
		return sign(x < y, x > y), err
	case numberable(a) || numberable(b):
		x, err := jexlLong(a)
		if err != nil {
			return 0, err
		}
		y, err := jexlLong(b)
		return sign(x < y, x > y), err
	}
	_, sa := a.(string)
	_, sb := b.(string)
	switch {
	case sa || sb:
		return java.Compare(javaString(a), javaString(b)), nil
	case op == "==":
		return sign(!jexlSame(a, b), false), nil
	}
	if _, isBool := a.(bool); isBool {
		return compareValues(a, b)
	}
	return 0, throw("java.lang.ArithmeticException", "Object comparison:(%s %s %s)", javaString(a), op, javaString(b))
}

func jexlSame(a, b Value) bool { return equals(a, b) }

func isBigInt(v Value) bool { _, ok := v.(*big.Int); return ok }

func numberable(v Value) bool {
	if _, ok := v.(java.Char); ok {
		return true
	}
	_, ok := integral(v)
	return ok
}

func jexlEqual(two bool) func(a, b Value) (bool, error) {
	truth := jexlTruth(two)
	return func(a, b Value) (bool, error) {
		if a == nil || b == nil {
			return a == nil && b == nil, nil
		}
		_, ba := a.(bool)
		_, bb := b.(bool)
		if ba || bb {
			x, err := truth(nil, a)
			if err != nil {
				return false, err
			}
			y, err := truth(nil, b)
			return x == y, err
		}
		n, err := jexlCompare(a, b, "==")
		return n == 0, err
	}
}

// jexlMatches is =~: the whole text matches, or the value is in a collection.
func jexlMatches(a, b Value, two bool) (bool, error) {
	if a == nil || b == nil {
		switch {
		case !two:
			return false, nullOperand("=~")
		case b == nil:
			return false, throw("java.lang.ArithmeticException", "=~ error")
		}
		return false, nil
	}
	switch x := b.(type) {
	case string, *Pattern:
		if _, isList := listItems(a); isList {
			return false, throw("java.lang.ArithmeticException", "=~ error")
		}
		p, err := patternOf(x)
		if err != nil {
			return false, err
		}
		return p.re.MatchesString(javaString(a)), nil
	case *Map:
		_, ok := x.Get(a)
		return ok, nil
	case *Range, *Set:
		for _, e := range mustItems(x) {
			if equals(e, a) {
				return true, nil
			}
		}
		return false, nil
	}
	if list, ok := listItems(b); ok {
		return indexOf(list, a) >= 0, nil
	}
	if isNumber(b) && isNumber(a) || isText(a) && isText(b) {
		return equals(a, b), nil
	}
	return false, throw("java.lang.ArithmeticException", "=~ error")
}

func jexlBinary(op string, two bool) func(*Run, Value, Value) (Value, error) {
	equal := jexlEqual(two)
	switch op {
	case "+", "-", "*", "/", "%":
		return jexlArithmetic(op[0], two)
	case "==", "!=":
		want := op == "=="
		return func(_ *Run, a, b Value) (Value, error) {
			ok, err := equal(a, b)
			return ok == want, err
		}
	case "<", ">", "<=", ">=":
		return func(_ *Run, a, b Value) (Value, error) {
			if a == nil || b == nil {
				if two {
					return (op == "<=" || op == ">=") && a == nil && b == nil, nil
				}
				return nil, nullOperand(op)
			}
			n, err := jexlCompare(a, b, op)
			switch op {
			case "<":
				return n < 0, err
			case ">":
				return n > 0, err
			case "<=":
				return n <= 0, err
			}
			return n >= 0, err
		}
	case "=~", "!~":
		want := op == "=~"
		return func(_ *Run, a, b Value) (Value, error) {
			ok, err := jexlMatches(a, b, two)
			return ok == want, err
		}
	case "=^", "!^", "=$", "!$":
		if two {
			return nil
		}
		want := op[0] == '='
		return func(_ *Run, a, b Value) (Value, error) {
			if a == nil || b == nil {
				return nil, nullOperand(op)
			}
			if !isText(a) && !isNumber(a) {
				return nil, throw("java.lang.ArithmeticException", "%s error", op)
			}
			if op[1] == '^' {
				return strings.HasPrefix(javaString(a), javaString(b)) == want, nil
			}
			return strings.HasSuffix(javaString(a), javaString(b)) == want, nil
		}
	case "&", "|", "^":
		return func(_ *Run, a, b Value) (Value, error) {
			x, err := jexlLong(a)
			if err != nil {
				return nil, err
			}
			y, err := jexlLong(b)
			if err != nil {
				return nil, err
			}
			switch op {
			case "&":
				return x & y, nil
			case "|":
				return x | y, nil
			}
			return x ^ y, nil
		}
	}
	return nil
}

func jexlUnary(op string, two bool) func(*Run, Value) (Value, error) {
	switch op {
	case "-":
		return func(r *Run, v Value) (Value, error) {
			switch x := v.(type) {
			case bool:
				return !x, nil
			case int64:
				if x == 1<<31 { // the literal of the smallest int
					return int32(-1 << 31), nil
				}
			}
			if !isNumber(v) {
				return nil, throw("java.lang.ArithmeticException", "- error")
			}
			return negate(r, v)
		}
	case "+":
		return func(_ *Run, v Value) (Value, error) {
			if !isNumber(v) {
				return nil, throw("java.lang.ArithmeticException", "+ error")
			}
			return v, nil
		}
	case "~":
		return func(_ *Run, v Value) (Value, error) {
			n, err := jexlLong(v)
			return ^n, err
		}
	case "empty":
		return func(_ *Run, v Value) (Value, error) {
			switch v.(type) {
			case nil:
				return true, nil
			case string, *List, *Map, *Set, *Array, *Bytes, *Range:
				return jexlSize(v) == 0, nil
			}
			if isNumber(v) {
				f := toDouble(v)
				return !two && (f == 0 || f != f), nil
			}
			return false, nil
		}
	case "size":
		return func(_ *Run, v Value) (Value, error) {
			if two && jexlSize(v) < 0 {
				return nil, throw(jexlError, "size() : unsupported type : %s", classOf(v))
			}
			return int32(max(jexlSize(v), 0)), nil
		}
	}
	return nil
}

// jexlSize is the size of a text or collection, -1 for anything else.
func jexlSize(v Value) int {
	switch x := v.(type) {
	case nil:
		return 0
	case string:
		return java.Length(x)
	case *Map:
		return x.Len()
	}
	if isNumber(v) {
		return -1
	}
	list, ok := items(v)
	if !ok {
		return -1
	}
	return len(list)
}

// jexlArray is [1, 2]: an array of the class its items share.
func jexlArray(list []Value) *Array {
	elem := "java.lang.Object"
	for i, v := range list {
		n := classOf(v).Name
		switch {
		case i == 0:
			elem = n
		case n != elem:
			elem = "java.lang.Object"
		}
	}
	if elem == "java.lang.Integer" {
		elem = "int"
	}
	return &Array{Elem: elem, Items: list}
}

// antish compiles a.b.c: members of a, or where a is not defined the variable of that whole name.
func antish(c *compiler, x *property, two bool) code {
	whole, ok := dotted(x)
	if !ok {
		return nil
	}
	head, _, _ := strings.Cut(whole, ".")
	if _, _, declared := c.scope.lookup(head); declared {
		return nil
	}
	obj := c.expr(x.obj)
	field := x.name
	return func(fr *frame) (Value, error) {
		b := fr.run.env.Bindings
		if v, ok := b[head]; ok && v != nil {
			o, err := obj(fr)
			if err != nil || o == nil {
				return nil, err
			}
			return fr.run.getProperty(o, field)
		}
		if v, ok := b[whole]; ok {
			return v, nil
		}
		if two {
			return nil, throw(jexlUndefined, "undefined variable %s", whole)
		}
		return nil, nil
	}
}

// jexlProperty reads members before the common rules: none of null, in JEXL 3 null; keys of a map.
func jexlProperty(r *Run, o Value, n string, two bool) (Value, bool, error) {
	switch x := o.(type) {
	case nil:
		return nil, !two, nil
	case *Map:
		v, ok := x.Get(n)
		if ok {
			return v, true, nil
		}
		if two {
			return nil, false, throw(jexlUndefined, "inaccessible or unknown property %s", n)
		}
		if n == "empty" {
			return x.Len() == 0, true, nil
		}
		return nil, true, nil
	case *Array, *Bytes:
		if n == "length" {
			return nil, false, throw(jexlError, "undefined property 'length'")
		}
	}
	return nil, false, nil
}
