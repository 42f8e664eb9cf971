package wire

import (
	"bytes"
	"io"
	"strconv"
)

// This file is how java.net.HttpURLConnection reads the head of a response, and
// chunks: MessageHeader, HttpClient and ChunkedInputStream of Java 17.

// ClassNotHTTP is the class of the error of a response that is none of HTTP/1.
// HttpURLConnection takes that for a document of an unknown type.
const ClassNotHTTP = "unknown/unknown"

// NoCode is the Status of a response to HttpURLConnection whose first line has no
// code where one belongs. It has no body then.
const NoCode = -1

// urlMaxHead is Java's jdk.http.maxHeaderSize: how long all names and values may be
// together, with urlHeaderCost for each line.
const (
	urlMaxHead    = 384 << 10
	urlHeaderCost = 32
)

// endOfInput stands for the byte that does not come.
const endOfInput = -1

// readByte returns the next byte, or endOfInput.
func (c *conn) readByte() (int, error) {
	if len(c.b) == 0 {
		if err := c.fill(); err == io.EOF {
			return endOfInput, nil
		} else if err != nil {
			return endOfInput, err
		}
	}
	b := c.b[0]
	c.b = c.b[1:]
	return int(b), nil
}

// urlHead reads the lines of a head.
type urlHead struct {
	c     *conn
	begin [len("HTTP/1.1")]byte // what tells HTTP from something else
	n     int                   // of begin
	at    int                   // in begin
	size  int                   // of the lines so far, as urlMaxHead counts
}

func (h *urlHead) next() (int, error) {
	if h.at < h.n {
		h.at++
		return int(h.begin[h.at-1]), nil
	}
	return h.c.readByte()
}

// open looks at how the answer begins.
func (h *urlHead) open(req *Request) error {
	for h.n < len(h.begin) {
		b, err := h.c.readByte()
		if err != nil {
			return err
		}
		if b == endOfInput {
			break
		}
		h.begin[h.n] = byte(b)
		h.n++
	}
	switch {
	case bytes.HasPrefix(h.begin[:h.n], []byte("HTTP/1.")):
		return nil
	case h.n < len(h.begin):
		return noResponse(req)
	}
	return &Error{Class: ClassNotHTTP, NoMessage: true}
}

// lines appends all lines to dst, each ended by one '\n'. For a line that goes on in the
// next one, the line end and the first blank are one blank.
func (h *urlHead) lines(dst []byte) ([]byte, error) {
	b, err := h.next()
	for err == nil && b != '\n' && b != '\r' && b != endOfInput {
		start := len(dst)
		for ended := false; !ended && b != endOfInput; {
			if b == '\t' {
				b = ' '
			}
			dst = append(dst, byte(b))
			if size := h.size + len(dst) - start + urlHeaderCost; size > urlMaxHead {
				return dst, &Error{Class: "java.net.ProtocolException", Message: "Header size too big: " +
					strconv.Itoa(size) + " > " + strconv.Itoa(urlMaxHead)}
			}
			if b, err = h.next(); err != nil {
				return dst, err
			}
			if b == '\r' || b == '\n' {
				if b, err = h.lineEnd(b); err != nil {
					return dst, err
				}
				if ended = b == '\n' || b == '\r' || b > ' ' || b == endOfInput; !ended {
					b = ' '
				}
			}
		}
		line := trimEnd(dst[start:])
		h.size += fieldSize(line) + urlHeaderCost
		dst = append(dst[:start+len(line)], '\n')
	}
	return dst, err
}

// lineEnd returns what follows a line that ends with b.
func (h *urlHead) lineEnd(b int) (next int, err error) {
	next, err = h.next()
	if b == '\r' && next == '\n' && err == nil {
		if next, err = h.next(); next == '\r' && err == nil {
			next, err = h.next()
		}
	}
	return next, err
}

// fieldSize is the length of name and value.
func fieldSize(line []byte) int {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || bytes.IndexByte(line[:colon], ' ') >= 0 {
		return len(line)
	}
	value := line[colon+1:]
	for len(value) > 0 && value[0] <= ' ' {
		value = value[1:]
	}
	return colon + len(value)
}

// readURLHead reads a head into res, after those of 100. budget is what all of them may
// take; Java bounds each.
func (c *conn) readURLHead(req *Request, res *Response, budget *int64) error {
	for again := true; again; {
		res.Status, res.status, res.reason, res.h = 0, 0, 0, headerFacts{}
		h := urlHead{c: c}
		err := h.open(req)
		if err == nil {
			res.head, err = h.lines(res.head[:0])
		}
		if *budget -= int64(len(res.head)); err == nil && *budget < 0 {
			err = &Error{Class: classConstraint, Message: "Maximum line length limit exceeded"}
		}
		if err != nil {
			res.head = res.head[:0]
			return err
		}
		again = res.takeURLStatus()
	}
	return res.mergeHeaders()
}

// takeURLStatus reads the first line. again says that another head comes: for Java
// that is three digits behind all blanks, while the code is a number between two.
func (r *Response) takeURLStatus() (again bool) {
	r.status = bytes.IndexByte(r.head, '\n') + 1
	line := r.StatusLine()
	r.h.oldHTTP = len(line) > len("HTTP/1.") && line[len("HTTP/1.")] == '0'
	r.Status = NoCode
	blank := bytes.IndexByte(line, ' ')
	if blank < 0 {
		return false
	}
	code, phrase, ok := bytes.Cut(line[blank+1:], []byte{' '})
	if n, err := strconv.ParseInt(string(code), 10, 32); err == nil {
		r.Status = int(n)
	}
	if ok { // else the whole line stands for it
		r.reason = len(line) - len(phrase)
	}
	return bytes.HasPrefix(bytes.TrimLeft(line[blank:], " "), []byte("100"))
}

// urlHasBody says whether HttpURLConnection looks for a body.
func (r *Response) urlHasBody(method string) bool {
	return r.Status != NoCode && r.Status != 204 && r.Status != 304 && method != "HEAD"
}

// urlChunkHead is how long the line with the size of a chunk may be.
const urlChunkHead = 2050

// urlChunk is body.chunk for HttpURLConnection.
func (b *body) urlChunk() ([]byte, error) {
	if b.state == chunkBreak {
		if err := b.urlBreak(); err != nil {
			return nil, err
		}
		b.state = chunkSize
	}
	if b.state == chunkSize {
		line, err := b.urlLine(urlChunkHead, "Chunk header too long")
		if err != nil {
			return nil, err
		}
		digits := line[:len(line)-len(bytes.TrimLeft(line, "0123456789abcdefABCDEF"))]
		n, err := strconv.ParseInt(string(digits), 16, 32)
		if err != nil {
			return nil, urlChunkError("Bogus chunk size")
		}
		if b.left, b.got = n, 0; n == 0 {
			return nil, b.urlFooters()
		}
		b.state = chunkData
	}
	p, err := b.take()
	if err == io.EOF {
		return nil, urlChunkError("Premature EOF")
	}
	if err == nil && b.left == 0 {
		b.state = chunkBreak
	}
	return p, err
}

// urlBreak reads the line end behind the data of a chunk.
func (b *body) urlBreak() error {
	var end [2]int
	for i := range end {
		var err error
		if end[i], err = b.c.readByte(); err != nil {
			return err
		}
		if end[i] == endOfInput {
			return urlChunkError("Premature EOF")
		}
	}
	switch {
	case end[0] != '\r':
		return urlChunkError("missing CR")
	case end[1] != '\n':
		return urlChunkError("missing LF")
	}
	return nil
}

// urlFooters reads to the end of the body and returns io.EOF.
func (b *body) urlFooters() error {
	for total := int64(0); ; {
		line, err := b.urlLine(b.limit-total, "Trailers too long")
		if err != nil {
			return err
		}
		total += int64(len(line))
		text, ok := bytes.CutSuffix(line, []byte{'\r', '\n'})
		switch {
		case !ok:
			return urlChunkError("LF should be proceeded by CR")
		case len(text) == 0:
			return io.EOF
		case bytes.IndexByte(text, ':') < 0:
			return urlChunkError("Malformed tailer - format should be key:value")
		}
		b.footers = append(append(b.footers, text...), '\n')
	}
}

// urlLine returns the next line with its line end, valid until the next call; tooLong is
// what is wrong with one that is longer than limit.
func (b *body) urlLine(limit int64, tooLong string) ([]byte, error) {
	b.line = b.line[:0]
	for {
		c, err := b.c.readByte()
		switch {
		case err != nil:
			return nil, err
		case c == endOfInput:
			return nil, urlChunkError("Premature EOF")
		}
		if b.line = append(b.line, byte(c)); c == '\n' {
			return b.line, nil
		}
		if int64(len(b.line)) >= limit {
			return nil, urlChunkError(tooLong)
		}
	}
}

func urlChunkError(message string) *Error {
	return &Error{Class: "java.io.IOException", Message: message}
}

// urlWriteError is what HttpURLConnection makes of a failure of the socket to send.
func urlWriteError(err error) error {
	if e, ok := err.(*Error); !ok || e.Class != classSocket {
		return err
	}
	return &Error{Class: "java.io.IOException", Message: "Error writing to server", Cause: err}
}

// mergeHeaders puts the headers in head as HttpURLConnection hands them out. What
// stands behind a line that is none counts, but is not seen.
func (r *Response) mergeHeaders() error {
	raw := bytes.Clone(r.head[r.status:])
	r.head = r.head[:r.status]
	seen := 0
	for line, rest := cutLine(raw); line != nil; line, rest = cutLine(rest) {
		var ok bool
		if r.head, ok = appendField(r.head, line); !ok && seen == 0 {
			seen = len(r.head)
		}
	}
	err := r.parseHeaders()
	if seen > 0 {
		r.head = r.head[:seen]
		r.HeaderSize = headerSize(r.head)
	}
	return err
}

// urlKeepAlive says whether HttpURLConnection uses the connection again: for HTTP/1.0
// only where the server says so, and for no other Connection than keep-alive.
func (r *Response) urlKeepAlive() bool {
	h := &r.h
	if r.Status == NoCode || r.HasBody && !h.chunked && h.length < 0 {
		return false
	}
	if h.connection {
		return h.keep
	}
	return !h.oldHTTP
}

// addFooters adds the lines behind the last chunk, which HttpURLConnection shows
// among the headers.
func (r *Response) addFooters(lines []byte) {
	for line, rest := cutLine(lines); line != nil; line, rest = cutLine(rest) {
		r.head, _ = appendField(r.head, line)
	}
	if len(lines) > 0 {
		r.HeaderSize = headerSize(r.head)
	}
}

// headerSize is JMeter's: with CRLF, and with the empty line.
func headerSize(head []byte) int64 {
	return int64(len(head) + bytes.Count(head, []byte{'\n'}) + len("\r\n"))
}

// appendField appends a header line, unless there is no name: it ends at the first
// colon, and must not hold a blank.
func appendField(dst, line []byte) ([]byte, bool) {
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || bytes.ContainsAny(line[:colon], " \t") {
		return dst, false
	}
	dst = append(append(dst, line[:colon]...), ": "...)
	value := line[colon+1:]
	for len(value) > 0 && value[0] <= ' ' {
		value = value[1:]
	}
	for _, c := range trimEnd(value) { // tabs in what stands behind a body
		if c == '\t' {
			c = ' '
		}
		dst = append(dst, c)
	}
	return append(dst, '\n'), true
}

// trimEnd removes what Java takes for white space from the end.
func trimEnd(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	return b
}
