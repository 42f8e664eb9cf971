package jtl

import (
	"bytes"
	"cmp"
	"errors"
	"io"
)

// chunkSize is more than the buffer of a Reader holds, so that most of a chunk is read
// past it.
const chunkSize = headSize + 64<<10

// blocks reads a file in chunks that end where one sample ends and the next
// begins.
type blocks struct {
	src    io.Reader
	size   int    // of a chunk, unless a sample is larger
	line   int64  // number of the next chunk's first line
	seq    int    // of the next chunk
	rest   []byte // read, but not yet cut off
	eof    bool
	cutOff bool  // the compressed file is not whole
	broken error // or cannot be unpacked any further
}

// read gives the next chunk, in buf or a larger buffer. cut finds in what was read
// the end of the last whole sample, 0 if there is none.
func (s *blocks) read(buf []byte, cut func([]byte) int, eol byte) (chunk, error) {
	buf = append(buf[:0], s.rest...)
	want := s.size
	for {
		if cap(buf) < want {
			buf = append(make([]byte, 0, want), buf...)
		}
		for len(buf) < want && !s.eof {
			n, err := s.src.Read(buf[len(buf):want])
			buf = buf[:len(buf)+n]
			switch {
			case err == io.EOF:
				s.eof = true
			case errors.Is(err, io.ErrUnexpectedEOF): // of a compressed file
				s.eof, s.cutOff = true, true
			case errors.As(err, new(*DamagedError)): // what came before it counts
				s.eof, s.broken = true, err
			case err != nil:
				return chunk{}, err
			}
		}
		if len(buf) == 0 {
			return chunk{}, cmp.Or(s.broken, io.EOF)
		}
		end := len(buf)
		if !s.eof {
			end = cut(buf)
		}
		if end == 0 { // a sample larger than the buffer
			want *= 2
			continue
		}
		c := chunk{seq: s.seq, line: s.line, data: buf[:end], last: s.eof}
		s.rest = append(s.rest[:0], buf[end:]...)
		s.line += int64(bytes.Count(c.data, []byte{eol}))
		s.seq++
		return c, nil
	}
}
