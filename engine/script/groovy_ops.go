package script

import (
	"math"
	"math/big"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// truthOf is Groovy's truth: false are null, false, zero, and empty texts, collections and matches.
func truthOf(r *Run, v Value) (bool, error) {
	switch x := v.(type) {
	case nil:
		return false, nil
	case bool:
		return x, nil
	case string:
		return x != "", nil
	case java.Char:
		return x != 0, nil
	case *List:
		return len(x.all()) > 0, nil
	case *Map:
		return x.Len() > 0, nil
	case *Set:
		return x.m.Len() > 0, nil
	case *Array:
		return len(x.Items) > 0, nil
	case *Bytes:
		return len(x.B) > 0, nil
	case *StringBuilder:
		return x.String() != "", nil
	case interface{ Truth() bool }:
		return x.Truth(), nil
	}
	if isNumber(v) {
		return toDouble(v) != 0, nil
	}
	return true, nil
}

// equalGroovy is ==: numbers by value, texts and collections by contents.
func equalGroovy(a, b Value) bool { return equalGroovyTo(maxTextDepth, a, b) }

func equalGroovyTo(depth int, a, b Value) bool {
	if depth == 0 {
		return false
	}
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	if x, ok := a.(string); ok {
		if y, ok := b.(string); ok {
			return x == y
		}
	}
	if isNumber(a) && isNumber(b) {
		return compareNumbers(a, b) == 0
	}
	deeper := func(a, b Value) bool { return equalGroovyTo(depth-1, a, b) }
	if x, ok := listItems(a); ok {
		y, ok := listItems(b)
		return ok && equalItems(x, y, deeper)
	}
	switch x := a.(type) {
	case *Map:
		y, ok := b.(*Map)
		return ok && x.equal(y, deeper)
	case java.Char:
		switch y := b.(type) {
		case string:
			return x.String() == y
		default:
			if isNumber(b) {
				return compareNumbers(int32(x), b) == 0
			}
		}
	case string:
		if y, ok := b.(java.Char); ok {
			return x == y.String()
		}
		if c, ok := oneChar(x); ok && isNumber(b) {
			return compareNumbers(c, b) == 0
		}
		return false
	}
	if isNumber(a) {
		switch y := b.(type) {
		case java.Char:
			return compareNumbers(a, int32(y)) == 0
		case string:
			if c, ok := oneChar(y); ok {
				return compareNumbers(a, c) == 0
			}
		}
	}
	return equals(a, b)
}

// oneChar is the code of a text of one character, which Groovy compares with numbers.
func oneChar(s string) (int32, bool) {
	u, ok := java.CharAt(s, 0)
	return int32(u), ok && java.Length(s) == 1
}

// arithmetic combines two numbers by Groovy's (and, but for division, Java's) widening: a floating
// point number makes the result double, then BigDecimal, BigInteger, long, int. Ints wrap around.
func arithmetic(op byte, a, b Value) (Value, error) {
	switch {
	case isFloat(a) || isFloat(b):
		x, y := toDouble(a), toDouble(b)
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
	case isDecimal(a) || isDecimal(b):
		x, _ := toDecimal(a)
		y, _ := toDecimal(b)
		switch op {
		case '+':
			return x.Add(y), nil
		case '-':
			return x.Sub(y), nil
		case '*':
			return x.Mul(y), nil
		case '/':
			return divideDecimals(x, y)
		}
		return x.Rem(y)
	}
	_, bigA := a.(*big.Int)
	_, bigB := b.(*big.Int)
	if bigA || bigB {
		x, y := toBig(a), toBig(b)
		switch op {
		case '+':
			return new(big.Int).Add(x, y), nil
		case '-':
			return new(big.Int).Sub(x, y), nil
		case '*':
			return new(big.Int).Mul(x, y), nil
		}
		if y.Sign() == 0 {
			return nil, throw("java.lang.ArithmeticException", "BigInteger divide by zero")
		}
		if op == '/' {
			return new(big.Int).Quo(x, y), nil
		}
		return new(big.Int).Rem(x, y), nil
	}
	x, y := toLong(a), toLong(b)
	if (op == '/' || op == '%') && y == 0 {
		return nil, throw("java.lang.ArithmeticException", "/ by zero")
	}
	var n int64
	switch op {
	case '+':
		n = x + y
	case '-':
		n = x - y
	case '*':
		n = x * y
	case '/':
		if y == -1 {
			n = -x
		} else {
			n = x / y
		}
	default:
		if y == -1 {
			n = 0
		} else {
			n = x % y
		}
	}
	_, longA := a.(int64)
	_, longB := b.(int64)
	if longA || longB {
		return n, nil
	}
	return int32(n), nil
}

func isDecimal(v Value) bool { _, ok := v.(java.Decimal); return ok }

// divideDecimals is Groovy's division: exact where that ends, else ten digits more than the operands.
func divideDecimals(x, y java.Decimal) (Value, error) {
	if y.Sign() == 0 {
		return nil, throw("java.lang.ArithmeticException", "Division by zero")
	}
	if q, err := x.QuoExact(y); err == nil {
		return q, nil
	}
	precision := max(x.Precision(), y.Precision()) + 10
	q, err := x.QuoPrecision(y, precision, java.RoundHalfUp)
	if err != nil {
		return nil, err
	}
	if scale := max(x.Scale(), y.Scale(), 10); q.Scale() > scale {
		return q.SetScale(scale, java.RoundHalfUp)
	}
	return q, nil
}

// groovyBinary finds what an operator does.
func groovyBinary(op string) func(*Run, Value, Value) (Value, error) {
	switch op {
	case "+":
		return groovyPlus
	case "-":
		return groovyMinus
	case "*":
		return groovyTimes
	case "/":
		return func(r *Run, a, b Value) (Value, error) {
			a, b = charNumber(a), charNumber(b)
			if !isNumber(a) || !isNumber(b) {
				return r.operatorMethod("div", a, b)
			}
			if isFloat(a) || isFloat(b) {
				return arithmetic('/', a, b)
			}
			x, _ := toDecimal(a)
			y, _ := toDecimal(b)
			return divideDecimals(x, y)
		}
	case "%":
		return func(r *Run, a, b Value) (Value, error) {
			a, b = charNumber(a), charNumber(b)
			if !isNumber(a) || !isNumber(b) {
				return r.operatorMethod("mod", a, b)
			}
			for _, v := range []Value{a, b} {
				if isDecimal(v) && !isFloat(a) && !isFloat(b) {
					return nil, throw("java.lang.UnsupportedOperationException", "Cannot use mod() on this number type: java.math.BigDecimal with value: %s", javaString(a))
				}
			}
			return arithmetic('%', a, b)
		}
	case "**":
		return groovyPower
	case "==", "!=":
		want := op == "=="
		return func(_ *Run, a, b Value) (Value, error) { return equalGroovy(a, b) == want, nil }
	case "===", "!==":
		want := op == "==="
		return func(_ *Run, a, b Value) (Value, error) { return same(a, b) == want, nil }
	case "<", ">", "<=", ">=", "<=>":
		return func(r *Run, a, b Value) (Value, error) {
			if s, ok := a.(string); ok && isNumber(b) {
				if n, ok := oneChar(s); ok {
					a = n
				}
			}
			if s, ok := b.(string); ok && isNumber(a) {
				if n, ok := oneChar(s); ok {
					b = n
				}
			}
			c, err := compareValues(a, b)
			if err != nil {
				return nil, err
			}
			switch op {
			case "<":
				return c < 0, nil
			case ">":
				return c > 0, nil
			case "<=":
				return c <= 0, nil
			case ">=":
				return c >= 0, nil
			}
			return int32(min(max(c, -1), 1)), nil
		}
	case "<<":
		return groovyLeftShift
	case ">>", ">>>", "&", "|", "^":
		return func(r *Run, a, b Value) (Value, error) { return bits(r, op, a, b) }
	case "in", "!in":
		want := op == "in"
		return func(r *Run, a, b Value) (Value, error) {
			ok, err := caseMatches(r, b, a)
			return ok == want, err
		}
	case "=~":
		return func(r *Run, a, b Value) (Value, error) {
			p, err := patternOf(b)
			if err != nil {
				return nil, err
			}
			return newMatcher(p, groovyString(a)), nil
		}
	case "==~":
		return func(r *Run, a, b Value) (Value, error) {
			p, err := patternOf(b)
			if err != nil || a == nil {
				return false, err
			}
			return p.re.MatchesString(groovyString(a)), nil
		}
	}
	return nil
}

// operatorMethod calls the method an operator stands for (plus, minus, div, ...).
func (r *Run) operatorMethod(n string, a, b Value) (Value, error) {
	return r.invoke(a, n, []Value{b})
}

func same(a, b Value) bool {
	switch a.(type) {
	case java.Decimal, *big.Int:
		return equals(a, b)
	}
	if x, ok := a.(interface{ Same(Value) bool }); ok { // a handle, of which there may be several
		return x.Same(b)
	}
	return a == b
}

// charNumber makes a char a number, as Groovy's arithmetic does.
func charNumber(v Value) Value {
	if c, ok := v.(java.Char); ok {
		return int32(c)
	}
	return v
}

func groovyPlus(r *Run, a, b Value) (Value, error) {
	if isNumber(a) && isNumber(b) {
		return arithmetic('+', a, b)
	}
	switch x := a.(type) {
	case string:
		return joinText(x, groovyString(b))
	case *StringBuilder:
		return joinText(x.String(), groovyString(b))
	case java.Char:
		if isNumber(b) {
			return arithmetic('+', int32(x), b)
		}
		return joinText(x.String(), groovyString(b))
	case nil:
		if s, ok := b.(string); ok {
			return "null" + s, nil
		}
		return nil, throw("java.lang.NullPointerException", "Cannot invoke method plus() on null object")
	case *Map:
		m := x.copy()
		switch y := b.(type) {
		case *Map:
			for _, e := range y.entries() {
				m.Put(e.Key, e.Value)
			}
			return m, nil
		case *Entry:
			m.Put(y.Key, y.Value)
			return m, nil
		}
	case *Set:
		s := newSet(x.m.order, x.class)
		for _, e := range x.items() {
			s.add(e)
		}
		if list, ok := items(b); ok && !isText(b) {
			for _, e := range list {
				s.add(e)
			}
		} else {
			s.add(b)
		}
		return s, nil
	}
	if list, ok := listItems(a); ok {
		out := append([]Value(nil), list...)
		if more, ok := items(b); ok && !isText(b) {
			if _, isMap := b.(*Map); !isMap {
				return NewList(append(out, more...)...), nil
			}
		}
		return NewList(append(out, b)...), nil
	}
	if s, ok := b.(string); ok && (isNumber(a) || !classOf(a).has("plus", true)) {
		return joinText(groovyString(a), s)
	}
	if c, ok := b.(java.Char); ok && isNumber(a) {
		return arithmetic('+', a, int32(c))
	}
	return r.operatorMethod("plus", a, b)
}

func joinText(a, b string) (Value, error) {
	if len(a)+len(b) > maxText {
		return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
	}
	return a + b, nil
}

func groovyMinus(r *Run, a, b Value) (Value, error) {
	a2, b2 := charNumber(a), charNumber(b)
	if isNumber(a2) && isNumber(b2) {
		return arithmetic('-', a2, b2)
	}
	switch x := a.(type) {
	case string:
		if p, ok := b.(*Pattern); ok {
			return p.replace(r, x, "", 1)
		}
		return strings.Replace(x, groovyString(b), "", 1), nil
	case *Map:
		m := x.copy()
		if y, ok := b.(*Map); ok {
			for _, e := range y.entries() {
				if v, ok := m.Get(e.Key); ok && equalGroovy(v, e.Value) {
					m.Remove(e.Key)
				}
			}
		}
		return m, nil
	case *Set:
		s := newSet(x.m.order, x.class)
		for _, e := range without(x.items(), b) {
			s.add(e)
		}
		return s, nil
	}
	if list, ok := listItems(a); ok {
		return NewList(without(list, b)...), nil
	}
	return r.operatorMethod("minus", a, b)
}

// without leaves out what equals b, or any item of b.
func without(list []Value, b Value) []Value {
	gone, ok := items(b)
	if !ok || isText(b) {
		gone = []Value{b}
	}
	var out []Value
next:
	for _, e := range list {
		for _, g := range gone {
			if equalGroovy(e, g) {
				continue next
			}
		}
		out = append(out, e)
	}
	return out
}

func groovyTimes(r *Run, a, b Value) (Value, error) {
	a = charNumber(a)
	if isNumber(a) && isNumber(b) {
		return arithmetic('*', a, b)
	}
	if isNumber(b) {
		n := int(toInt(b))
		if s, ok := a.(string); ok {
			if n < 0 {
				return nil, throw("java.lang.IllegalArgumentException", "multiply() should be called with a number of 0 or greater not: %d", n)
			}
			if n > 0 && len(s) > maxText/n {
				return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
			}
			return strings.Repeat(s, n), nil
		}
		if list, ok := listItems(a); ok {
			if n > 0 && len(list) > maxItems/n {
				return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
			}
			var out []Value
			for range n {
				out = append(out, list...)
			}
			return NewList(out...), nil
		}
	}
	return r.operatorMethod("multiply", a, b)
}

func groovyPower(r *Run, a, b Value) (Value, error) {
	if !isNumber(a) || !isNumber(b) {
		return r.operatorMethod("power", a, b)
	}
	n, whole := integral(b)
	if whole && n >= 0 && n <= 100000 && !isFloat(a) {
		if d, ok := a.(java.Decimal); ok {
			p := new(big.Int).Exp(d.Unscaled(), big.NewInt(n), nil)
			return java.NewDecimal(p, d.Scale()*int(n)), nil
		}
		p := new(big.Int).Exp(toBig(a), big.NewInt(n), nil)
		_, isBig := a.(*big.Int)
		_, isLong := a.(int64)
		switch {
		case isBig:
			return p, nil
		case p.IsInt64() && p.Int64() == int64(int32(p.Int64())) && !isLong:
			return int32(p.Int64()), nil
		case p.IsInt64():
			return p.Int64(), nil
		}
		return p, nil
	}
	f := math.Pow(toDouble(a), toDouble(b))
	switch {
	case float64(int32(f)) == f:
		return int32(f), nil
	case f < 1<<62 && f > -1<<62 && float64(int64(f)) == f:
		return int64(f), nil
	}
	return f, nil
}
