// Package charset is what java.nio.charset knows of names and bytes.
package charset

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// Charset turns text into bytes and back as java.nio.charset.Charset does; a character without a
// code becomes '?'. It is safe for concurrent use.
type Charset struct {
	name string
	enc  encoding.Encoding // nil for UTF-8 and plain ranges
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
	"utf-32": {name: "UTF-32", enc: utf32.UTF32(utf32.BigEndian, utf32.UseBOM)}, "utf_32": {name: "UTF-32", enc: utf32.UTF32(utf32.BigEndian, utf32.UseBOM)},
	"utf-32be": {name: "UTF-32BE", enc: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM)},
	"utf-32le": {name: "UTF-32LE", enc: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	"cp858":    {name: "IBM00858", enc: charmap.CodePage858}, "cp1047": {name: "IBM1047", enc: charmap.CodePage1047},
}

var latin1 = &Charset{name: "ISO-8859-1", max: 0xFF}

// Lookup finds a charset by a name that Charset.forName takes, in any case: IANA names and Java's
// own such as Cp1252, ISO8859_15, EUC_JP, MS932.
func Lookup(name string) (*Charset, bool) {
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
	if !isName(n) {
		return nil, false
	}
	if part, ok := strings.CutPrefix(alias, "iso-8859-"); ok && iso8859[part] != nil {
		return &Charset{name: "ISO-8859-" + part, enc: withControls{iso8859[part]}}, true
	}
	e, err := htmlindex.Get(alias)
	if err != nil {
		return byIANA(name)
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

// isName says whether Java takes n, in lower case, for the name of a charset; other
// readers pass over blanks around one.
func isName(n string) bool {
	return !strings.ContainsFunc(n, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("-+.:_", r)
	})
}

// byIANA finds a charset that the web does not know.
func byIANA(name string) (*Charset, bool) {
	e, err := ianaindex.IANA.Encoding(name)
	if err != nil || e == nil {
		return nil, false
	}
	canonical, err := ianaindex.IANA.Name(e)
	return &Charset{name: canonical, enc: e}, err == nil
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
	if c == UTF8 {
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
		return string(ValidUTF8(b))
	}
	if c.max > 0 {
		var s strings.Builder
		for _, x := range b {
			s.WriteRune(c.decodeByte(x))
		}
		return s.String()
	}
	out, err := c.enc.NewDecoder().Bytes(b)
	if err != nil {
		return string(ValidUTF8(b))
	}
	return string(out)
}
