package jtl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Open opens a result file and finds out what it is, by its content: CSV or XML,
// plain or compressed with gzip or Zstandard. The caller closes it.
func Open(path string, opt ReadOptions) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f, opt)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.name = path + ": "
	r.closers = append(r.closers, f.Close)
	return r, nil
}

// NewReader reads a result file from src, as Open does.
func NewReader(src io.Reader, opt ReadOptions) (*Reader, error) {
	r := &Reader{opt: opt.withDefaults()}
	head := bufio.NewReaderSize(src, headSize)
	magic, _ := head.Peek(4)
	compressed := ""
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(head)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("the file is cut off at its beginning, inside the header of gzip")
		}
		if err != nil {
			return nil, &DamagedError{err}
		}
		compressed, head = "gz", bufio.NewReaderSize(unpacked{z}, headSize)
		r.closers = append(r.closers, z.Close)
	case bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(head)
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		compressed, head = "zst", bufio.NewReaderSize(unpacked{z}, headSize)
		r.closers = append(r.closers, func() error { z.Close(); return nil })
	}
	for range r.opt.FirstLine - 1 {
		if err := skipLine(head); err != nil {
			r.Close()
			return nil, err
		}
	}
	first, err := head.Peek(headSize)
	damaged := len(first) > 0 && errors.As(err, new(*DamagedError)) // which reading meets again
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) && !damaged {
		r.Close()
		return nil, err
	}
	if r.d, err = detect(first, r.opt.Config); err != nil {
		r.Close()
		return nil, err
	}
	r.d.info.Compressed = compressed
	r.src = head
	if r.d.info.Format == XML {
		if enc := charsetNamed(xmlCharset(first)); enc != nil {
			r.src = bufio.NewReader(enc.NewDecoder().Reader(head))
		}
	}
	return r, nil
}

// DamagedError says that compressed data cannot be unpacked any further: what
// was read before it may be wrong, too, as the sum that proves it is missing.
type DamagedError struct{ err error }

func (e *DamagedError) Error() string { return "the compressed data is damaged: " + e.err.Error() }

func (e *DamagedError) Unwrap() error { return e.err }

// unpacked is a decompressor that calls its errors by that name. A file that is
// merely cut off ends with io.ErrUnexpectedEOF.
type unpacked struct{ r io.Reader }

func (u unpacked) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		err = &DamagedError{err}
	}
	return n, err
}

// skipLine passes over a line, however long.
func skipLine(r *bufio.Reader) error {
	for {
		_, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		default:
			return err
		}
	}
}

// Close closes the file, if Open opened it.
func (r *Reader) Close() error {
	var err error
	for _, c := range slices.Backward(r.closers) {
		err = errors.Join(err, c())
	}
	r.closers = nil
	return err
}

// Read visits all rows. It can be called once. The report is also returned with
// an error, and then tells how far the read came.
func (r *Reader) Read(visit Visit) (*Report, error) {
	if err := r.once(); err != nil {
		return nil, err
	}
	var (
		rep *Report
		err error
	)
	if r.d.info.Format == XML {
		rep, err = r.readXML(visit)
	} else {
		rep, err = r.readCSV(visit)
	}
	if err != nil {
		if rep != nil {
			errors.As(err, &rep.Damaged)
		}
		return rep, fmt.Errorf("%s%w", r.name, err)
	}
	return rep, nil
}

// ReadSamples visits all samples; see the function of the same name.
func (r *Reader) ReadSamples(visit func(*Sample) error) (*Report, error) {
	r.opt.Workers = 1
	s := &Sample{}
	if r.d.info.Format == XML {
		if err := r.once(); err != nil {
			return nil, err
		}
		rep, err := r.readXMLSamples(visit)
		if err != nil {
			err = fmt.Errorf("%s%w", r.name, err)
		}
		return rep, err
	}
	return r.Read(func(_ int, row *Row) error {
		s.Reset()
		s.fromRow(row)
		return visit(s)
	})
}

func (r *Reader) once() error {
	if r.read {
		return errors.New(r.name + "already read")
	}
	r.read = true
	return nil
}
