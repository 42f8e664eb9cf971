package wire

import (
	"bytes"
	"io"
	"strconv"
	"time"
)

// headerFacts is what the headers say about framing and connection.
type headerFacts struct {
	oldHTTP bool // HTTP/1.0 or before

	lengths   int   // number of Content-Length headers
	length    int64 // the last one that is a number, -1 for none or a negative one
	oneLength int64 // the only one, -1 when there are others or it is no number
	first     int64 // the first one, -1 when it is no number

	coded   bool // there is a Transfer-Encoding
	chunked bool // the first one ends in chunked
	plainCh bool // the first one is chunked and nothing else

	connection, close, keep bool // Connection
	proxy, proxyCl, proxyKp bool // Proxy-Connection

	keepAlive time.Duration

	encFrom, encTo   int // the first Content-Encoding, in head
	typeFrom, typeTo int // the last Content-Type, in head
}

// readLine appends a line to dst, without line end. As in HttpClient, what
// stands before the end of the connection is a line too; io.EOF is only
// reported when there is nothing. limit bounds the length of dst.
func (c *conn) readLine(dst []byte, limit int64) ([]byte, error) {
	start := len(dst)
	for {
		if len(c.b) == 0 {
			if err := c.fill(); err != nil {
				if err == io.EOF && len(dst) > start {
					break
				}
				return dst, err
			}
		}
		i := bytes.IndexByte(c.b, '\n')
		if i >= 0 {
			dst = append(dst, c.b[:i]...)
			c.b = c.b[i+1:]
			break
		}
		dst = append(dst, c.b...)
		c.b = c.b[len(c.b):]
		if int64(len(dst)) > limit {
			return dst, &Error{Class: classConstraint, Message: "Maximum line length limit exceeded"}
		}
	}
	if int64(len(dst)) > limit {
		return dst, &Error{Class: classConstraint, Message: "Maximum line length limit exceeded"}
	}
	if n := len(dst); n > start && dst[n-1] == '\r' {
		dst = dst[:n-1]
	}
	return dst, nil
}

// readHead reads one status line with its headers into res. budget is what all
// heads before a body may take; it is diminished.
func (c *conn) readHead(req *Request, res *Response, budget *int64) error {
	if c.urlConnection {
		return c.readURLHead(req, res, budget)
	}
	res.Status, res.status, res.reason, res.h = 0, 0, 0, headerFacts{}
	err := c.readStatus(req, res, budget)
	if err != nil {
		res.head = res.head[:0]
		return err
	}
	for {
		start := len(res.head)
		res.head, err = c.readLine(res.head, int64(start)+max(0, *budget))
		if err != nil && err != io.EOF {
			res.head = res.head[:start]
			return err
		}
		n := len(res.head) - start
		if n == 0 { // the empty line, or the end of the connection
			break
		}
		*budget -= int64(n) + 1
		if b := res.head[start]; (b == ' ' || b == '\t') && start > res.status {
			// A folded line goes on behind the one before, over its '\n'.
			i := start
			for i < len(res.head) && (res.head[i] == ' ' || res.head[i] == '\t') {
				i++
			}
			res.head[start-1] = ' '
			res.head = append(res.head[:start], res.head[i:]...)
		}
		res.head = append(res.head, '\n')
	}
	return res.parseHeaders()
}

// readStatus reads the status line. HttpClient passes over lines that are none.
func (c *conn) readStatus(req *Request, res *Response, budget *int64) error {
	var err error
	for first := true; ; first = false {
		res.head, err = c.readLine(res.head[:0], *budget)
		if err == io.EOF {
			if first {
				return noResponse(req)
			}
			return notHTTP("the server failed to respond with a valid HTTP response")
		}
		if err != nil {
			return err
		}
		if *budget -= int64(len(res.head)) + 1; hasVersion(res.head) {
			return res.parseStatus()
		}
	}
}

// hasVersion says whether line is meant to be a status line, by the rule of
// HttpCore's BasicLineParser.
func hasVersion(line []byte) bool {
	for len(line) > 0 && isBlank(line[0]) {
		line = line[1:]
	}
	return len(line) >= len("HTTP/1.1") && string(line[:5]) == "HTTP/"
}

// parseStatus reads the line in head and leaves there what JMeter shows.
func (r *Response) parseStatus() error {
	line := trim(r.head)
	rest := line[len("HTTP/"):]
	i := bytes.IndexByte(rest, '.')
	if i < 0 {
		return notHTTP("no minor version")
	}
	j := i + 1
	for j < len(rest) && rest[j] != ' ' {
		j++
	}
	major, err := strconv.Atoi(string(rest[:i]))
	if err != nil || major < 0 {
		return notHTTP("bad major version")
	}
	minor, err := strconv.Atoi(string(rest[i+1 : j]))
	if err != nil || minor < 0 {
		return notHTTP("bad minor version")
	}
	r.h.oldHTTP = major < 1 || major == 1 && minor == 0
	proto := len("HTTP/") + j
	rest = trim(rest[j:])
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	if n == 0 || n > 9 || n < len(rest) && rest[n] != ' ' {
		return notHTTP("bad status code")
	}
	code, err := strconv.Atoi(string(rest[:n]))
	if err != nil || code < 100 {
		return notHTTP("bad status code")
	}
	reason := trim(rest[n:])
	// All of these overlap, and none moves to the right: line begins at or
	// after the start of head. Only the blank after a bare code is new.
	zeros := 0 // in front, which a number does not have
	for rest[zeros] == '0' {
		zeros++
	}
	head := append(r.head[:0], line[:proto]...)
	head = append(head, ' ')
	head = append(head, rest[zeros:n]...)
	head = append(head, ' ')
	r.reason = len(head)
	head = append(head, reason...)
	r.head = append(head, '\n')
	r.status = len(r.head)
	r.Status = code
	return nil
}

// parseHeaders checks the lines in head and gathers what they say.
func (r *Response) parseHeaders() error {
	h := &r.h
	h.length, h.oneLength, h.first = -1, -1, -1
	at := r.status
	lines := 0
	for line, rest := cutLine(r.head[at:]); line != nil; line, rest = cutLine(rest) {
		lines++
		colon := bytes.IndexByte(line, ':')
		if colon < 0 {
			return notHTTP("header without colon")
		}
		name, value := trim(line[:colon]), trim(line[colon+1:])
		if len(name) == 0 {
			return notHTTP("header without name")
		}
		switch len(name) {
		case len("Connection"):
			if equalFold(name, "Connection") {
				h.connection = true
				tokens(value, &h.close, &h.keep)
			} else if equalFold(name, "Keep-Alive") && h.keepAlive == 0 {
				h.keepAlive = keepAliveTimeout(value)
			}
		case len("Content-Length"):
			if equalFold(name, "Content-Length") {
				h.addLength(value)
			}
		case len("Content-Type"):
			if equalFold(name, "Content-Type") {
				h.typeTo = len(r.head) - len(rest) - 1
				h.typeFrom = h.typeTo - len(line)
			}
		case len("Content-Encoding"): // and Proxy-Connection
			if equalFold(name, "Content-Encoding") && h.encTo == 0 {
				end := len(r.head) - len(rest) - 1
				h.encFrom, h.encTo = end-len(line), end
			} else if equalFold(name, "Proxy-Connection") {
				h.proxy = true
				tokens(value, &h.proxyCl, &h.proxyKp)
			}
		case len("Transfer-Encoding"):
			if equalFold(name, "Transfer-Encoding") && !h.coded {
				h.coded = true
				h.plainCh = equalFold(value, "chunked")
				h.chunked = h.plainCh || lastCoding(value)
			}
		}
	}
	r.HeaderSize = int64(len(r.head) + lines + 1 + len("\r\n"))
	return nil
}

func (h *headerFacts) addLength(value []byte) {
	n, err := strconv.ParseInt(string(value), 10, 64)
	h.lengths++
	if h.lengths == 1 && err == nil {
		h.first, h.oneLength = n, n
	} else {
		h.oneLength = -1
	}
	if err == nil {
		h.length = max(n, -1)
	}
}

// tokens looks for close and keep-alive in a list.
func tokens(value []byte, cl, keep *bool) {
	for len(value) > 0 {
		var t []byte
		t, value, _ = bytes.Cut(value, []byte{','})
		t = trim(t)
		*cl = *cl || equalFold(t, "close")
		*keep = *keep || equalFold(t, "keep-alive")
	}
}

// keepAliveTimeout is the timeout parameter of a Keep-Alive header, 0 for none.
func keepAliveTimeout(value []byte) time.Duration {
	for len(value) > 0 {
		var t []byte
		t, value, _ = bytes.Cut(value, []byte{','})
		k, v, _ := bytes.Cut(t, []byte{'='})
		if equalFold(trim(k), "timeout") {
			if n, err := strconv.ParseInt(string(trim(v)), 10, 32); err == nil {
				return time.Duration(n) * time.Second
			}
		}
	}
	return 0
}

// lastCoding says whether chunked is the last of a list of transfer codings.
func lastCoding(value []byte) bool {
	for len(value) > 0 {
		i := bytes.LastIndexByte(value, ',')
		name, _, _ := bytes.Cut(value[i+1:], []byte{';'})
		if name = trim(name); len(name) > 0 {
			return equalFold(name, "chunked")
		}
		value = value[:max(i, 0)]
	}
	return false
}

// canHaveBody follows HttpCore's HttpRequestExecutor, for which 205 has none
// either.
func canHaveBody(method string, status int) bool {
	if len(method) == 4 && equalFold([]byte(method), "HEAD") {
		return false
	}
	return status >= 200 && status != 204 && status != 205 && status != 304
}

// keepAlive follows HttpCore's DefaultConnectionReuseStrategy.
func (r *Response) keepAlive() bool {
	h := &r.h
	if r.Status == 204 && (h.first > 0 || h.coded) {
		return false
	}
	if h.coded {
		if !h.plainCh {
			return false
		}
	} else if r.HasBody && (h.lengths != 1 || h.oneLength < 0) {
		return false
	}
	switch {
	case h.connection && h.close, !h.connection && h.proxyCl:
		return false
	case h.connection && h.keep, !h.connection && h.proxyKp:
		return true
	}
	return !h.oldHTTP
}
