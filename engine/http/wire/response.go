package wire

import "time"

// Response is what came back, with times and sizes. The caller reuses it; what
// its methods return is valid until the next Do. After an error it holds what
// was known by then.
type Response struct {
	// Status is the code of the final response, 0 when none was read.
	Status int

	// Reused says that a kept connection carried the request.
	Reused bool
	// FromProxy says that a proxy refused CONNECT: the response is its own.
	FromProxy bool
	// HasBody is false for responses that cannot have one: to HEAD, and 1xx,
	// 204, 205 and 304. JMeter knows no latency for these.
	HasBody bool
	// Decoded says that a Content-Encoding was undone.
	Decoded bool

	// HeaderSize is JMeter's headersSize: the length of the final status line
	// and headers, each with CRLF, and of the empty line.
	HeaderSize int64
	// BytesReceived is everything that came in during the last exchange: 1xx
	// responses, chunk framing and trailers too, compressed where it was.
	BytesReceived int64
	// BytesSent is request line, header and body of the last exchange.
	BytesSent int64
	// BodyLength is the length of the body after framing and compression were
	// undone, whether or not a sink kept it.
	BodyLength int64

	// Start, Connected, FirstByte and End are readings of [Now]. Connected is 0
	// on a reused connection and is set also when connecting failed. FirstByte
	// is when the body began (its end, if it is empty); 0 when it never did.
	Start, Connected, FirstByte, End int64

	head   []byte // status line and headers, each ended by one '\n'
	status int    // length of the status line in head
	lines  int    // number of header lines in head
	major  int    // HTTP version
	minor  int
}

var epoch = time.Now()

// Now is the clock of a Response: nanoseconds that never run backwards, from
// an arbitrary instant in this process; never 0.
func Now() int64 { return int64(time.Since(epoch)) + 1 }

// BodySize is JMeter's bodySize: what was received beyond the header.
func (r *Response) BodySize() int64 { return max(0, r.BytesReceived-r.HeaderSize) }

// StatusLine is the status line as JMeter shows it, without line end.
func (r *Response) StatusLine() []byte { return r.head[:max(0, r.status-1)] }

// Reason is the reason phrase, possibly empty.
func (r *Response) Reason() []byte { return nil }

// Get returns the value of the first header called name, in any case, without
// surrounding blanks; nil when there is none.
func (r *Response) Get(name string) []byte { return nil }

// Each calls f for every header in the order received, until f returns false.
func (r *Response) Each(f func(name, value []byte) bool) {}

// Head is the status line and the headers as received, each line ended by one
// "\n" and folded lines joined, in ISO-8859-1 as HTTP has it.
func (r *Response) Head() []byte { return r.head }

// AppendHead appends Head to dst in UTF-8, in the order JMeter's sample result
// shows: Content-Length and Content-Encoding go last when the body was decoded.
func (r *Response) AppendHead(dst []byte) []byte { return append(dst, r.head...) }
