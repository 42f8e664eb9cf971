package jmx

import (
	"bytes"
	"regexp"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

var declared = regexp.MustCompile(`^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([-A-Za-z0-9._:]+)["']`)

// utf8Text turns the bytes of a plan into UTF-8 without byte order mark.
//
// JMeter reads every plan as UTF-8 and ignores the declared encoding, so bytes
// that are UTF-8 are taken as such. Where JMeter would replace the others by
// U+FFFD, the declared encoding (or UTF-16 by its mark) is honoured first; what
// it leaves unknown is replaced.
func utf8Text(b []byte) []byte {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		b = b[3:]
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("<\x00")):
		return utf16Text(b, unicode.LittleEndian)
	case bytes.HasPrefix(b, []byte("\xfe\xff")), bytes.HasPrefix(b, []byte("\x00<")):
		return utf16Text(b, unicode.BigEndian)
	}
	if utf8.Valid(b) {
		return b
	}
	if m := declared.FindSubmatch(b[:min(len(b), 512)]); m != nil {
		if enc, err := htmlindex.Get(string(m[1])); err == nil && enc != unicode.UTF8 {
			if out, err := enc.NewDecoder().Bytes(b); err == nil {
				return out
			}
		}
	}
	return bytes.ToValidUTF8(b, []byte("\uFFFD"))
}

func utf16Text(b []byte, order unicode.Endianness) []byte {
	out, err := unicode.UTF16(order, unicode.UseBOM).NewDecoder().Bytes(b)
	if err != nil {
		return bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	return out
}
