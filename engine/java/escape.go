package java

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed entities.txt
var entitiesText string

// entities are the named characters of HTML 4: a line holds a name and a code in hexadecimal.
var entities = sync.OnceValue(func() (t struct {
	code map[string]rune
	name map[rune]string
}) {
	t.code, t.name = make(map[string]rune), make(map[rune]string)
	for line := range strings.Lines(entitiesText) {
		name, hex, _ := strings.Cut(strings.TrimSpace(line), " ")
		code, _ := strconv.ParseUint(hex, 16, 32)
		t.code[name], t.name[rune(code)] = rune(code), name
	}
	return t
})

// EscapeHTML is commons-text's escapeHtml4: named entities for all characters that HTML 4 names; the
// apostrophe stays.
func EscapeHTML(s string) string {
	names := entities().name
	var b strings.Builder
	for _, r := range s {
		if name, ok := names[r]; ok {
			b.WriteByte('&')
			b.WriteString(name)
			b.WriteByte(';')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// UnescapeHTML is commons-text's unescapeHtml4: the names of HTML 4 and numbers, each closed by a
// semicolon; anything else stays as it is, &apos; too. A number beyond Unicode is an error.
func UnescapeHTML(s string) (string, error) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String(), nil
		}
		b.WriteString(s[:i])
		s = s[i:]
		if r, n := entity(s); n > 0 {
			if r > utf8.MaxRune {
				return "", throw("java.lang.IllegalArgumentException", "Not a valid Unicode code point: 0x%X", r)
			}
			b.WriteRune(r)
			s = s[n:]
			continue
		}
		b.WriteByte('&')
		s = s[1:]
	}
}

// entity reads an entity at the start of s; n is 0 when there is none.
func entity(s string) (r rune, n int) {
	end := strings.IndexByte(s, ';')
	if end < 2 {
		return 0, 0
	}
	name := s[1:end]
	if name[0] != '#' {
		r, ok := entities().code[name]
		if !ok {
			return 0, 0
		}
		return r, end + 1
	}
	digits, base := name[1:], 10
	if strings.HasPrefix(digits, "x") || strings.HasPrefix(digits, "X") {
		digits, base = digits[1:], 16
	}
	v, err := strconv.ParseUint(digits, base, 31)
	if err != nil {
		return 0, 0
	}
	return rune(v), end + 1
}

// EscapeXML is commons-text's escapeXml10: the five entities of XML; characters that XML 1.0 forbids
// vanish, and the control characters from U+007F on become numbers, except U+0085.
func EscapeXML(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\'':
			b.WriteString("&apos;")
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0xFFFE, r == 0xFFFF:
		case r >= 0x7F && r <= 0x9F && r != 0x85:
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// UnescapeJava is commons-text's unescapeJava: octal escapes, \u with any number of u and +, control
// escapes, and for any other character after a backslash that character. An incomplete \u is an error.
func UnescapeJava(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var units []uint16 // the halves of a surrogate pair come one by one
	var b strings.Builder
	flush := func() {
		b.WriteString(decodeUnits(units))
		units = units[:0]
	}
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			flush()
			b.WriteByte(s[i])
			i++
			continue
		}
		if n := octal(s[i+1:]); n > 0 {
			v, _ := strconv.ParseUint(s[i+1:i+1+n], 8, 16)
			units = append(units, uint16(v))
			i += 1 + n
			continue
		}
		i++
		if i == len(s) {
			break // a backslash at the end vanishes
		}
		switch c := s[i]; c {
		case 'u':
			for i < len(s) && s[i] == 'u' {
				i++
			}
			if i < len(s) && s[i] == '+' {
				i++
			}
			if i+4 > len(s) {
				return "", throw("java.lang.IllegalArgumentException",
					"Less than 4 hex digits in unicode value: '%s' due to end of CharSequence", s[strings.LastIndexByte(s[:i], '\\'):])
			}
			v, err := strconv.ParseUint(s[i:i+4], 16, 16)
			if err != nil {
				return "", throw("java.lang.IllegalArgumentException", "Unable to parse unicode value: %s", s[i:i+4])
			}
			units = append(units, uint16(v))
			i += 4
			continue
		case 'b', 't', 'n', 'f', 'r':
			flush()
			b.WriteByte(map[byte]byte{'b': '\b', 't': '\t', 'n': '\n', 'f': '\f', 'r': '\r'}[c])
		default:
			flush()
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n])
			i += n
			continue
		}
		i++
	}
	flush()
	return b.String(), nil
}

// octal counts the octal digits at the start of s: up to three, if the first is at most 3.
func octal(s string) int {
	most := 2
	if s != "" && s[0] <= '3' {
		most = 3
	}
	n := 0
	for n < len(s) && n < most && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	return n
}

// decodeUnits joins UTF-16 units; a half without its other half becomes U+FFFD.
func decodeUnits(u []uint16) string {
	var b strings.Builder
	for i := 0; i < len(u); i++ {
		r := rune(u[i])
		if r >= 0xD800 && r < 0xDC00 && i+1 < len(u) && u[i+1] >= 0xDC00 && u[i+1] < 0xE000 {
			r = 0x10000 + (r-0xD800)<<10 + rune(u[i+1]) - 0xDC00
			i++
		}
		b.WriteRune(r)
	}
	return b.String()
}

// FromUnits makes text of UTF-16 units, as new String(char[]) does.
func FromUnits(u []uint16) string { return decodeUnits(u) }
