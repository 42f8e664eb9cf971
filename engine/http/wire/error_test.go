package wire

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// closedPort is a port of 127.0.0.1 and ::1 that nobody can listen on: it is
// taken until the test ends.
func closedPort(t testing.TB) int {
	t.Helper()
	four := bound(t, syscall.AF_INET, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}).(*syscall.SockaddrInet4)
	bound(t, syscall.AF_INET6, &syscall.SockaddrInet6{Addr: netip.IPv6Loopback().As16(), Port: four.Port})
	return four.Port
}

// bound is where a socket is that has an address and does not listen.
func bound(t testing.TB, family int, at syscall.Sockaddr) syscall.Sockaddr {
	t.Helper()
	fd, err := syscall.Socket(family, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if err := syscall.Bind(fd, at); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// fullPort is a port of 127.0.0.1 whose queue of connections is full, so that
// connecting to it never ends.
func fullPort(t testing.TB) int {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	sa := &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}
	if err := errors.Join(syscall.Bind(fd, sa), syscall.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	bound, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	port := bound.(*syscall.SockaddrInet4).Port
	for range 8 {
		c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), 50*time.Millisecond)
		if err != nil {
			return port
		}
		t.Cleanup(func() { c.Close() })
	}
	t.Fatal("the queue does not fill up")
	return 0
}

func to(host string, port int) *Request {
	return &Request{Method: "GET", Target: "/", Scheme: "http", Host: host, Port: port, KeepAlive: true, Header: []byte("Host: h\r\n")}
}

// The texts are those JMeter 5.6.3 reported.
func TestConnectErrors(t *testing.T) {
	closed, full := closedPort(t), fullPort(t)
	for _, test := range []struct {
		name           string
		change         func(*Request)
		class, message string
	}{
		{"refused", func(*Request) {}, classHostConnect, "Connect to 127.0.0.1:{closed} [/127.0.0.1] failed: Connection refused"},
		{"refused over TLS", func(r *Request) { r.Scheme = "https" }, classHostConnect, "Connect to 127.0.0.1:{closed} [/127.0.0.1] failed: Connection refused"},
		{"refused IPv6", func(r *Request) { r.Host = "::1" }, classHostConnect, "Connect to [::1]:{closed} [/0:0:0:0:0:0:0:1] failed: Connection refused"},
		{"refused IPv6 in brackets", func(r *Request) { r.Host = "[::1]" }, classHostConnect, "Connect to [::1]:{closed} [/0:0:0:0:0:0:0:1] failed: Connection refused"},
		{"refused by name", func(r *Request) { r.Host, r.Resolver = "shop.test", always("127.0.0.1") }, classHostConnect,
			"Connect to shop.test:{closed} [shop.test/127.0.0.1] failed: Connection refused"},
		{"refused by all", func(r *Request) { r.Host, r.Resolver = "shop.test", always("127.0.0.1", "127.0.0.2", "::1") }, classHostConnect,
			"Connect to shop.test:{closed} [shop.test/127.0.0.1, shop.test/127.0.0.2, shop.test/0:0:0:0:0:0:0:1] failed: Connection refused"},
		{"refused proxy", func(r *Request) { r.Host, r.Proxy = "shop.test", &Proxy{Host: "127.0.0.1", Port: closed} }, classHostConnect,
			"Connect to 127.0.0.1:{closed} [/127.0.0.1] failed: Connection refused"},
		{"no answer", func(r *Request) { r.Port, r.ConnectTimeout = full, shortly }, classConnTimeout,
			"Connect to 127.0.0.1:{full} [/127.0.0.1] failed: Connect timed out"},
		{"unknown host", func(r *Request) {
			r.Host = "no.test"
			r.Resolver = resolverFunc(func(h string) ([]Address, error) {
				return nil, &net.DNSError{Err: "no such host", Name: h, IsNotFound: true}
			})
		}, classUnknownHost, "no.test: Name or service not known"},
		{"no answer about the host", func(r *Request) {
			r.Host = "no.test"
			r.Resolver = resolverFunc(func(h string) ([]Address, error) {
				return nil, &net.DNSError{Err: "server misbehaving", Name: h, IsTemporary: true}
			})
		}, classUnknownHost, "no.test: Temporary failure in name resolution"},
		{"error of the resolver's own", func(r *Request) {
			r.Host = "no.test"
			r.Resolver = resolverFunc(func(string) ([]Address, error) { return nil, &Error{Class: "a.b.C", Message: "d"} })
		}, "a.b.C", "d"},
		{"no addresses", func(r *Request) { r.Host, r.Resolver = "none.test", always() }, classClosed, "Connection is closed"},
		{"port out of range", func(r *Request) { r.Port = 99999 }, "java.lang.IllegalArgumentException", "port out of range:99999"},
		{"source that is not here", func(r *Request) { r.Source.Addr = netip.MustParseAddr("192.0.2.1") }, "java.net.BindException",
			"Cannot assign requested address"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := newTestClient(t, nil)
			req := to("127.0.0.1", closed)
			test.change(req)
			var res Response
			message := strings.NewReplacer("{closed}", fmt.Sprint(closed), "{full}", fmt.Sprint(full)).Replace(test.message)
			e := fails(t, c, req, &res, test.class, message)
			if res.Connected < res.Start || res.End < res.Connected || res.FirstByte != 0 || res.BytesSent != 0 || res.Status != 0 {
				t.Errorf("start %d, connected %d, end %d, first byte %d, sent %d, status %d", res.Start, res.Connected, res.End, res.FirstByte, res.BytesSent, res.Status)
			}
			if !strings.HasPrefix(e.Error(), test.class) {
				t.Errorf("printed as %q", e)
			}
		})
	}
}

// The addresses of a name are tried in turn.
func TestNextAddress(t *testing.T) {
	p := serve(t, "", nth(""))
	c := newTestClient(t, nil)
	req := to("shop.test", p.port)
	req.Resolver = always("127.0.0.8", "127.0.0.1")
	var res Response
	expect(t, do(t, c, req, &res), "request 1")
}

func TestClientResolver(t *testing.T) {
	p := serve(t, "", nth(""))
	o := DefaultOptions()
	o.Resolver = always("127.0.0.1")
	c := newTestClient(t, o)
	var res Response
	expect(t, do(t, c, to("shop.test", p.port), &res), "request 1")
	c.Close()
	o = &Options{}
	c = newTestClient(t, o)
	expect(t, do(t, c, to("localhost", p.port), &res), "request 1") // the system's
}

func TestIPv6(t *testing.T) {
	p := serve(t, "::1", nth(""))
	c := newTestClient(t, nil)
	var res Response
	for _, host := range []string{"::1", "[::1]"} {
		expect(t, do(t, c, to(host, p.port), &res), "request 1")
	}
	req := to("six.test", p.port)
	req.Resolver = always("::1")
	expect(t, do(t, c, req, &res), "request 1")
}

func TestSourceAddress(t *testing.T) {
	p := serve(t, "", func(c net.Conn) {
		host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		answers(func(int, string) string { return ok(host) })(c)
	})
	c := newTestClient(t, nil)
	var res Response
	for _, test := range []struct {
		kind SourceType
		name string
		want string
	}{
		{SourceHost, "127.0.0.5", "127.0.0.5"}, {SourceHost, "localhost", "127.0.0.1"},
		{SourceDeviceIPv4, "lo", "127.0.0.1"},
	} {
		req := p.get("/")
		var err error
		if req.Source, err = ParseSource(nil, test.kind, test.name); err != nil {
			t.Fatal(err)
		}
		expect(t, do(t, c, req, &res), test.want)
	}
	for _, kind := range []SourceType{SourceDevice, SourceDeviceIPv6} {
		if s, err := ParseSource(nil, kind, "lo"); err != nil || s.Addr != netip.IPv6Loopback() {
			t.Errorf("IPv6 of lo: %v, %v", s, err)
		}
	}
	_, err := ParseSource(nil, SourceDevice, "nodev0")
	if e, ok := err.(*Error); !ok || e.Class != classUnknownHost || e.Message != "Cannot find interface nodev0" {
		t.Errorf("unknown device: %v", err)
	}
	_, err = ParseSource(nil, 9, "127.0.0.6")
	if e, ok := err.(*Error); !ok || e.Class != "java.lang.ArrayIndexOutOfBoundsException" || e.Message != "Index 9 out of bounds for length 4" {
		t.Errorf("unknown type: %v", err)
	}
	names := &SystemResolver{NegativeTTL: time.Minute} // which Java asks for sources as well
	names.Lookup(context.Background(), "no-such-host.invalid")
	_, err = ParseSource(names, SourceHost, "no-such-host.invalid")
	if e, ok := err.(*Error); !ok || e.Message != "no-such-host.invalid" {
		t.Errorf("source host known to be none: %v", err)
	}
	_, err = ParseSource(nil, SourceHost, "no-such-host.invalid")
	if e, ok := err.(*Error); !ok || e.Class != classUnknownHost {
		t.Errorf("unknown source host: %v", err)
	}
}

// A body larger than the buffers of the system, to a server that stops reading.
func TestWriteErrors(t *testing.T) {
	p := serve(t, "", func(c net.Conn) {
		c.Read(make([]byte, 1024))
		reset(c)
	})
	c := newTestClient(t, nil)
	req := p.get("/")
	req.Method, req.Body = "POST", bytes.Repeat([]byte("x"), 64<<20)
	var res Response
	err := c.Do(req, &res, nil)
	e, isError := err.(*Error)
	if !isError || e.Class != classSocket || e.Message != "Broken pipe" && e.Message != "Connection reset by peer" {
		t.Fatalf("error %v", err)
	}
	if res.BytesSent == 0 || res.BytesSent >= int64(len(req.Body)) {
		t.Errorf("%d bytes sent", res.BytesSent)
	}
}

// Interrupt ends whatever a request waits for.
func TestInterrupt(t *testing.T) {
	silent := func(c net.Conn) { io.Copy(io.Discard, c) }
	after := func(s string) func(net.Conn) {
		return func(c net.Conn) {
			readRequest(bufio.NewReader(c))
			io.WriteString(c, s)
			silent(c)
		}
	}
	block := make(chan struct{})
	defer close(block)
	for _, test := range []struct {
		name   string
		handle func(net.Conn)
		change func(*Request)
	}{
		{"resolving", silent, func(r *Request) { r.Host, r.Resolver = "slow.test", stuck{} }},
		{"connecting", silent, func(r *Request) { r.Port = fullPort(t) }},
		{"handshake", silent, func(r *Request) { r.Scheme = "https" }},
		{"proxy", silent, func(r *Request) { r.Scheme, r.Proxy = "https", &Proxy{Host: "127.0.0.1", Port: r.Port} }},
		{"SOCKS", silent, func(r *Request) { r.Proxy = &Proxy{Scheme: "socks5", Host: "127.0.0.1", Port: r.Port} }},
		{"sending", func(net.Conn) { <-block }, func(r *Request) { r.Method, r.Body = "POST", make([]byte, 64<<20) }},
		{"waiting", silent, func(*Request) {}},
		{"head", after("HTTP/1.1 200 OK\r\nX: "), func(*Request) {}},
		{"body", after("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"), func(*Request) {}},
		{"chunks", after("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), func(*Request) {}},
		{"compressed", after("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08"), func(*Request) {}},
		{"body over TLS", maybeTLS(t, true, after("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")), func(r *Request) { r.Scheme = "https" }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", test.handle)
			c := newTestClient(t, nil)
			req := p.get("/")
			test.change(req)
			stop := make(chan struct{})
			go func() {
				defer close(stop)
				time.Sleep(20 * time.Millisecond)
				for !c.Interrupt() {
					time.Sleep(time.Millisecond)
				}
			}()
			var res Response
			fails(t, c, req, &res, classSocket, "Socket closed")
			<-stop
			if c.Interrupt() {
				t.Error("an idle client was interrupted")
			}
			if test.name == "sending" {
				block <- struct{}{}
			}
			// The next request is not concerned.
			well := serve(t, "", nth(""))
			expect(t, do(t, c, well.get("/"), &res), "request 1")
		})
	}
}

// stuck is a Resolver that never answers.
type stuck struct{}

func (stuck) Lookup(ctx context.Context, _ string) ([]Address, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestStopIsForGood(t *testing.T) {
	p := serve(t, "", func(c net.Conn) { io.Copy(io.Discard, c) })
	c := newTestClient(t, &Options{Retries: 5})
	go func() {
		for !c.flight.busyNow() {
			time.Sleep(time.Millisecond)
		}
		c.Stop()
	}()
	var res Response
	fails(t, c, p.get("/"), &res, classSocket, "Socket closed")
	fails(t, c, p.get("/"), &res, classSocket, "Socket closed")
	if p.accepted() > 1 {
		t.Errorf("%d connections", p.accepted())
	}
}

func (f *flight) busyNow() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.busy
}

func TestGroupedNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", 1<<63 - 1: "9,223,372,036,854,775,807"} {
		expect(t, grouped(n), want)
	}
}

// An interrupt that comes when the response is whole changes nothing but that
// the connection is not kept.
func TestInterruptBetweenResponseAndEnd(t *testing.T) {
	var f flight
	here, there := net.Pipe()
	defer there.Close()
	if err := f.begin(); err != nil || !f.attach(here) || !f.detach() {
		t.Fatal("not begun")
	}
	if !f.interrupt(false) {
		t.Error("not interrupted")
	}
	go there.Write([]byte("x"))
	if _, err := here.Read(make([]byte, 1)); err != nil {
		t.Errorf("the interrupt closed a socket that is not in use: %v", err)
	}
	f.end()
	if err := f.begin(); err != nil || !f.attach(here) || !f.interrupt(false) || f.detach() {
		t.Error("a connection that an interrupt closed would be kept")
	}
	here.Close()
}

// Which failures end the request at once, by Java's exceptions.
func TestErrnoNames(t *testing.T) {
	for _, test := range []struct {
		no             syscall.Errno
		class, message string
		retried        bool
	}{
		{syscall.ECONNREFUSED, classHostConnect, "Connect to h:1 [h/127.0.0.1] failed: Connection refused", false},
		{syscall.ETIMEDOUT, classConnTimeout, "Connect to h:1 [h/127.0.0.1] failed: Connection timed out", false},
		{syscall.EHOSTUNREACH, classNoRoute, "No route to host", false},
		{syscall.ENETUNREACH, classSocket, "Network is unreachable", true},
		{syscall.EMFILE, classSocket, "Too many open files", true},
		{syscall.EADDRNOTAVAIL, "java.net.BindException", "Cannot assign requested address", true},
	} {
		where := connectPlace("h", 1, []Address{{"h", netip.MustParseAddr("127.0.0.1")}})
		e := connectError(where, &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", test.no)})
		if e.Class != test.class || e.Message != test.message || e.retriable() != test.retried {
			t.Errorf("%v: %v, retried %v", test.no, e, e.retriable())
		}
		if !errors.Is(e, test.no) {
			t.Errorf("%v is not the cause", test.no)
		}
	}
	for _, class := range []string{classTimeout, classUnknownHost, classProtocol, classSSL, classHandshake} {
		if (&Error{Class: class}).retriable() {
			t.Errorf("%s is retried", class)
		}
	}
}
