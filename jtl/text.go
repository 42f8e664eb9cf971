package jtl

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// Text is the response as UTF-8 text, by the charset that the response names,
// UTF-8 where it names none or one that is not known. It shares the memory of
// Body where nothing had to be changed.
func (s *Sample) Text() []byte {
	if len(s.Body) == 0 {
		return nil
	}
	if s.Encoding != "" && !strings.EqualFold(s.Encoding, "utf-8") {
		if e := charset(s.Encoding); e != nil {
			if out, err := e.NewDecoder().Bytes(s.Body); err == nil {
				return out
			}
		}
	}
	if utf8.Valid(s.Body) {
		return s.Body
	}
	return []byte(strings.ToValidUTF8(string(s.Body), "\uFFFD"))
}

var charsets sync.Map // name -> encoding.Encoding or nil

// charset finds the encoding of a name as servers write it, nil for none.
func charset(name string) encoding.Encoding {
	if e, ok := charsets.Load(name); ok {
		e, _ := e.(encoding.Encoding)
		return e
	}
	var found encoding.Encoding
	switch strings.ToLower(name) {
	case "utf-16": // Java heeds the byte order mark and takes big endian without
		found = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	default:
		if e, err := htmlindex.Get(strings.ToLower(name)); err == nil {
			found = e
		}
	}
	charsets.Store(name, found)
	return found
}
