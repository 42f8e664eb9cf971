package script

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/java"
)

// str is the text a method of String is called on.
func str(c *Call) string {
	switch x := c.Self.(type) {
	case string:
		return x
	case java.Char:
		return x.String()
	}
	return javaString(c.Self)
}

// text makes a method that turns its text into another value.
func text(do func(s string) Value) *Method {
	return method(0, 0, func(c *Call) (Value, error) { return do(str(c)), nil })
}

// withText makes a method of one text argument.
func withText(do func(s, arg string) Value) *Method {
	return method(1, 1, func(c *Call) (Value, error) { return do(str(c), c.Str(0)), nil })
}

func substring(c *Call) (Value, error) {
	s := str(c)
	n := java.Length(s)
	begin, end := c.Int(0), n
	if c.N() == 2 {
		end = c.Int(1)
	}
	sub, ok := java.Substring(s, begin, end)
	if !ok {
		return nil, throw("java.lang.StringIndexOutOfBoundsException", "begin %d, end %d, length %d", begin, end, n)
	}
	return sub, nil
}

// charOrText is an argument that may be a char, its code, or a text.
func (c *Call) charOrText(i int) string {
	if isNumber(c.Args[i]) {
		return string(rune(c.Int(i)))
	}
	return c.Str(i)
}

func pad(c *Call, place func(s, fill string, n int) string) (Value, error) {
	s, width, by := str(c), c.Int(0), " "
	if c.N() == 2 {
		by = c.Str(1)
	}
	n := width - java.Length(s)
	if n <= 0 || by == "" {
		return s, nil
	}
	if n > maxText {
		return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
	}
	return place(s, by, n), nil
}

// fill repeats a text to exactly n units.
func fill(by string, n int) string {
	f := strings.Repeat(by, n/max(java.Length(by), 1)+1)
	sub, _ := java.Substring(f, 0, n)
	return sub
}

func charset(c *Call, i int) (*java.Charset, error) {
	if i >= c.N() {
		return java.UTF8, nil
	}
	if cs, ok := c.Args[i].(*charsetObject); ok {
		return cs.c, nil
	}
	cs, ok := java.LookupCharset(c.Str(i))
	if !ok {
		return nil, throw("java.io.UnsupportedEncodingException", "%s", c.Str(i))
	}
	return cs, nil
}

func newString(c *Call) (Value, error) {
	if c.N() == 0 {
		return "", nil
	}
	switch x := c.Args[0].(type) {
	case *Bytes:
		if c.N() >= 3 {
			from, n := c.Int(1), c.Int(2)
			if from < 0 || n < 0 || from+n > len(x.B) {
				return nil, throw("java.lang.StringIndexOutOfBoundsException", "offset %d, count %d, length %d", from, n, len(x.B))
			}
			cs, err := charset(c, 3)
			if err != nil {
				return nil, err
			}
			return cs.Decode(x.B[from : from+n]), nil
		}
		cs, err := charset(c, 1)
		if err != nil {
			return nil, err
		}
		return cs.Decode(x.B), nil
	case *Array:
		return groovyString(x), nil
	}
	return c.Str(0), nil
}

func getBytes(c *Call) (Value, error) {
	cs, err := charset(c, 0)
	if err != nil {
		return nil, err
	}
	return &Bytes{cs.Encode(str(c))}, nil
}

// gstringClass is that of a text with expressions in it.
var gstringClass = NewClass("org.codehaus.groovy.runtime.GStringImpl", stringClass)

func initString() {
	stringClass.New = method(0, 4, newString)
	stringClass.Fields = map[string]Value{"CASE_INSENSITIVE_ORDER": &Closure{native: func(r *Run, a []Value) (Value, error) {
		return int32(java.Compare(java.ToLower(javaString(a[0])), java.ToLower(javaString(a[1])))), nil
	}}}
	stringClass.Static = Methods{
		"valueOf": method(1, 3, func(c *Call) (Value, error) {
			if a, ok := c.Args[0].(*Array); ok && a.Elem == "char" {
				return groovyString(a), nil
			}
			return javaString(c.Args[0]), nil
		}),
		"copyValueOf": method(1, 1, func(c *Call) (Value, error) { return groovyString(c.Args[0]), nil }),
		"format":      method(1, -1, func(c *Call) (Value, error) { return formatText(c.Str(0), c.Args[1:]) }),
		"join": method(1, -1, func(c *Call) (Value, error) {
			list := c.Args[1:]
			if len(list) == 1 {
				if l, ok := items(list[0]); ok && !isText(list[0]) {
					list = l
				}
			}
			parts := make([]string, len(list))
			for i, e := range list {
				parts[i] = javaString(e)
			}
			return strings.Join(parts, c.Str(0)), nil
		}),
	}
	stringClass.Methods = Methods{
		"length":       text(func(s string) Value { return int32(java.Length(s)) }),
		"isEmpty":      text(func(s string) Value { return s == "" }),
		"isBlank":      text(func(s string) Value { return strings.TrimSpace(s) == "" }),
		"trim":         text(func(s string) Value { return java.Trim(s) }),
		"strip":        text(func(s string) Value { return strings.TrimSpace(s) }),
		"toUpperCase":  method(0, 1, func(c *Call) (Value, error) { return java.ToUpper(str(c)), nil }),
		"toLowerCase":  method(0, 1, func(c *Call) (Value, error) { return java.ToLower(str(c)), nil }),
		"toString":     text(func(s string) Value { return s }),
		"intern":       text(func(s string) Value { return s }),
		"hashCode":     text(func(s string) Value { return java.HashCode(s) }),
		"toCharArray":  text(func(s string) Value { return charArray(s) }),
		"substring":    method(1, 2, substring),
		"subSequence":  method(2, 2, substring),
		"contains":     withText(func(s, t string) Value { return strings.Contains(s, t) }),
		"endsWith":     withText(func(s, t string) Value { return strings.HasSuffix(s, t) }),
		"concat":       withText(func(s, t string) Value { return s + t }),
		"compareTo":    withText(func(s, t string) Value { return int32(java.Compare(s, t)) }),
		"matches":      method(1, 1, matchesWhole),
		"split":        method(0, 2, splitText),
		"replaceAll":   method(2, 2, func(c *Call) (Value, error) { return replaceRegex(c, -1) }),
		"replaceFirst": method(2, 2, func(c *Call) (Value, error) { return replaceRegex(c, 1) }),
		"getBytes":     method(0, 1, getBytes),
		"equals": method(1, 1, func(c *Call) (Value, error) {
			t, ok := c.Args[0].(string)
			return ok && t == str(c), nil
		}),
		"contentEquals": method(1, 1, func(c *Call) (Value, error) { return str(c) == javaString(c.Args[0]), nil }),
		"equalsIgnoreCase": method(1, 1, func(c *Call) (Value, error) {
			if c.Args[0] == nil {
				return false, nil
			}
			return strings.EqualFold(str(c), c.Str(0)), nil
		}),
		"compareToIgnoreCase": withText(func(s, t string) Value {
			return int32(java.Compare(java.ToLower(java.ToUpper(s)), java.ToLower(java.ToUpper(t))))
		}),
		"startsWith": method(1, 2, func(c *Call) (Value, error) {
			s := str(c)
			if c.N() == 2 {
				sub, ok := java.Substring(s, c.Int(1), java.Length(s))
				return ok && strings.HasPrefix(sub, c.Str(0)), nil
			}
			return strings.HasPrefix(s, c.Str(0)), nil
		}),
		"charAt": method(1, 1, func(c *Call) (Value, error) {
			s := str(c)
			u, ok := java.CharAt(s, c.Int(0))
			if !ok {
				return nil, throw("java.lang.StringIndexOutOfBoundsException", "String index out of range: %d", c.Int(0))
			}
			return java.Char(u), nil
		}),
		"codePointAt": method(1, 1, func(c *Call) (Value, error) {
			s := str(c)
			sub, ok := java.Substring(s, c.Int(0), java.Length(s))
			if !ok || sub == "" {
				return nil, throw("java.lang.StringIndexOutOfBoundsException", "index %d, length %d", c.Int(0), java.Length(s))
			}
			r, _ := utf8.DecodeRuneInString(sub)
			return int32(r), nil
		}),
		"indexOf": method(1, 2, func(c *Call) (Value, error) {
			from := 0
			if c.N() == 2 {
				from = c.Int(1)
			}
			return int32(java.IndexOf(str(c), c.charOrText(0), from)), nil
		}),
		"lastIndexOf": method(1, 2, func(c *Call) (Value, error) {
			from := 1 << 30
			if c.N() == 2 {
				from = c.Int(1)
			}
			return int32(java.LastIndexOf(str(c), c.charOrText(0), from)), nil
		}),
		"replace": method(2, 2, func(c *Call) (Value, error) {
			return strings.ReplaceAll(str(c), c.charOrText(0), c.charOrText(1)), nil
		}),
		"repeat": method(1, 1, func(c *Call) (Value, error) { return groovyTimes(c.Run, str(c), c.Args[0]) }),
		"lines":  text(func(s string) Value { return lines(s) }),
		"chars": text(func(s string) Value {
			var l []Value
			for _, r := range s {
				l = append(l, int32(r))
			}
			return NewList(l...)
		}),
		"formatted": method(0, -1, func(c *Call) (Value, error) { return formatText(str(c), c.Args) }),
	}
	stringClass.Groovy = Methods{
		"size":         text(func(s string) Value { return int32(java.Length(s)) }),
		"reverse":      text(func(s string) Value { return reversed(s) }),
		"capitalize":   text(func(s string) Value { return first(s, strings.ToUpper) }),
		"uncapitalize": text(func(s string) Value { return first(s, strings.ToLower) }),
		"toList":       text(func(s string) Value { return NewList(mustItems(s)...) }),
		"chars":        text(func(s string) Value { return charArray(s) }),
		"getChars":     text(func(s string) Value { return charArray(s) }),
		"readLines":    text(func(s string) Value { return lines(s) }),
		"padLeft":      method(1, 2, func(c *Call) (Value, error) { return pad(c, func(s, f string, n int) string { return fill(f, n) + s }) }),
		"padRight":     method(1, 2, func(c *Call) (Value, error) { return pad(c, func(s, f string, n int) string { return s + fill(f, n) }) }),
		"center": method(1, 2, func(c *Call) (Value, error) {
			return pad(c, func(s, f string, n int) string { return fill(f, n/2) + s + fill(f, n-n/2) })
		}),
		"multiply":  method(1, 1, func(c *Call) (Value, error) { return groovyTimes(c.Run, str(c), c.Args[0]) }),
		"plus":      method(1, 1, func(c *Call) (Value, error) { return groovyPlus(c.Run, str(c), c.Args[0]) }),
		"minus":     method(1, 1, func(c *Call) (Value, error) { return groovyMinus(c.Run, str(c), c.Args[0]) }),
		"next":      text(func(s string) Value { return neighbour(s, 1) }),
		"previous":  text(func(s string) Value { return neighbour(s, -1) }),
		"toInteger": parses(integerClass), "toLong": parses(longClass), "toDouble": parses(doubleClass), "toFloat": parses(floatClass),
		"toBigDecimal": parses(bigDecimalClass), "toBigInteger": parses(bigIntegerClass), "toShort": parses(shortClass),
		"isNumber": canParse(bigDecimalClass), "isBigDecimal": canParse(bigDecimalClass), "isBigInteger": canParse(bigIntegerClass),
		"isInteger": canParse(integerClass), "isLong": canParse(longClass), "isDouble": canParse(doubleClass), "isFloat": canParse(floatClass),
		"toBoolean": text(func(s string) Value {
			t := strings.ToLower(java.Trim(s))
			return t == "true" || t == "y" || t == "1"
		}),
		"toURI": text(func(s string) Value { return s }),
		"tokenize": method(0, 1, func(c *Call) (Value, error) {
			by := " \t\n\r\f"
			if c.N() == 1 {
				by = c.Str(0)
			}
			var l []Value
			for _, t := range strings.FieldsFunc(str(c), func(r rune) bool { return strings.ContainsRune(by, r) }) {
				l = append(l, t)
			}
			return NewList(l...), nil
		}),
		"take": method(1, 1, func(c *Call) (Value, error) {
			s := str(c)
			sub, _ := java.Substring(s, 0, min(max(c.Int(0), 0), java.Length(s)))
			return sub, nil
		}),
		"drop": method(1, 1, func(c *Call) (Value, error) {
			s := str(c)
			sub, _ := java.Substring(s, min(max(c.Int(0), 0), java.Length(s)), java.Length(s))
			return sub, nil
		}),
		"takeRight": method(1, 1, func(c *Call) (Value, error) {
			s := str(c)
			n := java.Length(s)
			sub, _ := java.Substring(s, n-min(max(c.Int(0), 0), n), n)
			return sub, nil
		}),
		"dropRight": method(1, 1, func(c *Call) (Value, error) {
			s := str(c)
			n := java.Length(s)
			sub, _ := java.Substring(s, 0, n-min(max(c.Int(0), 0), n))
			return sub, nil
		}),
		"takeBetween": method(1, 2, func(c *Call) (Value, error) {
			from, to := c.Str(0), c.Str(c.N()-1)
			_, rest, ok := strings.Cut(str(c), from)
			inner, _, ok2 := strings.Cut(rest, to)
			if !ok || !ok2 {
				return "", nil
			}
			return inner, nil
		}),
		"count": method(1, 1, func(c *Call) (Value, error) {
			if _, ok := c.Args[0].(*Closure); ok {
				return countItems(c)
			}
			return int32(strings.Count(str(c), c.Str(0))), nil
		}),
		"contains": withText(func(s, t string) Value { return strings.Contains(s, t) }),
		"eachLine": method(1, 2, func(c *Call) (Value, error) {
			cl, from := c.fn(c.N()-1), 0
			if c.N() == 2 {
				from = c.Int(0)
			}
			return eachLine(c.Run, str(c), cl, from)
		}),
		"stripMargin": method(0, 1, func(c *Call) (Value, error) {
			mark := "|"
			if c.N() == 1 {
				mark = c.Str(0)
			}
			ls := strings.Split(str(c), "\n")
			for i, l := range ls {
				if t := strings.TrimLeft(l, " \t"); strings.HasPrefix(t, mark) {
					ls[i] = t[len(mark):]
				}
			}
			return strings.Join(ls, "\n"), nil
		}),
		"stripIndent": text(func(s string) Value { return stripIndent(s) }),
		"normalize":   text(func(s string) Value { return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s) }),
		"tr":          method(2, 2, func(c *Call) (Value, error) { return translate(str(c), c.Str(0), c.Str(1)), nil }),
		"decodeBase64": method(0, 0, func(c *Call) (Value, error) {
			b, err := decodeBase64(str(c))
			if err != nil {
				return nil, throw("java.lang.RuntimeException", "bad character in base64 value")
			}
			return &Bytes{b}, nil
		}),
		"decodeHex": method(0, 0, func(c *Call) (Value, error) {
			b, err := hex.DecodeString(str(c))
			if err != nil {
				return nil, throw("java.lang.NumberFormatException", "odd number of characters in hex string")
			}
			return &Bytes{b}, nil
		}),
		"find":            method(1, 2, findRegex),
		"findAll":         method(1, 2, findAllRegex),
		"replaceAll":      method(2, 2, func(c *Call) (Value, error) { return replaceRegex(c, -1) }),
		"asBoolean":       text(func(s string) Value { return s != "" }),
		"isAllWhitespace": text(func(s string) Value { return strings.TrimSpace(s) == "" }),
		"denormalize":     text(func(s string) Value { return s }),
		"expand":          text(func(s string) Value { return strings.ReplaceAll(s, "\t", "        ") }),
	}
	for _, n := range []string{"md5", "sha256", "digest"} {
		stringClass.Groovy[n] = method(0, 1, digestText(n))
	}
}

// first changes the first character.
func first(s string, to func(string) string) string {
	if s == "" {
		return s
	}
	_, n := utf8.DecodeRuneInString(s)
	return to(s[:n]) + s[n:]
}

// neighbour is the text whose last character is the next or previous one.
func neighbour(s string, by rune) string {
	if s == "" {
		return string(rune(max(by, 0)))
	}
	r, n := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-n] + string(r+by)
}

func lines(s string) *List {
	var l []Value
	for line := range strings.Lines(s) {
		l = append(l, strings.TrimRight(line, "\r\n"))
	}
	return NewList(l...)
}

func eachLine(r *Run, s string, cl *Closure, from int) (Value, error) {
	var last Value
	for i, l := range lines(s).all() {
		args := []Value{l}
		if cl.params() > 1 {
			args = append(args, int32(i+from))
		}
		var err error
		if last, err = cl.Call(r, args...); err != nil {
			return nil, err
		}
	}
	return last, nil
}

func stripIndent(s string) string {
	ls := strings.Split(s, "\n")
	least := -1
	for _, l := range ls {
		if strings.TrimSpace(l) == "" {
			continue
		}
		n := len(l) - len(strings.TrimLeftFunc(l, unicode.IsSpace))
		if least < 0 || n < least {
			least = n
		}
	}
	for i, l := range ls {
		if least > 0 {
			ls[i] = l[min(least, len(l)):]
		}
	}
	return strings.Join(ls, "\n")
}

// translate is tr: characters of one set become those of another.
func translate(s, from, to string) string {
	a, b := expandSet(from), expandSet(to)
	if len(b) == 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		for i, x := range a {
			if x == r {
				return b[min(i, len(b)-1)]
			}
		}
		return r
	}, s)
}

func expandSet(s string) []rune {
	var out []rune
	rs := []rune(s)
	for i := 0; i < len(rs); i++ {
		if i+2 < len(rs) && rs[i+1] == '-' && rs[i+2]-rs[i] < 1<<16 {
			for r := rs[i]; r <= rs[i+2]; r++ {
				out = append(out, r)
			}
			i += 2
			continue
		}
		out = append(out, rs[i])
	}
	return out
}

// decodeBase64 takes the standard and the URL alphabet, padded or not, white space between.
func decodeBase64(s string) ([]byte, error) {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '-':
			return '+'
		case r == '_':
			return '/'
		case r == '=' || unicode.IsSpace(r):
			return -1
		}
		return r
	}, s)
	return base64.RawStdEncoding.DecodeString(s)
}

// parses makes a method that reads its text as a number.
func parses(cl *Class) *Method {
	return method(0, 0, func(c *Call) (Value, error) { return parseNumber(java.Trim(str(c)), cl) })
}

func canParse(cl *Class) *Method {
	return method(0, 0, func(c *Call) (Value, error) {
		_, err := parseNumber(java.Trim(str(c)), cl)
		return err == nil, nil
	})
}

// formatText is String.format.
func formatText(format string, args []Value) (Value, error) {
	if len(args) == 1 {
		switch a := args[0].(type) {
		case *Array:
			args = a.Items
		}
	}
	list := make([]any, len(args))
	copy(list, args)
	s, err := java.Format(format, list, func(v any) string { return javaString(v) })
	if err != nil {
		return nil, err
	}
	return s, nil
}
