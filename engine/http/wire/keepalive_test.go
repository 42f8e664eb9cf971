package wire

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"
)

// nth answers with the number of the request on its connection, and with more
// headers.
func nth(headers string) func(net.Conn) {
	return answers(func(n int, _ string) string {
		body := fmt.Sprint("request ", n)
		return fmt.Sprintf("HTTP/1.1 200 OK\r\n%sContent-Length: %d\r\n\r\n%s", headers, len(body), body)
	})
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
}

func TestConnectionIsKept(t *testing.T) {
	p := serve(t, "", nth(""))
	c := newTestClient(t, nil)
	var res Response
	expect(t, do(t, c, p.get("/"), &res), "request 1")
	if res.Reused || res.Connected == 0 {
		t.Errorf("first: reused %v, connected %d", res.Reused, res.Connected)
	}
	expect(t, do(t, c, p.get("/"), &res), "request 2")
	if !res.Reused || res.Connected != 0 {
		t.Errorf("second: reused %v, connected %d", res.Reused, res.Connected)
	}
	if !(res.Start < res.FirstByte && res.FirstByte <= res.End) {
		t.Errorf("start %d, first byte %d, end %d", res.Start, res.FirstByte, res.End)
	}
}

func TestRequestThatClosesMayUseAKeptConnection(t *testing.T) {
	p := serve(t, "", nth(""))
	c := newTestClient(t, nil)
	var res Response
	expect(t, do(t, c, p.get("/"), &res), "request 1")
	closing := p.get("/")
	closing.KeepAlive = false
	expect(t, do(t, c, closing, &res), "request 2")
	expect(t, do(t, c, p.get("/"), &res), "request 1")
}

func TestConnectionsHaveTheirOwnRoutes(t *testing.T) {
	p, q := serve(t, "", nth("")), serve(t, "", nth(""))
	c := newTestClient(t, nil)
	var res Response
	other := p.get("/")
	other.Source = Source{netip.MustParseAddr("127.0.0.9")}
	tagged := p.get("/")
	tagged.TLS = &TLS{}
	for round := 1; round <= 3; round++ {
		for i, req := range []*Request{p.get("/"), q.get("/"), other, tagged} {
			if got, want := do(t, c, req, &res), fmt.Sprint("request ", round); got != want {
				t.Fatalf("route %d: %s, want %s", i, got, want)
			}
		}
	}
	if len(c.idle) != 4 {
		t.Errorf("%d kept connections", len(c.idle))
	}
}

func TestResetClosesConnections(t *testing.T) {
	over := make(chan struct{}, 1)
	p := serve(t, "", func(c net.Conn) {
		nth("")(c)
		over <- struct{}{}
	})
	c := newTestClient(t, nil)
	var res Response
	expect(t, do(t, c, p.get("/"), &res), "request 1")
	c.Reset()
	<-over // the server saw the end
	expect(t, do(t, c, p.get("/"), &res), "request 1")
}

func TestTimeToLive(t *testing.T) {
	for _, test := range []struct {
		name    string
		options Options
		headers string
		age     time.Duration // since the connection was made
		idle    time.Duration // since it was used
		kept    bool
	}{
		{"young", *DefaultOptions(), "", 59 * time.Second, 0, true},
		{"old", *DefaultOptions(), "", 61 * time.Second, 0, false},
		{"no limit", Options{}, "", time.Hour, time.Hour, true},
		{"idle timeout", Options{IdleTimeout: time.Second}, "", 0, 2 * time.Second, false},
		{"server's timeout", Options{}, "Keep-Alive: max=5, timeout=2\r\n", 0, 3 * time.Second, false},
		{"within the server's timeout", Options{}, "keep-alive: timeout=2\r\n", 0, time.Second, true},
		{"server's before own", Options{IdleTimeout: time.Second}, "Keep-Alive: timeout=5\r\n", 0, 3 * time.Second, true},
		{"server's of 0 is none", Options{}, "Keep-Alive: timeout=0\r\n", 0, time.Hour, true},
		{"server's that is no number", Options{}, "Keep-Alive: timeout=soon\r\n", 0, time.Hour, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", nth(test.headers))
			c := newTestClient(t, &test.options)
			var res Response
			do(t, c, p.get("/"), &res)
			cn := c.idle[0]
			if cn.dies < 1<<62 {
				cn.dies -= int64(test.age)
			}
			if cn.expires < 1<<62 {
				cn.expires -= int64(max(test.age, test.idle))
			}
			cn.used -= int64(test.idle)
			do(t, c, p.get("/"), &res)
			if res.Reused != test.kept {
				t.Errorf("reused %v, want %v", res.Reused, test.kept)
			}
		})
	}
}

// A connection that the server has closed in the meantime fails the sample,
// unless it lay idle long enough to be checked.
func TestStaleConnection(t *testing.T) {
	for _, secure := range []bool{false, true} {
		for _, test := range []struct {
			name string
			end  func(net.Conn)
			idle time.Duration
			ok   bool
		}{
			{"closed, not checked", func(c net.Conn) { c.Close() }, 4 * time.Second, false},
			{"closed, checked", func(c net.Conn) { c.Close() }, 5 * time.Second, true},
			{"junk, checked", func(c net.Conn) { io.WriteString(c, ok("unasked")) }, 5 * time.Second, true},
		} {
			t.Run(fmt.Sprint(test.name, " TLS ", secure), func(t *testing.T) {
				answered, ended := make(chan struct{}), make(chan struct{}, 2)
				handle := func(c net.Conn) {
					r := bufio.NewReader(c)
					readRequest(r)
					io.WriteString(c, ok("first"))
					<-answered // closed for good by then, so a second connection does not wait
					test.end(c)
					ended <- struct{}{}
					readRequest(r)
				}
				p := serve(t, "", maybeTLS(t, secure, handle))
				c := newTestClient(t, nil)
				var res Response
				req := p.get("/")
				if secure {
					req.Scheme = "https"
				}
				do(t, c, req, &res)
				close(answered)
				<-ended
				p.waitFor(t, c)
				c.idle[0].used -= int64(test.idle)
				if !test.ok {
					fails(t, c, req, &res, classNoResponse, req.hostPort()+" failed to respond")
					return
				}
				expect(t, do(t, c, req, &res), "first")
				if res.Reused {
					t.Error("the stale connection was used")
				}
			})
		}
	}
}

// waitFor waits until what the server sent or closed has arrived at the idle
// connection of c: on the loopback that is a matter of scheduling only.
func (p *peer) waitFor(t *testing.T, c *Client) {
	t.Helper()
	raw := c.idle[0].tcp.(*socket).raw
	if raw == nil {
		t.Fatal("no access to the socket")
	}
	for range 2000 {
		if rawStale(raw) {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("nothing arrived")
}

func TestAliveConnectionPassesTheCheck(t *testing.T) {
	for _, secure := range []bool{false, true} {
		p := serve(t, "", maybeTLS(t, secure, nth("")))
		c := newTestClient(t, nil)
		var res Response
		req := p.get("/")
		if secure {
			req.Scheme = "https"
		}
		for want := range 3 {
			expect(t, do(t, c, req, &res), fmt.Sprint("request ", want+1))
			c.idle[0].used -= int64(5 * time.Second)
		}
	}
}

// Bytes behind a response would be taken for the next one.
func TestJunkBehindTheResponse(t *testing.T) {
	for _, test := range []struct {
		name, reply string
		kept        bool
	}{
		{"another response", ok("first") + ok("unasked"), false},
		{"text", ok("first") + "x", false},
		{"line ends", ok("first") + "\r\n\n", true},
		{"behind chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\njunk", false},
		{"behind no body", "HTTP/1.1 204 No Content\r\n\r\nfirst", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", answers(func(int, string) string { return test.reply }))
			c := newTestClient(t, nil)
			var res Response
			first := do(t, c, p.get("/"), &res)
			expect(t, do(t, c, p.get("/"), &res), first)
			if res.Reused != test.kept {
				t.Errorf("reused %v, want %v", res.Reused, test.kept)
			}
		})
	}
}

func TestRetries(t *testing.T) {
	for _, test := range []struct {
		name    string
		method  string
		options Options
		drops   int // connections the server drops without an answer
		want    int // connections made
		ok      bool
	}{
		{"never by default", "GET", Options{}, 1, 1, false},
		{"once", "GET", Options{Retries: 1}, 1, 2, true},
		{"not often enough", "GET", Options{Retries: 2}, 3, 3, false},
		{"not POST", "POST", Options{Retries: 2}, 1, 1, false},
		{"POST when asked to", "POST", Options{Retries: 2, RetrySent: true}, 1, 2, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			left := make(chan struct{}, test.drops)
			for range test.drops {
				left <- struct{}{}
			}
			p := serve(t, "", func(c net.Conn) {
				r := bufio.NewReader(c)
				readRequest(r)
				select {
				case <-left:
				default:
					io.WriteString(c, ok("at last"))
				}
			})
			c := newTestClient(t, &test.options)
			req := p.get("/")
			req.Method = test.method
			var res Response
			if err := c.Do(req, &res, nil); (err == nil) != test.ok {
				t.Errorf("error %v", err)
			}
			if n := p.accepted(); n != test.want {
				t.Errorf("%d connections, want %d", n, test.want)
			}
		})
	}
}

func TestHeadersKeepCaseAndOrder(t *testing.T) {
	const headers = "zebra: 1\r\nAPPLE: 2\r\nContent-Length: 2\r\nzebra: 3\r\nX-Empty:\r\n"
	p := serve(t, "", answers(func(int, string) string { return "HTTP/1.1 200 OK\r\n" + headers + "\r\nok" }))
	c := newTestClient(t, nil)
	var res Response
	do(t, c, p.get("/"), &res)
	var b bytes.Buffer
	res.Each(func(name, value []byte) bool {
		fmt.Fprintf(&b, "%s=%s ", name, value)
		return string(name) != "X-Empty"
	})
	expect(t, b.String(), "zebra=1 APPLE=2 Content-Length=2 zebra=3 X-Empty= ")
	expect(t, string(res.Head()), "HTTP/1.1 200 OK\n"+strings.ReplaceAll(headers, "\r", ""))
	expect(t, string(res.Get("Zebra")), "1")
	if v := res.Get("x-empty"); v == nil || len(v) != 0 {
		t.Errorf("empty header: %q", v)
	}
	if v := res.Get("absent"); v != nil {
		t.Errorf("absent header: %q", v)
	}
	if res.HeaderSize != int64(len("HTTP/1.1 200 OK\r\n")+len(headers)+2) {
		t.Errorf("header size %d", res.HeaderSize)
	}
}

// The timeout of an earlier request says nothing about an idle connection.
func TestCheckedConnectionOutlivesAResponseTimeout(t *testing.T) {
	p := serve(t, "", nth(""))
	c := newTestClient(t, &Options{ValidateAfter: 1})
	var res Response
	hasty := p.get("/")
	hasty.ResponseTimeout = 20 * time.Millisecond
	expect(t, do(t, c, hasty, &res), "request 1")
	time.Sleep(2 * hasty.ResponseTimeout)
	expect(t, do(t, c, p.get("/"), &res), "request 2")
}

func TestConnectionsHaveTheirOwnOrigins(t *testing.T) {
	p := serve(t, "", nth(""))
	c := newTestClient(t, nil)
	var res Response
	led := p.get("/")
	led.Origin = "http://elsewhere"
	expect(t, do(t, c, p.get("/"), &res), "request 1")
	expect(t, do(t, c, led, &res), "request 1")
	expect(t, do(t, c, led, &res), "request 2")
	expect(t, do(t, c, p.get("/"), &res), "request 2")
}
