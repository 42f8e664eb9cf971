package jtl

import (
	"bytes"
	"errors"
)

// span is a field inside a row: the text between start and end, without its
// quotes.
type span struct {
	start, end int
	quoted     bool
	escaped    bool // holds doubled quotes
}

// text is the field's text, for places where allocating does not matter.
func (f span) text(row []byte) []byte {
	t := row[f.start:f.end]
	if f.escaped {
		return bytes.ReplaceAll(t, []byte(`""`), []byte(`"`))
	}
	return t
}

// errQuotes is all that can be wrong with the quotes of a row. It is one error, as
// it may depend on where the file was cut which of them shows first.
var errQuotes = errors.New(`a " is missing, or not at the beginning or end of its field`)

// scanRow appends to dst the fields of the row at the beginning of b and returns
// where it ends, without and with its line end. When the quotes are wrong the row
// ends with its first line.
func scanRow(b []byte, delim byte, ends lineEnds, dst []span) (fields []span, end, next int, err error) {
	firstEnd, firstNext := ends.next(b, 0)
	end, next = firstEnd, firstNext
	pos := 0
	for {
		if pos < end && b[pos] == '"' {
			closing, escaped, err := closingQuote(b, pos)
			if err != nil {
				return dst, firstEnd, firstNext, err
			}
			dst = append(dst, span{start: pos + 1, end: closing, quoted: true, escaped: escaped})
			pos = closing + 1
			if pos > end {
				end, next = ends.next(b, pos)
			}
			if pos == end {
				return dst, end, next, nil
			}
			if b[pos] != delim {
				return dst, firstEnd, firstNext, errQuotes
			}
			pos++
			continue
		}
		field := b[pos:end]
		n := bytes.IndexByte(field, delim)
		if n >= 0 {
			field = field[:n]
		}
		if bytes.IndexByte(field, '"') >= 0 {
			return dst, firstEnd, firstNext, errQuotes
		}
		dst = append(dst, span{start: pos, end: pos + len(field)})
		if n < 0 {
			return dst, end, next, nil
		}
		pos += n + 1
	}
}

// lineEnds is how lines end: with eol, before which a CR may stand, or, with mixed, as
// in JMeter with any of LF, CRLF and CR.
type lineEnds struct {
	eol   byte
	mixed bool
}

// next returns where the line at pos ends, without and with its end mark.
func (e lineEnds) next(b []byte, pos int) (end, next int) {
	if e.mixed {
		return anyLineEnd(b, pos)
	}
	i := bytes.IndexByte(b[pos:], e.eol)
	if i < 0 {
		end, next = len(b), len(b)
	} else {
		end, next = pos+i, pos+i+1
	}
	if end > pos && b[end-1] == '\r' {
		end--
	}
	return end, next
}

// anyLineEnd is next of mixed ends.
func anyLineEnd(b []byte, pos int) (end, next int) {
	for end = pos; end < len(b) && !isLineEnd(b[end]); end++ {
	}
	next = min(end+1, len(b))
	if next < len(b) && b[end] == '\r' && b[next] == '\n' {
		next++
	}
	return end, next
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// mixesLineEnds tells whether, outside of quotes, b has a CR that does not belong to a
// CRLF.
func mixesLineEnds(b []byte) bool {
	quoted := false
	for i := bytes.IndexByte(b, '\r'); i >= 0 && i+1 < len(b); i = bytes.IndexByte(b, '\r') {
		if bytes.Count(b[:i], []byte{'"'})%2 == 1 {
			quoted = !quoted
		}
		if b[i+1] != '\n' && !quoted {
			return true
		}
		b = b[i+1:]
	}
	return false
}

// closingQuote finds the quote that ends the one at b[open].
func closingQuote(b []byte, open int) (at int, escaped bool, err error) {
	pos := open + 1
	for {
		i := bytes.IndexByte(b[pos:], '"')
		if i < 0 {
			return 0, false, errQuotes
		}
		pos += i
		if pos+1 == len(b) || b[pos+1] != '"' {
			return pos, escaped, nil
		}
		escaped = true
		pos += 2
	}
}

// maxRow bounds what an open quote may swallow.
const maxRow = 16 << 20

// csvSplitter cuts a CSV file into chunks at the ends of rows.
//
// Rows and damaged rows are delimited by one rule, here and where rows are
// parsed, so that the cut never matters: a row ends at the first line end outside
// quotes; a row whose quotes are wrong ends at its first line end. A CR alone is one
// where the row is none with it inside.
type csvSplitter struct {
	blocks
	delim, eol byte
	maxRow     int // what an open quote may swallow at most
}

// next is the next chunk; see Reader.run.
func (s *csvSplitter) next(buf []byte) (chunk, error) {
	return s.read(buf, s.cut, s.eol)
}

// cut finds the end of the last whole row in buf.
func (s *csvSplitter) cut(buf []byte) int {
	row, pos := 0, 0 // start of the present row; everything before pos is settled
	for {
		q := bytes.IndexByte(buf[pos:], '"')
		plain := buf[pos:]
		if q >= 0 {
			plain = plain[:q]
		}
		if nl := bytes.LastIndexByte(plain, s.eol); nl >= 0 {
			row = pos + nl + 1
		}
		if q < 0 {
			return row
		}
		q += pos
		bad := q != row && buf[q-1] != s.delim && buf[q-1] != '\r'
		if !bad {
			end, _, err := closingQuote(buf, q)
			switch {
			case err == nil && end+2 < len(buf):
				pos = end + 1
				bad = buf[pos] != s.delim && !isLineEnd(buf[pos])
			case len(buf)-row > s.maxRow:
				bad = true
			default:
				return row // more is needed to tell
			}
		}
		if bad {
			for pos = row; pos <= q; {
				_, _, next, _ := scanRow(buf[pos:], s.delim, lineEnds{mixed: true}, nil)
				if pos += next; pos == len(buf) && buf[pos-1] != s.eol {
					return row
				}
			}
			row = pos
		}
	}
}
