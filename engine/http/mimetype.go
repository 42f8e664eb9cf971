package http

import (
	"strings"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
)

// partType is the Content-Type of an argument's part of a multipart body and the
// charset it is written in: that of the request, unless the type has parameters
// (HttpCore's ContentType).
func partType(kind string, charset *java.Charset) (string, *java.Charset, error) {
	if strings.Contains(kind, ";") {
		kind, own, err := parseMIME(kind)
		if own == nil {
			own = asciiCharset
		}
		return kind, own, err
	}
	switch {
	case isBlank(kind):
		return "", nil, &wire.Error{Class: classArgument, Message: "MIME type may not be blank"}
	case strings.ContainsAny(kind, `",`):
		return "", nil, &wire.Error{Class: classArgument, Message: "MIME type may not contain reserved characters"}
	}
	return strings.ToLower(kind) + "; charset=" + charset.Name(), charset, nil
}

var asciiCharset = charsetOf("US-ASCII")

// parseMIME is HttpCore's ContentType.parse: a type in its own spelling, and the
// charset it names, nil for none.
func parseMIME(kind string) (string, *java.Charset, error) {
	all := elements(kind)
	if len(all) == 0 {
		return "", nil, &wire.Error{Class: "org.apache.http.ParseException", Message: "Invalid content type: " + kind}
	}
	b := []byte(all[0][0].name)
	var charset *java.Charset
	named := false
	for _, p := range all[0][1:] {
		b = p.appendTo(append(b, "; "...))
		if !named && strings.EqualFold(p.name, "charset") {
			named = true
			if isBlank(p.value) {
				continue
			}
			if charset = charsetOf(p.value); charset == nil {
				return "", nil, badCharset(p.value)
			}
		}
	}
	return string(b), charset, nil
}

// appendTo appends a parameter, in quotes where it needs them (HttpCore's
// BasicHeaderValueFormatter).
func (p pair) appendTo(dst []byte) []byte {
	dst = append(dst, p.name...)
	if !p.hasValue {
		return dst
	}
	dst = append(dst, '=')
	if !strings.ContainsAny(p.value, " ;,:@()<>\\\"/[]?={}\t") {
		return append(dst, p.value...)
	}
	return append(append(append(dst, '"'), quoter.Replace(p.value)...), '"')
}

// isBlank says that s is nothing but what Java takes for white space.
func isBlank(s string) bool { return strings.Trim(s, javaSpace) == "" }

const javaSpace = " \t\n\v\f\r\x1c\x1d\x1e\x1f"
