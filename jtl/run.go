package jtl

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
)

// chunk is a part of a file that can be parsed by itself.
type chunk struct {
	seq  int
	line int64 // number of its first line
	data []byte
	last bool // ends at the end of the file
}

// chunkParser parses the chunks that one worker is given.
type chunkParser interface {
	// chunk visits the rows of c.
	chunk(c chunk, visit func(*Row) error) error
	// result tells how all of its chunks went.
	result() *Report
}

// run has each of the parsers parse chunks of the file in a goroutine of its own,
// which also cuts off the chunks, one at a time: what is read is then still near the
// processor that parses it. A parser's chunks come in file order. next reads a chunk
// into buf, which it may replace by a larger one, and says io.EOF at the end. A
// single parser works where the caller is.
func (r *Reader) run(next func(buf []byte) (chunk, error), parsers []chunkParser, visit Visit) (*Report, error) {
	var (
		mu      sync.Mutex
		line    = int64(1)
		failure error // of the first that failed, io.EOF at the end
	)
	pull := func(buf []byte) (c chunk, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if failure != nil {
			return chunk{}, false
		}
		c, err := next(buf)
		if err == nil {
			line = c.line
			return c, true
		}
		if failure = err; err != io.EOF {
			failure = fmt.Errorf("after line %d: %w", line, err)
		}
		return chunk{}, false
	}
	work := func(i int) {
		each := func(row *Row) error { return visit(i, row) }
		var buf []byte
		for {
			c, ok := pull(buf)
			if !ok {
				return
			}
			if err := parsers[i].chunk(c, each); err != nil {
				mu.Lock()
				if failure == nil || failure == io.EOF || errors.As(failure, new(*DamagedError)) {
					failure = err
				}
				mu.Unlock()
				return
			}
			buf = c.data
		}
	}
	if len(parsers) == 1 {
		work(0)
	} else {
		var wg sync.WaitGroup
		for i := range parsers {
			wg.Go(func() { work(i) })
		}
		wg.Wait()
	}
	if failure == io.EOF {
		failure = nil
	}
	return r.merge(parsers), failure
}

// merge sums up what the parsers found.
func (r *Reader) merge(parsers []chunkParser) *Report {
	sum := &Report{}
	for _, p := range parsers {
		rep := p.result()
		sum.Rows += rep.Rows
		sum.Skipped += rep.Skipped
		sum.Blank += rep.Blank
		sum.Headers += rep.Headers
		sum.Decoded += rep.Decoded
		sum.Truncated = sum.Truncated || rep.Truncated
		sum.RowsWhole = sum.RowsWhole || rep.RowsWhole
		sum.Bad = append(sum.Bad, rep.Bad...)
	}
	slices.SortStableFunc(sum.Bad, func(a, b BadLine) int { return int(a.Line - b.Line) })
	sum.Bad = sum.Bad[:min(len(sum.Bad), r.opt.MaxBad)]
	return sum
}
