package jtl

import (
	"strings"

	"github.com/gojm/gojm/jtl/charset"
)

// Text is the response as UTF-8 text, by the charset that the response names,
// UTF-8 where it names none or one that is not known. It shares the memory of
// Body where nothing had to be changed.
func (s *Sample) Text() []byte {
	if len(s.Body) == 0 {
		return nil
	}
	return decoded(s.Body, s.Encoding)
}

// decoded is a body in UTF-8. It shares the memory of body where it is that
// already.
func decoded(body []byte, name string) []byte {
	if c := otherCharset(name); c != nil {
		return []byte(c.Decode(body))
	}
	return charset.ValidUTF8(body)
}

// otherCharset is a charset by its name, nil for UTF-8, none, and unknown ones.
func otherCharset(name string) *charset.Charset {
	if name == "" || strings.EqualFold(name, "utf-8") {
		return nil
	}
	if c, ok := charset.Lookup(name); ok && c != charset.UTF8 {
		return c
	}
	return nil
}
