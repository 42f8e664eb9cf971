package wire

import (
	"bytes"
	"io"
	"strconv"
)

// body undoes the framing of one response body.
type body struct {
	c     *conn
	size  int64 // by Content-Length; -1 until the end of the connection
	left  int64 // of size, or of the chunk
	got   int64 // of size, or of the chunk
	limit int64 // of a line of chunk framing

	cut     bool // it ended before its end, and nobody minds
	chunked bool
	decoded bool  // a decoder reads it
	total   int64 // of all chunks
	state   chunkState
	err     error // what next answered last

	line []byte
	rest []byte // read by next, not yet by Read

	footers []byte // lines behind the last chunk, where somebody shows them
}

// directRead is what HttpClient reads through a buffer, which it wants to fill,
// rather than as much as is left.
const directRead = 512

type chunkState byte

const (
	chunkSize  chunkState = iota // a size line comes
	chunkData                    // data comes
	chunkBreak                   // the line end behind data comes
)

// open starts on the body that h announces, by the rules of HttpCore's
// LaxContentLengthStrategy: Transfer-Encoding goes first, and of several
// lengths the last one that is a number.
func (b *body) open(c *conn, h *headerFacts, limit int64, line []byte) {
	*b = body{c: c, size: -1, limit: limit, line: line, chunked: h.chunked}
	if !h.coded {
		b.size, b.left = h.length, h.length
	}
}

func (b *body) next() ([]byte, error) {
	if b.err != nil {
		return nil, b.err
	}
	p, err := b.piece()
	b.total += int64(len(p))
	if err != nil {
		b.err = err
		b.c.whole = err == io.EOF && !b.cut
	}
	return p, err
}

func (b *body) piece() ([]byte, error) {
	switch {
	case b.chunked && b.c.urlConnection:
		return b.urlChunk()
	case b.chunked:
		return b.chunk()
	}
	if b.size < 0 {
		if len(b.c.b) == 0 {
			if err := b.c.fill(); err != nil {
				return nil, err
			}
		}
		p := b.c.b
		b.c.b = p[len(p):]
		return p, nil
	}
	if b.left == 0 {
		return nil, io.EOF
	}
	p, err := b.take()
	if err == io.EOF {
		if b.c.urlConnection { // takes what came for the whole
			b.cut = true
			return nil, io.EOF
		}
		err = premature(b.size, b.got)
	}
	return p, err
}

// take reads what is there of the b.left bytes that belong together.
func (b *body) take() ([]byte, error) {
	if len(b.c.b) == 0 {
		if b.c.rate > 0 && !b.chunked && !b.decoded && b.left > directRead {
			b.c.ask = int(min(b.left, readAhead))
		}
		if err := b.c.fill(); err != nil {
			return nil, err
		}
	}
	n := int(min(b.left, int64(len(b.c.b))))
	p := b.c.b[:n]
	b.c.b = b.c.b[n:]
	b.left -= int64(n)
	b.got += int64(n)
	return p, nil
}

// chunk follows HttpCore's ChunkedInputStream, with its messages.
func (b *body) chunk() ([]byte, error) {
	if b.state != chunkData {
		if b.state == chunkBreak {
			line, err := b.readLine()
			if err == io.EOF {
				return nil, badChunk("CRLF expected at end of chunk")
			}
			if err != nil {
				return nil, err
			}
			if len(line) > 0 {
				return nil, badChunk("Unexpected content at the end of chunk")
			}
			b.state = chunkSize
		}
		if err := b.chunkHeader(); err != nil {
			return nil, err
		}
		if b.left == 0 {
			return nil, b.trailers()
		}
		b.state = chunkData
	}
	p, err := b.take()
	if err == io.EOF {
		return nil, &Error{Class: "org.apache.http.TruncatedChunkException", Message: "Truncated chunk (expected size: " +
			grouped(b.left+b.got) + "; actual size: " + grouped(b.got) + ")", Cause: io.ErrUnexpectedEOF}
	}
	if err == nil && b.left == 0 {
		b.state = chunkBreak
	}
	return p, err
}

// chunkHeader reads the size of the next chunk.
func (b *body) chunkHeader() error {
	line, err := b.readLine()
	if err == io.EOF {
		return &Error{Class: classClosed, Message: "Premature end of chunk coded message body: closing chunk expected", Cause: io.ErrUnexpectedEOF}
	}
	if err != nil {
		return err
	}
	if i := bytes.IndexByte(line, ';'); i >= 0 {
		line = line[:i]
	}
	line = trim(line)
	n, err := strconv.ParseInt(string(line), 16, 64)
	if err != nil {
		return badChunk("Bad chunk header: " + string(line))
	}
	if n < 0 {
		return badChunk("Negative chunk size")
	}
	b.left, b.got = n, 0
	return nil
}

// trailers reads to the end of the body and returns io.EOF. The end of the
// connection is an end too.
func (b *body) trailers() error {
	for total := int64(0); total <= b.limit; {
		line, err := b.readLine()
		if err != nil || len(line) == 0 {
			if err == nil {
				err = io.EOF
			}
			return err
		}
		total += int64(len(line)) + 1
		folded := total > int64(len(line))+1 && (line[0] == ' ' || line[0] == '\t')
		if i := bytes.IndexByte(line, ':'); !folded && (i < 0 || len(trim(line[:i])) == 0) {
			return badChunk("Invalid footer: Invalid header: " + string(line))
		}
	}
	return &Error{Class: classConstraint, Message: "Maximum header count exceeded"}
}

// readLine returns the next line of framing, valid until the next call.
func (b *body) readLine() ([]byte, error) {
	var err error
	b.line, err = b.c.readLine(b.line[:0], b.limit)
	return b.line, err
}

// Read makes body an io.Reader for decoders.
func (b *body) Read(p []byte) (int, error) {
	b.decoded = true
	if len(b.rest) == 0 {
		var err error
		if b.rest, err = b.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func premature(size, got int64) *Error {
	return &Error{Class: classClosed, Message: "Premature end of Content-Length delimited message body (expected: " +
		grouped(size) + "; received: " + grouped(got) + ")", Cause: io.ErrUnexpectedEOF}
}

func badChunk(message string) *Error { return &Error{Class: classChunk, Message: message} }
