package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// mirrorCommand is `gojm mirror`.
func mirrorCommand(std stdio) *cobra.Command {
	var host string
	var port uint16
	cmd := &cobra.Command{
		Use:   "mirror",
		Short: "Start an HTTP server that answers with what it was sent",
		Long: `Start an HTTP server that answers with the request it was sent, as JMeter's
HTTP Mirror Server does. Headers of a request change its answer:
	X-ResponseStatus: 201 Created     the status line
	X-SetHeaders: a: 1|b: 2           more headers
	X-SetCookie: name=value           a cookie
	X-ResponseLength: 10              cuts the body
	X-Sleep: 500                      milliseconds between headers and body
So do parameters of a GET: status=404 Not Found, redirect=/there, v (print the
request line).`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			m, err := newMirror(net.JoinHostPort(host, strconv.Itoa(int(port))), std.out)
			if err != nil {
				return err
			}
			fmt.Fprintf(std.out, "Mirror server on http://%s\n", m.listener.Addr())
			return m.serve()
		},
	}
	cmd.Flags().StringVar(&host, "host", "127.0.0.1", "address to listen on; 0.0.0.0 is reached by other machines, too")
	cmd.Flags().Uint16Var(&port, "port", 8081, "port to listen on; 0 takes any that is free")
	return cmd
}

// startMirror starts the mirror server of the property mirror.server.port, on
// all addresses as in JMeter, beside a run.
func (s *settings) startMirror(std stdio) (stop func()) {
	port := s.props.Int("mirror.server.port", 0)
	if port <= 0 {
		return func() {}
	}
	m, err := newMirror(fmt.Sprintf(":%d", port), std.out)
	if err != nil {
		fmt.Fprintln(std.err, "Warning: mirror.server.port: "+err.Error())
		return func() {}
	}
	go m.serve() // ends with an error when it is closed
	return func() { m.listener.Close() }
}

// mirror is the equal of JMeter's HttpMirrorServer: HTTP/1.0, a connection a
// request, the request itself as text/plain.
type mirror struct {
	listener net.Listener
	out      io.Writer
	sleep    func(time.Duration)
}

func newMirror(address string, out io.Writer) (*mirror, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("the mirror server cannot listen on %s: %w", address, cause(err))
	}
	return &mirror{l, out, time.Sleep}, nil
}

// cause is the reason in a network error, without its addresses.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}

// serve answers requests until the listener is closed.
func (m *mirror) serve() error {
	for {
		conn, err := m.listener.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			_ = m.answer(conn) // a client that went away is none of our business
		}()
	}
}

// most is how large the head of a request may be.
const most = 1 << 20

// answer mirrors one request. The headers go out before the pause of X-Sleep.
func (m *mirror) answer(conn io.ReadWriter) error {
	in := bufio.NewReader(conn)
	head, err := readHead(in)
	if err != nil {
		return err
	}
	request, _, _ := strings.Cut(string(head), "\r\n")
	header := textproto.NewReader(bufio.NewReader(bytes.NewReader(head[len(request)+2:])))
	fields, _ := header.ReadMIMEHeader() // what cannot be read is not heeded
	get := fields.Get
	query := parameters(request)

	if _, ok := query["v"]; ok {
		fmt.Fprintln(m.out, request)
	}
	status := cmp.Or(get("X-ResponseStatus"), "200 OK")
	location, redirect := query["redirect"]
	if redirect {
		status = "302 Temporary Redirect"
	}
	if v, ok := query["status"]; ok {
		status = v
	}
	var b bytes.Buffer
	line := func(text ...string) { b.WriteString(strings.Join(text, "") + "\r\n") }
	line("HTTP/1.0 ", status)
	line("Content-Type: text/plain")
	if redirect {
		line("Location: ", location)
	}
	if more := get("X-SetHeaders"); more != "" {
		for h := range strings.SplitSeq(more, "|") {
			line(h)
		}
	}
	if cookie := get("X-SetCookie"); cookie != "" {
		line("Set-Cookie: ", cookie)
	}
	line()
	if _, err := conn.Write(b.Bytes()); err != nil {
		return err
	}
	if ms, err := strconv.Atoi(get("X-Sleep")); err == nil {
		m.sleep(time.Duration(ms) * time.Millisecond)
	}
	out := bufio.NewWriter(conn)
	body := limit(out, get("X-ResponseLength"))
	if _, err := body.Write(head); err != nil {
		return err
	}
	if err := copyBody(body, in, get("Content-Length"), get("Transfer-Encoding")); err != nil {
		return err
	}
	return out.Flush()
}

// readHead reads up to and with the empty line.
func readHead(in *bufio.Reader) ([]byte, error) {
	var head []byte
	for len(head) < most {
		line, err := in.ReadSlice('\n')
		head = append(head, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, err
		case string(line) == "\r\n" && len(head) > 2:
			return head, nil
		}
	}
	return nil, errors.New("the head of the request is too large")
}

// copyBody copies the body of a request as it is on the wire.
func copyBody(w io.Writer, in *bufio.Reader, length, coding string) error {
	if n, err := strconv.ParseInt(length, 10, 64); err == nil {
		_, err := io.CopyN(w, in, n)
		return err
	}
	if strings.EqualFold(coding, "chunked") {
		// the decoder knows where the body ends; what it reads is what is sent back
		raw := bufio.NewReader(io.TeeReader(oneByte{in}, w))
		if _, err := io.Copy(io.Discard, httputil.NewChunkedReader(raw)); err != nil {
			return err
		}
		for { // trailers
			line, err := raw.ReadString('\n')
			if err != nil || strings.TrimRight(line, "\r\n") == "" {
				return err
			}
		}
	}
	return nil
}

// oneByte reads no further than it is asked for byte by byte, so that nothing
// is waited for beyond the end of a body.
type oneByte struct{ r *bufio.Reader }

func (o oneByte) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	c, err := o.r.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = c
	return 1, nil
}

// parameters are those of a GET request. The query is decoded before it is
// split, as in JMeter.
func parameters(request string) map[string]string {
	params := map[string]string{}
	words := strings.Fields(request)
	if len(words) < 2 || words[0] != "GET" {
		return params
	}
	_, query, ok := strings.Cut(words[1], "?")
	if !ok {
		return params
	}
	if plain, err := url.PathUnescape(query); err == nil {
		query = plain
	}
	for p := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(p, "=")
		params[name] = value
	}
	return params
}

// limit is w for no more than length bytes; what is beyond is dropped.
func limit(w io.Writer, length string) io.Writer {
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 {
		return w
	}
	return &limited{w, n}
}

type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}
