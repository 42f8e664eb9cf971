package wire

import (
	"bytes"
	"time"
	"unicode/utf8"
)

// Response is what came back, with times and sizes. The caller reuses it; what
// its methods return is valid until the next Do. After an error it holds what
// was known by then.
type Response struct {
	// Status is the code of the final response, 0 when none was read; see NoCode.
	Status int

	// Reused says that a kept connection carried the request.
	Reused bool
	// FromProxy says that a proxy refused CONNECT: the response is its own, and
	// sizes are those of CONNECT, whose header was ConnectHeader. That is also set
	// where CONNECT failed.
	FromProxy     bool
	ConnectHeader []byte
	// Version is that of HTTP by which the request went: 1 (also when it is not
	// known), 2 or 3. From 2 on the status line is "HTTP/2 200", the names of
	// headers are in lower case, and there is no reason phrase. With 3 the
	// headers are in the order of their names.
	Version int
	// HasBody is false for responses that cannot have one: to HEAD, and 204,
	// 205 and 304. JMeter knows no latency for these.
	HasBody bool
	// Decoded says that a Content-Encoding was undone.
	Decoded bool
	// Undecoded says that this failed before the compressed data began.
	Undecoded bool

	// HeaderSize is JMeter's headersSize: the length of the final status line
	// and headers as JMeter shows them, each with CRLF, and of the empty line.
	HeaderSize int64
	// BytesReceived is everything that came in during the last exchange: 1xx
	// responses, chunk framing and trailers too, compressed where it was. By
	// HTTP/2 and 3 it is HeaderSize and the body, compressed where it was: HTTP/2
	// compresses headers, and frames of several requests come mixed.
	BytesReceived int64
	// BytesSent is request line, header and body of the last exchange. JMeter
	// reports 0 for a request that failed. By HTTP/2 and 3 it is what these would be
	// as text, before HTTP/2 compresses them, without framing.
	BytesSent int64
	// PayloadSize is the length of the body without the framing of HTTP/1.1, and
	// compressed as it came.
	PayloadSize int64
	// BodyLength is the length of the body after framing and compression were
	// undone, whether or not a sink kept it.
	BodyLength int64

	// Start, Connected, FirstByte and End are readings of [Now]. Connected is 0
	// on a reused connection and is set also when connecting failed; it
	// includes the TLS handshake, but behind a CONNECT proxy it is the
	// connection to the proxy alone. FirstByte is when the first piece of the
	// decoded body was there (its end, if it is empty); 0 when it never was.
	Start, Connected, FirstByte, End int64

	head   []byte // status line and headers, each ended by one '\n'
	status int    // length of the status line in head, with its '\n'
	reason int    // where the reason phrase begins in head
	h      headerFacts
}

var epoch = time.Now()

// Now is the clock of a Response: nanoseconds that never run backwards, from
// an arbitrary instant in this process; never 0.
func Now() int64 { return int64(time.Since(epoch)) + 1 }

// maxHeldHead is how much memory a Response keeps from one request to the next.
const maxHeldHead = 64 << 10

// reset forgets the previous request.
func (r *Response) reset() {
	if cap(r.head) > maxHeldHead {
		r.head = nil
	}
	head := r.head[:0]
	*r = Response{Version: 1} // in place: with the slice here it would go by way of the stack
	r.head = head
}

// begin forgets the previous exchange, but not the times of this request.
func (r *Response) begin() {
	start, connected := r.Start, r.Connected
	r.reset()
	r.Start, r.Connected = start, connected
}

// BodySize is JMeter's bodySize: what was received beyond HeaderSize. Bare line
// feeds can make it 0 or negative. JMeter takes 0 for unknown and then adds the
// length of the stored body to headersSize for the column "bytes".
func (r *Response) BodySize() int64 { return r.BytesReceived - r.HeaderSize }

// StatusLine is the status line as JMeter shows it, without line end.
func (r *Response) StatusLine() []byte { return r.head[:max(0, r.status-1)] }

// Reason is the reason phrase, possibly empty, in ISO-8859-1.
func (r *Response) Reason() []byte { return r.head[r.reason:max(r.reason, r.status-1)] }

// Get returns the value of the first header called name, in any case, without
// surrounding blanks; nil when there is none.
func (r *Response) Get(name string) []byte {
	for line, rest := cutLine(r.head[r.status:]); line != nil; line, rest = cutLine(rest) {
		if k, v := cutHeader(line); equalFold(k, name) {
			return v
		}
	}
	return nil
}

// ContentType returns the value of the last Content-Type without surrounding
// blanks; nil when there is none.
func (r *Response) ContentType() []byte {
	if r.h.typeTo == 0 {
		return nil
	}
	_, value := cutHeader(r.head[r.h.typeFrom:r.h.typeTo])
	return value
}

// Each calls f for every header in the order received, until f returns false.
func (r *Response) Each(f func(name, value []byte) bool) {
	for line, rest := cutLine(r.head[r.status:]); line != nil; line, rest = cutLine(rest) {
		if k, v := cutHeader(line); !f(k, v) {
			return
		}
	}
}

// Head is the status line and the headers as received, each line ended by one
// "\n" and folded lines joined, in ISO-8859-1 as HTTP has it.
func (r *Response) Head() []byte { return r.head }

// AppendHead appends Head to dst in UTF-8 as JMeter's sample result shows it:
// when the body was decoded, the first Content-Length, Content-Encoding and
// Content-MD5 stand at the end and their repetitions are gone.
func (r *Response) AppendHead(dst []byte) []byte {
	if !r.Decoded {
		return appendLatin1(dst, r.head)
	}
	moved := [...]string{"Content-Length", "Content-Encoding", "Content-MD5"}
	var last [len(moved)][]byte
	dst = appendLatin1(dst, r.head[:r.status])
lines:
	for line, rest := cutLine(r.head[r.status:]); line != nil; line, rest = cutLine(rest) {
		name, _ := cutHeader(line)
		for i, m := range moved {
			if equalFold(name, m) {
				if last[i] == nil {
					last[i] = line
				}
				continue lines
			}
		}
		dst = append(appendLatin1(dst, line), '\n')
	}
	for _, line := range last {
		if line != nil {
			dst = append(appendLatin1(dst, line), '\n')
		}
	}
	return dst
}

// cutLine splits the first line off b, without its '\n'; nil at the end.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return nil, nil
	}
	return b[:i:i], b[i+1:]
}

// cutHeader splits a line into name and value without surrounding blanks.
func cutHeader(line []byte) (name, value []byte) {
	i := bytes.IndexByte(line, ':')
	if i < 0 {
		return trim(line), nil
	}
	return trim(line[:i]), trim(line[i+1:])
}

// trim removes the white space of HTTP, and nothing else.
func trim(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// equalFold compares in ASCII.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		if lower(c) != lower(s[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// appendLatin1 appends ISO-8859-1 text in UTF-8.
func appendLatin1(dst, b []byte) []byte {
	ascii := 0
	for ascii < len(b) && b[ascii] < utf8.RuneSelf {
		ascii++
	}
	dst = append(dst, b[:ascii]...)
	for _, c := range b[ascii:] {
		if c < utf8.RuneSelf {
			dst = append(dst, c)
		} else {
			dst = utf8.AppendRune(dst, rune(c))
		}
	}
	return dst
}
