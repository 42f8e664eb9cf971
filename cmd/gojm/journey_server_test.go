//go:build unix

package main_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gojm/gojm/testdata/target"
)

// garden is the web application of testdata/journey, with a relay before it
// that notes each request as it came over the wire.
type garden struct {
	port     int // the relay's
	upstream string
	listener net.Listener

	mu       sync.Mutex
	requests []string
}

// startGarden starts the application with its demonstration data. The test
// fails where its programs are missing: testdata/needs.sh installs them.
func startGarden(t *testing.T) *garden {
	t.Helper()
	for range 3 { // somebody may take a port in between
		g := &garden{}
		if g.start(t) {
			return g
		}
	}
	t.Fatal("testdata/journey/start.sh does not start the application")
	return nil
}

func (g *garden) start(t *testing.T) bool {
	t.Helper()
	front, behind := freePort(t), freePort(t)
	g.upstream = net.JoinHostPort("127.0.0.1", strconv.Itoa(front))
	var said bytes.Buffer
	cmd := exec.Command("sh", "../../testdata/journey/start.sh", t.TempDir(), strconv.Itoa(front), strconv.Itoa(behind))
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	stop := func() {
		cmd.Process.Signal(syscall.SIGTERM)
		<-ended
	}
	if !g.answers(ended) {
		stop()
		t.Logf("start.sh: %s", &said)
		return false
	}
	t.Cleanup(stop)
	g.relay(t)
	// The application notes the address it is first asked under: while it
	// writes, it refuses others.
	if err := ask("127.0.0.1:" + strconv.Itoa(g.port)); err != nil {
		t.Fatal(err)
	}
	g.taken()
	return true
}

func ask(address string) error {
	r, err := http.Get("http://" + address + "/wiki?name=Garden")
	if err != nil {
		return err
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return errors.New(r.Status)
	}
	return nil
}

// answers waits until the application does; false when it has ended, or takes
// too long.
func (g *garden) answers(ended chan struct{}) bool {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for range 1500 {
		if ask(g.upstream) == nil {
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

func (g *garden) relay(t *testing.T) {
	t.Helper()
	var err error
	if g.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	g.port = g.listener.Addr().(*net.TCPAddr).Port
	var open sync.WaitGroup
	open.Go(func() {
		for {
			client, err := g.listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() {
				defer client.Close()
				if err := g.pass(client); err != nil {
					t.Errorf("relay: %v", err)
				}
			})
		}
	})
	t.Cleanup(func() {
		g.listener.Close()
		open.Wait()
	})
}

// pass passes what goes over one connection. Each request is noted before it is
// passed on, so what a thread asks for stands in its order.
func (g *garden) pass(client net.Conn) error {
	server, err := net.Dial("tcp", g.upstream)
	if err != nil {
		return err
	}
	var back sync.WaitGroup
	back.Go(func() {
		io.Copy(client, server)
		client.(*net.TCPConn).CloseWrite()
	})
	defer back.Wait()
	defer server.Close()
	for from := bufio.NewReader(client); ; {
		request, err := readRequest(from)
		if errors.Is(err, io.EOF) && request == "" || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w, after %q", err, request)
		}
		g.mu.Lock()
		g.requests = append(g.requests, request)
		g.mu.Unlock()
		if _, err := io.WriteString(server, request); err != nil {
			return err
		}
	}
}

// readRequest reads one request, byte for byte.
func readRequest(from *bufio.Reader) (string, error) {
	var b strings.Builder
	length := 0
	for {
		line, err := from.ReadString('\n')
		b.WriteString(line)
		if err != nil {
			return b.String(), err
		}
		if line == "\r\n" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		switch textproto.CanonicalMIMEHeaderKey(name) {
		case "Content-Length":
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return b.String(), err
			}
		case "Transfer-Encoding":
			return b.String(), errors.New("a request in chunks")
		}
	}
	_, err := io.CopyN(&b, from, int64(length))
	return b.String(), err
}

// taken returns the requests since the last call.
func (g *garden) taken() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	r := g.requests
	g.requests = nil
	return r
}

func freePort(t *testing.T) int {
	t.Helper()
	port, err := target.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// version says which programs serve the application.
func (g *garden) version(t *testing.T) string {
	t.Helper()
	fossil, err := exec.Command("fossil", "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		nginx = filepath.Join("/usr/sbin", "nginx")
	}
	said, err := exec.Command(nginx, "-v").CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(fossil)) + "\n" + strings.TrimSpace(string(said)) + "\n"
}
