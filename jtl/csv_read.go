package jtl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// csvParser parses the chunks that one worker is given.
type csvParser struct {
	d      *detection
	cfg    *Config
	date   *DateFormat // of time stamps that are in another form than the first ones
	header []byte      // the header line, which appended runs may repeat
	start  bool        // time stamps are start times
	raw    bool
	maxBad int

	row Row
	// Where the columns of the file go, in file order: to a number or a text of
	// row; neither are those that need a look.
	numbers []*int64
	texts   []*[]byte

	fields  []span // of a row with quotes, or one that is wrong
	decoded []byte // memory of the row's texts that were not UTF-8
	report  Report
}

func newCSVParser(d *detection, header []byte, opt ReadOptions) *csvParser {
	p := &csvParser{d: d, cfg: opt.Config, header: header, start: opt.Config.StampStart, raw: opt.Raw, maxBad: opt.MaxBad}
	r := &p.row
	r.Extra = make([][]byte, len(d.info.Extra))
	extra := 0
	for _, c := range d.info.Columns {
		number, text := r.field(c)
		switch {
		case c == ColTimeStamp && d.date != nil:
			number = nil
		case c == colExtra:
			text = &r.Extra[extra]
			extra++
		}
		p.numbers = append(p.numbers, number)
		p.texts = append(p.texts, text)
	}
	return p
}

// field is where a row has the number or the text of a column; ColSuccess is
// neither.
func (r *Row) field(c Column) (number *int64, text *[]byte) {
	switch c {
	case ColTimeStamp:
		number = &r.TimeStamp
	case ColElapsed:
		number = &r.Elapsed
	case ColLabel:
		text = &r.Label
	case ColCode:
		text = &r.Code
	case ColMessage:
		text = &r.Message
	case ColThreadName:
		text = &r.Thread
	case ColDataType:
		text = &r.DataType
	case ColFailureMessage:
		text = &r.FailureMessage
	case ColBytes:
		number = &r.Bytes
	case ColSentBytes:
		number = &r.SentBytes
	case ColGroupThreads:
		number = &r.GroupThreads
	case ColAllThreads:
		number = &r.AllThreads
	case ColURL:
		text = &r.URL
	case ColFileName:
		text = &r.FileName
	case ColLatency:
		number = &r.Latency
	case ColEncoding:
		text = &r.Encoding
	case ColSampleCount:
		number = &r.SampleCount
	case ColErrorCount:
		number = &r.ErrorCount
	case ColHostname:
		text = &r.Hostname
	case ColIdleTime:
		number = &r.IdleTime
	case ColConnect:
		number = &r.Connect
	}
	return number, text
}

func (p *csvParser) result() *Report { return &p.report }

// chunk visits the rows of c.
func (p *csvParser) chunk(c chunk, visit func(*Row) error) error {
	data, line := c.data, c.line
	p.row.Chunk = c.seq
	quote := bytes.IndexByte(data, '"') // the next one, from pos on
	strange := !utf8.Valid(data)
	for pos := 0; pos < len(data); {
		if quote >= 0 && quote < pos {
			if quote = bytes.IndexByte(data[pos:], '"'); quote >= 0 {
				quote += pos
			}
		}
		end, next := lineEnd(data, pos, p.d.eol)
		lines := int64(1)
		var err error
		if quote < 0 || quote >= next {
			if !p.plain(data, pos, end) {
				p.fields, _, _, _ = scanRow(data[pos:end], p.d.info.Delimiter, p.d.eol, p.fields[:0])
				err = p.assign(data[pos:end])
			}
		} else {
			p.fields, end, next, err = scanRow(data[pos:], p.d.info.Delimiter, p.d.eol, p.fields[:0])
			end, next = end+pos, next+pos
			lines = int64(bytes.Count(data[pos:next], []byte{p.d.eol}))
			if err == nil {
				err = p.assign(data[pos:end])
			}
		}
		p.row.Line = line
		if err == nil {
			p.derive(&p.row)
			if strange {
				p.decode()
			}
			if p.raw {
				p.row.Raw = data[pos:end]
			}
			p.report.Rows++
			if err := visit(&p.row); err != nil {
				return err
			}
		} else if err := p.bad(data[pos:end], err, c.last && next == len(data) && data[next-1] != p.d.eol); err != nil {
			return err
		}
		line += lines
		pos = next
	}
	return nil
}

// plain fills the row from data[pos:end], which has no quotes. It is the fast way
// for the usual; false leaves the row to assign, which also says what is wrong.
func (p *csvParser) plain(data []byte, pos, end int) bool {
	const lo, hi = 0x0101010101010101, 0x8080808080808080
	delim := p.d.info.Delimiter
	pattern := lo * uint64(delim)
	last := len(p.numbers) - 1
	for i, number := range p.numbers {
		if number != nil {
			n := uint64(0)
			from := pos
			for pos < end {
				digit := data[pos] - '0'
				if digit > 9 {
					break
				}
				n = n*10 + uint64(digit)
				pos++
			}
			if pos == from || pos-from > 18 {
				return false
			}
			*number = int64(n)
		} else {
			from := pos
			for pos+8 <= end {
				x := binary.LittleEndian.Uint64(data[pos:]) ^ pattern
				if x = (x - lo) &^ x & hi; x != 0 {
					pos += bits.TrailingZeros64(x) >> 3
					goto found
				}
				pos += 8
			}
			for pos < end && data[pos] != delim {
				pos++
			}
		found:
			if text := p.texts[i]; text != nil {
				*text = data[from:pos]
			} else if p.other(p.d.info.Columns[i], data[from:pos]) != nil {
				return false
			}
		}
		if pos == end {
			return i == last
		}
		if data[pos] != delim {
			return false
		}
		pos++
	}
	return false
}

// assign fills the row from its fields.
func (p *csvParser) assign(row []byte) error {
	cols := p.d.info.Columns
	if len(p.fields) != len(cols) {
		return fmt.Errorf("%d fields instead of %d", len(p.fields), len(cols))
	}
	for i, f := range p.fields {
		text := row[f.start:f.end]
		if f.escaped {
			if p.raw {
				text = bytes.Clone(text)
			}
			text = unescape(text)
		}
		switch {
		case p.texts[i] != nil:
			*p.texts[i] = text
		case p.numbers[i] != nil:
			n, ok := parseNumber(text)
			if !ok && cols[i] == ColTimeStamp {
				n, ok = p.otherStamp(text)
			}
			if !ok {
				return fmt.Errorf("%s: %.40q is not a number", cols[i], text)
			}
			*p.numbers[i] = n
		default:
			if err := p.other(cols[i], text); err != nil {
				return err
			}
		}
	}
	return nil
}

// other fills a field that is neither a number nor a text.
func (p *csvParser) other(c Column, text []byte) error {
	switch c {
	case ColSuccess:
		p.row.Success = string(text) == "true" || bytes.EqualFold(trimBlanks(text), []byte("true"))
	case ColTimeStamp:
		ms, err := p.d.date.Parse(text, !p.d.exact)
		if err == nil && len(text) == len("1700000000000") && !p.d.exact {
			_, err = p.d.date.Parse(text, false) // which may be a number that passes for a date
			if _, ok := parseNumber(text); !ok {
				err = nil
			}
		}
		if err != nil {
			var ok bool
			if ms, ok = p.otherStamp(text); !ok {
				return err
			}
		}
		p.row.TimeStamp = ms
	}
	return nil
}

// otherStamp reads a time stamp that is not in the form of the first ones, as those
// are of a run that was appended with another timestamp_format.
func (p *csvParser) otherStamp(text []byte) (ms int64, ok bool) {
	if n, ok := parseNumber(text); ok {
		return n, true
	}
	if p.date != nil {
		if ms, err := p.date.Parse(text, false); err == nil {
			return ms, true
		}
	}
	ms, p.date, ok = stampOf(text, nil, p.cfg)
	return ms, ok
}

// derive fills what follows from other fields.
func (p *csvParser) derive(r *Row) {
	if string(r.URL) == "null" {
		r.URL = nil
	}
	has := &p.d.info.has
	if !has[ColSampleCount] {
		r.SampleCount = 1
	}
	if !has[ColErrorCount] {
		r.ErrorCount = 0
		if !r.Success {
			r.ErrorCount = 1
		}
	}
	if p.start {
		r.Start, r.End = r.TimeStamp, r.TimeStamp+r.Elapsed
	} else {
		r.Start, r.End = r.TimeStamp-r.Elapsed, r.TimeStamp
	}
}

// decode makes UTF-8 of texts that are not.
func (p *csvParser) decode() {
	p.decoded = p.decoded[:0]
	for _, text := range p.texts {
		if text != nil && !utf8.Valid(*text) {
			from := len(p.decoded)
			p.decoded = appendDecoded1252(p.decoded, *text)
			*text = p.decoded[from:]
		}
	}
	if len(p.decoded) > 0 {
		p.report.Decoded++
	}
}

// unescape undoes doubled quotes in place.
func unescape(b []byte) []byte {
	n := 0
	for i := 0; i < len(b); i++ {
		b[n] = b[i]
		n++
		if b[i] == '"' {
			i++
		}
	}
	return b[:n]
}

// parseNumber reads a whole number; blanks around it are let pass, as JMeter's
// dashboard does.
func parseNumber(b []byte) (int64, bool) {
	var n uint64
	if len(b) == 0 || len(b) > 18 {
		return parseOddNumber(b)
	}
	for _, c := range b {
		c -= '0'
		if c > 9 {
			return parseOddNumber(b)
		}
		n = n*10 + uint64(c)
	}
	return int64(n), true
}

func trimBlanks(b []byte) []byte { return bytes.Trim(b, " \t") }

func parseOddNumber(b []byte) (int64, bool) {
	b = trimBlanks(b)
	neg := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		neg = b[0] == '-'
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	n := int64(0)
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

// bad notes a line that is no row. It is an error only where going on would
// give wrong numbers.
func (p *csvParser) bad(row []byte, why error, cutOff bool) error {
	if len(bytes.TrimRight(row, "\r")) == 0 {
		p.report.Blank++
		return nil
	}
	if p.d.info.Header && bytes.Equal(row, p.header) {
		p.report.Headers++ // a run appended with its header
		return nil
	}
	other := detection{eol: p.d.eol}
	if other.header(row, &Config{Delimiter: p.d.info.Delimiter}) &&
		(other.info.Delimiter != p.d.info.Delimiter || !slices.Equal(other.info.Columns, p.d.info.Columns)) {
		return &LayoutError{Line: p.row.Line, Header: string(row[:min(len(row), 400)])}
	}
	if cutOff {
		p.report.Truncated = true
		return nil
	}
	p.report.Skipped++
	if len(p.report.Bad) < p.maxBad {
		p.report.Bad = append(p.report.Bad, BadLine{Line: p.row.Line, Reason: why.Error()})
	}
	return nil
}
