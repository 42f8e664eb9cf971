package wire

import (
	"bufio"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"
)

// maybeTLS puts TLS in front of handle.
func maybeTLS(t testing.TB, secure bool, handle func(net.Conn)) func(net.Conn) {
	if !secure {
		return handle
	}
	return overTLS(&tls.Config{Certificates: []tls.Certificate{testCertificate(t)}}, handle)
}

func overTLS(cfg *tls.Config, handle func(net.Conn)) func(net.Conn) {
	return func(c net.Conn) {
		s := tls.Server(c, cfg)
		if s.Handshake() == nil {
			handle(s)
		}
		s.Close()
	}
}

func (p *peer) getTLS(target string) *Request {
	req := p.get(target)
	req.Scheme = "https"
	return req
}

func TestTLSResponses(t *testing.T) {
	big := strings.Repeat("0123456789abcdef", 10_000)
	bodies := map[string]string{"/one": "1", "/8": "12345678", "/16": "0123456789abcdef", "/big": big}
	p := serve(t, "", maybeTLS(t, true, func(c net.Conn) {
		r := bufio.NewReader(c)
		for {
			req, err := readRequest(r)
			if err != nil {
				return
			}
			body := bodies[strings.Fields(req)[1]]
			// Each write is a record, so that records end at every place.
			for _, piece := range []string{fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d", len(body)), "\r\n", "\r\n", body} {
				io.WriteString(c, piece)
			}
		}
	}))
	c := newTestClient(t, nil)
	var res Response
	for range 2 {
		for target, body := range bodies {
			if got := do(t, c, p.getTLS(target), &res); got != body {
				t.Fatalf("%s: %d bytes, want %d", target, len(got), len(body))
			}
			if want := res.HeaderSize + int64(len(body)); res.BytesReceived != want {
				t.Errorf("%s: %d bytes received, want the %d of the plain text", target, res.BytesReceived, want)
			}
		}
	}
	if p.accepted() != 1 {
		t.Errorf("%d connections", p.accepted())
	}
}

// The errors are those JMeter 5.6.3 reported for the same servers.
func TestTLSErrors(t *testing.T) {
	alert := func(n byte) func(net.Conn) {
		return func(c net.Conn) {
			c.Read(make([]byte, 4096))
			c.Write([]byte{21, 3, 3, 0, 2, 2, n})
			finish(c)
		}
	}
	cut := func(how func(*tls.Conn, net.Conn)) func(net.Conn) {
		cfg := &tls.Config{Certificates: []tls.Certificate{testCertificate(t)}}
		return func(c net.Conn) {
			s := tls.Server(c, cfg)
			r := bufio.NewReader(s)
			if _, err := readRequest(r); err != nil {
				return
			}
			io.WriteString(s, "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nok")
			how(s, c)
		}
	}
	const premature = "Premature end of Content-Length delimited message body (expected: 20; received: 2)"
	for _, test := range []struct {
		name           string
		handle         func(net.Conn)
		class, message string
	}{
		{"closed at once", func(c net.Conn) { finish(c) }, classHandshake, "Remote host terminated the handshake"},
		{"reset", func(c net.Conn) { c.Read(make([]byte, 10)); reset(c) }, classSocket, "Connection reset"},
		{"plain HTTP", func(c net.Conn) {
			c.Read(make([]byte, 4096))
			io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
			finish(c)
		}, classSSL, "Unsupported or unrecognized SSL message"},
		{"handshake_failure", alert(40), classHandshake, "Received fatal alert: handshake_failure"},
		{"protocol_version", alert(70), classHandshake, "Received fatal alert: protocol_version"},
		{"unknown_ca", alert(48), classHandshake, "Received fatal alert: unknown_ca"},
		{"internal_error", alert(80), classSSL, "Received fatal alert: internal_error"},
		{"unexpected_message", alert(10), "javax.net.ssl.SSLProtocolException", "Received fatal alert: unexpected_message"},
		{"unknown alert", alert(200), classSSL, "Received fatal alert: UNKNOWN ALERT (200)"},
		{"silence", func(c net.Conn) { c.Read(make([]byte, 4096)); io.Copy(io.Discard, c) }, classConnTimeout,
			"Connect to {place} failed: Read timed out"},
		{"cut without notice", cut(func(_ *tls.Conn, c net.Conn) { finish(c) }), classClosed, premature},
		{"cut with notice", cut(func(s *tls.Conn, c net.Conn) { s.CloseWrite(); finish(c) }), classClosed, premature},
		{"cut within a record", cut(func(_ *tls.Conn, c net.Conn) { c.Write([]byte("\x17\x03\x03\x00\x50abc")); finish(c) }), classClosed, premature},
		{"reset in the body", cut(func(_ *tls.Conn, c net.Conn) { reset(c) }), classSocket, "Connection reset"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", test.handle)
			c := newTestClient(t, nil)
			req := p.getTLS("/")
			if test.class == classConnTimeout {
				req.ConnectTimeout = shortly
			}
			var res Response
			place := fmt.Sprintf("127.0.0.1:%d [/127.0.0.1]", p.port)
			fails(t, c, req, &res, test.class, strings.ReplaceAll(test.message, "{place}", place))
			if res.Connected == 0 {
				t.Error("no connect time")
			}
			if len(c.idle) > 0 {
				t.Error("connection kept")
			}
		})
	}
}

func TestTLSOfTheServerOnly10(t *testing.T) {
	p := serve(t, "", overTLS(&tls.Config{Certificates: []tls.Certificate{testCertificate(t)}, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10}, nth("")))
	c := newTestClient(t, nil)
	var res Response
	req := p.getTLS("/")
	err := c.Do(req, &res, nil)
	if e, ok := err.(*Error); !ok || e.Class != classHandshake {
		t.Errorf("error %v, want a handshake exception", err)
	}
	req.TLS = &TLS{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10}
	expect(t, do(t, c, req, &res), "request 1")
}

func TestTLSNameAndCertificate(t *testing.T) {
	cert := testCertificate(t)
	cfg := &tls.Config{Certificates: []tls.Certificate{cert}, ClientAuth: tls.RequestClientCert}
	p := serve(t, "", overTLS(cfg, func(c net.Conn) {
		s := c.(*tls.Conn).ConnectionState()
		answers(func(int, string) string {
			return ok(fmt.Sprintf("%q, %d certificates, resumed %v", s.ServerName, len(s.PeerCertificates), s.DidResume))
		})(c)
	}))
	c := newTestClient(t, nil)
	var res Response
	expect(t, do(t, c, p.getTLS("/"), &res), `"", 0 certificates, resumed false`) // addresses are not sent as names

	named := p.getTLS("/")
	named.Host, named.Resolver = "shop.test", always("127.0.0.1")
	expect(t, do(t, c, named, &res), `"shop.test", 0 certificates, resumed false`)

	// A new connection resumes the session, a new user does not.
	named.KeepAlive = false
	do(t, c, named, &res)
	expect(t, do(t, c, named, &res), `"shop.test", 0 certificates, resumed true`)
	c.Reset()
	expect(t, do(t, c, named, &res), `"shop.test", 0 certificates, resumed false`)

	named.TLS = &TLS{NoResume: true}
	c.Certificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &cert, nil }
	for range 2 {
		expect(t, do(t, c, named, &res), `"shop.test", 1 certificates, resumed false`)
	}

	named.TLS = &TLS{Verify: true}
	err := c.Do(named, &res, nil)
	if e, ok := err.(*Error); !ok || e.Class != classHandshake {
		t.Errorf("error %v, want a handshake exception", err)
	}
}

func TestTLSReadTimeout(t *testing.T) {
	p := serve(t, "", maybeTLS(t, true, func(c net.Conn) { io.Copy(io.Discard, c) }))
	c := newTestClient(t, nil)
	req := p.getTLS("/")
	req.ResponseTimeout = shortly
	var res Response
	start := time.Now()
	fails(t, c, req, &res, classTimeout, "Read timed out")
	if time.Since(start) < shortly {
		t.Error("gave up too early")
	}
}

// What a client dislikes about a server is told in Java's words.
func TestTLSServerDisliked(t *testing.T) {
	const version12 = "\x03\x03"
	record := func(kind byte, version, payload string) string {
		return string(kind) + version + string([]byte{byte(len(payload) >> 8), byte(len(payload))}) + payload
	}
	hello := func(version string) string {
		body := version + strings.Repeat("R", 32) + "\x00\xc0\x2f\x00"
		return record(22, version, "\x02\x00\x00"+string(rune(len(body)))+body)
	}
	for _, test := range []struct{ name, answer, class, message string }{
		{"TLS 1.0", hello("\x03\x01"), classHandshake, "The server selected protocol version TLS10 is not accepted by client preferences [TLS13, TLS12]"},
		{"SSL 3.0", hello("\x03\x00"), classHandshake, "The server selected protocol version SSL30 is not accepted by client preferences [TLS13, TLS12]"},
		{"HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", classSSL, "Unsupported or unrecognized SSL message"},
		{"end", hello(version12), classHandshake, "Remote host terminated the handshake"},
		{"nothing", "", classHandshake, "Remote host terminated the handshake"},
		{"alert", record(21, version12, "\x02\x70"), classHandshake, "Received fatal alert: unrecognized_name"},
		{"nonsense", record(22, version12, "\x02\x00\x00\x05abcde"), classHandshake, "tls: error decoding message"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", func(c net.Conn) {
				buf := make([]byte, 4096)
				c.Read(buf)
				io.WriteString(c, test.answer)
				c.(*net.TCPConn).CloseWrite()
				c.Read(buf)
			})
			var res Response
			fails(t, newTestClient(t, nil), p.getTLS("/"), &res, test.class, test.message)
		})
	}
}

// Java tells a server only names with a dot inside, and keeps sessions by host
// and port.
func TestTLSNamesAndPlaces(t *testing.T) {
	for host, want := range map[string]string{
		"shop.test": "shop.test", "a.b.c": "a.b.c", "localhost": "", "shop.test.": "", ".test": "", "127.0.0.1": "", "[::1]": "", "::1": "",
	} {
		if got := serverName(host); got != want {
			t.Errorf("%s is told as %q, want %q", host, got, want)
		}
	}
	cfg := &tls.Config{Certificates: []tls.Certificate{testCertificate(t)}}
	resumed := func(c net.Conn) {
		s := c.(*tls.Conn).ConnectionState()
		answers(func(int, string) string { return ok(fmt.Sprint(s.DidResume)) })(c)
	}
	one, other := serve(t, "", overTLS(cfg, resumed)), serve(t, "", overTLS(cfg, resumed)) // with the same ticket keys
	c := newTestClient(t, nil)
	var res Response
	get := func(p *peer) *Request {
		req := p.getTLS("/")
		req.Host, req.Resolver, req.KeepAlive = "shop.test", always("127.0.0.1"), false
		return req
	}
	expect(t, do(t, c, get(one), &res), "false")
	expect(t, do(t, c, get(one), &res), "true")
	expect(t, do(t, c, get(other), &res), "false")

	// Shared sessions belong to all clients, and outlast the user.
	shared := &TLS{Sessions: tls.NewLRUClientSessionCache(4)}
	for i, c := range []*Client{newTestClient(t, nil), newTestClient(t, nil)} {
		for range 2 {
			req := get(one)
			req.TLS = shared
			do(t, c, req, &res)
			c.Reset()
		}
		if i == 1 {
			req := get(one)
			req.TLS = shared
			expect(t, do(t, c, req, &res), "true")
		}
	}
}

// The alert of a server that does not take the certificate is told, whether it
// is read in time or the connection breaks while the request is written.
func TestTLSCertificateRefused(t *testing.T) {
	cfg := &tls.Config{Certificates: []tls.Certificate{testCertificate(t)}, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS13}
	p := serve(t, "", func(c net.Conn) { tls.Server(c, cfg).Handshake() })
	c := newTestClient(t, nil)
	for range 20 {
		var res Response
		req := p.getTLS("/")
		req.Method, req.Body = "POST", make([]byte, 1<<20)
		req.Header = append(req.Header, "Content-Length: 1048576\r\n"...)
		fails(t, c, req, &res, classHandshake, "Received fatal alert: certificate_required")
	}
}

// A server that knows only key exchange by RSA is spoken to, as by Java.
func TestTLSKeyExchangeByRSA(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1)}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	cfg := &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_CBC_SHA}, MaxVersion: tls.VersionTLS12,
	}
	p := serve(t, "", overTLS(cfg, nth("")))
	var res Response
	expect(t, do(t, newTestClient(t, nil), p.getTLS("/"), &res), "request 1")
}

func TestTLSGaveUp(t *testing.T) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12, MaxVersion: tls.VersionTLS12}
	for text, want := range map[string]string{
		"tls: server selected unsupported protocol version 302":                                          "The server selected protocol version TLS11 is not accepted by client preferences [TLS12]",
		"crypto/rsa: 512-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)": "Certificates do not conform to algorithm constraints",
		"tls: no supported versions satisfy MinVersion and MaxVersion":                                   "No appropriate protocol (protocol is disabled or cipher suites are inappropriate)",
		"tls: server chose an unconfigured cipher suite":                                                 "tls: server chose an unconfigured cipher suite",
	} {
		if got := gaveUp(text, cfg); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
