package wire

import (
	"io"
	"strconv"
	"strings"
	"time"
)

// Request says where to connect and what to send. The caller reuses it; Do
// keeps nothing of it but what tells connections apart: Host, Proxy, TLS.
type Request struct {
	Method string // as it stands on the request line, any case

	// Target is the path and query of the request line, "/" at least. For a
	// plain HTTP request through an HTTP proxy Do puts "http://host:port" in
	// front of it, without the port where it is the default.
	Target string

	// Scheme is "http" or "https", in lower case.
	Scheme string
	// Host is a name or an address; an IPv6 address may stand in brackets.
	Host string
	// Port to connect to; 0 is the default of Scheme.
	Port int

	// Header holds whole lines "Name: value\r\n" in the order of the wire,
	// without the empty line at the end. Nothing is added to it: Host,
	// Connection, Content-Length and the rest are the caller's.
	Header []byte

	// Body is sent after the header; Stream takes its place when not nil.
	Body   []byte
	Stream Stream

	// ExpectContinue says that Header holds "Expect: 100-continue": the body is
	// held back until the server answers, for 3 s at most.
	ExpectContinue bool

	// KeepAlive is false when Header holds "Connection: close": the connection
	// is closed after the response. A kept connection may still be used.
	KeepAlive bool

	ConnectTimeout  time.Duration // for each address of the host, and then for a TLS or SOCKS handshake; 0 is none
	ResponseTimeout time.Duration // for each read, not for the whole, and for a server that takes nothing; 0 is none

	Proxy *Proxy // nil is a direct connection
	// Connect, when not nil, takes the place of Basic for CONNECT: given nil at
	// first, and then each 407, it returns the value of Proxy-Authorization, ""
	// for none, and whether to ask (again).
	Connect func(refusal *Response) (authorization string, again bool)
	Source  Source
	// Origin tells apart connections that requests otherwise could share: one made
	// for a request with an Origin serves only those with the same.
	Origin string
	TLS    *TLS // nil is JMeter's default: any server certificate is good
	// Resolver finds the addresses of Host; nil means that of the Client.
	Resolver Resolver

	// Version lets the request travel by HTTP/2 or HTTP/3. Header stays as for
	// HTTP/1.1: what these have no use for is left out, names go in lower case, and
	// Host becomes :authority. HTTP/3 does not keep the order of names.
	Version Version

	// NoDecode leaves a compressed body as it came. Errors inside the
	// compressed data, which fail a sample in JMeter, are then not seen.
	NoDecode bool
}

// Stream is a body written piece by piece, such as a file.
type Stream interface {
	// Size is the number of bytes WriteTo will write, or -1 for unknown, which
	// sends chunks; the caller's header must agree.
	Size() int64
	// WriteTo writes the body to w. It is called once for each attempt. An
	// error of type *Error is handed to the caller of Do as it is.
	WriteTo(w io.Writer) (int64, error)
}

// Proxy is an HTTP or SOCKS5 proxy. It is shared by requests and must not
// change after first use; connections are kept for each Proxy by its fields.
type Proxy struct {
	// Scheme is "http" (also when empty), "https" (TLS to the proxy itself) or
	// "socks5". An HTTP proxy gets absolute request lines for http and CONNECT
	// for https.
	Scheme string
	Host   string
	Port   int

	// Java asks a SOCKS5 proxy as Java's sockets do: names are resolved here, and
	// there is always a login to offer.
	Java bool

	// User and Password answer a SOCKS5 server that wants them, and a 407 to
	// CONNECT with a Basic challenge. For plain requests through an HTTP proxy
	// the 407 is the caller's, as is a Proxy-Authorization line in Header.
	User, Password string

	// ConnectHeader holds more lines "Name: value\r\n" of a CONNECT request,
	// after Host; JMeter sends User-Agent.
	ConnectHeader string
}

func (p *Proxy) equal(q *Proxy) bool {
	if p == q || p == nil || q == nil {
		return p == q
	}
	return p.Host == q.Host && p.Port == q.Port && p.Scheme == q.Scheme && p.Java == q.Java &&
		p.User == q.User && p.Password == q.Password && p.ConnectHeader == q.ConnectHeader
}

// forwards says that p takes plain requests with absolute targets.
func (p *Proxy) forwards() bool { return p != nil && p.Scheme != "socks5" }

// patience bounds what comes between the socket and the request: answers of
// proxies, the TLS handshake. JMeter bounds some of these not at all.
func (r *Request) patience() time.Duration {
	if r.ConnectTimeout > 0 {
		return r.ConnectTimeout
	}
	return r.ResponseTimeout
}

func (r *Request) secure() bool { return r.Scheme == "https" }

func (r *Request) defaultPort() int {
	if r.secure() {
		return 443
	}
	return 80
}

func (r *Request) port() int {
	if r.Port != 0 {
		return r.Port
	}
	return r.defaultPort()
}

// appendHost appends host, in brackets where it is an IPv6 address without.
func appendHost(dst []byte, host string) []byte {
	if host != "" && host[0] != '[' && strings.IndexByte(host, ':') >= 0 {
		return append(append(append(dst, '['), host...), ']')
	}
	return append(dst, host...)
}

// appendAuthority appends the host, with the port unless it is the default of
// the scheme.
func (r *Request) appendAuthority(dst []byte) []byte {
	dst = appendHost(dst, r.Host)
	if r.port() != r.defaultPort() {
		dst = strconv.AppendInt(append(dst, ':'), int64(r.Port), 10)
	}
	return dst
}

// hostPort is how HttpClient names the target in its messages.
func (r *Request) hostPort() string { return hostPort(r.Host, r.port()) }

func hostPort(host string, port int) string {
	return string(strconv.AppendInt(append(appendHost(nil, host), ':'), int64(port), 10))
}
