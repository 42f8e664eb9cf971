package http

import (
	"crypto/md5"
	"encoding/hex"
	"hash"
	"io"

	"github.com/gojm/gojm/jtl"
)

// sink is where a body goes: into the result, into a hash, or nowhere but for
// its start where JMeter looks for a charset.
type sink struct {
	w    *worker
	hash hash.Hash
	mode sinkMode
}

type sinkMode uint8

const (
	sinkCount sinkMode = iota
	sinkKeep
	sinkHash
)

func (s *sink) open(w *worker, r *jtl.Sample, keep, md5sum bool, limit int) {
	s.w = w
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
	s.w.peek.w, s.w.peek.page = s.w, s.w.peek.page[:0]
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

// peek keeps the start of a page that names no charset in its header.
type peek struct {
	w    *worker
	page []byte
}

// pageStart is how much of a page is searched for its charset.
const pageStart = 2000

func (p *peek) Write(b []byte) (int, error) {
	if len(p.page) < pageStart {
		kind := p.w.header("Content-Type")
		if _, charset := p.w.known.typeOf(kind); charset == "" && isHTML(kind) {
			p.page = append(p.page, b[:min(len(b), pageStart-len(p.page))]...)
		}
	}
	return len(b), nil
}

func isHTML(kind []byte) bool { return string(kind[:min(len(kind), 9)]) == "text/html" }
