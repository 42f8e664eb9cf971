// Package boundary finds the texts between a left and a right boundary, as JMeter's
// Boundary Extractor does.
package boundary

import (
	"bytes"
	"unicode"
)

// FindAll appends to dst the begin and end offsets of the texts between left and
// right in text, at most limit of them; a negative limit means all.
//
// After a match the search goes on right behind its left boundary, so that matches
// may overlap: " " and "3" in "a1 b22 c333" give "b22 c" and "c". Without a left
// boundary the one match reaches from the start to the first right one, without a
// right boundary from the first left one to the end, without both it is all of
// text. A text of nothing but white space has no match.
func FindAll(dst []int, text, left, right []byte, limit int) []int {
	if limit == 0 || isBlank(text) {
		return dst
	}
	switch {
	case len(left) == 0 && len(right) == 0:
		return append(dst, 0, len(text))
	case len(left) == 0:
		if end := bytes.Index(text, right); end >= 0 {
			dst = append(dst, 0, end)
		}
		return dst
	case len(right) == 0:
		if at := bytes.Index(text, left); at >= 0 {
			dst = append(dst, at+len(left), len(text))
		}
		return dst
	}
	begin, end := 0, -1
	for ; limit != 0; limit-- {
		at := bytes.Index(text[begin:], left)
		if at < 0 {
			return dst
		}
		begin += at + len(left)
		if end < begin { // a right boundary that still lies ahead is the next one
			if at = bytes.Index(text[begin:], right); at < 0 {
				return dst
			}
			end = begin + at
		}
		dst = append(dst, begin, end)
	}
	return dst
}

// Find returns the offsets of match n, counted from 1. Where a boundary is empty
// there is only one match, and it answers to every n, as in JMeter.
func Find(text, left, right []byte, n int) (begin, end int, ok bool) {
	if len(left) == 0 || len(right) == 0 {
		n = 1
	}
	var few [16]int
	m := FindAll(few[:0], text, left, right, max(n, 0))
	if n < 1 || len(m) < 2*n {
		return 0, 0, false
	}
	return m[2*n-2], m[2*n-1], true
}

// isBlank reports whether text is white space in Java's sense, or empty.
func isBlank(text []byte) bool {
	return len(bytes.TrimLeftFunc(text, isJavaWhitespace)) == 0
}

// isJavaWhitespace is Character.isWhitespace, to which a no-break space is none.
func isJavaWhitespace(r rune) bool {
	switch r {
	case 0xa0, 0x2007, 0x202f:
		return false
	case 0x1c, 0x1d, 0x1e, 0x1f, '\t', '\n', '\v', '\f', '\r':
		return true
	}
	return unicode.In(r, unicode.Z)
}
