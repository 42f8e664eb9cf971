package wire

import (
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Error is a request that got no whole response, named as JMeter names it.
type Error struct {
	// Class is the Java class in JMeter's response code, such as
	// "java.net.SocketTimeoutException".
	Class string
	// Message is JMeter's text; NoMessage says that it is Java's null, which
	// JMeter prints as "null".
	Message   string
	NoMessage bool
	// Cause is what Go reported, where it did; it may be nil.
	Cause error

	again bool // the server has done nothing of it
}

func (e *Error) Error() string {
	if e.NoMessage {
		return e.Class + ": null"
	}
	return e.Class + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// The classes that more than one place names.
const (
	classSocket      = "java.net.SocketException"
	classTimeout     = "java.net.SocketTimeoutException"
	classUnknownHost = "java.net.UnknownHostException"
	classNoRoute     = "java.net.NoRouteToHostException"
	classHostConnect = "org.apache.http.conn.HttpHostConnectException"
	classConnTimeout = "org.apache.http.conn.ConnectTimeoutException"
	classNoResponse  = "org.apache.http.NoHttpResponseException"
	classClosed      = "org.apache.http.ConnectionClosedException"
	classConstraint  = "org.apache.http.MessageConstraintException"
	classChunk       = "org.apache.http.MalformedChunkCodingException"
	classProtocol    = "org.apache.http.client.ClientProtocolException"
	classSSL         = "javax.net.ssl.SSLException"
	classHandshake   = "javax.net.ssl.SSLHandshakeException"
)

// retriable leaves out what HttpClient never tries again: timeouts, unknown
// hosts, failed connects, TLS errors, and answers that are not HTTP.
func (e *Error) retriable() bool {
	switch e.Class {
	case classTimeout, classConnTimeout, classUnknownHost, classHostConnect, classNoRoute, classProtocol, ClassNotHTTP:
		return false
	}
	return !strings.HasPrefix(e.Class, "javax.net.ssl.")
}

// notHTTP is HttpClient's wrapper of each protocol error, which has no text.
func notHTTP(why string) *Error {
	return &Error{Class: classProtocol, NoMessage: true, Cause: errors.New("wire: " + why)}
}

// malformed is an answer that is not as HTTP/2 or HTTP/3 want it. HttpClient's
// exception for HTTP/1.1 has no message; here nothing forbids to say why.
func malformed(why string, cause error) *Error {
	return &Error{Class: classProtocol, Message: "Malformed response: " + why, Cause: cause}
}

func socketClosed(cause error) *Error {
	return &Error{Class: classSocket, Message: "Socket closed", Cause: cause}
}

func noResponse(req *Request) *Error {
	return &Error{Class: classNoResponse, Message: req.hostPort() + " failed to respond", Cause: io.EOF}
}

// readError names what reading from a connection reported.
func readError(err error) *Error {
	switch {
	case errors.Is(err, syscall.ECONNRESET):
		return &Error{Class: classSocket, Message: "Connection reset", Cause: err}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{Class: classTimeout, Message: "Read timed out", Cause: err}
	}
	return ioError(err)
}

// writeError names what writing to a connection reported. Java tells a reset
// by another text here.
func writeError(err error) *Error {
	switch {
	case errors.Is(err, syscall.ECONNRESET):
		return &Error{Class: classSocket, Message: "Connection reset by peer", Cause: err}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &Error{Class: classTimeout, Message: "Write timed out", Cause: err}
	}
	return ioError(err)
}

// ioError names any other failure of a socket.
func ioError(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if e := tlsError(err); e != nil {
		return e
	}
	if errors.Is(err, net.ErrClosed) {
		return socketClosed(err)
	}
	var no syscall.Errno
	if errors.As(err, &no) {
		return &Error{Class: classSocket, Message: errnoText(no), Cause: err}
	}
	if wrong := (*net.AddrError)(nil); errors.As(err, &wrong) { // no address to connect to from the one we have
		return &Error{Class: classSocket, Message: errnoText(syscall.ENETUNREACH), Cause: err}
	}
	return &Error{Class: classSocket, Message: err.Error(), Cause: err}
}

// errnoText is the text of the C library, as Java shows it. Go has the same
// texts in lower case.
func errnoText(no syscall.Errno) string {
	s := no.Error()
	return strings.ToUpper(s[:1]) + s[1:]
}

// grouped prints n with thousands separators, as Java's %,d.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
