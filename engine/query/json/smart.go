package json

import (
	"slices"
	"unicode/utf8"
)

// AppendText appends v as the JSON Extractor stores it in a variable: a text bare,
// an object in compact JSON with its own members, not those further in, in the
// order of Java's HashMap.
func (v *Value) AppendText(dst []byte) []byte { return v.appendText(dst, asJava) }

// AppendWritten is AppendText with decimal numbers as the document writes them.
func (v *Value) AppendWritten(dst []byte) []byte { return v.appendText(dst, asWritten) }

func (v *Value) appendText(dst []byte, n numerals) []byte {
	switch v.kind {
	case Null:
		return append(dst, "null"...)
	case Array:
		return v.appendJSON(dst, n)
	case Object:
		return v.appendMembers(dst, hashOrder(v.keys), n)
	}
	return append(dst, v.numeral(n)...)
}

// numerals says how decimal numbers are printed.
type numerals bool

const (
	asJava    numerals = false
	asWritten numerals = true
)

// numeral is the text of a scalar.
func (v *Value) numeral(n numerals) string {
	if n == asWritten {
		return v.text
	}
	return v.javaText()
}

// Text is AppendText as a string.
func (v *Value) Text() string {
	if v.kind == Object || v.kind == Array || v.kind == Null {
		return string(v.AppendText(nil))
	}
	return v.javaText()
}

// Written is AppendWritten as a string.
func (v *Value) Written() string { return string(v.AppendWritten(nil)) }

// AssertionText is Text as the JSON Assertion compares and shows it, which differs
// for a Double: see FormatPlain.
func (v *Value) AssertionText() string {
	if v.kind == Double {
		return v.FormatPlain()
	}
	return v.Text()
}

// AppendJSON appends v as json-smart writes it: no spaces, members in order, and
// the slash escaped.
func (v *Value) AppendJSON(dst []byte) []byte { return v.appendJSON(dst, asJava) }

func (v *Value) appendJSON(dst []byte, n numerals) []byte {
	switch v.kind {
	case Null:
		return append(dst, "null"...)
	case String:
		return appendQuoted(dst, v.text)
	case Double:
		if !v.isFinite() {
			if v.text == "NaN" {
				break
			}
			return append(dst, "null"...)
		}
	case Array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.appendJSON(dst, n)
		}
		return append(dst, ']')
	case Object:
		return v.appendMembers(dst, nil, n)
	}
	return append(dst, v.numeral(n)...)
}

// appendMembers appends an object with its members in an order; nil is their own.
func (v *Value) appendMembers(dst []byte, order []int, n numerals) []byte {
	dst = append(dst, '{')
	for i := range v.keys {
		at := i
		if order != nil {
			at = order[i]
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendQuoted(dst, v.keys[at])
		dst = append(dst, ':')
		dst = v.items[at].appendJSON(dst, n)
	}
	return append(dst, '}')
}

const upperHex = "0123456789ABCDEF"

func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		if escape := escapes(r); escape != 0 {
			dst = append(dst, s[start:i]...)
			dst = append(dst, '\\', escape)
			if escape == 'u' {
				dst = append(dst, upperHex[r>>12&15], upperHex[r>>8&15], upperHex[r>>4&15], upperHex[r&15])
			}
			start = i + n
		}
		i += n
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// escapes returns the letter json-smart escapes a character with, or 0.
func escapes(r rune) byte {
	switch r {
	case '"', '\\', '/':
		return byte(r)
	case '\b':
		return 'b'
	case '\f':
		return 'f'
	case '\n':
		return 'n'
	case '\r':
		return 'r'
	case '\t':
		return 't'
	}
	if r < ' ' || r >= 0x7f && r <= 0x9f || r >= 0x2000 && r <= 0x20ff {
		return 'u'
	}
	return 0
}

// hashOrder returns the order in which a Java HashMap that was made of a map with
// these keys lists them. (Buckets that Java turns into trees, eight keys that
// collide, are not modelled.)
func hashOrder(keys []string) []int {
	size := 1
	for float32(size) < float32(int(float32(len(keys))/0.75+1)) {
		size <<= 1
	}
	bucket := make([]uint32, len(keys))
	order := make([]int, len(keys))
	for i, k := range keys {
		h := javaHash(k)
		bucket[i] = (h ^ h>>16) & uint32(size-1)
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(bucket[a]) - int(bucket[b]) })
	return order
}

// javaHash is String.hashCode, over UTF-16 units.
func javaHash(s string) uint32 {
	h := uint32(0)
	for _, r := range s {
		if r > 0xffff {
			r -= 0x10000
			h = 31*h + uint32(0xd800+r>>10)
			r = 0xdc00 + r&0x3ff
		}
		h = 31*h + uint32(r)
	}
	return h
}
