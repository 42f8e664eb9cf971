package jtl

import (
	"bytes"
	"encoding/binary"
	"fmt"
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

	row     Row
	columns []csvColumn // of the file, in its order
	stamp   stamp

	mixed   int    // up to where in the chunk any line end ends a row
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
		p.columns = append(p.columns, csvColumn{column: c, number: number, text: text, repeats: c.repeats()})
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
	p.mixed = 0
	if p.d.mixed {
		p.mixed = len(data)
	}
	p.forget()                          // texts of the last chunk are gone
	quote := bytes.IndexByte(data, '"') // the next one, from pos on
	strange := !isASCII(data) && !utf8.Valid(data)
	for pos := 0; pos < len(data); {
		if quote >= 0 && quote < pos {
			if quote = bytes.IndexByte(data[pos:], '"'); quote >= 0 {
				quote += pos
			}
		}
		plain := data[pos:]
		if quote >= 0 {
			plain = data[pos:quote]
		}
		lines := int64(1)
		var err error
		end, next := 0, 0
		if pos >= p.mixed {
			end, next = p.plain(plain)
		}
		if end, next = end+pos, next+pos; next == pos {
			end, next, lines, err = p.odd(data, pos, quote)
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
		} else if err := p.bad(data[pos:end], err, c.last && next == len(data) && !isLineEnd(data[next-1])); err != nil {
			return err
		}
		line += lines
		pos = next
	}
	return nil
}

// odd fills the row from the line at pos, or the lines, in any form.
func (p *csvParser) odd(data []byte, pos, quote int) (end, next int, lines int64, err error) {
	p.forget()
	ends := lineEnds{p.d.eol, pos < p.mixed}
	end, next, err = p.scan(data, pos, quote, ends)
	if err != nil && !ends.mixed {
		if other, _ := anyLineEnd(data, pos); other < end { // there are more rows on this line
			ends.mixed, p.mixed = true, next
			end, next, err = p.scan(data, pos, quote, ends)
		}
	}
	return end, next, int64(bytes.Count(data[pos:next], []byte{p.d.eol})), err
}

// scan fills the row from what is there up to one of these ends.
func (p *csvParser) scan(data []byte, pos, quote int, ends lineEnds) (end, next int, err error) {
	end, next = ends.next(data, pos)
	if quote < 0 || quote >= next {
		p.fields, _, _, _ = scanRow(data[pos:end], p.d.info.Delimiter, lineEnds{eol: p.d.eol}, p.fields[:0])
		return end, next, p.assign(data[pos:end])
	}
	p.fields, end, next, err = scanRow(data[pos:], p.d.info.Delimiter, ends, p.fields[:0])
	end, next = end+pos, next+pos
	if err == nil {
		err = p.assign(data[pos:end])
	}
	return end, next, err
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
		case p.columns[i].text != nil:
			*p.columns[i].text = text
		case p.columns[i].number != nil:
			n, ok := parseNumber(text)
			if !ok && cols[i] == ColTimeStamp {
				n, ok = p.otherStamp(text)
			}
			if !ok {
				return fmt.Errorf("%s: %.40q is not a number", cols[i], text)
			}
			*p.columns[i].number = n
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
		p.row.Success = string(text) == "true" || bytes.EqualFold(text, []byte("true"))
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
	for i := range p.columns {
		if text := p.columns[i].text; text != nil && !utf8.Valid(*text) {
			from := len(p.decoded)
			p.decoded = appendDecoded1252(p.decoded, *text)
			*text = p.decoded[from:]
		}
	}
	if len(p.decoded) > 0 {
		p.report.Decoded++
		p.forget()
	}
}

// isASCII tells whether b is of ASCII alone, as nearly all is: sooner than by looking
// whether it is UTF-8.
func isASCII(b []byte) bool {
	for ; len(b) >= 32; b = b[32:] {
		w, x := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		y, z := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
		if (w|x|y|z)&highBits != 0 {
			return false
		}
	}
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
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
	if len(bytes.TrimRight(row, "\r\n")) == 0 {
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
