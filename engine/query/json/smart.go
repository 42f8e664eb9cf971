package json

import (
	"slices"
	"unicode/utf8"
)

// AppendText appends v as the JSON Extractor stores it in a variable: a text bare,
// an object in compact JSON with its own members, not those further in, in the
// order of Java's HashMap.
func (v *Value) AppendText(dst []byte) []byte {
	switch v.kind {
	case Null:
		return append(dst, "null"...)
	case Array:
		return v.AppendJSON(dst)
	case Object:
		return v.appendMembers(dst, hashOrder(v.keys))
	}
	return append(dst, v.text...)
}

// Text is AppendText as a string.
func (v *Value) Text() string {
	if v.kind == Object || v.kind == Array || v.kind == Null {
		return string(v.AppendText(nil))
	}
	return v.text
}

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
func (v *Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case Null:
		return append(dst, "null"...)
	case String:
		return appendQuoted(dst, v.text)
	case Double:
		if v.text == "Infinity" || v.text == "-Infinity" {
			return append(dst, "null"...)
		}
	case Array:
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		return v.appendMembers(dst, nil)
	}
	return append(dst, v.text...)
}

// appendMembers appends an object with its members in an order; nil is their own.
func (v *Value) appendMembers(dst []byte, order []int) []byte {
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
		dst = v.items[at].AppendJSON(dst)
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
