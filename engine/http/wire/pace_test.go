package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// pacedTime is how long a request takes over a connection of 10,000 bytes a
// second, when the server itself takes no time.
func pacedTime(t *testing.T, body int, reply string) (took time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		go func() {
			defer server.Close()
			r := bufio.NewReaderSize(server, 64<<10)
			if _, err := readRequest(r); err == nil {
				w := bufio.NewWriterSize(server, 1<<20) // as much as is asked for is there
				io.WriteString(w, reply)
				w.Flush()
			}
		}()
		c := NewClient(&Options{HTTPRate: 10000})
		req := &Request{Method: "POST", Target: "/", Scheme: "http", Host: "h", KeepAlive: true, Body: make([]byte, body)}
		req.Header = fmt.Appendf(nil, "Content-Length: %d\r\n", body)
		tcp := c.paced(req, client)
		cn := newConn(keyOf(req), tcp, tcp, 0)
		cn.expires = cn.dies
		cn.slow(c.options.rate(false))
		c.idle = append(c.idle, cn)
		began := time.Now()
		var res Response
		if err := c.Do(req, &res, nil); err != nil || res.Status != 200 {
			t.Fatalf("error %v, status %d", err, res.Status)
		}
		took = time.Since(began)
		c.Close()
	})
	return took
}

// The times are those of JMeter: of each write, and of what each read asks for.
func TestPace(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n"
	sent := func(n int) time.Duration { return time.Duration(n*1000/10000) * time.Millisecond }
	length := func(n int) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", n, strings.Repeat("x", n))
	}
	const replyHead = len("HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n")
	for _, test := range []struct {
		name  string
		body  int
		reply string
		want  time.Duration
	}{
		{"a short response takes as long as a whole read", 0, length(1), sent(len(head)) + sent(8192)},
		{"a long one as long as it is", 0, length(20000),
			sent(len(head)) + 2*sent(8192) + sent(20000+replyHead-2*8192)},
		{"a long request", 20000, length(1), sent(8192)*2 + sent(20000+len(head)+4-2*8192) + sent(8192)},
		{"chunks are read as they come", 0, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(strings.Repeat("x", 9000)) + "0\r\n\r\n",
			sent(len(head)) + 2*sent(8192)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := pacedTime(t, test.body, test.reply); got != test.want {
				t.Errorf("took %v, want %v", got, test.want)
			}
		})
	}
}

// An interrupt ends a pause.
func TestPaceInterrupted(t *testing.T) {
	p := serve(t, "", answers(func(int, string) string { return ok("body") }))
	c := newTestClient(t, &Options{HTTPRate: 1}) // hours for a read
	failed := make(chan error)
	go func() {
		var res Response
		failed <- c.Do(p.get("/"), &res, nil)
	}()
	for { // until it sends
		c.flight.mu.Lock()
		sends := c.flight.socket != nil && c.flight.connect == nil
		c.flight.mu.Unlock()
		if sends {
			break
		}
		time.Sleep(time.Millisecond)
	}
	c.Interrupt()
	var e *Error
	if err := <-failed; !errors.As(err, &e) || e.Message != "Socket closed" {
		t.Errorf("error %v", err)
	}
}

// A connection is looked at before it is used again, which takes a read's time,
// and an interrupt ends that as well.
func TestPaceStale(t *testing.T) {
	p := serve(t, "", answers(func(int, string) string { return ok("body") }))
	c := newTestClient(t, &Options{ValidateAfter: 1, HTTPRate: 1 << 20})
	var res Response
	do(t, c, p.get("/"), &res)
	do(t, c, p.get("/"), &res)
	if !res.Reused {
		t.Error("not reused")
	}
	c.idle[0].rate = 1
	failed := make(chan error)
	go func() {
		var res Response
		failed <- c.Do(p.get("/"), &res, nil)
	}()
	for !c.Interrupt() {
		time.Sleep(time.Millisecond)
	}
	var e *Error
	if err := <-failed; !errors.As(err, &e) || e.Message != "Socket closed" {
		t.Errorf("error %v", err)
	}
}

// HTTP/2 is as slow, counted by its frames.
func TestPaceHTTP2(t *testing.T) {
	o := newOracle(t, false, h2Echo)
	c := newTestClient(t, &Options{HTTPRate: 400000})
	var res Response
	began := Now()
	expect(t, do(t, c, o.request("GET", "/size/20000"), &res), string(pattern(20000)))
	// The two greetings and the request, and at least three reads.
	if took, least := time.Duration(Now()-began), 3*8192*time.Second/400000-3*time.Millisecond; took < least {
		t.Errorf("took %v, want %v at least", took, least)
	}
}
