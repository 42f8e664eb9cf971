package charset

import (
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// ValidUTF8 is b as Java decodes it, with U+FFFD for each malformed sequence. It
// shares the memory of b where nothing had to be changed.
func ValidUTF8(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			n = malformed(b)
		}
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return out
}

// malformed is the length of the malformed sequence that b begins with, by Java's
// rules: as far as it could have been right, and a surrogate as a whole.
func malformed(b []byte) int {
	continues := func(i int) bool { return i < len(b) && b[i]&0xC0 == 0x80 }
	switch c := b[0]; {
	case c < 0xE0:
	case c < 0xF0:
		switch {
		case !continues(1), c == 0xE0 && b[1] < 0xA0:
		case c == 0xED && b[1] >= 0xA0 && continues(2):
			return 3
		default:
			return 2
		}
	case c < 0xF5:
		switch {
		case !continues(1), c == 0xF0 && b[1] < 0x90, c == 0xF4 && b[1] >= 0x90:
		case !continues(2):
			return 2
		default:
			return 3
		}
	}
	return 1
}

// utf8Decoder is ValidUTF8 for a stream.
type utf8Decoder struct{ transform.NopResetter }

func (utf8Decoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		r, n := utf8.DecodeRune(src[nSrc:])
		if r == utf8.RuneError && n == 1 {
			if !atEOF && len(src)-nSrc < utf8.UTFMax {
				return nDst, nSrc, transform.ErrShortSrc
			}
			n = malformed(src[nSrc:])
		}
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += n
	}
	return nDst, nSrc, nil
}
