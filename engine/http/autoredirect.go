package http

import (
	"net/url"
	"strings"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
)

// followed is where HttpClient goes by itself from an address: its
// DefaultRedirectStrategy, which writes the path anew. Redirects that JMeter
// follows are resolved by java.net.URL, see target.
func followed(from *address, location string) (*address, error) {
	if err := java.CheckURI(location); err != nil && location != "" {
		return nil, err
	}
	if strings.HasPrefix(location, "?") { // a question mark in the fragment counts
		page, _, _ := strings.Cut(from.text, "?")
		return parseAddress(page+location, true)
	}
	scheme, authority := from.scheme, strings.TrimPrefix(from.under(""), from.scheme+"://")
	rest, ref, hasRef := strings.Cut(location, "#")
	rest, query, hasQuery := strings.Cut(rest, "?")
	given, rest, absolute := cutScheme(rest)
	if absolute {
		scheme = strings.ToLower(given)
	}
	path, named := rest, strings.HasPrefix(rest, "//")
	here, hereQuery, hereHasQuery := strings.Cut(from.target, "?")
	switch {
	case named:
		authority, path = rest[2:], ""
		if i := strings.IndexByte(authority, '/'); i >= 0 {
			authority, path = authority[:i], authority[i:]
		}
	case absolute: // no host
	case rest == "":
		path, query, hasQuery = here, hereQuery, hereHasQuery
	case !strings.HasPrefix(rest, "/"):
		path = normalizedPath(here[:strings.LastIndexByte(here, '/')+1] + rest)
	}
	if absolute && !named || authority == "" {
		return nil, &wire.Error{Class: classProtocol, NoMessage: true}
	}
	if !strings.Contains(authority, "_") { // what is no name for java.net.URI stays
		i := strings.LastIndexByte(authority, '@') + 1
		authority = authority[:i] + strings.ToLower(authority[i:])
	}
	file := rewrittenPath(path)
	if hasQuery {
		file += "?" + query
	}
	return newAddress(scheme, authority, file+fragment(ref, hasRef), true)
}

// autoRedirects is how many HttpClient follows: 50 where it is told none.
func (s *settings) autoRedirects() int {
	if s.maxRedirects <= 0 {
		return 50
	}
	return s.maxRedirects
}

func fragment(ref string, ok bool) string {
	if !ok {
		return ""
	}
	return "#" + ref
}

// cutScheme takes the scheme off a URI that java.net.URI has found in order.
func cutScheme(s string) (scheme, rest string, ok bool) {
	if i := strings.IndexAny(s, ":/"); i > 0 && s[i] == ':' {
		return s[:i], s[i+1:], true
	}
	return "", s, false
}

// rewrittenPath is a path with its dot segments resolved and its escapes made
// anew, as HttpClient's URIUtils.normalizeSyntax has it.
func rewrittenPath(path string) string {
	var out []string
	for s := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		switch s = unescapedSegment(s); {
		case path == "" || s == ".":
		case s != "..":
			out = append(out, s)
		case len(out) > 0:
			out = out[:len(out)-1]
		}
	}
	if len(out) == 0 {
		return "/"
	}
	var b []byte
	for _, s := range out {
		b = append(b, '/')
		for i := range len(s) {
			if c := s[i]; isAlnum(c) || strings.IndexByte(uriMarks+";:@&=+$,", c) >= 0 {
				b = append(b, c)
			} else {
				b = appendEscaped(b, c)
			}
		}
	}
	return string(b)
}

// unescapedSegment resolves the escapes of UTF-8 in a path segment. HttpClient
// takes the lower eight bits of other characters for a byte.
func unescapedSegment(s string) string {
	var b []byte
	for _, r := range s {
		b = append(b, byte(r))
	}
	if plain, err := url.PathUnescape(string(b)); err == nil {
		b = []byte(plain)
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}
