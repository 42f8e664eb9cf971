package xpath

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type lexKind uint8

const (
	end lexKind = iota
	name
	operator // a sign, or and, or, div, mod where an operator must stand
	literal
	number
)

type lexeme struct {
	kind lexKind
	text string
	num  float64
}

func (l lexeme) is(text string) bool { return l.kind == operator && l.text == text }

// signs, the longer ones first.
var signs = []string{"//", "::", "..", "!=", "<=", ">=", "(", ")", "[", "]", ".", "@", ",", "/", "|", "+", "-", "=", "<", ">", "*", "$"}

func isNameStart(r rune) bool { return r == '_' || unicode.IsLetter(r) }
func isNameChar(r rune) bool {
	return isNameStart(r) || r == '-' || r == '.' || unicode.In(r, unicode.Nd, unicode.M)
}

func lex(src string) ([]lexeme, error) {
	var out []lexeme
	for at := 0; at < len(src); {
		r, _ := utf8.DecodeRuneInString(src[at:])
		switch {
		case strings.ContainsRune(" \t\r\n", r):
			at++
			continue
		case r == '"' || r == '\'':
			close := strings.IndexRune(src[at+1:], r)
			if close < 0 {
				return nil, fail("misquoted literal... expected %s quote!", map[rune]string{'"': "double", '\'': "single"}[r])
			}
			out = append(out, lexeme{kind: literal, text: src[at+1 : at+1+close]})
			at += close + 2
			continue
		case r >= '0' && r <= '9' || r == '.' && at+1 < len(src) && src[at+1] >= '0' && src[at+1] <= '9':
			n := at
			for n < len(src) && (src[n] >= '0' && src[n] <= '9' || src[n] == '.') {
				n++
			}
			if next, _ := utf8.DecodeRuneInString(src[n:]); n < len(src) && isNameStart(next) {
				for n < len(src) && (src[n] == '.' || src[n] >= '0' && src[n] <= '9' || isNameStart(rune(src[n]))) {
					n++
				}
				return nil, fail("%s could not be formatted to a number!", src[at:n])
			}
			f, err := strconv.ParseFloat(src[at:n], 64)
			if err != nil {
				return nil, fail("%s could not be formatted to a number!", src[at:n])
			}
			out = append(out, lexeme{kind: number, text: src[at:n], num: f})
			at = n
			continue
		case isNameStart(r):
			n := nameEnd(src, at)
			text := src[at:n]
			kind := name
			switch text {
			case "and", "or", "div", "mod":
				if afterOperand(out) {
					kind = operator
				}
			}
			// A prefix belongs to the name, an axis does not.
			if kind == name && n+1 < len(src) && src[n] == ':' && src[n+1] != ':' {
				if src[n+1] == '*' {
					n += 2
				} else if next, _ := utf8.DecodeRuneInString(src[n+1:]); isNameStart(next) {
					n = nameEnd(src, n+1)
				}
				text = src[at:n]
			}
			out = append(out, lexeme{kind: kind, text: text})
			at = n
			continue
		}
		sign := ""
		for _, s := range signs {
			if strings.HasPrefix(src[at:], s) {
				sign = s
				break
			}
		}
		switch {
		case sign == "":
			return nil, fail("Extra illegal tokens: '%c'", r)
		case sign == "*" && !afterOperand(out):
			out = append(out, lexeme{kind: name, text: "*"})
		default:
			out = append(out, lexeme{kind: operator, text: sign})
		}
		at += len(sign)
	}
	return append(out, lexeme{}), nil
}

func nameEnd(src string, at int) int {
	for at < len(src) {
		r, n := utf8.DecodeRuneInString(src[at:])
		if !isNameChar(r) {
			break
		}
		at += n
	}
	return at
}

// afterOperand is XPath 1.0's rule (3.7) for what * and names like div are.
func afterOperand(before []lexeme) bool {
	if len(before) == 0 {
		return false
	}
	l := before[len(before)-1]
	if l.kind != operator {
		return true
	}
	return l.text == ")" || l.text == "]" || l.text == "." || l.text == ".."
}
