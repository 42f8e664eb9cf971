package json

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ParseStrict reads a text as Jackson 2.16 does, which is under JMeter's JMESPath
// elements: RFC 8259, but of members with the same name the last counts and what
// follows the document is not looked at. The error has Jackson's words.
func ParseStrict(text []byte) (*Value, error) {
	p := &strict{src: string(text)}
	return p.document()
}

// ParseShown is ParseStrict with errors that show the text, as those of JMeter's
// JMESPath elements do.
func ParseShown(text []byte) (*Value, error) {
	p := &strict{src: string(text), shown: true}
	return p.document()
}

func (p *strict) document() (*Value, error) {
	p.skipSpace()
	if p.at >= len(p.src) {
		return nil, fmt.Errorf("No content to map due to end-of-input\n at [%s; line: 1]", p.source())
	}
	return p.value()
}

// ParseExact is ParseStrict where nothing may follow the document.
func ParseExact(text []byte) (*Value, error) {
	p := &strict{src: string(text)}
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	if p.skipSpace(); p.at < len(p.src) {
		return nil, p.unexpected(p.at, ": expected the end")
	}
	return v, nil
}

// strictDepth is Jackson's limit of nesting.
const strictDepth = 1000

// redacted is what Jackson says instead of the text it reads.
const redacted = "Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled)"

type strict struct {
	src   string
	shown bool // errors show src
	at    int
	depth int
	arena
}

// shownUnits is how much of the text an error shows, in UTF-16 units.
const shownUnits = 500

// source is what an error says of the text.
func (p *strict) source() string {
	if !p.shown {
		return redacted
	}
	units := utf16.Encode([]rune(p.src))
	rest := ""
	if len(units) > shownUnits {
		rest = fmt.Sprintf("[truncated %d chars]", len(units)-shownUnits)
		units = units[:shownUnits]
	}
	var b strings.Builder
	for _, r := range string(utf16.Decode(units)) {
		if (r < ' ' || r >= 0x7f && r < 0xa0) && r != '\n' && r != '\r' {
			fmt.Fprintf(&b, "\\u%04X", r)
			continue
		}
		b.WriteRune(r)
	}
	return "Source: (String)\"" + b.String() + "\"" + rest
}

// location names a place by line and column, counted in UTF-16 units from 1.
func (p *strict) location(at int) string {
	at = min(at, len(p.src))
	line := strings.Count(p.src[:at], "\n") + 1
	start := strings.LastIndexByte(p.src[:at], '\n') + 1
	return fmt.Sprintf("[%s; line: %d, column: %d]", p.source(), line, utf16Len(p.src[start:at])+1)
}

func (p *strict) fail(at int, format string, args ...any) error {
	return fmt.Errorf("%s\n at %s", fmt.Sprintf(format, args...), p.location(at))
}

// unexpected complains of the character at at.
func (p *strict) unexpected(at int, what string) error {
	r, n := utf8.DecodeRuneInString(p.src[at:])
	shown := fmt.Sprintf("'%c' (code %d)", r, r)
	switch {
	case r < ' ':
		shown = fmt.Sprintf("(CTRL-CHAR, code %d)", r)
	case r > 255:
		shown = fmt.Sprintf("'%c' (code %d / 0x%x)", r, r, r)
	}
	return p.fail(at+n, "Unexpected character (%s)%s", shown, what)
}

const wanted = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"

func (p *strict) skipSpace() {
	for p.at < len(p.src) && isSpace(p.src[p.at]) {
		p.at++
	}
}

func (p *strict) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

func (p *strict) value() (*Value, error) {
	p.skipSpace()
	if p.at >= len(p.src) {
		return nil, p.fail(p.at, "Unexpected end-of-input")
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object()
	case c == '[':
		return p.array()
	case c == '"':
		s, err := p.text()
		if err != nil {
			return nil, err
		}
		return p.new(Value{kind: String, text: s}), nil
	case c == '-' || isDigit(c):
		return p.number()
	case (c == '}' || c == ']') && p.depth == 0:
		other := byte('}')
		if c == '}' {
			other = ']'
		}
		return nil, p.fail(p.at+1, "Unexpected close marker '%c': expected '%c' (for root starting at [%s; line: 1])", c, other, p.source())
	case c == '+':
		return nil, p.fail(p.at+2, "Unexpected character ('+' (code 43)) in numeric value: JSON spec does not allow numbers to have plus signs: enable `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow")
	case c == '/':
		return nil, p.unexpected(p.at, ": maybe a (non-standard) comment? (not recognized as one since Feature 'ALLOW_COMMENTS' not enabled for parser)")
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_':
		return p.word()
	}
	return nil, p.unexpected(p.at, ": expected a valid value "+wanted)
}

func (p *strict) word() (*Value, error) {
	start := p.at
	for p.at < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[p.at:])
		if !isJavaIdentifier(r) {
			break
		}
		p.at += n
	}
	switch word := p.src[start:p.at]; word {
	case "null":
		return null, nil
	case "true":
		return trueVal, nil
	case "false":
		return falseVal, nil
	case "NaN", "Infinity":
		return nil, p.fail(p.at, "Non-standard token '%s': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow", word)
	default:
		return nil, p.fail(p.at, "Unrecognized token '%s': was expecting %s", word, wanted)
	}
}

func isJavaIdentifier(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '$' || r >= 0xaa
}

func (p *strict) enter() error {
	if p.depth++; p.depth > strictDepth {
		return p.fail(p.at, "Document nesting depth (%d) exceeds the maximum allowed (%d, from `StreamReadConstraints.getMaxNestingDepth()`)", p.depth, strictDepth)
	}
	p.at++
	return nil
}

// endOf complains that the text ends in an array or object that began at start.
func (p *strict) endOf(what string, start int) error {
	return p.fail(len(p.src), "Unexpected end-of-input: expected close marker for %s (start marker at %s)", what, p.location(start))
}

func (p *strict) object() (*Value, error) {
	start := p.at
	if err := p.enter(); err != nil {
		return nil, err
	}
	m := p.mark()
	for first := true; ; first = false {
		p.skipSpace()
		switch {
		case p.at >= len(p.src):
			return nil, p.endOf("Object", start)
		case p.peek() == '}':
			p.at++
			p.depth--
			return p.closeObject(m), nil
		case first:
		case p.peek() != ',':
			return nil, p.unexpected(p.at, ": was expecting comma to separate Object entries")
		default:
			p.at++
			p.skipSpace()
		}
		if p.at >= len(p.src) {
			return nil, p.endOf("Object", start)
		}
		if p.peek() != '"' {
			return nil, p.unexpected(p.at, ": was expecting double-quote to start field name")
		}
		key, err := p.text()
		if err != nil {
			return nil, err
		}
		p.skipSpace()
		if p.at < len(p.src) && p.peek() != ':' {
			return nil, p.unexpected(p.at, ": was expecting a colon to separate field name and value")
		}
		p.at++
		p.skipSpace()
		if p.at >= len(p.src) {
			return nil, p.fail(len(p.src), "Unexpected end-of-input within/between Object entries")
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		p.member(key, v)
	}
}

func (p *strict) array() (*Value, error) {
	start := p.at
	if err := p.enter(); err != nil {
		return nil, err
	}
	m := p.mark()
	for first := true; ; first = false {
		p.skipSpace()
		switch {
		case p.at >= len(p.src):
			return nil, p.endOf("Array", start)
		case p.peek() == ']':
			p.at++
			p.depth--
			return p.closeArray(m), nil
		case first:
		case p.peek() != ',':
			return nil, p.unexpected(p.at, ": was expecting comma to separate Array entries")
		default:
			p.at++
			p.skipSpace()
			if p.at >= len(p.src) {
				return nil, p.endOf("Array", start)
			}
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		p.item(v)
	}
}

func (p *strict) number() (*Value, error) {
	start := p.at
	if p.peek() == '-' {
		p.at++
		if !isDigit(p.peek()) {
			return nil, p.badNumber("expected digit (0-9) to follow minus sign, for valid numeric value")
		}
	}
	if p.peek() == '0' && p.at+1 < len(p.src) && isDigit(p.src[p.at+1]) {
		return nil, p.fail(p.at+1, "Invalid numeric value: Leading zeroes not allowed")
	}
	p.digits()
	float := false
	if p.peek() == '.' {
		float = true
		p.at++
		if !isDigit(p.peek()) {
			return nil, p.badNumber("Decimal point not followed by a digit")
		}
		p.digits()
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		float = true
		p.at++
		if c = p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if !isDigit(p.peek()) {
			return nil, p.badNumber("Exponent indicator not followed by a digit")
		}
		p.digits()
	}
	text := p.src[start:p.at]
	if !float {
		return p.new(Value{kind: Integer, text: wholeNumber(text)}), nil
	}
	return p.new(Value{kind: Double, text: text}), nil
}

func (p *strict) badNumber(why string) error {
	if p.at >= len(p.src) {
		return p.fail(p.at, "Unexpected end-of-input in numeric value: %s", why)
	}
	r, n := utf8.DecodeRuneInString(p.src[p.at:])
	if p.src[p.at-1] != '-' {
		n = 0 // only behind the minus sign Jackson has taken the character already
	}
	return p.fail(p.at+n, "Unexpected character ('%c' (code %d)) in numeric value: %s", r, r, why)
}

func (p *strict) digits() {
	for isDigit(p.peek()) {
		p.at++
	}
}

// text reads a quoted text.
func (p *strict) text() (string, error) {
	p.at++
	start := p.at
	var out []byte
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '"':
			s := p.src[start:p.at]
			p.at++
			if out != nil {
				s = string(append(out, s...))
			}
			return s, nil
		case c < ' ':
			return "", p.failAfter("Illegal unquoted character ((CTRL-CHAR, code %d)): has to be escaped using backslash to be included in string value", c)
		case c == '\\':
			out = append(out, p.src[start:p.at]...)
			p.at++
			var err error
			if out, err = p.escape(out); err != nil {
				return "", err
			}
			start = p.at
		default:
			p.at++
		}
	}
	return "", p.fail(len(p.src), "Unexpected end-of-input: was expecting closing quote for a string value")
}

// failAfter is fail behind the character here, on its own line even if it ends one.
func (p *strict) failAfter(format string, args ...any) error {
	before := p.location(p.at)
	cut := strings.LastIndexByte(before, ' ') + 1
	column, err := strconv.Atoi(strings.TrimSuffix(before[cut:], "]"))
	if err != nil {
		return p.fail(p.at, format, args...)
	}
	return fmt.Errorf("%s\n at %s%d]", fmt.Sprintf(format, args...), before[:cut], column+1)
}

func (p *strict) escape(out []byte) ([]byte, error) {
	if p.at >= len(p.src) {
		return nil, p.fail(p.at, "Unexpected end-of-input in character escape sequence")
	}
	c := p.src[p.at]
	p.at++
	switch c {
	case 'b':
		return append(out, '\b'), nil
	case 't':
		return append(out, '\t'), nil
	case 'n':
		return append(out, '\n'), nil
	case 'f':
		return append(out, '\f'), nil
	case 'r':
		return append(out, '\r'), nil
	case '"', '/', '\\':
		return append(out, c), nil
	case 'u':
		r, err := p.hex4()
		if err != nil {
			return nil, err
		}
		if r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(p.src[p.at:], `\u`) {
			at := p.at
			p.at += 2
			low, err := p.hex4()
			if err == nil && low >= 0xdc00 && low < 0xe000 {
				return utf8.AppendRune(out, (r-0xd800)<<10+(low-0xdc00)+0x10000), nil
			}
			p.at = at
		}
		return utf8.AppendRune(out, r), nil
	}
	r, n := utf8.DecodeRuneInString(p.src[p.at-1:])
	return nil, p.fail(p.at-1+n, "Unrecognized character escape '%c' (code %d)", r, r)
}

func (p *strict) hex4() (rune, error) {
	n := rune(0)
	for range 4 {
		if p.at >= len(p.src) {
			return 0, p.fail(p.at, "Unexpected end-of-input in character escape sequence")
		}
		d, err := strconv.ParseUint(p.src[p.at:p.at+1], 16, 8)
		if err != nil {
			return 0, p.unexpected(p.at, ": expected a hex-digit for character escape sequence")
		}
		n = n<<4 + rune(d)
		p.at++
	}
	return n, nil
}
