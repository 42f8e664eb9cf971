package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
)

// h3Script is a server's side of an HTTP/3 request, byte by byte.
type h3Script struct {
	conn *quic.Conn
	*quic.Stream
}

// Frames (RFC 9114, section 7.2), with what QPACK needs to say 200 or 103.
const (
	h3OK       = "\x01\x03\x00\x00\xd9"
	h3Early    = "\x01\x03\x00\x00\xd8"
	h3OKLength = "\x01\x06\x00\x00\xd9\x54\x014" // Content-Length: 4
)

func (s *h3Script) say(bytes string) { io.WriteString(s, bytes) }

// fin ends the response.
func (s *h3Script) fin() { s.Stream.Close() }

func (s *h3Script) quit(code quic.ApplicationErrorCode) { s.conn.CloseWithError(code, "") }

// scriptedH3 starts a server that sends control and answers each request as play
// does. Its connections end when the client closes them.
func scriptedH3(t testing.TB, control string, play func(*h3Script)) *h3Server {
	t.Helper()
	quiet()
	cfg := &tls.Config{Certificates: []tls.Certificate{testCertificate(t)}, NextProtos: []string{http3.NextProtoH3}}
	l, err := quic.ListenAddr("127.0.0.1:0", cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		conn, err := l.Accept(ctx)
		if err != nil {
			return
		}
		if control != "" {
			if c, err := conn.OpenUniStream(); err == nil {
				io.WriteString(c, control)
			}
		}
		s, err := conn.AcceptStream(ctx)
		if err != nil {
			return
		}
		play(&h3Script{conn, s})
		select {
		case <-conn.Context().Done():
		case <-ctx.Done():
			t.Error("the client's connection is open")
		}
	}()
	t.Cleanup(func() {
		select {
		case <-ended:
		case <-time.After(20 * time.Second):
		}
		cancel()
		<-ended
		l.Close()
	})
	return &h3Server{port: l.Addr().(*net.UDPAddr).Port}
}

// Each way to break a response ends in time, is named, and leaves no connection.
func TestHTTP3Broken(t *testing.T) {
	const settings = "\x00\x04\x00"
	const broken, late = classStreamReset, "Read timed out"
	none := func(*h3Script) {}
	say := func(bytes string, then ...func(*h3Script)) func(*h3Script) {
		return func(s *h3Script) {
			s.say(bytes)
			for _, f := range then {
				f(s)
			}
		}
	}
	fin := (*h3Script).fin
	abort := func(s *h3Script) { s.CancelWrite(quic.StreamErrorCode(http3.ErrCodeInternalError)) }
	quit := func(s *h3Script) { s.quit(quic.ApplicationErrorCode(http3.ErrCodeNoError)) }
	accuse := func(s *h3Script) { s.quit(quic.ApplicationErrorCode(http3.ErrCodeGeneralProtocolError)) }
	for _, test := range []struct {
		name, control  string
		play           func(*h3Script)
		class, message string
	}{
		{"silence", settings, none, classTimeout, late},
		{"silence without settings", "", none, classTimeout, late},
		{"nothing", settings, fin, classClosed, "Premature end of HTTP/3 stream"},
		{"reset", settings, abort, broken, "H3_INTERNAL_ERROR"},
		{"closed", settings, quit, broken, "H3_NO_ERROR"},
		{"closed with an error", settings, accuse, broken, "H3_GENERAL_PROTOCOL_ERROR"},
		{"head cut", settings, say(h3OK[:3], fin), classClosed, "Premature end of HTTP/3 stream"},
		{"head then silence", settings, say(h3OK[:3]), classTimeout, late},
		{"head then reset", settings, say(h3OK[:3], abort), broken, "H3_INTERNAL_ERROR"},
		{"head too long", settings, say("\x01\xbf\xff\xff\xff"), classProtocol, "HEADERS frame too large"},
		{"data first", settings, say("\x00\x02hi"+h3OK, fin), classProtocol, "expected first frame to be a HEADERS frame"},
		{"settings", settings, say("\x04\x00" + h3OK), classProtocol, "expected first frame to be a HEADERS frame"},
		{"a frame of HTTP/2", settings, say("\x06\x08pingpong" + h3OK), classProtocol, "reserved frame type"},
		{"bad compression", settings, say("\x01\x03\x00\x00\xff"), classClosed, "Premature end of HTTP/3 stream"},
		{"entries that nobody made", settings, say("\x01\x03\x05\x00\x80"), classProtocol, "qpack"},
		{"no status", settings, say("\x01\x02\x00\x00", fin), classProtocol, "missing :status"},
		{"bad status", settings, say("\x01\x08\x00\x00\x5f\x09\x032x0", fin), classProtocol, "invalid status code"},
		{"only a hint", settings, say(h3Early, fin), classClosed, "Premature end of HTTP/3 stream"},
		{"hints without end", settings, func(s *h3Script) {
			s.SetWriteDeadline(time.Now().Add(10 * time.Second))
			for piece := strings.Repeat(h3Early, 100); ; {
				if _, err := io.WriteString(s, piece); err != nil {
					return
				}
			}
		}, classProtocol, "too many 1xx informational responses"},
		{"body then silence", settings, say(h3OK + "\x00\x04bo"), classTimeout, late},
		{"body then reset", settings, say(h3OK+"\x00\x04bo", abort), broken, "H3_INTERNAL_ERROR"},
		{"body then closed", settings, say(h3OK+"\x00\x04bo", quit), broken, "H3_NO_ERROR"},
		{"body then junk", settings, say(h3OK + "\x00\x02bo\x06\x00"), classProtocol, "reserved frame type"},
		{"less than the length", settings, say(h3OKLength+"\x00\x02bo", fin), classClosed, "Premature end of HTTP/3 stream"},
		{"more than the length", settings, say(h3OKLength+"\x00\x06bobobo", fin), classProtocol, "peer sent too much data"},
		{"no control stream", "\x07", none, classTimeout, late},
		{"no settings", "\x00\x07\x01\x00", none, broken, "H3_MISSING_SETTINGS"},
		{"settings twice", "\x00\x04\x00\x04\x00", none, broken, "H3_FRAME_UNEXPECTED"},
		{"push", "\x01\x00", none, broken, "H3_ID_ERROR"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := scriptedH3(t, test.control, test.play)
			c := newTestClient(t, nil)
			req := s.request("GET", "/")
			req.ConnectTimeout, req.ResponseTimeout = 10*time.Second, 500*time.Millisecond
			err := c.Do(req, new(Response), nil)
			c.Close()
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Class != test.class || !strings.Contains(e.Message, test.message) {
				t.Errorf("%s: %s, want %s: %s", e.Class, e.Message, test.class, test.message)
			}
		})
	}
}
