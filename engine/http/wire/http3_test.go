package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quic-go/quic-go/http3"
)

// h3Server is quic-go's server.
type h3Server struct {
	port   int
	server *http3.Server
	vanish func() // closes the socket without a word
}

func newH3(t testing.TB, cfg *tls.Config, h http.HandlerFunc) *h3Server {
	t.Helper()
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	if cfg == nil {
		cfg = new(tls.Config)
	}
	if cfg.Certificates == nil {
		cfg.Certificates = []tls.Certificate{testCertificate(t)}
	}
	s := &h3Server{
		port: socket.LocalAddr().(*net.UDPAddr).Port, server: &http3.Server{TLSConfig: http3.ConfigureTLSConfig(cfg), Handler: h},
		vanish: func() { socket.Close() },
	}
	quiet()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.server.Serve(socket)
	}()
	t.Cleanup(func() {
		s.server.Close()
		socket.Close()
		<-ended
	})
	return s
}

func (s *h3Server) request(method, target string) *Request {
	return &Request{Method: method, Target: target, Scheme: "https", Host: "127.0.0.1", Port: s.port, KeepAlive: true, Version: HTTP3Known,
		Header: fmt.Appendf(nil, "Connection: keep-alive\r\nX-Case: MiXed\r\nHost: 127.0.0.1:%d\r\nUser-Agent: wire\r\n", s.port)}
}

// Whatever quic-go's own client gets, this one gets too.
func TestHTTP3AgainstItsLibrary(t *testing.T) {
	s := newH3(t, nil, h2Echo)
	transport := &http3.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true}
	defer transport.Close()
	c := newTestClient(t, nil)
	for i, test := range []struct {
		method, target string
		body           []byte
	}{
		{"GET", "/", nil},
		{"HEAD", "/", nil},
		{"GET", "/a%20b?q=%C3%A4&q=2", nil},
		{"GET", "//twice?x", nil},
		{"GET", "/size/1000000?length", nil},
		{"GET", "/size/0?length", nil},
		{"POST", "/echo", []byte("short")},
		{"POST", "/echo", pattern(1 << 20)},
		{"DELETE", "/", nil},
		{"GET", "/gzip", nil},
		{"GET", "/empty", nil},
		{"GET", "/early", nil},
		{"GET", "/missing", nil},
	} {
		t.Run(test.method+test.target, func(t *testing.T) {
			hr, err := http.NewRequest(test.method, fmt.Sprintf("https://127.0.0.1:%d%s", s.port, test.target), bytes.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			hr.Header.Set("X-Case", "MiXed")
			want, err := transport.RoundTrip(hr)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(want.Body)
			want.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			req := s.request(test.method, test.target)
			req.Body, req.NoDecode = test.body, true
			var res Response
			if got := do(t, c, req, &res); got != string(body) {
				t.Errorf("body of %d bytes, want %d", len(got), len(body))
			}
			if res.Version != 3 || res.Status != want.StatusCode || string(res.StatusLine()) != fmt.Sprintf("HTTP/3 %d", want.StatusCode) {
				t.Errorf("version %d, status %d, %q", res.Version, res.Status, res.StatusLine())
			}
			seen := 0
			res.Each(func(name, value []byte) bool {
				seen++
				if string(value) != want.Header.Get(string(name)) || string(name) != strings.ToLower(string(name)) {
					t.Errorf("%s: %s, want %s", name, value, want.Header.Get(string(name)))
				}
				return true
			})
			if seen != len(want.Header) {
				t.Errorf("%d headers, want %d", seen, len(want.Header))
			}
			if n := res.HeaderSize + int64(len(body)); res.BytesReceived != n {
				t.Errorf("%d bytes received, want %d", res.BytesReceived, n)
			}
			if res.Reused != (i > 0) {
				t.Errorf("reused: %t", res.Reused)
			}
			if n := int64(len(test.body)); res.BytesSent <= n || res.BytesSent > n+200 {
				t.Errorf("%d bytes sent of a body of %d", res.BytesSent, n)
			}
		})
	}
}

func TestHTTP3DecodesAndStreams(t *testing.T) {
	s := newH3(t, nil, h2Echo)
	c := newTestClient(t, nil)
	var res Response
	if do(t, c, s.request("GET", "/gzip"), &res); !res.Decoded {
		t.Error("gzip was not undone")
	}
	body := pattern(300000)
	req := s.request("POST", "/echo")
	req.Stream = &streamOf{body, int64(len(body))}
	expect(t, do(t, c, req, &res), string(body))
	req.Stream = &streamOf{body, -1}
	expect(t, do(t, c, req, &res), string(body))
	if res.BytesSent < int64(len(body)) {
		t.Errorf("%d bytes sent", res.BytesSent)
	}
}

// streamOf is a body that says it has size bytes.
type streamOf struct {
	b    []byte
	size int64
}

func (s *streamOf) Size() int64 { return s.size }

func (s *streamOf) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, bytes.NewReader(s.b)) }

// Reset ends connections; so does a request that wants no more; a Source and a
// Keep-Alive header are as for TCP.
func TestHTTP3Connections(t *testing.T) {
	var mu sync.Mutex
	ports := map[string]bool{}
	s := newH3(t, nil, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		ports[r.RemoteAddr] = true
	})
	c := newTestClient(t, nil)
	ask := func(want int, last bool) {
		t.Helper()
		req := s.request("GET", "/")
		req.KeepAlive = !last
		var res Response
		do(t, c, req, &res)
		mu.Lock()
		defer mu.Unlock()
		if len(ports) != want || res.Reused && res.Connected != 0 || !res.Reused && res.Connected == 0 {
			t.Fatalf("%d connections, want %d; reused %t, connected %d", len(ports), want, res.Reused, res.Connected)
		}
	}
	ask(1, false)
	ask(1, false)
	c.Reset()
	ask(2, true)
	ask(3, false)

	var wait sync.WaitGroup
	for range 8 {
		sibling := c.Sibling()
		wait.Go(func() {
			for range 5 {
				var res Response
				if err := sibling.Do(s.request("GET", "/"), &res, nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	ask(3, false)
}

func TestHTTP3Failures(t *testing.T) {
	hold := make(chan struct{})
	s := newH3(t, nil, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hang":
			<-hold
		case "/stall":
			io.WriteString(w, "begun")
			w.(http.Flusher).Flush()
			<-hold
		case "/abort":
			panic(http.ErrAbortHandler)
		case "/cut":
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "short")
		}
	})
	t.Cleanup(func() { close(hold) })
	c := newTestClient(t, nil)
	var res Response
	for _, target := range []string{"/hang", "/stall"} {
		req := s.request("GET", target)
		req.ResponseTimeout, req.ConnectTimeout = 500*time.Millisecond, 10*time.Second
		fails(t, c, req, &res, classTimeout, "Read timed out")
	}
	if res.Status != 200 || res.BodyLength != 5 {
		t.Errorf("status %d and %d bytes of what came before", res.Status, res.BodyLength)
	}
	fails(t, c, s.request("GET", "/abort"), &res, classStreamReset, "H3_INTERNAL_ERROR")
	fails(t, c, s.request("GET", "/cut"), &res, classClosed, "Premature end of HTTP/3 stream")

	// An interrupt ends it, and the connection.
	began := make(chan error, 1)
	go func() { began <- c.Do(s.request("GET", "/hang"), new(Response), nil) }()
	for !c.Interrupt() {
		time.Sleep(time.Millisecond)
	}
	var e *Error
	if err := <-began; !errors.As(err, &e) || e.Message != "Socket closed" {
		t.Errorf("interrupted: %v", err)
	}

	// Nobody there.
	socket, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	req := s.request("GET", "/")
	req.Port, req.ConnectTimeout = socket.LocalAddr().(*net.UDPAddr).Port, 200*time.Millisecond
	fails(t, c, req, &res, classConnTimeout, fmt.Sprintf("Connect to 127.0.0.1:%d [/127.0.0.1] failed: Connect timed out", req.Port))

	// Alerts, and what TLS cannot agree on.
	strict := newH3(t, &tls.Config{ClientAuth: tls.RequireAnyClientCert}, h2Echo)
	fails(t, c, strict.request("GET", "/"), &res, classHandshake, "Received fatal alert: certificate_required")
	req = strict.request("GET", "/")
	req.TLS = &TLS{MaxVersion: tls.VersionTLS12}
	fails(t, c, req, &res, classHandshake, "No appropriate protocol (protocol is disabled or cipher suites are inappropriate)")
}

// The server ends a kept connection; the next request takes a new one.
func TestHTTP3AfterGoAway(t *testing.T) {
	s := newH3(t, nil, h2Echo)
	c := newTestClient(t, nil)
	var res Response
	do(t, c, s.request("GET", "/"), &res)
	q := c.share.quic.all[0]
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	<-q.quic.Context().Done()
	req := s.request("GET", "/")
	req.ConnectTimeout = 200 * time.Millisecond
	if err := c.Do(req, &res, nil); err == nil || res.Reused {
		t.Errorf("error %v, reused %t: the connection was given up", err, res.Reused)
	}
}

// Where nobody listens a connect fails at once, as with TCP, and a request on a
// connection whose server is gone too.
func TestHTTP3NobodyListens(t *testing.T) {
	for host, shown := range map[string]string{"127.0.0.1": "127.0.0.1", "[::1]": "0:0:0:0:0:0:0:1"} {
		discard, err := net.ResolveUDPAddr("udp", host+":9")
		if err != nil {
			t.Fatal(err)
		}
		deaf, err := net.DialUDP("udp", nil, discard) // holds the port, and hears nobody else
		if err != nil {
			t.Fatal(err)
		}
		defer deaf.Close()
		port := deaf.LocalAddr().(*net.UDPAddr).Port
		req := &Request{Method: "GET", Target: "/", Scheme: "https", Host: host, Port: port, Version: HTTP3Known}
		fails(t, newTestClient(t, nil), req, new(Response), classHostConnect, fmt.Sprintf("Connect to %s:%d [/%s] failed: Connection refused", host, port, shown))
	}

	s := newH3(t, nil, h2Echo)
	c := newTestClient(t, nil)
	var res Response
	do(t, c, s.request("GET", "/"), &res)
	s.vanish()
	fails(t, c, s.request("GET", "/"), &res, classHostConnect, fmt.Sprintf("Connect to 127.0.0.1:%d [/127.0.0.1] failed: Connection refused", s.port))
}
