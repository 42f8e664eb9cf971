package script

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/java"
)

// tokenKind is the kind of a token of Groovy or BeanShell.
type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokNumber
	tokString  // value is the text
	tokGString // parts are texts and sources of expressions
	tokOp
)

type token struct {
	kind  tokenKind
	text  string
	value Value
	parts []part
	pos   pos
	nl    bool // a line ended before it
	space bool // white space stood before it
	start int  // byte offsets in the source
	end   int
}

// part is a piece of a GString.
type part struct {
	text string
	code string // source of ${...} or $name.prop, when isCode
	is   bool
	pos  pos
}

// lexer cuts the source of a curly-brace language into tokens.
type lexer struct {
	src   string
	at    int
	line  int
	bol   int // offset of the line's first byte
	java  bool
	out   []token
	nl    bool
	space bool
}

func (l *lexer) pos() pos { return pos{l.line, l.at - l.bol + 1} }

func (l *lexer) fail(format string, args ...any) {
	p := l.pos()
	panic(abort{&SyntaxError{Line: p.line, Column: p.col, Text: fmt.Sprintf(format, args...)}})
}

// operators, longest first.
var operators = []string{
	">>>=", "<=>", "===", "!==", "==~", "**=", "...", "..<", "<<=", ">>=", ">>>", "*.@", "?.@",
	"==", "!=", "<=", ">=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "?:", "?.", "?[", "?=",
	"*.", ".&", ".@", "..", "->", "=~", "**", "<<", ">>", "::",
	"+", "-", "*", "/", "%", "=", "<", ">", "!", "~", "&", "|", "^", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "@",
}

const maxTokens = 500_000

// run cuts the whole source. It panics with an abort where that cannot be done.
func (l *lexer) run() []token {
	if strings.HasPrefix(l.src, "#!") {
		for l.at < len(l.src) && l.src[l.at] != '\n' {
			l.at++
		}
	}
	for {
		l.blank()
		p, start := l.pos(), l.at
		t := token{pos: p, nl: l.nl, space: l.space, start: start}
		l.nl, l.space = false, false
		if l.at >= len(l.src) {
			t.end = l.at
			l.out = append(l.out, t)
			return l.out
		}
		l.token(&t)
		l.nl, l.space = false, false // lines inside a text do not count
		t.end = l.at
		l.out = append(l.out, t)
		if len(l.out) > maxTokens {
			l.fail("the script is too long")
		}
	}
}

// blank skips white space and comments.
func (l *lexer) blank() {
	for l.at < len(l.src) {
		c := l.src[l.at]
		rest := l.src[l.at:]
		switch {
		case c == '\n':
			l.newline()
		case c == '\\' && !l.java && (strings.HasPrefix(rest, "\\\n") || strings.HasPrefix(rest, "\\\r\n")):
			l.at += strings.IndexByte(rest, '\n')
			l.newline()
			l.nl = false
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.at++
			l.space = true
		case strings.HasPrefix(rest, "\uFEFF"), strings.HasPrefix(rest, "\u00A0"):
			_, n := utf8.DecodeRuneInString(rest)
			l.at += n
			l.space = true
		case strings.HasPrefix(rest, "//"):
			for l.at < len(l.src) && l.src[l.at] != '\n' {
				l.at++
			}
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.fail("a comment is not closed")
			}
			for stop := l.at + 2 + end + 2; l.at < stop; {
				if l.src[l.at] == '\n' {
					l.newline()
				} else {
					l.at++
				}
			}
			l.space = true
		default:
			return
		}
	}
}

func (l *lexer) newline() {
	l.at++
	l.line++
	l.bol = l.at
	l.nl, l.space = true, true
}

func (l *lexer) token(t *token) {
	rest := l.src[l.at:]
	c := rest[0]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case c == '_' || c == '$' && !strings.HasPrefix(rest, "$/") || unicode.IsLetter(r):
		n := size
		for n < len(rest) {
			r, k := utf8.DecodeRuneInString(rest[n:])
			if r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			n += k
		}
		t.kind, t.text = tokName, rest[:n]
		l.at += n
	case c >= '0' && c <= '9', c == '.' && len(rest) > 1 && isDigit(rest[1]) && (l.java || !l.afterOperand()):
		l.number(t)
	case strings.HasPrefix(rest, `"""`):
		l.text(t, `"""`, !l.java)
	case strings.HasPrefix(rest, `'''`) && !l.java:
		l.text(t, `'''`, false)
	case c == '"':
		l.text(t, `"`, !l.java)
	case c == '\'':
		l.text(t, `'`, false)
		if l.java {
			u, ok := java.CharAt(t.value.(string), 0)
			if !ok || java.Length(t.value.(string)) != 1 {
				l.fail("a character literal holds one character")
			}
			t.value = java.Char(u)
		}
	case strings.HasPrefix(rest, "$/") && !l.java:
		l.dollarSlashy(t)
	case c == '/' && !l.java && !l.afterOperand():
		l.slashy(t)
	default:
		for _, op := range operators {
			if strings.HasPrefix(rest, op) {
				if l.java && !javaOperator(op) {
					continue
				}
				t.kind, t.text = tokOp, op
				l.at += len(op)
				return
			}
		}
		l.fail("unexpected character '%c'", r)
	}
}

// javaOperator leaves out what only Groovy has.
func javaOperator(op string) bool {
	switch op {
	case "<=>", "===", "!==", "==~", "**=", "..<", "*.@", "?.@", "?:", "?.", "?[", "?=", "*.", ".&", ".@", "..", "=~", "**":
		return false
	}
	return true
}

// afterOperand says that the last token ends an operand, so that a slash divides.
func (l *lexer) afterOperand() bool {
	if len(l.out) == 0 {
		return false
	}
	switch t := l.out[len(l.out)-1]; t.kind {
	case tokName:
		switch t.text {
		case "return", "in", "case", "assert", "as", "instanceof", "throw", "else":
			return false
		}
		if l.space && !strings.HasPrefix(l.src[l.at:], "/ ") { // println /x/
			return !commandName(t.text)
		}
		return true
	case tokNumber, tokString, tokGString:
		return true
	default:
		return t.text == ")" || t.text == "]" || t.text == "}" && !l.nl || t.text == "++" || t.text == "--"
	}
}

func commandName(s string) bool { return s == "println" || s == "print" }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// number reads a number: 1 1L 1_000 0xFF 0b1 017 1.5 1e3 1.5d 1.5f 2g.
func (l *lexer) number(t *token) {
	s, i := l.src[l.at:], 0
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"), strings.HasPrefix(s, "0X"):
		base, i = 16, 2
	case strings.HasPrefix(s, "0b"), strings.HasPrefix(s, "0B"):
		base, i = 2, 2
	}
	first := i
	for i < len(s) && (isDigit(s[i]) || s[i] == '_' || base == 16 && isHex(s[i])) {
		i++
	}
	float := false
	if base == 10 {
		if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) || l.java && i < len(s) && s[i] == '.' && (i+1 == len(s) || !isWord(s[i+1]) && s[i+1] != '.') {
			float = true
			i++
			for i < len(s) && (isDigit(s[i]) || s[i] == '_') {
				i++
			}
		}
		if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
			j := i + 1
			if j < len(s) && (s[j] == '+' || s[j] == '-') {
				j++
			}
			if j < len(s) && isDigit(s[j]) {
				float = true
				for i = j; i < len(s) && isDigit(s[i]); i++ {
				}
			}
		}
	}
	digits := strings.ReplaceAll(s[first:i], "_", "")
	suffix := byte(0)
	if i < len(s) && strings.IndexByte("lLgGiIdDfF", s[i]) >= 0 && !(base == 16 && isHex(s[i])) {
		suffix = s[i] | 0x20
		i++
	}
	if i < len(s) && isWord(s[i]) {
		l.fail("a number cannot go on with '%c'", s[i])
	}
	if base == 10 && !float && len(digits) > 1 && digits[0] == '0' && suffix != 'd' && suffix != 'f' {
		base, digits = 8, digits[1:]
	}
	v, ok := numberValue(digits, base, float, suffix, l.java)
	if !ok {
		l.fail("%s is not a number", s[:i])
	}
	t.kind, t.text, t.value = tokNumber, s[:i], v
	l.at += i
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// numberValue gives a literal its class: the smallest that holds it, or what the suffix says.
func numberValue(digits string, base int, float bool, suffix byte, javaRules bool) (Value, bool) {
	if digits == "" || len(digits) > 10_000 {
		return nil, false
	}
	if float || suffix == 'd' || suffix == 'f' {
		if suffix == 0 && javaRules {
			suffix = 'd'
		}
		switch suffix {
		case 'd':
			f, err := strconv.ParseFloat(digits, 64)
			return f, err == nil
		case 'f':
			f, err := strconv.ParseFloat(digits, 32)
			return float32(f), err == nil
		case 0, 'g':
			d, err := java.ParseDecimal(digits)
			return d, err == nil
		}
		return nil, false
	}
	big, ok := parseBig(digits, base)
	if !ok {
		return nil, false
	}
	switch {
	case suffix == 'g':
		return big, true
	case suffix == 'l', base != 10 && big.IsUint64() && suffix == 0 && big.BitLen() > 32:
		if !big.IsUint64() || base == 10 && !big.IsInt64() {
			return nil, false
		}
		return int64(big.Uint64()), true
	case base != 10 && big.BitLen() <= 32: // 0xFFFFFFFF is -1
		return int32(uint32(big.Uint64())), true
	case big.IsInt64() && big.Int64() <= 1<<31-1:
		return int32(big.Int64()), true
	case javaRules && !(big.IsInt64() && big.Int64() == 1<<31): // -2147483648 is written with a minus
		return nil, false
	case big.IsInt64():
		return big.Int64(), true
	}
	return big, true
}

// text reads a string up to the quote; with dollars, expressions in it.
func (l *lexer) text(t *token, quote string, dollars bool) {
	l.at += len(quote)
	var b strings.Builder
	var parts []part
	flush := func() {
		if b.Len() > 0 {
			parts = append(parts, part{text: b.String()})
			b.Reset()
		}
	}
	for {
		if l.at >= len(l.src) {
			l.fail("a text is not closed")
		}
		rest := l.src[l.at:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, quote):
			l.at += len(quote)
			if parts == nil {
				t.kind, t.value = tokString, b.String()
				return
			}
			flush()
			t.kind, t.parts = tokGString, parts
			return
		case c == '\\':
			l.escape(&b)
		case c == '\n':
			if len(quote) == 1 {
				l.fail("a text is not closed at the end of the line")
			}
			b.WriteByte('\n')
			l.newline()
		case c == '$' && dollars:
			if p, ok := l.dollar(); ok {
				flush()
				if parts == nil {
					parts = []part{}
				}
				parts = append(parts, p)
				continue
			}
			b.WriteByte(c)
			l.at++
		case c == '\r' && strings.HasPrefix(rest, "\r\n"):
			l.at++
		default:
			b.WriteByte(c)
			l.at++
		}
	}
}

func (l *lexer) escape(b *strings.Builder) {
	rest := l.src[l.at:]
	if len(rest) < 2 {
		l.fail("a text is not closed")
	}
	l.at += 2
	switch c := rest[1]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 's':
		b.WriteByte(' ')
	case '\\', '\'', '"', '$', '/':
		b.WriteByte(c)
	case '\n':
		l.at--
		l.newline()
	case 'u':
		s := strings.TrimLeft(rest[1:], "u")
		n := len(rest) - len(s)
		var units []uint16
		v, err := strconv.ParseUint(s[:min(4, len(s))], 16, 16)
		if err != nil || len(s) < 4 {
			l.fail("\\u needs four hexadecimal digits")
		}
		units = append(units, uint16(v))
		l.at += n - 2 + 4
		if more := l.src[l.at:]; strings.HasPrefix(more, "\\u") && len(more) >= 6 && v >= 0xD800 && v < 0xDC00 {
			if w, err := strconv.ParseUint(more[2:6], 16, 16); err == nil {
				units = append(units, uint16(w))
				l.at += 6
			}
		}
		b.WriteString(java.FromUnits(units))
	default:
		if c >= '0' && c <= '7' {
			n := 1
			for n < 3 && 1+n < len(rest) && rest[1+n] >= '0' && rest[1+n] <= '7' {
				n++
			}
			v, _ := strconv.ParseUint(rest[1:1+n], 8, 16)
			b.WriteRune(rune(v))
			l.at += n - 1
			return
		}
		l.fail("unexpected escape \\%c", c)
	}
}

// dollar reads ${code} or $name.prop.
func (l *lexer) dollar() (part, bool) {
	rest := l.src[l.at:]
	if strings.HasPrefix(rest, "${") {
		end := closing(rest[1:])
		if end < 0 {
			l.fail("${ is not closed")
		}
		p := part{code: rest[2 : 1+end], is: true, pos: pos{l.line, l.at - l.bol + 3}}
		for stop := l.at + end + 2; l.at < stop; {
			if l.src[l.at] == '\n' {
				l.newline()
			} else {
				l.at++
			}
		}
		return p, true
	}
	n := 1
	word := func() bool {
		if n >= len(rest) || !(rest[n] == '_' || unicode.IsLetter(rune(rest[n])) && rest[n] < utf8.RuneSelf) {
			return false
		}
		for n < len(rest) && isWord(rest[n]) && rest[n] != '$' && rest[n] < utf8.RuneSelf {
			n++
		}
		return true
	}
	if !word() {
		return part{}, false
	}
	for n+1 < len(rest) && rest[n] == '.' {
		n++
		if !word() {
			n--
			break
		}
	}
	p := part{code: rest[1:n], is: true, pos: pos{l.line, l.at - l.bol + 2}}
	l.at += n
	return p, true
}

// closing finds the brace that closes the one at the start, past texts and nested braces.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			q := string(c)
			if strings.HasPrefix(s[i:], strings.Repeat(q, 3)) {
				q = strings.Repeat(q, 3)
			}
			j := i + len(q)
			for j < len(s) && !strings.HasPrefix(s[j:], q) {
				if s[j] == '\\' {
					j++
				} else if c == '"' && strings.HasPrefix(s[j:], "${") {
					k := closing(s[j+1:])
					if k < 0 {
						return -1
					}
					j += 1 + k
				}
				j++
			}
			i = j + len(q) - 1
		}
	}
	return -1
}

// slashy reads /.../, in which only \/ is an escape.
func (l *lexer) slashy(t *token) {
	l.at++
	l.raw(t, func(rest string) (string, int) {
		switch {
		case strings.HasPrefix(rest, `\/`):
			return "/", 2
		case rest[0] == '/':
			return "", -1
		}
		return rest[:1], 1
	})
}

// dollarSlashy reads $/.../$.
func (l *lexer) dollarSlashy(t *token) {
	l.at += 2
	l.raw(t, func(rest string) (string, int) {
		switch {
		case strings.HasPrefix(rest, "/$"):
			return "", -2
		case strings.HasPrefix(rest, "$$"), strings.HasPrefix(rest, "$/"):
			return rest[1:2], 2
		}
		return rest[:1], 1
	})
}

// raw reads text whose next piece is told by a function; a negative length ends it.
func (l *lexer) raw(t *token, next func(rest string) (string, int)) {
	var b strings.Builder
	var parts []part
	for {
		if l.at >= len(l.src) {
			l.fail("a text is not closed")
		}
		rest := l.src[l.at:]
		s, n := next(rest)
		if n < 0 {
			l.at -= n
			break
		}
		if rest[0] == '$' && n == 1 {
			if p, ok := l.dollar(); ok {
				parts = append(parts, part{text: b.String()}, p)
				b.Reset()
				continue
			}
		}
		b.WriteString(s)
		if rest[0] == '\n' {
			l.newline()
			continue
		}
		l.at += n
	}
	if parts == nil {
		t.kind, t.value = tokString, b.String()
		return
	}
	t.kind, t.parts = tokGString, append(parts, part{text: b.String()})
}
