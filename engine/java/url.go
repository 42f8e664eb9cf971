package java

import (
	"strings"
	"unicode/utf8"
)

// formSafe are the bytes that form encoding leaves alone.
func formSafe(c byte) bool {
	return isLetter(c) || isDigit(c) || c == '.' || c == '-' || c == '*' || c == '_'
}

const upperHex = "0123456789ABCDEF"

// URLEncode is java.net.URLEncoder.encode: form encoding, a blank becomes '+'. Letters, digits and
// ".-*_" stay, whatever the charset. Runs of other characters are encoded together, so that UTF-16
// begins each run with a byte order mark, as in Java.
func URLEncode(s string, c *Charset) string { return string(AppendURLEncoded(nil, s, c)) }

// AppendURLEncoded appends URLEncode(s, c).
func AppendURLEncoded(dst []byte, s string, c *Charset) []byte {
	for i := 0; i < len(s); {
		switch b := s[i]; {
		case formSafe(b):
			dst = append(dst, b)
			i++
		case b == ' ':
			dst = append(dst, '+')
			i++
		default:
			j := i
			for j < len(s) && !formSafe(s[j]) && s[j] != ' ' {
				j++
			}
			if c == UTF8 && utf8.ValidString(s[i:j]) {
				for ; i < j; i++ {
					dst = append(dst, '%', upperHex[s[i]>>4], upperHex[s[i]&15])
				}
				continue
			}
			for _, b := range c.Encode(s[i:j]) {
				dst = append(dst, '%', upperHex[b>>4], upperHex[b&15])
			}
			i = j
		}
	}
	return dst
}

// URLDecode is java.net.URLDecoder.decode.
func URLDecode(s string, c *Charset) (string, error) {
	if !strings.ContainsAny(s, "+%") {
		return s, nil
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		switch s[i] {
		case '+':
			out.WriteByte(' ')
			i++
		case '%':
			var run []byte
			for i < len(s) && s[i] == '%' {
				if i+2 >= len(s) {
					return "", throw("java.lang.IllegalArgumentException", "URLDecoder: Incomplete trailing escape (%%) pattern")
				}
				hi, lo := hexValue(s[i+1]), hexValue(s[i+2])
				if s[i+1] == '+' { // Java reads the two characters as a number with a sign
					hi = 0
				}
				if hi < 0 || lo < 0 {
					return "", badEscape(s[i+1 : i+3])
				}
				run = append(run, byte(hi<<4|lo))
				i += 3
			}
			out.WriteString(c.Decode(run))
		default:
			out.WriteByte(s[i])
			i++
		}
	}
	return out.String(), nil
}

// badEscape words the error as Java's number parser does for the two characters after a %.
func badEscape(two string) *Error {
	const what = "URLDecoder: Illegal hex characters in escape (%%) pattern - "
	if two[0] == '-' && hexValue(two[1]) > 0 {
		return throw("java.lang.IllegalArgumentException", what+"negative value")
	}
	at := 0
	if hexValue(two[0]) >= 0 || two[0] == '+' || two[0] == '-' {
		at = 1
	}
	return throw("java.lang.IllegalArgumentException", what+"Error at index %d in: \"%s\"", at, two)
}

func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
