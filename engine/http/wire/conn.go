package wire

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// block is a borrowed buffer. Blocks are in use only while bytes are at hand,
// so a run needs about as many as it has processors, not as it has users.
type block [32 << 10]byte

var blocks = sync.Pool{New: func() any { return new(block) }}

// key tells which requests may share a connection.
type key struct {
	secure  bool
	host    string
	port    int
	source  netip.Addr
	tls     *TLS
	proxy   *Proxy
	version Version
	origin  string
}

func keyOf(req *Request) key {
	return key{req.secure(), req.Host, req.port(), req.Source.Addr, req.TLS, req.Proxy, req.Version, req.Origin}
}

// matches compares the field that differs most often first.
func (k *key) matches(req *Request) bool {
	return k.host == req.Host && k.port == req.port() && k.secure == req.secure() && k.tls == req.TLS &&
		k.proxy.equal(req.Proxy) && k.source == req.Source.Addr && k.version == req.Version && k.origin == req.Origin
}

// conn is a connection and what has been read from it but not yet used.
type conn struct {
	key key
	tcp net.Conn // the socket
	nc  net.Conn // what HTTP is spoken over: tcp, or TLS on it

	http2         bool // it is HTTP/2 that is spoken
	urlConnection bool // of Options

	// raw reads tcp without TLS where the system can: a buffer is borrowed for
	// the attempt only and given back before waiting.
	raw    syscall.RawConn
	onRead func(fd uintptr) bool // c.read, bound once
	n      int                   // what onRead read
	err    error

	// Elsewhere the first bytes go to tiny, and a block is borrowed only when
	// they fill it.
	tiny  [16]byte
	large bool // the next read takes a block

	b   []byte // unused input, in buf or tiny
	buf *block

	received int64         // in this exchange
	whole    bool          // the response was read to its end
	timeout  time.Duration // of one read
	stall    time.Duration // how long a write waits for the server to take something; 0 is no bound
	deadline int64         // the read deadline of nc, a reading of Now; 0 is none
	rate     int64         // bytes a second; 0 is no bound
	ask      int           // how much the next read of a slow connection asks for
	owing    bool          // the server was not sent the body it was told of

	dies, expires, used int64 // readings of Now
}

func newConn(k key, tcp, nc net.Conn, ttl time.Duration) *conn {
	c := &conn{key: k, tcp: tcp, nc: nc, dies: 1<<63 - 1}
	if ttl > 0 {
		c.dies = Now() + int64(ttl)
	}
	c.onRead = c.read
	if tcp == nc {
		if s := newSocket(tcp); s != nil {
			c.tcp, c.nc, c.raw = s, s, s.raw
		}
	}
	return c
}

// secure goes on in TLS on the same socket.
func (c *conn) secure(nc net.Conn) { c.nc, c.raw = nc, nil }

// patient bounds how long a server may take nothing of what is written. JMeter
// waits for ever.
func (c *conn) patient(d time.Duration) {
	c.stall = d
	if s, own := c.tcp.(*socket); own {
		s.stall = d
	}
}

// socket is what to close from another goroutine. Not the TLS connection, whose
// Close waits for a Write under way.
func (c *conn) socket() net.Conn { return c.tcp }

func (c *conn) close() {
	c.release()
	c.nc.Close()
}

func (c *conn) release() {
	c.b = nil
	if c.buf != nil {
		blocks.Put(c.buf)
		c.buf = nil
	}
}

// fill waits for input. It is called when all earlier input is used up, and
// returns nil with at least one byte in c.b, io.EOF, or an *Error.
func (c *conn) fill() error {
	var err error
	if c.raw != nil {
		err = c.fillRaw()
	} else {
		err = c.fillAny()
	}
	if err == nil {
		c.received += int64(len(c.b))
		return nil
	}
	c.release()
	// A TLS connection cut within a record ends like any other for JMeter.
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	}
	return readError(err)
}

func (c *conn) fillRaw() error {
	// The time begins in read, when there is nothing yet. But a deadline of an
	// earlier read that is over, or nearly so, would end this one.
	if c.deadline != 0 && (c.timeout <= 0 || c.deadline-Now() < int64(c.timeout/2)) {
		c.setDeadline()
	}
	if err := c.raw.Read(c.onRead); err != nil {
		return err
	}
	if c.err != nil {
		return c.err
	}
	if c.n == 0 {
		return io.EOF
	}
	c.b = c.buf[:c.n]
	return nil
}

// read is called with a socket that may be readable, and again when it is.
func (c *conn) read(fd uintptr) bool {
	if c.buf == nil {
		c.buf = blocks.Get().(*block)
	}
	var wait bool
	c.n, wait, c.err = rawRead(fd, c.buf[:])
	if !wait {
		return true
	}
	c.release()
	c.setDeadline()
	return false
}

func (c *conn) fillAny() error {
	if c.rate > 0 {
		if err := c.pause(c.ask); err != nil {
			return err
		}
		c.large = true
	}
	c.setDeadline()
	into := c.tiny[:]
	if c.large {
		if c.buf == nil {
			c.buf = blocks.Get().(*block)
		}
		into = c.buf[:]
		if c.rate > 0 {
			into, c.ask = c.buf[:c.ask], readAhead
		}
	} else {
		c.release()
	}
	n, err := c.nc.Read(into)
	if n > 0 {
		c.b, c.large = into[:n], n == len(into)
		return nil // an error will come again
	}
	c.large = false
	if err == nil {
		err = io.ErrNoProgress
	}
	return err
}

// setDeadline starts the time of one read.
func (c *conn) setDeadline() {
	switch {
	case c.timeout > 0:
		c.deadlineIn(c.timeout)
	case c.deadline != 0:
		c.nc.SetReadDeadline(time.Time{})
		c.deadline = 0
	}
}

func (c *conn) deadlineIn(d time.Duration) {
	c.nc.SetReadDeadline(time.Now().Add(d))
	c.deadline = Now() + int64(d)
}

// stale looks for the end of an idle connection, or for bytes that nobody
// asked for, without waiting longer than JMeter's millisecond.
func (c *conn) stale() bool {
	if c.raw != nil {
		if c.deadline != 0 { // that of the last request may be over
			c.nc.SetReadDeadline(time.Time{})
			c.deadline = 0
		}
		return rawStale(c.raw)
	}
	if c.rate > 0 && c.pause(readAhead) != nil { // JMeter tries to read as well
		return true
	}
	c.deadlineIn(time.Millisecond)
	n, err := c.nc.Read(c.tiny[:1])
	var ne net.Error
	return n > 0 || !errors.As(err, &ne) || !ne.Timeout()
}

// reusable says whether the connection survives the exchange. The rules are
// those of HttpClient's DefaultClientConnectionReuseStrategy; beyond them, a
// connection with unasked-for bytes, other than line ends, is given up, since
// they would be taken for the next response.
func (c *conn) reusable(req *Request, res *Response) bool {
	for _, b := range c.b {
		if b != '\r' && b != '\n' {
			return false
		}
	}
	if c.urlConnection {
		return req.KeepAlive && !c.owing && res.urlKeepAlive()
	}
	return req.KeepAlive && !c.owing && res.keepAlive()
}
