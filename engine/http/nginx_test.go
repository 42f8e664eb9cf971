package http_test

import (
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gojm/gojm/engine/http/wire"

	"github.com/gojm/gojm/testdata/target"
)

// nginx is a server started for a test, with one listener for HTTP/1.1 and one
// for TLS with HTTP/1.1 and HTTP/2.
// A second pair of them ends each connection after a few requests.
type nginx struct{ plain, secure, fewPlain, fewSecure int }

const nginxConfig = `
daemon off;
master_process off;
pid nginx.pid;
error_log error.log warn;
events { worker_connections 256; }
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	client_max_body_size 8m;
	default_type text/plain;
	if_modified_since before;
	types { text/html html; }
	gzip on;
	gzip_types text/plain;
	gzip_min_length 100;
	gzip_http_version 1.0;
	gzip_proxied any;
	ssl_certificate cert.pem;
	ssl_certificate_key key.pem;
	server {
		listen 127.0.0.1:%d;
		listen 127.0.0.1:%d ssl http2;
		root files;
		add_header X-Reused $ssl_session_reused;
		add_header X-Protocol $server_protocol;
		location /old { return 301 /hello.txt; }
		location /found { return 302 http://$http_host/hello.txt; }
		location /nothing { return 204; }
		location /app/ { proxy_pass http://127.0.0.1:%d; proxy_buffering off; }
	}
	server {
		listen 127.0.0.1:%d;
		listen 127.0.0.1:%d ssl http2;
		root files;
		keepalive_requests 3;
	}
}
`

// startNginx starts nginx with an application behind it.
func startNginx(t *testing.T) *nginx {
	t.Helper()
	app := httptest.NewServer(http.HandlerFunc(nginxApp))
	t.Cleanup(app.Close)
	var n *nginx
	startNginxWith(t, nil, func() (string, int) {
		n = &nginx{freePort(t), freePort(t), freePort(t), freePort(t)}
		return fmt.Sprintf(nginxConfig, n.plain, n.secure, app.Listener.Addr().(*net.TCPAddr).Port, n.fewPlain, n.fewSecure), n.secure
	})
	return n
}

// startNginxWith fails the test where nginx is missing: install the Debian
// package. config makes a configuration and says which port tells that nginx
// is there.
func startNginxWith(t *testing.T, files map[string][]byte, config func() (text string, port int)) {
	t.Helper()
	program, err := exec.LookPath("nginx")
	if err != nil {
		if program, err = exec.LookPath("/usr/sbin/nginx"); err != nil {
			t.Fatal("nginx is needed: ", err)
		}
	}
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "files"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("files/hello.txt", []byte("Hello world\n"))
	write("files/empty.txt", nil)
	write("files/page.html", []byte("<html>"+strings.Repeat("<p>words to compress", 500)))
	write("files/big.bin", bytes.Repeat([]byte("0123456789abcdef"), 1<<16))
	cert, key := selfSigned(t)
	write("cert.pem", cert)
	write("key.pem", key)
	for name, data := range files {
		write(name, data)
	}

	for range 5 { // somebody may take a port in between
		text, port := config()
		write("nginx.conf", []byte(text))
		cmd := exec.Command(program, "-p", dir, "-c", "nginx.conf", "-e", "error.log")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			cmd.Wait()
			close(ended)
		}()
		if answers(port, ended) {
			t.Cleanup(func() {
				cmd.Process.Kill()
				<-ended
			})
			return
		}
		cmd.Process.Kill()
		<-ended
	}
	log, _ := os.ReadFile(filepath.Join(dir, "error.log"))
	t.Fatalf("nginx does not start:\n%s", log)
}

// answers waits until nginx does; false when it has ended, or takes too long.
func answers(port int, ended chan struct{}) bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 1000 {
		if c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			c.Close()
			return true
		}
		select {
		case <-ended:
			return false
		case <-tick.C:
		}
	}
	return false
}

func freePort(t *testing.T) int {
	t.Helper()
	port, err := target.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

func selfSigned(t *testing.T) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})
}

// nginxApp stands behind nginx: its answers have no length, so that they come in
// chunks.
func nginxApp(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	w.Header().Set("X-Asked", fmt.Sprintf("%s %s %d bytes", r.Method, r.URL, len(body)))
	w.Header().Set("Content-Type", "application/octet-stream")
	for len(body) > 0 {
		n := min(len(body), 50000)
		w.Write(body[:n])
		w.(http.Flusher).Flush()
		body = body[n:]
	}
}

// way is one of the ways to speak to nginx.
type way struct {
	name    string
	secure  bool
	version wire.Version
}

var ways = []way{
	{"HTTP/1.1", false, wire.HTTP1},
	{"HTTP/1.1 TLS", true, wire.HTTP1},
	{"HTTP/2 TLS", true, wire.HTTP2Offered},
}

func (n *nginx) request(v way, method, target string, headers ...string) *wire.Request {
	r := &wire.Request{Method: method, Target: target, Scheme: "http", Host: "127.0.0.1", Port: n.plain, KeepAlive: true, Version: v.version,
		ResponseTimeout: 20 * time.Second}
	if v.secure {
		r.Scheme, r.Port = "https", n.secure
	}
	r.Header = fmt.Appendf(nil, "Host: 127.0.0.1:%d\r\n", r.Port)
	for _, h := range headers {
		r.Header = append(append(r.Header, h...), "\r\n"...)
	}
	return r
}

// protocol is what nginx calls it.
func (v way) protocol() string {
	if v.version != wire.HTTP1 {
		return "HTTP/2.0"
	}
	return "HTTP/1.1"
}

// reference is net/http's client for the same way.
func (v way) reference() *http.Client {
	tr := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableCompression: true, ForceAttemptHTTP2: v.version != wire.HTTP1}
	if v.version == wire.HTTP1 {
		tr.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	}
	return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Every response is what net/http's client gets for the same request.
func TestNginxAgainstNetHTTP(t *testing.T) {
	n := startNginx(t)
	big := bytes.Repeat([]byte("a body to send "), 1<<20/15)
	for _, v := range ways {
		reference := v.reference()
		c := wire.NewClient(wire.DefaultOptions())
		t.Cleanup(c.Close)
		for i, test := range []struct {
			method, target string
			headers        []string
			body           []byte
			status         int
		}{
			{"GET", "/hello.txt", nil, nil, 200},
			{"HEAD", "/hello.txt", nil, nil, 200},
			{"GET", "/empty.txt", nil, nil, 200},
			{"GET", "/big.bin", nil, nil, 200},
			{"HEAD", "/big.bin", nil, nil, 200},
			{"GET", "/hello.txt", []string{"Range: bytes=6-10"}, nil, 206},
			{"GET", "/hello.txt", []string{"Range: bytes=0-1,4-5"}, nil, 206},
			{"GET", "/hello.txt", []string{"Range: bytes=99-"}, nil, 416},
			{"GET", "/hello.txt", []string{"If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"}, nil, 304},
			{"GET", "/page.html", nil, nil, 200},
			{"GET", "/page.html", []string{"Accept-Encoding: gzip"}, nil, 200},
			{"HEAD", "/page.html", []string{"Accept-Encoding: gzip"}, nil, 200},
			{"GET", "/missing", nil, nil, 404},
			{"GET", "/old", nil, nil, 301},
			{"GET", "/found", nil, nil, 302},
			{"GET", "/nothing", nil, nil, 204},
			{"POST", "/hello.txt", nil, []byte("not for files"), 405},
			{"POST", "/app/echo?q=1", nil, []byte("short"), 200},
			{"POST", "/app/echo", nil, nil, 200},
			{"POST", "/app/echo", nil, big, 200},
			{"PUT", "/app/echo", nil, big[:100000], 200},
			{"DELETE", "/app/echo", nil, nil, 200},
			{"GET", "/app/chunked", nil, nil, 200},
		} {
			t.Run(v.name+" "+test.method+test.target+strings.Join(test.headers, ""), func(t *testing.T) {
				req := n.request(v, test.method, test.target, test.headers...)
				if test.method == "POST" || test.body != nil {
					req.Body = test.body
					req.Header = fmt.Appendf(req.Header, "Content-Length: %d\r\n", len(test.body))
				}
				req.NoDecode = true
				hr, err := http.NewRequest(test.method, fmt.Sprintf("%s://127.0.0.1:%d%s", req.Scheme, req.Port, test.target), bytes.NewReader(test.body))
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range test.headers {
					name, value, _ := strings.Cut(h, ": ")
					hr.Header.Set(name, value)
				}
				want, err := reference.Do(hr)
				if err != nil {
					t.Fatal(err)
				}
				wantBody, err := io.ReadAll(want.Body)
				want.Body.Close()
				if err != nil {
					t.Fatal(err)
				}
				var res wire.Response
				var k wire.Keep
				if err := c.Do(req, &res, &k); err != nil {
					t.Fatal(err)
				}
				compareResponse(t, &res, k.B, want, wantBody)
				if res.Status != test.status {
					t.Errorf("status %d, want %d", res.Status, test.status)
				}
				if res.Reused != (i > 0) {
					t.Errorf("reused: %t", res.Reused)
				}
				if got := res.Get("X-Protocol"); got != nil && string(got) != v.protocol() {
					t.Errorf("by %s", got)
				}
				if res.Get("Content-Encoding") != nil && test.method == "GET" {
					nginxDecoded(t, c, req, k.B)
				}
			})
		}
		reference.CloseIdleConnections()
	}
}

// compareResponse takes times, and the boundary of a multipart body, for equal.
func compareResponse(t *testing.T, res *wire.Response, body []byte, want *http.Response, wantBody []byte) {
	t.Helper()
	const multi = "multipart/byteranges; boundary="
	if b, ok := strings.CutPrefix(want.Header.Get("Content-Type"), multi); ok {
		own, _ := strings.CutPrefix(string(res.Get("Content-Type")), multi)
		body = bytes.ReplaceAll(body, []byte(own), []byte(b))
	}
	if !bytes.Equal(body, wantBody) {
		t.Errorf("body of %d bytes, want %d", len(body), len(wantBody))
	}
	if res.Status != want.StatusCode {
		t.Errorf("status %d, want %d", res.Status, want.StatusCode)
	}
	seen := map[string]bool{"Date": true, "X-Reused": true, "Connection": true, "Transfer-Encoding": true}
	res.Each(func(name, value []byte) bool {
		key := http.CanonicalHeaderKey(string(name))
		if !seen[key] && string(value) != want.Header.Get(key) && !strings.HasPrefix(string(value), multi) {
			t.Errorf("%s: %s, want %s", name, value, want.Header.Get(key))
		}
		seen[key] = true
		return true
	})
	for name := range want.Header {
		if !seen[name] {
			t.Errorf("no %s", name)
		}
	}
}

// nginxDecoded asks again for what came compressed.
func nginxDecoded(t *testing.T, c *wire.Client, req *wire.Request, compressed []byte) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		t.Fatal(err)
	}
	want, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	req.NoDecode = false
	var res wire.Response
	var k wire.Keep
	if err := c.Do(req, &res, &k); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(k.B, want) || !res.Decoded || res.BodySize() >= int64(len(want)) {
		t.Errorf("%d bytes decoded from %d, want %d", len(k.B), res.BodySize(), len(want))
	}
}

// A connection ends when the client or nginx says so, and the next request has
// a new one, which resumes the TLS session.
func TestNginxConnections(t *testing.T) {
	n := startNginx(t)
	for _, v := range ways {
		t.Run(v.name, func(t *testing.T) {
			c := wire.NewClient(wire.DefaultOptions())
			defer c.Close()
			get := func(n *nginx, keep bool) *wire.Response {
				req := n.request(v, "GET", "/hello.txt")
				if req.KeepAlive = keep; !keep {
					req.Header = append(req.Header, "Connection: close\r\n"...)
				}
				res := new(wire.Response)
				var k wire.Keep
				if err := c.Do(req, res, &k); err != nil || res.Status != 200 || string(k.B) != "Hello world\n" {
					t.Fatalf("error %v, status %d, %q", err, res.Status, k.B)
				}
				return res
			}
			for i, keep := range []bool{true, true, false, false, true, true} {
				res := get(n, keep)
				if want := i == 1 || i == 2 || i == 5; res.Reused != want {
					t.Errorf("request %d reused: %t, want %t", i, res.Reused, want)
				}
				if resumed := v.secure && i >= 3; (string(res.Get("X-Reused")) == "r") != resumed {
					t.Errorf("request %d resumed: %q, want %t", i, res.Get("X-Reused"), resumed)
				}
			}
			c.Reset()
			if res := get(n, true); string(res.Get("X-Reused")) == "r" {
				t.Error("a new user resumes the session of another")
			}
			// nginx ends connections after some requests.
			few := &nginx{plain: n.fewPlain, secure: n.fewSecure}
			reused := 0
			for range 12 {
				if get(few, true).Reused {
					reused++
				}
			}
			if reused != 8 {
				t.Errorf("%d of 12 requests on a kept connection, want 2 of 3", reused)
			}
		})
	}
}

// Bodies of unknown length go out in chunks, or in frames.
func TestNginxStreamedBody(t *testing.T) {
	n := startNginx(t)
	for _, v := range ways {
		t.Run(v.name, func(t *testing.T) {
			c := wire.NewClient(wire.DefaultOptions())
			defer c.Close()
			req := n.request(v, "POST", "/app/echo", "Transfer-Encoding: chunked")
			req.Stream = repeated{"piece of a body ", 1 << 16}
			var res wire.Response
			var k wire.Keep
			if err := c.Do(req, &res, &k); err != nil || res.Status != 200 {
				t.Fatalf("error %v, status %d: %s", err, res.Status, k.B)
			}
			if want := strings.Repeat("piece of a body ", 1<<16); string(k.B) != want {
				t.Errorf("%d bytes came back, want %d", len(k.B), len(want))
			}
		})
	}
}

type repeated struct {
	text string
	n    int
}

func (r repeated) Size() int64 { return -1 }

func (r repeated) WriteTo(w io.Writer) (total int64, err error) {
	for range r.n {
		n, err := io.WriteString(w, r.text)
		if total += int64(n); err != nil {
			return total, err
		}
	}
	return total, nil
}

// A plan against nginx has the same rows by both versions, but for the message,
// which HTTP/2 does not have, and the sizes of heads.
func TestNginxPlan(t *testing.T) {
	n := startNginx(t)
	base := fmt.Sprintf("https://127.0.0.1:%d", n.secure)
	body := request("hello", "GET", base+"/hello.txt") + request("moved", "GET", base+"/old", boolean("HTTPSampler.follow_redirects", true)) +
		request("missing", "GET", base+"/missing") + request("head", "HEAD", base+"/hello.txt") +
		request("post", "POST", base+"/app/echo", boolean("HTTPSampler.postBodyRaw", true), arguments(false, argument{"", "posted"}))
	one := plan{loops: 2, body: body}.run(t)
	two := plan{loops: 2, body: body, props: map[string]string{"gojm.http.version": "2"}}.run(t)
	if len(one) != 14 || len(two) != len(one) {
		t.Fatalf("%d and %d rows", len(one), len(two))
	}
	for i := range one {
		for _, column := range []string{"label", "responseCode", "success", "dataType", "failureMessage", "URL"} {
			if one[i][column] != two[i][column] {
				t.Errorf("row %d, %s: %q by HTTP/1.1, %q by HTTP/2", i, column, one[i][column], two[i][column])
			}
		}
		if two[i]["responseMessage"] != "" {
			t.Errorf("message %q", two[i]["responseMessage"])
		}
	}
}
