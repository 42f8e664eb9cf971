package http

import (
	"errors"
	"net/netip"
	"slices"
	"sort"
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
	draft                            // Netscape's draft with the domains of RFC 6265: one half of browser
	netscape                         // Netscape's draft
	ignoreCookies
)

// modern says that a policy is that of RFC 6265.
func (p cookiePolicy) modern() bool { return p == lenient || p == strict }

// of is the policy for a cookie of that version.
func (p cookiePolicy) of(version int) cookiePolicy {
	switch {
	case p != browser:
		return p
	case version > 0:
		return standard2109
	}
	return draft
}

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
	pathSet, domainSet        bool
	version                   int
	expires                   time.Time
}

// parse reads a Set-Cookie header. One bad attribute spoils all of it.
func (p cookiePolicy) parse(header string, from *address) ([]received, error) {
	var list [][]pair
	switch p {
	case standard2965:
		return nil, errors.New("Unrecognized cookie header 'Set-Cookie: " + header + "'")
	case lenient, strict:
		one := tokens(header, true)
		if one[0].name == "" {
			return nil, nil
		}
		if !one[0].hasValue {
			return nil, errors.New("Cookie value is invalid in 'Set-Cookie: " + header + "'")
		}
		list = [][]pair{one}
	case netscape:
		list = [][]pair{tokens(header, false)}
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
			p, list = draft, [][]pair{tokens(header, false)}
		}
	default:
		list = elements(header)
	}
	var out []received
	for _, parts := range list {
		if parts[0].name == "" {
			continue
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

// tokens splits a header at semicolons as HttpClient's TokenParser does: white
// space counts as one blank. With unquote, quotes are taken off the first value,
// wherever they stand.
func tokens(header string, unquote bool) []pair {
	var out []pair
	for rest := header; rest != "" || out == nil; {
		var p pair
		p, _, rest = nextPair(rest, "=;", unquote && out == nil)
		out = append(out, p)
	}
	return out
}

// elements splits a header of the old standards: commas part cookies, even that
// of a date.
func elements(header string) [][]pair {
	var out [][]pair
	for rest := header; rest != ""; {
		var element []pair
		for end := byte(';'); end == ';'; {
			var p pair
			p, end, rest = nextPair(rest, "=;,", true)
			element = append(element, p)
			if rest == "" {
				break
			}
		}
		if element[0].name != "" || element[0].hasValue {
			out = append(out, element)
		}
	}
	return out
}

// nextPair takes a pair off s, and the delimiter behind it, 0 at the end. The
// first of the delimiters stands before a value, the others end it.
func nextPair(s, delimiters string, unquote bool) (p pair, end byte, rest string) {
	p.name, s = cookieToken(s, delimiters, false)
	if p.hasValue = s != "" && s[0] == delimiters[0]; p.hasValue {
		p.value, s = cookieToken(s[1:], delimiters[1:], unquote)
	}
	if s == "" {
		return p, 0, ""
	}
	return p, s[0], s[1:]
}

// cookieToken takes text off s, up to one of the delimiters.
func cookieToken(s, delimiters string, unquote bool) (text, rest string) {
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
		if c != '"' || !unquote {
			b = append(b, c)
			continue
		}
		for i++; i < len(s) && s[i] != '"'; i++ {
			if s[i] == '\\' {
				if i+1 == len(s) {
					break
				}
				if i++; s[i] != '"' && s[i] != '\\' {
					b = append(b, '\\')
				}
				b = append(b, s[i])
			} else if s[i] != '\r' && s[i] != '\n' {
				b = append(b, s[i])
			}
		}
	}
	return string(b), ""
}

// build makes a cookie of the parts of a header, with the defaults of RFC 6265,
// section 5.3. Of several attributes of one name the last one counts there, and
// the first one in the older standards, where all of them must be good.
func (p cookiePolicy) build(parts []pair, from *address) (received, error) {
	r := received{name: parts[0].name, value: parts[0].value, domain: strings.ToLower(from.host), path: defaultPath(from.path())}
	attrs := parts[1:]
	if !p.modern() {
		slices.Reverse(attrs)
	}
	aged := slices.ContainsFunc(attrs, func(a pair) bool { return strings.EqualFold(a.name, "max-age") })
	for i, a := range attrs {
		name := strings.ToLower(a.name)
		if p.modern() && (name == "expires" && aged || slices.ContainsFunc(attrs[i+1:], func(b pair) bool { return strings.ToLower(b.name) == name })) {
			continue
		}
		if err := p.take(&r, name, a); err != nil {
			return r, err
		}
	}
	return r, nil
}

// take heeds an attribute.
func (p cookiePolicy) take(r *received, name string, a pair) error {
	blank := strings.TrimSpace(a.value) == ""
	switch name {
	case "path":
		r.pathSet = true
		if r.path = a.value; blank {
			r.path = "/"
		}
	case "domain":
		r.domainSet = true
		switch {
		case blank:
			return errors.New("Blank or null value for domain attribute")
		case p == standard2109, p == netscape:
			r.domain = strings.ToLower(a.value)
		case !strings.HasSuffix(a.value, "."):
			r.domain = strings.ToLower(strings.TrimPrefix(a.value, "."))
		}
	case "secure":
		r.secure = true
	case "version":
		if p != standard2109 {
			return nil
		}
		n, err := strconv.ParseInt(a.value, 10, 32)
		if err != nil {
			return errors.New("Invalid version: " + a.value)
		}
		r.version = int(n)
	case "expires":
		if p == standard2109 || p == lenient && blank {
			return nil
		}
		t, ok := p.date(a.value)
		if !ok {
			return errors.New("Invalid 'expires' attribute: " + a.value)
		}
		r.expires = t
	case "max-age":
		if p == netscape || p == draft {
			return nil
		}
		n, err := strconv.ParseInt(a.value, 10, 32)
		switch {
		case p == lenient && (err != nil || a.value[0] == '+'):
			return nil
		case err != nil:
			return errors.New("Invalid 'max-age' attribute: " + a.value)
		case n < 0 && p != lenient:
			return errors.New("Negative 'max-age' attribute: " + a.value)
		}
		r.expires = time.Now().Add(time.Duration(n) * time.Second)
		if n <= 0 {
			r.expires = time.UnixMilli(1)
		}
	}
	return nil
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
	switch p {
	case lenient:
		return cookieDate(s)
	case strict:
		return httpDate(s, httpDates...)
	}
	return httpDate(s, netscapeDate)
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
		if year < 0 && digits >= 2 && digits <= 4 {
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
	switch p = p.of(r.version); {
	case p == standard2109:
		return validate2109(r, host)
	case r.domain != host && !domainMatches(host, r.domain):
		return errors.New(`Illegal 'domain' attribute "` + r.domain + `". Domain of origin: "` + host + `"`)
	case p == netscape && strings.Contains(host, "."):
		enough := 3
		if i := strings.LastIndexByte(r.domain, '.'); i >= 0 && slices.Contains(netscapeSpecial, r.domain[i:]) {
			enough = 2
		}
		if len(strings.FieldsFunc(r.domain, func(c rune) bool { return c == '.' })) < enough {
			return errors.New(`Domain attribute "` + r.domain + `" violates the Netscape cookie specification`)
		}
	}
	return nil
}

// netscapeSpecial are the domains of which Netscape's draft wants two parts only.
var netscapeSpecial = []string{".com", ".edu", ".net", ".gov", ".mil", ".org", ".int"}

// validate2109 is RFC 2109, section 4.3.2, without its condition on the path.
func validate2109(r *received, host string) error {
	switch {
	case strings.Contains(r.name, " "):
		return errors.New("Cookie name may not contain blanks")
	case strings.HasPrefix(r.name, "$"):
		return errors.New("Cookie name may not start with $")
	case r.version < 0:
		return errors.New("Cookie version may not be negative")
	case r.domain == host:
		return nil
	}
	violates := func(what string) error {
		return errors.New(`Domain attribute "` + r.domain + `" violates RFC 2109: ` + what)
	}
	switch {
	case !strings.HasPrefix(r.domain, "."):
		return violates("domain must start with a dot")
	case strings.IndexByte(r.domain[1:], '.') < 0 || strings.IndexByte(r.domain[1:], '.') == len(r.domain)-2:
		return violates("domain must contain an embedded dot")
	case !strings.HasSuffix(host, r.domain):
		return errors.New(`Illegal domain attribute "` + r.domain + `". Domain of origin: "` + host + `"`)
	case strings.Contains(strings.TrimSuffix(host, r.domain), "."):
		return violates("host minus domain may not contain any dots")
	}
	return nil
}

// domainMatches says whether host is domain or lies below it (RFC 6265, section
// 5.1.3); a dot before the domain is passed over.
func domainMatches(host, domain string) bool {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return false
	}
	domain = strings.TrimPrefix(domain, ".")
	return host == domain || domain != "" && strings.HasSuffix(host, "."+domain)
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
	if p == standard2965 && !strings.Contains(host, ".") { // the effective host of RFC 2965, section 1
		host += ".local"
	}
	switch p = p.of(c.version); {
	case p == netscape:
		return strings.HasSuffix(host, c.domain)
	case !p.modern() && public(c.domain, host):
		return false
	case p == standard2109:
		return belowDot(host, c.domain)
	case p == standard2965:
		return belowDot(host, c.domain) && !strings.Contains(host[:len(host)-len(c.domain)], ".")
	}
	domain := strings.TrimPrefix(c.domain, ".")
	return host == domain || c.domainSet && domainMatches(host, domain)
}

// belowDot is domainMatches of the old standards, whose domains begin with a dot.
func belowDot(host, domain string) bool {
	return host == domain || strings.HasPrefix(domain, ".") && strings.HasSuffix(host, domain)
}

// public says whether a domain is one under which anybody may register, so
// that cookies for it would go to everybody. Policies older than RFC 6265 heed
// it in JMeter.
func public(domain, host string) bool {
	if i := strings.IndexByte(domain, '.'); i >= 0 && (domain[i:] == ".local" || domain[i:] == ".localdomain") || i < 0 && domain == host {
		return false
	}
	domain = strings.TrimPrefix(domain, ".")
	suffix, registry := publicsuffix.PublicSuffix(domain)
	return registry && suffix == domain
}

// arrange puts cookies of longer paths first, where the policy says so.
func (p cookiePolicy) arrange(list []sent, version int) {
	switch p = p.of(version); p {
	case lenient, strict:
		slices.SortStableFunc(list, func(a, b sent) int { return len(b.path) - len(a.path) })
	case standard2109, standard2965:
		sortAsJava(list, func(a, b *sent) int {
			a1, b1 := strings.TrimSuffix(a.path, "/")+"/", strings.TrimSuffix(b.path, "/")+"/"
			switch {
			case a1 == b1:
				return 0
			case strings.HasPrefix(a1, b1):
				return -1
			case strings.HasPrefix(b1, a1):
				return 1
			}
			return 0
		})
	}
}

// sortAsJava sorts as java.util.Collections.sort does with a short list. It matters
// where the order is none: of three paths two may be unrelated to the third.
func sortAsJava[T any](list []T, compare func(a, b *T) int) {
	if len(list) < 2 {
		return
	}
	run := 2
	if compare(&list[1], &list[0]) < 0 {
		for run < len(list) && compare(&list[run], &list[run-1]) < 0 {
			run++
		}
		slices.Reverse(list[:run])
	} else {
		for run < len(list) && compare(&list[run], &list[run-1]) >= 0 {
			run++
		}
	}
	for i := run; i < len(list); i++ {
		pivot := list[i]
		at := sort.Search(i, func(j int) bool { return compare(&pivot, &list[j]) < 0 })
		copy(list[at+1:i+1], list[at:i])
		list[at] = pivot
	}
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
