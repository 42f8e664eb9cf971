package java

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// URI character classes of RFC 2396 with Java's deviations, as in java.net.URI.
const (
	uriUnreserved = "_-!.~'()*"
	uriPath       = uriUnreserved + ":@&=+$,;/"
	uriAny        = uriUnreserved + ";/?:@&=+$,[]"
	uriRegName    = uriUnreserved + "$,;:@&=+"
	uriServer     = uriUnreserved + ";:&=+$,.:@[]-"
)

// CheckURI says whether java.net.URI takes the text. Its error is a java.net.URISyntaxException
// whose message names the part and the index in UTF-16 units: "Illegal character in query at index
// 23: http://...".
func CheckURI(s string) error {
	u := &uriScanner{s: s}
	if e := u.scan(); e != nil {
		return e
	}
	return nil
}

type uriScanner struct{ s string }

func (u *uriScanner) fail(reason string, at int) *Error {
	return throw("java.net.URISyntaxException", "%s at index %d: %s", reason, utf16Len(u.s[:at]), u.s)
}

// find returns the first position from p on of a byte in stop, or the end.
func (u *uriScanner) find(p int, stop string) int {
	if i := strings.IndexAny(u.s[p:], stop); i >= 0 {
		return p + i
	}
	return len(u.s)
}

func (u *uriScanner) scan() *Error {
	s, p := u.s, 0
	c := u.find(0, ":/?#")
	if c < len(s) && s[c] == ':' {
		if c == 0 {
			return u.fail("Expected scheme name", 0)
		}
		for i := 0; i < c; i++ {
			if !isLetter(s[i]) && (i == 0 || !isDigit(s[i]) && !strings.ContainsRune("+-.", rune(s[i]))) {
				return u.fail("Illegal character in scheme name", i)
			}
		}
		p = c + 1
		if p >= len(s) || s[p] != '/' {
			end := u.find(p, "#")
			if end <= p {
				return u.fail("Expected scheme-specific part", p)
			}
			if e := u.check(p, end, uriAny, "opaque part"); e != nil {
				return e
			}
			return u.fragment(end)
		}
	}
	p, e := u.hierarchical(p)
	if e != nil {
		return e
	}
	return u.fragment(p)
}

func (u *uriScanner) hierarchical(p int) (int, *Error) {
	if strings.HasPrefix(u.s[p:], "//") {
		p += 2
		end := u.find(p, "/?#")
		if end > p {
			if e := u.authority(p, end); e != nil {
				return 0, e
			}
		} else if end == len(u.s) {
			return 0, u.fail("Expected authority", p)
		}
		p = end
	}
	end := u.find(p, "?#")
	if e := u.check(p, end, uriPath, "path"); e != nil {
		return 0, e
	}
	if end < len(u.s) && u.s[end] == '?' {
		p = end + 1
		end = u.find(p, "#")
		if e := u.check(p, end, uriAny, "query"); e != nil {
			return 0, e
		}
	}
	return end, nil
}

func (u *uriScanner) fragment(p int) *Error {
	if p < len(u.s) && u.s[p] == '#' {
		return u.check(p+1, len(u.s), uriAny, "fragment")
	}
	return nil
}

func (u *uriScanner) authority(p, end int) *Error {
	stop, e := u.span(p, end, uriRegName)
	if stop == end && e == nil {
		return nil
	}
	text := u.s[p:end]
	if open := strings.IndexByte(text, '['); open >= 0 {
		if open > 0 && text[open-1] != '@' {
			return u.fail("Illegal character in authority", p)
		}
		shut := strings.IndexByte(text, ']')
		if shut < open {
			return u.fail("Expected closing bracket for IPv6 address", end)
		}
		if shut == open+1 {
			return u.fail("Expected closing bracket for IPv6 address", p+shut)
		}
		port := text[shut+1:]
		if port == "" || port[0] == ':' && (port == ":" || isDigits(port[1:])) {
			literal, _, _ := strings.Cut(text[open+1:shut], "%")
			if a, err := netip.ParseAddr(literal); err != nil || !a.Is6() {
				return u.fail(wrongIPv6(literal), p+open+1)
			}
			return nil
		}
		return u.fail("Illegal character in authority", p)
	}
	if e != nil {
		return e
	}
	if server, _ := u.span(p, end, uriServer); server == end {
		return nil
	}
	return u.fail("Illegal character in authority", p)
}

// wrongIPv6 says what is wrong with an address that is none.
func wrongIPv6(s string) string {
	groups := strings.Split(s, ":")
	for _, g := range groups {
		if g == "" || len(g) > 4 || strings.ContainsFunc(g, func(r rune) bool { return r >= utf8.RuneSelf || hexValue(byte(r)) < 0 }) {
			return "Malformed IPv6 address"
		}
	}
	if len(groups) > 8 {
		return "IPv6 address too long"
	}
	return "IPv6 address too short"
}

// check fails at the first character that is not allowed in the named part.
func (u *uriScanner) check(p, end int, allowed, part string) *Error {
	stop, e := u.span(p, end, allowed)
	if e != nil {
		return e
	}
	if stop < end {
		return u.fail(fmt.Sprintf("Illegal character in %s", part), stop)
	}
	return nil
}

// span runs over letters, digits, allowed characters, escapes, and all that is outside ASCII and
// neither blank nor control.
func (u *uriScanner) span(p, end int, allowed string) (int, *Error) {
	for p < end {
		c := u.s[p]
		switch {
		case isLetter(c), isDigit(c), c < utf8.RuneSelf && strings.IndexByte(allowed, c) >= 0:
			p++
		case c == '%':
			if p+3 > end || hexValue(u.s[p+1]) < 0 || hexValue(u.s[p+2]) < 0 {
				return p, u.fail("Malformed escape pair", p)
			}
			p += 3
		case c < utf8.RuneSelf:
			return p, nil
		default:
			r, n := utf8.DecodeRuneInString(u.s[p:])
			if unicode.In(r, unicode.Z) || unicode.IsControl(r) {
				return p, nil
			}
			p += n
		}
	}
	return p, nil
}
