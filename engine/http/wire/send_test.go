package wire

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// echo answers with the request as it came, chunked bodies included.
func echo(c net.Conn) {
	r := bufio.NewReader(c)
	for {
		req, err := readRequest(r)
		if err != nil {
			return
		}
		if strings.Contains(req, "Transfer-Encoding: chunked") {
			for !strings.HasSuffix(req, "0\r\n\r\n") {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				req += line
			}
		}
		io.WriteString(c, ok(req))
	}
}

// pieces is a Stream.
type pieces struct {
	parts []string
	size  int64
	err   error // instead of the end
}

func (p *pieces) Size() int64 { return p.size }
func (p *pieces) WriteTo(w io.Writer) (int64, error) {
	var n int64
	for _, part := range p.parts {
		m, err := io.WriteString(w, part)
		if n += int64(m); err != nil {
			return n, err
		}
	}
	return n, p.err
}

// file is a Stream of a file on disk.
type file struct{ path string }

func (f file) Size() int64 {
	s, err := os.Stat(f.path)
	if err != nil {
		return 0
	}
	return s.Size()
}

func (f file) WriteTo(w io.Writer) (int64, error) {
	r, err := os.Open(f.path)
	if err != nil {
		return 0, &Error{Class: "java.io.FileNotFoundException", Message: f.path + " (No such file or directory)", Cause: err}
	}
	defer r.Close()
	return io.Copy(w, r)
}

func TestRequestOnTheWire(t *testing.T) {
	long := strings.Repeat("0123456789", 10_000)
	path := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(path, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	p := serve(t, "", echo)
	c := newTestClient(t, nil)
	for _, test := range []struct {
		name, method, target, header, body string
		stream                             Stream
		want                               string
	}{
		{"plain", "GET", "/a?b=c", "Connection: keep-alive\r\nx-lOWER: 1\r\nHost: h\r\nX-LOWER: 2\r\n", "", nil,
			"GET /a?b=c HTTP/1.1\r\nConnection: keep-alive\r\nx-lOWER: 1\r\nHost: h\r\nX-LOWER: 2\r\n\r\n"},
		{"no headers", "odd-Method", "*", "", "", nil, "odd-Method * HTTP/1.1\r\n\r\n"},
		{"body", "POST", "/", "Content-Length: 5\r\n", "a=1\r\n", nil, "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\na=1\r\n"},
		{"bytes", "PUT", "/", "Content-Length: 3\r\n", "\x00\xff\n", nil, "PUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\n\x00\xff\n"},
		{"long header", "GET", "/", "X: " + long + "\r\n", "", nil, "GET / HTTP/1.1\r\nX: " + long + "\r\n\r\n"},
		{"long target", "GET", "/" + long, "", "", nil, "GET /" + long + " HTTP/1.1\r\n\r\n"},
		{"long body", "POST", "/", "Content-Length: 100000\r\n", long, nil, "POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + long},
		{"stream", "POST", "/", "Content-Length: 4\r\n", "", &pieces{[]string{"ab", "", "cd"}, 4, nil}, "POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd"},
		{"file", "POST", "/", "Content-Length: 100000\r\n", "", file{path}, "POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + long},
		{"chunks", "POST", "/", "Transfer-Encoding: chunked\r\n", "", &pieces{[]string{"abc", "", strings.Repeat("d", 18)}, -1, nil},
			"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n12\r\n" + strings.Repeat("d", 18) + "\r\n0\r\n\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := p.get(test.target)
			req.Method, req.Header, req.Body, req.Stream = test.method, []byte(test.header), []byte(test.body), test.stream
			var res Response
			expect(t, do(t, c, req, &res), test.want)
			if res.BytesSent != int64(len(test.want)) {
				t.Errorf("%d bytes sent, want %d", res.BytesSent, len(test.want))
			}
		})
	}
	if p.accepted() != 1 {
		t.Errorf("%d connections", p.accepted())
	}
}

// JMeter has sent the header when it finds that a file is missing.
func TestStreamThatFails(t *testing.T) {
	heads := make(chan string, 1)
	p := serve(t, "", func(c net.Conn) {
		b, _ := io.ReadAll(c)
		heads <- string(b)
	})
	c := newTestClient(t, nil)
	req := p.get("/")
	req.Method, req.Header, req.Stream = "POST", []byte("Content-Length: 9\r\n"), file{"/no/such/file"}
	var res Response
	fails(t, c, req, &res, "java.io.FileNotFoundException", "/no/such/file (No such file or directory)")
	expect(t, <-heads, "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n")

	own := errors.New("own")
	req.Stream = &pieces{[]string{"abc"}, 9, own}
	if err := c.Do(req, &res, nil); err != own {
		t.Errorf("error %v", err)
	}
	expect(t, <-heads, "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc")
	if len(c.idle) > 0 {
		t.Error("connection kept")
	}
}

func TestExpectContinue(t *testing.T) {
	const head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
	for _, test := range []struct {
		name   string
		answer string // to the head
		body   bool   // whether the body follows
		final  string // to the body
		status int
		class  string
	}{
		{"continue", "HTTP/1.1 100 Continue\r\n\r\n", true, ok("done"), 200, ""},
		{"refused", "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n", false, "", 417, ""},
		{"refused, chunked", "HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n", false, "", 403, ""},
		{"other 1xx", "HTTP/1.1 102 Processing\r\n\r\n", false, "", 0, classProtocol},
		{"continue and more at once", "HTTP/1.1 100 Continue\r\nX: y\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n", true, ok("done"), 200, ""},
		{"closed", "", false, "", 0, classNoResponse},
		{"silence", "-", true, ok("done"), 200, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := make(chan string, 1)
			p := serve(t, "", func(c net.Conn) {
				b := make([]byte, len(head))
				io.ReadFull(c, b)
				if string(b) != head || test.answer == "" {
					got <- string(b)
					return
				}
				if test.answer != "-" {
					io.WriteString(c, test.answer)
				}
				if test.body {
					b = append(b, make([]byte, 4)...)
					io.ReadFull(c, b[len(head):])
					io.WriteString(c, test.final)
				}
				rest, _ := io.ReadAll(c)
				got <- string(append(b, rest...))
			})
			c := newTestClient(t, nil)
			req := p.get("/")
			req.Method, req.Header, req.Body = "POST", []byte("Expect: 100-continue\r\nContent-Length: 4\r\n"), []byte("body")
			req.ExpectContinue = true
			if test.answer == "-" {
				req.ResponseTimeout = shortly // waiting for 100 takes no longer than a read
			}
			var res Response
			err := c.Do(req, &res, nil)
			e, _ := err.(*Error)
			if test.class == "" && err != nil || test.class != "" && (e == nil || e.Class != test.class) {
				t.Errorf("error %v, want %q", err, test.class)
			}
			if test.class == "" && res.Status != test.status {
				t.Errorf("status %d", res.Status)
			}
			if !test.body && len(c.idle) > 0 {
				t.Error("kept a connection whose server may wait for a body")
			}
			c.Close()
			want := head
			if test.body {
				want += "body"
			}
			expect(t, <-got, want)
		})
	}
}

func TestTimeoutsArePerRead(t *testing.T) {
	p := serve(t, "", func(c net.Conn) {
		readRequest(bufio.NewReader(c))
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
		for _, b := range []byte("abcdef") {
			time.Sleep(2 * shortly)
			c.Write([]byte{b})
		}
		io.Copy(io.Discard, c)
	})
	c := newTestClient(t, nil)
	req := p.get("/")
	req.ResponseTimeout = 10 * shortly
	var res Response
	expect(t, do(t, c, req, &res), "abcdef")
	if d := time.Duration(res.End - res.Start); d < req.ResponseTimeout {
		t.Fatalf("took only %v", d)
	}
	// The connection is kept, and the timeout of the last request is not.
	req.ResponseTimeout = shortly
	fails(t, c, req, &res, classTimeout, "Read timed out")
}

// A connection may lie idle for longer than a read may take.
func TestTimeoutIsNotOverBeforeTheRead(t *testing.T) {
	for _, secure := range []bool{false, true} {
		p := serve(t, "", maybeTLS(t, secure, answers(func(n int, _ string) string {
			time.Sleep(shortly / 4) // so that a read waits and sets a deadline
			return ok(fmt.Sprint(n))
		})))
		c := newTestClient(t, nil)
		req := p.get("/")
		if secure {
			req.Scheme = "https"
		}
		req.ResponseTimeout, req.ConnectTimeout = 5*shortly, 10*time.Second
		var res Response
		for n := 1; n <= 2; n++ {
			expect(t, do(t, c, req, &res), fmt.Sprint(n))
			time.Sleep(req.ResponseTimeout + shortly)
		}
		if !res.Reused {
			t.Error("not reused")
		}
	}
}

func TestTimeoutDoesNotOutliveItsRequest(t *testing.T) {
	for _, secure := range []bool{false, true} {
		p := serve(t, "", maybeTLS(t, secure, answers(func(n int, _ string) string {
			if n == 2 {
				time.Sleep(6 * shortly)
			}
			return ok(fmt.Sprint(n))
		})))
		c := newTestClient(t, nil)
		req := p.get("/")
		if secure {
			req.Scheme = "https"
		}
		req.ResponseTimeout, req.ConnectTimeout = 5*shortly, 10*time.Second
		var res Response
		expect(t, do(t, c, req, &res), "1")
		req.ResponseTimeout = 0
		expect(t, do(t, c, req, &res), "2")
		if !res.Reused {
			t.Error("not reused")
		}
	}
}

func TestKeep(t *testing.T) {
	k := Keep{Max: 5}
	for _, s := range []string{"abc", "defg", "h"} {
		if n, err := k.Write([]byte(s)); n != len(s) || err != nil {
			t.Errorf("wrote %d of %q, %v", n, s, err)
		}
	}
	expect(t, string(k.B), "abcde")
	k.Reset()
	if len(k.B) != 0 || cap(k.B) == 0 {
		t.Error("Reset")
	}
	guarded := Keep{Guard: 1000}
	_, err := guarded.Write(bytes.Repeat([]byte("x"), 1001))
	if e, ok := err.(*Error); !ok || e.Message != "Content length is too long: more than 1,000 bytes to keep, see httpsampler.max_bytes_to_store_per_request" {
		t.Errorf("error %v", err)
	}
}
