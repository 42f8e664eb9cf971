package wire

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// peer is a server that does with each connection what a test says, and waits
// at the end of the test until all of it is over.
type peer struct {
	t     testing.TB
	l     net.Listener
	port  int
	wg    sync.WaitGroup
	mu    sync.Mutex
	conns []net.Conn
}

// serve starts a peer on an address of this machine; "" is 127.0.0.1.
func serve(t testing.TB, host string, handle func(c net.Conn)) *peer {
	t.Helper()
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, l: l, port: l.Addr().(*net.TCPAddr).Port}
	p.wg.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.mu.Lock()
			p.conns = append(p.conns, c)
			p.mu.Unlock()
			p.wg.Go(func() {
				defer c.Close()
				handle(c)
			})
		}
	})
	t.Cleanup(p.close)
	return p
}

// accepted is the number of connections so far.
func (p *peer) accepted() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.conns)
}

// drop closes all connections, but goes on listening.
func (p *peer) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
}

func (p *peer) close() {
	p.l.Close()
	p.drop()
	p.wg.Wait()
}

// get is a request for target that keeps the connection.
func (p *peer) get(target string) *Request {
	host := p.l.Addr().(*net.TCPAddr).IP.String()
	return &Request{Method: "GET", Target: target, Scheme: "http", Host: host, Port: p.port, KeepAlive: true,
		Header: fmt.Appendf(nil, "Connection: keep-alive\r\nHost: %s\r\n", net.JoinHostPort(host, strconv.Itoa(p.port)))}
}

// readRequest reads one request, body included, and returns it as it came.
func readRequest(r *bufio.Reader) (string, error) {
	var raw bytes.Buffer
	size := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", err
		}
		raw.WriteString(line)
		if k, v, ok := strings.Cut(line, ":"); ok && strings.EqualFold(k, "Content-Length") {
			size, _ = strconv.Atoi(strings.TrimSpace(v))
		}
		if line == "\r\n" {
			break
		}
	}
	_, err := io.CopyN(&raw, r, int64(size))
	return raw.String(), err
}

// answers makes a handler that answers each request of a connection with what
// f returns for it; nth counts the requests of the connection from 1.
func answers(f func(nth int, request string) string) func(net.Conn) {
	return func(c net.Conn) {
		r := bufio.NewReader(c)
		for nth := 1; ; nth++ {
			req, err := readRequest(r)
			if err != nil {
				return
			}
			if _, err := io.WriteString(c, f(nth, req)); err != nil {
				return
			}
		}
	}
}

// ok is a small response.
func ok(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func newTestClient(t testing.TB, o *Options) *Client {
	if o == nil {
		o = DefaultOptions()
	}
	c := NewClient(o)
	t.Cleanup(c.Close)
	return c
}

// do sends req and returns the body, failing the test on an error.
func do(t testing.TB, c *Client, req *Request, res *Response) string {
	t.Helper()
	var k Keep
	if err := c.Do(req, res, &k); err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.Target, err)
	}
	return string(k.B)
}

// fails sends req and checks the error by class and text.
func fails(t testing.TB, c *Client, req *Request, res *Response, class, message string) *Error {
	t.Helper()
	err := c.Do(req, res, nil)
	e, isError := err.(*Error)
	if !isError {
		t.Fatalf("%s %s: error %v, want %s: %s", req.Method, req.Target, err, class, message)
	}
	text := e.Message
	if e.NoMessage {
		text = "null"
	}
	if e.Class != class || text != message {
		t.Fatalf("%s %s: error\n%s: %s, want\n%s: %s", req.Method, req.Target, e.Class, text, class, message)
	}
	return e
}

// reset closes c with RST.
func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// finish closes the sending side and waits for the other's.
func finish(c net.Conn) {
	c.(*net.TCPConn).CloseWrite()
	io.Copy(io.Discard, c)
}

// openFiles is the number of descriptors of this process.
func openFiles(t testing.TB) int {
	t.Helper()
	d, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(d)
}

// shortly is a timeout that a test waits for.
const shortly = 60 * time.Millisecond

func gzipTo(w io.Writer, b []byte) {
	z := gzip.NewWriter(w)
	z.Write(b)
	z.Close()
}

// chunk frames s.
func chunk(s string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(s), s) }
