package wire

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// h2Server is net/http's server, which speaks HTTP/2 with and without TLS.
type h2Server struct {
	*httptest.Server
	conns atomic.Int32
}

func newOracle(t testing.TB, secure bool, h http.HandlerFunc) *h2Server {
	t.Helper()
	o := &h2Server{Server: httptest.NewUnstartedServer(h)}
	o.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			o.conns.Add(1)
		}
	}
	o.Config.Protocols = new(http.Protocols)
	o.Config.Protocols.SetHTTP1(true)
	o.Config.Protocols.SetHTTP2(true)
	o.Config.Protocols.SetUnencryptedHTTP2(true)
	if secure {
		o.EnableHTTP2 = true
		o.StartTLS()
	} else {
		o.Start()
	}
	t.Cleanup(o.Close)
	return o
}

// request asks by HTTP/2: with prior knowledge for http.
func (o *h2Server) request(method, target string) *Request {
	a := o.Listener.Addr().(*net.TCPAddr)
	r := &Request{Method: method, Target: target, Scheme: "http", Host: "127.0.0.1", Port: a.Port, KeepAlive: true, Version: HTTP2Known,
		Header: fmt.Appendf(nil, "Connection: keep-alive\r\nX-Case: MiXed\r\nHost: %s\r\nUser-Agent: wire\r\n", a)}
	if strings.HasPrefix(o.URL, "https") {
		r.Scheme, r.Version = "https", HTTP2Offered
	}
	return r
}

// h2Echo tells what it was asked, and answers as its path says.
func h2Echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("X-Asked", fmt.Sprintf("%s %s %s %s %d %s", r.Method, r.RequestURI, r.Proto, r.Host, len(body), r.Header.Get("X-Case")))
	w.Header().Set("X-Connection", r.Header.Get("Connection"))
	w.Header()["Date"] = nil
	switch path := r.URL.Path; {
	case path == "/empty":
		w.WriteHeader(204)
	case path == "/early":
		w.WriteHeader(103)
		io.WriteString(w, "after a hint")
	case path == "/trailer":
		w.Header().Set("Trailer", "X-Sum")
		io.WriteString(w, "with a trailer")
		w.Header().Set("X-Sum", "1")
	case path == "/gzip":
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		z.Write(bytes.Repeat([]byte("compressed "), 1000))
		z.Close()
	case strings.HasPrefix(path, "/size/"):
		n, _ := strconv.Atoi(path[len("/size/"):])
		if r.URL.RawQuery == "length" {
			w.Header().Set("Content-Length", strconv.Itoa(n))
		}
		w.Write(pattern(n))
	case path == "/echo":
		w.Write(body)
	case path == "/missing":
		http.Error(w, "no such thing", 404)
	case path == "/moved":
		http.Redirect(w, r, "/echo", http.StatusFound)
	default:
		io.WriteString(w, "Hello world\n")
	}
}

func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

// Whatever net/http's client gets from a server, this one gets too.
func TestHTTP2AgainstNetHTTP(t *testing.T) {
	for _, secure := range []bool{false, true} {
		o := newOracle(t, secure, h2Echo)
		c := newTestClient(t, nil)
		transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true, Protocols: new(http.Protocols)}
		transport.Protocols.SetHTTP2(secure)
		transport.Protocols.SetUnencryptedHTTP2(!secure)
		reference := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		for i, test := range []struct {
			method, target string
			body           []byte
		}{
			{"GET", "/", nil},
			{"HEAD", "/", nil},
			{"HEAD", "/size/100?length", nil},
			{"GET", "/a%20b?q=%C3%A4&q=2", nil},
			{"GET", "/size/1000000", nil},
			{"GET", "/size/1000000?length", nil},
			{"GET", "/size/0?length", nil},
			{"POST", "/echo", []byte("short")},
			{"POST", "/echo", pattern(1 << 20)},
			{"PUT", "/echo", pattern(70000)},
			{"DELETE", "/", nil},
			{"GET", "/gzip", nil},
			{"GET", "/empty", nil},
			{"GET", "/early", nil},
			{"GET", "/trailer", nil},
			{"GET", "/missing", nil},
			{"GET", "/moved", nil},
		} {
			t.Run(fmt.Sprintf("%t/%s%s", secure, test.method, test.target), func(t *testing.T) {
				hr, err := http.NewRequest(test.method, o.URL+test.target, bytes.NewReader(test.body))
				if err != nil {
					t.Fatal(err)
				}
				hr.Header.Set("X-Case", "MiXed")
				want, err := reference.Do(hr)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(want.Body)
				want.Body.Close()
				if err != nil {
					t.Fatal(err)
				}

				req := o.request(test.method, test.target)
				req.Body, req.NoDecode = test.body, true
				var res Response
				got := do(t, c, req, &res)
				if got != string(body) {
					t.Errorf("body of %d bytes, want %d", len(got), len(body))
				}
				if res.Status != want.StatusCode || string(res.StatusLine()) != fmt.Sprintf("HTTP/2 %d", want.StatusCode) || len(res.Reason()) != 0 {
					t.Errorf("status %d, %q, %q", res.Status, res.StatusLine(), res.Reason())
				}
				seen := 0
				res.Each(func(name, value []byte) bool {
					if string(name) == "trailer" {
						return true // net/http takes it out
					}
					seen++
					if string(value) != want.Header.Get(string(name)) {
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
					t.Errorf("%d bytes sent", res.BytesSent)
				}
			})
		}
		transport.CloseIdleConnections()
		if n := o.conns.Load(); n != 2 {
			t.Errorf("%d connections, want one of each client", n)
		}
	}
}

func TestHTTP2HeadAsText(t *testing.T) {
	o := newOracle(t, false, h2Echo)
	c := newTestClient(t, nil)
	var res Response
	expect(t, do(t, c, o.request("GET", "/x"), &res), "Hello world\n")
	addr := o.Listener.Addr().String()
	head := "HTTP/2 200\nx-asked: GET /x HTTP/2.0 " + addr + " 0 MiXed\nx-connection: \ncontent-type: text/plain; charset=utf-8\ncontent-length: 12\n"
	// net/http sends its headers in any order.
	if got := string(res.AppendHead(nil)); len(got) != len(head) || !strings.HasPrefix(got, "HTTP/2 200\n") {
		t.Errorf("head %q, want %q", got, head)
	}
	lines := int64(strings.Count(head, "\n"))
	if want := int64(len(head)) + lines + 2; res.HeaderSize != want {
		t.Errorf("header size %d, want %d", res.HeaderSize, want)
	}
	sent := "GET /x HTTP/2\r\nhost: " + addr + "\r\nx-case: MiXed\r\nuser-agent: wire\r\n\r\n"
	if res.BytesSent != int64(len(sent)) {
		t.Errorf("%d bytes sent, want %d", res.BytesSent, len(sent))
	}
	if res.FirstByte == 0 || res.Connected == 0 || res.End < res.FirstByte || !res.HasBody {
		t.Errorf("times %+v", res)
	}
	do(t, c, o.request("HEAD", "/x"), &res)
	if res.HasBody || res.FirstByte != 0 || res.Connected != 0 {
		t.Errorf("HEAD: %+v", res)
	}
}

func TestHTTP2Decodes(t *testing.T) {
	o := newOracle(t, true, h2Echo)
	c := newTestClient(t, nil)
	var res Response
	expect(t, do(t, c, o.request("GET", "/gzip"), &res), strings.Repeat("compressed ", 1000))
	if !res.Decoded || res.BodyLength != 11000 || res.BodySize() >= 1000 {
		t.Errorf("decoded %t: %d bytes of %d", res.Decoded, res.BodyLength, res.BodySize())
	}
}

// Where the server does not want HTTP/2 the connection is one for HTTP/1.1.
func TestHTTP2NotChosen(t *testing.T) {
	o := &h2Server{Server: httptest.NewUnstartedServer(http.HandlerFunc(h2Echo))}
	o.StartTLS()
	t.Cleanup(o.Close)
	c := newTestClient(t, nil)
	var res Response
	for i := range 3 {
		do(t, c, o.request("GET", "/"), &res)
		expect(t, string(res.StatusLine()), "HTTP/1.1 200 OK")
		if res.Reused != (i > 0) {
			t.Errorf("reused: %t", res.Reused)
		}
	}
	// http without prior knowledge is HTTP/1.1.
	plain := newOracle(t, false, h2Echo)
	req := plain.request("GET", "/")
	req.Version = HTTP2Offered
	do(t, c, req, &res)
	expect(t, string(res.StatusLine()), "HTTP/1.1 200 OK")
}

func TestHTTP2StreamBody(t *testing.T) {
	o := newOracle(t, false, h2Echo)
	c := newTestClient(t, nil)
	req := o.request("POST", "/echo")
	own := errors.New("own")
	for _, fails := range []error{nil, own, nil} {
		req.Stream = &pieceStream{piece: pattern(10000), n: 30, fails: fails}
		var res Response
		var k Keep
		if err := c.Do(req, &res, &k); err != fails {
			t.Errorf("error %v, want %v", err, fails)
		}
		if fails == nil && len(k.B) != 300000 {
			t.Errorf("%d bytes came back", len(k.B))
		}
	}
	if n := o.conns.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// pieceStream writes a piece n times, and may fail then.
type pieceStream struct {
	piece []byte
	n     int
	fails error
}

func (s *pieceStream) Size() int64 { return -1 }

func (s *pieceStream) WriteTo(w io.Writer) (int64, error) {
	for range s.n {
		if _, err := w.Write(s.piece); err != nil {
			return 0, err
		}
	}
	return int64(s.n * len(s.piece)), s.fails
}

// A server that answers before it has read the body does not get the rest.
func TestHTTP2EarlyAnswer(t *testing.T) {
	o := newOracle(t, false, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "too much", http.StatusRequestEntityTooLarge)
	})
	c := newTestClient(t, nil)
	req := o.request("POST", "/")
	for range 3 {
		req.Body = pattern(4 << 20)
		var res Response
		expect(t, do(t, c, req, &res), "too much\n")
		if res.Status != 413 || res.BytesSent >= 4<<20 {
			t.Errorf("status %d, %d bytes sent", res.Status, res.BytesSent)
		}
	}
	if n := o.conns.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

func TestHTTP2ExpectContinue(t *testing.T) {
	o := newOracle(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/no" {
			w.WriteHeader(417)
			return
		}
		h2Echo(w, r)
	})
	c := newTestClient(t, nil)
	for path, want := range map[string]int{"/echo": 200, "/no": 417} {
		req := o.request("POST", path)
		req.Header = append(req.Header, "Expect: 100-continue\r\n"...)
		req.ExpectContinue, req.Body = true, []byte("body")
		var res Response
		body := do(t, c, req, &res)
		if res.Status != want || want == 200 && body != "body" {
			t.Errorf("%s: status %d, %q", path, res.Status, body)
		}
	}
}

// The clients of one user share a connection and their requests do not wait for
// each other.
func TestHTTP2Siblings(t *testing.T) {
	for _, secure := range []bool{false, true} {
		const n = 6
		var barrier sync.WaitGroup
		barrier.Add(n)
		o := newOracle(t, secure, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/together" {
				barrier.Done()
				barrier.Wait() // for all requests to be there
			}
			w.Write(pattern(300000))
		})
		c := newTestClient(t, nil)
		all := []*Client{c}
		for len(all) < n {
			all = append(all, c.Sibling())
		}
		var wg sync.WaitGroup
		for _, path := range []string{"/together", "/", "/", "/"} {
			for _, c := range all {
				wg.Go(func() {
					var res Response
					var k Keep
					if err := c.Do(o.request("GET", path), &res, &k); err != nil || !bytes.Equal(k.B, pattern(300000)) {
						t.Errorf("error %v, %d bytes", err, len(k.B))
					}
				})
			}
			wg.Wait()
		}
		if got := o.conns.Load(); got != 1 {
			t.Errorf("%d connections", got)
		}
	}
}

// Siblings that meet a server of HTTP/1.1 have connections of their own.
func TestHTTP2SiblingsFallBack(t *testing.T) {
	o := &h2Server{Server: httptest.NewUnstartedServer(http.HandlerFunc(h2Echo))}
	o.StartTLS()
	t.Cleanup(o.Close)
	c := newTestClient(t, nil)
	var wg sync.WaitGroup
	for _, c := range []*Client{c, c.Sibling(), c.Sibling()} {
		t.Cleanup(c.Close)
		wg.Go(func() {
			for range 3 {
				var res Response
				if err := c.Do(o.request("GET", "/"), &res, nil); err != nil || string(res.StatusLine()) != "HTTP/1.1 200 OK" {
					t.Errorf("error %v, %s", err, res.StatusLine())
				}
			}
		})
	}
	wg.Wait()
}

// A dial that fails wakes those who wait for it, and each gets the error.
func TestHTTP2SiblingsRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	c := newTestClient(t, nil)
	var wg sync.WaitGroup
	for _, c := range []*Client{c, c.Sibling(), c.Sibling()} {
		wg.Go(func() {
			var res Response
			req := &Request{Method: "GET", Target: "/", Scheme: "http", Host: "127.0.0.1", Port: port, Version: HTTP2Known}
			var e *Error
			if err := c.Do(req, &res, nil); !errors.As(err, &e) || e.Class != classHostConnect {
				t.Errorf("error %v", err)
			}
		})
	}
	wg.Wait()
}

func TestHTTP2Interrupt(t *testing.T) {
	asked := make(chan bool, 10)
	o := newOracle(t, true, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			asked <- true
			<-r.Context().Done()
		}
	})
	c := newTestClient(t, nil)
	d := c.Sibling()
	var res Response
	do(t, c, o.request("GET", "/"), &res)
	failed := make(chan error)
	for _, c := range []*Client{c, d} {
		go func() {
			var res Response
			failed <- c.Do(o.request("GET", "/wait"), &res, nil)
		}()
		<-asked
	}
	c.Interrupt()
	for range 2 {
		var e *Error
		if err := <-failed; !errors.As(err, &e) || e.Class != classSocket || e.Message != "Socket closed" {
			t.Errorf("error %v", err)
		}
	}
	do(t, c, o.request("GET", "/"), &res)
	if res.Reused {
		t.Error("an interrupted connection is used again")
	}
	c.Stop()
	fails(t, c, o.request("GET", "/"), &res, classSocket, "Socket closed")
}

// A timeout ends its own stream; others go on, but no new ones are begun.
func TestHTTP2Timeout(t *testing.T) {
	o := newOracle(t, false, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/never":
			<-r.Context().Done()
		case "/slow":
			for range 6 {
				io.WriteString(w, "drop ")
				w.(http.Flusher).Flush()
				time.Sleep(shortly / 3)
			}
		}
	})
	c := newTestClient(t, nil)
	d := c.Sibling()
	var res Response
	do(t, c, o.request("GET", "/"), &res)
	var wg sync.WaitGroup
	wg.Go(func() {
		req := o.request("GET", "/slow")
		req.ResponseTimeout = 10 * time.Second
		var res Response
		var k Keep
		if err := d.Do(req, &res, &k); err != nil || len(k.B) != 30 {
			t.Errorf("error %v, %q", err, k.B)
		}
	})
	req := o.request("GET", "/never")
	req.ResponseTimeout = shortly
	fails(t, c, req, &res, classTimeout, "Read timed out")
	wg.Wait()
	do(t, c, o.request("GET", "/"), &res)
	if res.Reused || o.conns.Load() != 2 {
		t.Errorf("reused %t, %d connections", res.Reused, o.conns.Load())
	}
}

func TestHTTP2KeepAlive(t *testing.T) {
	o := newOracle(t, false, h2Echo)
	c := newTestClient(t, &Options{TimeToLive: time.Hour, ValidateAfter: 1})
	var res Response
	req := o.request("GET", "/")
	do(t, c, req, &res)
	do(t, c, req, &res) // after a look at the connection
	if !res.Reused {
		t.Error("not reused")
	}
	req.KeepAlive = false
	do(t, c, req, &res)
	if !res.Reused {
		t.Error("a kept connection is not used for the last time")
	}
	req.KeepAlive = true
	do(t, c, req, &res)
	if res.Reused {
		t.Error("reused although it was not to be kept")
	}
	// The server closes while the connection lies idle.
	o.CloseClientConnections()
	do(t, c, req, &res)
	if res.Reused || o.conns.Load() != 3 {
		t.Errorf("reused %t, %d connections", res.Reused, o.conns.Load())
	}
	c.Reset()
	do(t, c, req, &res)
	if res.Reused {
		t.Error("reused after a reset")
	}
}

// An idle user of HTTP/2 holds no buffer, and there is no goroutine.
func TestHTTP2HoldsLittle(t *testing.T) {
	o := newOracle(t, true, h2Echo)
	c := newTestClient(t, nil)
	var res Response
	do(t, c, o.request("GET", "/size/100000"), &res)
	m := c.share.all[0]
	if m.buf != nil || m.cn.buf != nil || len(m.streams) != 0 || m.reader != nil || m.open != 0 {
		t.Errorf("%+v", m)
	}
	if c.stream.m != nil || cap(c.stream.ahead) > maxHeldHead {
		t.Errorf("%+v", c.stream)
	}
}

// HTTP/2 costs few allocations: the values of headers that are new.
func TestHTTP2Allocations(t *testing.T) {
	o := newOracle(t, false, func(w http.ResponseWriter, r *http.Request) { w.Header()["Date"] = nil })
	c := newTestClient(t, nil)
	req := o.request("GET", "/")
	var res Response
	do(t, c, req, &res)
	m := c.share.all[0]
	fields := c.fields(req)
	if n := testing.AllocsPerRun(100, func() { c.fields(req) }); n != 0 {
		t.Errorf("%v allocations for the header list", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		m.fields = m.fields[:0]
		for i := range fields {
			m.enc.WriteField(fields[i])
		}
	}); n != 0 {
		t.Errorf("%v allocations to encode", n)
	}
}
