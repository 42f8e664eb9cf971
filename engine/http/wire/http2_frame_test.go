package wire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// h2Script is a server's side of an HTTP/2 connection, frame by frame.
type h2Script struct {
	net.Conn
	*http2.Framer
	enc    *hpack.Encoder
	fields bytes.Buffer
	dec    *hpack.Decoder
	seen   []hpack.HeaderField
}

// scripted starts a server that reads a client's beginning, sends its settings,
// and then does as play says for each connection, counted from 1.
func scripted(t testing.TB, play func(nth int, s *h2Script)) *peer {
	var mu sync.Mutex
	nth := 0
	return serve(t, "", func(c net.Conn) {
		mu.Lock()
		nth++
		n := nth
		mu.Unlock()
		preface := make([]byte, len(http2.ClientPreface))
		if _, err := io.ReadFull(c, preface); err != nil || string(preface) != http2.ClientPreface {
			t.Errorf("preface %q, error %v", preface, err)
			return
		}
		s := &h2Script{Conn: c, Framer: http2.NewFramer(c, c)}
		s.enc = hpack.NewEncoder(&s.fields)
		s.dec = hpack.NewDecoder(4096, func(f hpack.HeaderField) { s.seen = append(s.seen, f) })
		s.WriteSettings()
		play(n, s)
	})
}

// request reads up to the head of a request and returns its stream, 0 at the
// end of the connection.
func (s *h2Script) request() uint32 {
	for {
		f, err := s.ReadFrame()
		if err != nil {
			return 0
		}
		if h, ok := f.(*http2.HeadersFrame); ok {
			s.dec.Write(h.HeaderBlockFragment())
			return h.StreamID
		}
	}
}

// block encodes headers, given as names and values in turn.
func (s *h2Script) block(pairs ...string) []byte {
	s.fields.Reset()
	for i := 0; i < len(pairs); i += 2 {
		s.enc.WriteField(hpack.HeaderField{Name: pairs[i], Value: pairs[i+1]})
	}
	return bytes.Clone(s.fields.Bytes())
}

func (s *h2Script) headers(id uint32, end bool, pairs ...string) {
	s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.block(pairs...), EndStream: end, EndHeaders: true})
}

// answer is a whole response.
func (s *h2Script) answer(id uint32, body string) {
	s.headers(id, false, ":status", "200")
	s.WriteData(id, true, []byte(body))
}

// linger waits for the client to end the connection.
func (s *h2Script) linger() { io.Copy(io.Discard, s.Conn) }

func h2get(p *peer) *Request {
	r := p.get("/")
	r.Version = HTTP2Known
	return r
}

// What a server may do, and what it makes of a response.
func TestHTTP2Frames(t *testing.T) {
	for _, test := range []struct {
		name string
		play func(s *h2Script, id uint32)
		want string
	}{
		{"plain", func(s *h2Script, id uint32) { s.answer(id, "body") }, "body"},
		{"padding and priority", func(s *h2Script, id uint32) {
			s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.block(":status", "200"), EndHeaders: true, PadLength: 9,
				Priority: http2.PriorityParam{StreamDep: 0, Weight: 7}})
			s.WriteDataPadded(id, false, []byte("bo"), make([]byte, 200))
			s.WriteDataPadded(id, false, nil, make([]byte, 3))
			s.WriteDataPadded(id, true, []byte("dy"), make([]byte, 255))
		}, "body"},
		{"continuation", func(s *h2Script, id uint32) {
			b := s.block(":status", "200", "x-long", strings.Repeat("v", 5000))
			s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: b[:1]})
			s.WriteContinuation(id, false, b[1:100])
			s.WriteContinuation(id, false, nil)
			s.WriteContinuation(id, true, b[100:])
			s.WriteData(id, true, []byte("body"))
		}, "body"},
		{"other frames between", func(s *h2Script, id uint32) {
			s.WritePing(false, [8]byte{1})
			s.WriteSettings(http2.Setting{ID: 99, Val: 1}, http2.Setting{ID: http2.SettingHeaderTableSize, Val: 0})
			s.WriteRawFrame(0xee, 0xff, id, []byte("unknown"))
			s.headers(id, false, ":status", "103", "link", "</a>")
			s.headers(id, false, ":status", "200")
			s.WritePriority(id, http2.PriorityParam{})
			s.WriteWindowUpdate(id, 5)
			s.WriteWindowUpdate(0, 5)
			s.WriteWindowUpdate(id+0, 1)
			s.WriteData(id, false, nil)
			s.WriteData(id, false, []byte("body"))
			s.headers(id, true, "x-trailer", "1")
		}, "body"},
		{"byte by byte", func(s *h2Script, id uint32) {
			var b bytes.Buffer
			w := http2.NewFramer(&b, nil)
			w.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.block(":status", "200", "content-length", "4"), EndHeaders: true})
			w.WriteData(id, true, []byte("body"))
			s.Conn.(*net.TCPConn).SetNoDelay(true)
			for _, c := range b.Bytes() {
				s.Conn.Write([]byte{c})
			}
		}, "body"},
		{"going away after this", func(s *h2Script, id uint32) {
			s.WriteGoAway(id, http2.ErrCodeNo, []byte("for people"))
			s.answer(id, "body")
		}, "body"},
		{"reset after the end", func(s *h2Script, id uint32) {
			s.answer(id, "body")
			s.WriteRSTStream(id, http2.ErrCodeNo)
		}, "body"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := scripted(t, func(_ int, s *h2Script) {
				for id := s.request(); id != 0; id = s.request() {
					test.play(s, id)
				}
			})
			c := newTestClient(t, nil)
			for range 3 {
				var res Response
				expect(t, do(t, c, h2get(p), &res), test.want)
				if res.Status != 200 {
					t.Errorf("status %d", res.Status)
				}
			}
		})
	}
}

// What a server must not do, and how it fails.
func TestHTTP2Failures(t *testing.T) {
	const reset, violation = classStreamReset, classHTTP2
	raw := func(b ...byte) func(*h2Script, uint32) {
		return func(s *h2Script, id uint32) { s.Conn.Write(b) }
	}
	head := func(pairs ...string) func(*h2Script, uint32) {
		return func(s *h2Script, id uint32) { s.headers(id, true, pairs...) }
	}
	for _, test := range []struct {
		name           string
		play           func(s *h2Script, id uint32)
		class, message string
	}{
		{"reset", func(s *h2Script, id uint32) { s.WriteRSTStream(id, http2.ErrCodeInternal) }, reset, "Stream reset (2)"},
		{"reset in the body", func(s *h2Script, id uint32) {
			s.headers(id, false, ":status", "200")
			s.WriteData(id, false, []byte("bo"))
			s.WriteRSTStream(id, http2.ErrCodeCancel)
		}, reset, "Stream reset (8)"},
		{"refused for ever", func(s *h2Script, id uint32) { s.WriteRSTStream(id, http2.ErrCodeRefusedStream) }, reset, "Stream reset (7)"},
		{"goes away without it", func(s *h2Script, id uint32) { s.WriteGoAway(0, http2.ErrCodeEnhanceYourCalm, nil) }, reset, "The server goes away (11)"},
		{"end", func(s *h2Script, id uint32) { s.Conn.(*net.TCPConn).CloseWrite() }, classNoResponse, "failed to respond"},
		{"end in the body", func(s *h2Script, id uint32) {
			s.headers(id, false, ":status", "200")
			s.WriteData(id, false, []byte("bo"))
			s.Conn.(*net.TCPConn).CloseWrite()
		}, classClosed, "Premature end of HTTP/2 stream"},
		{"end before the length", func(s *h2Script, id uint32) {
			s.headers(id, false, ":status", "200", "content-length", "4000")
			s.WriteData(id, false, []byte("bo"))
			s.Conn.(*net.TCPConn).CloseWrite()
		}, classClosed, "Premature end of Content-Length delimited message body (expected: 4,000; received: 2)"},
		{"less than the length", func(s *h2Script, id uint32) {
			s.headers(id, false, ":status", "200", "content-length", "4")
			s.WriteData(id, true, []byte("bo"))
		}, classClosed, "Premature end of Content-Length delimited message body (expected: 4; received: 2)"},
		{"more than the length", func(s *h2Script, id uint32) {
			s.headers(id, false, ":status", "200", "content-length", "1")
			s.WriteData(id, true, []byte("bo"))
		}, reset, "Content-Length 1 is exceeded (received: 2)"},
		{"data first", func(s *h2Script, id uint32) { s.WriteData(id, true, []byte("bo")) }, violation, "DATA frame before HEADERS"},
		{"push", func(s *h2Script, id uint32) {
			s.WritePushPromise(http2.PushPromiseParam{StreamID: id, PromiseID: 2, BlockFragment: s.block(":status", "200"), EndHeaders: true})
		}, violation, "Push is disabled"},
		{"own stream", raw(0, 0, 0, 1, 5, 0, 0, 0, 2), violation, "Illegal stream id"},
		{"later stream", raw(0, 0, 0, 1, 5, 0, 0, 0, 99), violation, "Illegal stream id"},
		{"no stream", raw(0, 0, 0, 0, 0, 0, 0, 0, 0), violation, "Illegal stream id"},
		{"settings of a stream", raw(0, 0, 0, 4, 0, 0, 0, 0, 1), violation, "Illegal stream id"},
		{"big frame", raw(0, 0x40, 1, 0, 0, 0, 0, 0, 1), violation, "Frame size exceeds maximum"},
		{"odd settings", raw(0, 0, 5, 4, 0, 0, 0, 0, 0), violation, "Invalid SETTINGS frame"},
		{"short ping", raw(0, 0, 7, 6, 0, 0, 0, 0, 0), violation, "Invalid PING frame"},
		{"long reset", raw(0, 0, 5, 3, 0, 0, 0, 0, 1), violation, "Invalid frame size"},
		{"short goaway", raw(0, 0, 7, 7, 0, 0, 0, 0, 0), violation, "Invalid GOAWAY frame"},
		{"padding beyond the frame", raw(0, 0, 2, 0, 8, 0, 0, 0, 1, 2, 0), violation, "Padding exceeds the frame"},
		{"no room for padding", raw(0, 0, 0, 0, 8, 0, 0, 0, 1), violation, "Invalid frame size"},
		{"lone continuation", raw(0, 0, 0, 9, 4, 0, 0, 0, 1), violation, "Unexpected CONTINUATION frame"},
		{"headers cut by another frame", raw(0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 8, 6, 0, 0, 0, 0, 0), violation, "CONTINUATION frame expected"},
		{"bad compression", raw(0, 0, 1, 1, 5, 0, 0, 0, 1, 0xff), violation, "Header compression error"},
		{"bad index", raw(0, 0, 2, 1, 5, 0, 0, 0, 1, 0xff, 0x70), violation, "Header compression error"},
		{"window of zero", raw(0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0), violation, "Invalid WINDOW_UPDATE"},
		{"window too large", raw(0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff), violation, "Invalid WINDOW_UPDATE"},
		{"stream window too large", raw(0, 0, 4, 8, 0, 0, 0, 0, 1, 0x7f, 0xff, 0xff, 0xff), reset, "Invalid WINDOW_UPDATE"},
		{"initial window too large", raw(0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x80, 0, 0, 0), violation, "Initial window size out of range"},
		{"frame size too small", raw(0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 1), violation, "Invalid MAX_FRAME_SIZE"},
		{"no status", head("x", "y"), classProtocol, "Malformed response: header before the status"},
		{"nothing", head(), classProtocol, "Malformed response: no status"},
		{"bad status", head(":status", "2x0"), classProtocol, "Malformed response: bad status code"},
		{"long status", head(":status", "2000"), classProtocol, "Malformed response: bad status code"},
		{"two", head(":status", "200", ":status", "200"), classProtocol, "Malformed response: bad header name"},
		{"late status", head("x", "y", ":status", "200"), classProtocol, "Malformed response: header before the status"},
		{"upper case", head(":status", "200", "X-Up", "y"), classProtocol, "Malformed response: bad header name"},
		{"line end in a value", head(":status", "200", "x", "y\nz: 1"), classProtocol, "Malformed response: bad header value"},
		{"line end in a name", head(":status", "200", "x\n", "y"), classProtocol, "Malformed response: bad header name"},
		{"only a hint", head(":status", "103"), classProtocol, "Malformed response: bad interim response"},
		{"switching", func(s *h2Script, id uint32) { s.headers(id, false, ":status", "101") }, classProtocol, "Malformed response: bad interim response"},
		{"two heads", func(s *h2Script, id uint32) {
			s.headers(id, false, ":status", "200")
			s.headers(id, false, ":status", "200")
		}, classProtocol, "Malformed response: a second head"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := scripted(t, func(_ int, s *h2Script) {
				for id := s.request(); id != 0; id = s.request() {
					test.play(s, id)
				}
			})
			c := newTestClient(t, nil)
			req := h2get(p)
			req.ResponseTimeout = 10 * time.Second
			var res Response
			err := c.Do(req, &res, nil)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Class != test.class || e.NoMessage || !strings.Contains(e.Message, test.message) {
				t.Errorf("error %s: %s, want %s: %s", e.Class, e.Message, test.class, test.message)
			}
			if n := c.share.all; len(n) > 0 && !n[0].away && test.class == violation {
				t.Error("the connection is kept")
			}
		})
	}
}

// A server of HTTP/1.1 that is taken for one of HTTP/2.
func TestHTTP2KnownWrongly(t *testing.T) {
	p := serve(t, "", answers(func(int, string) string { return "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n" }))
	c := newTestClient(t, nil)
	var res Response
	fails(t, c, h2get(p), &res, classHTTP2, "The server answers by HTTP/1.1")
}

// A request that the server has not looked at goes out again, on a new
// connection where the old one is for no more.
func TestHTTP2Unprocessed(t *testing.T) {
	for _, test := range []struct {
		name  string
		play  func(s *h2Script, id uint32)
		conns int
	}{
		{"refused", func(s *h2Script, id uint32) { s.WriteRSTStream(id, http2.ErrCodeRefusedStream) }, 1},
		{"going away", func(s *h2Script, id uint32) { s.WriteGoAway(id-2, http2.ErrCodeNo, nil) }, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := scripted(t, func(nth int, s *h2Script) {
				for id := s.request(); id != 0; id = s.request() {
					if nth == 1 && id == 3 {
						test.play(s, id)
						continue
					}
					s.answer(id, "body")
				}
			})
			c := newTestClient(t, nil)
			var res Response
			for range 3 {
				req := h2get(p)
				req.Method = "POST" // no idempotence needed
				expect(t, do(t, c, req, &res), "body")
			}
			if n := p.accepted(); n != test.conns {
				t.Errorf("%d connections, want %d", n, test.conns)
			}
		})
	}
}

// The server says how much it takes and how many streams.
func TestHTTP2ServerLimits(t *testing.T) {
	const size = 300
	got := make(chan int, 1)
	p := scripted(t, func(_ int, s *h2Script) {
		s.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0}, http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1})
		if id := s.request(); id != 0 { // the first one is sent before the settings are there
			s.answer(id, "first")
		}
		id := s.request()
		n := 0
		for n < size {
			s.WriteWindowUpdate(id, 100)
			for {
				f, err := s.ReadFrame()
				if err != nil {
					return
				}
				if d, ok := f.(*http2.DataFrame); ok {
					n += len(d.Data())
					if len(d.Data()) > 100 {
						t.Errorf("%d bytes in a window of 100", len(d.Data()))
					}
					break
				}
			}
		}
		got <- n
		s.answer(id, "second")
		s.linger()
	})
	c := newTestClient(t, nil)
	var res Response
	expect(t, do(t, c, h2get(p), &res), "first")
	req := h2get(p)
	req.Method, req.Body = "POST", make([]byte, size)
	expect(t, do(t, c, req, &res), "second")
	if n := <-got; n != size {
		t.Errorf("%d bytes arrived", n)
	}
}

// Streams beyond the server's limit wait for their turn.
func TestHTTP2OneStreamAtATime(t *testing.T) {
	var mu sync.Mutex
	open, most := 0, 0
	p := scripted(t, func(_ int, s *h2Script) {
		s.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1})
		for id := s.request(); id != 0; id = s.request() {
			mu.Lock()
			open++
			most = max(most, open)
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			open--
			mu.Unlock()
			s.answer(id, "body")
		}
	})
	c := newTestClient(t, nil)
	var res Response
	do(t, c, h2get(p), &res)
	var wg sync.WaitGroup
	for _, c := range []*Client{c, c.Sibling(), c.Sibling(), c.Sibling()} {
		wg.Go(func() {
			for range 5 {
				var res Response
				var k Keep
				if err := c.Do(h2get(p), &res, &k); err != nil || string(k.B) != "body" {
					t.Errorf("error %v, %q", err, k.B)
				}
			}
		})
	}
	wg.Wait()
	if most != 1 || p.accepted() != 1 {
		t.Errorf("%d streams at once over %d connections", most, p.accepted())
	}
}

// A stream whose owner does not take its body is sent a window of it, and a
// server that does not heed that is at fault.
func TestHTTP2FloodOfOneStream(t *testing.T) {
	first := make(chan bool)
	p := scripted(t, func(_ int, s *h2Script) {
		s.request()
		close(first)
		id := s.request()
		s.headers(id, false, ":status", "200")
		b := make([]byte, 16384)
		for s.WriteData(id, false, b) == nil {
		}
	})
	reader := newTestClient(t, nil)
	flooded := reader.Sibling()
	release := make(chan bool)
	done := make(chan error)
	go func() {
		var res Response
		done <- reader.Do(h2get(p), &res, nil)
	}()
	<-first
	m := reader.share.all[0]
	for reads := false; !reads; time.Sleep(time.Millisecond) {
		m.mu.Lock()
		reads = m.reader == &reader.stream
		m.mu.Unlock()
	}
	go func() {
		var res Response
		done <- flooded.Do(h2get(p), &res, blockedSink{release})
	}()
	var e *Error
	if err := <-done; !errors.As(err, &e) || e.Class != classHTTP2 || e.Message != "Flow control window exceeded" {
		t.Errorf("error %v", err)
	}
	if n := len(flooded.stream.ahead); n > streamWindow {
		t.Errorf("%d bytes held", n)
	}
	close(release)
	if err := <-done; !errors.As(err, &e) || e.Class != classHTTP2 {
		t.Errorf("error %v", err)
	}
}

// blockedSink takes nothing until it is released.
type blockedSink struct{ release chan bool }

func (s blockedSink) Write(p []byte) (int, error) {
	<-s.release
	return len(p), nil
}

// What precedes a body is bounded in HTTP/2, too.
func TestHTTP2EndlessHeads(t *testing.T) {
	for name, play := range map[string]func(s *h2Script, id uint32) bool{
		"hints": func(s *h2Script, id uint32) bool {
			return s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: s.block(":status", "103"), EndHeaders: true}) == nil
		},
		"empty continuations": func(s *h2Script, id uint32) bool { return s.WriteContinuation(id, false, nil) == nil },
		"references": func(s *h2Script, id uint32) bool {
			return s.WriteContinuation(id, false, bytes.Repeat([]byte{0xbe}, 100)) == nil
		},
		"a string": func(s *h2Script, id uint32) bool {
			return s.WriteContinuation(id, false, bytes.Repeat([]byte{'x'}, 100)) == nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := scripted(t, func(_ int, s *h2Script) {
				id := s.request()
				b := s.block(":status", "200", "x-long", strings.Repeat("v", 2000))
				if name == "a string" {
					b = append(b, 0, 1, 'x', 0x7f, 0x80, 0xad, 0xe2, 4) // 10 MB long
				}
				if name != "hints" {
					s.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: b})
				}
				for play(s, id) {
				}
			})
			c := newTestClient(t, &Options{MaxHead: 64 << 10})
			var res Response
			fails(t, c, h2get(p), &res, classConstraint, "Maximum line length limit exceeded")
			if cap(res.head) > 256<<10 {
				t.Errorf("%d bytes held", cap(res.head))
			}
		})
	}
}

// Header lists longer than a frame go out in several.
func TestHTTP2LongRequestHead(t *testing.T) {
	long := strings.Repeat("ü^", 20000) // no shorter by Huffman's code
	p := scripted(t, func(_ int, s *h2Script) {
		for {
			f, err := s.ReadFrame()
			if err != nil {
				return
			}
			done := false
			switch f := f.(type) {
			case *http2.HeadersFrame:
				s.dec.Write(f.HeaderBlockFragment())
				done = f.HeadersEnded()
			case *http2.ContinuationFrame:
				s.dec.Write(f.HeaderBlockFragment())
				done = f.HeadersEnded()
			}
			if done {
				last := s.seen[len(s.seen)-1]
				s.answer(f.Header().StreamID, last.Name+" "+strconv.FormatBool(last.Value == long))
			}
		}
	})
	c := newTestClient(t, nil)
	req := h2get(p)
	req.Header = append(req.Header, "TE: gzip\r\nUpgrade: h2c\r\nX-Long: "+long+"\r\n"...)
	var res Response
	expect(t, do(t, c, req, &res), "x-long true")
}

// The header list of a request, whole and in order.
func TestHTTP2HeaderList(t *testing.T) {
	c := NewClient(DefaultOptions())
	c.newer()
	req := &Request{Method: "GET", Target: "/a?b", Scheme: "https", Host: "example.org", Header: []byte(
		"Connection: keep-alive\r\nX-B: 1\r\nTE: trailers\r\nX-A: 2\r\nHost: other.example\r\nProxy-Connection: x\r\nTransfer-Encoding: chunked\r\nx-b: 3\r\n")}
	var got strings.Builder
	for _, f := range c.fields(req) {
		got.WriteString(f.Name + "=" + f.Value + "\n")
	}
	expect(t, got.String(), ":method=GET\n:authority=other.example\n:scheme=https\n:path=/a?b\nx-b=1\nte=trailers\nx-a=2\nx-b=3\n")
	req.Header, req.Port = nil, 8443
	if f := c.fields(req); len(f) != pseudoFields || f[fieldAuthority].Value != "example.org:8443" {
		t.Errorf("%v", f)
	}
}

// An idle connection on which the server has spoken is looked at before its
// next use.
func TestHTTP2IdleNews(t *testing.T) {
	for name, test := range map[string]struct {
		play   func(s *h2Script)
		reused bool
	}{
		"ping":    {func(s *h2Script) { s.WritePing(false, [8]byte{}) }, true},
		"nothing": {func(s *h2Script) {}, true},
		"away":    {func(s *h2Script) { s.WriteGoAway(1, http2.ErrCodeNo, nil) }, false},
		"end":     {func(s *h2Script) { s.Conn.(*net.TCPConn).CloseWrite() }, false},
		"half":    {func(s *h2Script) { s.Conn.Write([]byte{0, 0, 8, 6}) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			said := make(chan bool)
			p := scripted(t, func(nth int, s *h2Script) {
				if id := s.request(); id != 0 {
					s.answer(id, "body")
				}
				if nth == 1 {
					test.play(s)
					close(said)
				}
				if id := s.request(); id != 0 {
					if name == "half" {
						s.Conn.Write(make([]byte, 5+8))
					}
					s.answer(id, "body")
				}
				s.linger()
			})
			c := newTestClient(t, &Options{ValidateAfter: 1})
			var res Response
			expect(t, do(t, c, h2get(p), &res), "body")
			<-said
			expect(t, do(t, c, h2get(p), &res), "body")
			if res.Reused != test.reused {
				t.Errorf("reused: %t", res.Reused)
			}
		})
	}
}
