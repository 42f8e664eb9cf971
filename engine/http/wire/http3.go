package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/quic-go/quic-go"
	"github.com/quic-go/quic-go/http3"
	"golang.org/x/net/http2/hpack"
)

// http3 is attempt by HTTP/3.
func (c *Client) http3(req *Request, res *Response, sink io.Writer) error {
	q, err := c.share.quic.take(c, req, res)
	if err != nil {
		return err
	}
	res.Version = 3
	body := sending(req)
	ctx, cancel := context.WithCancelCause(context.Background())
	w := &patience{cancel: cancel, each: req.ResponseTimeout}
	defer func() {
		cancel(nil)
		w.stop()
		res.BytesSent += body.finish()
		stay := res.h.keepAlive
		if stay <= 0 {
			stay = c.options.IdleTimeout
		}
		c.share.quic.leave(q, int64(stay), !c.flight.detach() || !req.KeepAlive)
	}()
	if !c.flight.attach(q) {
		return socketClosed(nil)
	}
	list := c.fields(req)
	res.BytesSent = headText(list)
	hr := http3Request(req, list, body).WithContext(ctx)
	w.touch()
	if body != nil {
		body.touch = w.touch
	}
	r, err := q.http.RoundTrip(hr)
	if err != nil {
		err = quicError(ctx, err, res.Reused)
		return err
	}
	defer r.Body.Close()
	if err = res.takeHTTP3(r); err != nil {
		return err
	}
	res.BytesReceived = res.HeaderSize
	if res.HasBody = canHaveBody(req.Method, res.Status); !res.HasBody {
		return nil
	}
	b := &quicBody{ctx: ctx, body: r.Body, patience: w, buf: blocks.Get().(*block)}
	defer func() {
		blocks.Put(b.buf)
		res.BytesReceived += b.got
	}()
	err = c.read(b, res.h.length == 0, req, res, sink)
	return err
}

// http3Request is req for quic-go, which writes what is special to HTTP/3.
func http3Request(req *Request, list []hpack.HeaderField, body *quicUpload) *http.Request {
	authority := list[fieldAuthority].Value
	r := &http.Request{Method: req.Method, Host: authority, Header: make(http.Header, len(list))}
	// An opaque address goes as it is, unless it looks like one without a scheme.
	r.URL = &url.URL{Scheme: "https", Host: authority, Opaque: req.Target}
	if strings.HasPrefix(req.Target, "//") {
		r.URL.Opaque = "https://" + authority + req.Target
	}
	r.Header["user-agent"] = nil // none of quic-go's own
	for _, f := range list[pseudoFields:] {
		r.Header[f.Name] = append(r.Header[f.Name], f.Value)
	}
	if body != nil {
		r.Body, r.ContentLength = body, body.size
	}
	return r
}

// takeHTTP3 takes in the head of a response.
func (r *Response) takeHTTP3(from *http.Response) error {
	r.Status = from.StatusCode
	r.head = append(strconv.AppendInt(append(r.head[:0], "HTTP/3 "...), int64(from.StatusCode), 10), '\n')
	r.status = len(r.head)
	r.reason = r.status
	names := make([]string, 0, len(from.Header))
	for name := range from.Header {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, value := range from.Header[name] {
			r.head = append(append(r.head, strings.ToLower(name)...), ": "...)
			r.head = append(append(r.head, value...), '\n')
		}
	}
	return r.parseHeaders()
}

// quicUpload is the body of a request, which quic-go reads in a goroutine of its
// own. After finish it touches the caller's bytes no more.
type quicUpload struct {
	size int64 // -1 is unknown

	touch func() // begins the time of a wait anew; set before the first Read

	mu   sync.Mutex
	from io.Reader
	n    int64
	over bool

	pipe *io.PipeReader // of a Stream, which done tells the end of
	done chan struct{}
}

// sending is the body of req, nil for none.
func sending(req *Request) *quicUpload {
	switch {
	case req.Stream != nil:
		r, w := io.Pipe()
		u := &quicUpload{size: req.Stream.Size(), from: r, pipe: r, done: make(chan struct{})}
		go func() {
			defer close(u.done)
			_, err := req.Stream.WriteTo(w)
			w.CloseWithError(err)
		}()
		return u
	case len(req.Body) > 0:
		return &quicUpload{size: int64(len(req.Body)), from: bytes.NewReader(req.Body)}
	}
	return nil
}

func (u *quicUpload) Read(p []byte) (int, error) {
	u.touch()
	if u.pipe != nil { // it has a lock of its own
		n, err := u.from.Read(p)
		u.mu.Lock()
		u.n += int64(n)
		u.mu.Unlock()
		return n, err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		return 0, io.ErrClosedPipe
	}
	n, err := u.from.Read(p)
	u.n += int64(n)
	return n, err
}

// Close is the end of the sending.
func (u *quicUpload) Close() error {
	if u.pipe != nil {
		u.pipe.Close()
	}
	return nil
}

// finish returns how much was taken.
func (u *quicUpload) finish() int64 {
	if u == nil {
		return 0
	}
	if u.pipe != nil {
		u.pipe.Close()
		<-u.done
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.over = true
	return u.n
}

// patience ends a request when a wait takes too long.
type patience struct {
	cancel context.CancelCauseFunc
	each   time.Duration // 0 is no bound
	timer  *time.Timer
}

// touch begins the time of one wait.
func (p *patience) touch() {
	switch {
	case p.each <= 0:
	case p.timer == nil:
		p.timer = time.AfterFunc(p.each, func() { p.cancel(errExpired) })
	default:
		p.timer.Reset(p.each)
	}
}

func (p *patience) stop() {
	if p.timer != nil {
		p.timer.Stop()
	}
}

// quicBody is the body of a response.
type quicBody struct {
	ctx      context.Context
	body     io.Reader
	patience *patience
	buf      *block
	got      int64
	rest     []byte // handed out by next, not yet by Read
	err      error
}

func (b *quicBody) next() ([]byte, error) {
	if b.err != nil {
		return nil, b.err
	}
	b.patience.touch()
	n, err := b.body.Read(b.buf[:])
	b.patience.stop()
	b.got += int64(n)
	if err != nil && err != io.EOF {
		err = quicError(b.ctx, err, false)
	}
	if b.err = err; n == 0 && err != nil {
		return nil, err
	}
	return b.buf[:n], nil
}

// Read makes it an io.Reader for decoders.
func (b *quicBody) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		var err error
		if b.rest, err = b.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// quicError names what quic-go reported. reused says that the request went on a
// kept connection, of which the server may have known nothing any more.
func quicError(ctx context.Context, err error, reused bool) error {
	if context.Cause(ctx) == errExpired {
		return &Error{Class: classTimeout, Message: "Read timed out", Cause: err}
	}
	var known *Error // the choice of a certificate
	if errors.As(err, &known) {
		return known
	}
	var transport *quic.TransportError
	var idle *quic.IdleTimeoutError
	var unknown *quic.StatelessResetError
	var fault *http3.Error
	switch {
	case errors.As(err, &transport) && transport.ErrorCode.IsCryptoError():
		if alert := uint8(transport.ErrorCode); transport.Remote {
			return alertError(alert, err)
		}
		if why, ok := unread(transport.Error()); ok {
			return &Error{Class: classHandshake, Message: why, Cause: err}
		}
		return &Error{Class: classHandshake, Message: transport.Error(), Cause: err}
	case errors.As(err, &idle):
		return &Error{Class: classTimeout, Message: "Read timed out", Cause: err}
	case errors.As(err, &unknown), errors.Is(err, syscall.ECONNREFUSED): // the server is not the one that we knew, or gone
		return &Error{Class: classSocket, Message: "Connection reset", Cause: err, again: reused}
	case errors.As(err, &fault):
		var whole *quic.ApplicationError
		switch {
		case fault.ErrorCode == http3.ErrCodeRequestRejected, errors.As(err, &whole) && reused && fault.ErrorCode == http3.ErrCodeNoError:
			return &Error{Class: classStreamReset, Message: fault.Error(), Cause: err, again: true}
		case !fault.Remote && fault.ErrorCode == http3.ErrCodeNoError:
			return socketClosed(err) // an interrupt closed it
		}
		return &Error{Class: classStreamReset, Message: fault.Error(), Cause: err}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Error{Class: classClosed, Message: "Premature end of HTTP/3 stream", Cause: err}
	}
	return malformed(strings.TrimPrefix(err.Error(), "http3: "), err)
}
