package jtl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// appendDecoded1252 adds b, which is not UTF-8, as the text that it is in
// windows-1252: what programs of the West write who do not write UTF-8. No two
// texts become one, whatever they are really in: the five bytes that mean nothing
// there are the control characters of their numbers, as in browsers.
func appendDecoded1252(dst, b []byte) []byte {
	for _, c := range b {
		r := charmap.Windows1252.DecodeByte(c)
		if r == utf8.RuneError {
			r = rune(c)
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// decodeName is a name in a header as UTF-8.
func decodeName(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return string(appendDecoded1252(nil, b))
}

// decodeUTF16 gives a file that is in UTF-16, as some shells write what a program
// prints, in UTF-8; name is "" for any other.
func decodeUTF16(src *bufio.Reader) (_ *bufio.Reader, name string) {
	order, found := unicode.LittleEndian, true
	switch head, _ := src.Peek(16); {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), looksUTF16(head, 1):
	case bytes.HasPrefix(head, []byte("\xfe\xff")), looksUTF16(head, 0):
		order = unicode.BigEndian
	default:
		found = false
	}
	if !found {
		return src, ""
	}
	decoder := unicode.UTF16(order, unicode.UseBOM).NewDecoder()
	return bufio.NewReaderSize(decoder.Reader(src), headSize), "UTF-16"
}

// looksUTF16 tells whether b is ASCII in UTF-16 with the zeros at odd places, or
// at even ones.
func looksUTF16(b []byte, zeros int) bool {
	if len(b) < 8 {
		return false
	}
	for i, c := range b {
		if (c == 0) != (i%2 == zeros) || c >= 0x80 {
			return false
		}
	}
	return true
}

// packed are the forms of files that are not read, by what they begin with.
var packed = []struct{ magic, name, advice string }{
	{"\xfd7zXZ\x00", "xz", "unpack it with xz -dk, or pack it with gzip or zstd instead"},
	{"7z\xbc\xaf\x27\x1c", "7z", "unpack it with 7z x"},
	{"\x04\x22\x4d\x18", "lz4", "unpack it with lz4 -dk"},
}

// unreadable is an error for a file that is packed in a way that is not read.
func unreadable(head []byte) error {
	for _, p := range packed {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return fmt.Errorf("it is compressed with %s, which is not read: %s", p.name, p.advice)
		}
	}
	return nil
}

var errNotSeekable = errors.New("a zip archive is read from a file only")

// sizedReaderAt is src as what a zip archive is read from, with its size.
func sizedReaderAt(src io.Reader) (io.ReaderAt, int64, error) {
	at, ok := src.(io.ReaderAt)
	if !ok {
		return nil, 0, errNotSeekable
	}
	seeker, ok := src.(io.Seeker)
	if !ok {
		return nil, 0, errNotSeekable
	}
	size, err := seeker.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, 0, errNotSeekable
	}
	return at, size, nil
}
