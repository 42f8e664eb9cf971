package regex

import (
	"regexp"
	"unicode/utf8"
)

// Regexp is a compiled pattern. It is immutable and safe for concurrent use.
type Regexp struct {
	pattern string
	dialect Dialect
	groups  int
	re, all *regexp.Regexp
}

// Error is a pattern that its dialect does not accept.
type Error struct {
	Pattern string
	Detail  string
}

func (e *Error) Error() string { return "Invalid expression: " + e.Pattern + "\n" + e.Detail }

// Compile reads a pattern in a dialect. A bad pattern gives an *Error.
func Compile(pattern string, d Dialect) (*Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, &Error{pattern, err.Error()}
	}
	return &Regexp{pattern, d, re.NumSubexp(), re, regexp.MustCompile(`\A(?:` + pattern + `)\z`)}, nil
}

// Matches reports whether the pattern matches the whole of b. In ORO that is
// whether the first way to match at the start happens to end at the end.
func (re *Regexp) Matches(b []byte) bool { return re.all.Match(b) }

func (re *Regexp) search(dst []int, b []byte, from, notEnd int) []int {
	dst = dst[:0]
	if from > len(b) {
		return dst
	}
	for _, m := range re.re.FindAllSubmatchIndex(b, -1) {
		if m[0] >= from && m[1] != notEnd {
			return append(dst, m...)
		}
	}
	return dst
}

func step(b []byte, at int) int {
	_, n := utf8.DecodeRune(b[min(at, len(b)):])
	return at + max(n, 1)
}
