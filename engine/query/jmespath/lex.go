package jmespath

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/query/json"
)

type tokenKind uint8

const (
	end       tokenKind = iota
	name                // an identifier; text
	number              // an index; text
	literal             // value
	punctuate           // text
)

type lexeme struct {
	kind  tokenKind
	text  string
	value *json.Value
	at    int
}

func (l lexeme) is(text string) bool { return l.kind == punctuate && l.text == text }

func (l lexeme) String() string {
	if l.kind == end {
		return "<EOF>"
	}
	return l.text
}

// A ParseError is an expression that the grammar does not allow.
type ParseError struct {
	Expression string
	Detail     string
	At         int // UTF-16 units from the start
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("Unable to compile expression \"%s\": %s at position %d", e.Expression, e.Detail, e.At)
}

func parseError(expression string, at int, format string, args ...any) error {
	at = min(at, len(expression))
	return &ParseError{expression, fmt.Sprintf(format, args...), len(utf16.Encode([]rune(expression[:at])))}
}

// two-character signs stand before their beginnings.
var signs = []string{"[?", "||", "&&", "==", "!=", "<=", ">=", "[", "]", "{", "}", "(", ")", ".", "*", ",", ":", "|", "&", "<", ">", "!", "@"}

func lex(src string) ([]lexeme, error) {
	var out []lexeme
	for at := 0; at < len(src); {
		c := src[at]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			at++
			continue
		}
		l, n, err := next(src, at)
		if err != nil {
			return nil, err
		}
		l.at = at
		out = append(out, l)
		at += n
	}
	return append(out, lexeme{at: len(src)}), nil
}

// next reads one lexeme and returns how long it is.
func next(src string, at int) (lexeme, int, error) {
	c := src[at]
	switch {
	case c == '"':
		return quoted(src, at)
	case c == '\'':
		return raw(src, at)
	case c == '`':
		return backquoted(src, at)
	case isNameStart(c):
		n := 1
		for at+n < len(src) && (isNameStart(src[at+n]) || isDigit(src[at+n])) {
			n++
		}
		return lexeme{kind: name, text: src[at : at+n]}, n, nil
	case isDigit(c) || c == '-' && at+1 < len(src) && isDigit(src[at+1]):
		n := 1
		first := at + n - 1
		if c == '-' {
			first++
			n++
		}
		for src[first] != '0' && at+n < len(src) && isDigit(src[at+n]) {
			n++
		}
		return lexeme{kind: number, text: src[at : at+n]}, n, nil
	}
	for _, s := range signs {
		if strings.HasPrefix(src[at:], s) {
			return lexeme{kind: punctuate, text: s}, len(s), nil
		}
	}
	r, _ := utf8.DecodeRuneInString(src[at:])
	return lexeme{}, 0, parseError(src, at, "syntax error token recognition error at: '%c'", r)
}

func isNameStart(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool     { return c >= '0' && c <= '9' }

// closing returns the length of a text from a quote to its end, or 0.
func closing(src string, at int) int {
	for i := at + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case src[at]:
			return i + 1 - at
		}
	}
	return 0
}

func unterminated(src string, at int) error {
	return parseError(src, at, "syntax error token recognition error at: '%s'", src[at:])
}

func quoted(src string, at int) (lexeme, int, error) {
	n := closing(src, at)
	if n == 0 {
		return lexeme{}, 0, unterminated(src, at)
	}
	v, err := json.ParseStrict([]byte(src[at : at+n]))
	if err != nil {
		return lexeme{}, 0, unterminated(src, at)
	}
	return lexeme{kind: name, text: v.Str()}, n, nil
}

// raw reads '...', where a backslash only quotes an apostrophe.
func raw(src string, at int) (lexeme, int, error) {
	n := closing(src, at)
	if n == 0 {
		return lexeme{}, 0, unterminated(src, at)
	}
	text := strings.ReplaceAll(src[at+1:at+n-1], `\'`, `'`)
	return lexeme{kind: literal, text: src[at : at+n], value: json.NewString(text)}, n, nil
}

// backquoted reads a JSON literal.
func backquoted(src string, at int) (lexeme, int, error) {
	n := closing(src, at)
	if n == 0 {
		return lexeme{}, 0, parseError(src, len(src), "syntax error missing '`' at '<EOF>'")
	}
	text := strings.ReplaceAll(src[at+1:at+n-1], "\\`", "`")
	v, err := json.ParseExact([]byte(text))
	if err != nil {
		return lexeme{}, 0, parseError(src, at+1, "syntax error mismatched input '%s'", strings.TrimSpace(text))
	}
	return lexeme{kind: literal, text: src[at : at+n], value: v}, n, nil
}
