package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// mirrored is what the mirror sends for a request, and how long it paused.
func mirrored(t *testing.T, request string) (answer, printed string, slept time.Duration) {
	t.Helper()
	var out, said bytes.Buffer
	m := &mirror{out: &said, sleep: func(d time.Duration) { slept += d }}
	_ = m.answer(struct {
		io.Reader
		io.Writer
	}{strings.NewReader(request), &out})
	return out.String(), said.String(), slept
}

func TestMirror(t *testing.T) {
	const ok = "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n"
	for _, tt := range []struct {
		name, request, want string
		slept               time.Duration
	}{
		{"plain", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", ok + "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 0},
		{"body", "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcdef", ok + "\r\nPOST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc", 0},
		{"chunks", "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: 1\r\n\r\nrest",
			ok + "\r\nPOST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: 1\r\n\r\n", 0},
		{"status", "GET / HTTP/1.1\r\nX-ResponseStatus: 404 Not Found\r\n\r\n",
			"HTTP/1.0 404 Not Found\r\nContent-Type: text/plain\r\n\r\nGET / HTTP/1.1\r\nX-ResponseStatus: 404 Not Found\r\n\r\n", 0},
		{"headers and cookie", "GET / HTTP/1.1\r\nx-setheaders: A: 1|B: 2\r\nX-SetCookie: c=3\r\n\r\n",
			ok + "A: 1\r\nB: 2\r\nSet-Cookie: c=3\r\n\r\nGET / HTTP/1.1\r\nx-setheaders: A: 1|B: 2\r\nX-SetCookie: c=3\r\n\r\n", 0},
		{"length", "GET / HTTP/1.1\r\nX-ResponseLength: 5\r\n\r\n", ok + "\r\nGET /", 0},
		{"length of a body", "POST / HTTP/1.1\r\nX-ResponseLength: 0\r\nContent-Length: 3\r\n\r\nabc", ok + "\r\n", 0},
		{"sleep", "GET / HTTP/1.1\r\nX-Sleep: 250\r\n\r\n", ok + "\r\nGET / HTTP/1.1\r\nX-Sleep: 250\r\n\r\n", 250 * time.Millisecond},
		{"status of the query", "GET /?status=503%20Busy HTTP/1.1\r\nX-ResponseStatus: 404 N\r\n\r\n",
			"HTTP/1.0 503 Busy\r\nContent-Type: text/plain\r\n\r\nGET /?status=503%20Busy HTTP/1.1\r\nX-ResponseStatus: 404 N\r\n\r\n", 0},
		{"redirect", "GET /?redirect=/there HTTP/1.1\r\n\r\n",
			"HTTP/1.0 302 Temporary Redirect\r\nContent-Type: text/plain\r\nLocation: /there\r\n\r\nGET /?redirect=/there HTTP/1.1\r\n\r\n", 0},
		{"no query but of GET", "POST /?status=404 HTTP/1.1\r\n\r\n", ok + "\r\nPOST /?status=404 HTTP/1.1\r\n\r\n", 0},
		{"no head", "GET / HTTP/1.1\r\nHost", "", 0},
		{"an empty line is no request", "\r\nGET / HTTP/1.1\r\n\r\n", ok + "\r\n\r\nGET / HTTP/1.1\r\n\r\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, printed, slept := mirrored(t, tt.request)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if slept != tt.slept || printed != "" {
				t.Errorf("slept %v, printed %q", slept, printed)
			}
		})
	}
	if _, printed, _ := mirrored(t, "GET /?a=1&v HTTP/1.1\r\n\r\n"); printed != "GET /?a=1&v HTTP/1.1\n" {
		t.Errorf("printed %q", printed)
	}
}

// A usual client understands it.
func TestMirrorServes(t *testing.T) {
	m, err := newMirror("127.0.0.1:0", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- m.serve() }()
	for range 3 {
		resp, err := http.Post("http://"+m.listener.Addr().String()+"/x", "text/plain", strings.NewReader("hello"))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || !bytes.HasPrefix(body, []byte("POST /x HTTP/1.1\r\n")) || !bytes.HasSuffix(body, []byte("\r\n\r\nhello")) {
			t.Errorf("%v %d %q", err, resp.StatusCode, body)
		}
	}
	if _, err := newMirror(m.listener.Addr().String(), io.Discard); err == nil || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("a second one on the port: %v", err)
	}
	m.listener.Close()
	if err := <-done; !strings.Contains(err.Error(), net.ErrClosed.Error()) {
		t.Error(err)
	}
}

func FuzzMirror(f *testing.F) {
	f.Add("GET /?status=404&v&redirect=x HTTP/1.1\r\nX-SetHeaders: a|b\r\nX-ResponseLength: 7\r\n\r\n")
	f.Add("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x\r\nabcde\r\n0\r\n\r\n")
	f.Add("P\r\nContent-Length: -1\r\nX-Sleep: 99999999999\r\n\r\nbody")
	f.Fuzz(func(t *testing.T, request string) {
		answer, _, _ := mirrored(t, request)
		if answer != "" && !strings.HasPrefix(answer, "HTTP/1.0 ") {
			t.Errorf("no answer: %q", answer)
		}
		if len(answer) > len(request)*3+1000 {
			t.Errorf("%d bytes for %d", len(answer), len(request))
		}
	})
}
