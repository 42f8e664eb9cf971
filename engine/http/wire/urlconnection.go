package wire

import (
	"bytes"
	"io"
	"strconv"
)

// This file is how java.net.HttpURLConnection reads the head of a response.

// ClassNotHTTP is the class of the error of a response that is none of HTTP/1.
// HttpURLConnection takes that for a document of an unknown type.
const ClassNotHTTP = "unknown/unknown"

// readURLStatus reads the status line, which must be the first.
func (c *conn) readURLStatus(req *Request, res *Response, budget *int64) (err error) {
	if res.head, err = c.readLine(res.head[:0], *budget); err != nil {
		if err == io.EOF {
			return noResponse(req)
		}
		return err
	}
	*budget -= int64(len(res.head)) + 1
	line := trimEnd(res.head)
	if len(line) < len("HTTP/1.1") || !bytes.HasPrefix(line, []byte("HTTP/1.")) {
		return &Error{Class: ClassNotHTTP, NoMessage: true}
	}
	_, code, _ := bytes.Cut(line, []byte{' '})
	code, reason, phrase := bytes.Cut(bytes.TrimLeft(code, " "), []byte{' '})
	if res.Status, err = strconv.Atoi(string(code)); err != nil {
		return &Error{Class: ClassNotHTTP, NoMessage: true}
	}
	if phrase { // else the whole line stands for it
		res.reason = len(line) - len(reason)
	}
	res.h.oldHTTP = line[len("HTTP/1.")] == '0'
	res.head = append(line, '\n')
	res.status = len(res.head)
	return nil
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
	if r.HasBody && !h.chunked && h.length < 0 {
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
	for _, c := range trimEnd(value) {
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
