package wire

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// httpProxy is an HTTP proxy that opens every tunnel to one place, whatever it
// is asked for, and keeps what it was asked.
type httpProxy struct {
	*peer
	to     int                                  // port behind the tunnel
	refuse func(nth int, request string) string // answer to a request, "" to serve it
	asked  chan string
}

func serveProxy(t *testing.T, to int, refuse func(nth int, request string) string) *httpProxy {
	p := &httpProxy{to: to, refuse: refuse, asked: make(chan string, 100)}
	p.peer = serve(t, "", p.handle)
	return p
}

func (p *httpProxy) handle(c net.Conn) {
	r := bufio.NewReader(c)
	for nth := 1; ; nth++ {
		req, err := readRequest(r)
		if err != nil {
			return
		}
		p.asked <- req
		if p.refuse != nil {
			switch answer := p.refuse(nth, req); {
			case answer == "drop":
				return
			case answer != "":
				io.WriteString(c, answer)
				if strings.Contains(answer, "Connection: close") {
					return
				}
				continue
			}
		}
		if !strings.HasPrefix(req, "CONNECT ") {
			io.WriteString(c, ok("by proxy: "+strings.SplitN(req, "\r\n", 2)[0]))
			continue
		}
		io.WriteString(c, "HTTP/1.1 200 Connection established\r\nVia: p\r\n\r\n")
		pipe(c, p.to)
		return
	}
}

// pipe connects c with a port of this machine until both ends are over.
func pipe(c net.Conn, port int) {
	up, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return
	}
	defer up.Close()
	var wg sync.WaitGroup
	wg.Go(func() {
		io.Copy(up, c)
		up.(*net.TCPConn).CloseWrite()
	})
	io.Copy(c, up)
	c.(*net.TCPConn).CloseWrite()
	wg.Wait()
}

func (p *httpProxy) proxy() *Proxy { return &Proxy{Host: "127.0.0.1", Port: p.port} }

func TestPlainRequestsThroughAProxy(t *testing.T) {
	p := serveProxy(t, 0, nil)
	c := newTestClient(t, nil)
	var res Response
	for _, test := range []struct {
		host string
		port int
		want string
	}{
		{"shop.test", 0, "GET http://shop.test/a?b HTTP/1.1"},
		{"shop.test", 80, "GET http://shop.test/a?b HTTP/1.1"},
		{"shop.test", 8080, "GET http://shop.test:8080/a?b HTTP/1.1"},
		{"::1", 8080, "GET http://[::1]:8080/a?b HTTP/1.1"},
	} {
		req := to(test.host, test.port)
		req.Target, req.Proxy = "/a?b", p.proxy()
		expect(t, do(t, c, req, &res), "by proxy: "+test.want)
		expect(t, do(t, c, req, &res), "by proxy: "+test.want)
		if !res.Reused {
			t.Error("not reused") // though each has a Proxy of its own, equal in all fields
		}
	}
}

func TestProxiesHaveTheirOwnConnections(t *testing.T) {
	p := serveProxy(t, 0, nil)
	c := newTestClient(t, nil)
	var res Response
	for _, change := range []func(*Proxy){
		func(*Proxy) {}, func(x *Proxy) { x.User = "u" }, func(x *Proxy) { x.Password = "p" }, func(x *Proxy) { x.ConnectHeader = "A: b\r\n" },
	} {
		req := to("shop.test", 0)
		req.Proxy = p.proxy()
		change(req.Proxy)
		do(t, c, req, &res)
		if res.Reused {
			t.Error("reused")
		}
	}
}

// What is compared is what real JMeter 5.6.3 sent and reported.
func TestTunnel(t *testing.T) {
	const auth = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 4\r\n"
	const authorized = "Proxy-Authorization: Basic dTpzZWNyZXQ=\r\n"
	unless := func(answer string) func(int, string) string {
		return func(_ int, req string) string {
			if strings.Contains(req, authorized) {
				return ""
			}
			return answer
		}
	}
	origin := serve(t, "", maybeTLS(t, true, nth("")))
	connect := fmt.Sprintf("CONNECT 127.0.0.1:%d HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: test\r\n", origin.port, origin.port)
	for _, test := range []struct {
		name   string
		refuse func(int, string) string
		change func(*Request)
		want   []string // requests the proxy got
		status int
		class  string
	}{
		{name: "open", want: []string{connect + "\r\n"}, status: 200},
		{name: "default port", change: func(r *Request) { r.Host, r.Port = "shop.test", 0 },
			want: []string{"CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test\r\nUser-Agent: test\r\n\r\n"}, status: 200},
		{name: "refused", refuse: func(int, string) string { return "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 5\r\n\r\nproxy" },
			want: []string{connect + "\r\n"}, status: 502},
		{name: "credentials", refuse: unless(auth + "\r\nauth"), change: func(r *Request) { r.Proxy.User, r.Proxy.Password = "u", "secret" },
			want: []string{connect + "\r\n", connect + authorized + "\r\n"}, status: 200},
		{name: "credentials on a new connection", refuse: unless(auth + "Connection: close\r\n\r\nauth"),
			change: func(r *Request) { r.Proxy.User, r.Proxy.Password = "u", "secret" },
			want:   []string{connect + "\r\n", connect + authorized + "\r\n"}, status: 200},
		{name: "wrong credentials", refuse: unless(auth + "\r\nauth"), change: func(r *Request) { r.Proxy.User, r.Proxy.Password = "u", "wrong" },
			want: []string{connect + "\r\n", connect + "Proxy-Authorization: Basic dTp3cm9uZw==\r\n\r\n"}, status: 407},
		{name: "no credentials", refuse: unless(auth + "\r\nauth"), want: []string{connect + "\r\n"}, status: 407},
		{name: "own answers", refuse: unless(auth + "\r\nauth"), change: func(r *Request) {
			attempt := 0
			r.Connect = func(refusal *Response) (string, bool) {
				if refusal == nil {
					return "", true
				}
				attempt++
				return []string{"Step 1 of " + string(refusal.Get("Proxy-Authenticate")), "Basic dTpzZWNyZXQ="}[attempt-1], true
			}
		}, want: []string{connect + "\r\n", connect + "Proxy-Authorization: Step 1 of Basic realm=\"p\"\r\n\r\n", connect + authorized + "\r\n"}, status: 200},
		{name: "closed", refuse: func(int, string) string { return "drop" }, want: []string{connect + "\r\n"}, class: classNoResponse},
		{name: "garbage", refuse: func(int, string) string { return "garbage, Connection: close\r\n" }, want: []string{connect + "\r\n"}, class: classProtocol},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serveProxy(t, origin.port, test.refuse)
			c := newTestClient(t, nil)
			req := origin.getTLS("/")
			req.Proxy = p.proxy()
			req.Proxy.ConnectHeader = "User-Agent: test\r\n"
			if test.change != nil {
				test.change(req)
			}
			var res Response
			var k Keep
			err := c.Do(req, &res, &k)
			for i, want := range test.want {
				select {
				case got := <-p.asked:
					if got != want {
						t.Errorf("request %d:\n%q, want\n%q", i, got, want)
					}
				default:
					t.Errorf("request %d missing", i)
				}
			}
			if n := len(p.asked); n > 0 {
				t.Errorf("%d more requests", n)
			}
			if test.class != "" {
				e, _ := err.(*Error)
				if e == nil || e.Class != test.class {
					t.Fatalf("error %v, want %s", err, test.class)
				}
				if want := req.hostPort() + " failed to respond"; test.class == classNoResponse && e.Message != want {
					t.Errorf("message %q, want %q", e.Message, want)
				}
				return
			}
			if err != nil || res.Status != test.status {
				t.Fatalf("status %d, error %v", res.Status, err)
			}
			if res.Connected == 0 || res.FirstByte < res.Connected {
				t.Errorf("connected %d, first byte %d", res.Connected, res.FirstByte)
			}
			if test.status != 200 {
				last := test.want[len(test.want)-1]
				if !res.FromProxy || res.BytesSent != int64(len(last)) || len(k.B) == 0 || res.BodySize() != int64(len(k.B)) || len(c.idle) > 0 {
					t.Errorf("from proxy %v, %d bytes sent, body %q of %d", res.FromProxy, res.BytesSent, k.B, res.BodySize())
				}
				return
			}
			expect(t, string(k.B), "request 1")
			if want := int64(len("GET / HTTP/1.1\r\n\r\n") + len(req.Header)); res.BytesSent != want {
				t.Errorf("%d bytes sent, want %d: the tunnel is not counted", res.BytesSent, want)
			}
			expect(t, do(t, c, req, &res), "request 2")
		})
	}
}

func TestProxyOverTLS(t *testing.T) {
	origin := serve(t, "", maybeTLS(t, true, nth("")))
	p := serve(t, "", maybeTLS(t, true, func(c net.Conn) {
		r := bufio.NewReader(c)
		req, _ := readRequest(r)
		if !strings.HasPrefix(req, "CONNECT") {
			io.WriteString(c, ok(strings.SplitN(req, "\r\n", 2)[0]))
			return
		}
		io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
		up, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", origin.port))
		if err != nil {
			return
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			io.Copy(up, r)
			up.Close()
		})
		io.Copy(c, up)
		c.Close()
		wg.Wait()
	}))
	c := newTestClient(t, nil)
	var res Response
	proxy := &Proxy{Scheme: "https", Host: "127.0.0.1", Port: p.port}
	req := to("shop.test", 0)
	req.Proxy = proxy
	expect(t, do(t, c, req, &res), "GET http://shop.test/ HTTP/1.1")
	req = origin.getTLS("/")
	req.Proxy = proxy
	expect(t, do(t, c, req, &res), "request 1") // TLS in TLS
	expect(t, do(t, c, req, &res), "request 2")
}

// socksServer speaks SOCKS5 (RFC 1928) as far as the tests need it.
type socksServer struct {
	user, password string // wanted, when not empty
	reply          byte   // to the request
	atyp           byte   // of the address in the reply
	to             int
	asked          chan string // the place asked for
}

func (s *socksServer) handle(c net.Conn) {
	r := bufio.NewReader(c)
	read := func(n int) []byte {
		b := make([]byte, n)
		io.ReadFull(r, b)
		return b
	}
	head := read(2)
	methods := string(read(int(head[1])))
	switch {
	case s.user == "" && strings.ContainsRune(methods, 0):
		c.Write([]byte{5, 0})
	case s.user != "" && strings.ContainsRune(methods, 2):
		c.Write([]byte{5, 2})
		user := string(read(int(read(2)[1])))
		password := string(read(int(read(1)[0])))
		if user != s.user || password != s.password {
			c.Write([]byte{1, 1})
			return
		}
		c.Write([]byte{1, 0})
	default:
		c.Write([]byte{5, 255})
		return
	}
	var host string
	switch read(4)[3] {
	case 1:
		host = net.IP(read(4)).String()
	case 3:
		host = "name " + string(read(int(read(1)[0])))
	case 4:
		host = net.IP(read(16)).String()
	}
	s.asked <- host + " " + strconv.Itoa(int(binary.BigEndian.Uint16(read(2))))
	reply := []byte{5, s.reply, 0, s.atyp}
	switch s.atyp {
	case 1:
		reply = append(reply, make([]byte, 4+2)...)
	case 3:
		reply = append(reply, "\x04name\x00\x00"...)
	case 4:
		reply = append(reply, make([]byte, 16+2)...)
	}
	c.Write(reply)
	if s.reply == 0 {
		pipe(c, s.to)
	}
}

func TestSOCKS5(t *testing.T) {
	plain, secure := serve(t, "", nth("")), serve(t, "", maybeTLS(t, true, nth("")))
	for _, test := range []struct {
		name     string
		server   socksServer
		user     string
		password string
		host     string
		https    bool
		java     bool
		asked    string
		message  string // of the error
	}{
		{name: "address", server: socksServer{atyp: 1}, host: "127.0.0.1", asked: "127.0.0.1"},
		{name: "IPv6 address", server: socksServer{atyp: 4}, host: "[2001:db8::1]", asked: "2001:db8::1"},
		{name: "name", server: socksServer{atyp: 3}, host: "shop.test", asked: "name shop.test"},
		{name: "https", server: socksServer{atyp: 1}, host: "shop.test", https: true, asked: "name shop.test"},
		{name: "credentials", server: socksServer{atyp: 1, user: "u", password: "p"}, user: "u", password: "p", host: "127.0.0.1", asked: "127.0.0.1"},
		{name: "credentials that nobody wants", server: socksServer{atyp: 1}, user: "u", password: "p", host: "127.0.0.1", asked: "127.0.0.1"},
		{name: "wrong credentials", server: socksServer{user: "u", password: "p"}, user: "u", password: "x", host: "127.0.0.1", message: "SOCKS : authentication failed"},
		{name: "no credentials", server: socksServer{user: "u", password: "p"}, host: "127.0.0.1", message: "SOCKS : No acceptable methods"},
		{name: "refused", server: socksServer{atyp: 1, reply: 5}, host: "127.0.0.1", asked: "127.0.0.1", message: "SOCKS: Connection refused"},
		{name: "unknown reply", server: socksServer{atyp: 1, reply: 99}, host: "127.0.0.1", asked: "127.0.0.1", message: "Reply from SOCKS server contains bad status"},
		{name: "name, as Java", server: socksServer{atyp: 1}, java: true, host: "shop.test", asked: "10.1.2.3"},
		{name: "login without a name, as Java", server: socksServer{atyp: 1, user: "u"}, java: true, user: "u", host: "shop.test", asked: "10.1.2.3"},
		{name: "unknown address type", server: socksServer{atyp: 9}, host: "127.0.0.1", asked: "127.0.0.1", message: "Reply from SOCKS server contains wrong code"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := test.server
			s.asked = make(chan string, 1)
			s.to = plain.port
			if test.https {
				s.to = secure.port
			}
			p := serve(t, "", s.handle)
			c := newTestClient(t, nil)
			req := to(test.host, 1234)
			if test.https {
				req.Scheme = "https"
			}
			req.Proxy = &Proxy{Scheme: "socks5", Host: "127.0.0.1", Port: p.port, User: test.user, Password: test.password, Java: test.java}
			if test.java {
				req.Resolver = always("10.1.2.3", "10.1.2.4")
			}
			var res Response
			if test.message != "" {
				fails(t, c, req, &res, classSocket, test.message)
			} else {
				expect(t, do(t, c, req, &res), "request 1")
				expect(t, do(t, c, req, &res), "request 2")
			}
			if test.asked != "" {
				expect(t, <-s.asked, test.asked+" 1234")
			}
		})
	}
}

func TestSOCKS5ThatIsNone(t *testing.T) {
	for _, test := range []struct {
		name           string
		handle         func(net.Conn)
		class, message string
	}{
		{"closed", func(c net.Conn) { finish(c) }, classSocket, "Malformed reply from SOCKS server"},
		{"HTTP", func(c net.Conn) { io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n"); finish(c) }, classSocket, "Malformed reply from SOCKS server"},
		{"silence", func(c net.Conn) { io.Copy(io.Discard, c) }, classTimeout, "Read timed out"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := serve(t, "", test.handle)
			c := newTestClient(t, nil)
			req := to("shop.test", 80)
			if test.class == classTimeout {
				req.ConnectTimeout = shortly
			}
			req.Proxy = &Proxy{Scheme: "socks5", Host: "127.0.0.1", Port: p.port}
			var res Response
			fails(t, c, req, &res, test.class, test.message)
		})
	}
}

func TestBasicIsBase64OfUserAndPassword(t *testing.T) {
	var res Response
	res.head = []byte("HTTP/1.1 407 A\nproxy-authenticate: Negotiate\nProxy-Authenticate: bAsIc realm=x\n")
	res.status = len("HTTP/1.1 407 A\n")
	p := &Proxy{User: "ü", Password: "p:q"}
	value, again := (&Request{Proxy: p}).answer(1, &res)
	expect(t, value, "Basic "+base64.StdEncoding.EncodeToString([]byte("?:p:q")))
	expect(t, fmt.Sprint(again), "true")
	value, again = (&Request{Proxy: p}).answer(2, &res)
	expect(t, value, "")
	expect(t, fmt.Sprint(again), "false")
}

// Whoever takes a connection and says nothing is not waited for longer than the
// plan says, be it by the response timeout alone.
func TestSilenceBeforeTheRequest(t *testing.T) {
	silent, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	port := silent.Addr().(*net.TCPAddr).Port
	at := silent.Addr().String()
	for name, c := range map[string]struct {
		req            Request
		class, message string
	}{
		"handshake, response timeout": {Request{Scheme: "https", Host: "127.0.0.1", Port: port, ResponseTimeout: 50 * time.Millisecond}, classTimeout, "Read timed out"},
		"handshake, connect timeout": {Request{Scheme: "https", Host: "127.0.0.1", Port: port, ConnectTimeout: 50 * time.Millisecond, ResponseTimeout: time.Hour},
			classConnTimeout, "Connect to " + at + " [/127.0.0.1] failed: Read timed out"},
		"CONNECT":                   {Request{Scheme: "https", Host: "a.invalid", ConnectTimeout: 50 * time.Millisecond, Proxy: &Proxy{Host: "127.0.0.1", Port: port}}, classTimeout, "Read timed out"},
		"CONNECT, response timeout": {Request{Scheme: "https", Host: "a.invalid", ResponseTimeout: 50 * time.Millisecond, Proxy: &Proxy{Host: "127.0.0.1", Port: port}}, classTimeout, "Read timed out"},
		"SOCKS":                     {Request{Scheme: "http", Host: "a.invalid", ResponseTimeout: 50 * time.Millisecond, Proxy: &Proxy{Scheme: "socks5", Host: "127.0.0.1", Port: port}}, classTimeout, "Read timed out"},
	} {
		t.Run(name, func(t *testing.T) {
			c.req.Method, c.req.Target = "GET", "/"
			fails(t, newTestClient(t, nil), &c.req, new(Response), c.class, c.message)
		})
	}
}

// Java's sockets have words of their own for a SOCKS proxy that is not there, and
// HttpClient asks none for a name it does not know itself. Seen on JMeter 5.6.3.
func TestNoSOCKSOfJava(t *testing.T) {
	closed := closedPort(t)
	for _, test := range []struct {
		proxy, host    string
		urlConnection  bool
		class, message string
	}{
		{"127.0.0.1", "10.1.2.3", false, classSocket, "Can't connect to SOCKS proxy:Connection refused"},
		{"127.0.0.1", "10.1.2.3", true, classSocket, "Connection refused"},
		{"a.invalid", "10.1.2.3", false, classSocket, "Can't connect to SOCKS proxy:a.invalid"},
		{"127.0.0.1", "b.invalid", false, classUnknownHost, "b.invalid: Name or service not known"},
		{"127.0.0.1", "b.invalid", true, classSocket, "Connection refused"},
	} {
		c := newTestClient(t, &Options{URLConnection: test.urlConnection})
		req := to(test.host, 1234)
		req.Proxy = &Proxy{Scheme: "socks5", Host: test.proxy, Port: closed, Java: true}
		var res Response
		fails(t, c, req, &res, test.class, test.message)
	}
}
