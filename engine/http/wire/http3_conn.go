package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// quicConn is a connection that speaks HTTP/3, on a socket of its own.
type quicConn struct {
	key       key
	socket    *quicSocket
	transport *quic.Transport
	quic      *quic.Conn
	http      *http3.ClientConn

	// Guarded by the quicShare.
	streams             int
	last                bool // for no more streams
	dies, expires, used int64
}

// Close ends the connection and all that is under way on it. Safe for concurrent
// use.
func (q *quicConn) Close() error {
	return q.quic.CloseWithError(quic.ApplicationErrorCode(http3.ErrCodeNoError), "")
}

// discard is Close with all that belongs to it.
func (q *quicConn) discard() {
	q.Close()
	q.transport.Close()
	q.socket.Close()
}

// quicShare holds the HTTP/3 connections that the clients of one user have in
// common.
type quicShare struct {
	mu  sync.Mutex // held while one client dials: the others want the same connection
	all []*quicConn
}

// take returns a connection for req; leave gives it back.
func (h *quicShare) take(c *Client, req *Request, res *Response) (*quicConn, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var found *quicConn
	kept := h.all[:0]
	for _, q := range h.all {
		if q.last = q.last || q.quic.Context().Err() != nil || Now() >= q.expires; q.last && q.streams == 0 {
			q.discard()
			continue
		}
		if found == nil && !q.last && q.key.matches(req) {
			found = q
		}
		kept = append(kept, q)
	}
	clear(h.all[len(kept):])
	h.all = kept
	if res.Reused = found != nil; !res.Reused {
		var err error
		if found, err = c.dialQUIC(req, res); err != nil {
			return nil, err
		}
		h.all = append(h.all, found)
	}
	found.streams++
	return found, nil
}

// leave ends the use of q by one request. stay bounds how long it may be kept, 0
// is no bound; last lets it take no more requests.
func (h *quicShare) leave(q *quicConn, stay int64, last bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	q.streams--
	q.last = q.last || last
	q.used = Now()
	if q.expires = q.dies; stay > 0 {
		q.expires = min(q.dies, q.used+stay)
	}
	if !q.last || q.streams > 0 {
		return
	}
	for i := range h.all {
		if h.all[i] == q {
			end := len(h.all) - 1
			h.all[i], h.all[end] = h.all[end], nil
			h.all = h.all[:end]
			break
		}
	}
	q.discard()
}

// reset closes all connections; one in use is closed by the last who leaves.
func (h *quicShare) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	kept := h.all[:0]
	for _, q := range h.all {
		if q.last = true; q.streams > 0 {
			kept = append(kept, q)
			continue
		}
		q.discard()
	}
	clear(h.all[len(kept):])
	h.all = kept
}

// What one QUIC connection may take when the plan says nothing.
const (
	quicPatience = 30 * time.Second // for the handshake, of which packets are sent again all the time
	quicIdle     = 2 * time.Minute  // the server's own bound counts when it is lower
)

// quiet keeps quic-go from writing to the console that a socket's buffer is
// smaller than it likes: a user's one connection does not need it.
var quiet = sync.OnceFunc(func() { os.Setenv("QUIC_GO_DISABLE_RECEIVE_BUFFER_WARNING", "true") })

// dialQUIC is connect for HTTP/3: address by address, each with the whole connect
// timeout.
func (c *Client) dialQUIC(req *Request, res *Response) (*quicConn, error) {
	defer func() { res.Connected = Now() }()
	if err := checkPort(req.port()); err != nil {
		return nil, err
	}
	cfg := c.tlsConfig(req.TLS, req.Host, req.port())
	if cfg.MaxVersion != 0 && cfg.MaxVersion < tls.VersionTLS13 {
		return nil, &Error{Class: classHandshake, Message: "No appropriate protocol (protocol is disabled or cipher suites are inappropriate)"}
	}
	cfg.MinVersion, cfg.NextProtos = tls.VersionTLS13, []string{http3.NextProtoH3}
	ctx := c.flight.connecting()
	defer c.flight.connected()
	found, err := c.lookup(ctx, req, req.Host)
	if err != nil {
		return nil, err
	}
	where := connectPlace(req.Host, req.port(), found)
	for i, a := range found {
		var q *quicConn
		if q, err = c.dialQUICAt(ctx, req, netip.AddrPortFrom(a.IP, uint16(req.port())), cfg); err == nil {
			return q, nil
		}
		if ctx.Err() != nil {
			return nil, socketClosed(err)
		}
		var late *quic.HandshakeTimeoutError
		var idle *quic.IdleTimeoutError
		var fault *quic.TransportError
		switch {
		case errors.Is(err, context.DeadlineExceeded), errors.As(err, &late), errors.As(err, &idle):
			err = connectError(where, os.ErrDeadlineExceeded)
		case errors.As(err, &fault):
			err = quicError(ctx, err, false)
		default:
			err = connectError(where, err)
		}
		if e := err.(*Error); i == len(found)-1 || e.Class != classHostConnect && e.Class != classConnTimeout && e.Class != classNoRoute {
			return nil, e
		}
	}
	return nil, &Error{Class: classClosed, Message: "Connection is closed", Cause: io.EOF}
}

func (c *Client) dialQUICAt(ctx context.Context, req *Request, to netip.AddrPort, cfg *tls.Config) (*quicConn, error) {
	quiet()
	socket, err := newQUICSocket(req.Source.Addr, to)
	if err != nil {
		return nil, err
	}
	wait := quicPatience
	if d := req.patience(); d > 0 {
		wait = d
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	q := &quicConn{key: keyOf(req), socket: socket, transport: &quic.Transport{Conn: socket}, dies: 1<<63 - 1}
	q.quic, err = q.transport.Dial(ctx, net.UDPAddrFromAddrPort(to), cfg, &quic.Config{HandshakeIdleTimeout: wait, MaxIdleTimeout: quicIdle})
	if err != nil {
		q.transport.Close()
		socket.Close()
		return nil, err
	}
	h := &http3.Transport{DisableCompression: true, MaxResponseHeaderBytes: int(c.maxHead())}
	q.http = h.NewClientConn(q.quic)
	if c.options.TimeToLive > 0 {
		q.dies = Now() + int64(c.options.TimeToLive)
	}
	q.expires = q.dies
	return q, nil
}
