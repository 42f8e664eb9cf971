package java

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decimal is java.math.BigDecimal: an unscaled whole number and how many of its digits stand behind
// the point. It is immutable. The zero value is 0.
type Decimal struct {
	unscaled *big.Int // nil is 0
	scale    int
}

// RoundingMode is java.math.RoundingMode.
type RoundingMode uint8

// The rounding modes, numbered as BigDecimal.ROUND_UP and its like.
const (
	RoundUp RoundingMode = iota
	RoundDown
	RoundCeiling
	RoundFloor
	RoundHalfUp
	RoundHalfDown
	RoundHalfEven
	RoundUnnecessary
)

var bigZero, bigTen = new(big.Int), big.NewInt(10)

// maxScale bounds exponents, so that a number like 1e999999999 cannot ask for its digits.
const maxScale = 1 << 20

// NewDecimal returns unscaled / 10^scale.
func NewDecimal(unscaled *big.Int, scale int) Decimal {
	return Decimal{new(big.Int).Set(unscaled), scale}
}

// DecimalOf returns a whole number.
func DecimalOf(v int64) Decimal { return Decimal{big.NewInt(v), 0} }

// DecimalOfDouble is BigDecimal.valueOf(double): the number as Double.toString shows it.
func DecimalOfDouble(v float64) (Decimal, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Decimal{}, throw("java.lang.NumberFormatException", "Infinite or NaN")
	}
	return ParseDecimal(FormatDouble(v))
}

// ExactDecimal is new BigDecimal(double): all digits of the binary fraction.
func ExactDecimal(v float64) (Decimal, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Decimal{}, throw("java.lang.NumberFormatException", "Infinite or NaN")
	}
	return ParseDecimal(strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(v, 'f', 1074, 64), "0"), "."))
}

// ParseDecimal is new BigDecimal(text). Exponents beyond a million digits are refused.
func ParseDecimal(s string) (Decimal, error) {
	bad := func(format string, args ...any) (Decimal, error) {
		return Decimal{}, throw("java.lang.NumberFormatException", format, args...)
	}
	if s == "" {
		return bad("")
	}
	i := 0
	if s[0] == '+' || s[0] == '-' {
		i++
	}
	digits := make([]byte, 0, len(s))
	if s[0] == '-' {
		digits = append(digits, '-')
	}
	sign, point, exp := len(digits), -1, 0
scan:
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case isDigit(c):
			digits = append(digits, c)
		case c == '.':
			if point >= 0 {
				return bad("Character array contains more than one decimal point.")
			}
			point = len(digits)
		case c == 'e' || c == 'E':
			e, err := strconv.Atoi(s[i+1:])
			switch {
			case len(strings.TrimLeft(s[i+1:], "+-0")) > 10:
				return bad("Too many nonzero exponent digits.")
			case err != nil || strings.Contains(s[i+1:], "_"):
				return bad("")
			case e > maxScale || e < -maxScale:
				return bad("Scale out of range.")
			}
			exp = e
			break scan
		default:
			r, _ := utf8.DecodeRuneInString(s[i:])
			return bad(`Character %c is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`, r)
		}
	}
	if len(digits) == sign {
		return bad("No digits found.")
	}
	if len(digits) > maxScale {
		return bad("Too many digits.")
	}
	v, _ := new(big.Int).SetString(string(digits), 10)
	scale := -exp
	if point >= 0 {
		scale += len(digits) - point
	}
	return Decimal{v, scale}, nil
}

func (d Decimal) big() *big.Int {
	if d.unscaled == nil {
		return bigZero
	}
	return d.unscaled
}

// Unscaled returns the digits as a whole number, which the caller must not change.
func (d Decimal) Unscaled() *big.Int { return d.big() }

// Scale is the number of digits behind the point; negative for trailing zeros left out.
func (d Decimal) Scale() int { return d.scale }

// Sign is -1, 0 or 1.
func (d Decimal) Sign() int { return d.big().Sign() }

// Precision is the number of digits; 1 for zero.
func (d Decimal) Precision() int {
	if d.Sign() == 0 {
		return 1
	}
	return len(new(big.Int).Abs(d.big()).String())
}

func pow10(n int) *big.Int { return new(big.Int).Exp(bigTen, big.NewInt(int64(n)), nil) }

// align brings two numbers to the larger of their scales.
func align(a, b Decimal) (x, y *big.Int, scale int) {
	x, y = a.big(), b.big()
	switch {
	case a.scale < b.scale:
		return new(big.Int).Mul(x, pow10(b.scale-a.scale)), y, b.scale
	case a.scale > b.scale:
		return x, new(big.Int).Mul(y, pow10(a.scale-b.scale)), a.scale
	}
	return x, y, a.scale
}

// Add, Sub and Mul are exact.
func (d Decimal) Add(o Decimal) Decimal {
	x, y, s := align(d, o)
	return Decimal{new(big.Int).Add(x, y), s}
}

// Sub is subtract.
func (d Decimal) Sub(o Decimal) Decimal {
	x, y, s := align(d, o)
	return Decimal{new(big.Int).Sub(x, y), s}
}

// Mul is multiply.
func (d Decimal) Mul(o Decimal) Decimal {
	return Decimal{new(big.Int).Mul(d.big(), o.big()), d.scale + o.scale}
}

// Neg is negate.
func (d Decimal) Neg() Decimal { return Decimal{new(big.Int).Neg(d.big()), d.scale} }

// Cmp is compareTo: 1.0 equals 1.00.
func (d Decimal) Cmp(o Decimal) int {
	x, y, _ := align(d, o)
	return x.Cmp(y)
}

// Equal is equals: 1.0 does not equal 1.00.
func (d Decimal) Equal(o Decimal) bool { return d.scale == o.scale && d.big().Cmp(o.big()) == 0 }

// Quo is divide(o, scale, mode).
func (d Decimal) Quo(o Decimal, scale int, mode RoundingMode) (Decimal, error) {
	if o.Sign() == 0 {
		return Decimal{}, divideByZero(d)
	}
	num, den := d.big(), o.big()
	if shift := scale + o.scale - d.scale; shift >= 0 {
		num = new(big.Int).Mul(num, pow10(shift))
	} else {
		den = new(big.Int).Mul(den, pow10(-shift))
	}
	q, err := quoRound(num, den, mode)
	return Decimal{q, scale}, err
}

func divideByZero(d Decimal) *Error {
	if d.Sign() == 0 {
		return throw("java.lang.ArithmeticException", "Division undefined")
	}
	return throw("java.lang.ArithmeticException", "Division by zero")
}

// QuoExact is divide(o): the exact quotient at the preferred scale, or an error when it has no end.
func (d Decimal) QuoExact(o Decimal) (Decimal, error) {
	if o.Sign() == 0 {
		return Decimal{}, divideByZero(d)
	}
	want := d.scale - o.scale
	if d.Sign() == 0 {
		return Decimal{bigZero, want}, nil
	}
	// The quotient ends when the reduced divisor has no factors but 2 and 5.
	digits := d.Precision() + (10*o.Precision()+2)/3
	r := new(big.Rat).SetFrac(d.big(), o.big())
	den := new(big.Int).Set(r.Denom())
	for _, p := range []int64{2, 5} {
		for m := new(big.Int); ; {
			q, m := new(big.Int).QuoRem(den, big.NewInt(p), m)
			if m.Sign() != 0 {
				break
			}
			den = q
		}
	}
	if den.Cmp(big.NewInt(1)) != 0 {
		return Decimal{}, throw("java.lang.ArithmeticException", "Non-terminating decimal expansion; no exact representable decimal result.")
	}
	q, err := d.Quo(o, want+digits, RoundUnnecessary)
	if err != nil {
		return Decimal{}, err
	}
	return q.stripTo(want), nil
}

// QuoPrecision is divide(o, new MathContext(precision, mode)).
func (d Decimal) QuoPrecision(o Decimal, precision int, mode RoundingMode) (Decimal, error) {
	if o.Sign() == 0 {
		return Decimal{}, divideByZero(d)
	}
	want := d.scale - o.scale
	if d.Sign() == 0 {
		return Decimal{bigZero, want}, nil
	}
	scale := want + precision + 3 + max(0, o.Precision()-d.Precision())
	num, den := d.big(), o.big()
	if shift := scale + o.scale - d.scale; shift >= 0 {
		num = new(big.Int).Mul(num, pow10(shift))
	} else {
		den = new(big.Int).Mul(den, pow10(-shift))
	}
	q, m := new(big.Int).QuoRem(num, den, new(big.Int))
	if m.Sign() != 0 { // a digit that keeps halves from looking exact
		q.Mul(q, bigTen)
		if num.Sign() == den.Sign() {
			q.Add(q, big.NewInt(1))
		} else {
			q.Sub(q, big.NewInt(1))
		}
		scale++
	}
	r, err := Decimal{q, scale}.RoundTo(precision, mode)
	if err != nil {
		return r, err
	}
	if m.Sign() == 0 {
		r = r.stripTo(want)
	}
	return r, nil
}

// RoundTo is round(new MathContext(precision, mode)). Precision 0 is unlimited.
func (d Decimal) RoundTo(precision int, mode RoundingMode) (Decimal, error) {
	for precision > 0 && d.Precision() > precision { // rounding 9.99 up may add a digit
		drop := d.Precision() - precision
		q, err := quoRound(d.big(), pow10(drop), mode)
		if err != nil {
			return Decimal{}, err
		}
		d = Decimal{q, d.scale - drop}
	}
	return d, nil
}

// Rem is remainder: d less the whole multiple of o, with the sign of d.
func (d Decimal) Rem(o Decimal) (Decimal, error) {
	if o.Sign() == 0 {
		return Decimal{}, divideByZero(d)
	}
	return d.Sub(d.quoWhole(o).Mul(o)), nil
}

// quoWhole is divideToIntegralValue.
func (d Decimal) quoWhole(o Decimal) Decimal {
	x, y, _ := align(d, o)
	q, want := new(big.Int).Quo(x, y), d.scale-o.scale
	switch {
	case q.Sign() == 0:
		return Decimal{bigZero, want}
	case want >= 0:
		return Decimal{q.Mul(q, pow10(want)), want}
	}
	return Decimal{q, 0}.stripTo(want)
}

// SetScale is setScale(scale, mode).
func (d Decimal) SetScale(scale int, mode RoundingMode) (Decimal, error) {
	if scale >= d.scale {
		if scale-d.scale > maxScale {
			return d, throw("java.lang.ArithmeticException", "Underflow")
		}
		return Decimal{new(big.Int).Mul(d.big(), pow10(scale-d.scale)), scale}, nil
	}
	q, err := quoRound(d.big(), pow10(d.scale-scale), mode)
	return Decimal{q, scale}, err
}

// quoRound divides and rounds.
func quoRound(num, den *big.Int, mode RoundingMode) (*big.Int, error) {
	q, m := new(big.Int).QuoRem(num, den, new(big.Int))
	if m.Sign() == 0 {
		return q, nil
	}
	neg := num.Sign() != den.Sign()
	half := new(big.Int).Lsh(m, 1).CmpAbs(den)
	up := false
	switch mode {
	case RoundUp:
		up = true
	case RoundDown:
	case RoundCeiling:
		up = !neg
	case RoundFloor:
		up = neg
	case RoundHalfUp:
		up = half >= 0
	case RoundHalfDown:
		up = half > 0
	case RoundHalfEven:
		up = half > 0 || half == 0 && q.Bit(0) == 1
	default:
		return nil, throw("java.lang.ArithmeticException", "Rounding necessary")
	}
	if up {
		if neg {
			q.Sub(q, big.NewInt(1))
		} else {
			q.Add(q, big.NewInt(1))
		}
	}
	return q, nil
}

// stripTo takes trailing zeros away as long as the scale stays above least.
func (d Decimal) stripTo(least int) Decimal {
	v, s := new(big.Int).Set(d.big()), d.scale
	q, m := new(big.Int), new(big.Int)
	for s > least && v.Sign() != 0 {
		if q.QuoRem(v, bigTen, m); m.Sign() != 0 {
			break
		}
		v.Set(q)
		s--
	}
	return Decimal{v, s}
}

// StripTrailingZeros is stripTrailingZeros: 100 becomes 1E+2.
func (d Decimal) StripTrailingZeros() Decimal {
	if d.Sign() == 0 {
		return Decimal{}
	}
	return d.stripTo(-maxScale)
}

// Int is toBigInteger: the part before the point.
func (d Decimal) Int() *big.Int {
	if d.scale <= 0 {
		return new(big.Int).Mul(d.big(), pow10(-d.scale))
	}
	return new(big.Int).Quo(d.big(), pow10(d.scale))
}

// Double is doubleValue.
func (d Decimal) Double() float64 {
	v, _ := strconv.ParseFloat(d.big().String()+"e"+strconv.Itoa(-d.scale), 64)
	return v
}

// String is toString: plain while the exponent is small, else 1E+3.
func (d Decimal) String() string {
	digits := new(big.Int).Abs(d.big()).String()
	sign := ""
	if d.Sign() < 0 {
		sign = "-"
	}
	if d.scale == 0 {
		return sign + digits
	}
	exp := -d.scale + len(digits) - 1
	if d.scale > 0 && exp >= -6 {
		return sign + withPoint(digits, d.scale)
	}
	s := sign + digits[:1]
	if len(digits) > 1 {
		s += "." + digits[1:]
	}
	if exp == 0 {
		return s
	}
	s += "E"
	if exp > 0 {
		s += "+"
	}
	return s + strconv.Itoa(exp)
}

// PlainString is toPlainString: never an exponent.
func (d Decimal) PlainString() string {
	digits := new(big.Int).Abs(d.big()).String()
	switch {
	case d.scale > 0:
		digits = withPoint(digits, d.scale)
	case d.scale < 0 && d.Sign() != 0:
		digits += strings.Repeat("0", -d.scale)
	}
	if d.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

// withPoint sets a point before the last scale digits.
func withPoint(digits string, scale int) string {
	if n := scale + 1 - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	i := len(digits) - scale
	return digits[:i] + "." + digits[i:]
}
