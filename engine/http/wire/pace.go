package wire

import (
	"net"
	"sync"
	"time"
)

// readAhead is how much HttpClient and JMeter ask for in one read.
const readAhead = 8192

// rate is what bounds connections for req, in bytes a second; 0 is no bound.
func (o *Options) rate(secure bool) int {
	if secure {
		return o.HTTPSRate
	}
	return o.HTTPRate
}

// pacedSocket is a socket whose end ends the pauses of its connection, too.
type pacedSocket struct {
	net.Conn
	gone chan struct{}
	once sync.Once
}

// paced wraps the socket of a connection that is to be slow.
func (c *Client) paced(req *Request, tcp net.Conn) net.Conn {
	if c.options.rate(req.secure()) <= 0 {
		return tcp
	}
	return &pacedSocket{Conn: tcp, gone: make(chan struct{})}
}

func (s *pacedSocket) Close() error {
	s.once.Do(func() { close(s.gone) })
	return s.Conn.Close()
}

// slow lets the connection, which speaks HTTP from here on, take its time.
func (c *conn) slow(rate int) {
	if rate > 0 {
		c.rate = int64(rate)
		c.ask = readAhead
	}
}

// pause waits as long as n bytes take. JMeter counts in whole milliseconds, and
// what a read asks for instead of what it gets: a short response takes as long
// as 8,192 bytes.
func (c *conn) pause(n int) error {
	d := time.Duration(int64(n)*1000/c.rate) * time.Millisecond
	if d <= 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-c.tcp.(*pacedSocket).gone:
		return net.ErrClosed
	}
}

// write sends p, in the pieces of HttpClient where it is to be slow or where it
// has to bound each by itself.
func (c *conn) write(p []byte) (n int, err error) {
	if _, own := c.tcp.(*socket); c.rate == 0 && (own || c.stall == 0) {
		return c.nc.Write(p)
	}
	if c.stall > 0 {
		defer c.nc.SetWriteDeadline(time.Time{})
	}
	for len(p) > 0 && err == nil {
		piece := p[:min(len(p), readAhead)]
		if c.rate > 0 {
			if err = c.pause(len(piece)); err != nil {
				break
			}
		}
		if c.stall > 0 {
			c.nc.SetWriteDeadline(time.Now().Add(c.stall))
		}
		var k int
		k, err = c.nc.Write(piece)
		n += k
		p = p[k:]
	}
	return n, err
}
