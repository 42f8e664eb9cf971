package charset

import (
	"io"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// NewReader decodes to UTF-8 what it reads from r, as java.io.InputStreamReader
// does: what is no code becomes U+FFFD. A byte order mark of UTF-8 stays.
func (c *Charset) NewReader(r io.Reader) io.Reader {
	switch {
	case c == UTF8:
		return transform.NewReader(r, utf8Decoder{})
	case c.max > 0:
		return transform.NewReader(r, plain{c.decodeByte})
	}
	return transform.NewReader(r, c.enc.NewDecoder())
}

// decodeByte is a byte in a charset whose codes are Unicode's up to max.
func (c *Charset) decodeByte(b byte) rune {
	if r := rune(b); r <= c.max {
		return r
	}
	return utf8.RuneError
}

// plain decodes charsets whose characters are a byte each.
type plain struct{ decode func(byte) rune }

func (plain) Reset() {}

func (p plain) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], p.decode(src[nSrc]))
		nSrc++
	}
	return nDst, nSrc, nil
}
