package wire

import (
	"io"
	"strconv"
	"sync"

	"golang.org/x/net/http2/hpack"
)

// What a mux lets the server send ahead: for one stream, and for all of them.
// It bounds the memory of the streams that wait for their goroutine, not what
// is read by the one that reads.
const (
	streamWindow = 4 << 20
	connWindow   = 16 << 20
)

// mux is a connection that speaks HTTP/2. The clients of one user that download
// at once share it, each with a stream of its own.
//
// It has no goroutine. Whoever waits for something reads, for itself and for
// the others, who sleep meanwhile; when it has what it wanted, the next one
// takes its place. Between requests nobody reads: what the server says then is
// heard at the next use, as with HTTP/1.1.
type mux struct {
	cn *conn

	mu      sync.Mutex // of all that follows; not held while waiting for input
	turn    sync.Cond  // a stream has news, or nobody reads
	reader  *stream    // who reads; it alone touches cn.b and frame
	streams []*stream
	open    int    // streams that the server knows
	last    uint32 // the latest stream
	away    bool   // for no more streams
	err     error  // why it is broken

	// Sending.
	buf         *block // borrowed when something is to be sent
	n           int
	enc         *hpack.Encoder
	fields      fieldBlock
	known       []hpack.HeaderField // what fields encodes, where it is the same each time
	window      int64               // what the server lets us send
	firstWindow int64               // the same for a new stream
	maxStreams  int

	// Receiving.
	dec       *hpack.Decoder
	frame     frame
	head      headBlock
	greeted   bool // the server's first frame is there
	room      int64
	consumed  int64 // not yet told to the server
	maxHead   int64
	scratch   [frameHeader]byte
	scratched int
}

// newMux begins HTTP/2 on cn (RFC 9113, section 3.4). What it says goes out
// with the first request.
func newMux(cn *conn, maxHead int64) *mux {
	m := &mux{cn: cn, window: initialWindow, firstWindow: initialWindow, maxStreams: 1 << 30, room: connWindow, maxHead: maxHead}
	m.turn.L = &m.mu
	m.enc = hpack.NewEncoder(&m.fields)
	m.dec = hpack.NewDecoder(headerTable, m.emit)
	m.dec.SetMaxStringLength(int(maxHead))
	m.append(prefaceAndSettings)
	return m
}

// join adds s, unless m takes no more streams.
func (m *mux) join(s *stream, now int64, after int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.streams) == 0 && !m.away {
		idle := now - m.cn.used
		if now >= m.cn.expires || after > 0 && idle >= after && !m.alive() {
			m.away = true
			m.cn.close()
		}
	}
	if m.away {
		return false
	}
	s.m = m
	m.streams = append(m.streams, s)
	return true
}

// alive hears what the server has said while nobody listened, and says whether
// the connection can still be used.
func (m *mux) alive() bool {
	if m.cn.raw != nil && len(m.cn.b) == 0 && !rawStale(m.cn.raw) {
		return true
	}
	// Nobody could interrupt a pause here.
	rate := m.cn.rate
	m.cn.rate = 0
	defer func() { m.cn.rate = rate }()
	m.frame.poll = true
	for m.frame.poll && !m.away {
		m.step(nil)
	}
	m.frame.poll = false
	return !m.away
}

// leave ends s, whose exchange is over for good or bad, and returns how much of
// a body came. stay bounds how long the connection may be kept, 0 is no bound;
// last lets it take no more streams.
func (m *mux) leave(s *stream, stay int64, last bool) (got int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = m.away || last
	if s.id != 0 {
		m.open--
		if !(s.ended && s.sent) && !s.reset {
			m.appendReset(s.id, codeCancel)
		}
		m.credit(nil, int64(len(s.ahead)))
	}
	for i := range m.streams {
		if m.streams[i] == s {
			last := len(m.streams) - 1
			m.streams[i], m.streams[last] = m.streams[last], nil
			m.streams = m.streams[:last]
			break
		}
	}
	if m.reader == s {
		m.reader = nil
	}
	if m.err == nil && m.n > 0 {
		m.flush()
	}
	if len(m.streams) > 0 {
		m.turn.Broadcast()
	} else {
		m.idle(stay)
	}
	return s.got
}

// idle gives back what only a connection in use needs, and closes one that is
// done.
func (m *mux) idle(stay int64) {
	if m.away {
		m.dropBuffer()
		m.cn.close()
		return
	}
	if len(m.cn.b) == 0 {
		m.cn.release()
		m.cn.shrink()
	}
	m.cn.used = Now()
	m.cn.expires = m.cn.dies
	if stay > 0 {
		m.cn.expires = min(m.cn.dies, m.cn.used+stay)
	}
}

// retire lets m take no more streams and closes it after the last one.
func (m *mux) retire() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = true
	if len(m.streams) == 0 {
		m.dropBuffer()
		m.cn.close()
	}
}

func (m *mux) dropBuffer() {
	if m.buf != nil {
		blocks.Put(m.buf)
		m.buf, m.n = nil, 0
	}
}

// until waits for s to have what it wants, and returns why it cannot have it.
// What had arrived before an error is handed out before it.
func (m *mux) until(s *stream, w want) error {
	s.wants = w
	s.touch()
	var err error
	for !s.ready() {
		if err = s.err; err != nil {
			break
		}
		// Whoever waits for another stream to leave must not be stuck in a read
		// when it does.
		if m.reader != nil && m.reader != s || w == wantOpen && m.open > 0 {
			m.turn.Wait()
			continue
		}
		m.reader = s
		m.step(s)
		if len(m.streams) > 1 {
			m.turn.Broadcast()
		}
	}
	s.wants = 0
	// With a piece in hand, which lies in the input, nobody else may read.
	if s.piece == nil && m.reader == s {
		m.reader = nil
		if len(m.streams) > 1 {
			m.turn.Broadcast()
		}
	}
	return err
}

// fill waits for input, without the lock.
func (m *mux) fill() error {
	if m.n > 0 {
		if err := m.flush(); err != nil {
			return err
		}
	}
	wait, expired := m.patience()
	if expired {
		return errExpired
	}
	m.cn.timeout = wait
	m.mu.Unlock()
	err := m.cn.fill()
	m.mu.Lock()
	if e, ok := err.(*Error); ok && e.Class == classTimeout {
		m.frame.poll = false
		m.patience()
		return errExpired
	}
	return err
}

// fail ends all streams: the connection is of no use any more.
func (m *mux) fail(err error) {
	if m.err == nil {
		m.err = err
	}
	m.away = true
	for _, s := range m.streams {
		if s.err == nil {
			s.err = s.broken(err)
		}
	}
	m.turn.Broadcast()
}

// violation is an error of the server's that ends the connection.
func (m *mux) violation(code uint32, message string) error {
	m.appendGoAway(code)
	m.flush()
	return &Error{Class: classHTTP2, Message: message}
}

// fieldBlock collects an encoded header list.
type fieldBlock []byte

func (b *fieldBlock) Write(p []byte) (int, error) {
	*b = append(*b, p...)
	return len(p), nil
}

// share finds the HTTP/2 and HTTP/3 connections that the clients of one user have
// in common.
type share struct {
	quic quicShare

	mu      sync.Mutex
	dialed  sync.Cond
	all     []*mux
	dialing []key
	plain   []key // where the server chose HTTP/1.1
}

func newShare() *share {
	h := new(share)
	h.dialed.L = &h.mu
	return h
}

// take joins s to a connection for req. Where there is none, one of those who
// ask at the same time is told to dial and the others wait for it to call
// settle. Neither means HTTP/1.1.
func (h *share) take(req *Request, s *stream, now, after int64) (joined, dial bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		kept := h.all[:0]
		for _, m := range h.all {
			if !joined && m.cn.key.matches(req) {
				joined = m.join(s, now, after)
				if !joined {
					continue
				}
			}
			kept = append(kept, m)
		}
		clear(h.all[len(kept):])
		h.all = kept
		switch {
		case joined, holds(h.plain, req):
			return joined, false
		case !holds(h.dialing, req):
			h.dialing = append(h.dialing, keyOf(req))
			return false, true
		}
		h.dialed.Wait()
		now = Now()
	}
}

func holds(keys []key, req *Request) bool {
	for i := range keys {
		if keys[i].matches(req) {
			return true
		}
	}
	return false
}

// settle says what came of dialing for req: an HTTP/2 connection, an HTTP/1.1
// one, or none. s joins the first of these.
func (h *share) settle(req *Request, s *stream, m *mux, plain bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.dialing {
		if h.dialing[i].matches(req) {
			h.dialing = append(h.dialing[:i], h.dialing[i+1:]...)
			break
		}
	}
	switch {
	case m != nil:
		m.cn.used, m.cn.expires = Now(), m.cn.dies
		m.join(s, m.cn.used, 0)
		h.all = append(h.all, m)
	case plain && !holds(h.plain, req):
		h.plain = append(h.plain, keyOf(req))
	}
	h.dialed.Broadcast()
}

// reset closes all connections.
func (h *share) reset() {
	h.quic.reset()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, m := range h.all {
		m.retire()
	}
	h.all, h.plain = nil, nil
}

// http2 sends req by HTTP/2 if that is how the server is spoken to. When it is
// not, cn is the connection for HTTP/1.1, if one had to be made to find out.
func (c *Client) http2(req *Request, res *Response, sink io.Writer) (done bool, cn *conn, err error) {
	s := &c.stream
	joined, dial := c.share.take(req, s, res.Start, int64(c.options.ValidateAfter))
	switch {
	case joined:
		res.Reused = true
	case dial:
		var m *mux
		func() {
			defer func() { c.share.settle(req, s, m, cn != nil) }() // come what may: others wait
			if cn, err = c.connect(req, res, sink); cn != nil && cn.http2 {
				m, cn = newMux(cn, c.maxHead()), nil
			}
		}()
		if m == nil {
			return cn == nil, cn, err
		}
		if s.m == nil { // its time to live is over already
			return true, nil, unprocessed("The connection is closed")
		}
	default:
		return false, nil, nil
	}
	return true, nil, c.converse(s, req, res, sink)
}

// converse is exchange for HTTP/2.
func (c *Client) converse(s *stream, req *Request, res *Response, sink io.Writer) error {
	m := s.m
	res.Version = 2
	s.begin(req, res, c.maxHead())
	defer func() {
		interrupted := !c.flight.detach()
		stay := res.h.keepAlive
		if stay <= 0 {
			stay = c.options.IdleTimeout
		}
		res.BytesReceived = res.HeaderSize + m.leave(s, int64(stay), interrupted || !req.KeepAlive)
		s.end()
	}()
	if !c.flight.attach(m.cn.socket()) {
		return socketClosed(nil)
	}
	if err := s.send(c.fields(req)); err != nil {
		return err
	}
	if err := s.await(wantHead); err != nil {
		return err
	}
	res.HasBody = canHaveBody(req.Method, res.Status)
	if !res.HasBody {
		return nil
	}
	return c.read(s, s.empty(), req, res, sink)
}

// unprocessed is a request of which the server has done nothing, so that it can
// be sent again whatever it asks for (RFC 9113, section 8.7).
func unprocessed(message string) *Error {
	return &Error{Class: classStreamReset, Message: message, again: true}
}

func streamReset(code uint32) *Error {
	e := &Error{Class: classStreamReset, Message: "Stream reset (" + strconv.FormatUint(uint64(code), 10) + ")"}
	e.again = code == codeRefused
	return e
}
