package script

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/gojm/gojm/engine/java"
)

func parseBig(digits string, base int) (*big.Int, bool) {
	if len(digits) > 10_000 {
		return nil, false
	}
	return new(big.Int).SetString(digits, base)
}

// parseNumber reads a text as a number of a class, with Java's errors.
func parseNumber(s string, cl *Class) (Value, error) {
	switch cl {
	case integerClass:
		return errValue(java.ParseInt(s, 10))
	case longClass:
		return errValue(java.ParseLong(s, 10))
	case doubleClass:
		return errValue(java.ParseDouble(s))
	case floatClass:
		f, err := java.ParseDouble(s)
		return float32(f), err
	case bigDecimalClass:
		return errValue(java.ParseDecimal(s))
	case shortClass, byteClass:
		n, err := java.ParseInt(s, 10)
		if err != nil {
			return nil, err
		}
		if cl == shortClass && n == int32(int16(n)) {
			return int16(n), nil
		}
		if cl == byteClass && n == int32(int8(n)) {
			return int8(n), nil
		}
		return nil, throw("java.lang.NumberFormatException", "Value out of range. Value:\"%s\" Radix:10", s)
	case bigIntegerClass:
		if n, ok := parseBig(strings.TrimPrefix(s, "+"), 10); ok && !strings.Contains(s, "_") {
			return n, nil
		}
		return nil, throw("java.lang.NumberFormatException", "For input string: \"%s\"", s)
	}
	return nil, throw("java.lang.IllegalArgumentException", "%s is no number class", cl.Name)
}

// errValue joins a value of any type with its error.
func errValue[T any](v T, err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return v, nil
}

// parseArg reads the first argument as a number; null has its own messages.
func parseArg(cl *Class) func(c *Call) (Value, error) {
	return func(c *Call) (Value, error) {
		if c.Args[0] == nil {
			switch cl {
			case doubleClass, floatClass:
				return nil, throw("java.lang.NullPointerException", "")
			}
			return nil, throw("java.lang.NumberFormatException", "Cannot parse null string")
		}
		if isNumber(c.Args[0]) { // Integer.valueOf(8)
			n, _, err := toNumber(c.Args[0], cl)
			return n, err
		}
		if ch, ok := c.Args[0].(java.Char); ok {
			n, _, err := toNumber(int32(ch), cl)
			return n, err
		}
		s := c.Str(0)
		if c.N() == 2 {
			if cl == integerClass {
				return errValue(java.ParseInt(s, c.Int(1)))
			}
			return errValue(java.ParseLong(s, c.Int(1)))
		}
		return parseNumber(s, cl)
	}
}

// number makes a method of a number that takes none.
func number(do func(v Value) (Value, error)) *Method {
	return method(0, 0, func(c *Call) (Value, error) { return do(c.Self) })
}

func converts(cl *Class) *Method {
	return method(0, 0, func(c *Call) (Value, error) {
		n, _, err := toNumber(c.Self, cl)
		return n, err
	})
}

func arith(op byte) *Method {
	return method(1, 1, func(c *Call) (Value, error) {
		if !isNumber(c.Args[0]) {
			if s, ok := c.Args[0].(string); ok && op == '+' {
				return javaString(c.Self) + s, nil
			}
			c.fail(0, "java.lang.Number")
			return nil, nil
		}
		return arithmetic(op, c.Self, c.Args[0])
	})
}

func loopNumbers(c *Call, from, to, step int64, cl *Closure) (Value, error) {
	if step == 0 {
		return nil, throw("groovy.lang.GroovyRuntimeException", "Infinite loop in %d.step(%d, %d)", from, to, step)
	}
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		var v Value = i
		if _, long := c.Self.(int64); !long {
			v = int32(i)
		}
		if _, err := cl.Call(c.Run, v); err != nil {
			return nil, err
		}
		if err := c.Run.tick(); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func unsigned(c *Call, base int) (Value, error) {
	if n, ok := c.Args[0].(int64); ok {
		return strconv.FormatUint(uint64(n), base), nil
	}
	return strconv.FormatUint(uint64(uint32(c.Int(0))), base), nil
}

func compareStatic(c *Call) (Value, error) {
	n, err := compareValues(c.Args[0], c.Args[1])
	return int32(min(max(n, -1), 1)), err
}

func initNumber() {
	numberClass.Methods = Methods{
		"intValue": converts(integerClass), "longValue": converts(longClass), "doubleValue": converts(doubleClass),
		"floatValue": converts(floatClass), "shortValue": converts(shortClass), "byteValue": converts(byteClass),
		"compareTo": method(1, 1, func(c *Call) (Value, error) {
			n, err := compareValues(c.Self, c.Args[0])
			return int32(n), err
		}),
		"toString":   method(0, 0, func(c *Call) (Value, error) { return javaString(c.Self), nil }),
		"isNaN":      number(func(v Value) (Value, error) { return math.IsNaN(toDouble(v)), nil }),
		"isInfinite": number(func(v Value) (Value, error) { return math.IsInf(toDouble(v), 0), nil }),
	}
	numberClass.Groovy = Methods{
		"toInteger": converts(integerClass), "toLong": converts(longClass), "toDouble": converts(doubleClass), "toFloat": converts(floatClass),
		"toBigDecimal": converts(bigDecimalClass), "toBigInteger": converts(bigIntegerClass),
		"plus": arith('+'), "minus": arith('-'), "multiply": arith('*'), "mod": arith('%'),
		"div":      method(1, 1, func(c *Call) (Value, error) { return groovyBinary("/")(c.Run, c.Self, c.Args[0]) }),
		"power":    method(1, 1, func(c *Call) (Value, error) { return groovyPower(c.Run, c.Self, c.Args[0]) }),
		"next":     number(func(v Value) (Value, error) { return arithmetic('+', v, int32(1)) }),
		"previous": number(func(v Value) (Value, error) { return arithmetic('-', v, int32(1)) }),
		"negative": method(0, 0, func(c *Call) (Value, error) { return negate(c.Run, c.Self) }),
		"intdiv": method(1, 1, func(c *Call) (Value, error) {
			if isFloat(c.Self) || isDecimal(c.Self) || isFloat(c.Args[0]) || isDecimal(c.Args[0]) {
				return nil, throw("java.lang.UnsupportedOperationException", "Cannot use intdiv() on this number type: %s with value: %s", classOf(c.Self).Name, javaString(c.Self))
			}
			c.Long(0)
			if c.err != nil {
				return nil, c.err
			}
			return arithmetic('/', c.Self, c.Args[0])
		}),
		"abs": number(func(v Value) (Value, error) {
			if compareNumbers(v, int32(0)) < 0 {
				return negate(nil, v)
			}
			return v, nil
		}),
		"times": method(1, 1, func(c *Call) (Value, error) { return loopNumbers(c, 0, toLong(c.Self), 1, c.fn(0)) }),
		"upto":  method(2, 2, func(c *Call) (Value, error) { return loopNumbers(c, toLong(c.Self), c.Long(0)+1, 1, c.fn(1)) }),
		"downto": method(2, 2, func(c *Call) (Value, error) {
			return loopNumbers(c, toLong(c.Self), c.Long(0)-1, -1, c.fn(1))
		}),
		"step": method(3, 3, func(c *Call) (Value, error) { return loopNumbers(c, toLong(c.Self), c.Long(0), c.Long(1), c.fn(2)) }),
		"round": method(0, 1, func(c *Call) (Value, error) {
			if d, ok := c.Self.(java.Decimal); ok {
				n := 0
				if c.N() == 1 {
					n = c.Int(0)
				}
				return errValue(d.SetScale(n, java.RoundHalfUp))
			}
			if c.N() == 0 {
				return roundHalfUp(toDouble(c.Self)), nil
			}
			p := math.Pow(10, float64(c.Int(0)))
			return math.Floor(toDouble(c.Self)*p+0.5) / p, nil
		}),
		"trunc": number(func(v Value) (Value, error) { return math.Trunc(toDouble(v)), nil }),
	}
	integerClass.Static = Methods{
		"parseInt": method(1, 2, parseArg(integerClass)), "valueOf": method(1, 2, parseArg(integerClass)),
		"decode":         method(1, 1, func(c *Call) (Value, error) { n, err := java.Decode(c.Str(0), 32); return int32(n), err }),
		"toString":       method(1, 2, toStringRadix),
		"toHexString":    method(1, 1, func(c *Call) (Value, error) { return unsigned(c, 16) }),
		"toBinaryString": method(1, 1, func(c *Call) (Value, error) { return unsigned(c, 2) }),
		"toOctalString":  method(1, 1, func(c *Call) (Value, error) { return unsigned(c, 8) }),
		"compare":        method(2, 2, compareStatic),
		"max":            method(2, 2, func(c *Call) (Value, error) { return max(int32(c.Int(0)), int32(c.Int(1))), nil }),
		"min":            method(2, 2, func(c *Call) (Value, error) { return min(int32(c.Int(0)), int32(c.Int(1))), nil }),
		"sum":            method(2, 2, func(c *Call) (Value, error) { return int32(c.Int(0)) + int32(c.Int(1)), nil }),
		"signum":         method(1, 1, func(c *Call) (Value, error) { return int32(min(max(c.Int(0), -1), 1)), nil }),
		"bitCount": method(1, 1, func(c *Call) (Value, error) {
			n := int32(0)
			for x := uint32(c.Int(0)); x != 0; x &= x - 1 {
				n++
			}
			return n, nil
		}),
	}
	integerClass.Fields = map[string]Value{"MAX_VALUE": int32(math.MaxInt32), "MIN_VALUE": int32(math.MinInt32)}
	integerClass.New = method(1, 1, parseArg(integerClass))
	longClass.Static = Methods{
		"parseLong": method(1, 2, parseArg(longClass)), "valueOf": method(1, 2, parseArg(longClass)),
		"decode":         method(1, 1, func(c *Call) (Value, error) { return errValue(java.Decode(c.Str(0), 64)) }),
		"toString":       method(1, 2, toStringRadix),
		"toHexString":    method(1, 1, func(c *Call) (Value, error) { return strconv.FormatUint(uint64(c.Long(0)), 16), nil }),
		"toBinaryString": method(1, 1, func(c *Call) (Value, error) { return strconv.FormatUint(uint64(c.Long(0)), 2), nil }),
		"compare":        method(2, 2, compareStatic),
		"max":            method(2, 2, func(c *Call) (Value, error) { return max(c.Long(0), c.Long(1)), nil }),
		"min":            method(2, 2, func(c *Call) (Value, error) { return min(c.Long(0), c.Long(1)), nil }),
		"sum":            method(2, 2, func(c *Call) (Value, error) { return c.Long(0) + c.Long(1), nil }),
	}
	longClass.Fields = map[string]Value{"MAX_VALUE": int64(math.MaxInt64), "MIN_VALUE": int64(math.MinInt64)}
	longClass.New = method(1, 1, parseArg(longClass))
	doubleClass.Static = Methods{
		"parseDouble": method(1, 1, parseArg(doubleClass)), "valueOf": method(1, 1, parseArg(doubleClass)),
		"toString": method(1, 1, func(c *Call) (Value, error) { return java.FormatDouble(c.Double(0)), nil }),
		"compare":  method(2, 2, compareStatic),
		"isNaN":    method(1, 1, func(c *Call) (Value, error) { return math.IsNaN(c.Double(0)), nil }),
		"max":      method(2, 2, func(c *Call) (Value, error) { return max(c.Double(0), c.Double(1)), nil }),
		"min":      method(2, 2, func(c *Call) (Value, error) { return min(c.Double(0), c.Double(1)), nil }),
	}
	doubleClass.Fields = map[string]Value{"MAX_VALUE": math.MaxFloat64, "MIN_VALUE": math.SmallestNonzeroFloat64,
		"NaN": math.NaN(), "POSITIVE_INFINITY": math.Inf(1), "NEGATIVE_INFINITY": math.Inf(-1)}
	doubleClass.New = method(1, 1, parseArg(doubleClass))
	floatClass.Static = Methods{"parseFloat": method(1, 1, parseArg(floatClass)), "valueOf": method(1, 1, parseArg(floatClass))}
	floatClass.New = method(1, 1, parseArg(floatClass))
	shortClass.Static = Methods{"parseShort": method(1, 1, parseArg(shortClass)), "valueOf": method(1, 1, parseArg(shortClass))}
	byteClass.Static = Methods{"parseByte": method(1, 1, parseArg(byteClass)), "valueOf": method(1, 1, parseArg(byteClass)),
		"toUnsignedInt": method(1, 1, func(c *Call) (Value, error) { return int32(uint8(c.Int(0))), nil })}
	byteClass.Fields = map[string]Value{"MAX_VALUE": int8(127), "MIN_VALUE": int8(-128)}
	booleanClass.Static = Methods{
		"parseBoolean": method(1, 1, parseBoolean), "valueOf": method(1, 1, parseBoolean),
		"toString": method(1, 1, func(c *Call) (Value, error) { return strconv.FormatBool(c.Bool(0)), nil }),
	}
	booleanClass.New = method(1, 1, parseBoolean)
	booleanClass.Fields = map[string]Value{"TRUE": true, "FALSE": false}
	booleanClass.Methods = Methods{
		"booleanValue": method(0, 0, func(c *Call) (Value, error) { return c.Self, nil }),
		"compareTo":    method(1, 1, func(c *Call) (Value, error) { n, err := compareValues(c.Self, c.Args[0]); return int32(n), err }),
	}
	booleanClass.Groovy = Methods{
		"and":     method(1, 1, func(c *Call) (Value, error) { return bits(c.Run, "&", c.Self, c.Bool(0)) }),
		"or":      method(1, 1, func(c *Call) (Value, error) { return bits(c.Run, "|", c.Self, c.Bool(0)) }),
		"implies": method(1, 1, func(c *Call) (Value, error) { return !c.Self.(bool) || c.Bool(0), nil }),
	}
	initCharacter()
	initBig()
}

func parseBoolean(c *Call) (Value, error) {
	if b, ok := c.Args[0].(bool); ok {
		return b, nil
	}
	if c.Args[0] == nil {
		return false, nil
	}
	return strings.EqualFold(c.Str(0), "true"), nil
}

func toStringRadix(c *Call) (Value, error) {
	radix := 10
	if c.N() == 2 {
		if r := c.Int(1); r >= 2 && r <= 36 {
			radix = r
		}
	}
	if isFloat(c.Args[0]) {
		return javaString(c.Args[0]), nil
	}
	return strconv.FormatInt(c.Long(0), radix), nil
}

func initCharacter() {
	test := func(do func(r rune) bool) *Method {
		return method(1, 1, func(c *Call) (Value, error) {
			s := c.charOrText(0)
			for _, r := range s {
				return do(r), nil
			}
			return false, nil
		})
	}
	characterClass.Static = Methods{
		"isDigit":         test(isDigitRune),
		"isLetter":        test(isLetterRune),
		"isLetterOrDigit": test(func(r rune) bool { return isLetterRune(r) || isDigitRune(r) }),
		"isUpperCase":     test(func(r rune) bool { return string(r) != strings.ToLower(string(r)) }),
		"isLowerCase":     test(func(r rune) bool { return string(r) != strings.ToUpper(string(r)) }),
		"isWhitespace":    test(func(r rune) bool { return strings.TrimSpace(string(r)) == "" }),
		"toString":        method(1, 1, func(c *Call) (Value, error) { return c.charOrText(0), nil }),
		"valueOf":         method(1, 1, func(c *Call) (Value, error) { return coerce(c.Run, c.Args[0], characterClass) }),
		"toUpperCase":     method(1, 1, func(c *Call) (Value, error) { return charFrom(strings.ToUpper(c.charOrText(0))), nil }),
		"toLowerCase":     method(1, 1, func(c *Call) (Value, error) { return charFrom(strings.ToLower(c.charOrText(0))), nil }),
		"getNumericValue": method(1, 1, func(c *Call) (Value, error) {
			n, err := strconv.ParseInt(c.charOrText(0), 36, 32)
			if err != nil {
				n = -1
			}
			return int32(n), nil
		}),
		"toChars": method(1, 1, func(c *Call) (Value, error) { return charArray(string(rune(c.Int(0)))), nil }),
	}
	characterClass.Methods = Methods{
		"charValue": method(0, 0, func(c *Call) (Value, error) { return c.Self, nil }),
		"compareTo": method(1, 1, func(c *Call) (Value, error) { n, err := compareValues(c.Self, c.Args[0]); return int32(n), err }),
	}
	characterClass.Groovy = Methods{
		"next":     method(0, 0, func(c *Call) (Value, error) { return c.Self.(java.Char) + 1, nil }),
		"previous": method(0, 0, func(c *Call) (Value, error) { return c.Self.(java.Char) - 1, nil }),
		"plus":     method(1, 1, func(c *Call) (Value, error) { return groovyPlus(c.Run, c.Self, c.Args[0]) }),
	}
	for _, n := range []string{"isDigit", "isLetter", "isLetterOrDigit", "isUpperCase", "isLowerCase", "isWhitespace", "toUpperCase", "toLowerCase"} {
		static := characterClass.Static[n]
		characterClass.Groovy[n] = method(0, 0, func(c *Call) (Value, error) { return static.do(c.Run, characterClass, []Value{c.Self}) })
	}
}

func charFrom(s string) Value {
	u, _ := java.CharAt(s, 0)
	return java.Char(u)
}

// roundHalfUp is Math.round.
func roundHalfUp(f float64) int64 {
	if math.Abs(f) >= 1<<52 {
		return doubleToLong(f)
	}
	r := math.Floor(f)
	if f-r >= 0.5 {
		r++
	}
	return doubleToLong(r)
}

// bigArg is an argument as a BigDecimal.
func (c *Call) decimal(i int) java.Decimal {
	if !isNumber(c.Args[i]) {
		c.fail(i, "java.math.BigDecimal")
		return java.Decimal{}
	}
	d, err := toDecimal(c.Args[i])
	if err != nil && c.err == nil {
		c.err = err
	}
	return d
}

// rounding is an argument as a rounding mode: its number or the enum's constant.
func (c *Call) rounding(i int) java.RoundingMode {
	if e, ok := c.Args[i].(*enumValue); ok {
		return java.RoundingMode(e.ordinal)
	}
	return java.RoundingMode(c.Int(i))
}

func initBig() {
	bigDecimalClass.New = method(1, 2, func(c *Call) (Value, error) {
		switch x := c.Args[0].(type) {
		case float64, float32:
			return errValue(java.ExactDecimal(toDouble(x)))
		case *big.Int:
			if c.N() == 2 {
				return java.NewDecimal(x, c.Int(1)), nil
			}
		case *Array:
			return errValue(java.ParseDecimal(groovyString(x)))
		}
		if isNumber(c.Args[0]) {
			return c.decimal(0), nil
		}
		return errValue(java.ParseDecimal(c.Str(0)))
	})
	bigDecimalClass.Static = Methods{"valueOf": method(1, 2, func(c *Call) (Value, error) {
		if c.N() == 2 {
			return java.NewDecimal(big.NewInt(c.Long(0)), c.Int(1)), nil
		}
		return c.decimal(0), nil
	})}
	bigDecimalClass.Fields = map[string]Value{"ZERO": java.DecimalOf(0), "ONE": java.DecimalOf(1), "TEN": java.DecimalOf(10)}
	for i, n := range roundingNames {
		bigDecimalClass.Fields["ROUND_"+n] = int32(i)
	}
	self := func(c *Call) java.Decimal { return c.Self.(java.Decimal) }
	bigDecimalClass.Methods = Methods{
		"add":      method(1, 1, func(c *Call) (Value, error) { return self(c).Add(c.decimal(0)), nil }),
		"subtract": method(1, 1, func(c *Call) (Value, error) { return self(c).Sub(c.decimal(0)), nil }),
		"multiply": method(1, 1, func(c *Call) (Value, error) { return self(c).Mul(c.decimal(0)), nil }),
		"divide": method(1, 3, func(c *Call) (Value, error) {
			switch c.N() {
			case 1:
				return errValue(self(c).QuoExact(c.decimal(0)))
			case 2:
				return errValue(self(c).Quo(c.decimal(0), self(c).Scale(), c.rounding(1)))
			}
			return errValue(self(c).Quo(c.decimal(0), c.Int(1), c.rounding(2)))
		}),
		"remainder": method(1, 1, func(c *Call) (Value, error) { return errValue(self(c).Rem(c.decimal(0))) }),
		"setScale": method(1, 2, func(c *Call) (Value, error) {
			mode := java.RoundUnnecessary
			if c.N() == 2 {
				mode = c.rounding(1)
			}
			n := c.Int(0)
			if n > 1<<20 || n < -1<<20 {
				return nil, throw("java.lang.ArithmeticException", "Underflow")
			}
			return errValue(self(c).SetScale(n, mode))
		}),
		"negate":             method(0, 0, func(c *Call) (Value, error) { return self(c).Neg(), nil }),
		"abs":                method(0, 0, func(c *Call) (Value, error) { return abs(self(c)), nil }),
		"signum":             method(0, 0, func(c *Call) (Value, error) { return int32(self(c).Sign()), nil }),
		"scale":              method(0, 0, func(c *Call) (Value, error) { return int32(self(c).Scale()), nil }),
		"precision":          method(0, 0, func(c *Call) (Value, error) { return int32(self(c).Precision()), nil }),
		"toPlainString":      method(0, 0, func(c *Call) (Value, error) { return self(c).PlainString(), nil }),
		"stripTrailingZeros": method(0, 0, func(c *Call) (Value, error) { return self(c).StripTrailingZeros(), nil }),
		"toBigInteger":       method(0, 0, func(c *Call) (Value, error) { return self(c).Int(), nil }),
		"max": method(1, 1, func(c *Call) (Value, error) {
			if d := c.decimal(0); d.Cmp(self(c)) > 0 {
				return d, nil
			}
			return c.Self, nil
		}),
		"min": method(1, 1, func(c *Call) (Value, error) {
			if d := c.decimal(0); d.Cmp(self(c)) < 0 {
				return d, nil
			}
			return c.Self, nil
		}),
	}
	bigIntegerClass.New = method(1, 2, func(c *Call) (Value, error) {
		if c.N() == 2 {
			if b, ok := c.Args[1].(*Bytes); ok {
				n := new(big.Int).SetBytes(b.B)
				if c.Int(0) < 0 {
					n.Neg(n)
				}
				return n, nil
			}
			if r := c.Int(1); r >= 2 && r <= 36 {
				if n, ok := parseBig(c.Str(0), r); ok {
					return n, nil
				}
			}
			return nil, throw("java.lang.NumberFormatException", "For input string: \"%s\"", javaString(c.Args[0]))
		}
		return parseNumber(c.Str(0), bigIntegerClass)
	})
	bigIntegerClass.Static = Methods{"valueOf": method(1, 1, func(c *Call) (Value, error) { return big.NewInt(c.Long(0)), nil })}
	bigIntegerClass.Fields = map[string]Value{"ZERO": big.NewInt(0), "ONE": big.NewInt(1), "TEN": big.NewInt(10)}
	bigOp := func(op byte) *Method {
		return method(1, 1, func(c *Call) (Value, error) { c.Long(0); return arithmetic(op, c.Self, toBig(c.Args[0])) })
	}
	bigIntegerClass.Methods = Methods{
		"add": bigOp('+'), "subtract": bigOp('-'), "multiply": bigOp('*'), "divide": bigOp('/'), "remainder": bigOp('%'),
		"mod": method(1, 1, func(c *Call) (Value, error) {
			m := toBig(c.Args[0])
			if m.Sign() <= 0 {
				return nil, throw("java.lang.ArithmeticException", "BigInteger: modulus not positive")
			}
			return new(big.Int).Mod(c.Self.(*big.Int), m), nil
		}),
		"pow":    method(1, 1, func(c *Call) (Value, error) { return groovyPower(c.Run, c.Self, c.Args[0]) }),
		"negate": method(0, 0, func(c *Call) (Value, error) { return new(big.Int).Neg(c.Self.(*big.Int)), nil }),
		"signum": method(0, 0, func(c *Call) (Value, error) { return int32(c.Self.(*big.Int).Sign()), nil }),
		"toString": method(0, 1, func(c *Call) (Value, error) {
			if c.N() == 1 {
				if r := c.Int(0); r >= 2 && r <= 36 {
					return c.Self.(*big.Int).Text(r), nil
				}
			}
			return c.Self.(*big.Int).String(), nil
		}),
		"bitLength": method(0, 0, func(c *Call) (Value, error) { return int32(c.Self.(*big.Int).BitLen()), nil }),
	}
}

func abs(d java.Decimal) java.Decimal {
	if d.Sign() < 0 {
		return d.Neg()
	}
	return d
}

func isDigitRune(r rune) bool  { return unicode.IsDigit(r) }
func isLetterRune(r rune) bool { return unicode.IsLetter(r) }
