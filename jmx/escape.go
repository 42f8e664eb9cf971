package jmx

import (
	"io"
	"strings"
	"unicode/utf8"
)

// XML 1.0 cannot hold the control characters, U+FFFE and U+FFFF; JMeter's parser
// and writer do all the same, as references and raw. They pass etree in an
// escaped form: the last code point of Unicode, which is for private use,
// followed by one that says which character is meant. A real one is doubled, so
// no text can be mistaken for an escape.
const (
	mark    = '\U0010FFFD'
	refBase = '\U0010F000' // + low byte: written as a character reference
	rawBase = '\U0010F100' // + low byte: written as it is
)

const markLead = 0xF4 // first byte of mark and of both bases

// escaped is the escaped form of r.
func escaped(r, base rune) string {
	if r == mark {
		return string([]rune{mark, mark})
	}
	return string([]rune{mark, base + r&0xFF})
}

// unescaped is the character meant by the code point after a mark.
func unescaped(r rune) rune {
	switch low := r & 0xFF; {
	case r == mark:
		return mark
	case low >= 0xFE:
		return 0xFF00 | low
	default:
		return low
	}
}

// inXML reports whether an XML 1.0 document may hold r (XML 1.0, production 2).
func inXML(r rune) bool {
	switch {
	case r < 0x20:
		return r == '\t' || r == '\n' || r == '\r'
	case r == 0xFFFE, r == 0xFFFF, 0xD800 <= r && r < 0xE000:
		return false
	}
	return r <= utf8.MaxRune
}

// plain undoes the escapes in a text that came from etree.
func plain(s string) string {
	if strings.IndexByte(s, markLead) < 0 || !strings.ContainsRune(s, mark) {
		return s
	}
	var b strings.Builder
	after := false
	for _, r := range s {
		switch {
		case after:
			b.WriteRune(unescaped(r))
			after = false
		case r == mark:
			after = true
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainAttr is plain for an attribute value, in which white space that is not a
// reference counts as a space (XML 1.0, 3.3.3). The scanner escapes references.
func plainAttr(s string) string {
	if strings.ContainsAny(s, "\t\n\r") {
		s = strings.Map(func(r rune) rune {
			if r == '\t' || r == '\n' || r == '\r' {
				return ' '
			}
			return r
		}, s)
	}
	return plain(s)
}

// Where a text will stand in the document decides what must be a reference.
type place uint8

const (
	inText place = iota
	inAttr
	inComment // nothing can be a reference
)

// escape prepares a text for etree to write. The references are those that
// JMeter writes: for the control characters (Unicode's, so U+007F to U+009F too)
// but tab and line feed in text.
func escape(s string, at place) string {
	special := func(r rune) bool {
		switch {
		case r == mark:
			return true
		case at == inComment:
			return !inXML(r) || r == '\r'
		case r == '\t', r == '\n':
			return at == inAttr
		case r == '\r', 0x7F <= r && r < 0xA0:
			return true
		}
		return !inXML(r)
	}
	if strings.IndexFunc(s, special) < 0 {
		return s
	}
	base := refBase
	if at == inComment {
		base = rawBase
	}
	var b strings.Builder
	for _, r := range s {
		if special(r) {
			b.WriteString(escaped(r, base))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unescaper is what etree writes to: it turns the escapes into references or
// characters on their way to w.
type unescaper struct {
	w    io.Writer
	held []byte // the start of an escape that the next Write completes
	buf  []byte
}

func (u *unescaper) Write(p []byte) (int, error) {
	in := p
	if len(u.held) > 0 {
		in = append(u.held, p...)
		u.held = nil
	}
	u.buf = u.buf[:0]
	for i := 0; i < len(in); i++ {
		if in[i] != markLead {
			u.buf = append(u.buf, in[i])
			continue
		}
		if len(in)-i < 8 && !complete(in[i:]) {
			u.held = append([]byte(nil), in[i:]...)
			break
		}
		r, size := utf8.DecodeRune(in[i:])
		if r != mark {
			u.buf = append(u.buf, in[i:i+size]...)
			i += size - 1
			continue
		}
		meant, next := utf8.DecodeRune(in[i+size:])
		switch c := unescaped(meant); {
		case meant == mark, meant&^0xFF == rawBase:
			u.buf = utf8.AppendRune(u.buf, c)
		default:
			u.buf = append(u.buf, "&#x"...)
			u.buf = appendHex(u.buf, c)
			u.buf = append(u.buf, ';')
		}
		i += size + next - 1
	}
	if _, err := u.w.Write(u.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}

// complete reports whether b, which starts with markLead, holds all there is to
// know about its first character.
func complete(b []byte) bool {
	if !utf8.FullRune(b) {
		return false
	}
	r, size := utf8.DecodeRune(b)
	return r != mark || utf8.FullRune(b[size:])
}

func appendHex(b []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	for shift := 12; shift >= 0; shift -= 4 {
		if r>>shift != 0 || shift == 0 {
			b = append(b, digits[r>>shift&0xF])
		}
	}
	return b
}
