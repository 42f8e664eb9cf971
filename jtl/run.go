package jtl

import (
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

// run cuts the file into chunks in one goroutine and has each of the parsers parse
// some of them in a goroutine of its own. A parser's chunks come in file order.
// next reads a chunk into buf, which it may replace by a larger one, and says
// io.EOF at the end. A single parser works where the caller is.
func (r *Reader) run(next func(buf []byte) (chunk, error), parsers []chunkParser, visit Visit) (*Report, error) {
	if len(parsers) == 1 {
		return r.runHere(next, parsers, visit)
	}
	var (
		chunks  = make(chan chunk, len(parsers))
		free    = make(chan []byte, 2*len(parsers)+1)
		stop    = make(chan struct{})
		once    sync.Once
		failure error
		wg      sync.WaitGroup
	)
	fail := func(err error) {
		once.Do(func() { failure = err; close(stop) })
	}
	for range cap(free) {
		free <- nil
	}
	for i, p := range parsers {
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
	for line := int64(1); ; {
		var buf []byte
		select {
		case <-stop:
		case buf = <-free:
			c, err := next(buf)
			if err == nil {
				line = c.line
				select {
				case <-stop:
				case chunks <- c:
					continue
				}
			} else if err != io.EOF {
				fail(fmt.Errorf("after line %d: %w", line, err))
			}
		}
		break
	}
	close(chunks)
	wg.Wait()
	return r.merge(parsers), failure
}

func (r *Reader) runHere(next func(buf []byte) (chunk, error), parsers []chunkParser, visit Visit) (*Report, error) {
	var buf []byte
	each := func(row *Row) error { return visit(0, row) }
	for line := int64(1); ; {
		c, err := next(buf)
		if err == io.EOF {
			return r.merge(parsers), nil
		}
		if err != nil {
			return r.merge(parsers), fmt.Errorf("after line %d: %w", line, err)
		}
		if err := parsers[0].chunk(c, each); err != nil {
			return r.merge(parsers), err
		}
		buf, line = c.data, c.line
	}
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
		sum.Truncated = sum.Truncated || rep.Truncated
		sum.Bad = append(sum.Bad, rep.Bad...)
	}
	slices.SortStableFunc(sum.Bad, func(a, b BadLine) int { return int(a.Line - b.Line) })
	sum.Bad = sum.Bad[:min(len(sum.Bad), r.opt.MaxBad)]
	return sum
}
