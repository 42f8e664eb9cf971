package wire

import (
	"context"
	"crypto/tls"
	"io"
	"strings"
	"sync"
	"time"
)

// Options are shared by all clients of a run and must not change after first
// use. Zero values mean none or off; [DefaultOptions] has JMeter's defaults.
type Options struct {
	// TimeToLive ends a connection at its next use (httpclient4.time_to_live).
	TimeToLive time.Duration
	// ValidateAfter is how long a connection may lie idle before it is checked
	// ahead of its next use (httpclient4.validate_after_inactivity). Earlier
	// than that, a connection the server has closed fails the request, as in
	// JMeter. 0 or less never checks.
	ValidateAfter time.Duration
	// IdleTimeout is how long a connection may be kept when the server names
	// no Keep-Alive timeout (httpclient4.idletimeout).
	IdleTimeout time.Duration

	// Retries repeats a failed request (httpclient4.retrycount): GET, HEAD,
	// PUT, DELETE, OPTIONS and TRACE; with RetrySent
	// (httpclient4.request_sent_retry_enabled) the other methods too.
	Retries   int
	RetrySent bool

	// MaxHead bounds what may precede the body of a response - status line,
	// headers, 1xx responses - and each line of chunk framing, in bytes. JMeter
	// has no bound; 0 is 1 MiB.
	MaxHead int

	// Resolver finds addresses where a Request has none; nil asks the system.
	Resolver Resolver

	// RelaxGzip and RelaxDeflate take compressed data that is cut short for
	// whole (httpclient4.gzip_relax_mode, httpclient4.deflate_relax_mode).
	RelaxGzip, RelaxDeflate bool

	// HTTPRate and HTTPSRate make connections slow: bytes a second in each
	// direction, inside TLS (httpclient.socket.http.cps,
	// httpclient.socket.https.cps). As in JMeter it is the size of reads that
	// counts, not what they bring. 0 is no bound.
	HTTPRate, HTTPSRate int

	// URLConnection reads responses as java.net.HttpURLConnection does, see
	// urlconnection.go; of encodings it decodes gzip only.
	URLConnection bool

	// Zstd decodes Content-Encoding zstd too, which JMeter leaves as it is.
	Zstd bool
}

// DefaultOptions are those of JMeter without any property set.
func DefaultOptions() *Options {
	return &Options{TimeToLive: 60 * time.Second, ValidateAfter: 4900 * time.Millisecond}
}

// Client holds the connections of one virtual user.
type Client struct {
	// Certificate chooses the certificate for a server that asks for one; nil
	// presents none. Its error fails the request, with its class and message if
	// it is an *Error. A connection or session that began with a certificate
	// goes on with it. It is to be set before the first Do.
	Certificate func(*tls.CertificateRequestInfo) (*tls.Certificate, error)

	options  *Options
	idle     []*conn // at most one for each route: a user sends one request at a time
	sessions tls.ClientSessionCache

	// Kept here and not on the stack so that interfaces to them cost nothing.
	out  sender
	body body
	line []byte // of chunk framing and trailers

	share *share // of HTTP/2 and HTTP/3 connections; nil until one is wanted
	*talk        // by these; nil until the first

	flight flight
}

// talk is what HTTP/1.1 has no need for.
type talk struct {
	stream    stream
	fieldList fieldList
}

// NewClient returns a client without connections. It needs no Close as long as
// nothing was sent.
func NewClient(o *Options) *Client { return &Client{options: o} }

// Sibling returns a client for the same user that may be used at the same time.
// It has HTTP/1.1 connections of its own and shares those of HTTP/2 and 3, which
// an interrupt of either closes. It belongs to c: Reset and Close of either end
// what they share.
func (c *Client) Sibling() *Client {
	if c.share == nil {
		c.share = newShare()
	}
	return &Client{Certificate: c.Certificate, options: c.options, share: c.share}
}

// Do sends req, reads the response into res and its decoded body into sink,
// which may be nil when nothing reads the body. The error is an *Error, unless
// sink or req.Stream returned another one; res then holds what was known.
func (c *Client) Do(req *Request, res *Response, sink io.Writer) error {
	res.reset()
	res.Start = Now()
	err := c.flight.begin()
	for attempt := 0; err == nil; attempt++ {
		err = c.attempt(req, res, sink)
		if err == nil || c.flight.isHalted() || !c.mayRetry(attempt, req, res, err) {
			break
		}
		err = nil
	}
	if res.End == 0 {
		res.End = Now()
	}
	if c.flight.end() && err != nil {
		return socketClosed(err)
	}
	return err
}

// maxUnprocessed is how often a request is sent again of which an HTTP/2 server
// says that it has not looked at it.
const maxUnprocessed = 3

// mayRetry follows HttpClient's StandardHttpRequestRetryHandler as JMeter
// configures it. A response that has begun is never asked for again.
func (c *Client) mayRetry(attempt int, req *Request, res *Response, err error) bool {
	if e, ok := err.(*Error); ok && e.again && attempt < maxUnprocessed {
		return true
	}
	if attempt >= c.options.Retries || res.FirstByte != 0 || res.Status != 0 {
		return false
	}
	e, ok := err.(*Error)
	if !ok || !e.retriable() {
		return false
	}
	switch strings.ToUpper(req.Method) {
	case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE":
		return true
	}
	return c.options.RetrySent || res.BytesSent == 0
}

// newer readies c for what is newer than HTTP/1.1.
func (c *Client) newer() {
	if c.share == nil {
		c.share = newShare()
	}
	if c.talk == nil {
		c.talk = new(talk)
	}
}

// attempt is one request on one connection.
func (c *Client) attempt(req *Request, res *Response, sink io.Writer) error {
	res.begin()
	var cn *conn
	if req.Version != HTTP1 {
		c.newer()
	}
	if req.isHTTP3() {
		return c.http3(req, res, sink)
	}
	if req.mayHTTP2() {
		done, fresh, err := c.http2(req, res, sink)
		if done {
			return err
		}
		cn = fresh
	}
	if cn != nil {
		return c.speak(cn, req, res, sink)
	}
	if cn = c.take(req, res.Start); cn == nil {
		var err error
		if cn, err = c.connect(req, res, sink); err != nil || cn == nil {
			return err // no connection and no error: a proxy refused
		}
	} else {
		res.Reused = true
	}
	return c.speak(cn, req, res, sink)
}

// speak is one request in HTTP/1.1 on cn.
func (c *Client) speak(cn *conn, req *Request, res *Response, sink io.Writer) error {
	if !c.flight.attach(cn.socket()) {
		cn.close()
		return socketClosed(nil)
	}
	cn.timeout = req.ResponseTimeout
	cn.patient(req.ResponseTimeout)
	cn.received, cn.whole = 0, false
	err := c.exchange(cn, req, res, sink)
	res.BytesReceived = cn.received
	if c.flight.detach() && cn.whole && cn.reusable(req, res) {
		c.keep(cn, res)
	} else {
		cn.close()
	}
	return err
}

// Interrupt ends the running Do, if any, with JMeter's "Socket closed", and
// says whether there was one. Safe for concurrent use.
func (c *Client) Interrupt() bool { return c.flight.interrupt(false) }

// Stop interrupts the running Do and every later one. Safe for concurrent use.
func (c *Client) Stop() { c.flight.interrupt(true) }

// Reset closes all connections and forgets TLS sessions: a new user begins.
func (c *Client) Reset() {
	for i, cn := range c.idle {
		cn.close()
		c.idle[i] = nil
	}
	c.idle = c.idle[:0]
	c.sessions = nil
	if c.share != nil {
		c.share.reset()
	}
}

// Close is Reset at the end of a thread.
func (c *Client) Close() { c.Reset() }

// take returns a kept connection fit for req, or nil. Connections that have
// outlived themselves by now are closed on the way.
func (c *Client) take(req *Request, now int64) *conn {
	for i, cn := range c.idle {
		if !cn.key.matches(req) {
			continue
		}
		last := len(c.idle) - 1
		c.idle[i], c.idle[last] = c.idle[last], nil
		c.idle = c.idle[:last]
		after := int64(c.options.ValidateAfter)
		if cn.rate > 0 {
			c.flight.attach(cn.socket()) // looking at it may take long
		}
		if now >= cn.expires || after > 0 && now-cn.used >= after && cn.stale() {
			cn.close()
			return nil
		}
		return cn
	}
	return nil
}

// keep returns cn for later use. A Keep-Alive timeout of the server, or else
// the idle timeout, bounds how long, and the time to live bounds all.
func (c *Client) keep(cn *conn, res *Response) {
	cn.release()
	cn.shrink()
	res.End = Now()
	cn.used = res.End
	stay := res.h.keepAlive
	if stay <= 0 {
		stay = c.options.IdleTimeout
	}
	cn.expires = cn.dies
	if stay > 0 {
		cn.expires = min(cn.dies, cn.used+int64(stay))
	}
	c.idle = append(c.idle, cn)
}

func (c *Client) maxHead() int64 {
	if c.options.MaxHead > 0 {
		return int64(c.options.MaxHead)
	}
	return 1 << 20
}

// flight is what other goroutines may see of a Do.
type flight struct {
	mu      sync.Mutex
	busy    bool
	halted  bool // this Do was interrupted
	stop    bool // all are
	socket  io.Closer
	connect context.CancelFunc
}

func (f *flight) begin() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy, f.halted = true, f.stop
	if f.stop {
		return socketClosed(nil)
	}
	return nil
}

// attach names the socket that an interrupt has to close; false means that the
// interrupt came first.
func (f *flight) attach(s io.Closer) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.socket = s
	return !f.halted
}

// detach ends what attach began: an interrupt can close the socket no more.
// false means that it did.
func (f *flight) detach() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.socket = nil
	return !f.halted
}

// connecting returns a context that an interrupt cancels.
func (f *flight) connecting() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.halted {
		cancel()
	}
	f.connect = cancel
	return ctx
}

// connected ends what connecting began.
func (f *flight) connected() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.connect()
	f.connect = nil
}

func (f *flight) isHalted() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.halted
}

// end says whether the Do that ends was interrupted.
func (f *flight) end() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy, f.socket = false, nil
	return f.halted
}

func (f *flight) interrupt(stop bool) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stop = f.stop || stop
	if !f.busy {
		return false
	}
	f.halted = true
	if f.connect != nil {
		f.connect()
	}
	if f.socket != nil {
		f.socket.Close()
	}
	return true
}
