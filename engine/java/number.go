package java

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
)

// FormatDouble is Double.toString of Java 17, which is not always the shortest text that reads back
// as the same number: Java 19 was the first to print that.
func FormatDouble(v float64) string { return string(AppendDouble(nil, v)) }

// AppendDouble appends FormatDouble(v).
func AppendDouble(dst []byte, v float64) []byte {
	b := math.Float64bits(v)
	return appendFloating(dst, v, int(b>>52&0x7FF), b&(1<<52-1), 1023, 53)
}

// FormatFloat is Float.toString of Java 17.
func FormatFloat(v float32) string {
	b := math.Float32bits(v)
	return string(appendFloating(nil, float64(v), int(b>>23&0xFF), uint64(b&(1<<23-1))<<29, 127, 24))
}

func appendFloating(dst []byte, v float64, exp int, frac uint64, bias, precision int) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, "NaN"...)
	case math.IsInf(v, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(v, -1):
		return append(dst, "-Infinity"...)
	}
	if math.Signbit(v) {
		dst = append(dst, '-')
	}
	if v == 0 {
		return append(dst, "0.0"...)
	}
	digits, point := decimalDigits(exp, frac, bias, precision)
	return appendScientific(dst, digits, point)
}

// appendScientific writes 0.digits * 10^point plainly between 10^-3 and 10^7, else with an exponent.
func appendScientific(dst, digits []byte, point int) []byte {
	tail := func(d []byte) {
		if len(d) == 0 {
			d = []byte("0")
		}
		dst = append(append(dst, '.'), d...)
	}
	switch {
	case point > 0 && point < 8:
		n := min(len(digits), point)
		dst = append(dst, digits[:n]...)
		for ; n < point; n++ {
			dst = append(dst, '0')
		}
		tail(digits[min(len(digits), point):])
	case point <= 0 && point > -3:
		dst = append(dst, "0."...)
		for i := point; i < 0; i++ {
			dst = append(dst, '0')
		}
		dst = append(dst, digits...)
	default:
		dst = append(dst, digits[0])
		tail(digits[1:])
		dst = append(dst, 'E')
		dst = strconv.AppendInt(dst, int64(point-1), 10)
	}
	return dst
}

// decimalDigits finds the decimal digits of a positive binary number as Java up to 18 does: whole
// numbers exactly, all others by generating digits until the number is told from its neighbours,
// with at least two digits when an exponent will follow. The value is 0.digits * 10^point.
func decimalDigits(exp int, frac uint64, bias, precision int) (digits []byte, point int) {
	if exp == 0 { // subnormal
		lead := bits.LeadingZeros64(frac)
		frac <<= lead - 11
		exp = 12 - lead
		precision = 64 - lead
		if bias == 127 { // counted from the top of the fraction, which a float fills only half
			precision -= 29
		}
	} else {
		frac |= 1 << 52
	}
	exp -= bias
	zeros := bits.TrailingZeros64(frac)
	fracBits := 53 - zeros
	tiny := max(0, fracBits-exp-1) // bits behind the point
	if exp <= 62 && exp >= -21 && tiny == 0 && fracBits < 64 {
		whole := frac
		if exp >= 52 {
			whole <<= exp - 52
		} else {
			whole >>= 52 - exp
		}
		return wholeDigits(whole, insignificant(exp-precision-1))
	}

	// The number is B/S * 10^decExp with 1 <= B/S < 10, and M is half the distance to a neighbour.
	f := math.Float64frombits(1023<<52 | frac&(1<<52-1))
	decExp := int(math.Floor((f-1.5)*0.289529654 + 0.176091259 + float64(exp)*0.301029995663981))
	b5, s5 := max(0, -decExp), max(0, decExp)
	b2, s2 := b5+tiny+exp, s5+tiny
	m2 := b2 - precision
	frac >>= zeros
	b2 -= fracBits - 1
	common := min(b2, s2)
	b2, s2, m2 = b2-common, s2-common, m2-common
	if fracBits == 1 { // a power of two is nearer to its lower neighbour
		m2--
	}
	if m2 < 0 {
		b2, s2, m2 = b2-m2, s2-m2, 0
	}
	// In Java small numbers take a path in 64 bits that compares strictly, the others do not.
	strict := fracBits+b2+bitsOf5(b5) < 64 && s2+1+bitsOf5(s5+1) < 64

	B := scaled(new(big.Int).SetUint64(frac), b5, b2)
	S := scaled(big.NewInt(1), s5, s2)
	M := scaled(big.NewInt(1), b5, m2)
	ten := big.NewInt(10)
	tenS := new(big.Int).Mul(S, ten)
	var q, sum big.Int
	step := func() (digit byte, low, high bool) {
		q.QuoRem(B, S, B)
		B.Mul(B, ten)
		M.Mul(M, ten)
		low = B.Cmp(M) < 0
		c := sum.Add(B, M).Cmp(tenS)
		return byte('0' + q.Int64()), low, c > 0 || c == 0 && !strict
	}
	d, low, high := step()
	if d == '0' && !high {
		decExp--
	} else {
		digits = append(digits, d)
	}
	if decExp < -3 || decExp >= 8 {
		low, high = false, false
	}
	for !low && !high {
		d, low, high = step()
		digits = append(digits, d)
	}
	up := high
	if high && low {
		c := B.Lsh(B, 1).Cmp(tenS)
		up = c > 0 || c == 0 && digits[len(digits)-1]&1 != 0
	}
	point = decExp + 1
	if up {
		digits, point = roundUp(digits, point)
	}
	return digits, point
}

func scaled(v *big.Int, fives, twos int) *big.Int {
	if fives > 0 {
		v.Mul(v, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(fives)), nil))
	}
	return v.Lsh(v, uint(twos))
}

// bitsOf5 is the size of 5^n in bits, guessed as Java guesses it beyond its table.
func bitsOf5(n int) int {
	if n < 27 {
		p := uint64(1)
		for range n {
			p *= 5
		}
		if n == 0 {
			return 0
		}
		return bits.Len64(p)
	}
	return n * 3
}

// insignificant is the number of decimal digits that lie below the precision of 2^p.
func insignificant(p int) int {
	if p <= 1 || p > 63 {
		return 0
	}
	return int(float64(p) * math.Log10(2))
}

func wholeDigits(v uint64, drop int) (digits []byte, point int) {
	if drop > 0 {
		p := uint64(1)
		for range drop {
			p *= 10
		}
		rest := v % p
		v /= p
		point = drop
		if rest >= p>>1 {
			v++
		}
	}
	digits = strconv.AppendUint(nil, v, 10)
	point += len(digits)
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits, point
}

func roundUp(digits []byte, point int) ([]byte, int) {
	i := len(digits) - 1
	for i >= 0 && digits[i] == '9' {
		digits[i] = '0'
		i--
	}
	if i < 0 {
		digits[0] = '1'
		return digits, point + 1
	}
	digits[i]++
	return digits, point
}

// ParseInt is Integer.parseInt(s, radix): an optional sign and digits, nothing else, no blanks.
func ParseInt(s string, radix int) (int32, error) {
	v, err := parseWhole(s, radix, 32)
	return int32(v), err
}

// ParseLong is Long.parseLong(s, radix).
func ParseLong(s string, radix int) (int64, error) { return parseWhole(s, radix, 64) }

func parseWhole(s string, radix, size int) (int64, error) {
	digits := s
	if !isASCII(s) { // Java takes the digits of all scripts
		digits = strings.Map(func(r rune) rune {
			if r > unicode.MaxASCII && unicode.IsDigit(r) {
				return '0' + digitValue(r)
			}
			return r
		}, s)
	}
	if strings.Contains(digits, "_") {
		return 0, notNumber(s, radix)
	}
	v, err := strconv.ParseInt(digits, radix, size)
	if err != nil {
		return 0, notNumber(s, radix)
	}
	return v, nil
}

// digitValue is the value of a decimal digit: the digits of a script follow each other from zero.
func digitValue(r rune) rune {
	v := rune(0)
	for v < 9 && unicode.IsDigit(r-v-1) {
		v++
	}
	return v
}

// Decode is Long.decode cut to an int when size is 32: decimal, 0x, 0X and # for hexadecimal, a
// leading 0 for octal, and a sign before those.
func Decode(s string, size int) (int64, error) {
	if s == "" {
		return 0, throw("java.lang.NumberFormatException", "Zero length string")
	}
	rest, neg, radix := s, false, 10
	if rest[0] == '-' || rest[0] == '+' {
		neg = rest[0] == '-'
		rest = rest[1:]
	}
	switch {
	case strings.HasPrefix(rest, "0x"), strings.HasPrefix(rest, "0X"):
		rest, radix = rest[2:], 16
	case strings.HasPrefix(rest, "#"):
		rest, radix = rest[1:], 16
	case strings.HasPrefix(rest, "0") && len(rest) > 1:
		rest, radix = rest[1:], 8
	}
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") {
		return 0, throw("java.lang.NumberFormatException", "Sign character in wrong position")
	}
	if neg {
		rest = "-" + rest
	}
	return parseWhole(rest, radix, size)
}

// ParseDouble is Double.parseDouble: blanks around are dropped, the suffixes d and f are taken.
func ParseDouble(s string) (float64, error) {
	t := Trim(s)
	if t == "" {
		return 0, throw("java.lang.NumberFormatException", "empty String")
	}
	body := t
	switch body[len(body)-1] {
	case 'd', 'D', 'f', 'F':
		if len(body) > 1 && (isDigit(body[len(body)-2]) || body[len(body)-2] == '.' || !strings.ContainsAny(body, "xX")) {
			body = body[:len(body)-1]
		}
	}
	switch strings.TrimLeft(body, "+-") {
	case "NaN":
		return math.NaN(), nil
	case "Infinity":
		if body[0] == '-' {
			return math.Inf(-1), nil
		}
		return math.Inf(1), nil
	}
	if strings.Count(body, ".") > 1 && strings.Trim(body, "0123456789.+-") == "" {
		return 0, throw("java.lang.NumberFormatException", "multiple points")
	}
	if c := strings.TrimLeft(body, "+-"); len(body)-len(c) > 1 || c == "" || !isDigit(c[0]) && c[0] != '.' ||
		strings.Contains(body, "_") || strings.ContainsAny(body, "xX") != strings.ContainsAny(body, "pP") {
		return 0, notNumber(t, 10)
	}
	v, err := strconv.ParseFloat(body, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, notNumber(t, 10)
	}
	return v, nil
}
