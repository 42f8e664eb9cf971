package wire

// Version says by which version of HTTP a request may travel. Requests with
// different values do not share connections.
type Version uint8

const (
	// HTTP1 is HTTP/1.1, as in JMeter.
	HTTP1 Version = iota
	// HTTP2Offered offers HTTP/2 (RFC 9113) to https servers, which choose
	// (ALPN, RFC 7301); http stays with HTTP/1.1.
	HTTP2Offered
	// HTTP2Known speaks HTTP/2 to whatever answers, by http too (prior
	// knowledge). Only a proxy that forwards http requests gets HTTP/1.1.
	HTTP2Known
	// HTTP3Known speaks HTTP/3 (RFC 9114) to https servers, without asking for
	// it by HTTP/1.1 before. http stays with HTTP/1.1, and so does what goes
	// through a proxy.
	HTTP3Known
)

// mayHTTP2 says whether the connection for r may turn out to speak HTTP/2.
func (r *Request) mayHTTP2() bool {
	switch r.Version {
	case HTTP2Offered:
		return r.secure()
	case HTTP2Known:
		return r.secure() || !r.Proxy.forwards()
	}
	return false
}

// isHTTP3 says whether r goes by HTTP/3.
func (r *Request) isHTTP3() bool {
	return r.Version == HTTP3Known && r.secure() && r.Proxy == nil
}

// protocols are those to offer in the TLS handshake.
func (r *Request) protocols() []string {
	switch r.Version {
	case HTTP2Offered:
		return []string{"h2", "http/1.1"}
	case HTTP2Known:
		return []string{"h2"}
	}
	return nil
}
