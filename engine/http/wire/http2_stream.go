package wire

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/http2/hpack"
)

// want is what a stream waits for.
type want uint8

const (
	wantOpen     want = iota + 1 // a place among the streams the server takes
	wantWindow                   // leave to send
	wantContinue                 // "100 Continue"
	wantHead                     // the final head
	wantBody                     // a piece of the body, or its end
)

// stream is a request on a mux and its response. It belongs to a Client, which
// uses it again; the mux's lock guards it meanwhile.
type stream struct {
	m   *mux // nil between requests
	id  uint32
	req *Request
	res *Response

	wants want
	until int64 // when the wait is over, a reading of Now; 0 is never
	err   error

	window  int64 // what the server lets us send
	sent    bool  // to the end
	stopped bool  // the server wants no more of the request
	reset   bool  // by either side

	budget    int64 // of heads
	continued bool  // "100 Continue" came, or was waited for long enough
	final     bool  // the final head is there
	ended     bool  // the response is
	got       int64
	room      int64 // what the server may send
	consumed  int64 // not yet told to the server

	piece []byte // of the body, as it lies in the input: its owner is the reader
	ahead []byte // of the body, read by another stream
	taken []byte // what was ahead, in the owner's hands
	rest  []byte // handed out by next, not yet by Read
}

// begin readies s, which has joined a mux, for a request.
func (s *stream) begin(req *Request, res *Response, budget int64) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	s.req, s.res, s.budget, s.room = req, res, budget, streamWindow
	s.m.cn.patient(req.ResponseTimeout)
}

// end forgets the request.
func (s *stream) end() {
	keep := func(b []byte) []byte {
		if cap(b) > maxHeldHead {
			return nil
		}
		return b[:0]
	}
	*s = stream{ahead: keep(s.ahead), taken: keep(s.taken)}
}

func (s *stream) ready() bool {
	switch s.wants {
	case wantOpen:
		return s.m.open < s.m.maxStreams || s.m.away
	case wantWindow:
		return s.window > 0 && s.m.window > 0 || s.ended
	case wantContinue:
		return s.continued || s.final
	case wantHead:
		return s.final
	}
	return s.piece != nil || len(s.ahead) > 0 || s.ended
}

// touch starts the time of one wait anew.
func (s *stream) touch() {
	if s.req == nil {
		return // joined, not begun
	}
	t := s.req.ResponseTimeout
	if s.wants == wantContinue && (t <= 0 || t > waitForContinue) {
		t = waitForContinue
	}
	s.until = 0
	if t > 0 {
		s.until = Now() + int64(t)
	}
}

func (s *stream) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// broken is what the end of the connection means for s.
func (s *stream) broken(err error) error {
	switch {
	case s.ended:
		return nil
	case s.id == 0:
		return unprocessed("The connection is closed")
	case err != io.EOF:
		return err
	case !s.final:
		return noResponse(s.req)
	case s.res.h.length >= 0:
		return premature(s.res.h.length, s.got)
	}
	return &Error{Class: classClosed, Message: "Premature end of HTTP/2 stream", Cause: io.ErrUnexpectedEOF}
}

// resetBy is the server's RST_STREAM. After a whole response it only means that
// the rest of the request is not wanted (RFC 9113, section 8.1).
func (s *stream) resetBy(code uint32) {
	s.reset = true
	if !s.ended {
		s.fail(streamReset(code))
	}
}

// await is until, from outside.
func (s *stream) await(w want) error {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	return s.m.until(s, w)
}

// send sends the request. It returns without an error, too, when the response
// made the rest of it superfluous.
func (s *stream) send(list []hpack.HeaderField) (err error) {
	m := s.m
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := s.open(); err != nil {
		return err
	}
	req := s.req
	hasBody := len(req.Body) > 0 || req.Stream != nil
	s.res.BytesSent = headText(list)
	s.sent = !hasBody
	s.appendHead(list, s.sent)
	if req.ExpectContinue && hasBody {
		if err := m.until(s, wantContinue); err != nil || s.final {
			return err
		}
	}
	switch {
	case !hasBody:
	case req.Stream == nil:
		err = s.content(req.Body, true)
	default:
		m.mu.Unlock()
		_, err = req.Stream.WriteTo(s)
		m.mu.Lock()
		if err == nil {
			err = s.content(nil, true)
		}
	}
	if s.stopped {
		return nil
	}
	if err == nil || s.err == nil { // JMeter has sent the header by the time a stream fails
		m.flush()
	}
	if s.err != nil {
		return s.err
	}
	return err
}

// open gets s its number.
func (s *stream) open() error {
	m := s.m
	if err := m.until(s, wantOpen); err != nil {
		return err
	}
	if m.last >= maxStream-2 {
		m.away = true
	}
	if m.away {
		return unprocessed("The connection is closed")
	}
	if m.last == 0 {
		m.last = 1
	} else {
		m.last += 2
	}
	m.open++
	s.id, s.window = m.last, m.firstWindow
	return nil
}

// encode compresses a header list (RFC 7541). Of one that the server knows by heart
// nothing but indexes is left, and the table stays as it is: as long as that lasts,
// the same list is the same bytes.
func (m *mux) encode(list []hpack.HeaderField) []byte {
	if len(m.fields) > 0 && slices.Equal(m.known, list) {
		return m.fields
	}
	m.fields, m.known = m.fields[:0], m.known[:0]
	for i := range list {
		m.enc.WriteField(list[i]) // to memory
	}
	if allIndexed(m.fields) {
		m.known = append(m.known, list...)
	}
	return m.fields
}

// allIndexed says whether a header block has indexed fields only (RFC 7541,
// section 6.1).
func allIndexed(b []byte) bool {
	for len(b) > 0 {
		if b[0]&0x80 == 0 {
			return false
		}
		more := b[0] == 0xff
		for b = b[1:]; more && len(b) > 0; b = b[1:] {
			more = b[0]&0x80 != 0
		}
	}
	return true
}

// appendHead appends the header list in HEADERS and CONTINUATION frames.
func (s *stream) appendHead(list []hpack.HeaderField, end bool) {
	m := s.m
	rest := m.encode(list)
	for kind := byte(frameHeaders); ; kind = frameContinuation {
		n := min(len(rest), maxFrame)
		flags := byte(0)
		if kind == frameHeaders && end {
			flags |= flagEndStream
		}
		if n == len(rest) {
			flags |= flagEndHeaders
		}
		m.appendHeader(n, kind, flags, s.id)
		m.append(rest[:n])
		if rest = rest[n:]; len(rest) == 0 {
			break
		}
	}
	if cap(m.fields) > 2*headerTable {
		m.fields, m.known = nil, nil
	}
}

// errStopped ends a body that the server does not want to the end.
var errStopped = errors.New("wire: the response came before the end of the request")

// content appends a piece of the body, as the windows allow.
func (s *stream) content(p []byte, end bool) error {
	m := s.m
	for len(p) > 0 || end {
		if len(p) > 0 && (s.window <= 0 || m.window <= 0) {
			if err := m.until(s, wantWindow); err != nil {
				return err
			}
		}
		if s.ended || s.reset {
			s.stopped = true
			return errStopped
		}
		if s.err != nil {
			return s.err
		}
		n := int(min(int64(len(p)), maxFrame, max(0, s.window), max(0, m.window)))
		flags := byte(0)
		if s.sent = end && n == len(p); s.sent {
			flags = flagEndStream
		}
		m.appendHeader(n, frameData, flags, s.id)
		m.append(p[:n])
		p = p[n:]
		s.window -= int64(n)
		m.window -= int64(n)
		s.res.BytesSent += int64(n)
		if s.sent {
			break
		}
	}
	return s.err
}

// Write sends a piece of the body.
func (s *stream) Write(p []byte) (int, error) {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	if err := s.content(p, false); err != nil {
		return 0, err
	}
	return len(p), nil
}

// header takes in one header of a head; those of trailers count for nothing. An
// error makes the response malformed (RFC 9113, section 8.1.1).
func (s *stream) header(name, value string) error {
	if s.final {
		return nil
	}
	r := s.res
	if name == ":status" && r.status == 0 {
		code := 0
		for i := range len(value) {
			code = code*10 + int(value[i]) - '0'
			if value[i] < '0' || value[i] > '9' || code > 999 {
				return malformed("bad status code", nil)
			}
		}
		if len(value) != 3 || code < 100 {
			return malformed("bad status code", nil)
		}
		r.Status = code
		r.head = append(append(append(r.head, "HTTP/2 "...), value...), '\n')
		r.status = len(r.head)
		r.reason = r.status
		return nil
	}
	if r.status == 0 {
		return malformed("header before the status", nil)
	}
	if !fieldName(name) {
		return malformed("bad header name", nil)
	}
	for i := range len(value) {
		if value[i] == 0 || value[i] == '\n' || value[i] == '\r' {
			return malformed("bad header value", nil)
		}
	}
	if s.budget -= int64(len(name) + len(value) + 4); s.budget < 0 {
		return &Error{Class: classConstraint, Message: "Maximum line length limit exceeded"}
	}
	r.head = append(append(append(append(r.head, name...), ": "...), value...), '\n')
	return nil
}

// fieldName says whether name can be a header's: a token (RFC 9110, section
// 5.6.2) in lower case.
func fieldName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c >= 0x7f || 'A' <= c && c <= 'Z' || c == ':' {
			return false
		}
	}
	return name != ""
}

// closeHead ends a head or trailers; end says that nothing follows.
func (s *stream) closeHead(end bool) error {
	r := s.res
	switch {
	case s.final && !end:
		return malformed("a second head", nil)
	case s.final:
	case r.status == 0:
		return malformed("no status", nil)
	case r.Status < 200:
		if end || r.Status == 101 {
			return malformed("bad interim response", nil)
		}
		s.budget -= int64(r.status)
		s.continued = s.continued || r.Status == 100
		if s.budget < 0 {
			return &Error{Class: classConstraint, Message: "Maximum line length limit exceeded"}
		}
		return nil
	default:
		if err := r.parseHeaders(); err != nil {
			return err
		}
		s.final = true
	}
	s.ended = s.ended || end
	return nil
}

// empty says that there is no body to decode.
func (s *stream) empty() bool {
	s.m.mu.Lock()
	defer s.m.mu.Unlock()
	return s.res.h.length == 0 || s.ended && len(s.ahead) == 0 && s.res.h.length < 0
}

// next is body.next.
func (s *stream) next() ([]byte, error) {
	m := s.m
	m.mu.Lock()
	defer m.mu.Unlock()
	s.piece = nil
	if err := m.until(s, wantBody); err != nil {
		return nil, err
	}
	if s.piece != nil {
		return s.piece, nil
	}
	if len(s.ahead) > 0 {
		s.taken, s.ahead = s.ahead, s.taken[:0]
		m.credit(s, int64(len(s.taken)))
		return s.taken, nil
	}
	if n := s.res.h.length; n > s.got {
		return nil, premature(n, s.got)
	} else if n >= 0 && n < s.got {
		return nil, &Error{Class: classStreamReset, Message: "Content-Length " + grouped(n) + " is exceeded (received: " + grouped(s.got) + ")"}
	}
	return nil, io.EOF
}

// Read makes the stream an io.Reader for decoders.
func (s *stream) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		var err error
		if s.rest, err = s.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// fieldList is a request's header as HTTP/2 has it, kept for the next request,
// which often has the same.
type fieldList struct {
	header    []byte
	list      []hpack.HeaderField
	authority string // of a Host header
}

// The pseudo headers, which stand first.
const (
	fieldMethod = iota
	fieldAuthority
	fieldScheme
	fieldPath
	pseudoFields
)

// http2Header takes a header line apart. The name is in lower case, and empty for
// what belongs to HTTP/1.1 connections (RFC 9113, section 8.2.2).
func http2Header(line []byte) (name string, value []byte) {
	b, value := cutHeader(line)
	name = strings.ToLower(string(b))
	switch name {
	case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "http2-settings":
		return "", nil
	case "te":
		if !equalFold(value, "trailers") {
			return "", nil
		}
	}
	return name, value
}

// AppendHTTP2Header appends what HTTP/2 sends of a Request's Header, in the same
// form; host stands for :authority.
func AppendHTTP2Header(dst, header []byte) []byte {
	for line := range bytes.SplitSeq(header, []byte("\r\n")) {
		if name, value := http2Header(line); name != "" {
			dst = append(append(append(dst, name...), ": "...), value...)
			dst = append(dst, "\r\n"...)
		}
	}
	return dst
}

// fields is the header list of req; Host becomes :authority.
func (c *Client) fields(req *Request) []hpack.HeaderField {
	f := &c.fieldList
	if f.list == nil || !bytes.Equal(f.header, req.Header) {
		f.header = append(f.header[:0], req.Header...)
		f.list = append(f.list[:0], make([]hpack.HeaderField, pseudoFields)...)
		f.authority = ""
		for line, rest := cutLine(f.header); line != nil; line, rest = cutLine(rest) {
			name, value := http2Header(line)
			switch name {
			case "":
			case "host":
				f.authority = string(value)
			default:
				f.list = append(f.list, hpack.HeaderField{Name: name, Value: string(value)})
			}
		}
		f.list[fieldMethod].Name, f.list[fieldAuthority].Name = ":method", ":authority"
		f.list[fieldScheme].Name, f.list[fieldPath].Name = ":scheme", ":path"
	}
	f.list[fieldMethod].Value, f.list[fieldScheme].Value, f.list[fieldPath].Value = req.Method, req.Scheme, req.Target
	if f.list[fieldAuthority].Value = f.authority; f.authority == "" {
		f.list[fieldAuthority].Value = string(req.appendAuthority(nil))
	}
	return f.list
}

// headText is the length of a header list as text, with a request line.
func headText(list []hpack.HeaderField) int64 {
	n := len(list[fieldMethod].Value) + len(" ") + len(list[fieldPath].Value) + len(" HTTP/2\r\n") +
		len("host: \r\n") + len(list[fieldAuthority].Value) + len("\r\n")
	for _, f := range list[pseudoFields:] {
		n += len(f.Name) + len(f.Value) + len(": \r\n")
	}
	return int64(n)
}
