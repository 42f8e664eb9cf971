package java

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// Charset turns text into bytes and back as java.nio.charset.Charset does; a character without a
// code becomes '?'. It is safe for concurrent use.
type Charset struct {
	name string
	enc  encoding.Encoding // nil for UTF-8 and ASCII
	max  rune              // highest rune of a charset that is a plain range, or 0
}

// UTF8 is the charset UTF-8.
var UTF8 = &Charset{name: "UTF-8"}

// javaNames are names that Java knows and the web's registry does not, or means otherwise: on the
// web ISO-8859-1 and ASCII are windows-1252, in Java they are what they say.
var javaNames = map[string]*Charset{
	"utf8": UTF8, "utf-8": UTF8, "unicode-1-1-utf-8": UTF8,
	"ascii": {name: "US-ASCII", max: 0x7F}, "us-ascii": {name: "US-ASCII", max: 0x7F}, "iso646-us": {name: "US-ASCII", max: 0x7F},
	"iso-8859-1": latin1, "iso8859_1": latin1, "iso8859-1": latin1, "latin1": latin1, "l1": latin1, "iso_8859-1": latin1, "8859_1": latin1, "cp819": latin1,
	"utf-16":   {name: "UTF-16", enc: unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
	"utf_16":   {name: "UTF-16", enc: unicode.UTF16(unicode.BigEndian, unicode.UseBOM)},
	"utf-16be": {name: "UTF-16BE", enc: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)},
	"utf-16le": {name: "UTF-16LE", enc: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)},
	"cp437":    {name: "IBM437", enc: charmap.CodePage437}, "ibm437": {name: "IBM437", enc: charmap.CodePage437},
	"cp850": {name: "IBM850", enc: charmap.CodePage850}, "ibm850": {name: "IBM850", enc: charmap.CodePage850},
	"cp852": {name: "IBM852", enc: charmap.CodePage852}, "ibm852": {name: "IBM852", enc: charmap.CodePage852},
	"cp858": {name: "IBM00858", enc: charmap.CodePage858}, "cp1047": {name: "IBM1047", enc: charmap.CodePage1047},
}

var latin1 = &Charset{name: "ISO-8859-1", max: 0xFF}

// LookupCharset finds a charset by a name that Charset.forName takes, in any case: IANA names and
// Java's own such as Cp1252, ISO8859_15, EUC_JP, MS932.
func LookupCharset(name string) (*Charset, bool) {
	n := strings.ToLower(name)
	if c := javaNames[n]; c != nil {
		return c, true
	}
	alias := n
	switch {
	case strings.HasPrefix(n, "cp125"):
		alias = "windows-" + n[2:]
	case strings.HasPrefix(n, "iso8859_"), strings.HasPrefix(n, "iso8859-"):
		alias = "iso-8859-" + n[len("iso8859_"):]
	case n == "euc_jp", n == "eucjp":
		alias = "euc-jp"
	case n == "euc_kr", n == "euckr":
		alias = "euc-kr"
	case n == "sjis", n == "shift-jis", n == "ms932", n == "windows-31j":
		alias = "shift_jis"
	case n == "koi8_r":
		alias = "koi8-r"
	case n == "cp936", n == "ms936", n == "euc_cn":
		alias = "gbk"
	case n == "cp950", n == "ms950":
		alias = "big5"
	case n == "cp866", n == "ibm866":
		alias = "ibm866"
	}
	e, err := htmlindex.Get(alias)
	if err != nil {
		return nil, false
	}
	canonical, _ := htmlindex.Name(e)
	if canonical == "replacement" || canonical == "x-user-defined" {
		return nil, false
	}
	if canonical == "windows-1252" && alias != "windows-1252" {
		return nil, false // a web label for Latin-1 that Java does not know
	}
	return &Charset{name: canonicalName(n, canonical), enc: e}, true
}

// canonicalName is Java's name of the charset that the web calls so; asked is by
// which name it was looked up, in lower case.
func canonicalName(asked, web string) string {
	switch asked {
	case "windows-31j", "ms932":
		return "windows-31j"
	case "gb2312", "euc_cn":
		return "GB2312"
	}
	switch web {
	case "shift_jis":
		return "Shift_JIS"
	case "big5":
		return "Big5"
	case "macintosh":
		return "x-MacRoman"
	case "x-mac-cyrillic":
		return "x-MacCyrillic"
	case "windows-874":
		return "x-windows-874"
	}
	if strings.HasPrefix(web, "windows-") {
		return web
	}
	return strings.ToUpper(web)
}

// Name is the charset's canonical name.
func (c *Charset) Name() string { return c.name }

// Encode is String.getBytes(charset).
func (c *Charset) Encode(s string) []byte {
	if s == "" {
		return nil // no mark of byte order either
	}
	if c == UTF8 || c.max > 0 && isASCII(s) {
		return []byte(strings.ToValidUTF8(s, "?"))
	}
	if c.max > 0 {
		b := make([]byte, 0, len(s))
		for _, r := range s {
			if r > c.max {
				r = '?'
			}
			b = append(b, byte(r))
		}
		return b
	}
	if b, err := c.enc.NewEncoder().Bytes([]byte(s)); err == nil {
		return b
	}
	var b []byte // at least one character has no code
	for _, r := range s {
		e, err := c.enc.NewEncoder().Bytes(utf8.AppendRune(nil, r))
		if err != nil {
			e = []byte{'?'}
		}
		b = append(b, e...)
	}
	return b
}

// Decode is new String(bytes, charset): what is no code becomes U+FFFD.
func (c *Charset) Decode(b []byte) string {
	if c == UTF8 {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	if c.max > 0 {
		var s strings.Builder
		for _, x := range b {
			r := rune(x)
			if r > c.max {
				r = utf8.RuneError
			}
			s.WriteRune(r)
		}
		return s.String()
	}
	out, err := c.enc.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(out)
}

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
