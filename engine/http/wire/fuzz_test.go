package wire

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// script is a connection whose other side sends data, a few bytes at a time,
// and then ends.
type script struct {
	data []byte
	step int
	sent bytes.Buffer
}

func (s *script) Read(p []byte) (int, error) {
	if len(s.data) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.data[:min(len(s.data), max(1, s.step))])
	s.data = s.data[n:]
	return n, nil
}

func (s *script) Write(p []byte) (int, error)      { return s.sent.Write(p) }
func (s *script) Close() error                     { return nil }
func (s *script) LocalAddr() net.Addr              { return nil }
func (s *script) RemoteAddr() net.Addr             { return nil }
func (s *script) SetDeadline(time.Time) error      { return nil }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }

// play runs req against a script.
func play(req *Request, s *script, o *Options, sink io.Writer) (*Client, *Response, error) {
	c := NewClient(o)
	c.idle = append(c.idle, newConn(keyOf(req), s, s, 0))
	c.idle[0].expires = 1<<63 - 1
	res := new(Response)
	return c, res, c.Do(req, res, sink)
}

// seeds adds the recorded responses.
func seeds(f *testing.F, add func(data []byte, head bool)) {
	data, err := os.ReadFile("testdata/responses.json")
	if err != nil {
		f.Fatal(err)
	}
	var cases []recorded
	if err := json.Unmarshal(data, &cases); err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		var b []byte
		for _, r := range strings.Join(c.Send, "") {
			b = append(b, byte(r))
		}
		add(b, c.Method == "HEAD")
	}
}

// FuzzResponse reads the same bytes with this client and with net/http. Where
// net/http takes them for a whole response the two must agree; elsewhere this
// client must keep its own promises.
func FuzzResponse(f *testing.F) {
	seeds(f, func(data []byte, head bool) {
		f.Add(data, byte(0), head)
		f.Add(data, byte(1), head)
		f.Add(data, byte(7), head)
	})
	f.Fuzz(func(t *testing.T, data []byte, step byte, head bool) {
		req := &Request{Method: "GET", Target: "/", Scheme: "http", Host: "h", KeepAlive: true, NoDecode: true}
		if head {
			req.Method = "HEAD"
		}
		s := &script{data: data, step: int(step)}
		if step == 0 {
			s.step = len(data)
		}
		var k Keep
		c, res, err := play(req, s, &Options{MaxHead: 1 << 16}, &k)
		promises(t, data, c, res, err, s, &k)

		want, body := oracle(data, req.Method)
		if want == nil || oldFraming(want) {
			return
		}
		if err != nil {
			t.Fatalf("error %v, net/http reads status %d and %d bytes", err, want.StatusCode, len(body))
		}
		if res.Status != want.StatusCode {
			t.Fatalf("status %d, net/http %d", res.Status, want.StatusCode)
		}
		if !bytes.Equal(k.B, body) {
			t.Fatalf("body %q, net/http %q", k.B, body)
		}
		sameHeaders(t, res, want)
	})
}

// promises are what holds for every input.
func promises(t *testing.T, data []byte, c *Client, res *Response, err error, s *script, k *Keep) {
	t.Helper()
	if want := int64(len(data) - len(s.data)); res.BytesReceived != want {
		t.Fatalf("%d bytes received, %d were read", res.BytesReceived, want)
	}
	if res.BodyLength != int64(len(k.B)) {
		t.Fatalf("body length %d, %d bytes stored", res.BodyLength, len(k.B))
	}
	if res.BytesSent != int64(s.sent.Len()) {
		t.Fatalf("%d bytes sent, %d were written", res.BytesSent, s.sent.Len())
	}
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("error %v of type %T", err, err)
	}
	if err == nil {
		if want := int64(len(res.Head()) + bytes.Count(res.Head(), []byte("\n")) + 2); res.HeaderSize != want {
			t.Fatalf("header size %d, want %d of %q", res.HeaderSize, want, res.Head())
		}
		if !bytes.HasPrefix(res.Head(), res.StatusLine()) || !bytes.HasSuffix(res.StatusLine(), res.Reason()) {
			t.Fatalf("status line %q, reason %q in %q", res.StatusLine(), res.Reason(), res.Head())
		}
	}
	res.Get("Content-Length")
	res.Each(func(name, _ []byte) bool { return len(name) > 0 })
	res.AppendHead(nil)
	res.StatusLine()
	res.Reason()
	for _, cn := range c.idle {
		if cn.buf != nil || cn.b != nil {
			t.Fatal("an idle connection holds a buffer")
		}
	}
	if c.out.buf != nil {
		t.Fatal("the sender holds a buffer")
	}
	c.Close()
}

// oracle is what net/http reads, nil when it refuses any of it.
func oracle(data []byte, method string) (*http.Response, []byte) {
	r := bufio.NewReader(bytes.NewReader(data))
	for {
		res, err := http.ReadResponse(r, &http.Request{Method: method})
		if err != nil || res.StatusCode < 100 { // to JMeter no HTTP
			return nil, nil
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			return nil, nil
		}
		if res.StatusCode >= 200 {
			return res, body
		}
	}
}

// oldFraming says that JMeter and net/http differ by design: 205 has no body
// in JMeter, net/http ignores Transfer-Encoding in HTTP/1.0, and it takes a
// name with a blank before the colon for another name.
func oldFraming(res *http.Response) bool {
	for name := range res.Header {
		if strings.TrimSpace(name) != name {
			return true
		}
	}
	return res.StatusCode == http.StatusResetContent || !res.ProtoAtLeast(1, 1)
}

func sameHeaders(t *testing.T, res *Response, want *http.Response) {
	t.Helper()
	got := http.Header{}
	res.Each(func(name, value []byte) bool {
		got.Add(string(name), string(value))
		return true
	})
	for name, values := range want.Header {
		if name == "Content-Length" { // net/http merges and drops these
			continue
		}
		if len(got[name]) != len(values) {
			t.Fatalf("header %s: %q, net/http %q", name, got[name], values)
		}
		for i := range values {
			// Folded lines may differ in blanks.
			if a, b := strings.Fields(got[name][i]), strings.Fields(values[i]); strings.Join(a, " ") != strings.Join(b, " ") {
				t.Fatalf("header %s: %q, net/http %q", name, got[name][i], values[i])
			}
		}
		if v := res.Get(name); string(v) != got[name][0] {
			t.Fatalf("Get(%s) = %q, Each %q", name, v, got[name][0])
		}
	}
}

// FuzzDecode reads compressed bodies as the standard library does, where that
// finds no fault, and must otherwise end with an error of its own.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"", "a", strings.Repeat("compressed ", 50)} {
		var g, z, r bytes.Buffer
		for _, w := range []struct {
			w io.WriteCloser
			b *bytes.Buffer
		}{{gzip.NewWriter(&g), &g}, {zlib.NewWriter(&z), &z}, {rawDeflate(&r), &r}} {
			io.WriteString(w.w, text)
			w.w.Close()
			for i := range byte(3) {
				f.Add(w.b.Bytes(), i)
			}
		}
	}
	f.Add([]byte("\x1f\x8b\x08\x1f\x00\x00\x00\x00\x00\x00\x02\x00abname\x00comment\x00\x00\x00"), byte(0))
	f.Add([]byte("\x13\x03\x01\x80\x61\x03"), byte(2))
	codings := []string{"gzip", "deflate", "br", "zstd", "gzip, deflate", "deflate, br"}
	f.Fuzz(func(t *testing.T, data []byte, which byte) {
		coding := codings[int(which)%len(codings)]
		d := newDecoder(bytes.NewReader(data), []byte(coding), &Options{Zstd: true})
		got, err := io.ReadAll(io.LimitReader(d, 1<<22))
		d.free()
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("error %v of type %T", err, err)
		}
		var want []byte
		var fault error
		switch coding {
		case "gzip":
			z, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				return
			}
			want, fault = io.ReadAll(io.LimitReader(z, 1<<22))
		case "deflate":
			z, err := zlib.NewReader(bytes.NewReader(data))
			if err != nil {
				return
			}
			want, fault = io.ReadAll(io.LimitReader(z, 1<<22))
		default:
			return
		}
		if fault == nil && (err != nil || !bytes.Equal(got, want)) {
			t.Fatalf("%s: %d bytes, %v; the standard library %d bytes", coding, len(got), err, len(want))
		}
	})
}

func rawDeflate(w io.Writer) io.WriteCloser {
	z, err := flate.NewWriter(w, flate.BestCompression)
	if err != nil {
		panic(err)
	}
	return z
}
