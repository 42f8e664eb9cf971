package http

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/http/wire"
)

// propVersion is gojm's property for the version of HTTP. JMeter 5.6.3 speaks
// HTTP/1.1 only; its httpclient.version changes nothing there, nor here.
const propVersion = "gojm.http.version"

// implementations are gojm's values of HTTPSampler.implementation, of a sampler or
// of HTTP Request Defaults, beside JMeter's, and the least that each makes of the
// property. JMeter fails such a sampler.
var implementations = map[string]wire.Version{
	"HTTP/2": wire.HTTP2Offered,
	"HTTP/3": wire.HTTP3Known,
}

// versions are the values of gojm.http.version.
var versions = map[string]wire.Version{
	"":    wire.HTTP1,
	"1.1": wire.HTTP1,
	// Offered to https servers, which choose; http stays with HTTP/1.1.
	"2": wire.HTTP2Offered,
	// Taken for granted, by http too.
	"2-prior-knowledge": wire.HTTP2Known,
	// Taken for granted by https; http, and what goes through a proxy, stays with
	// HTTP/1.1.
	"3": wire.HTTP3Known,
}

// readVersion is the version that samplers use. Requests and results are as for
// HTTP/1.1, but for the status line, which is "HTTP/2 200" or "HTTP/3 200", and the
// response message, which is empty, since these have no reason phrases. Sizes are
// those of headers as text and of bodies, before the headers are compressed.
func readVersion(p *elem.Props, o *wire.Options) wire.Version {
	text := p.Property(propVersion, "1.1")
	v, ok := versions[text]
	if !ok {
		p.Refuse("property", propVersion, "%q is none of 1.1, 2, 2-prior-knowledge and 3", text)
	}
	if v == wire.HTTP3Known && o.HTTPSRate > 0 {
		p.Refuse("property", "httpclient.socket.https.cps", "a connection of HTTP/3 has no such bound")
	}
	return v
}

// sentHeader is the header of the request that went out last, for which head was
// composed.
func (w *worker) sentHeader(head []byte) []byte {
	switch {
	case w.res.ConnectHeader != nil:
		return w.res.ConnectHeader
	case w.res.Version < 2:
		return head
	}
	return wire.AppendHTTP2Header(nil, head)
}
