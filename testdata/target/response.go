package target

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"
)

type response struct {
	status  int
	reason  string
	headers []string
	body    []byte
	chunked bool
	close   bool
	preWait time.Duration // before the first byte
	midWait time.Duration // between head and body
	cut     int           // bytes of the body left unsent before the socket closes
	reset   bool          // close without an answer, with RST
	proto   string        // of the status line, where it is not HTTP/1.1
	bare    bool          // no reason phrase at all
	drop    bool          // close without an answer
}

// reasons is the target's own list: what net/http names may change, recorded
// results do not.
var reasons = map[int]string{200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
	301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
	400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 409: "Conflict",
	418: "I'm a teapot", 429: "Too Many Requests",
	500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable"}

func text(status int, body string, headers ...string) *response {
	return typed(status, "text/plain;charset=UTF-8", body, headers...)
}

func typed(status int, contentType, body string, headers ...string) *response {
	return &response{status: status, body: []byte(body), headers: append([]string{"Content-Type: " + contentType}, headers...)}
}

func (s *Server) serveHTTP(c net.Conn) {
	br := bufio.NewReader(c)
	peer, _, _ := net.SplitHostPort(c.RemoteAddr().String())
	for nth := 1; ; nth++ {
		r, err := readRequest(br)
		if err != nil {
			return
		}
		r.peer, r.nth = peer, nth
		if secure, ok := c.(*tls.Conn); ok {
			r.certificate = shown(secure.ConnectionState())
		}
		if strings.EqualFold(r.header("Expect"), "100-continue") {
			io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		if !s.route(r).answer(c, r) {
			return
		}
	}
}

// answer sends the response and says whether the connection stays open.
func (resp *response) answer(c net.Conn, r *request) bool {
	if resp.drop {
		return false
	}
	if resp.reset {
		if t, ok := c.(*net.TCPConn); ok {
			t.SetLinger(0)
		}
		return false
	}
	time.Sleep(resp.preWait)
	var b bytes.Buffer
	resp.writeHead(&b)
	if resp.midWait > 0 {
		c.Write(b.Bytes())
		b.Reset()
		time.Sleep(resp.midWait)
	}
	if r.method != "HEAD" && !resp.bodiless() {
		resp.writeBody(&b)
	}
	if _, err := c.Write(b.Bytes()); err != nil {
		return false
	}
	return !resp.close && resp.cut == 0 && !strings.EqualFold(r.header("Connection"), "close") &&
		!slices.Contains(resp.headers, "Connection: close")
}

// bodiless says that this status never has a body (RFC 9112, section 6.3).
func (resp *response) bodiless() bool { return resp.status == 204 || resp.status == 304 }

func (resp *response) writeHead(b *bytes.Buffer) {
	reason, proto := resp.reason, resp.proto
	if reason == "" && !resp.bare {
		reason = reasons[resp.status]
	}
	if proto == "" {
		proto = "HTTP/1.1"
	}
	fmt.Fprintf(b, "%s %d %s\r\nServer: target\r\n", proto, resp.status, reason)
	for _, h := range resp.headers {
		b.WriteString(h + "\r\n")
	}
	switch {
	case resp.close:
		b.WriteString("Connection: close\r\n")
	case resp.chunked:
		b.WriteString("Transfer-Encoding: chunked\r\n")
	case !resp.bodiless():
		fmt.Fprintf(b, "Content-Length: %d\r\n", len(resp.body))
	}
	b.WriteString("\r\n")
}

func (resp *response) writeBody(b *bytes.Buffer) {
	if !resp.chunked {
		b.Write(resp.body[:len(resp.body)-resp.cut])
		return
	}
	for part := range slices.Chunk(resp.body, 11) {
		fmt.Fprintf(b, "%x\r\n%s\r\n", len(part), part)
	}
	b.WriteString("0\r\n\r\n")
}
