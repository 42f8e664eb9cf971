package wire

import (
	"encoding/binary"
	"errors"
	"strconv"
	"time"

	"golang.org/x/net/http2/hpack"
)

// The numbers of RFC 9113 that a client needs.
const (
	frameHeader   = 9
	maxFrame      = 16384 // what may be sent unless the other side allows more
	initialWindow = 65535
	headerTable   = 4096
	maxStream     = 1<<31 - 1

	frameData         = 0
	frameHeaders      = 1
	framePriority     = 2
	frameReset        = 3
	frameSettings     = 4
	framePushPromise  = 5
	framePing         = 6
	frameGoAway       = 7
	frameWindow       = 8
	frameContinuation = 9

	flagAck        = 1
	flagEndStream  = 1
	flagEndHeaders = 4
	flagPadded     = 8
	flagPriority   = 0x20

	settingTable      = 1
	settingPush       = 2
	settingMaxStreams = 3
	settingWindow     = 4
	settingMaxFrame   = 5

	codeNone        = 0
	codeProtocol    = 1
	codeFlow        = 3
	codeFrameSize   = 6
	codeRefused     = 7
	codeCancel      = 8
	codeCompression = 9
)

// The classes of Apache HttpCore 5, which JMeter has aboard, for what HttpClient
// 4 knows nothing of.
const (
	classHTTP2       = "org.apache.hc.core5.http2.H2ConnectionException"
	classStreamReset = "org.apache.hc.core5.http2.H2StreamResetException"
)

// prefaceAndSettings is how a client begins: no server push, larger windows.
var prefaceAndSettings = func() []byte {
	b := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	b = appendFrame(b, 12, frameSettings, 0, 0)
	b = appendSetting(b, settingPush, 0)
	b = appendSetting(b, settingWindow, streamWindow)
	b = appendFrame(b, 4, frameWindow, 0, 0)
	return binary.BigEndian.AppendUint32(b, connWindow-initialWindow)
}()

func appendFrame(b []byte, length int, kind, flags byte, id uint32) []byte {
	b = append(b, byte(length>>16), byte(length>>8), byte(length), kind, flags)
	return binary.BigEndian.AppendUint32(b, id)
}

func appendSetting(b []byte, name uint16, value uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint16(b, name), value)
}

// append puts p, which is shorter than a block, into what is sent next. An error
// of the connection is found by those who wait for it.
func (m *mux) append(p []byte) {
	if m.n+len(p) > len(block{}) {
		m.flush()
	}
	if m.err != nil {
		return
	}
	if m.buf == nil {
		m.buf = blocks.Get().(*block)
	}
	m.n += copy(m.buf[m.n:], p)
}

func (m *mux) appendHeader(length int, kind, flags byte, id uint32) {
	var b [frameHeader]byte
	m.append(appendFrame(b[:0], length, kind, flags, id))
}

func (m *mux) appendNumber(n uint32) {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	m.append(b[:])
}

func (m *mux) appendReset(id, code uint32) {
	m.appendHeader(4, frameReset, 0, id)
	m.appendNumber(code)
}

func (m *mux) appendGoAway(code uint32) {
	m.appendHeader(8, frameGoAway, 0, 0)
	m.appendNumber(0) // there were no streams of the server
	m.appendNumber(code)
}

func (m *mux) appendWindow(id uint32, n int64) {
	m.appendHeader(4, frameWindow, 0, id)
	m.appendNumber(uint32(n))
}

// flush sends what was appended. The lock is held, so that frames do not mix;
// an interrupt ends it by closing the socket.
func (m *mux) flush() error {
	if m.err == nil && m.n > 0 {
		if _, err := m.cn.write(m.buf[:m.n]); err != nil {
			m.fail(writeError(err))
		}
	}
	m.dropBuffer()
	return m.err
}

// credit lets the server send n bytes more, of s and of all streams. The server
// is told when half of a window is used up.
func (m *mux) credit(s *stream, n int64) {
	if m.consumed += n; m.consumed >= connWindow/2 {
		m.appendWindow(0, m.consumed)
		m.room += m.consumed
		m.consumed = 0
	}
	if s == nil || s.ended {
		return
	}
	if s.consumed += n; s.consumed >= streamWindow/2 {
		m.appendWindow(s.id, s.consumed)
		s.room += s.consumed
		s.consumed = 0
	}
}

// frame is the frame being read.
type frame struct {
	begun    bool
	prefixed bool // pad length and priority are read
	poll     bool // nobody waits for it: stop when there is no more input
	kind     byte
	flags    byte
	id       uint32
	left     int // of the payload, without padding
	pad      int
}

func (f *frame) has(flag byte) bool { return f.flags&flag != 0 }

// prefix is the length of what precedes the content.
func (f *frame) prefix() (n int) {
	if f.kind != frameData && f.kind != frameHeaders {
		return 0
	}
	if f.has(flagPadded) {
		n = 1
	}
	if f.kind == frameHeaders && f.has(flagPriority) {
		n += 5
	}
	return n
}

// headBlock is the header block being read, which may go over several frames.
type headBlock struct {
	id   uint32 // 0: none
	end  bool   // no body follows
	size int64
	err  error // of its stream
}

// errExpired says that some stream's time was up, or that polling found nothing.
var errExpired = errors.New("wire: no input in time")

// patience is how long to wait for input, 0 for ever. It ends the streams that
// have waited too long.
func (m *mux) patience() (wait time.Duration, expired bool) {
	if m.frame.poll {
		return time.Millisecond, false
	}
	next := int64(0)
	now := int64(0)
	for _, s := range m.streams {
		if s.wants == 0 || s.until == 0 || s.err != nil {
			continue
		}
		if now == 0 {
			now = Now()
		}
		if s.until <= now {
			expired = true
			m.expire(s)
		} else if next == 0 || s.until < next {
			next = s.until
		}
	}
	if next == 0 {
		return 0, expired
	}
	return time.Duration(next - now), expired
}

// expire ends the wait of s. As with HTTP/1.1 a connection with a timeout is
// not used again, but other streams may finish.
func (m *mux) expire(s *stream) {
	s.until = 0
	if s.wants == wantContinue {
		s.continued = true // send the body unasked
		return
	}
	s.err = &Error{Class: classTimeout, Message: "Read timed out"}
	m.away = true
	m.turn.Broadcast()
}

// step reads on: one bite of input for me, or for whom it concerns. Errors end
// up in the streams.
func (m *mux) step(me *stream) {
	var err error
	if m.frame.begun {
		err = m.bite(me)
	} else {
		err = m.begin()
	}
	if err == nil && m.frame.begun && m.frame.left == 0 && m.frame.pad == 0 {
		err = m.finish()
	}
	if err != nil && err != errExpired {
		m.fail(err)
	}
}

// some returns the next bytes of input, n at most, valid until the next call.
func (m *mux) some(n int) ([]byte, error) {
	if len(m.cn.b) == 0 {
		if err := m.fill(); err != nil {
			return nil, err
		}
	}
	n = min(n, len(m.cn.b))
	p := m.cn.b[:n]
	m.cn.b = m.cn.b[n:]
	return p, nil
}

// full returns the next n bytes of input, as many as a frame header at most.
// After an error it can be called again for the same.
func (m *mux) full(n int) ([]byte, error) {
	for m.scratched < n {
		p, err := m.some(n - m.scratched)
		if err != nil {
			return nil, err
		}
		m.scratched += copy(m.scratch[m.scratched:], p)
	}
	m.scratched = 0
	return m.scratch[:n], nil
}

// field is full for the payload.
func (m *mux) field(n int) ([]byte, error) {
	if m.frame.left < n {
		return nil, m.violation(codeFrameSize, "Invalid frame size")
	}
	b, err := m.full(n)
	if err == nil {
		m.frame.left -= n
	}
	return b, err
}

// begin reads a frame header (RFC 9113, section 4.1).
func (m *mux) begin() error {
	b, err := m.full(frameHeader)
	if err != nil {
		return err
	}
	poll := m.frame.poll
	m.frame = frame{begun: true, poll: poll, kind: b[3], flags: b[4], left: int(b[0])<<16 | int(b[1])<<8 | int(b[2]),
		id: binary.BigEndian.Uint32(b[5:]) & maxStream}
	f := &m.frame
	if !m.greeted {
		if string(b[:5]) == "HTTP/" {
			return &Error{Class: classHTTP2, Message: "The server answers by HTTP/1.1"}
		}
		if f.kind != frameSettings || f.has(flagAck) {
			return m.violation(codeProtocol, "Expected SETTINGS frame")
		}
		m.greeted = true
	}
	if err := m.allowed(f); err != nil {
		return err
	}
	return m.opened(f)
}

// allowed finds frames that may not come, or not now.
func (m *mux) allowed(f *frame) error {
	if f.left > maxFrame {
		return m.violation(codeFrameSize, "Frame size exceeds maximum")
	}
	if m.head.id != 0 && (f.kind != frameContinuation || f.id != m.head.id) {
		return m.violation(codeProtocol, "CONTINUATION frame expected")
	}
	if f.left < f.prefix() {
		return m.violation(codeFrameSize, "Invalid frame size")
	}
	ofStream := f.kind == frameData || f.kind == frameHeaders || f.kind == framePriority || f.kind == frameReset || f.kind == frameContinuation
	ofAll := f.kind == frameSettings || f.kind == framePing || f.kind == frameGoAway
	if ofStream && (f.id == 0 || f.id > m.last || f.id&1 == 0) || ofAll && f.id != 0 {
		return m.violation(codeProtocol, "Illegal stream id")
	}
	return nil
}

// opened is what a frame means before its payload is read.
func (m *mux) opened(f *frame) error {
	switch f.kind {
	case frameData:
		m.room -= int64(f.left)
		s := m.find(f.id)
		if s != nil {
			s.room -= int64(f.left)
		}
		if m.room < 0 || s != nil && s.room < 0 {
			return m.violation(codeFlow, "Flow control window exceeded")
		}
	case frameHeaders:
		m.head = headBlock{id: f.id, end: f.has(flagEndStream)}
		m.openHead(m.find(f.id))
	case frameContinuation:
		if m.head.id == 0 {
			return m.violation(codeProtocol, "Unexpected CONTINUATION frame")
		}
		// Empty ones cost the sender next to nothing.
		if m.head.size += frameHeader; m.head.size > m.maxHead {
			return m.tooLong()
		}
	case framePushPromise:
		return m.violation(codeProtocol, "Push is disabled")
	case frameSettings:
		if f.left%6 != 0 || f.has(flagAck) && f.left > 0 {
			return m.violation(codeFrameSize, "Invalid SETTINGS frame")
		}
	case framePing:
		if f.left != 8 {
			return m.violation(codeFrameSize, "Invalid PING frame")
		}
	case frameReset, frameWindow:
		if f.left != 4 {
			return m.violation(codeFrameSize, "Invalid frame size")
		}
	case frameGoAway:
		if f.left < 8 {
			return m.violation(codeFrameSize, "Invalid GOAWAY frame")
		}
	}
	return nil
}

// bite reads a piece of a frame's payload.
func (m *mux) bite(me *stream) error {
	f := &m.frame
	if !f.prefixed {
		return m.prefix()
	}
	if f.left == 0 {
		p, err := m.some(f.pad)
		f.pad -= len(p)
		return err
	}
	switch f.kind {
	case frameData:
		p, err := m.some(f.left)
		if err != nil {
			return err
		}
		f.left -= len(p)
		return m.data(p, me)
	case frameHeaders, frameContinuation:
		p, err := m.some(f.left)
		if err != nil {
			return err
		}
		f.left -= len(p)
		return m.headPiece(p)
	case frameReset:
		b, err := m.field(4)
		if err != nil {
			return err
		}
		if s := m.find(f.id); s != nil {
			s.resetBy(binary.BigEndian.Uint32(b))
		}
	case frameSettings:
		b, err := m.field(6)
		if err != nil {
			return err
		}
		return m.setting(binary.BigEndian.Uint16(b), binary.BigEndian.Uint32(b[2:]))
	case framePing:
		b, err := m.field(8)
		if err != nil {
			return err
		}
		if !f.has(flagAck) {
			m.appendHeader(8, framePing, flagAck, 0)
			m.append(b)
		}
	case frameGoAway:
		if m.away && f.flags == goneFlag {
			return m.skip()
		}
		b, err := m.field(8)
		if err != nil {
			return err
		}
		f.flags = goneFlag // what is left is for people to read
		m.goAway(binary.BigEndian.Uint32(b)&maxStream, binary.BigEndian.Uint32(b[4:]))
	case frameWindow:
		b, err := m.field(4)
		if err != nil {
			return err
		}
		return m.widen(f.id, int64(binary.BigEndian.Uint32(b)&maxStream))
	default:
		return m.skip()
	}
	return nil
}

// goneFlag marks a GOAWAY frame, which has no flags, whose numbers are read.
const goneFlag = 0xff

func (m *mux) skip() error {
	p, err := m.some(m.frame.left)
	m.frame.left -= len(p)
	return err
}

// prefix reads what precedes the content of DATA and HEADERS.
func (m *mux) prefix() error {
	f := &m.frame
	if n := f.prefix(); n > 0 {
		b, err := m.field(n)
		if err != nil {
			return err
		}
		if f.has(flagPadded) {
			f.pad = int(b[0])
		}
		if f.pad > f.left {
			return m.violation(codeProtocol, "Padding exceeds the frame")
		}
		f.left -= f.pad
		if f.kind == frameData {
			m.credit(m.find(f.id), int64(n+f.pad))
		}
	}
	f.prefixed = true
	return nil
}

// finish ends a frame whose payload is read.
func (m *mux) finish() error {
	f := &m.frame
	f.begun = false
	switch {
	case f.kind == frameData && f.has(flagEndStream):
		if s := m.find(f.id); s != nil {
			if !s.final {
				return m.violation(codeProtocol, "DATA frame before HEADERS")
			}
			s.ended = true
		}
	case (f.kind == frameHeaders || f.kind == frameContinuation) && f.has(flagEndHeaders):
		return m.closeHead()
	case f.kind == frameSettings && !f.has(flagAck):
		m.appendHeader(0, frameSettings, flagAck, 0)
	}
	return nil
}

func (m *mux) find(id uint32) *stream {
	for _, s := range m.streams {
		if s.id == id && id != 0 {
			return s
		}
	}
	return nil
}

// data hands a piece of a body to its stream: as it lies in the input when the
// reader itself waits for it, in a copy otherwise.
func (m *mux) data(p []byte, me *stream) error {
	s := m.find(m.frame.id)
	if s == nil || s.err != nil {
		m.credit(nil, int64(len(p)))
		return nil
	}
	if !s.final {
		return m.violation(codeProtocol, "DATA frame before HEADERS")
	}
	if s.ended {
		return m.violation(codeProtocol, "DATA frame on a closed stream")
	}
	s.touch()
	s.got += int64(len(p))
	if s == me && s.wants == wantBody && len(s.ahead) == 0 {
		s.piece = p
		m.credit(s, int64(len(p)))
	} else {
		s.ahead = append(s.ahead, p...)
	}
	return nil
}

func (m *mux) setting(name uint16, value uint32) error {
	switch name {
	case settingTable:
		m.enc.SetMaxDynamicTableSizeLimit(min(value, headerTable))
		m.known = m.known[:0] // the next block says so
	case settingMaxStreams:
		m.maxStreams = int(min(value, 1<<30))
	case settingWindow:
		if value > maxStream {
			return m.violation(codeFlow, "Initial window size out of range")
		}
		more := int64(value) - m.firstWindow
		m.firstWindow = int64(value)
		for _, s := range m.streams {
			if s.window += more; s.window > maxStream {
				return m.violation(codeFlow, "Flow control window exceeded")
			}
		}
	case settingMaxFrame: // we never send more than anybody takes
		if value < maxFrame || value >= 1<<24 {
			return m.violation(codeProtocol, "Invalid MAX_FRAME_SIZE")
		}
	}
	return nil
}

func (m *mux) widen(id uint32, n int64) error {
	if id == 0 {
		if m.window += n; n == 0 || m.window > maxStream {
			return m.violation(codeFlow, "Invalid WINDOW_UPDATE")
		}
		return nil
	}
	if id > m.last {
		return m.violation(codeProtocol, "Illegal stream id")
	}
	s := m.find(id)
	if s == nil {
		return nil
	}
	if s.window += n; n == 0 || s.window > maxStream {
		m.appendReset(id, codeFlow)
		s.reset = true
		s.fail(&Error{Class: classStreamReset, Message: "Invalid WINDOW_UPDATE"})
	}
	return nil
}

// goAway follows RFC 9113, section 6.8: streams above the last one were not
// looked at.
func (m *mux) goAway(last, code uint32) {
	m.away = true
	for _, s := range m.streams {
		if s.id == 0 || s.id > last {
			s.reset = s.id != 0
			s.fail(unprocessed("The server goes away (" + strconv.FormatUint(uint64(code), 10) + ")"))
		}
	}
}

// emit takes in a header of the block being read.
func (m *mux) emit(f hpack.HeaderField) {
	m.head.size += int64(len(f.Name) + len(f.Value) + 4)
	if s := m.find(m.head.id); s != nil && s.err == nil && m.head.err == nil {
		m.head.err = s.header(f.Name, f.Value)
	}
}

// headPiece reads on in a header block, whatever stream it is for: later ones
// refer to it.
func (m *mux) headPiece(p []byte) error {
	if _, err := m.dec.Write(p); err != nil {
		if errors.Is(err, hpack.ErrStringLength) {
			return m.tooLong()
		}
		return m.violation(codeCompression, "Header compression error")
	}
	if m.head.size > m.maxHead {
		return m.tooLong()
	}
	return nil
}

func (m *mux) tooLong() error {
	m.violation(codeProtocol, "")
	return &Error{Class: classConstraint, Message: "Maximum line length limit exceeded"}
}

func (m *mux) closeHead() error {
	h := m.head
	m.head = headBlock{}
	if m.dec.Close() != nil {
		return m.violation(codeCompression, "Header compression error")
	}
	s := m.find(h.id)
	if s == nil || s.err != nil {
		return nil
	}
	s.touch()
	if h.err == nil {
		h.err = s.closeHead(h.end)
	}
	if h.err != nil {
		m.appendReset(h.id, codeProtocol)
		s.reset = true
		s.fail(h.err)
	}
	return nil
}

// openHead readies s for a header block: the head, or trailers.
func (m *mux) openHead(s *stream) {
	if s != nil && s.err == nil && !s.final {
		s.res.head = s.res.head[:0]
		s.res.Status, s.res.status, s.res.reason, s.res.h = 0, 0, 0, headerFacts{}
	}
}
