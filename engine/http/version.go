package http

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/http/wire"
)

// propVersion is gojm's property for the version of HTTP. JMeter 5.6.3 speaks
// HTTP/1.1 only; its httpclient.version changes nothing there, nor here.
const propVersion = "gojm.http.version"

// implementationHTTP2 is gojm's value of HTTPSampler.implementation, of a sampler
// or of HTTP Request Defaults, beside JMeter's: HTTP/2 where an https server
// wants it. JMeter fails such a sampler.
const implementationHTTP2 = "HTTP/2"

// versions are the values of gojm.http.version.
var versions = map[string]wire.Version{
	"":    wire.HTTP1,
	"1.1": wire.HTTP1,
	// Offered to https servers, which choose; http stays with HTTP/1.1.
	"2": wire.HTTP2Offered,
	// Taken for granted, by http too.
	"2-prior-knowledge": wire.HTTP2Known,
}

// readVersion is the version that samplers use. Requests and results are as for
// HTTP/1.1, but for the status line, which is "HTTP/2 200", and the response
// message, which is empty, since HTTP/2 has no reason phrases. Sizes are those
// of headers as text and of bodies, before HTTP/2 compresses the headers.
func readVersion(p *elem.Props) wire.Version {
	text := p.Property(propVersion, "1.1")
	v, ok := versions[text]
	if !ok {
		p.Refuse("property", propVersion, "%q is none of 1.1, 2 and 2-prior-knowledge", text)
	}
	return v
}

// sentHeader is the request's header as it was sent.
func (w *worker) sentHeader() []byte {
	if w.res.Version < 2 {
		return w.req.Header
	}
	return wire.AppendHTTP2Header(nil, w.req.Header)
}
