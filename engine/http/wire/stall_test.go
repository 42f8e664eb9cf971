package wire

import (
	"net"
	"net/http"
	"testing"
	"time"

	"golang.org/x/net/http2"
)

// A server that takes nothing more of a request.
func TestStalledRequest(t *testing.T) {
	for _, test := range []struct {
		name   string
		tls    bool
		rate   int
		change func(*Request)
	}{
		{"body", false, 0, func(r *Request) { r.Body = make([]byte, 64<<20) }},
		{"stream", false, 0, func(r *Request) { r.Stream = &streamOf{make([]byte, 64<<20), 64 << 20} }},
		{"TLS", true, 0, func(r *Request) { r.Body = make([]byte, 64<<20) }},
		{"slow", false, 1 << 40, func(r *Request) { r.Body = make([]byte, 64<<20) }},
		{"proxy", false, 0, func(r *Request) {
			r.Proxy, r.Body = &Proxy{Host: "127.0.0.1", Port: r.Port}, make([]byte, 64<<20)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			block := make(chan struct{})
			defer close(block)
			p := serve(t, "", maybeTLS(t, test.tls, func(c net.Conn) {
				c.Read(make([]byte, 1))
				<-block
			}))
			c := newTestClient(t, &Options{HTTPRate: test.rate})
			req := p.get("/")
			if test.tls {
				req.Scheme = "https"
			}
			req.Method, req.ResponseTimeout, req.ConnectTimeout = "POST", shortly, 10*time.Second
			test.change(req)
			var res Response
			fails(t, c, req, &res, classTimeout, "Write timed out")
			if res.BytesSent >= 64<<20 || len(c.idle) > 0 {
				t.Errorf("%d bytes sent, %d connections kept", res.BytesSent, len(c.idle))
			}
		})
	}
}

// The same of HTTP/2, whose windows may allow more than the server takes, and of
// HTTP/3.
func TestStalledStream(t *testing.T) {
	block := make(chan struct{})
	defer close(block)
	p := scripted(t, func(_ int, s *h2Script) {
		s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1<<31 - 1})
		s.WriteWindowUpdate(0, 1<<30)
		s.answer(s.request(), "first")
		<-block
	})
	c := newTestClient(t, nil)
	var res Response
	expect(t, do(t, c, h2get(p), &res), "first")
	req := h2get(p)
	req.Method, req.Body, req.ResponseTimeout = "POST", make([]byte, 64<<20), shortly
	fails(t, c, req, &res, classTimeout, "Write timed out")
	if len(c.share.all) > 0 && !c.share.all[0].away {
		t.Error("the connection is kept")
	}

	h3 := newH3(t, nil, func(http.ResponseWriter, *http.Request) { <-block })
	req = h3.request("POST", "/")
	req.Body, req.ResponseTimeout, req.ConnectTimeout = make([]byte, 64<<20), shortly, 10*time.Second
	fails(t, c, req, &res, classTimeout, "Read timed out")
}
