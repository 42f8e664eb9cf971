package jtl

import (
	"bytes"
	"errors"
	"io"
)

// readCSV visits the rows of a CSV file.
func (r *Reader) readCSV(visit Visit) (*Report, error) {
	before := make([]byte, r.d.start)
	if _, err := io.ReadFull(r.src, before); err != nil {
		return &Report{}, err
	}
	split := &csvSplitter{
		blocks: blocks{src: r.src, size: r.opt.chunk, line: r.opt.FirstLine},
		delim:  r.d.info.Delimiter, eol: r.d.eol, maxRow: r.opt.maxRow,
	}
	split.line += int64(bytes.Count(before, []byte{r.d.eol}))
	var header []byte
	if r.d.info.Header {
		line, err := r.src.ReadBytes(r.d.eol)
		if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
			return &Report{}, err
		}
		split.cutOff = err != nil && err != io.EOF
		header, _ = cutLine(line, r.d.eol)
		split.line++
	}

	parsers := make([]chunkParser, r.opt.Workers)
	for i := range parsers {
		parsers[i] = newCSVParser(&r.d, header, r.opt)
	}
	rep, err := r.run(split.next, parsers, visit)
	if split.cutOff && !rep.Truncated {
		rep.Truncated, rep.RowsWhole = true, true
	}
	return rep, err
}
