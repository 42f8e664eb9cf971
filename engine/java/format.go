package java

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Char is a Java char: one UTF-16 unit.
type Char uint16

func (c Char) String() string { return string(rune(c)) }

// Format is String.format in the root locale, for the conversions %s %S %d %x %X %o %c %b %B %h %e %E
// %f %g %n %% with flags, width, precision and argument indexes. Arguments are nil, bool, int8,
// int16, int32, int64, *big.Int, float32, float64, Decimal, Char and string; show turns any other into
// text. Errors are Java's exceptions. %t and %a are not supported and say so.
func Format(format string, args []any, show func(any) string) (string, error) {
	f := &formatter{args: args, show: show, last: -1}
	for i := 0; i < len(format); {
		if format[i] != '%' {
			n := strings.IndexByte(format[i:], '%')
			if n < 0 {
				n = len(format) - i
			}
			f.out = append(f.out, format[i:i+n]...)
			i += n
			continue
		}
		n, err := f.spec(format[i:])
		if err != nil {
			return "", err
		}
		i += n
	}
	return string(f.out), nil
}

type formatter struct {
	out  []byte
	args []any
	show func(any) string
	next int // next ordinary argument
	last int // argument used last, for %<s
}

// verb is one parsed %[index$][flags][width][.precision]conversion.
type verb struct {
	text            string
	left, alt, plus bool
	space, zero     bool
	group, paren    bool
	width, prec     int // -1: not given
	conv            byte
}

// spec formats one conversion and returns how long it is.
func (f *formatter) spec(s string) (int, error) {
	unknown := func(c string) (int, error) {
		return 0, throw("java.util.UnknownFormatConversionException", "Conversion = '%s'", c)
	}
	i := 1
	index := 0 // 0: the next, -1: the last again
	if n := digits(s[i:]); n > 0 && i+n < len(s) && s[i+n] == '$' {
		index, _ = strconv.Atoi(s[i : i+n])
		i += n + 1
	} else if strings.HasPrefix(s[i:], "<") {
		index = -1
		i++
	}
	v := verb{width: -1, prec: -1}
flags:
	for ; i < len(s); i++ {
		switch s[i] {
		case '-':
			v.left = true
		case '#':
			v.alt = true
		case '+':
			v.plus = true
		case ' ':
			v.space = true
		case '0':
			v.zero = true
		case ',':
			v.group = true
		case '(':
			v.paren = true
		default:
			break flags
		}
	}
	if n := digits(s[i:]); n > 0 {
		w, err := strconv.Atoi(s[i : i+n])
		if err != nil || w > 1<<20 {
			return 0, throw("java.util.IllegalFormatWidthException", "%s", s[i:i+n])
		}
		v.width = w
		i += n
	}
	if i < len(s) && s[i] == '.' {
		n := digits(s[i+1:])
		if n == 0 {
			return unknown(s[1:2])
		}
		p, err := strconv.Atoi(s[i+1 : i+1+n])
		if err != nil || p > 1<<20 {
			return 0, throw("java.util.IllegalFormatPrecisionException", "%s", s[i+1:i+1+n])
		}
		v.prec = p
		i += n + 1
	}
	switch {
	case len(s) == 1:
		return unknown("%")
	case i >= len(s), !isLetter(s[i]) && s[i] != '%':
		r, _ := utf8.DecodeRuneInString(s[1:])
		return unknown(string(r))
	}
	v.conv = s[i]
	if !strings.ContainsRune("bBhHsScCdoxXeEfgGn%", rune(v.conv)) {
		return unknown(s[i : i+1])
	}
	i++
	v.text = s[:i]
	if v.left && v.width < 0 {
		return 0, throw("java.util.MissingFormatWidthException", "%s", v.text)
	}
	switch v.conv {
	case 'n':
		f.out = append(f.out, '\n')
		return i, nil
	case '%':
		f.pad("%", &v)
		return i, nil
	}
	at := index - 1
	switch index {
	case 0:
		at = f.next
		f.next++
	case -1:
		at = f.last
	}
	if at < 0 || at >= len(f.args) {
		return 0, throw("java.util.MissingFormatArgumentException", "Format specifier '%s'", v.text)
	}
	f.last = at
	return i, f.value(f.args[at], &v)
}

func digits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func (f *formatter) pad(s string, v *verb) {
	n := v.width - utf16Len(s)
	if v.left {
		f.out = append(f.out, s...)
	}
	for ; n > 0; n-- {
		f.out = append(f.out, ' ')
	}
	if !v.left {
		f.out = append(f.out, s...)
	}
}

func (f *formatter) text(s string, v *verb) {
	if v.prec >= 0 && v.prec < utf16Len(s) {
		s = utf16Slice(s, 0, v.prec)
	}
	if v.conv <= 'Z' {
		s = ToUpper(s)
	}
	f.pad(s, v)
}

func (f *formatter) value(arg any, v *verb) error {
	switch v.conv {
	case 's', 'S':
		f.text(f.string(arg), v)
		return nil
	case 'b', 'B':
		b, isBool := arg.(bool)
		f.text(strconv.FormatBool(arg != nil && (!isBool || b)), v)
		return nil
	case 'h', 'H':
		s, ok := arg.(string)
		if !ok && arg != nil {
			return throw("java.lang.UnsupportedOperationException", "%%h is supported for strings only")
		}
		if arg == nil {
			f.text("null", v)
		} else {
			f.text(strconv.FormatUint(uint64(uint32(HashCode(s))), 16), v)
		}
		return nil
	}
	if arg == nil {
		v.zero = false
		f.text("null", v)
		return nil
	}
	switch v.conv {
	case 'c', 'C':
		switch c := arg.(type) {
		case Char:
			f.text(c.String(), v)
		case int32:
			f.text(string(rune(c)), v)
		case int16:
			f.text(string(rune(c)), v)
		case int8:
			f.text(string(rune(c)), v)
		default:
			return mismatch(v.conv, arg)
		}
		return nil
	case 'd', 'o', 'x', 'X':
		if v.prec >= 0 {
			return throw("java.util.IllegalFormatPrecisionException", "%d", v.prec)
		}
		return f.whole(arg, v)
	}
	return f.float(arg, v)
}

func (f *formatter) string(arg any) string {
	switch x := arg.(type) {
	case nil:
		return "null"
	case string:
		return x
	case float64:
		return FormatDouble(x)
	case float32:
		return FormatFloat(x)
	case bool, int8, int16, int32, int64, *big.Int, Decimal, Char:
		return fmt.Sprint(x)
	}
	return f.show(arg)
}

// mismatch names the argument's class as Java does.
func mismatch(conv byte, arg any) *Error {
	class := fmt.Sprintf("%T", arg)
	switch x := arg.(type) {
	case bool:
		class = "java.lang.Boolean"
	case string:
		class = "java.lang.String"
	case Char:
		class = "java.lang.Character"
	case int8:
		class = "java.lang.Byte"
	case int16:
		class = "java.lang.Short"
	case int32:
		class = "java.lang.Integer"
	case int64:
		class = "java.lang.Long"
	case float32:
		class = "java.lang.Float"
	case float64:
		class = "java.lang.Double"
	case *big.Int:
		class = "java.math.BigInteger"
	case Decimal:
		class = "java.math.BigDecimal"
	case interface{ ClassName() string }:
		class = x.ClassName()
	}
	return throw("java.util.IllegalFormatConversionException", "%c != %s", conv, class)
}

func (f *formatter) whole(arg any, v *verb) error {
	var n *big.Int
	size := uint(0) // two's complement width of hex and octal
	switch x := arg.(type) {
	case int8:
		n, size = big.NewInt(int64(x)), 8
	case int16:
		n, size = big.NewInt(int64(x)), 16
	case int32:
		n, size = big.NewInt(int64(x)), 32
	case int64:
		n, size = big.NewInt(x), 64
	case *big.Int:
		n = x
	default:
		return mismatch(v.conv, arg)
	}
	if v.conv == 'd' {
		f.number(new(big.Int).Abs(n).String(), "", n.Sign() < 0, v)
		return nil
	}
	base, prefix := 16, "0x"
	if v.conv == 'o' {
		base, prefix = 8, "0"
	}
	if n.Sign() < 0 && size > 0 {
		n = new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), size))
	}
	s := n.Text(base)
	if v.alt {
		s = prefix + s
	}
	if v.zero {
		for len(s) < v.width {
			if v.alt {
				s = prefix + "0" + s[len(prefix):]
			} else {
				s = "0" + s
			}
		}
	}
	if v.conv == 'X' {
		s = strings.ToUpper(s)
	}
	f.pad(s, v)
	return nil
}

// number writes digits and a tail with sign, grouping and zeros as the flags say.
func (f *formatter) number(digits, tail string, neg bool, v *verb) {
	if v.group {
		for i := len(digits) - 3; i > 0; i -= 3 {
			digits = digits[:i] + "," + digits[i:]
		}
	}
	pre, post := "", ""
	switch {
	case neg && v.paren:
		pre, post = "(", ")"
	case neg:
		pre = "-"
	case v.plus:
		pre = "+"
	case v.space:
		pre = " "
	}
	s := digits + tail
	if v.zero {
		for utf16Len(pre+s+post) < v.width {
			s = "0" + s
		}
	}
	f.pad(pre+s+post, v)
}

func (f *formatter) float(arg any, v *verb) error {
	var d Decimal
	neg := false
	switch x := arg.(type) {
	case float32, float64:
		n, ok := x.(float64)
		if !ok {
			n = float64(x.(float32))
		}
		if math.IsNaN(n) || math.IsInf(n, 0) {
			s := map[bool]string{true: "NaN", false: "Infinity"}[math.IsNaN(n)]
			v.zero, v.group = false, false
			f.number(s, "", n < 0, v)
			return nil
		}
		neg = math.Signbit(n)
		if ok {
			d, _ = ParseDecimal(FormatDouble(n))
		} else {
			d, _ = ParseDecimal(FormatFloat(x.(float32)))
		}
	case Decimal:
		d, neg = x, x.Sign() < 0
	default:
		return mismatch(v.conv, arg)
	}
	prec := v.prec
	if prec < 0 {
		prec = 6
	}
	d = Decimal{new(big.Int).Abs(d.big()), d.scale}
	conv := v.conv
	if conv == 'g' || conv == 'G' {
		if v.alt {
			return throw("java.util.FormatFlagsConversionMismatchException", "Conversion = %c, Flags = #", conv)
		}
		prec = max(prec, 1)
		r, _ := d.RoundTo(prec, RoundHalfUp)
		low, high := DecimalOf(1), DecimalOf(10)
		low.scale, high.scale = 4, 1-prec
		if d.Sign() == 0 || r.Cmp(low) >= 0 && r.Cmp(high) < 0 {
			conv = 'f'
			prec -= r.Precision() - r.scale
			if d.Sign() == 0 {
				prec = max(v.prec, 1) - 1
				if v.prec < 0 {
					prec = 5
				}
			}
		} else {
			conv = 'e'
			prec--
		}
	}
	tail := ""
	if conv == 'e' || conv == 'E' {
		exp := 0
		if d.Sign() != 0 {
			d, _ = d.RoundTo(prec+1, RoundHalfUp)
			exp = d.Precision() - 1 - d.scale
		}
		d = Decimal{d.big(), d.scale + exp}
		sign := "+"
		if exp < 0 {
			sign, exp = "-", -exp
		}
		tail = fmt.Sprintf("e%s%02d", sign, exp)
		if v.conv <= 'Z' {
			tail = strings.ToUpper(tail)
		}
	}
	d, _ = d.SetScale(max(prec, 0), RoundHalfUp)
	whole, frac, point := strings.Cut(d.PlainString(), ".")
	if point {
		tail = "." + frac + tail
	} else if v.alt {
		tail = "." + tail
	}
	f.number(whole, tail, neg, v)
	return nil
}
