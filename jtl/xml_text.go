package jtl

import (
	"bytes"
	"unicode/utf8"
)

func isXMLSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// xmlAttributes yields the attributes of a tag, values as they stand. What can be no
// attribute is the last one then, without a key.
func xmlAttributes(b []byte) func(yield func(key, value []byte) bool) {
	return func(yield func(key, value []byte) bool) {
		for i := 0; ; {
			for i < len(b) && isXMLSpace(b[i]) {
				i++
			}
			if i == len(b) {
				return
			}
			from := i
			for i < len(b) && b[i] != '=' && b[i] != '"' && b[i] != '\'' && b[i] != '<' {
				i++
			}
			key := b[from:i]
			for len(key) > 0 && isXMLSpace(key[len(key)-1]) {
				key = key[:len(key)-1]
			}
			if len(key) == 0 || i == len(b) || b[i] != '=' {
				yield(nil, b[from:])
				return
			}
			i++
			for i < len(b) && isXMLSpace(b[i]) {
				i++
			}
			n := -1
			if i < len(b) && (b[i] == '"' || b[i] == '\'') {
				n = bytes.IndexByte(b[i+1:], b[i])
			}
			if n < 0 {
				yield(nil, b[from:])
				return
			}
			if !yield(key, b[i+1:i+1+n]) {
				return
			}
			if i += n + 2; i < len(b) && !isXMLSpace(b[i]) {
				yield(nil, b[i:])
				return
			}
		}
	}
}

// trimLeftXML is b without space before it. (bytes.TrimLeft makes a set of its cutset
// each time.)
func trimLeftXML(b []byte) []byte {
	for len(b) > 0 && isXMLSpace(b[0]) {
		b = b[1:]
	}
	return b
}

// trimRightXML is b without space behind it.
func trimRightXML(b []byte) []byte {
	for len(b) > 0 && isXMLSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// isXMLName tells whether the name of an attribute is one, as far as ASCII goes.
func isXMLName(name []byte) bool {
	for _, c := range name {
		if c < 0x80 && !isWord(c) && c != '-' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

// appendUnescaped adds text with its references resolved, also to characters that
// XML forbids. What is no reference stays.
func appendUnescaped(dst, b []byte) []byte {
	for {
		i := bytes.IndexByte(b, '&')
		if i < 0 {
			return append(dst, b...)
		}
		dst = append(dst, b[:i]...)
		b = b[i:]
		end := bytes.IndexByte(b[:min(len(b), 12)], ';')
		if end < 0 {
			dst = append(dst, '&')
			b = b[1:]
			continue
		}
		r, ok := xmlReference(b[1:end])
		if !ok {
			dst = append(dst, b[:end+1]...)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		b = b[end+1:]
	}
}

// xmlReference is the character of the reference &name;.
func xmlReference(name []byte) (rune, bool) {
	switch string(name) {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	if len(name) < 2 || name[0] != '#' {
		return 0, false
	}
	digits, base := name[1:], rune(10)
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	var r rune
	for _, c := range digits {
		var v rune
		switch {
		case c >= '0' && c <= '9':
			v = rune(c - '0')
		case base == 16 && c >= 'a' && c <= 'f':
			v = rune(c-'a') + 10
		case base == 16 && c >= 'A' && c <= 'F':
			v = rune(c-'A') + 10
		default:
			return 0, false
		}
		if r = r*base + v; r > utf8.MaxRune {
			return 0, false
		}
	}
	return r, len(digits) > 0
}
