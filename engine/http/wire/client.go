package wire

import (
	"crypto/tls"
	"errors"
	"io"
	"time"
)

// Options are shared by all clients of a run and must not change after first
// use. Zero values mean none or off; [DefaultOptions] has JMeter's defaults.
type Options struct {
	// TimeToLive ends a connection at its next use (httpclient4.time_to_live).
	TimeToLive time.Duration
	// ValidateAfter is how long a connection may lie idle before it is checked
	// ahead of its next use (httpclient4.validate_after_inactivity). Earlier
	// than that, a connection the server has closed fails the request.
	ValidateAfter time.Duration
	// IdleTimeout is how long a connection may be kept when the server names
	// no Keep-Alive timeout (httpclient4.idletimeout).
	IdleTimeout time.Duration

	// Retries repeats a failed request (httpclient4.retrycount): methods that
	// are idempotent, and with RetrySent the others too.
	Retries   int
	RetrySent bool

	// MaxHead bounds the header of a response, and each line of chunk framing;
	// 0 is 1 MiB.
	MaxHead int

	// Resolver finds addresses where a Request has none; nil asks the system.
	Resolver Resolver

	// Zstd decodes Content-Encoding zstd too, which JMeter leaves as it is.
	Zstd bool
}

// DefaultOptions are those of JMeter without any property set.
func DefaultOptions() *Options {
	return &Options{TimeToLive: 60 * time.Second, ValidateAfter: 4900 * time.Millisecond}
}

// Client holds the connections of one virtual user.
type Client struct {
	options *Options
}

// NewClient returns a client without connections. It needs no Close as long as
// nothing was sent.
func NewClient(o *Options) *Client { return &Client{options: o} }

// Do sends req, reads the response into res and its decoded body into sink,
// which may be nil when nothing reads the body. The error is an *Error, unless
// sink or req.Stream returned another one; res then holds what was known.
func (c *Client) Do(req *Request, res *Response, sink io.Writer) error {
	return errors.New("not yet")
}

// Interrupt ends the running Do, if any, with JMeter's "Socket closed", and
// says whether there was one. Safe for concurrent use.
func (c *Client) Interrupt() bool { return false }

// Stop interrupts the running Do and every later one. Safe for concurrent use.
func (c *Client) Stop() {}

// Reset closes all connections and forgets TLS sessions: a new user begins.
func (c *Client) Reset() {}

// Close is Reset at the end of a thread.
func (c *Client) Close() {}

// TLS says how to speak TLS. It is shared by requests and must not change
// after first use; connections are kept for each TLS value.
type TLS struct {
	MinVersion, MaxVersion uint16   // 0: TLS 1.2 and the newest
	CipherSuites           []uint16 // nil: Go's choice; not for TLS 1.3
	// Certificate presents a client certificate; nil sends none.
	Certificate func(*tls.CertificateRequestInfo) (*tls.Certificate, error)
	// Verify checks the server's certificate by the system's roots, which
	// JMeter does not.
	Verify bool
	// NoResume makes every handshake a full one.
	NoResume bool
}
