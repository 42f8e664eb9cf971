package java

import (
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// NewReader decodes to UTF-8 what it reads from r, as java.io.InputStreamReader
// does: what is no code becomes U+FFFD. A byte order mark of UTF-8 stays.
func (c *Charset) NewReader(r io.Reader) io.Reader {
	switch {
	case c == UTF8:
		return transform.NewReader(r, unicode.UTF8.NewDecoder())
	case c.max > 0:
		return transform.NewReader(r, plainRange{max: c.max})
	}
	return transform.NewReader(r, c.enc.NewDecoder())
}

// plainRange decodes charsets whose codes are Unicode's up to max.
type plainRange struct {
	transform.NopResetter
	max rune
}

func (p plainRange) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		r := rune(src[nSrc])
		if r > p.max {
			r = utf8.RuneError
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc++
	}
	return nDst, nSrc, nil
}
