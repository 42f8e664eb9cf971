package http

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// cookiePolicy is one of the ways to handle cookies that JMeter offers: those
// of HttpClient 4.
type cookiePolicy uint8

const (
	lenient      cookiePolicy = iota // RFC 6265
	strict                           // the same, without its leniency
	standard2109                     // RFC 2109
	standard2965                     // RFC 2965, which knows only Set-Cookie2
	browser                          // Netscape's draft or RFC 2109, as the header looks
	netscape                         // Netscape's draft
	ignoreCookies
)

// modern says that a policy is that of RFC 6265.
func (p cookiePolicy) modern() bool { return p == lenient || p == strict }

var policies = map[string]cookiePolicy{
	"standard":        lenient,
	"standard-strict": strict,
	"default":         browser,
	"best-match":      browser,
	"compatibility":   browser,
	"netscape":        netscape,
	"rfc2109":         standard2109,
	"rfc2965":         standard2965,
	"ignorecookies":   ignoreCookies,
}

// received is a cookie as the server sent it.
type received struct {
	name, value, domain, path string
	secure                    bool
	version                   int
	expires                   time.Time
	attrs                     map[string]string
}

func (r *received) has(attr string) bool { _, ok := r.attrs[attr]; return ok }

// parse reads a Set-Cookie header.
func (p cookiePolicy) parse(header string, from *address) ([]received, error) {
	var list [][]pair
	switch p {
	case standard2965:
		return nil, errors.New("Unrecognized cookie header 'Set-Cookie: " + header + "'")
	case lenient, strict:
		one := tokens(header)
		if one[0].name == "" {
			return nil, nil
		}
		if !one[0].hasValue {
			return nil, errors.New("Cookie value is invalid in 'Set-Cookie: " + header + "'")
		}
		list = [][]pair{one}
	case netscape:
		list = [][]pair{pairs(header, false)}
	case browser:
		versioned, dated := false, false
		list = elements(header)
		for _, e := range list {
			for _, a := range e[1:] {
				versioned = versioned || strings.EqualFold(a.name, "version")
				dated = dated || strings.EqualFold(a.name, "expires")
			}
		}
		p = standard2109
		if dated || !versioned {
			p, list = netscape, [][]pair{pairs(header, false)}
		}
	default:
		list = elements(header)
	}
	var out []received
	for _, parts := range list {
		if parts[0].name == "" {
			return nil, errors.New("Cookie name may not be empty")
		}
		r, err := p.build(parts, from)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// pair is name and value of a part of a header.
type pair struct {
	name, value string
	hasValue    bool
}

// pairs splits a header at semicolons.
func pairs(header string, unquote bool) []pair {
	var out []pair
	for part := range strings.SplitSeq(header, ";") {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.Trim(name, " \t"), strings.Trim(value, " \t")
		if unquote {
			value = unquoted(value)
		}
		out = append(out, pair{name, value, ok})
	}
	return out
}

// tokens splits a header as HttpClient's TokenParser does: white space counts as one
// blank, and quotes are taken off the value, wherever they stand.
func tokens(header string) []pair {
	var out []pair
	var p pair
	for rest := header; rest != ""; {
		p.name, rest = token6265(rest, "=;", false)
		if p.hasValue = strings.HasPrefix(rest, "="); p.hasValue {
			p.value, rest = token6265(rest[1:], ";", len(out) == 0)
		}
		out = append(out, p)
		rest = strings.TrimPrefix(rest, ";")
		p = pair{}
	}
	if out == nil {
		out = []pair{{}}
	}
	return out
}

// token6265 takes text off s, up to one of the delimiters.
func token6265(s, delimiters string, quotes bool) (token, rest string) {
	var b []byte
	blank := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case strings.IndexByte(delimiters, c) >= 0:
			return string(b), s[i:]
		case c == ' ', c == '\t', c == '\r', c == '\n':
			blank = true
			continue
		}
		if blank && len(b) > 0 {
			b = append(b, ' ')
		}
		blank = false
		if c != '"' || !quotes {
			b = append(b, c)
			continue
		}
		for i++; i < len(s) && s[i] != '"'; i++ {
			if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
				i++
			}
			if s[i] != '\r' && s[i] != '\n' {
				b = append(b, s[i])
			}
		}
	}
	return string(b), ""
}

func unquoted(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s[1 : len(s)-1])
	}
	return s
}

// elements splits a header of the old standards: commas part cookies, even that
// of a date.
func elements(header string) [][]pair {
	var out [][]pair
	start, quoted := 0, false
	for i := range len(header) + 1 {
		switch {
		case i == len(header) || header[i] == ',' && !quoted:
			if part := strings.TrimSpace(header[start:i]); part != "" {
				out = append(out, pairs(part, true))
			}
			start = i + 1
		case header[i] == '"':
			quoted = !quoted
		}
	}
	return out
}

// build makes a cookie of the parts of a header, with the defaults of RFC 6265,
// section 5.3.
func (p cookiePolicy) build(parts []pair, from *address) (received, error) {
	r := received{name: parts[0].name, value: parts[0].value, domain: strings.ToLower(from.host), path: defaultPath(from.path()), attrs: map[string]string{}}
	for _, a := range parts[1:] {
		r.attrs[strings.ToLower(a.name)] = a.value
	}
	if v, ok := r.attrs["path"]; ok {
		r.path = rooted(strings.TrimSpace(v))
	}
	if v, ok := r.attrs["domain"]; ok {
		if r.domain = strings.ToLower(strings.TrimSpace(v)); r.domain == "" {
			return r, errors.New("Blank or null value for domain attribute")
		}
		if p.modern() || p == browser {
			r.domain = strings.TrimPrefix(r.domain, ".")
		}
	}
	if v, ok := r.attrs["version"]; ok && p == standard2109 {
		r.version, _ = strconv.Atoi(v)
	}
	_, r.secure = r.attrs["secure"]
	if v, ok := r.attrs["expires"]; ok && p != standard2109 && !(r.has("max-age") && p.modern()) {
		if r.expires, ok = p.date(v); !ok {
			return r, errors.New("Invalid 'expires' attribute: " + v)
		}
	}
	if v, ok := r.attrs["max-age"]; ok && p != netscape {
		if n, err := strconv.ParseInt(v, 10, 32); err == nil {
			r.expires = time.Now().Add(time.Duration(n) * time.Second)
			if n <= 0 {
				r.expires = time.UnixMilli(1)
			}
			if n < 0 && p != lenient {
				return r, errors.New("Negative 'max-age' attribute: " + v)
			}
		} else if p != lenient {
			return r, errors.New("Invalid 'max-age' attribute: " + v)
		}
	}
	return r, nil
}

// defaultPath is the directory of a path.
func defaultPath(path string) string {
	if i := strings.LastIndexByte(path, '/'); i > 0 {
		return path[:i]
	}
	return "/"
}

// date reads the date of an expires attribute. Netscape's draft has one format.
func (p cookiePolicy) date(s string) (time.Time, bool) {
	if p == netscape {
		for _, layout := range []string{"Mon, 02-Jan-2006 15:04:05 MST", "Mon, 02-Jan-06 15:04:05 MST"} {
			if t, err := time.Parse(layout, s); err == nil {
				return t, true
			}
		}
		return time.Time{}, false
	}
	return cookieDate(s)
}

const months = "janfebmaraprmayjunjulaugsepoctnovdec"

// cookieDate reads a date as RFC 6265, section 5.1.1 has it: the parts in any
// order.
func cookieDate(s string) (time.Time, bool) {
	var hour, minute, second, day, month, year = -1, 0, 0, -1, -1, -1
	for _, word := range strings.FieldsFunc(s, dateDelimiter) {
		if hour < 0 {
			if h, m, sec, ok := clock(word); ok {
				hour, minute, second = h, m, sec
				continue
			}
		}
		n, digits := leadingNumber(word)
		switch {
		case day < 0 && (digits == 1 || digits == 2):
			day = n
			continue
		case month < 0 && digits == 0 && len(word) >= 3:
			if i := strings.Index(months, strings.ToLower(word[:3])); i >= 0 && i%3 == 0 {
				month = i/3 + 1
				continue
			}
		}
		if year < 0 && (digits == 2 || digits == 4) {
			year = n
		}
	}
	switch {
	case year >= 70 && year <= 99:
		year += 1900
	case year >= 0 && year <= 69:
		year += 2000
	}
	if hour < 0 || hour > 23 || minute > 59 || second > 59 || day < 1 || day > 31 || month < 0 || year < 1601 {
		return time.Time{}, false
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC), true
}

func dateDelimiter(r rune) bool {
	return r == '\t' || r >= 0x20 && r <= 0x2F || r >= 0x3B && r <= 0x40 || r >= 0x5B && r <= 0x60 || r >= 0x7B && r <= 0x7E
}

func clock(word string) (h, m, s int, ok bool) {
	parts := strings.SplitN(word, ":", 3)
	if len(parts) != 3 {
		return 0, 0, 0, false
	}
	var n [3]int
	for i, p := range parts {
		var digits int
		if n[i], digits = leadingNumber(p); digits < 1 || digits > 2 || i < 2 && digits != len(p) {
			return 0, 0, 0, false
		}
	}
	return n[0], n[1], n[2], true
}

// leadingNumber reads the digits that s begins with.
func leadingNumber(s string) (n, digits int) {
	for digits < len(s) && digits < 9 && s[digits] >= '0' && s[digits] <= '9' {
		n = n*10 + int(s[digits]-'0')
		digits++
	}
	return n, digits
}

// validate says why a cookie cannot come from an address.
func (p cookiePolicy) validate(r *received, from *address) error {
	host := strings.ToLower(from.host)
	if p == standard2109 {
		switch {
		case strings.Contains(r.name, " "):
			return errors.New("Cookie name may not contain blanks")
		case strings.HasPrefix(r.name, "$"):
			return errors.New("Cookie name may not start with $")
		case r.domain != host && !strings.HasPrefix(r.domain, "."):
			return errors.New(`Domain attribute "` + r.domain + `" violates RFC 2109: domain must start with a dot`)
		}
	}
	if domain := strings.TrimPrefix(r.domain, "."); r.domain != host && !domainMatches(host, domain) {
		return errors.New(`Illegal 'domain' attribute "` + r.domain + `". Domain of origin: "` + host + `"`)
	}
	return nil
}

// domainMatches says whether host is domain or lies below it (RFC 6265, section
// 5.1.3).
func domainMatches(host, domain string) bool {
	if host == domain {
		return true
	}
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return false
	}
	return domain != "" && strings.HasSuffix(host, "."+domain)
}

// pathMatches says whether path lies in prefix (RFC 6265, section 5.1.4).
func pathMatches(path, prefix string) bool {
	path, prefix = rooted(path), rooted(prefix)
	if len(prefix) > 1 {
		prefix = strings.TrimSuffix(prefix, "/")
	}
	return strings.HasPrefix(path, prefix) && (prefix == "/" || len(path) == len(prefix) || path[len(prefix)] == '/')
}

// matches says whether a cookie goes to an address.
func (p cookiePolicy) matches(c *sent, host, path string) bool {
	if !pathMatches(path, c.path) {
		return false
	}
	if p == netscape {
		return strings.HasSuffix(host, c.domain)
	}
	domain := strings.TrimPrefix(c.domain, ".")
	if !p.modern() && domain != host && publicSuffix(domain) {
		return false
	}
	switch {
	case p == standard2965: // the effective host of RFC 2965, section 1
		if !strings.Contains(host, ".") {
			host += ".local"
		}
		return belowDot(host, c.domain) && !strings.Contains(host[:len(host)-len(c.domain)], ".")
	case p == standard2109, p == browser && c.version > 0:
		return belowDot(host, c.domain)
	}
	return host == domain || c.domainSet && domainMatches(host, domain)
}

// belowDot is domainMatches of the old standards, whose domains begin with a dot.
func belowDot(host, domain string) bool {
	return host == domain || strings.HasPrefix(domain, ".") && strings.HasSuffix(host, domain)
}

// publicSuffix says whether a domain is one under which anybody may register, so
// that cookies for it would go to everybody. Policies older than RFC 6265 heed
// it in JMeter.
func publicSuffix(domain string) bool {
	switch domain {
	case "localhost", "test", "local", "localdomain":
		return false
	}
	suffix, _ := publicsuffix.PublicSuffix(domain)
	return suffix == domain
}

// byPath says whether cookies of longer paths are sent first.
func (p cookiePolicy) byPath(version int) bool {
	return p != netscape && (p != browser || version > 0)
}

// length is that of a cookie's path; longer ones go first.
func (p cookiePolicy) length(path string) int {
	if !p.modern() && !strings.HasSuffix(path, "/") {
		return len(path) + len("/")
	}
	return len(path)
}

// format appends the value of the Cookie header. Version is the lowest of the
// cookies'.
func (p cookiePolicy) format(dst []byte, list []sent, version int) []byte {
	switch {
	case p == browser && version > 0:
		// HttpClient makes a header of each, which JMeter joins without a word.
		for _, c := range list {
			dst = appendVersioned(dst, []sent{c}, c.version)
		}
		return dst
	case p == standard2109 || p == standard2965:
		return appendVersioned(dst, list, version)
	}
	for i, c := range list {
		if i > 0 {
			dst = append(dst, "; "...)
		}
		dst = append(append(dst, c.name...), '=')
		if p.modern() && strings.ContainsAny(c.value, " \",;\\") {
			dst = append(dst, '"')
			for j := range len(c.value) {
				if b := c.value[j]; b == '"' || b == '\\' {
					dst = append(dst, '\\')
				}
				dst = append(dst, c.value[j])
			}
			dst = append(dst, '"')
		} else {
			dst = append(dst, c.value...)
		}
	}
	return dst
}

// appendVersioned appends cookies as RFC 2109, section 4.3.4 has them; HttpClient
// does not quote the version.
func appendVersioned(dst []byte, list []sent, version int) []byte {
	dst = strconv.AppendInt(append(dst, "$Version="...), int64(version), 10)
	param := func(name, value string) {
		dst = append(append(append(dst, "; "...), name...), '=')
		if version > 0 {
			dst = append(append(append(dst, '"'), value...), '"')
		} else {
			dst = append(dst, value...)
		}
	}
	for _, c := range list {
		param(c.name, c.value)
		if c.pathSet {
			param("$Path", c.path)
		}
		if c.domainSet {
			param("$Domain", c.domain)
		}
	}
	return dst
}
