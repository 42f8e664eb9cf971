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
		blocks: blocks{src: r.src, size: r.opt.chunk, line: 1},
		delim:  r.d.info.Delimiter, eol: r.d.eol, maxRow: r.opt.maxRow,
	}
	split.line += int64(bytes.Count(before, []byte{r.d.eol}))
	var header []byte
	if r.d.info.Header {
		line, err := r.src.ReadBytes(r.d.eol)
		if err != nil && err != io.EOF {
			return &Report{}, err
		}
		header, _ = cutLine(line, r.d.eol)
		split.line++
	}

	parsers := make([]chunkParser, r.opt.Workers)
	for i := range parsers {
		parsers[i] = newCSVParser(&r.d, header, r.opt)
	}
	rep, err := r.run(split.next, parsers, visit)
	rep.Truncated = rep.Truncated || split.cutOff
	return rep, err
}
