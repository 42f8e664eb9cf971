package script

import (
	"math/big"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// bits is & | ^ >> >>> and << of numbers, and & | ^ of booleans, & and | of collections.
func bits(r *Run, op string, a, b Value) (Value, error) {
	a, b = charNumber(a), charNumber(b)
	if x, ok := a.(bool); ok {
		if y, ok := b.(bool); ok {
			switch op {
			case "&":
				return x && y, nil
			case "|":
				return x || y, nil
			case "^":
				return x != y, nil
			}
		}
	}
	if x, ok := a.(*big.Int); ok && isNumber(b) {
		y := toBig(b)
		switch op {
		case "&":
			return new(big.Int).And(x, y), nil
		case "|":
			return new(big.Int).Or(x, y), nil
		case "^":
			return new(big.Int).Xor(x, y), nil
		case ">>":
			return new(big.Int).Rsh(x, uint(min(toLong(b), 1<<20))), nil
		case "<<":
			return new(big.Int).Lsh(x, uint(min(toLong(b), 1<<20))), nil
		}
	}
	x, okA := integral(a)
	y, okB := integral(b)
	if !okA || !okB {
		names := map[string]string{"&": "and", "|": "or", "^": "xor", ">>": "rightShift", ">>>": "rightShiftUnsigned", "<<": "leftShift"}
		return r.operatorMethod(names[op], a, b)
	}
	_, long := a.(int64)
	if _, ok := b.(int64); ok && strings.Contains("&|^", op) {
		long = true
	}
	var n int64
	switch op {
	case "&":
		n = x & y
	case "|":
		n = x | y
	case "^":
		n = x ^ y
	default:
		if !long {
			s := uint(y) & 31
			switch op {
			case "<<":
				return int32(x) << s, nil
			case ">>":
				return int32(x) >> s, nil
			}
			return int32(uint32(int32(x)) >> s), nil
		}
		s := uint(y) & 63
		switch op {
		case "<<":
			return x << s, nil
		case ">>":
			return x >> s, nil
		}
		return int64(uint64(x) >> s), nil
	}
	if long {
		return n, nil
	}
	return int32(n), nil
}

func groovyLeftShift(r *Run, a, b Value) (Value, error) {
	switch x := a.(type) {
	case *List:
		return x, x.Add(b)
	case *Set:
		x.add(b)
		return x, nil
	case *Map:
		switch y := b.(type) {
		case *Map:
			for _, e := range y.entries() {
				x.Put(e.Key, e.Value)
			}
		case *Entry:
			x.Put(y.Key, y.Value)
		}
		return x, nil
	case string:
		sb := &StringBuilder{}
		sb.append(x + groovyString(b))
		return sb, nil
	case *Closure:
		return compose(b, x), nil
	}
	if isNumber(a) {
		return bits(r, "<<", a, b)
	}
	return r.operatorMethod("leftShift", a, b)
}

// caseMatches is isCase: what switch and in ask.
func caseMatches(r *Run, want, v Value) (bool, error) {
	switch x := want.(type) {
	case nil:
		return v == nil, nil
	case *Class:
		return instanceOf(v, x), nil
	case *Closure:
		b, err := x.Call(r, v)
		if err != nil {
			return false, err
		}
		return truthOf(r, b)
	case *Range:
		return x.contains(v), nil
	case *Pattern:
		return v != nil && x.re.MatchesString(groovyString(v)), nil
	case *Map:
		e, _ := x.Get(v)
		return truthOf(r, e)
	case *Set:
		return x.has(v), nil
	}
	if list, ok := listItems(want); ok {
		for _, e := range list {
			if equalGroovy(e, v) {
				return true, nil
			}
		}
		return false, nil
	}
	return equalGroovy(want, v), nil
}

func groovyUnary(op string) func(*Run, Value) (Value, error) {
	switch op {
	case "-":
		return negate
	case "+":
		return func(r *Run, v Value) (Value, error) {
			if isNumber(v) {
				return v, nil
			}
			return r.invoke(v, "positive", nil)
		}
	case "~":
		return func(r *Run, v Value) (Value, error) {
			switch x := v.(type) {
			case string:
				return compilePattern(x, 0)
			case *big.Int:
				return new(big.Int).Not(x), nil
			case int64:
				return ^x, nil
			}
			if n, ok := integral(v); ok {
				return ^int32(n), nil
			}
			return r.invoke(v, "bitwiseNegate", nil)
		}
	}
	return nil
}

func negate(r *Run, v Value) (Value, error) {
	switch x := charNumber(v).(type) {
	case int32:
		return -x, nil
	case int64:
		return -x, nil
	case float64:
		return -x, nil
	case float32:
		return -x, nil
	case *big.Int:
		return new(big.Int).Neg(x), nil
	case java.Decimal:
		return x.Neg(), nil
	}
	if n, ok := integral(v); ok {
		return -int32(n), nil
	}
	return r.invoke(v, "negative", nil)
}

// makeRange makes a range of whole numbers or of characters.
func makeRange(from, to Value, open bool) (Value, error) {
	a, okA := integral(from)
	b, okB := integral(to)
	chars := false
	if !okA || !okB {
		x, y := groovyString(from), groovyString(to)
		if java.Length(x) != 1 || java.Length(y) != 1 || !isText(from) || !isText(to) {
			return objectRange(from, to, open)
		}
		u, _ := java.CharAt(x, 0)
		w, _ := java.CharAt(y, 0)
		a, b, chars = int64(u), int64(w), true
	}
	if open {
		switch {
		case a == b:
			return NewList(), nil
		case a < b:
			b--
		default:
			b++
		}
	}
	return &Range{From: int32(a), To: int32(b), Chars: chars}, nil
}

// objectRange runs from one value to the next by next(), such as days.
func objectRange(from, to Value, open bool) (Value, error) {
	type walker interface{ Next(n int) Value }
	x, ok := from.(walker)
	c, err := compareValues(from, to)
	if !ok || err != nil {
		return nil, throw("java.lang.IllegalArgumentException", "a range from %s to %s is not supported", classOf(from).Name, classOf(to).Name)
	}
	var out []Value
	step := 1
	if c > 0 {
		step = -1
	}
	for i := 0; i < maxItems; i += step {
		v := x.Next(i)
		c2, err := compareValues(v, to)
		if err != nil || c2*step > 0 || c2 == 0 && open {
			break
		}
		out = append(out, v)
		if c2 == 0 || i < -maxItems {
			break
		}
	}
	return &List{v: out, class: objectRangeClass, fixed: true, span: true}, nil
}
