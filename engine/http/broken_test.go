package http_test

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// broken is one of the recorded responses of the client's own tests that fail a
// request.
type broken struct {
	Name   string
	Send   []string // one character a byte
	End    string   // keep, fin, rst, hold
	Method string
	JMeter struct{ Class, Message string }
}

// brokenResponses are those that JMeter fails, by the ways ends: "" is any.
func brokenResponses(t *testing.T, end string) (list []broken) {
	t.Helper()
	data, err := os.ReadFile("wire/testdata/responses.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []broken
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		if b.JMeter.Class != "" && (end == "" || b.End == end) {
			list = append(list, b)
		}
	}
	return list
}

// breaker answers /0, /1 ... with the broken responses, /page with a page of
// them all, /ended with one of those that end, and anything else well. It speaks HTTP, HTTPS, and is a proxy for both,
// which answers to CONNECT for 0.broken, 1.broken ... with the broken responses.
type breaker struct {
	net.Listener
	list []broken
	tls  *tls.Config
	open atomic.Int64 // connections
	held chan bool    // one for each response that is held back
}

func startBreaker(t *testing.T, list []broken) *breaker {
	t.Helper()
	cert, key := selfSigned(t)
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &breaker{Listener: l, list: list, tls: &tls.Config{Certificates: []tls.Certificate{pair}}, held: make(chan bool, len(list))}
	done := make(chan bool)
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b.open.Add(1)
			go func() {
				defer b.open.Add(-1)
				defer c.Close()
				b.talk(c)
			}()
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return b
}

// talk serves one connection, which says by its first byte whether it is TLS.
func (b *breaker) talk(tcp net.Conn) {
	r := bufio.NewReader(tcp)
	first, err := r.Peek(1)
	if err != nil {
		return
	}
	c := tcp
	if first[0] == 22 {
		c = tls.Server(&peeked{tcp, r}, b.tls)
		r = bufio.NewReader(c)
	}
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		io.Copy(io.Discard, req.Body)
		i, err := strconv.Atoi(strings.TrimPrefix(req.URL.Path, "/"))
		if name, broken := strings.CutSuffix(req.URL.Hostname(), ".broken"); broken {
			i, err = strconv.Atoi(name)
		}
		switch {
		case req.Method == "CONNECT" && err != nil:
			io.WriteString(c, "HTTP/1.1 200 Connection established\r\n\r\n")
			b.talk(&peeked{tcp, r})
			return
		case req.URL.Path == "/page", req.URL.Path == "/ended":
			page := ""
			for i, way := range b.list {
				if req.URL.Path == "/page" || way.End != "hold" {
					page += fmt.Sprintf("<img src=%d>", i)
				}
			}
			io.WriteString(c, reply("200 OK", page, "Content-Type: text/html"))
		case err != nil:
			io.WriteString(c, reply("200 OK", "well"))
		case !b.play(b.list[i], c, tcp, r):
			return
		}
	}
}

// play sends a response; false ends the connection.
func (b *breaker) play(way broken, c, tcp net.Conn, r *bufio.Reader) bool {
	for _, piece := range way.Send {
		raw := make([]byte, 0, len(piece))
		for _, char := range piece {
			raw = append(raw, byte(char))
		}
		c.Write(raw)
	}
	switch way.End {
	case "keep":
		return true
	case "rst":
		for {
			switch inner := tcp.(type) {
			case *peeked:
				tcp = inner.Conn
				continue
			case *net.TCPConn:
				inner.SetLinger(0)
			}
			return false
		}
	case "hold":
		b.held <- true
		r.ReadByte() // until the client gives up
		return false
	}
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	}
	io.Copy(io.Discard, c)
	return false
}

// peeked is a connection of which a reader has read ahead.
type peeked struct {
	net.Conn
	r io.Reader
}

func (p *peeked) Read(b []byte) (int, error) { return p.r.Read(b) }

func (p *peeked) CloseWrite() error { return p.Conn.(interface{ CloseWrite() error }).CloseWrite() }

// request asks for path in one of the ways to come to a server.
func (b *breaker) request(transport, name, method, path string, more ...string) string {
	host, port, _ := net.SplitHostPort(b.Addr().String())
	scheme := "http"
	if transport == "TLS" || transport == "tunnel" {
		scheme = "https"
	}
	if transport == "proxy" || transport == "tunnel" {
		more = append(more, str("HTTPSampler.proxyHost", host), str("HTTPSampler.proxyPort", port))
	}
	return request(name, method, scheme+"://"+net.JoinHostPort(host, port)+path, more...)
}

var transports = []string{"plain", "TLS", "proxy", "tunnel"}

// Whatever lies between, a broken response is told in JMeter's words, ends in time
// and leaves no connection behind.
func TestBrokenResponses(t *testing.T) {
	list := brokenResponses(t, "")
	if len(list) < 60 {
		t.Fatalf("only %d responses", len(list))
	}
	for _, transport := range transports {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			b := startBreaker(t, list)
			var body strings.Builder
			for i, way := range list {
				timeout := "" // of what is held back only: a busy machine may be slow
				if way.End == "hold" {
					timeout = "100"
				}
				body.WriteString(b.request(transport, way.Name, way.Method, fmt.Sprintf("/%d", i), str("HTTPSampler.response_timeout", timeout)))
				body.WriteString(b.request(transport, "next", "GET", "/next")) // has whatever connection there is
			}
			rows := plan{body: body.String()}.run(t)
			if len(rows) != 2*len(list) {
				t.Fatalf("%d rows, want %d", len(rows), 2*len(list))
			}
			for i, way := range list {
				row := rows[2*i]
				code, message := "Non HTTP response code: "+way.JMeter.Class, "Non HTTP response message: "+strings.ReplaceAll(way.JMeter.Message, "{port}", strconv.Itoa(b.Addr().(*net.TCPAddr).Port))
				if row["success"] != "false" || row["responseCode"] != code || row["responseMessage"] != message {
					t.Errorf("%s: %s, %s, want %s, %s", way.Name, row["responseCode"], row["responseMessage"], code, message)
				}
			}
			// As resources of a page, several at once.
			page := b.request(transport, "page", "GET", "/ended", boolean("HTTPSampler.image_parser", true),
				boolean("HTTPSampler.concurrentDwn", true), str("HTTPSampler.concurrentPool", "6"))
			rows = plan{body: page, props: map[string]string{"jmeter.save.saveservice.subresults": "true"}}.run(t)
			if len(rows) < 60 || rows[0]["success"] != "false" {
				t.Fatalf("%d rows, %v", len(rows), rows[0])
			}
			for _, row := range rows[2:] {
				i, err := strconv.Atoi(row["URL"][strings.LastIndexByte(row["URL"], '/')+1:])
				if err != nil {
					t.Fatal(err)
				}
				if list[i].Method == "GET" && (row["success"] != "false" || !strings.HasPrefix(row["responseMessage"], "Non HTTP response message: ")) {
					t.Errorf("%s: %v", list[i].Name, row)
				}
			}
			if n := eventually(b.open.Load, 0); n != 0 {
				t.Errorf("%d connections are open", n)
			}
		})
	}
}

// A proxy that answers so to CONNECT. What JMeter takes for consent is followed by
// no TLS.
func TestBrokenProxy(t *testing.T) {
	list := brokenResponses(t, "")
	b := startBreaker(t, list)
	host, port, _ := net.SplitHostPort(b.Addr().String())
	var body strings.Builder
	for i, way := range list {
		body.WriteString(request(way.Name, "GET", fmt.Sprintf("https://%d.broken/", i), str("HTTPSampler.proxyHost", host), str("HTTPSampler.proxyPort", port),
			str("HTTPSampler.response_timeout", "500")))
	}
	for i, row := range (plan{body: body.String()}).run(t) {
		if row["success"] != "false" || !strings.HasPrefix(row["responseMessage"], "Non HTTP response message: ") {
			t.Errorf("%s: %v", list[i].Name, row)
		}
	}
	if n := eventually(b.open.Load, 0); n != 0 {
		t.Errorf("%d connections are open", n)
	}
}

// Responses that never end hold nobody up: neither a stop of the test, nor a
// Sample Timeout, on whatever way and in a pool of downloads.
func TestHeldResponses(t *testing.T) {
	list := brokenResponses(t, "hold")
	if len(list) < 5 {
		t.Fatalf("only %d responses", len(list))
	}
	for _, transport := range transports {
		for _, end := range []string{"stop", "Sample Timeout"} {
			for _, where := range []string{"threads", "pool"} {
				t.Run(transport+"/"+end+"/"+where, func(t *testing.T) {
					t.Parallel()
					b := startBreaker(t, list)
					p := plan{threads: len(list), body: b.request(transport, "r", "GET", "/${__groovy(ctx.threadNum)}")}
					if where == "pool" {
						p = plan{props: map[string]string{"jmeter.save.saveservice.subresults": "true"}, body: b.request(transport, "r", "GET", "/page", boolean("HTTPSampler.image_parser", true),
							boolean("HTTPSampler.concurrentDwn", true), str("HTTPSampler.concurrentPool", strconv.Itoa(len(list))))}
					}
					if end == "Sample Timeout" {
						p.body = element("SampleTimeout", "SampleTimeoutGui", "s", str("InterruptTimer.timeout", "300")) + p.body
					}
					compiled, out := p.compile(t)
					run := compiled.Start()
					over := make(chan error, 1)
					go func() { over <- run.Run() }()
					if end == "stop" {
						for range list {
							<-b.held
						}
						run.Stop(true, "test")
					}
					if err := <-over; err != nil {
						t.Error(err)
					}
					closed := 0
					for _, row := range readRows(t, out) {
						if row["success"] == "false" && row["responseMessage"] == "Non HTTP response message: Socket closed" {
							closed++
						}
					}
					// On a busy machine the time can be over before the page is there.
					if closed != len(list) && !(closed == 1 && end == "Sample Timeout" && where == "pool") {
						t.Errorf("%d rows of closed sockets, want %d", closed, len(list))
					}
					if n := eventually(b.open.Load, 0); n != 0 {
						t.Errorf("%d connections are open", n)
					}
				})
			}
		}
	}
}
