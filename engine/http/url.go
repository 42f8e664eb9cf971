package http

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What java.net.URI allows unescaped, beside letters and digits.
const (
	uriMarks = "_-!.~'()*"
	uriPath  = uriMarks + ":@&=+$,;/"
	uriQuery = uriMarks + ";/?:@&=+$,[]"
)

// sanitize returns a, or where java.net.URI does not take it, the same with
// illegal characters escaped in path, query and fragment - the percent sign, too.
func sanitize(a *address, squeeze bool) (*address, error) {
	if !a.syntax {
		return a, nil
	}
	path, query, hasQuery := strings.Cut(a.file, "?")
	file := quoteURI(path, uriPath)
	if hasQuery {
		file += "?" + quoteURI(query, uriQuery)
	}
	if _, ref, ok := strings.Cut(a.text, "#"); ok {
		file += "#" + quoteURI(ref, uriQuery)
	}
	b, err := newAddress(a.scheme, a.authority(), file, squeeze)
	if err != nil {
		return nil, err
	}
	if b.syntax {
		return nil, b.bad
	}
	return b, nil
}

func quoteURI(s, allowed string) string {
	var b []byte
	for i, r := range s {
		switch {
		case r >= utf8.RuneSelf && !unicode.In(r, unicode.Z) && !unicode.IsControl(r):
			b = utf8.AppendRune(b, r)
		case r < utf8.RuneSelf && (isAlnum(byte(r)) || strings.IndexByte(allowed, byte(r)) >= 0):
			b = append(b, byte(r))
		default:
			_, n := utf8.DecodeRuneInString(s[i:])
			for _, c := range []byte(s[i : i+n]) {
				b = appendEscaped(b, c)
			}
		}
	}
	return string(b)
}

func isAlnum(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }

// normalized is java.net.URI.normalize: dot segments are resolved, empty ones
// dropped, and those that lead above the root stay.
func (a *address) normalized() (*address, error) {
	path := a.path()
	if !strings.Contains(path, "/.") && !strings.Contains(path, "//") {
		return a, nil
	}
	return newAddress(a.scheme, a.authority(), normalizedPath(path)+a.text[strings.Index(a.text, path)+len(path):], true)
}

// normalizedPath is what normalized makes of a path.
func normalizedPath(path string) string {
	var out []string
	parts := strings.Split(path, "/")
	for i, p := range parts {
		last := i == len(parts)-1
		switch {
		case p == "..":
			if n := len(out); n > 0 && out[n-1] != ".." {
				out = out[:n-1]
			} else {
				out = append(out, p)
				continue
			}
			if last {
				out = append(out, "")
			}
		case p == "." || p == "":
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, p)
		}
	}
	return "/" + strings.Join(out, "/")
}

// withoutSlashDotDot resolves /.. in a Location, which may be relative
// (httpsampler.redirect.removeslashdotdot).
func withoutSlashDotDot(url string) string {
	url = trimControls(url)
	if len(url) < 4 || !strings.Contains(url, "/..") {
		return url
	}
	start := 0
	if i := strings.Index(url, "://"); i >= 0 {
		j := strings.IndexByte(url[i+3:], '/')
		if j < 0 {
			return url
		}
		start = i + 3 + j
	}
	end := len(url)
	if i := strings.IndexByte(url, '?'); i > 0 {
		end = i
	} else if i := strings.IndexByte(url, '#'); i > 0 {
		end = i
	}
	if start > end {
		return url
	}
	path := url[start:end]
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	for i := 0; i < len(parts)-1; i++ {
		if parts[i] != ".." && parts[i+1] == ".." {
			parts = append(parts[:i], parts[i+2:]...)
			i = max(i-2, -1)
		}
	}
	clean := strings.Join(parts, "/")
	if strings.HasPrefix(path, "/") {
		clean = "/" + clean
	}
	if strings.HasSuffix(path, "/") && clean != "/" {
		clean += "/"
	}
	return url[:start] + clean + url[end:]
}
