package jtl

import (
	"bytes"
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
		line := make([]byte, r.d.head)
		if _, err := io.ReadFull(r.src, line); err != nil {
			return &Report{}, err
		}
		header = bytes.TrimRight(line, "\r\n")
		split.line += int64(bytes.Count(line, []byte{r.d.eol}))
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
