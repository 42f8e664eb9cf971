package charset

import (
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// iso8859 are the parts of that standard that Java has, but the first.
var iso8859 = map[string]*charmap.Charmap{
	"2": charmap.ISO8859_2, "3": charmap.ISO8859_3, "4": charmap.ISO8859_4, "5": charmap.ISO8859_5, "6": charmap.ISO8859_6,
	"7": charmap.ISO8859_7, "8": charmap.ISO8859_8, "9": charmap.ISO8859_9, "13": charmap.ISO8859_13, "15": charmap.ISO8859_15,
	"16": charmap.ISO8859_16,
}

// withControls is a charset of ISO 8859 with the control characters 0x80 to 0x9F,
// which Java takes as they are.
type withControls struct{ *charmap.Charmap }

func isControl(r rune) bool { return r >= 0x80 && r < 0xA0 }

func (c withControls) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: plain{decode: func(b byte) rune {
		if r := rune(b); isControl(r) {
			return r
		}
		return c.DecodeByte(b)
	}}}
}

func (c withControls) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: controlEncoder{c.Charmap.NewEncoder()}}
}

// controlEncoder encodes those control characters itself.
type controlEncoder struct{ *encoding.Encoder }

func (e controlEncoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if r, n := utf8.DecodeRune(src[nSrc:]); isControl(r) {
			if nDst == len(dst) {
				return nDst, nSrc, transform.ErrShortDst
			}
			dst[nDst] = byte(r)
			nDst, nSrc = nDst+1, nSrc+n
			continue
		}
		end := nSrc
		for end < len(src) {
			r, n := utf8.DecodeRune(src[end:])
			if isControl(r) {
				break
			}
			end += n
		}
		d, s, err := e.Encoder.Transform(dst[nDst:], src[nSrc:end], atEOF && end == len(src))
		nDst, nSrc = nDst+d, nSrc+s
		if err != nil {
			return nDst, nSrc, err
		}
	}
	return nDst, nSrc, nil
}
