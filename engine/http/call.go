package http

import (
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// call is what one sample asks for, evaluated.
type call struct {
	s          *sampler
	args       []argument
	files      []file
	method     string
	to         *address
	charset    *java.Charset // nil for one that Java does not know
	encoding   string        // its name as in the plan
	follow     bool
	auto       bool
	keepAlive  bool
	multipart  bool
	browser    bool
	raw        bool // the arguments are the body
	version    wire.Version
	java       bool // the other of JMeter's two implementations
	images     bool
	md5        bool
	pool       int // downloads at once; 1 is one after the other
	allow      string
	exclude    string
	connect    time.Duration
	response   time.Duration
	proxy      *wire.Proxy
	source     wire.Source
	sourced    bool
	lines      lines
	expect     bool  // one of them is Expect: 100-continue
	closes     bool  // one of them is Connection: close
	connection error // what HttpClient makes of a Connection that is no list of words
	coded      bool  // one of them is Transfer-Encoding
	err        error // what JMeter throws before it has made a request
	named      bool  // and the result has a name all the same

	// first is the first request's content and header when they are the same
	// for every sample.
	composed bool
	first    content
	head     []byte

	url []byte // being put together
}

// fill evaluates the sampler for thread t.
func (c *call) fill(s *sampler, t *vu.Thread, e *edits, st *state) {
	*c = call{s: s, version: s.sh.version, lines: c.lines, files: c.files[:0], url: c.url[:0], args: s.arguments(e)}
	get := func(p prop) string { return s.value(t, e, p) }
	is := func(p prop) bool { return isTrue(get(p)) }
	number := func(p prop) int {
		n, _ := vu.ParseInt(get(p))
		return int(n)
	}
	c.method = get(propMethod)
	if c.encoding = get(propEncoding); c.encoding == "" {
		c.encoding = "UTF-8"
	}
	c.charset = charsetOf(c.encoding)
	c.follow, c.auto, c.keepAlive = is(propFollow), is(propAuto), is(propKeepAlive)
	c.browser, c.images, c.md5 = is(propBrowser), is(propImages), is(propMD5)
	c.connect = time.Duration(max(0, number(propConnectTimeout))) * time.Millisecond
	c.response = time.Duration(max(0, number(propResponseTimeout))) * time.Millisecond
	c.pool = 1
	if c.images {
		c.allow, c.exclude = get(propAllow), get(propExclude)
		if is(propConcurrent) {
			c.pool = 6
			if n, ok := vu.ParseInt(get(propPool)); ok {
				c.pool = int(n)
			}
		}
	}
	c.fillFiles(t, get)
	c.raw = is(propRaw) || nameless(c.args, t)
	c.multipart = is(propMultipart) || c.partFiles(t)
	c.lines.fill(&s.headers, t, e)
	c.heed()
	c.address(t, get, st)
	switch impl := get(propImplementation); {
	case impl == "":
		c.java = isJava(s.sh.implementation)
	case isJava(impl):
		c.java = true
	case implementations[impl] != wire.HTTP1:
		c.version = max(c.version, implementations[impl])
	case impl != "HttpClient4" && impl != "HttpClient3.1":
		c.to, c.named = nil, true
		c.err = &wire.Error{Class: classArgument, Message: "Unknown implementation type: '" + impl + "'"}
	}
	if c.to == nil || c.err != nil {
		return
	}
	if c.java { // which knows less of proxies, and no source address
		c.proxy = javaProxy(get(propProxyHost), number(propProxyPort))
		return
	}
	c.proxy = s.sh.newProxy(get(propProxyScheme), get(propProxyHost), number(propProxyPort), get(propProxyUser), get(propProxyPass))
	if name := get(propSource); strings.TrimSpace(name) != "" {
		c.source, c.err = wire.ParseSource(s.sh.wire.Resolver, wire.SourceType(number(propSourceType)), name)
		c.sourced = true
	} else if name := s.sh.localAddress; name != "" {
		c.source, c.err = wire.ParseSource(s.sh.wire.Resolver, wire.SourceHost, name)
	}
}

func isJava(name string) bool { return name == "Java" || name == "HTTPSampler" }

// charsetOf is Charset.forName, nil for one that does not exist.
func charsetOf(name string) *java.Charset {
	c, ok := java.LookupCharset(name)
	if !ok {
		return nil
	}
	return c
}

// address puts the URL together, or reuses the one before if it is the same.
func (c *call) address(t *vu.Thread, get func(prop) string, st *state) {
	path := strings.ReplaceAll(get(propPath), " ", "%20")
	if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
		if st != nil && st.last != nil && st.whole == path {
			c.to = st.last
			return
		}
		if c.to, c.err = parseAddress(path, true); st != nil {
			st.last, st.whole = c.to, path
		}
		return
	}
	scheme := strings.ToLower(get(propProtocol))
	if scheme == "" {
		scheme = "http"
	}
	if _, known := schemes[scheme]; !known {
		c.err = malformed("unknown protocol: " + scheme)
		return
	}
	b := append(append(c.url[:0], scheme...), ':')
	host, port := len(b), 0
	end := host
	if scheme != "file" {
		domain := get(propDomain)
		if port = explicitPort(get(propPort), scheme); port < 0 {
			c.err = malformed("Invalid port number :" + strconv.Itoa(port))
			return
		}
		if domain != "" || port != 0 {
			b = append(b, "//"...)
		}
		host = len(b)
		if strings.IndexByte(domain, ':') >= 0 && !strings.HasPrefix(domain, "[") {
			b = append(append(append(b, '['), domain...), ']')
		} else {
			b = append(b, domain...)
		}
		if end = len(b); port != 0 {
			b = strconv.AppendInt(append(b, ':'), int64(port), 10)
		}
	}
	if port == 0 {
		port = -1
	}
	file := len(b)
	if scheme != "file" && !strings.HasPrefix(path, "/") {
		b = append(b, '/')
	}
	b = append(b, path...)
	switch c.method {
	case "GET", "DELETE", "OPTIONS":
		sep := byte('?')
		if strings.IndexByte(path, '?') >= 0 {
			sep = '&'
		}
		charset := c.charset
		if strings.TrimSpace(c.encoding) == "" { // no charset for a body, none at all for a query
			charset = charsetOf("UTF-8")
		}
		b = appendQuery(b, c.args, t, charset, sep)
	}
	c.url = b
	if st.knows(b) {
		c.to = st.last
		return
	}
	url := string(b)
	c.to, c.err = takeApart(url, scheme, url[host:end], port, url[file:], true)
	st.learn(c.to)
}

// knows says whether the sampler's last address has that URL.
func (st *state) knows(url []byte) bool {
	return st != nil && st.last != nil && string(url) == st.last.text
}

func (st *state) learn(a *address) {
	if st != nil && a != nil {
		st.last = a
	}
}

// heed looks for headers that change how the request is sent.
func (c *call) heed() {
	var connection []string
	for i := range c.lines.list {
		switch name, value := c.lines.name(i), c.lines.value(i); {
		case equalFold(name, "Expect"):
			c.expect = c.expect || equalFold(value, "100-continue")
		case equalFold(name, "Connection"):
			connection = append(connection, string(value))
		case equalFold(name, "Transfer-Encoding"):
			c.coded = !c.java
		}
	}
	if connection != nil {
		own := "close"
		if c.keepAlive {
			own = "keep-alive"
		}
		c.closes, c.connection = asksToClose(append([]string{own}, connection...))
	}
}

// asksToClose looks for the word close in the values of Connection. It fails
// over what is no list of words, as HttpClient's BasicTokenIterator does, which is
// one word ahead.
func asksToClose(values []string) (closes bool, err error) {
	ahead := "" // the word at hand, before which the one behind it is looked for
	for _, v := range values {
		for at := 0; ; {
			at += len(v[at:]) - len(strings.TrimLeft(v[at:], ", \t"))
			if at == len(v) {
				break
			}
			end := at
			for end < len(v) && strings.IndexByte(notInWords, v[end]) < 0 {
				end++
			}
			if end == at {
				return false, noList("Invalid character before token", at, v)
			}
			if strings.EqualFold(ahead, "close") {
				return true, nil
			}
			ahead, at = v[at:end], end
			at += len(v[at:]) - len(strings.TrimLeft(v[at:], " \t"))
			switch {
			case at == len(v) || v[at] == ',':
			case strings.IndexByte(notInWords, v[at]) < 0:
				return false, noList("Tokens without separator", at, v)
			default:
				return false, noList("Invalid character after token", at, v)
			}
		}
	}
	return strings.EqualFold(ahead, "close"), nil
}

func noList(what string, at int, value string) error {
	return &wire.Error{Class: "org.apache.http.ParseException", Message: what + " (pos " + strconv.Itoa(at) + "): " + value}
}

// notInWords are the characters that end a word in a header.
const notInWords = " ,;=()<>@:\\\"/[]{}?\t"

// explicitPort is the port as the URL shows it, 0 for the default of the
// protocol, which is also meant by a text that is no number.
func explicitPort(s, scheme string) int {
	n, _ := vu.ParseInt(strings.TrimSpace(s))
	if scheme == "http" && n == 80 || scheme == "https" && n == 443 || n == -1 {
		return 0
	}
	return int(n)
}

// compose prepares the first request of a call that is the same every time.
func (c *call) compose(t *vu.Thread) {
	if c.err != nil || c.to == nil || c.charset == nil {
		return
	}
	c.composed = true
	if c.hasBody(c.method, first) {
		var b builder
		if b.content(c, t) != nil {
			c.composed = false
			return
		}
		c.first = b.out
		c.first.body = append([]byte(nil), b.out.body...)
	}
	c.head = c.appendHead(nil, &headParts{to: c.to, asked: c.to, content: &c.first, proxy: c.proxyFor(c.to), body: c.hasBody(c.method, first)})
}

// hop says what a request is part of.
type hop uint8

const (
	first    hop = iota // the sample itself, or an embedded resource
	redirect            // the target of a redirect, without a body
	resend              // the target of a redirect that keeps method and body
)

// hasBody says whether a request has a body (JMeter: an entity), which may be
// empty.
func (c *call) hasBody(method string, h hop) bool {
	if c.java {
		return c.javaBody(method, h)
	}
	switch method {
	case "HEAD", "TRACE", "OPTIONS":
		return false
	case "GET":
		return h != redirect && (c.raw || c.fileIsBody())
	}
	return true
}
