package http

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// exchange makes the requests of one call.
type exchange struct {
	s     *sampler
	c     *call
	t     *vu.Thread
	u     *user
	label string // of every result before it becomes a part of another
	jar   *jar   // of the cookie manager; nil without one
	store *cacheStore
	dns   wire.Resolver
	body  *content

	varies bool   // the call is not the same for every sample
	asked  bool   // there was a request
	edits  *edits // of pre-processors

	// Several workers download at once: what evaluates texts or is shared by
	// them is then done one at a time.
	parallel bool
}

// request asks for to and fills r, with redirects and embedded resources as the
// sampler wants them. It is false when the cache has the answer and no result
// is wanted.
func (x *exchange) request(w *worker, r *jtl.Sample, to *address, method string, h hop, depth int) bool {
	if !x.one(w, r, to, method, h, depth) {
		return false
	}
	if r.Redirect || x.c.images {
		x.more(w, r, to, method, h, depth)
	}
	return true
}

// one makes a single request.
func (x *exchange) one(w *worker, r *jtl.Sample, to *address, method string, h hop, depth int) bool {
	if x.asked && x.varies {
		x.renew()
		if h == first && !x.parallel {
			x.body = nil // a body that goes with resources is made anew, too
		}
	}
	x.asked = true
	c := x.c
	r.Method, r.URL = method, to.text
	r.HTTP = true
	if !x.renames() {
		r.Label = to.text
	}
	switch {
	case to.syntax && !c.java:
		return failedAtOnce(r, to.bad)
	case !c.java && !token(method):
		return failedAtOnce(r, &wire.Error{Class: classArgument, Message: "Unexpected method: '" + method + "'"})
	case c.err != nil:
		return failedAtOnce(r, c.err)
	}
	if c.java && strings.Contains(to.text, "\n") {
		return failedAtOnce(r, malformed("Illegal character in URL"))
	}
	if c.java && !slices.Contains(javaMethods, method) {
		return failedAtOnce(r, &wire.Error{Class: "java.net.ProtocolException", Message: "Invalid HTTP method: " + method})
	}
	if c.java {
		if err := c.javaRefused(); err != nil {
			return failedAtOnce(r, err)
		}
	}
	p := &w.parts
	*p = headParts{to: to, asked: to, content: &w.none, body: c.hasBody(method, h)}
	p.proxy = c.proxyFor(to)
	switch {
	case to.host != "" || to.scheme == "file":
	case x.jar != nil:
		return failedAtOnce(r, &wire.Error{Class: classArgument, Message: "Host may not be blank"})
	case c.java:
		return failedAtOnce(r, to.bad)
	}
	if x.jar != nil && to.port < 0 && to.scheme != "http" && to.scheme != "https" {
		return failedAtOnce(r, &wire.Error{Class: classArgument, Message: "Port may not be negative"})
	}
	if err := x.consult(p); err != nil {
		return failedAtOnce(r, err)
	}
	if c.s.shows() {
		if r.Cookies = p.cookie; r.Cookies == "" {
			r.Cookies = c.ownCookie()
		}
	}
	now := time.Now()
	r.Start, r.End = now.UnixMilli(), 0
	if x.store != nil && strings.EqualFold(method, "GET") {
		x.lock()
		fresh, ok := x.store.fresh(r, p, c)
		x.unlock()
		if fresh {
			return ok
		}
	}
	if p.body {
		if err := x.content(); err != nil {
			return failedAtOnce(r, err)
		}
		p.content = x.body
	}
	if !c.java && to.unreachable() {
		if c.s.shows() && p.body {
			r.QueryString = c.shown(p.content)
		}
		return failedAtOnce(r, to.bad)
	}
	if err := x.converse(w, p, method); err != nil {
		return failedAtOnce(r, err)
	}
	if c.composed && to == c.to && h == first && p.cookie == "" && p.conditional == (conditional{}) && p.authorize == "" && p.proxyAuth == "" {
		w.req.Header = c.head
	} else {
		w.head = c.appendHead(w.head[:0], p)
		w.req.Header = w.head
	}
	x.send(w, r, to, method, p, now, c.md5 || depth > 0 && c.s.sh.embeddedMD5)
	return true
}

// consult asks the managers for what they add to a request. The error is one it
// fails with.
func (x *exchange) consult(p *headParts) error {
	x.lock()
	defer x.unlock()
	if x.store != nil {
		if x.store.m.size.Eval(x.t) < 0 {
			return &wire.Error{Class: classArgument, Message: "maximum size must not be negative"}
		}
		p.conditional = x.store.conditional(p, x.c)
	}
	if x.jar != nil {
		p.cookie = x.jar.header(p.to)
	}
	return nil
}

// renew evaluates the headers again: JMeter does so for each request, those for
// redirects and resources too.
func (x *exchange) renew() {
	x.lock()
	defer x.unlock()
	c := *x.c
	c.lines, c.expect, c.coded, c.closes, c.connection = lines{}, false, false, false, nil
	c.lines.fill(&x.s.headers, x.t, x.edits)
	c.heed()
	x.c = &c
}

func (x *exchange) lock() {
	if x.parallel {
		x.u.turn.Lock()
	}
}

func (x *exchange) unlock() {
	if x.parallel {
		x.u.turn.Unlock()
	}
}

// content builds the body once for a call.
func (x *exchange) content() error {
	switch {
	case x.body != nil:
		return nil
	case x.c.composed:
		x.body = &x.c.first
		return nil
	}
	if err := x.u.own.builder.content(x.c, x.t); err != nil {
		return err
	}
	x.body = &x.u.own.builder.out
	return nil
}

// send sends what is composed and takes in the response.
func (x *exchange) send(w *worker, r *jtl.Sample, to *address, method string, p *headParts, now time.Time, md5sum bool) {
	c := x.c
	if c.s.shows() && p.body && p.content.err == nil {
		r.QueryString = c.shown(p.content)
	}
	x.fill(&w.req, to, method, p)
	err := c.unsendable(to, p)
	var sink sink
	began := wire.Now()
	w.connected, w.cut = 0, false
	if err == nil {
		sink.open(w, r, c.s.keeps(c), md5sum, c.s.sh.maxStored)
		asked := p.body
		if to, err = x.deliver(w, to, method, p, &sink); c.java {
			err = w.javaWhole(err)
			p.body = asked // which results show, whatever a redirect made of it
		}
		sink.close(r, w.res.BodyLength > 0)
	} else {
		w.res = wire.Response{Start: began, End: began}
	}
	x.times(w, r, now.UnixNano()-began)
	if x.s.needs&elem.NeedRequestHeaders != 0 {
		r.RequestHeaders = x.sentHeaders(w, p, err)
	}
	if c.java && err != nil {
		host := to.bareHost()
		if p.proxy != nil {
			host = p.proxy.Host
		}
		err = javaError(err, host)
	}
	switch {
	case err == nil:
		x.take(w, r, to, method, &sink)
	case c.java && isClass(err, wire.ClassNotHTTP):
		takeUnknown(r)
	default:
		x.fail(w, r, err)
	}
	w.peek.end()
}

// fill makes req what the client is to send.
func (x *exchange) fill(req *wire.Request, to *address, method string, p *headParts) {
	c := x.c
	req.Method, req.Target, req.Scheme, req.Host, req.Port = method, c.target(p), to.scheme, c.host(to), max(to.port, 0)
	req.Body, req.Stream = nil, nil
	if p.body {
		req.Body, req.Stream = p.content.body, p.content.stream
	}
	req.KeepAlive = c.keepAlive && !c.closes && (c.connection == nil || c.java)
	req.ExpectContinue = c.expect && p.body
	req.ConnectTimeout, req.ResponseTimeout = c.connect, c.response
	req.Proxy, req.Source, req.Resolver, req.TLS, req.Version = p.proxy, c.source, x.dns, c.s.sh.tls, c.version
	req.Origin = ""
}

// host is what the implementation at hand connects to.
func (c *call) host(to *address) string {
	if c.java {
		return to.host
	}
	return to.spelled()
}

// target is what stands on the request line for p.to. HttpClient leaves slashes as
// they are where a proxy is asked.
func (c *call) target(p *headParts) string {
	switch {
	case c.java:
		return javaTarget(p.to)
	case p.forwarded() && strings.Contains(p.to.file, "//"):
		return requestTarget(p.to.file, false)
	}
	return p.to.target
}

// unsendable is what the implementation at hand finds wrong with a request before
// it connects.
func (c *call) unsendable(to *address, p *headParts) error {
	switch {
	case to.bad != nil && !(c.java && to.syntax):
		return to.bad
	case c.java && p.content.err != nil:
		return p.content.err
	case p.proxy != nil && !c.java && strings.ContainsFunc(p.proxy.Host, unicode.IsSpace):
		return &wire.Error{Class: classArgument, Message: "Host name may not contain blanks"}
	case p.proxy != nil && !c.java && !slices.Contains(proxySchemes, p.proxy.Scheme):
		return &wire.Error{Class: classScheme, Message: p.proxy.Scheme + " protocol is not supported"}
	case c.coded && p.body:
		return &wire.Error{Class: classProtocol, NoMessage: true} // HttpClient sets it itself, or fails
	}
	return nil
}

// times takes over the times of a response; clock is what to add to its clock's for
// that of the world.
func (x *exchange) times(w *worker, r *jtl.Sample, clock int64) {
	ms := func(mono int64) int64 { return (mono + clock) / int64(time.Millisecond) }
	res := &w.res
	r.End = ms(res.End)
	r.Elapsed = r.End - r.Start
	if w.connected != 0 && !x.c.java {
		r.Connect = ms(w.connected) - r.Start
	}
	if res.FirstByte != 0 && res.HasBody {
		r.Latency = ms(res.FirstByte) - r.Start
	}
}

// sentHeaders are the request's headers as a result shows them.
func (x *exchange) sentHeaders(w *worker, p *headParts, err error) string {
	if x.c.java {
		return x.c.javaShown(p)
	}
	if err != nil && w.res.BytesSent == 0 && p.authorize+p.proxyAuth != "" { // HttpClient sets these on the connection
		p.authorize, p.proxyAuth = "", ""
		w.head = x.c.appendHead(w.head[:0], p)
		w.req.Header = w.head
	}
	var text string
	if x.c.isPlain(p) || w.res.ConnectHeader != nil {
		text = latin1(shownHeaders(w.sentHeader(w.req.Header)))
	} else { // as JMeter has it before it is sent
		p.shown = true
		text = string(shownHeaders(w.sentHeader(x.c.appendHead(nil, p))))
		p.shown = false
	}
	if local := x.c.s.sh.localAddress; local != "" && err == nil {
		text += "X-LocalAddress: /" + local + "\n"
	}
	return text
}

// fail makes r the result of an exception.
func (x *exchange) fail(w *worker, r *jtl.Sample, err error) {
	if errors.Is(err, errNoPrincipal) || errors.Is(err, errNoRealm) || isClass(err, classArgument) && !x.c.java ||
		x.c.connection != nil && errors.Is(err, x.c.connection) {
		r.RequestHeaders = "" // of exceptions of this kind JMeter shows none
	}
	failed(r, err)
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		x.t.Run.OutOfFiles()
	}
	if kind := w.res.ContentType(); w.cut && w.res.HasBody && kind != nil && !x.c.java {
		_, r.Encoding = w.known.typeOf(kind)
	}
}

// deliver makes the exchange, and repeats it where the server or a proxy asks
// for credentials or where redirects are part of the sample. It returns the
// address that answered.
func (x *exchange) deliver(w *worker, to *address, method string, p *headParts, s *sink) (*address, error) {
	start := to
	var been map[string]bool
	redirected := 0
	for {
		err := x.u.clientOf(w, x.c, x.s.sh, x.t).Do(&w.req, &w.res, s.writer())
		if w.res.Connected != 0 {
			w.connected = w.res.Connected // the last new connection counts
		}
		if err != nil {
			w.cut = true
			return to, err
		}
		if x.c.connection != nil && !x.c.java {
			return to, x.c.connection
		}
		if x.c.java && w.res.FromProxy {
			return to, w.tunnelRefused()
		}
		again, err := x.heed(w, p, method)
		switch {
		case err != nil:
			return to, err
		case again:
		case x.c.auto && (!x.c.java && w.redirects(method) || x.c.java && w.javaRedirects(to)):
			location := w.firstHeader("Location")
			if location == nil {
				return to, &wire.Error{Class: classProtocol, NoMessage: true}
			}
			var next *address
			if x.c.java {
				next, err = resolveAddress(to, latin1(w.header("Location")), true)
			} else {
				next, err = followed(to, latin1(location))
			}
			if x.c.java && err == nil {
				if redirected++; redirected >= javaMaxRedirects {
					return to, &wire.Error{Class: "java.net.ProtocolException", Message: "Server redirected too many  times (" + strconv.Itoa(javaMaxRedirects) + ")"}
				}
			} else if err != nil || next.syntax || been[next.text] || len(been) >= x.s.sh.autoRedirects() {
				return to, &wire.Error{Class: classProtocol, NoMessage: true, Cause: err}
			}
			if been == nil {
				been = map[string]bool{}
			}
			been[next.text] = true
			if next.bad != nil && !(x.c.java && next.syntax) {
				if !next.unreachable() {
					p.to, p.body = next, false
					w.head = x.c.appendHead(w.head[:0], p)
					w.req.Header = w.head
				}
				return next, next.bad
			}
			if x.c.redirectsByGet(method, w.res.Status) {
				method, p.body = "GET", false
				w.req.Body, w.req.Stream, w.req.ExpectContinue = nil, nil, false
			}
			w.talk.redirected(to, next)
			to, p.to = next, next
			p.proxy = x.c.proxyFor(to)
			w.req.Proxy = p.proxy
			x.lock()
			err = x.volunteer(w, p, method)
			x.unlock()
			if err != nil {
				return to, err
			}
			if w.req.Origin = ""; !x.c.java && server(to) != server(start) { // JMeter has an HttpClient for each server that a sample asks
				w.req.Origin = server(start)
			}
			w.req.Method, w.req.Target, w.req.Scheme, w.req.Host, w.req.Port = method, x.c.target(p), to.scheme, x.c.host(to), max(to.port, 0)
		default:
			return to, nil
		}
		w.head = x.c.appendHead(w.head[:0], p)
		w.req.Header = w.head
	}
}

// firstHeader is the value of the first response header of that name.
func (w *worker) firstHeader(name string) (value []byte) {
	w.res.Each(func(n, v []byte) bool {
		if equalFold(n, name) {
			value = v
			return false
		}
		return true
	})
	return value
}

// redirects says whether HttpClient's LaxRedirectStrategy follows the response; it
// looks for a place to go only with 302.
func (w *worker) redirects(method string) bool {
	switch w.res.Status {
	case 303:
		return true
	case 301, 302, 307, 308:
		switch method {
		case "GET", "HEAD", "POST", "DELETE":
			return w.res.Status != 302 || w.header("Location") != nil
		}
	}
	return false
}

// redirectsByGet says whether the target of a redirect inside a sample is asked for
// by GET and without a body.
func (c *call) redirectsByGet(method string, status int) bool {
	if c.java {
		return method == "POST" && status != 307
	}
	return method != "HEAD" && status != 307 && status != 308
}

// take reads the response into the result.
func (x *exchange) take(w *worker, r *jtl.Sample, to *address, method string, s *sink) {
	res := &w.res
	kind := res.ContentType()
	if kind != nil {
		r.DataType, r.Encoding = w.known.typeOf(kind)
		if r.Encoding == "" && isHTML(kind) {
			r.Encoding = charsetInPage(s.start())
		}
	}
	status := res.Status
	r.Code = codeText(status)
	r.Message = w.known.reasonText(res.Reason())
	if status == wire.NoCode {
		var err error
		if status, err = codeInReason(r.Message); err != nil {
			r.RequestHeaders = ""
			failed(r, err)
			return
		}
		if r.Code = "(null)"; status != wire.NoCode {
			r.Code = codeText(status)
		}
	}
	r.Success = status >= 200 && status < 400
	if x.s.needs&elem.NeedResponseHeaders != 0 {
		if r.ResponseHeaders = string(res.AppendHead(nil)); x.c.java {
			r.ResponseHeaders = latin1(res.Head())
		}
	}
	if isRedirect(status, method) || status == 307 && x.c.follow {
		location := w.header("Location")
		if location == nil && isRedirect(status, method) && !x.c.java {
			failed(r, &wire.Error{Class: classArgument, Message: "Missing location header in redirect for " + method + " " + escapeOthers(to.text) + " HTTP/1.1"})
			return
		}
		r.Redirect, r.RedirectLocation = location != nil, latin1(location)
	}
	if r.URL = to.text; x.c.auto && !x.c.java {
		r.URL = to.asked()
	}
	r.HeaderSize = res.HeaderSize
	r.BodySize = res.BodySize()
	if x.c.java {
		r.BodySize = res.PayloadSize
		if res.Status >= 400 {
			r.BodySize = 0
		}
	} else {
		r.SentBytes = res.BytesSent
	}
	sizes(r, s.stored(res.BodyLength))
	x.lock()
	defer x.unlock()
	if x.jar != nil {
		res.Each(func(name, value []byte) bool {
			if equalFold(name, "Set-Cookie") {
				x.jar.set(x.t, latin1(value), to)
			}
			return true
		})
	}
	if x.store != nil {
		if err := x.store.save(w, r.URL, r.Method); err != nil {
			failed(r, err)
		}
	}
}

// sizes sets the bytes of a result: JMeter takes the length of the body where
// the size on the wire is 0.
func sizes(r *jtl.Sample, stored int64) {
	r.Bytes = r.HeaderSize + r.BodySize
	if r.BodySize == 0 {
		r.Bytes += stored
	}
}

// isRedirect says whether JMeter takes a status for a redirect.
func isRedirect(status int, method string) bool {
	switch status {
	case 301, 302, 303, 308:
		return true
	case 307:
		return method == "GET" || method == "HEAD"
	}
	return false
}

// token says whether s can be a method (RFC 9110, section 9.1).
func token(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// codes are the texts of status codes, so that none has to be made.
var codes = func() (c [600]string) {
	for i := range c {
		c[i] = strconv.Itoa(i)
	}
	return
}()

func codeText(status int) string {
	if 0 <= status && status < len(codes) {
		return codes[status]
	}
	return strconv.Itoa(status)
}

// shows says whether somebody reads what was sent.
func (s *sampler) shows() bool { return s.needs&elem.NeedSamplerData != 0 }

// keeps says whether somebody reads the body.
func (s *sampler) keeps(c *call) bool { return s.needs&elem.NeedBody != 0 || c.images || c.md5 }

// shown is a body as results show it.
func (c *call) shown(b *content) string {
	if b.shown != "" || b.stream != nil {
		return b.shown
	}
	return string(b.body)
}

// ownCookie is the Cookie header of a header manager, with more of them as JMeter
// shows them.
func (c *call) ownCookie() string {
	var all string
	for i := c.lines.find("Cookie", 0); i >= 0; i = c.lines.find("Cookie", i+1) {
		if all != "" {
			all += "\n" + string(c.lines.name(i)) + ": "
		}
		all += string(c.lines.value(i))
	}
	return trimControls(all)
}

// shownHeaders are the request's headers as results show them: without Cookie.
func shownHeaders(head []byte) []byte {
	var out []byte
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte("\r\n")) // a line feed may be part of a value
		if head = rest; len(line) < 7 || !equalFold(line[:7], "Cookie:") {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}

// header is the last response header of that name, which counts for JMeter; nil
// when there is none.
func (w *worker) header(name string) (value []byte) {
	w.res.Each(func(n, v []byte) bool {
		if equalFold(n, name) {
			value = v
		}
		return true
	})
	return value
}
