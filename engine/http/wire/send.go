package wire

import (
	"io"
	"strconv"
)

// sender collects what is sent in a borrowed block, so that a usual request is
// one write, and counts it.
type sender struct {
	c    *conn
	buf  *block
	n    int
	sent int64
	err  error
}

func (s *sender) open(c *conn) { *s = sender{c: c, buf: blocks.Get().(*block)} }

func (s *sender) close() {
	blocks.Put(s.buf)
	s.c, s.buf = nil, nil
}

// Write sends p, later if it is short. Its errors are of type *Error.
func (s *sender) Write(p []byte) (int, error) {
	if len(p) > len(s.buf)-s.n {
		if s.flush() != nil {
			return 0, s.err
		}
		if len(p) >= len(s.buf) {
			return s.write(p)
		}
	}
	if s.err != nil {
		return 0, s.err
	}
	s.n += copy(s.buf[s.n:], p)
	return len(p), nil
}

// WriteString is Write for text.
func (s *sender) WriteString(p string) (int, error) {
	if len(p) > len(s.buf)-s.n {
		return s.Write([]byte(p))
	}
	if s.err != nil {
		return 0, s.err
	}
	s.n += copy(s.buf[s.n:], p)
	return len(p), nil
}

func (s *sender) flush() error {
	if s.err == nil && s.n > 0 {
		s.write(s.buf[:s.n])
		s.n = 0
	}
	return s.err
}

func (s *sender) write(p []byte) (int, error) {
	n, err := s.c.write(p)
	s.sent += int64(n)
	if err != nil {
		s.err = writeError(err)
	}
	return n, s.err
}

// head sends the request line and the headers.
func (s *sender) head(req *Request) {
	s.WriteString(req.Method)
	s.WriteString(" ")
	if !req.secure() && req.Proxy.forwards() {
		s.WriteString("http://")
		s.Write(req.appendAuthority(nil))
	}
	s.WriteString(req.Target)
	s.WriteString(" HTTP/1.1\r\n")
	s.Write(req.Header)
	s.WriteString("\r\n")
}

// content sends the body. An error of the stream's own comes back as it is.
func (s *sender) content(req *Request) error {
	if req.Stream == nil {
		s.Write(req.Body)
		return s.err
	}
	var to io.Writer = s
	chunked := req.Stream.Size() < 0
	if chunked {
		to = &chunker{s}
	}
	if _, err := req.Stream.WriteTo(to); err != nil {
		if s.err != nil {
			return s.err
		}
		s.flush() // JMeter has sent the header by then
		return err
	}
	if chunked {
		s.WriteString("0\r\n\r\n")
	}
	return s.err
}

// chunker writes each piece as a chunk.
type chunker struct{ s *sender }

func (c *chunker) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, c.s.err
	}
	var size [18]byte
	c.s.Write(append(strconv.AppendInt(size[:0], int64(len(p)), 16), '\r', '\n'))
	n, err := c.s.Write(p)
	if err == nil {
		_, err = c.s.WriteString("\r\n")
	}
	return n, err
}
