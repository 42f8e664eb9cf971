//go:build !race

// The race detector makes sync.Pool forget on purpose, so these hold without
// it only.

package wire

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestAllocations holds the hot path to no allocation at all.
func TestAllocations(t *testing.T) {
	var zipped bytes.Buffer
	gzipTo(&zipped, bytes.Repeat([]byte("compressed "), 100))
	gzipped := "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" +
		chunk(zipped.String()) + "0\r\n\r\n"
	for _, test := range []struct{ name, reply string }{
		{"length", plainReply}, {"chunked", chunkedReply}, {"gzip", gzipped}, {"no content", "HTTP/1.1 204 No Content\r\n\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", replies(test.reply))
			c := newTestClient(t, nil)
			req := p.get("/")
			req.ResponseTimeout = 1e9
			var res Response
			var k Keep
			once := func() {
				k.Reset()
				if err := c.Do(req, &res, &k); err != nil {
					t.Fatal(err)
				}
			}
			once()
			if n := testing.AllocsPerRun(200, once); n != 0 {
				t.Errorf("%v allocations a request", n)
			}
			if !res.Reused || p.accepted() != 1 {
				t.Errorf("%d connections", p.accepted())
			}
		})
	}
}

// A user that waits, between two requests or for a response, holds no buffer.
func TestWaitingUsersHoldNoBuffers(t *testing.T) {
	const users = 200
	release := make(chan struct{})
	p := serve(t, "", func(c net.Conn) {
		r := bufio.NewReader(c)
		for {
			if _, err := readRequest(r); err != nil {
				return
			}
			<-release
			io.WriteString(c, ok(strings.Repeat("x", 100)))
		}
	})
	var made atomic.Int32
	news := blocks.New
	blocks.New = func() any { made.Add(1); return new(block) }
	defer func() { blocks.New = news }()
	type user struct {
		c   *Client
		res Response
		err error
	}
	all := make([]*user, users)
	done := make(chan *user)
	for i := range all {
		u := &user{c: newTestClient(t, nil)}
		all[i] = u
		go func() {
			u.err = u.c.Do(p.get("/"), &u.res, nil)
			done <- u
		}()
		for { // until the user waits for the response
			u.c.flight.mu.Lock()
			waits := u.c.flight.socket != nil
			u.c.flight.mu.Unlock()
			if waits {
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
	close(release)
	for range all {
		if u := <-done; u.err != nil || u.res.BodyLength != 100 {
			t.Fatalf("error %v, %d bytes", u.err, u.res.BodyLength)
		}
	}
	if n := made.Load(); n > users/4 {
		t.Errorf("%d buffers for %d users", n, users)
	}
	for _, u := range all {
		if cn := u.c.idle[0]; cn.buf != nil || cn.b != nil {
			t.Fatal("an idle connection holds a buffer")
		}
	}
}
