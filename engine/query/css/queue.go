package css

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// queue is text that is read from its front.
type queue struct{ rest string }

// take removes one byte, takeRune one character.
func (q *queue) take() byte {
	c := q.rest[0]
	q.rest = q.rest[1:]
	return c
}

func (q *queue) takeRune() string {
	_, n := utf8.DecodeRuneInString(q.rest)
	s := q.rest[:n]
	q.rest = q.rest[n:]
	return s
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'
}

// skipSpace tells whether there was any.
func (q *queue) skipSpace() bool {
	n := 0
	for n < len(q.rest) && isSpace(q.rest[n]) {
		n++
	}
	q.rest = q.rest[n:]
	return n > 0
}

func (q *queue) atCombinator() bool {
	return q.rest != "" && strings.IndexByte(",>+~ ", q.rest[0]) >= 0
}

// chomp removes a text that stands at the front, letters of either case.
func (q *queue) chomp(s string) bool {
	if len(q.rest) < len(s) || !strings.EqualFold(q.rest[:len(s)], s) {
		return false
	}
	q.rest = q.rest[len(s):]
	return true
}

// upTo takes the text before the first of some others, or all.
func (q *queue) upTo(ends []string) string {
	for i := range len(q.rest) {
		for _, e := range ends {
			if strings.HasPrefix(q.rest[i:], e) {
				s := q.rest[:i]
				q.rest = q.rest[i:]
				return s
			}
		}
	}
	s := q.rest
	q.rest = ""
	return s
}

// identifier takes letters, digits and the bytes of more; a backslash makes any
// character one.
func (q *queue) identifier(more string) string {
	var b strings.Builder
	for q.rest != "" {
		r, n := utf8.DecodeRuneInString(q.rest)
		switch {
		case r == '\\' && len(q.rest) > 1:
			q.rest = q.rest[1:]
			b.WriteString(q.takeRune())
		case isWord(r) || n == 1 && strings.IndexByte(more, q.rest[0]) >= 0:
			b.WriteString(q.takeRune())
		default:
			return b.String()
		}
	}
	return b.String()
}

// balanced takes a bracketed text without its brackets; those in quotes, behind a
// backslash and between \Q and \E do not count.
func (q *queue) balanced(open, end byte) (string, error) {
	start, stop, depth := -1, -1, 0
	var last byte
	single, double, literal := false, false, false
	i := 0
	for i < len(q.rest) {
		c := q.rest[i]
		i++
		counts := last != '\\'
		switch {
		case counts && c == '\'' && !double:
			single = !single
		case counts && c == '"' && !single:
			double = !double
		case !counts && c == 'Q':
			literal = true
		case !counts && c == 'E':
			literal = false
		}
		if counts && (single || double || literal) {
			last = c
			if depth <= 0 {
				break
			}
			continue
		}
		switch {
		case counts && c == open:
			depth++
			if start < 0 {
				start = i
			}
		case counts && c == end:
			depth--
		}
		if depth > 0 && last != 0 {
			stop = i
		}
		last = c
		if depth <= 0 {
			break
		}
	}
	out := ""
	if stop >= 0 && start >= 0 {
		out = q.rest[start:stop]
	}
	if depth > 0 {
		return "", fmt.Errorf("Did not find balanced marker at '%s'", out)
	}
	q.rest = q.rest[i:]
	return out, nil
}
