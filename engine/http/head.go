package http

import (
	"strconv"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/http/wire"
)

// headParts are what a header block is made of beside the call's own headers.
type headParts struct {
	to          *address
	asked       *address // where a redirect that is part of the sample came from first, else to
	body        bool
	content     *content
	cookie      string      // of the cookie manager, "" for none
	conditional conditional // of the cache manager
	authorize   string      // value of Authorization, "" for none
	proxy       *wire.Proxy
	proxyAuth   string // value of Proxy-Authorization
	shown       bool   // as results show it, with texts that cannot be sent
}

// conditional are the headers that ask whether a stored response still holds.
type conditional struct {
	modified, etag     string
	isModified, isEtag bool // they may be empty
}

// appendHead appends the header block in the order of HttpClient 4 as JMeter
// uses it: Connection, the header managers' headers, conditional ones, Cookie,
// what describes the body, Host, User-Agent, Authorization.
func (c *call) appendHead(dst []byte, p *headParts) []byte {
	if c.java {
		return c.appendJavaHead(dst, p)
	}
	if c.keepAlive {
		dst = append(dst, "Connection: keep-alive\r\n"...)
	} else {
		dst = append(dst, "Connection: close\r\n"...)
	}
	dst, have := c.appendManaged(dst, p)
	if p.conditional.isModified && !have.since {
		dst = appendIfModifiedSince(dst, p)
	}
	if p.conditional.isEtag && !have.match {
		dst = appendIfNoneMatch(dst, p)
	}
	if p.cookie != "" && !have.cookie {
		dst = append(p.appendText(append(dst, "Cookie: "...), p.cookie), "\r\n"...)
	}
	if p.body {
		dst = c.appendBodyHead(dst, p, have.kind)
		if c.coded { // HttpClient gives up here
			return dst
		}
	}
	if !have.host {
		dst = append(p.appendHost(append(dst, "Host: "...)), "\r\n"...)
	}
	if (p.forwarded() || c.method == "CONNECT") && c.lines.find("Proxy-Connection", 0) < 0 {
		dst = append(dst, "Proxy-Connection: Keep-Alive\r\n"...)
	}
	if ua := c.s.sh.userAgent; !have.agent && ua != "" {
		dst = append(append(append(dst, "User-Agent: "...), ua...), "\r\n"...)
	}
	if p.authorize != "" {
		dst = append(p.appendSent(append(dst, "Authorization: "...), p.authorize), "\r\n"...)
	}
	if p.proxyAuth != "" {
		dst = append(p.appendSent(append(dst, "Proxy-Authorization: "...), p.proxyAuth), "\r\n"...)
	}
	return dst
}

// managed says which headers of special meaning the header managers have set, so
// that they are not sent twice.
type managed struct{ host, cookie, agent, kind, since, match bool }

// appendManaged appends the headers of the header managers, with those of the other
// managers in the places that they leave for them.
func (c *call) appendManaged(dst []byte, p *headParts) ([]byte, managed) {
	var have managed
	for i := range c.lines.list {
		name, value := c.lines.name(i), c.lines.value(i)
		switch len(name) {
		case len("Host"):
			if equalFold(name, "Host") {
				have.host = true
				dst = append(p.appendHostOverride(append(dst, "Host: "...), value), "\r\n"...)
				continue
			}
		case len("Cookie"):
			if p.cookie != "" && !have.cookie && equalFold(name, "Cookie") {
				have.cookie = true
				dst = p.appendText(append(dst, "Cookie: "...), p.cookie)
				dst = append(dst, "\r\n"...)
				continue
			}
		case len("User-Agent"):
			have.agent = have.agent || equalFold(name, "User-Agent")
		case len("Content-Type"):
			if equalFold(name, "Content-Type") {
				if p.body && p.content.multipart {
					continue
				}
				if p.body && !have.kind && len(value) == 0 && p.content.early && p.content.kind != "" {
					name, value = []byte("Content-Type"), []byte(p.content.kind)
				}
				have.kind = true
			}
		case len("If-Modified-Since"):
			if p.conditional.isModified && !have.since && equalFold(name, "If-Modified-Since") {
				have.since = true
				dst = appendIfModifiedSince(dst, p)
				continue
			}
		case len("If-None-Match"):
			if p.conditional.isEtag && !have.match && equalFold(name, "If-None-Match") {
				have.match = true
				dst = appendIfNoneMatch(dst, p)
				continue
			}
		case len("Content-Length"):
			if equalFold(name, "Content-Length") {
				continue
			}
		}
		dst = append(p.appendBytes(dst, name), ": "...)
		dst = append(p.appendBytes(dst, value), "\r\n"...)
	}
	return dst, have
}

// appendBodyHead appends what describes the body; kind says that its type is there.
func (c *call) appendBodyHead(dst []byte, p *headParts, kind bool) []byte {
	appendKind := func(early bool) {
		if !kind && p.content.kind != "" && p.content.early == early {
			dst = append(p.appendText(append(dst, "Content-Type: "...), p.content.kind), "\r\n"...)
		}
	}
	appendKind(true)
	if !c.coded {
		dst = append(strconv.AppendInt(append(dst, "Content-Length: "...), p.content.size, 10), "\r\n"...)
		appendKind(false)
	}
	return dst
}

func appendIfModifiedSince(dst []byte, p *headParts) []byte {
	return append(p.appendText(append(dst, "If-Modified-Since: "...), p.conditional.modified), "\r\n"...)
}

func appendIfNoneMatch(dst []byte, p *headParts) []byte {
	return append(p.appendText(append(dst, "If-None-Match: "...), p.conditional.etag), "\r\n"...)
}

// appendHostOverride appends the value of a Host that a header manager sets:
// without a port it gets the one of the URL, and the default port is left out.
func (p *headParts) appendHostOverride(dst, value []byte) []byte {
	port := p.asked.port
	end := len(value)
	i := end
	for i > 0 && value[i-1] >= '0' && value[i-1] <= '9' {
		i--
	}
	if i > 0 && i < end && value[i-1] == ':' {
		if n, err := strconv.Atoi(string(value[i:])); err == nil {
			port = n
		}
		value = value[:i-1]
	}
	dst = p.appendBytes(dst, value)
	if port >= 0 && port != p.asked.defaultPort() {
		dst = strconv.AppendInt(append(dst, ':'), int64(port), 10)
	}
	return dst
}

// appendHost appends the value of a Host that nobody sets.
func (p *headParts) appendHost(dst []byte) []byte {
	if p.shown {
		return p.to.appendPort(append(dst, p.to.host...))
	}
	return p.to.appendHostHeader(dst)
}

// appendText appends a name or value.
func (p *headParts) appendText(dst []byte, s string) []byte {
	if p.shown {
		return append(dst, s...)
	}
	return appendHeaderText(dst, s)
}

func (p *headParts) appendBytes(dst, s []byte) []byte {
	if p.shown {
		return append(dst, s...)
	}
	return appendHeaderBytes(dst, s)
}

// appendSent appends a value that is as it is sent.
func (p *headParts) appendSent(dst []byte, s string) []byte {
	if p.shown {
		return append(dst, latin1([]byte(s))...)
	}
	return append(dst, s...)
}

// isPlain says that the header is sent as results show it.
func (c *call) isPlain(p *headParts) bool {
	return plainBytes(c.lines.text) && plainText(p.to.host) && plainText(p.content.kind) &&
		plainText(p.conditional.modified) && plainText(p.conditional.etag)
}

// sendable says whether c can stand in a header as it is.
func sendable(c byte) bool { return c >= ' ' && c <= '~' || c == '\t' }

func plainBytes(s []byte) bool {
	for _, c := range s {
		if !sendable(c) {
			return false
		}
	}
	return true
}

func plainText(s string) bool {
	for i := range len(s) {
		if !sendable(s[i]) {
			return false
		}
	}
	return true
}

// appendHeaderBytes appends text in ISO-8859-1; what cannot stand in a header
// becomes a question mark, as in HttpClient.
func appendHeaderBytes(dst, s []byte) []byte {
	for i, c := range s {
		if !sendable(c) {
			return appendHeaderRunes(dst, string(s[i:]))
		}
		dst = append(dst, c)
	}
	return dst
}

func appendHeaderText(dst []byte, s string) []byte {
	for i := range len(s) {
		if !sendable(s[i]) {
			return appendHeaderRunes(dst, s[i:])
		}
		dst = append(dst, s[i])
	}
	return dst
}

func appendHeaderRunes(dst []byte, s string) []byte {
	for _, r := range s {
		switch {
		case r == '\n', r == '\r', r == '\v', r == '\f':
			dst = append(dst, ' ')
		case r > 0xFFFF: // two of Java's
			dst = append(dst, "??"...)
		case r == utf8.RuneError, r < ' ' && r != '\t', r > '~' && r < 0xA0, r > 0xFF:
			dst = append(dst, '?')
		default:
			dst = append(dst, byte(r))
		}
	}
	return dst
}
