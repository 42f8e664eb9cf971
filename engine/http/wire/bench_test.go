package wire

import (
	"bytes"
	"crypto/tls"
	"net"
	"net/http/httptest"
	"testing"
)

// replies answers every request with the same bytes and allocates nothing.
func replies(reply string) func(net.Conn) {
	b := []byte(reply)
	return func(c net.Conn) {
		in := make([]byte, 4096)
		for {
			n, err := c.Read(in)
			if err != nil {
				return
			}
			for range bytes.Count(in[:n], []byte("\r\n\r\n")) {
				c.Write(b)
			}
		}
	}
}

const plainReply = "HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Mon, 30 Nov 2026 10:00:00 GMT\r\n" +
	"Content-Type: text/plain\r\nContent-Length: 12\r\nConnection: keep-alive\r\n\r\nHello world\n"

const chunkedReply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n"

func BenchmarkGet(b *testing.B) {
	p := serve(b, "", replies(plainReply))
	c := newTestClient(b, nil)
	req := p.get("/")
	var res Response
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Do(req, &res, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetTLS(b *testing.B) {
	cert := testCertificate(b)
	p := serve(b, "", func(c net.Conn) {
		replies(plainReply)(tls.Server(c, &tls.Config{Certificates: []tls.Certificate{cert}}))
	})
	c := newTestClient(b, nil)
	req := p.get("/")
	req.Scheme = "https"
	var res Response
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Do(req, &res, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// loop is a connection that answers at once, without a network: what is left
// is the client's own work.
type loop struct {
	net.Conn
	reply []byte
	rest  []byte
}

func (l *loop) Write(p []byte) (int, error) { l.rest = l.reply; return len(p), nil }
func (l *loop) Read(p []byte) (int, error) {
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}
func (l *loop) Close() error { return nil }

// BenchmarkOwnWork is a request without system calls.
func BenchmarkOwnWork(b *testing.B) {
	c := NewClient(&Options{})
	req := &Request{Method: "GET", Target: "/", Scheme: "http", Host: "127.0.0.1", Port: 1, KeepAlive: true,
		Header: []byte("Connection: keep-alive\r\nHost: 127.0.0.1:1\r\nUser-Agent: Apache-HttpClient/4.5.14 (Java/17.0.15)\r\n")}
	l := &loop{reply: []byte(plainReply)}
	c.idle = append(c.idle, newConn(keyOf(req), l, l, 0))
	c.idle[0].expires = 1<<63 - 1
	var res Response
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Do(req, &res, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// testCertificate borrows the one of httptest.
func testCertificate(t testing.TB) tls.Certificate {
	t.Helper()
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	return s.TLS.Certificates[0]
}
