package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// connect opens the connection that req needs. It returns neither connection
// nor error when a proxy refused: its answer is then in res and sink.
func (c *Client) connect(req *Request, res *Response, sink io.Writer) (cn *conn, err error) {
	apart(func() { cn, err = c.open(req, res, sink) })
	return cn, err
}

// apart calls f on another goroutine and waits for it. Connecting takes a deep
// stack, a TLS handshake above all, and a stack that has grown stays so for
// longer than the user of thousands needs it.
func apart(f func()) {
	done := make(chan any)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	if thrown := <-done; thrown != nil {
		panic(thrown) // to whom it would have come
	}
}

// open is connect, on a stack of its own.
func (c *Client) open(req *Request, res *Response, sink io.Writer) (*conn, error) {
	host, port := req.Host, req.port()
	if p := req.Proxy; p != nil {
		host, port = p.Host, p.Port
	}
	ctx := c.flight.connecting()
	defer c.flight.connected()
	target, err := c.behind(ctx, req)
	if err != nil {
		res.Connected = Now()
		return nil, err
	}
	// JMeter's connect time is that of the first hop.
	tcp, where, err := c.dial(ctx, req, host, port)
	if err != nil {
		if req.Proxy != nil && req.Proxy.Java && ctx.Err() == nil {
			err = c.noSocks(req.Proxy, err)
		}
		res.Connected = Now()
		return nil, err
	}
	tcp = c.paced(req, tcp)
	if !c.flight.attach(tcp) {
		tcp.Close()
		return nil, socketClosed(nil)
	}
	cn := newConn(keyOf(req), tcp, tcp, c.options.TimeToLive)
	ok, err := c.establish(ctx, cn, req, res, sink, where, target)
	if res.Connected == 0 {
		res.Connected = Now()
	}
	if err != nil || !ok {
		cn.close()
		return nil, err
	}
	cn.slow(c.options.rate(req.secure()))
	return cn, nil
}

// behind returns the address that Java's sockets ask a SOCKS proxy for, none where
// the proxy is asked by name. HttpClient takes the first and asks for no other.
func (c *Client) behind(ctx context.Context, req *Request) (netip.Addr, error) {
	if req.Proxy == nil || !req.Proxy.Java {
		return netip.Addr{}, nil
	}
	found, err := c.lookup(ctx, req, req.Host)
	switch {
	case c.options.URLConnection && (err != nil || len(found) == 0):
		return netip.Addr{}, nil
	case err != nil:
		return netip.Addr{}, err
	case len(found) == 0:
		return netip.Addr{}, &Error{Class: classClosed, Message: "Connection is closed"}
	}
	return found[0].IP, nil
}

// noSocks says in Java's words that there is no SOCKS proxy.
func (c *Client) noSocks(p *Proxy, err error) error {
	why := err.Error()
	var e *Error
	if errors.As(err, &e) {
		why = e.Message
		if _, reason, ok := strings.Cut(why, " failed: "); ok {
			why = reason
		}
		if e.Class == classUnknownHost {
			why = p.Host
		}
	}
	if !c.options.URLConnection {
		why = "Can't connect to SOCKS proxy:" + why
	}
	return &Error{Class: classSocket, Message: why, Cause: err}
}

// checkPort fails as Java does when it makes an address.
func checkPort(port int) error {
	if port < 0 || port > 65535 {
		return &Error{Class: "java.lang.IllegalArgumentException", Message: "port out of range:" + strconv.Itoa(port)}
	}
	return nil
}

// establish goes from a socket to what HTTP can be spoken over.
func (c *Client) establish(ctx context.Context, cn *conn, req *Request, res *Response, sink io.Writer, where string, target netip.Addr) (ok bool, err error) {
	switch p := req.Proxy; {
	case p == nil:
	case p.Scheme == "socks5":
		if err := cn.socks(req, target); err != nil {
			return false, err
		}
	default:
		if p.Scheme == "https" {
			if err := c.handshake(cn, req, p.Host, p.Port, where, nil); err != nil {
				return false, err
			}
		}
		if !req.secure() {
			return true, nil
		}
		res.Connected = Now()
		if ok, err := c.tunnel(ctx, cn, req, res, sink); !ok || err != nil {
			return false, err
		}
	}
	cn.http2 = req.Version == HTTP2Known
	if req.secure() {
		return true, c.handshake(cn, req, req.Host, req.port(), where, req.protocols())
	}
	return true, nil
}

// dial connects to the first address that answers, each with the whole connect
// timeout, as HttpClient does. where names the place in messages.
func (c *Client) dial(ctx context.Context, req *Request, host string, port int) (tcp net.Conn, where string, err error) {
	found, err := c.lookup(ctx, req, host)
	if err == nil {
		err = checkPort(port)
	}
	if err != nil {
		return nil, "", err
	}
	where = connectPlace(host, port, found)
	d := net.Dialer{Timeout: req.ConnectTimeout, KeepAlive: -1}
	if req.Source.Addr.IsValid() {
		d.LocalAddr = net.TCPAddrFromAddrPort(netip.AddrPortFrom(req.Source.Addr, 0))
	}
	for i, a := range found {
		if tcp, err = d.DialContext(ctx, "tcp", netip.AddrPortFrom(a.IP, uint16(port)).String()); err == nil {
			return tcp, where, nil
		}
		if ctx.Err() != nil {
			return nil, where, socketClosed(err)
		}
		e := connectError(where, err)
		if i == len(found)-1 || e.Class != classHostConnect && e.Class != classConnTimeout && e.Class != classNoRoute {
			return nil, where, e
		}
	}
	// HttpClient falls through when a resolver finds nothing and no error.
	return nil, where, &Error{Class: classClosed, Message: "Connection is closed"}
}

func (c *Client) lookup(ctx context.Context, req *Request, host string) ([]Address, error) {
	r := req.Resolver
	if r == nil || req.Proxy != nil && req.Proxy.Java && host == req.Proxy.Host { // of which only the system knows
		if ip, ok := Literal(host); ok {
			return []Address{{IP: ip}}, nil
		}
		r = c.options.Resolver
	}
	var found []Address
	var err error
	if r == nil {
		found, err = lookupHost(ctx, host)
	} else {
		found, err = r.Lookup(ctx, host)
	}
	if err == nil {
		return found, nil
	}
	if ctx.Err() != nil {
		return nil, socketClosed(err)
	}
	var known *Error
	if errors.As(err, &known) {
		return nil, known
	}
	return nil, unknownHost(host, err)
}

// connectPlace is the middle of HttpClient's messages about connecting.
func connectPlace(host string, port int, found []Address) string {
	b := append([]byte(hostPort(host, port)), " ["...)
	for i, a := range found {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = a.appendJava(b)
	}
	return string(append(b, ']'))
}

// connectError names a failed connect as Java and HttpClient do.
func connectError(where string, err error) *Error {
	text := func(class, why string) *Error {
		return &Error{Class: class, Message: "Connect to " + where + " failed: " + why, Cause: err}
	}
	var no syscall.Errno
	if errors.As(err, &no) {
		switch no {
		case syscall.ETIMEDOUT:
			return text(classConnTimeout, errnoText(no))
		case syscall.ECONNREFUSED, syscall.ENOTCONN:
			return text(classHostConnect, errnoText(no))
		case syscall.EHOSTUNREACH:
			return &Error{Class: classNoRoute, Message: errnoText(no), Cause: err}
		case syscall.EADDRINUSE, syscall.EADDRNOTAVAIL, syscall.EACCES:
			return &Error{Class: "java.net.BindException", Message: errnoText(no), Cause: err}
		}
		return ioError(err)
	}
	var ne net.Error
	if errors.As(err, &ne) && ne.Timeout() || errors.Is(err, os.ErrDeadlineExceeded) {
		return text(classConnTimeout, "Connect timed out")
	}
	return ioError(err)
}

// within bounds what f reads and writes on c by d; 0 is no bound.
func (c *conn) within(d time.Duration, f func() error) error {
	if d <= 0 {
		return f()
	}
	c.tcp.SetDeadline(time.Now().Add(d))
	err := f()
	c.tcp.SetDeadline(time.Time{})
	return err
}
