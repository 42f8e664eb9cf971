package jtl

import (
	"bytes"
	"fmt"
	"slices"
)

// csvParser parses the chunks that one worker is given.
type csvParser struct {
	d      *detection
	header []byte // the header line, which appended runs may repeat
	start  bool   // time stamps are start times
	maxBad int

	fields []span
	row    Row
	report Report
}

func newCSVParser(d *detection, header []byte, opt ReadOptions) *csvParser {
	p := &csvParser{d: d, header: header, start: opt.Config.StampStart, maxBad: opt.MaxBad}
	p.row.Extra = make([][]byte, len(d.info.Extra))
	return p
}

// chunk visits the rows of c.
func (p *csvParser) chunk(c csvChunk, visit func(*Row) error) error {
	data, line := c.data, c.line
	p.row.Chunk = c.seq
	quote := bytes.IndexByte(data, '"') // the next one, from pos on
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
			p.splitPlain(data[pos:end])
		} else {
			p.fields, end, next, err = scanRow(data[pos:], p.d.info.Delimiter, p.d.eol, p.fields[:0])
			end, next = end+pos, next+pos
			lines = int64(bytes.Count(data[pos:next], []byte{p.d.eol}))
		}
		p.row.Line = line
		if err == nil {
			err = p.assign(data[pos:end])
		}
		if err == nil {
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

// splitPlain splits a row without quotes.
func (p *csvParser) splitPlain(row []byte) {
	p.fields = p.fields[:0]
	pos := 0
	for {
		n := bytes.IndexByte(row[pos:], p.d.info.Delimiter)
		if n < 0 {
			p.fields = append(p.fields, span{start: pos, end: len(row)})
			return
		}
		p.fields = append(p.fields, span{start: pos, end: pos + n})
		pos += n + 1
	}
}

// assign fills the row from its fields.
func (p *csvParser) assign(row []byte) error {
	cols := p.d.info.Columns
	if len(p.fields) != len(cols) {
		return fmt.Errorf("%d fields instead of %d", len(p.fields), len(cols))
	}
	r := &p.row
	extra := 0
	var number *int64
	for i, c := range cols {
		f := p.fields[i]
		text := row[f.start:f.end]
		if f.escaped {
			text = unescape(text)
		}
		switch c {
		case ColTimeStamp:
			if p.d.date != nil {
				ms, err := p.d.date.Parse(text, !p.d.exact)
				if err != nil {
					return err
				}
				r.TimeStamp = ms
				continue
			}
			number = &r.TimeStamp
		case ColLabel:
			r.Label = text
			continue
		case ColCode:
			r.Code = text
			continue
		case ColMessage:
			r.Message = text
			continue
		case ColThreadName:
			r.Thread = text
			continue
		case ColDataType:
			r.DataType = text
			continue
		case ColSuccess:
			r.Success = string(text) == "true" || bytes.EqualFold(text, []byte("true"))
			continue
		case ColFailureMessage:
			r.FailureMessage = text
			continue
		case ColURL:
			if string(text) == "null" {
				text = nil
			}
			r.URL = text
			continue
		case ColFileName:
			r.FileName = text
			continue
		case ColEncoding:
			r.Encoding = text
			continue
		case ColHostname:
			r.Hostname = text
			continue
		case colExtra:
			r.Extra[extra] = text
			extra++
			continue
		case ColElapsed:
			number = &r.Elapsed
		case ColBytes:
			number = &r.Bytes
		case ColSentBytes:
			number = &r.SentBytes
		case ColGroupThreads:
			number = &r.GroupThreads
		case ColAllThreads:
			number = &r.AllThreads
		case ColLatency:
			number = &r.Latency
		case ColSampleCount:
			number = &r.SampleCount
		case ColErrorCount:
			number = &r.ErrorCount
		case ColIdleTime:
			number = &r.IdleTime
		case ColConnect:
			number = &r.Connect
		}
		n, ok := parseNumber(text)
		if !ok {
			return fmt.Errorf("%s: %.40q is not a number", c, text)
		}
		*number = n
	}
	p.derive(r)
	return nil
}

// derive fills what follows from other fields.
func (p *csvParser) derive(r *Row) {
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

func parseOddNumber(b []byte) (int64, bool) {
	b = bytes.Trim(b, " \t")
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
		return nil // a run appended with its header
	}
	other := detection{}
	if other.headerWith(row, p.d.info.Delimiter) && !slices.Equal(other.info.Columns, p.d.info.Columns) {
		return fmt.Errorf("line %d: another header: %.200q; the file holds two layouts, split it there", p.row.Line, row)
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
