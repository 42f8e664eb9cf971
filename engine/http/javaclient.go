package http

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/jtl"
)

// This file is what differs when a sampler asks for JMeter's Java
// implementation, which is java.net.HttpURLConnection.

const (
	javaAgent  = "Java/17.0.15"
	javaAccept = "text/html, image/gif, image/jpeg, */*; q=0.2"
)

// javaMaxRedirects is how many redirects HttpURLConnection follows.
const javaMaxRedirects = 20

// javaMethods are those that HttpURLConnection takes.
var javaMethods = []string{"GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"}

// property is a header as HttpURLConnection is given it.
type property struct{ name, value string }

// javaProperties are the headers that JMeter sets, in that order: Connection,
// those of the header managers, conditional ones, Cookie, and what describes
// the body. In Java these may hold Host and others that are its own, since
// JMeter's system.properties allows that.
func (c *call) javaProperties(p *headParts) []property {
	list := []property{{"Connection", "keep-alive"}}
	if !c.keepAlive {
		list[0].value = "close"
	}
	set := func(name, value string) {
		if i := findProperty(list, name); i >= 0 {
			list[i].value = value
			return
		}
		list = append(list, property{name, value})
	}
	for i := range c.lines.list {
		list = append(list, property{string(c.lines.name(i)), string(c.lines.value(i))})
	}
	if p.conditional.isModified {
		list = append(list, property{"If-Modified-Since", p.conditional.modified})
	}
	if p.conditional.isEtag {
		list = append(list, property{"If-None-Match", p.conditional.etag})
	}
	if p.cookie != "" {
		set("Cookie", p.cookie)
	}
	if p.authorize != "" {
		set("Authorization", p.authorize)
	}
	if p.body {
		given := findProperty(list, "Content-Type")
		if kind := p.content.kind; kind != "" && (p.content.multipart || given < 0 || list[given].value == "") {
			set("Content-Type", kind)
		}
		if p.content.size >= 0 {
			set("Content-Length", strconv.FormatInt(p.content.size, 10))
		}
	}
	return list
}

func findProperty(list []property, name string) int {
	return slices.IndexFunc(list, func(h property) bool { return strings.EqualFold(h.name, name) })
}

// appendJavaHead is appendHead for the Java implementation: what JMeter sets, and
// then what HttpURLConnection adds, all as it is, in UTF-8 (Java's file.encoding).
func (c *call) appendJavaHead(dst []byte, p *headParts) []byte {
	list := c.javaProperties(p)
	add := func(name, value string) {
		if findProperty(list, name) < 0 {
			list = append(list, property{name, value})
		}
	}
	add("User-Agent", javaAgent)
	add("Host", string(p.to.appendPort([]byte(p.to.host))))
	add("Accept", javaAccept)
	if p.forwarded() {
		add("Proxy-Connection", "keep-alive")
	}
	if p.proxyAuth != "" {
		add("Proxy-Authorization", p.proxyAuth)
	}
	if p.body && c.method != "PUT" {
		add("Content-type", typeForm)
	}
	for _, h := range list {
		dst = append(append(append(append(dst, h.name...), ": "...), h.value...), "\r\n"...)
	}
	return dst
}

// javaRefused is how HttpURLConnection fails when it is given a header that is none:
// a name with a colon or a line feed, a value with a line feed that no blank follows.
func (c *call) javaRefused() error {
	for i := range c.lines.list {
		name, value := c.lines.name(i), c.lines.value(i)
		if bytes.ContainsAny(name, ":\n") {
			return &wire.Error{Class: classArgument, Message: "Illegal character(s) in message header field: " + string(name)}
		}
		for at := range value {
			if value[at] == '\n' && (at == len(value)-1 || value[at+1] != ' ' && value[at+1] != '\t') {
				return &wire.Error{Class: classArgument, Message: "Illegal character(s) in message header value: " + string(value)}
			}
		}
	}
	return nil
}

// javaShown are the request's headers as results show them: only those that
// JMeter sets, in the order of a Java HashMap, of one name the last first, and
// Authorization at the end.
func (c *call) javaShown(p *headParts) string {
	list := c.javaProperties(p)
	slices.Reverse(list)
	list = slices.DeleteFunc(list, func(h property) bool {
		return strings.EqualFold(h.name, "Cookie") || strings.EqualFold(h.name, "Authorization") || strings.EqualFold(h.name, "Proxy-Authorization")
	})
	first := func(name string) int { return slices.IndexFunc(list, func(h property) bool { return h.name == name }) }
	at := make(map[string]int, len(list))
	for _, h := range list {
		at[h.name] = first(h.name)
	}
	slices.SortStableFunc(list, func(a, b property) int {
		return cmp.Or(cmp.Compare(bucket(a.name, len(at)), bucket(b.name, len(at))), cmp.Compare(at[a.name], at[b.name]))
	})
	var out []byte
	if p.authorize != "" {
		list = append(list, property{"Authorization", p.authorize})
	}
	for _, h := range list {
		out = append(append(append(append(out, h.name...), ": "...), h.value...), '\n')
	}
	return string(out)
}

// bucket is where a HashMap that has grown to n entries keeps a name.
func bucket(name string, n int) uint32 {
	places := uint32(16)
	for n > int(places)/4*3 {
		places *= 2
	}
	h := uint32(0)
	for _, r := range name {
		h = 31*h + uint32(r)
	}
	return (h ^ h>>16) & (places - 1)
}

// javaTarget is what stands on the request line: path and query as they are
// typed, illegal characters too.
func javaTarget(to *address) string {
	if strings.HasPrefix(to.file, "/") {
		return to.file
	}
	return "/" + to.file
}

// javaRedirects says whether HttpURLConnection follows the response, which it
// does within a protocol.
func (w *worker) javaRedirects(to *address) bool {
	status := w.res.Status
	if status < 300 || status > 307 || status == 304 || status == 306 {
		return false
	}
	location := w.header("Location")
	if location == nil {
		return false
	}
	next, err := resolveAddress(to, latin1(location), false)
	return err == nil && next.scheme == to.scheme
}

// javaWhole takes a body that is not what its encoding says for none, as JMeter
// does.
func (w *worker) javaWhole(err error) error {
	if res := &w.res; res.Undecoded && res.Status < 400 {
		res.PayloadSize = 0
		return nil
	}
	return err
}

// javaOptions are those of a client that behaves as HttpURLConnection: it asks
// once more when there was no response, whatever the method, and gives an idle
// connection five seconds where the server does not say how long.
func javaOptions(o wire.Options) wire.Options {
	o.TimeToLive, o.ValidateAfter, o.IdleTimeout = 0, 0, 5*time.Second
	o.Retries, o.RetrySent, o.URLConnection = 1, true, true
	return o
}

// javaError words an error as java.net does.
func javaError(err error, host string) error {
	var e *wire.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Class {
	case "org.apache.http.conn.HttpHostConnectException":
		return &wire.Error{Class: "java.net.ConnectException", Message: "Connection refused", Cause: err}
	case "org.apache.http.conn.ConnectTimeoutException":
		return &wire.Error{Class: "java.net.SocketTimeoutException", Message: "Connect timed out", Cause: err}
	case "org.apache.http.NoHttpResponseException":
		return &wire.Error{Class: "java.net.SocketException", Message: "Unexpected end of file from server", Cause: err}
	case "java.net.UnknownHostException":
		return &wire.Error{Class: e.Class, Message: host, Cause: err}
	}
	return err
}

// tunnelRefused is what HttpURLConnection makes of a proxy's answer to CONNECT.
func (w *worker) tunnelRefused() error {
	return &wire.Error{Class: "java.io.IOException", Message: `Unable to tunnel through proxy. Proxy returns "` + latin1(w.res.StatusLine()) + `"`}
}

// codeInReason is where JMeter looks for a code when the status line has none in its
// place: in the first three characters of what stands there for a reason.
func codeInReason(reason string) (int, error) {
	letters := []rune(reason)
	if len(letters) < 3 {
		return 0, &wire.Error{Class: "java.lang.StringIndexOutOfBoundsException", Message: "begin 0, end 3, length " + strconv.Itoa(len(letters))}
	}
	code, err := strconv.Atoi(string(letters[:3]))
	if err != nil {
		return wire.NoCode, nil
	}
	return code, nil
}

// takeUnknown makes r the result of a server that spoke something else: JMeter
// finds neither code nor body.
func takeUnknown(r *jtl.Sample) {
	const line = "unknown/unknown"
	r.Code, r.Message, r.ResponseHeaders = "(null)", line, line+"\n"
	r.DataType, r.Success, r.Body = "text", false, r.Body[:0]
	r.HeaderSize = int64(len(line) + len("\r\n\r\n"))
	sizes(r, 0)
}

func init() {
	elem.Register[oldSampler](elem.Spec{
		Class: "HTTPSampler_", Title: "HTTP Request (Java)", Kind: elem.KindSampler, Status: elem.Full, Merge: merged,
	})
}

// oldSampler is the class of old plans that always was the Java implementation.
type oldSampler struct{ sampler }

func (s *oldSampler) Props(p *elem.Props) {
	s.sampler.Props(p)
	s.text[propImplementation] = expr.Const("Java")
}

var _ elem.Sampler = (*oldSampler)(nil)
