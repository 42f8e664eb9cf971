package script

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/java"
)

// Value is a Java value: nil is null; bool, int8, int16, int32, int64, float32 and float64 are the
// boxed primitives, java.Char a char; *big.Int and java.Decimal the big numbers; string a String;
// *List, *Map, *Set, *Array and *Bytes the collections and arrays; *Closure, *Class and *Throwable
// what they say; any other Object an instance of a class known by a table, such as a host's.
type Value = any

// Object is an instance of a class that is described by a table of methods.
type Object interface {
	JavaClass() *Class
}

// ToString is String.valueOf: Java's toString, and null is true for null, whose text is "null".
func ToString(v Value) (s string, null bool) {
	if v == nil {
		return "null", true
	}
	return javaString(v), false
}

// classOf names the class of any value.
func classOf(v Value) *Class {
	switch x := v.(type) {
	case nil:
		return nullClass
	case string:
		return stringClass
	case bool:
		return booleanClass
	case int32:
		return integerClass
	case int64:
		return longClass
	case float64:
		return doubleClass
	case float32:
		return floatClass
	case int16:
		return shortClass
	case int8:
		return byteClass
	case java.Char:
		return characterClass
	case *big.Int:
		return bigIntegerClass
	case java.Decimal:
		return bigDecimalClass
	case *Throwable:
		return throwableClass(x.Class)
	case Object:
		return x.JavaClass()
	}
	return objectClass
}

// integral returns a whole number of the types that fit a long.
func integral(v Value) (int64, bool) {
	switch x := v.(type) {
	case int32:
		return int64(x), true
	case int64:
		return x, true
	case int16:
		return int64(x), true
	case int8:
		return int64(x), true
	}
	return 0, false
}

func isFloat(v Value) bool {
	switch v.(type) {
	case float64, float32:
		return true
	}
	return false
}

func isNumber(v Value) bool {
	switch v.(type) {
	case int32, int64, float64, float32, int16, int8, *big.Int, java.Decimal:
		return true
	}
	return false
}

// toDouble is Number.doubleValue.
func toDouble(v Value) float64 {
	switch x := v.(type) {
	case float64:
		return x
	case float32:
		return float64(x)
	case *big.Int:
		f, _ := new(big.Float).SetInt(x).Float64()
		return f
	case java.Decimal:
		return x.Double()
	}
	n, _ := integral(v)
	return float64(n)
}

// toLong is Number.longValue.
func toLong(v Value) int64 {
	switch x := v.(type) {
	case float64:
		return doubleToLong(x)
	case float32:
		return doubleToLong(float64(x))
	case *big.Int:
		return lowBits(x)
	case java.Decimal:
		return lowBits(x.Int())
	}
	n, _ := integral(v)
	return n
}

// toInt is Number.intValue.
func toInt(v Value) int32 {
	switch x := v.(type) {
	case float64:
		return doubleToInt(x)
	case float32:
		return doubleToInt(float64(x))
	}
	return int32(toLong(v))
}

// doubleToLong is Java's cast, which saturates.
func doubleToLong(f float64) int64 {
	switch {
	case f != f:
		return 0
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}

func doubleToInt(f float64) int32 {
	switch {
	case f != f:
		return 0
	case f >= math.MaxInt32:
		return math.MaxInt32
	case f <= math.MinInt32:
		return math.MinInt32
	}
	return int32(f)
}

// lowBits is BigInteger.longValue: the low 64 bits.
func lowBits(x *big.Int) int64 {
	m := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64))
	return int64(m.Uint64())
}

func toBig(v Value) *big.Int {
	switch x := v.(type) {
	case *big.Int:
		return x
	case java.Decimal:
		return x.Int()
	case float64, float32:
		d, err := java.ExactDecimal(toDouble(v))
		if err != nil {
			return new(big.Int)
		}
		return d.Int()
	}
	n, _ := integral(v)
	return big.NewInt(n)
}

func toDecimal(v Value) (java.Decimal, error) {
	switch x := v.(type) {
	case java.Decimal:
		return x, nil
	case *big.Int:
		return java.NewDecimal(x, 0), nil
	case float64, float32:
		return java.DecimalOfDouble(toDouble(v))
	}
	n, _ := integral(v)
	return java.DecimalOf(n), nil
}

// equals is Java's equals: numbers of different classes differ. Collections deeper than any sensible
// one, such as those that hold themselves, are not looked through.
func equals(a, b Value) bool { return equalTo(maxTextDepth, a, b) }

func equalTo(depth int, a, b Value) bool {
	if depth == 0 {
		return false
	}
	deeper := func(a, b Value) bool { return equalTo(depth-1, a, b) }
	switch x := a.(type) {
	case nil:
		return b == nil
	case *big.Int:
		y, ok := b.(*big.Int)
		return ok && x.Cmp(y) == 0
	case java.Decimal:
		y, ok := b.(java.Decimal)
		return ok && x.Equal(y)
	case float64:
		y, ok := b.(float64)
		return ok && math.Float64bits(x) == math.Float64bits(y)
	case *List:
		y, ok := b.(*List)
		return ok && equalItems(x.all(), y.all(), deeper)
	case *Map:
		y, ok := b.(*Map)
		return ok && x.equal(y, deeper)
	case *Set:
		y, ok := b.(*Set)
		return ok && x.equal(y)
	case interface{ Equal(Value) bool }:
		return x.Equal(b)
	}
	return a == b
}

func equalItems(a, b []Value, eq func(a, b Value) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !eq(a[i], b[i]) {
			return false
		}
	}
	return true
}

// hashCode is Java's hashCode.
func hashCode(v Value) int32 { return hashTo(maxTextDepth, v) }

func hashTo(depth int, v Value) int32 {
	if depth == 0 {
		return 0
	}
	long := func(n int64) int32 { return int32(n ^ int64(uint64(n)>>32)) }
	switch x := v.(type) {
	case nil:
		return 0
	case string:
		return java.HashCode(x)
	case bool:
		if x {
			return 1231
		}
		return 1237
	case int32:
		return x
	case int64:
		return long(x)
	case int16:
		return int32(x)
	case int8:
		return int32(x)
	case java.Char:
		return int32(x)
	case float64:
		return long(int64(math.Float64bits(x)))
	case float32:
		return int32(math.Float32bits(x))
	case *big.Int:
		h := int32(0)
		b := new(big.Int).Abs(x).Bytes()
		for len(b)%4 != 0 {
			b = append([]byte{0}, b...)
		}
		for i := 0; i < len(b); i += 4 {
			h = h*31 + int32(uint32(b[i])<<24|uint32(b[i+1])<<16|uint32(b[i+2])<<8|uint32(b[i+3]))
		}
		return h * int32(x.Sign())
	case java.Decimal:
		return hashCode(x.Unscaled())*31 + int32(x.Scale())
	case *List:
		h := int32(1)
		for _, e := range x.all() {
			h = h*31 + hashTo(depth-1, e)
		}
		return h
	case *Map:
		h := int32(0)
		for _, e := range x.entries() {
			h += hashTo(depth-1, e.Key) ^ hashTo(depth-1, e.Value)
		}
		return h
	case *Set:
		h := int32(0)
		for _, e := range x.items() {
			h += hashTo(depth-1, e)
		}
		return h
	case interface{ HashCode() int32 }:
		return x.HashCode()
	}
	return int32(identity(v))
}

// identity is a number for an object that stays the same while it lives.
func identity(v any) uint32 {
	s := fmt.Sprintf("%p", v)
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	if err != nil {
		return 0
	}
	return uint32(n>>4) & 0x7FFFFFFF
}

// isText says that Java sees a CharSequence or a char.
func isText(v Value) bool {
	switch v.(type) {
	case string, java.Char, *StringBuilder:
		return true
	}
	return false
}
