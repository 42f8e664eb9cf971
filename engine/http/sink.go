package http

import (
	"crypto/md5"
	"encoding/hex"
	"hash"
	"io"
	"sync"

	"github.com/gojm/gojm/jtl"
)

// sink is where a body goes: into the result, into a hash, or nowhere but for
// its start where JMeter looks for a charset.
type sink struct {
	w    *worker
	hash hash.Hash
	mode sinkMode

	limit int // of what is stored, 0 for none
}

type sinkMode uint8

const (
	sinkCount sinkMode = iota
	sinkKeep
	sinkHash
)

func (s *sink) open(w *worker, r *jtl.Sample, keep, md5sum bool, limit int) {
	s.w, s.limit = w, limit
	switch {
	case md5sum:
		s.mode, s.hash = sinkHash, md5.New()
	case keep:
		s.mode = sinkKeep
		w.keep.B, w.keep.Max = r.Body[:0], limit
	}
}

// writer is where the client writes. A body nobody reads is still looked into
// when it is a page without a charset.
func (s *sink) writer() io.Writer {
	switch s.mode {
	case sinkHash:
		s.hash.Reset()
		return s.hash
	case sinkKeep:
		s.w.keep.Reset()
		return &s.w.keep
	}
	s.w.peek.begin(s.w)
	return &s.w.peek
}

// start is what is known of the beginning of the body.
func (s *sink) start() []byte {
	switch s.mode {
	case sinkKeep:
		return s.w.keep.B
	case sinkCount:
		return s.w.peek.page
	}
	return nil
}

func (s *sink) close(r *jtl.Sample, some bool) {
	r.Body = r.Body[:0]
	switch s.mode {
	case sinkHash:
		if some {
			r.Body = hex.AppendEncode(r.Body, s.hash.Sum(nil))
		}
	case sinkKeep:
		r.Body = s.w.keep.B
	}
}

// stored is how much of a body of n bytes JMeter stores.
func (s *sink) stored(n int64) int64 {
	switch {
	case n == 0:
	case s.mode == sinkHash:
		return md5.Size * 2
	case s.limit > 0:
		return min(n, int64(s.limit))
	}
	return n
}

// peek keeps the start of a page that names no charset in its header, in memory
// that is borrowed until the page was looked into.
type peek struct {
	w    *worker
	look look
	page []byte // in from
	from *[pageStart]byte
}

type look uint8

const (
	lookUndecided look = iota // nothing has come
	lookWanted
	lookNot
)

// pageStart is how much of a page is searched for its charset.
const pageStart = 2000

var pages = sync.Pool{New: func() any { return new([pageStart]byte) }}

func (p *peek) begin(w *worker) {
	p.end()
	p.w, p.look = w, lookUndecided
}

// end gives the memory back.
func (p *peek) end() {
	if p.from != nil {
		pages.Put(p.from)
		p.from, p.page = nil, nil
	}
}

func (p *peek) Write(b []byte) (int, error) {
	if p.look == lookUndecided {
		p.look = lookNot
		kind := p.w.res.ContentType()
		if _, charset := p.w.known.typeOf(kind); charset == "" && isHTML(kind) {
			p.look = lookWanted
			p.from = pages.Get().(*[pageStart]byte)
			p.page = p.from[:0]
		}
	}
	if p.look == lookWanted && len(p.page) < pageStart {
		p.page = append(p.page, b[:min(len(b), pageStart-len(p.page))]...)
	}
	return len(b), nil
}

func isHTML(kind []byte) bool { return string(kind[:min(len(kind), 9)]) == "text/html" }
