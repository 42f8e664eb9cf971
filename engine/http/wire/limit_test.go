package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
)

// endless answers with head and then with piece for as long as anybody reads.
func endless(head, piece string) func(net.Conn) {
	return func(c net.Conn) {
		readRequest(bufio.NewReader(c))
		io.WriteString(c, head)
		b := bytes.Repeat([]byte(piece), 1+4096/len(piece))
		for {
			if _, err := c.Write(b); err != nil {
				return
			}
		}
	}
}

// What precedes a body is bounded, since it is kept in memory.
func TestEndlessHeads(t *testing.T) {
	const okLine = "HTTP/1.1 200 OK\r\n"
	const chunked = okLine + "Transfer-Encoding: chunked\r\n\r\n"
	const tooLong = "Maximum line length limit exceeded"
	for _, test := range []struct {
		name, head, piece string
		class, message    string
	}{
		{"headers", okLine, "X-Bomb: boom\r\n", classConstraint, tooLong},
		{"one header", okLine + "X: ", "x", classConstraint, tooLong},
		{"folds", okLine + "X: y\r\n", " more\r\n", classConstraint, tooLong},
		{"status line", "HTTP/1.1 200 ", "OK ", classConstraint, tooLong},
		{"garbage lines", "", "garbage\r\n", classConstraint, tooLong},
		{"garbage", "", "x", classConstraint, tooLong},
		{"blank lines", "", "\r\n", classConstraint, tooLong},
		{"100 Continue", "", "HTTP/1.1 100 Continue\r\n\r\n", classConstraint, tooLong},
		{"103 Early Hints", "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", classConstraint, tooLong},
		{"chunk size", chunked, "0", classConstraint, tooLong},
		{"chunk extension", chunked + "5;", "x", classConstraint, tooLong},
		{"trailers", chunked + "0\r\n", "X: y\r\n", classConstraint, "Maximum header count exceeded"},
		{"trailer", chunked + "0\r\nX: ", "y", classConstraint, tooLong},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", endless(test.head, test.piece))
			c := newTestClient(t, &Options{MaxHead: 64 << 10})
			var res Response
			var e *Error
			if err := c.Do(p.get("/"), &res, nil); !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Class != test.class || e.Message != test.message {
				t.Errorf("error %v, want %s: %s", e, test.class, test.message)
			}
			if res.BytesReceived > 256<<10 || cap(res.head) > 256<<10 {
				t.Errorf("%d bytes received, %d held", res.BytesReceived, cap(res.head))
			}
		})
	}
}

// A body of any size takes no memory when nobody keeps it.
func TestBigBodyIsOnlyCounted(t *testing.T) {
	const size = 64 << 20
	for _, compressed := range []bool{false, true} {
		reply := "HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n" + strings.Repeat("x", size)
		if compressed {
			var z bytes.Buffer
			gzipTo(&z, make([]byte, size))
			reply = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(z.String()) + "0\r\n\r\n"
		}
		p := serve(t, "", replies(reply))
		c := newTestClient(t, nil)
		var res Response
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := c.Do(p.get("/"), &res, nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if res.BodyLength != size || res.BytesReceived != int64(len(reply)) {
			t.Errorf("body of %d bytes in %d", res.BodyLength, res.BytesReceived)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
			t.Errorf("%d bytes allocated", n)
		}
	}
}

// A few compressed bytes cannot fill the memory of one who keeps the body.
func TestDecompressionBomb(t *testing.T) {
	var z bytes.Buffer
	gzipTo(&z, make([]byte, 32<<20))
	p := serve(t, "", answers(func(int, string) string {
		return "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(z.String()) + "0\r\n\r\n"
	}))
	c := newTestClient(t, nil)
	var res Response
	k := Keep{Guard: 1 << 20}
	err := c.Do(p.get("/"), &res, &k)
	if e, ok := err.(*Error); !ok || e.Class != "org.apache.http.ContentTooLongException" {
		t.Fatalf("error %v", err)
	}
	if len(k.B) > 1<<20 || len(c.idle) > 0 {
		t.Errorf("%d bytes kept, %d connections", len(k.B), len(c.idle))
	}
	k = Keep{Max: 1000}
	if err := c.Do(p.get("/"), &res, &k); err != nil || len(k.B) != 1000 || res.BodyLength != 32<<20 {
		t.Errorf("error %v, %d of %d bytes kept", err, len(k.B), res.BodyLength)
	}
	k = Keep{Guard: 1, Max: 64 << 20} // who says how much wants as much
	if err := c.Do(p.get("/"), &res, &k); err != nil || len(k.B) != 32<<20 {
		t.Errorf("error %v, %d bytes kept", err, len(k.B))
	}
}

// Storing a long body takes no more than what is stored, twice: the copies that
// growing leaves behind add up to one more.
func TestKeepGrowsInFewSteps(t *testing.T) {
	const size = 64 << 20
	piece := make([]byte, 32<<10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var k Keep
	for range size / len(piece) {
		k.Write(piece)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; len(k.B) != size || cap(k.B) > 2*size || n > 5*size/2 {
		t.Errorf("%d bytes in %d, %d allocated", len(k.B), cap(k.B), n)
	}
	full := Keep{Max: size + 1}
	full.Write(k.B)
	full.Write(piece)
	if len(full.B) != size+1 || cap(full.B) > size+64<<10 {
		t.Errorf("%d bytes in %d, want no room beyond what may be kept", len(full.B), cap(full.B))
	}
}

// After bad compressed data an endless body is not read to its end.
func TestEndlessBodyOfBadData(t *testing.T) {
	p := serve(t, "", endless("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", "not gzip"))
	c := newTestClient(t, nil)
	var res Response
	fails(t, c, p.get("/"), &res, "java.util.zip.ZipException", "Not in GZIP format")
	if res.BytesReceived > 4*drainLimit || len(c.idle) > 0 {
		t.Errorf("%d bytes received, %d connections", res.BytesReceived, len(c.idle))
	}
}

// A sink that fails ends the request with its own error.
func TestSinkThatFails(t *testing.T) {
	p := serve(t, "", answers(func(int, string) string { return ok("body") }))
	c := newTestClient(t, nil)
	own := errors.New("own")
	var res Response
	if err := c.Do(p.get("/"), &res, failing{own}); err != own {
		t.Errorf("error %v", err)
	}
	expect(t, do(t, c, p.get("/"), &res), "body")
	if res.Reused {
		t.Error("reused")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestNoDecodeAndRelax(t *testing.T) {
	var z bytes.Buffer
	gzipTo(&z, []byte("compressed"))
	whole, cut := z.String(), z.String()[:z.Len()-4]
	for _, test := range []struct {
		name, coding, data string
		options            Options
		noDecode           bool
		want               string
		ok                 bool
	}{
		{"decoded", "gzip", whole, Options{}, false, "compressed", true},
		{"not decoded", "gzip", whole, Options{}, true, whole, true},
		{"cut", "gzip", cut, Options{}, false, "compressed", false},
		{"cut, relaxed", "gzip", cut, Options{RelaxGzip: true}, false, "compressed", true},
		{"cut, relaxed for deflate only", "gzip", cut, Options{RelaxDeflate: true}, false, "compressed", false},
		{"zstd is not JMeter's", "zstd", zstdHello, Options{}, false, zstdHello, true},
		{"zstd", "zstd", zstdHello, Options{Zstd: true}, false, "hello\n", true},
		{"zstd cut", "zstd", zstdHello[:12], Options{Zstd: true}, false, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", answers(func(int, string) string {
				return "HTTP/1.1 200 OK\r\nContent-Encoding: " + test.coding + "\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(test.data) + "0\r\n\r\n"
			}))
			c := newTestClient(t, &test.options)
			req := p.get("/")
			req.NoDecode = test.noDecode
			var res Response
			var k Keep
			if err := c.Do(req, &res, &k); (err == nil) != test.ok {
				t.Errorf("error %v", err)
			}
			expect(t, string(k.B), test.want)
		})
	}
}

// zstdHello is "hello\n" as one raw block (RFC 8878).
const zstdHello = "\x28\xb5\x2f\xfd\x20\x06\x31\x00\x00hello\n"
