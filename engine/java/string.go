package java

import (
	"strings"
	"unicode/utf8"
)

// Java text is counted in UTF-16 units: a character outside the basic plane counts twice. Text here
// is UTF-8, so positions are converted; a text without such characters costs nothing extra.

// Length is String.length.
func Length(s string) int { return utf16Len(s) }

// Substring is String.substring(begin, end). ok is false when the range lies outside the text. A
// range that cuts a surrogate pair keeps U+FFFD for the half.
func Substring(s string, begin, end int) (sub string, ok bool) {
	if begin < 0 || begin > end || end > utf16Len(s) {
		return "", false
	}
	return utf16Slice(s, begin, end), true
}

// CharAt is String.charAt: the UTF-16 unit at an index.
func CharAt(s string, i int) (unit uint16, ok bool) {
	if i < 0 {
		return 0, false
	}
	for _, r := range s {
		n := 1
		if r > 0xFFFF {
			n = 2
		}
		if i < n {
			switch {
			case n == 1:
				return uint16(r), true
			case i == 0:
				return uint16(0xD800 + (r-0x10000)>>10), true
			}
			return uint16(0xDC00 + (r-0x10000)&0x3FF), true
		}
		i -= n
	}
	return 0, false
}

// IndexOf is String.indexOf(text, from): an index in UTF-16 units, or -1.
func IndexOf(s, text string, from int) int {
	from = max(from, 0)
	at := byteOffset(s, min(from, utf16Len(s)))
	i := strings.Index(s[at:], text)
	if i < 0 {
		return -1
	}
	return utf16Len(s[:at+i])
}

// LastIndexOf is String.lastIndexOf(text, from): the last index not after from, or -1.
func LastIndexOf(s, text string, from int) int {
	if from < 0 {
		return -1
	}
	end := byteOffset(s, min(from, utf16Len(s))) + len(text)
	i := strings.LastIndex(s[:min(end, len(s))], text)
	if i < 0 {
		return -1
	}
	return utf16Len(s[:i])
}

func utf16Len(s string) int {
	n := len(s)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c&0xC0 == 0x80: // a byte that continues a character
			n--
		case c >= 0xF0: // outside the basic plane
			n++
		}
	}
	return n
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// byteOffset finds the byte at which UTF-16 unit i begins.
func byteOffset(s string, i int) int {
	for at, r := range s {
		if i <= 0 {
			return at
		}
		if r > 0xFFFF {
			i--
		}
		i--
	}
	return len(s)
}

func utf16Slice(s string, begin, end int) string {
	if isASCII(s) {
		return s[begin:end]
	}
	var b strings.Builder
	at := 0
	for _, r := range s {
		n := 1
		if r > 0xFFFF {
			n = 2
		}
		switch {
		case at >= begin && at+n <= end:
			b.WriteRune(r)
		case at < end && at+n > begin: // half of a pair
			b.WriteRune(utf8.RuneError)
		}
		at += n
	}
	return b.String()
}

// HashCode is String.hashCode.
func HashCode(s string) int32 {
	var h int32
	for _, r := range s {
		if r > 0xFFFF {
			h = h*31 + int32(0xD800+(r-0x10000)>>10)
			h = h*31 + int32(0xDC00+(r-0x10000)&0x3FF)
			continue
		}
		h = h*31 + r
	}
	return h
}

// Compare is String.compareTo: the difference of the first units that differ, else of the lengths.
func Compare(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	for i > 0 && i < len(a) && a[i]&0xC0 == 0x80 || i > 0 && i < len(b) && b[i]&0xC0 == 0x80 {
		i-- // back to the start of the character
	}
	if i >= len(a) || i >= len(b) {
		return utf16Len(a) - utf16Len(b)
	}
	k := 0
	for {
		x, okA := CharAt(a[i:], k)
		y, okB := CharAt(b[i:], k)
		if !okA || !okB {
			return utf16Len(a) - utf16Len(b)
		}
		if x != y {
			return int(x) - int(y)
		}
		k++
	}
}

// Trim is String.trim: it takes away everything up to the blank (U+0020), control characters too.
func Trim(s string) string {
	i, j := 0, len(s)
	for i < j && s[i] <= ' ' {
		i++
	}
	for j > i && s[j-1] <= ' ' {
		j--
	}
	return s[i:j]
}

// upperSpecial holds the characters whose upper case is more than one character.
var upperSpecial = strings.NewReplacer(
	"ß", "SS", "ŉ", "ʼN", "ǰ", "J̌", "ΐ", "Ϊ́", "ΰ", "Ϋ́", "և", "ԵՒ", "ẖ", "H̱", "ẗ", "T̈", "ẘ", "W̊",
	"ẙ", "Y̊", "ẚ", "Aʾ", "ﬀ", "FF", "ﬁ", "FI", "ﬂ", "FL", "ﬃ", "FFI", "ﬄ", "FFL", "ﬅ", "ST", "ﬆ", "ST",
)

// ToUpper is String.toUpperCase of a locale without rules of its own: ß becomes SS.
func ToUpper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return strings.ToUpper(upperSpecial.Replace(s))
}

// ToLower is String.toLowerCase of a locale without rules of its own: İ becomes i with a dot above,
// and a capital sigma at the end of a word becomes ς.
func ToLower(s string) string {
	if isASCII(s) || !strings.ContainsAny(s, "İΣ") {
		return strings.ToLower(s)
	}
	var b strings.Builder
	rs := []rune(s)
	for i, r := range rs {
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && i > 0 && isCased(rs[i-1]) && (i+1 == len(rs) || !isCased(rs[i+1])):
			b.WriteRune('ς')
		default:
			b.WriteString(strings.ToLower(string(r)))
		}
	}
	return b.String()
}

func isCased(r rune) bool {
	return strings.ToUpper(string(r)) != string(r) || strings.ToLower(string(r)) != string(r)
}
