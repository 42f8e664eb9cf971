package wire

import (
	"errors"
	"io"
	"time"
)

// waitForContinue is how long HttpClient waits for "100 Continue".
const waitForContinue = 3 * time.Second

// exchange sends req on cn and reads the response.
func (c *Client) exchange(cn *conn, req *Request, res *Response, sink io.Writer) error {
	budget := c.maxHead()
	final, err := c.send(cn, req, res, &budget)
	if err != nil {
		if err = cn.hearAlert(err); cn.urlConnection {
			err = urlWriteError(err)
		}
		return err
	}
	for !final {
		if err := cn.readHead(req, res, &budget); err != nil {
			return err
		}
		final = res.Status >= 200 || cn.urlConnection
	}
	return c.receive(cn, req, res, sink)
}

// send writes the request. final says that the server answered for good before
// it was sent the body.
func (c *Client) send(cn *conn, req *Request, res *Response, budget *int64) (final bool, err error) {
	s := &c.out
	s.open(cn)
	defer func() {
		res.BytesSent = s.sent
		s.close()
	}()
	cn.owing, cn.urlConnection = true, c.options.URLConnection
	s.head(req)
	if req.ExpectContinue && !cn.urlConnection && (len(req.Body) > 0 || req.Stream != nil) {
		if err := s.flush(); err != nil {
			return false, err
		}
		if final, err = cn.awaitContinue(req, res, budget); final || err != nil {
			return final, err
		}
	}
	if err := s.content(req); err != nil {
		return false, err
	}
	cn.owing = false
	return false, s.flush()
}

// awaitContinue waits until the server wants the body, or for a while.
func (c *conn) awaitContinue(req *Request, res *Response, budget *int64) (final bool, err error) {
	timeout := c.timeout
	c.timeout = waitForContinue
	if timeout > 0 {
		c.timeout = min(timeout, waitForContinue)
	}
	err = c.fill()
	c.timeout = timeout
	var e *Error
	switch {
	case err == io.EOF:
		return false, noResponse(req)
	case errors.As(err, &e) && e.Class == classTimeout:
		return false, nil // send it unasked
	case err != nil:
		return false, err
	}
	if err := c.readHead(req, res, budget); err != nil {
		return false, err
	}
	if res.Status < 200 && res.Status != 100 {
		return false, notHTTP("unexpected response " + string(res.StatusLine()))
	}
	return res.Status >= 200, nil
}

// receive reads the body that the head in res announces.
func (c *Client) receive(cn *conn, req *Request, res *Response, sink io.Writer) error {
	if res.HasBody = canHaveBody(req.Method, res.Status); cn.urlConnection {
		res.HasBody = res.urlHasBody(req.Method)
	}
	if !res.HasBody {
		cn.whole = true
		return nil
	}
	b := &c.body
	b.open(cn, &res.h, c.maxHead(), c.line)
	defer func() {
		res.PayloadSize = b.total
		res.addFooters(b.footers)
		if c.line = b.line[:0]; cap(c.line) > maxHeldHead {
			c.line = nil
		}
	}()
	return c.read(b, b.size == 0, req, res, sink)
}

// payload is a body without its framing.
type payload interface {
	// next returns the next piece of the body, valid until the next call, or
	// io.EOF, or an *Error.
	next() ([]byte, error)
	io.Reader // of the same, for decoders
}

// read reads a body to its end. An empty one is not decoded.
func (c *Client) read(b payload, empty bool, req *Request, res *Response, sink io.Writer) error {
	if coding := res.head[res.h.encFrom:res.h.encTo]; len(coding) > 0 && !req.NoDecode && !empty {
		_, value := cutHeader(coding)
		if d := newDecoder(b, value, c.options); d != nil {
			res.Decoded = true
			return decode(d, b, res, sink)
		}
	}
	for {
		p, err := b.next()
		if res.FirstByte == 0 && (err == nil || err == io.EOF) {
			res.FirstByte = Now()
		}
		if err != nil {
			return unlessEOF(err)
		}
		res.BodyLength += int64(len(p))
		if sink != nil {
			if _, err := sink.Write(p); err != nil {
				return err
			}
		}
	}
}

// drainLimit is how much is read on behind compressed data that turned out bad
// in order to keep the connection.
const drainLimit = 1 << 20

// decode reads a compressed body. The connection can be used again after bad
// data, once the body is read to its end.
func decode(d decoder, b payload, res *Response, sink io.Writer) error {
	buf := blocks.Get().(*block)
	defer blocks.Put(buf)
	defer d.free()
	var failed error
	for failed == nil {
		n, err := d.Read(buf[:])
		if res.FirstByte == 0 && (n > 0 || err == io.EOF) {
			res.FirstByte = Now()
		}
		res.BodyLength += int64(n)
		if n > 0 && sink != nil {
			if _, werr := sink.Write(buf[:n]); werr != nil {
				return werr
			}
		}
		if err == io.EOF {
			break
		}
		failed = err
	}
	if in, ok := d.(*inflater); ok && failed != nil && !in.begun {
		if res.Undecoded = true; in.strict {
			return failed
		}
	}
	for n := 0; n < drainLimit || failed == nil; {
		p, err := b.next()
		if n += len(p); err == io.EOF {
			return failed
		}
		if err != nil {
			if failed == nil {
				failed = err
			}
			return failed
		}
	}
	return failed
}

func unlessEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}
