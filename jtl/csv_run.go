package jtl

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"
)

// readCSV cuts the file into chunks in one goroutine and has them parsed and
// visited by the workers. A worker's chunks come in file order.
func (r *Reader) readCSV(visit Visit) (*Report, error) {
	before := make([]byte, r.d.start)
	if _, err := io.ReadFull(r.src, before); err != nil {
		return &Report{}, err
	}
	split := &csvSplitter{
		src: r.src, delim: r.d.info.Delimiter, eol: r.d.eol, line: 1, chunk: r.opt.chunk, maxRow: maxRow,
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

	var (
		chunks  = make(chan csvChunk, r.opt.Workers)
		free    = make(chan []byte, 2*r.opt.Workers+1)
		stop    = make(chan struct{})
		once    sync.Once
		failure error
		wg      sync.WaitGroup
		parsers = make([]*csvParser, r.opt.Workers)
	)
	fail := func(err error) {
		once.Do(func() { failure = err; close(stop) })
	}
	for range cap(free) {
		free <- nil
	}
	for i := range parsers {
		p := newCSVParser(&r.d, header, r.opt)
		parsers[i] = p
		wg.Go(func() {
			each := func(row *Row) error { return visit(i, row) }
			for c := range chunks {
				select {
				case <-stop:
					return
				default:
				}
				if err := p.chunk(c, each); err != nil {
					fail(err)
					return
				}
				free <- c.data
			}
		})
	}
	for {
		var buf []byte
		select {
		case <-stop:
		case buf = <-free:
			c, err := split.next(buf)
			if err == nil {
				select {
				case <-stop:
				case chunks <- c:
					continue
				}
			} else if err != io.EOF {
				fail(fmt.Errorf("line %d: %w", split.line, err))
			}
		}
		break
	}
	close(chunks)
	wg.Wait()
	rep := mergeReports(parsers, r.opt.MaxBad)
	rep.Truncated = rep.Truncated || split.cutOff
	return rep, failure
}

// mergeReports sums up what the workers found.
func mergeReports(parts []*csvParser, maxBad int) *Report {
	rep := &Report{}
	for _, p := range parts {
		rep.Rows += p.report.Rows
		rep.Skipped += p.report.Skipped
		rep.Blank += p.report.Blank
		rep.Truncated = rep.Truncated || p.report.Truncated
		rep.Bad = append(rep.Bad, p.report.Bad...)
	}
	slices.SortFunc(rep.Bad, func(a, b BadLine) int { return int(a.Line - b.Line) })
	rep.Bad = rep.Bad[:min(len(rep.Bad), maxBad)]
	return rep
}
