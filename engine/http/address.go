package http

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
)

// address is a URL taken apart. It is immutable.
type address struct {
	text   string // the whole, as results show it
	scheme string // lower case
	host   string // as it stands, an IPv6 address in brackets
	port   int    // as it stands, -1 for none
	file   string // path and query as they stand, without the fragment
	target string // what stands on the request line
	syntax bool   // bad is a syntax error: there is no request that could be shown
	bad    error  // what a request to it fails with, of type *wire.Error, before it is sent
}

// asked is the address that was asked for, as HttpClient has it at the end: it
// escapes only what it takes apart.
func (a *address) asked() string {
	path, _, _ := strings.Cut(a.file, "?")
	switch {
	case strings.Contains(path, "//"):
		return a.under(a.target)
	case path == "":
		return a.under("/" + a.file)
	}
	return a.under(a.file)
}

// under puts a path and query under the server of a.
func (a *address) under(file string) string {
	b := append(append(append([]byte(nil), a.scheme...), "://"...), a.host...)
	if a.port >= 0 {
		b = strconv.AppendInt(append(b, ':'), int64(a.port), 10)
	}
	return string(append(b, file...))
}

// Java's exceptions that addresses end in.
const (
	classMalformed = "java.net.MalformedURLException"
	classSyntax    = "java.net.URISyntaxException"
	classScheme    = "org.apache.http.conn.UnsupportedSchemeException"
	classProtocol  = "org.apache.http.client.ClientProtocolException"
	classArgument  = "java.lang.IllegalArgumentException"
)

// schemes are those java.net.URL knows, with their default ports.
var schemes = map[string]int{"http": 80, "https": 443, "ftp": 21, "file": -1, "jar": -1, "mailto": -1, "jmod": -1, "jrt": -1}

func malformed(text string) error { return &wire.Error{Class: classMalformed, Message: text} }

// schemeOf finds what java.net.URL takes for the protocol of spec.
func schemeOf(spec string) (scheme, rest string, ok bool) {
	i := strings.IndexAny(spec, ":/")
	if i <= 0 || spec[i] != ':' {
		return "", spec, false
	}
	for j := range i {
		c := spec[j]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (j == 0 || (c < '0' || c > '9') && c != '.' && c != '+' && c != '-') {
			return "", spec, false
		}
	}
	return strings.ToLower(spec[:i]), spec[i+1:], true
}

// parseAddress reads an absolute URL as new java.net.URL(spec) does: dot
// segments stay. Its error is a *wire.Error; an address that only fails
// when it is asked for has it in bad.
func parseAddress(spec string, squeeze bool) (*address, error) {
	return resolveAddress(nil, spec, squeeze)
}

func trimControls(s string) string { return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }) }

// resolveAddress reads a URL, which may be relative to base, as
// new java.net.URL(base, spec) does. Dot segments are resolved where its path
// goes on from that of base.
func resolveAddress(base *address, spec string, squeeze bool) (*address, error) {
	spec = trimControls(spec)
	if len(spec) >= 4 && strings.EqualFold(spec[:4], "url:") {
		spec = spec[4:]
	}
	scheme, rest, ok := "", spec, false
	if !strings.HasPrefix(spec, "#") {
		scheme, rest, ok = schemeOf(spec)
	}
	var authority, path, query, ref string
	hasQuery, hasRef, inherited := false, false, false
	switch {
	case base != nil && (!ok || scheme == base.scheme):
		scheme, inherited = base.scheme, true
		authority, path = base.authority(), base.path()
	case !ok:
		return nil, malformed("no protocol: " + spec)
	}
	if _, known := schemes[scheme]; !known {
		return nil, malformed("unknown protocol: " + scheme)
	}
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest, ref, hasRef = rest[:i], rest[i+1:], true
	}
	if inherited && rest == "" {
		_, query, hasQuery = strings.Cut(base.file, "?")
		if !hasRef {
			_, ref, hasRef = strings.Cut(base.text, "#")
		}
	}
	onlyQuery := strings.HasPrefix(rest, "?")
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, query, hasQuery = rest[:i], rest[i+1:], true
	}
	if tail, ok := strings.CutPrefix(rest, "//"); ok && !strings.HasPrefix(rest, "////") {
		end := len(tail)
		if i := strings.IndexByte(tail, '/'); i >= 0 {
			end = i
		}
		authority, rest = tail[:end], tail[end:]
		if authority != "" {
			path = ""
		}
	}
	switch {
	case strings.HasPrefix(rest, "/"):
		path = rest
	case rest != "" && path != "":
		path = javaDots(path[:strings.LastIndexByte(path, '/')+1] + rest)
	case rest != "" && authority != "":
		path = "/" + rest
	case rest != "":
		path = rest
	case onlyQuery && path != "":
		path = path[:max(0, strings.LastIndexByte(path, '/'))] + "/"
	}
	if hasQuery {
		path += "?" + query
	}
	if hasRef {
		path += "#" + ref
	}
	return newAddress(scheme, authority, path, squeeze)
}

// javaDots resolves dot segments the way java.net.URLStreamHandler does.
func javaDots(path string) string {
	if !strings.Contains(path, "/.") && !strings.HasPrefix(path, "./") {
		return path
	}
	for i := strings.Index(path, "/./"); i >= 0; i = strings.Index(path, "/./") {
		path = path[:i] + path[i+2:]
	}
	for i := 0; ; {
		j := strings.Index(path[i:], "/../")
		if j < 0 {
			break
		}
		i += j
		if up := strings.LastIndexByte(path[:i], '/'); i > 0 && up >= 0 && strings.Index(path[up:], "/../") != 0 {
			path = path[:up] + path[i+3:]
			i = 0
		} else {
			i += 3
		}
	}
	for strings.HasSuffix(path, "/..") {
		i := strings.Index(path, "/..")
		up := strings.LastIndexByte(path[:i], '/')
		if up < 0 {
			break
		}
		path = path[:up+1]
	}
	if len(path) > 2 {
		path = strings.TrimPrefix(path, "./")
	}
	if strings.HasSuffix(path, "/.") {
		path = path[:len(path)-1]
	}
	return path
}

// newAddress takes a URL by its parts; file is path, query and fragment.
func newAddress(scheme, authority, file string, squeeze bool) (*address, error) {
	mark := "://"
	if authority == "" {
		mark = ":"
	}
	text := scheme + mark + authority + file
	host, port, err := splitAuthority(text[len(scheme)+len(mark) : len(text)-len(file)])
	if err != nil {
		return nil, err
	}
	return takeApart(text, scheme, host, port, text[len(text)-len(file):], squeeze)
}

// takeApart makes an address of a URL whose parts are known; port is -1 for none.
func takeApart(text, scheme, host string, port int, file string, squeeze bool) (*address, error) {
	for i, r := range host {
		if r < ' ' || r == 0x7f || r == '/' || strings.ContainsRune(noHost, r) {
			return nil, malformed("Illegal character found in host: " + named(host[i:]))
		}
	}
	a := &address{text: text, scheme: scheme, host: host, port: port}
	a.file, _, _ = strings.Cut(file, "#")
	a.target = requestTarget(a.file, squeeze)
	a.bad = a.check()
	if a.bad != nil {
		var e *wire.Error
		a.syntax = errors.As(a.bad, &e) && e.Class == classSyntax
	}
	return a, nil
}

// unreachable says that HttpClient finds no way to a before it makes a request.
func (a *address) unreachable() bool {
	if a.bad == nil {
		return false
	}
	var e *wire.Error
	return errors.As(a.bad, &e) && e.Class == classProtocol
}

// noHost are the characters outside ASCII that java.net.URL refuses in a host:
// they become delimiters when a name is normalised.
const noHost = "\u2047\u2048\u2049\u2100\u2101\u2105\u2106\u2a74\ufe55\ufe56\ufe5f\ufe6b\uff03\uff0f\uff1a\uff1f\uff20"

// named is the first character of s as Java's messages name it.
func named(s string) string {
	switch r, n := utf8.DecodeRuneInString(s); {
	case r == '\n':
		return "LF"
	case r == '\r':
		return "CR"
	case r < ' ', r == 0x7f:
		return "control char (code=" + strconv.Itoa(int(r)) + ")"
	default:
		return "'" + s[:n] + "'"
	}
}

// authority is host and port as they stand, with a user where there is one.
func (a *address) authority() string {
	_, rest, ok := strings.Cut(a.text, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// splitAuthority takes host and port from [user@]host[:port].
func splitAuthority(s string) (host string, port int, err error) {
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	colon := strings.IndexByte(s, ':')
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 || end+1 < len(s) && s[end+1] != ':' {
			return "", -1, malformed("Invalid authority field: " + s)
		}
		if colon = -1; end+1 < len(s) {
			colon = end + 1
		}
	}
	if colon < 0 {
		return s, -1, nil
	}
	text := s[colon+1:]
	if text == "" {
		return s[:colon], -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return "", -1, malformed("Error at index 0 in: \"" + text + "\"")
	}
	if n < -1 {
		return "", -1, malformed("Invalid port number :" + text)
	}
	return s[:colon], int(n), nil
}

// check says what a request to a would fail with.
func (a *address) check() error {
	if err := java.CheckURI(a.text); err != nil {
		var e *java.Error
		if errors.As(err, &e) {
			return &wire.Error{Class: e.Class, Message: e.Message}
		}
		return &wire.Error{Class: classSyntax, Message: err.Error()}
	}
	if a.scheme == "file" {
		return nil
	}
	if i := strings.IndexAny(a.host, ":/?#[]@\\"); i >= 0 && !strings.HasPrefix(a.host, "[") {
		return &wire.Error{Class: classSyntax, Message: "Illegal character found in host: " + named(a.host[i:]) + ": " +
			strings.TrimPrefix(a.under(""), a.scheme+"://")}
	}
	if a.host == "" {
		return &wire.Error{Class: classProtocol, Message: "URI does not specify a valid host name: " + a.text}
	}
	if a.scheme != "http" && a.scheme != "https" {
		if a.port <= 0 { // HttpClient looks for the default port
			return &wire.Error{Class: classProtocol, NoMessage: true}
		}
		return &wire.Error{Class: classScheme, Message: a.scheme + " protocol is not supported"}
	}
	return nil
}

// requestTarget is the path and query as they are sent: HttpClient squeezes runs
// of slashes in the path, and characters outside ASCII are escaped as UTF-8.
func requestTarget(file string, squeeze bool) string {
	path, query, hasQuery := strings.Cut(file, "?")
	if squeeze && strings.Contains(path, "//") {
		b := make([]byte, 0, len(path))
		for i := range len(path) {
			if path[i] != '/' || i == 0 || path[i-1] != '/' {
				b = append(b, path[i])
			}
		}
		path = string(b)
		file = path
		if hasQuery {
			file += "?" + query
		}
	}
	if path == "" {
		file = "/" + file
	}
	return escapeOthers(file)
}

// escapeOthers is java.net.URI.toASCIIString.
func escapeOthers(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			var b []byte
			s = norm.NFC.String(s)
			for i := range len(s) {
				if c := s[i]; c < utf8.RuneSelf {
					b = append(b, c)
				} else {
					b = appendEscaped(b, c)
				}
			}
			return string(b)
		}
	}
	return s
}

func appendEscaped(dst []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(dst, '%', hex[c>>4], hex[c&15])
}

// defaultPort is that of the scheme.
func (a *address) defaultPort() int { return schemes[a.scheme] }

// realPort is the port to connect to.
func (a *address) realPort() int {
	if a.port >= 0 {
		return a.port
	}
	return a.defaultPort()
}

// path is the path without the query.
func (a *address) path() string {
	p, _, _ := strings.Cut(a.file, "?")
	return p
}

// spelled is the host as HttpClient connects to it and names it: escapes are resolved.
func (a *address) spelled() string {
	if strings.IndexByte(a.host, '%') < 0 || strings.HasPrefix(a.host, "[") {
		return a.host
	}
	host, err := url.PathUnescape(a.host)
	if err != nil {
		return a.host
	}
	return host
}

// bareHost is the host without the brackets of an IPv6 address.
func (a *address) bareHost() string {
	return strings.TrimSuffix(strings.TrimPrefix(a.host, "["), "]")
}

// appendHostHeader appends the value of Host: the port as it stands in the URL.
func (a *address) appendHostHeader(dst []byte) []byte {
	return a.appendPort(appendHeaderText(dst, a.spelled()))
}

func (a *address) appendPort(dst []byte) []byte {
	if a.port >= 0 {
		dst = strconv.AppendInt(append(dst, ':'), int64(a.port), 10)
	}
	return dst
}
