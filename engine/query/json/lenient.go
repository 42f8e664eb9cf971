package json

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrEmpty is what JsonPath says of a text without a byte.
var ErrEmpty = errors.New("json string can not be null or empty")

// maxDepth is json-smart's limit of nesting.
const maxDepth = 400

// ParseLenient reads a text as json-smart 2.5 does in its permissive mode, which is
// the one under JMeter's JSON Extractor and JSON Assertion: single quotes, names
// and texts without quotes, superfluous commas, leading zeros and whatever follows
// the document are taken, and a text that is no JSON at all is a String. Of members
// with the same name the last one counts.
//
// The error has json-smart's words.
func ParseLenient(text []byte) (*Value, error) {
	if len(text) == 0 {
		return nil, ErrEmpty
	}
	p := &lenient{src: string(text)}
	v, err := p.value("")
	if err != nil {
		return nil, fmt.Errorf("net.minidev.json.parser.ParseException: %w", err)
	}
	return v, nil
}

// lenient is the state of ParseLenient. A stop is the set of characters that end a
// text without quotes; the end of the input always does.
type lenient struct {
	src   string
	at    int
	depth int
	arena
}

const (
	stopKey   = ":"
	stopValue = ",}"
	stopArray = ",]"
)

// peek returns the byte here; ok is false at the end.
func (p *lenient) peek() (c byte, ok bool) {
	if p.at < len(p.src) {
		return p.src[p.at], true
	}
	return 0, false
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func (p *lenient) skipSpace() {
	for p.at < len(p.src) && isSpace(p.src[p.at]) {
		p.at++
	}
}

// position counts as Java does, in UTF-16 units.
func (p *lenient) position(at int) int { return utf16Len(p.src[:min(at, len(p.src))]) }

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

func (p *lenient) unexpected(at int) error {
	r, _ := utf8.DecodeRuneInString(p.src[at:])
	return fmt.Errorf("Unexpected character (%c) at position %d.", r, p.position(at))
}

func (p *lenient) unexpectedToken(at int) error {
	r, _ := utf8.DecodeRuneInString(p.src[at:])
	return fmt.Errorf("Unexpected token %c at position %d.", r, p.position(at)-1)
}

func (p *lenient) unexpectedEnd(position int, what string) error {
	return fmt.Errorf("Unexpected End Of File position %d: %s", position, what)
}

func (p *lenient) value(stop string) (*Value, error) {
	p.skipSpace()
	c, ok := p.peek()
	if !ok {
		if stop == "" {
			return p.new(Value{kind: String}), nil
		}
		return nil, p.unexpectedEnd(p.position(p.at)-1, "EOF")
	}
	switch c {
	case ':', '}', ']':
		return nil, p.unexpected(p.at)
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"', '\'':
		s, err := p.quoted()
		if err != nil {
			return nil, err
		}
		return p.new(Value{kind: String, text: s}), nil
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return p.number(stop), nil
	}
	switch s := p.bare(p.at, stop); s {
	case "null":
		return null, nil
	case "true":
		return trueVal, nil
	case "false":
		return falseVal, nil
	case "NaN":
		return p.new(Value{kind: Double, text: s}), nil
	default:
		return p.new(Value{kind: String, text: s}), nil
	}
}

// bare reads on to a stop and returns what stands from start on, trimmed.
func (p *lenient) bare(start int, stop string) string {
	for p.at < len(p.src) && strings.IndexByte(stop, p.src[p.at]) < 0 {
		p.at++
	}
	return strings.TrimFunc(p.src[start:p.at], func(r rune) bool { return r <= ' ' })
}

func (p *lenient) object() (*Value, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.tooDeep('{')
	}
	p.at++
	mark := p.mark()
	for {
		p.skipSpace()
		c, ok := p.peek()
		switch {
		case ok && c == '}':
			p.at++
			p.depth--
			return p.closeObject(mark), nil
		case ok && c == ',':
			p.at++
			continue
		case ok && (c == ':' || c == ']' || c == '[' || c == '{'):
			return nil, p.unexpected(p.at)
		}
		key, err := p.key(c)
		if err != nil {
			return nil, err
		}
		item, err := p.value(stopValue)
		if err != nil {
			return nil, err
		}
		p.member(key, item)
		p.skipSpace()
		c, ok = p.peek()
		if !ok {
			return nil, p.unexpectedEnd(p.position(p.at)-1, "null")
		}
		if c != ',' && c != '}' {
			return nil, p.unexpectedToken(p.at)
		}
	}
}

// key reads a name and its colon.
func (p *lenient) key(first byte) (string, error) {
	var key string
	if first == '"' || first == '\'' {
		var err error
		if key, err = p.quoted(); err != nil {
			return "", err
		}
	} else {
		key = p.bare(p.at, stopKey)
	}
	p.skipSpace()
	c, ok := p.peek()
	switch {
	case !ok:
		return "", p.unexpectedEnd(p.position(p.at)-1, "null")
	case c != ':':
		r, _ := utf8.DecodeRuneInString(p.src[p.at:])
		return "", fmt.Errorf("Unexpected character (%c) at position %d.", r, p.position(p.at)-1)
	}
	p.at++
	if p.at >= len(p.src) {
		return "", p.unexpectedEnd(p.position(p.at)-1, "EOF")
	}
	return key, nil
}

func (p *lenient) array() (*Value, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.tooDeep('[')
	}
	p.at++
	mark := p.mark()
	for {
		p.skipSpace()
		c, ok := p.peek()
		switch {
		case !ok:
			return nil, p.unexpectedEnd(p.position(p.at)-1, "EOF")
		case c == ']':
			p.at++
			p.depth--
			return p.closeArray(mark), nil
		case c == ',':
			p.at++
			continue
		}
		item, err := p.value(stopArray)
		if err != nil {
			return nil, err
		}
		p.item(item)
	}
}

func (p *lenient) tooDeep(c byte) error {
	return fmt.Errorf("Malicious payload, having non natural depths, parsing stopped on %c at position %d.", c, p.position(p.at))
}

// number reads what begins like a number; what is none in the end is a text.
func (p *lenient) number(stop string) *Value {
	start := p.at
	p.at++
	p.skipDigits()
	float := false
	if c, _ := p.peek(); c == '.' {
		float = true
		p.at++
		p.skipDigits()
	}
	if c, _ := p.peek(); c == 'e' || c == 'E' {
		float = true
		p.at++
		c, _ = p.peek()
		if c != '+' && c != '-' && !isDigit(c) {
			return p.new(Value{kind: String, text: p.bare(start, stop)})
		}
		p.at++
		p.skipDigits()
	}
	end := p.at
	p.skipSpace()
	if c, ok := p.peek(); ok && c < 126 && strings.IndexByte(stop, c) < 0 {
		return p.new(Value{kind: String, text: p.bare(start, stop)})
	}
	text := p.src[start:end]
	if !float {
		return p.new(Value{kind: Integer, text: wholeNumber(text)})
	}
	if len(text) > exactFloat {
		return p.new(Value{kind: Decimal, text: text})
	}
	if isShortDouble(text) {
		return p.new(Value{kind: Double, text: text})
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil && !errors.Is(err, strconv.ErrRange) {
		return p.new(Value{kind: String, text: text})
	}
	return p.new(Value{kind: Double, text: text})
}

// exactFloat is the length up to which json-smart makes a fraction a Double.
const exactFloat = 18

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *lenient) skipDigits() {
	for p.at < len(p.src) && isDigit(p.src[p.at]) {
		p.at++
	}
}

// wholeNumber drops leading zeros and the sign of zero.
func wholeNumber(text string) string {
	digits := strings.TrimLeft(strings.TrimPrefix(text, "-"), "0")
	switch {
	case digits == "":
		return "0"
	case len(digits) == len(text):
		return text
	case text[0] == '-':
		return "-" + digits
	}
	return digits
}

// quoted reads a text in single or double quotes.
func (p *lenient) quoted() (string, error) {
	quote := p.src[p.at]
	end := strings.IndexByte(p.src[p.at+1:], quote)
	if end < 0 {
		return "", p.unexpectedEnd(p.position(len(p.src)), "null")
	}
	text := p.src[p.at+1 : p.at+1+end]
	if strings.IndexByte(text, '\\') < 0 {
		p.at += end + 2
		return text, nil
	}
	p.at++
	out := make([]byte, 0, 2*len(text))
	for p.at < len(p.src) {
		c := p.src[p.at]
		switch {
		case c == quote:
			p.at++
			return string(out), nil
		case c == '\\':
			p.at++
			var err error
			if out, err = p.escape(out); err != nil {
				return "", err
			}
			continue
		case c < ' ' || c == 127: // dropped, but only in a text with escapes
		default:
			out = append(out, c)
		}
		p.at++
	}
	return "", p.unexpectedEnd(p.position(p.at)-1, "null")
}

// escape appends what stands after a backslash; of an unknown one nothing is left.
func (p *lenient) escape(out []byte) ([]byte, error) {
	c, ok := p.peek()
	if !ok {
		return out, nil
	}
	p.at++
	switch c {
	case 't':
		out = append(out, '\t')
	case 'n':
		out = append(out, '\n')
	case 'r':
		out = append(out, '\r')
	case 'f':
		out = append(out, '\f')
	case 'b':
		out = append(out, '\b')
	case '\\', '\'', '"', '/':
		out = append(out, c)
	case 'x':
		r, err := p.hex(2)
		return utf8.AppendRune(out, r), err
	case 'u':
		r, err := p.hex(4)
		if err == nil && r >= 0xd800 && r < 0xdc00 && strings.HasPrefix(p.src[p.at:], `\u`) {
			at := p.at
			p.at += 2
			low, err := p.hex(4)
			if err == nil && low >= 0xdc00 && low < 0xe000 {
				return utf8.AppendRune(out, (r-0xd800)<<10+(low-0xdc00)+0x10000), nil
			}
			p.at = at
		}
		return utf8.AppendRune(out, r), err
	}
	return out, nil
}

func (p *lenient) hex(width int) (rune, error) {
	n := rune(0)
	for range width {
		c, ok := p.peek()
		if !ok {
			return 0, p.unexpectedEnd(p.position(p.at), "EOF")
		}
		d, err := strconv.ParseUint(string(rune(c)), 16, 8)
		if err != nil {
			r, _ := utf8.DecodeRuneInString(p.src[p.at:])
			return 0, fmt.Errorf("Unexpected unicode escape sequence %c at position %d.", r, p.position(p.at))
		}
		n = n<<4 + rune(d)
		p.at++
	}
	return n, nil
}
