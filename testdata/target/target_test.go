package target_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gojm/gojm/testdata/target"
)

func start(t *testing.T, o target.Options) *target.Server {
	t.Helper()
	s, err := target.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func dial(t *testing.T, port int) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp4", "127.0.0.1:"+strconv.Itoa(port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(10 * time.Second))
	return c
}

// exchange sends a text and returns all that comes back until the end.
func exchange(t *testing.T, c net.Conn, say string) string {
	t.Helper()
	if _, err := io.WriteString(c, say); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("after %q: %v", got, err)
	}
	return string(got)
}

func TestAnswersByteForByte(t *testing.T) {
	s := start(t, target.Options{})
	for _, tt := range []struct{ name, say, want string }{
		{"echo shows the request as it came", "POST /echo/x?a=1 HTTP/1.1\r\nhOST: h\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
			"HTTP/1.1 200 OK\r\nServer: target\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: 78\r\n\r\n" +
				"POST /echo/x?a=1 HTTP/1.1\r\nhOST: h\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"},
		{"a kept connection", "GET /conn HTTP/1.1\r\n\r\nHEAD /conn HTTP/1.1\r\nConnection: close\r\n\r\n",
			"HTTP/1.1 200 OK\r\nServer: target\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: 28\r\n\r\nrequest 1 on this connection" +
				"HTTP/1.1 200 OK\r\nServer: target\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: 28\r\n\r\n"},
		{"chunks both ways", "POST /body HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Type: a/b\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /chunked HTTP/1.1\r\nConnection: close\r\n\r\n",
			"HTTP/1.1 200 OK\r\nServer: target\r\nContent-Type: a/b\r\nContent-Length: 3\r\n\r\nabc" +
				"HTTP/1.1 200 OK\r\nServer: target\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n" +
				"b\r\nchunk one, \r\nb\r\nchunk two, \r\nb\r\nchunk three\r\n0\r\n\r\n"},
		{"cut short", "GET /truncated HTTP/1.1\r\n\r\n",
			"HTTP/1.1 200 OK\r\nServer: target\r\nContent-Type: text/plain\r\nContent-Length: 22\r\n\r\nthis body is"},
		{"the query makes the answer", "GET /respond?status=299&reason=&proto=HTTP/1.0&h=X:+y&body=z HTTP/1.1\r\nConnection: close\r\n\r\n",
			"HTTP/1.0 299 \r\nServer: target\r\nX: y\r\nContent-Length: 1\r\n\r\nz"},
		{"no answer", "GET /drop HTTP/1.1\r\n\r\n", ""},
		{"redirects count down", "GET /redirect/3?code=307 HTTP/1.1\r\nConnection: close\r\n\r\n",
			"HTTP/1.1 307 Temporary Redirect\r\nServer: target\r\nContent-Type: text/plain;charset=UTF-8\r\nLocation: /redirect/2?code=307\r\nContent-Length: 5\r\n\r\nmoved"},
		{"no such path", "GET /nosuch HTTP/1.1\r\nConnection: close\r\n\r\n",
			"HTTP/1.1 404 Not Found\r\nServer: target\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Length: 18\r\n\r\nnot found: /nosuch"},
		{"not HTTP", "nonsense\r\n\r\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := exchange(t, dial(t, s.Ports.HTTP), tt.say); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestDigest(t *testing.T) {
	s := start(t, target.Options{})
	for answer, want := range map[string]string{
		"": "HTTP/1.1 401",
		`Digest username="user", realm="target", uri="/auth/digest-old", response="00000000000000000000000000000000"`: "HTTP/1.1 401",
		`Digest username="user", uri="/auth/digest-old", response="c3e227fe6ef63982b40bd4a3929220c7"`:                 "HTTP/1.1 200",
	} {
		got := exchange(t, dial(t, s.Ports.HTTP), "GET /auth/digest-old HTTP/1.1\r\nConnection: close\r\nAuthorization: "+answer+"\r\n\r\n")
		if !strings.HasPrefix(got, want) {
			t.Errorf("answer %q: got %.20q, want %q", answer, got, want)
		}
	}
}

func TestCountersAreTheServersOwn(t *testing.T) {
	a, b := start(t, target.Options{}), start(t, target.Options{})
	count := func(s *target.Server) string {
		got := exchange(t, dial(t, s.Ports.HTTP), "GET /counter?key=x HTTP/1.1\r\nConnection: close\r\n\r\n")
		return got[strings.LastIndex(got, "\n")+1:]
	}
	got := []string{count(a), count(a), count(b)}
	a.ResetCounters()
	got = append(got, count(a), count(b))
	if want := "[1 2 1 1 2]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPorts(t *testing.T) {
	avoided := 0
	s := start(t, target.Options{Avoid: func(port int) bool {
		if avoided == 0 {
			avoided = port
		}
		return port == avoided
	}})
	p := s.Ports
	for _, port := range []int{p.HTTP, p.HTTPS, p.TCP, p.Full, p.Closed} {
		if port < 1000 || port > 9999 || port == avoided {
			t.Errorf("port %d: want four digits, and not %d", port, avoided)
		}
	}
	if got := exchange(t, dial(t, p.TCP), "one\nquit\n"); got != "echo:one\n" {
		t.Errorf("line echo: got %q", got)
	}
	secure := tls.Client(dial(t, p.HTTPS), &tls.Config{InsecureSkipVerify: true})
	if got := exchange(t, secure, "GET /ok HTTP/1.1\r\nConnection: close\r\n\r\n"); !strings.HasSuffix(got, "\r\n\r\nok") {
		t.Errorf("HTTPS: got %q", got)
	}
	if _, err := net.DialTimeout("tcp4", fmt.Sprint("127.0.0.1:", p.Closed), time.Second); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("closed port: got %v, want it refused", err)
	}
	if l, err := net.Listen("tcp4", fmt.Sprint("127.0.0.1:", p.Closed)); err == nil {
		l.Close()
		t.Error("closed port: another program could listen there")
	}
	var late net.Error
	if _, err := net.DialTimeout("tcp4", fmt.Sprint("127.0.0.1:", p.Full), 100*time.Millisecond); !errors.As(err, &late) || !late.Timeout() {
		t.Errorf("full port: got %v, want a timeout", err)
	}
}

func TestTakenPortIsAnError(t *testing.T) {
	s := start(t, target.Options{})
	_, err := target.Start(target.Options{Ports: target.Ports{HTTP: s.Ports.HTTP}})
	if !errors.Is(err, syscall.EADDRINUSE) || !strings.HasPrefix(err.Error(), "target: ") {
		t.Errorf("got %v, want target: ... address already in use", err)
	}
}

func TestCloseBreaksConnections(t *testing.T) {
	s := start(t, target.Options{})
	c := dial(t, s.Ports.TCP)
	buf := make([]byte, len("echo:x\n"))
	io.WriteString(c, "x\n")
	if _, err := io.ReadFull(c, buf); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if n, err := c.Read(buf); n != 0 || err == nil {
		t.Errorf("after close: read %d bytes, %v", n, err)
	}
}
