package java

import (
	"math"
	"math/big"
	"strings"
)

// DecimalFormat is java.text.DecimalFormat with English symbols: 0 and #, grouping, a fraction,
// percent and per mille, quoted text, and a pattern of its own for negative numbers. Exponents and
// currencies are not supported. It is immutable.
type DecimalFormat struct {
	prefix, suffix       string
	negPrefix, negSuffix string
	minInt               int
	minFrac, maxFrac     int
	group                int // digits in a group, or 0
	multiplier           int64
	point                bool // the point is written without a fraction too
}

// ParseDecimalFormat compiles a pattern. The errors are Java's.
func ParseDecimalFormat(pattern string) (*DecimalFormat, error) {
	f := &DecimalFormat{multiplier: 1}
	if pattern == "" { // Java's default of an empty pattern: every digit
		f.maxFrac, f.group = 340, 0
		f.negPrefix = "-"
		return f, nil
	}
	rest, err := f.parse(pattern, pattern)
	if err != nil {
		return nil, err
	}
	f.negPrefix, f.negSuffix = "-"+f.prefix, f.suffix
	if strings.HasPrefix(rest, ";") {
		neg := &DecimalFormat{multiplier: 1}
		left, err := neg.parse(rest[1:], pattern)
		if err != nil {
			return nil, err
		}
		if left != "" {
			return nil, throw("java.lang.IllegalArgumentException", "Unquoted special character ';' in pattern \"%s\"", pattern)
		}
		if neg.prefix != f.prefix || neg.suffix != f.suffix {
			f.negPrefix, f.negSuffix = neg.prefix, neg.suffix
		}
	}
	return f, nil
}

// parse reads one part of a pattern and returns what follows it, from the semicolon on.
func (f *DecimalFormat) parse(s, whole string) (rest string, err error) {
	fail := func(format string, args ...any) (string, error) {
		return "", throw("java.lang.IllegalArgumentException", format+` in pattern "%s"`, append(args, whole)...)
	}
	var prefix, suffix strings.Builder
	affix := &prefix
	left, zeros, right := 0, 0, 0 // # before, 0, # after
	point, group := -1, -1
	i, phase, quoted := 0, 0, false
scan:
	for ; i < len(s); i++ {
		c := s[i]
		if phase == 1 {
			switch c {
			case '#':
				if zeros > 0 {
					right++
				} else {
					left++
				}
				if group >= 0 && point < 0 {
					group++
				}
				continue
			case '0':
				if right > 0 {
					return fail("Unexpected '0'")
				}
				zeros++
				if group >= 0 && point < 0 {
					group++
				}
				continue
			case ',':
				group = 0
				continue
			case '.':
				if point >= 0 {
					return fail("Multiple decimal separators")
				}
				point = left + zeros + right
				continue
			case 'E':
				return fail("Exponents are not supported")
			}
			phase, affix = 2, &suffix
		}
		if quoted {
			if c == '\'' {
				if i+1 < len(s) && s[i+1] == '\'' {
					i++
					affix.WriteByte('\'')
				} else {
					quoted = false
				}
				continue
			}
			affix.WriteByte(c)
			continue
		}
		switch c {
		case '#', '0', ',', '.':
			if phase == 2 {
				return fail("Unquoted special character '%c'", c)
			}
			phase = 1
			i--
		case '\'':
			if i+1 < len(s) && s[i+1] == '\'' {
				i++
				affix.WriteByte('\'')
			} else {
				quoted = true
			}
		case ';':
			break scan
		case '%':
			if f.multiplier != 1 {
				return fail("Too many percent/per mille characters")
			}
			f.multiplier = 100
			affix.WriteByte('%')
		case 0xE2:
			if strings.HasPrefix(s[i:], "‰") {
				f.multiplier = 1000
				affix.WriteString("‰")
				i += len("‰") - 1
				continue
			}
			affix.WriteByte(c)
		default:
			affix.WriteByte(c)
		}
	}
	f.prefix, f.suffix = prefix.String(), suffix.String()
	if zeros == 0 && left > 0 && point >= 0 { // "###.###" means "##0.###", "#.###" keeps no zero
		n := point
		if n == 0 {
			n++
		}
		right = left - n
		left = n - 1
		zeros = 1
	}
	if (point < 0 && right > 0) || (point >= 0 && (point < left || point > left+zeros)) || group == 0 || quoted {
		return "", throw("java.lang.IllegalArgumentException", `Malformed pattern "%s"`, whole)
	}
	total := left + zeros + right
	eff := point
	if eff < 0 {
		eff = total
	}
	f.minInt = eff - left
	if point >= 0 {
		f.maxFrac = total - point
		f.minFrac = max(0, left+zeros-point)
	}
	f.point = point == 0 || point == total
	f.group = max(group, 0)
	return s[i:], nil
}

// FormatLong writes a whole number.
func (f *DecimalFormat) FormatLong(v int64) string {
	return f.FormatDecimal(DecimalOf(v))
}

// FormatDouble writes a number, rounding halves to the even digit by its exact binary value.
func (f *DecimalFormat) FormatDouble(v float64) string {
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 1):
		return f.prefix + "∞" + f.suffix
	case math.IsInf(v, -1):
		return f.negPrefix + "∞" + f.negSuffix
	}
	exact, _ := ExactDecimal(v * float64(f.multiplier))
	d, _ := DecimalOfDouble(v * float64(f.multiplier))
	if d.scale > f.maxFrac { // the shown digits do not tell which side of a half the number lies on
		d = exact
	}
	return f.format(d, v < 0 || v == 0 && math.Signbit(v))
}

// FormatDecimal writes a decimal.
func (f *DecimalFormat) FormatDecimal(d Decimal) string {
	return f.format(d.Mul(DecimalOf(f.multiplier)), d.Sign() < 0)
}

func (f *DecimalFormat) format(d Decimal, negative bool) string {
	d = Decimal{new(big.Int).Abs(d.big()), d.scale}
	if d.scale > f.maxFrac {
		d, _ = d.SetScale(f.maxFrac, RoundHalfEven)
	}
	whole, frac, _ := strings.Cut(d.PlainString(), ".")
	whole = strings.TrimLeft(whole, "0")
	frac = strings.TrimRight(frac, "0")
	for len(whole) < f.minInt {
		whole = "0" + whole
	}
	for len(frac) < f.minFrac {
		frac += "0"
	}
	if whole == "" && frac == "" {
		whole = "0"
	}
	if f.group > 0 {
		for i := len(whole) - f.group; i > 0; i -= f.group {
			whole = whole[:i] + "," + whole[i:]
		}
	}
	s := whole
	if frac != "" || f.point && f.maxFrac == 0 {
		s += "." + frac
	}
	if negative {
		return f.negPrefix + s + f.negSuffix
	}
	return f.prefix + s + f.suffix
}
