package json

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// FormatDouble is Java's Double.toString.
func FormatDouble(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		if math.Signbit(f) {
			return "-0.0"
		}
		return "0.0"
	}
	if a := math.Abs(f); a >= 1e-3 && a < 1e7 {
		s := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	s := strconv.FormatFloat(f, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	sign := ""
	if exponent[0] == '-' {
		sign = "-"
	}
	return mantissa + "E" + sign + strings.TrimLeft(exponent[1:], "0")
}

// isShortDouble reports whether a fraction already stands as Double.toString would
// print it: digits, a point and no zeros too many, below ten million.
func isShortDouble(text string) bool {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if len(whole) == 0 || len(whole) > 7 || len(fraction) == 0 || len(whole)+len(fraction) > 15 {
		return false
	}
	if whole[0] == '0' {
		return false
	}
	if fraction[len(fraction)-1] == '0' && fraction != "0" {
		return false
	}
	return decimalDigits(whole) && decimalDigits(fraction)
}

// javaText is the text of a scalar; of a number as Java prints it.
func (v *Value) javaText() string {
	switch v.kind {
	case Double:
		if !isShortDouble(v.text) {
			f, _ := strconv.ParseFloat(v.text, 64) // out of range is infinity, as in Java
			return FormatDouble(f)
		}
	case Decimal:
		return FormatDecimal(v.text)
	}
	return v.text
}

// isFinite tells the Doubles that JSON has from NaN and the infinities.
func (v *Value) isFinite() bool {
	if isShortDouble(v.text) {
		return true
	}
	f := v.Float()
	return !math.IsNaN(f) && !math.IsInf(f, 0)
}

// FormatPlain prints a Double as the JSON Assertion does: without an exponent and
// with at least one decimal. Other values give their text.
func (v *Value) FormatPlain() string {
	if v.kind != Double {
		return v.javaText()
	}
	f := v.Float()
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "∞"
	case math.IsInf(f, -1):
		return "-∞"
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Float returns the number as a double, the nearest for great ones; NaN for what is
// none.
func (v *Value) Float() float64 {
	if !v.IsNumber() {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(v.text, 64)
	if err != nil && f == 0 {
		return math.NaN()
	}
	return f
}

// Int returns a whole number that fits; ok is false for all else.
func (v *Value) Int() (n int64, ok bool) {
	if v.kind != Integer {
		return 0, false
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	return n, err == nil
}

// Rat returns the exact value of a number, as BigDecimal has it, or nil.
func (v *Value) Rat() *big.Rat {
	if !v.IsNumber() {
		return nil
	}
	return ParseRat(v.javaText())
}

// maxExponent bounds the exponents that are computed exactly.
const maxExponent = 5000

// ParseRat reads what Java's new BigDecimal(text) accepts; nil for all else.
func ParseRat(text string) *big.Rat {
	digits, exponent, hasExponent := strings.Cut(strings.ToLower(text), "e")
	if !decimalDigits(digits) {
		return nil
	}
	if hasExponent {
		n, err := strconv.Atoi(exponent)
		if err != nil || n > maxExponent || n < -maxExponent {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(strings.TrimPrefix(text, "+"))
	if !ok {
		return nil
	}
	return r
}

// decimalDigits reports whether s is a sign, digits and at most one point.
func decimalDigits(s string) bool {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	for _, part := range []string{whole, fraction} {
		for i := range len(part) {
			if part[i] < '0' || part[i] > '9' {
				return false
			}
		}
	}
	return whole != "" || fraction != ""
}

// FormatDecimal is new BigDecimal(text).toString(): the digits as they stand, with
// an exponent only where the scale asks for it. Text it cannot read comes back.
func FormatDecimal(text string) string {
	digits, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	scale := len(fraction)
	if exponent != "" {
		n, err := strconv.Atoi(exponent)
		if err != nil {
			return text
		}
		scale -= n
	}
	unscaled := strings.TrimLeft(whole+fraction, "0")
	if unscaled == "" {
		unscaled, sign = "0", ""
	}
	adjusted := len(unscaled) - 1 - scale
	if scale >= 0 && adjusted >= -6 {
		if scale == 0 {
			return sign + unscaled
		}
		if pad := scale - len(unscaled) + 1; pad > 0 {
			unscaled = strings.Repeat("0", pad) + unscaled
		}
		cut := len(unscaled) - scale
		return sign + unscaled[:cut] + "." + unscaled[cut:]
	}
	if len(unscaled) > 1 {
		unscaled = unscaled[:1] + "." + unscaled[1:]
	}
	if adjusted == 0 {
		return sign + unscaled
	}
	plus := ""
	if adjusted > 0 {
		plus = "+"
	}
	return sign + unscaled + "E" + plus + strconv.Itoa(adjusted)
}
