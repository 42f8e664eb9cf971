package jtl

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Open opens a result file and finds out what it is, by its content: CSV, XML
// or JSON Lines, plain, compressed with gzip, Zstandard or bzip2, or alone in a zip archive; in
// UTF-8, UTF-16 or what XML says it is in. - is standard input. The caller closes it.
func Open(path string, opt ReadOptions) (*Reader, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
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
	compressed, head, err := r.unpack(src, head)
	if err != nil {
		r.Close()
		return nil, err
	}
	head, r.d.info.Charset = decodeUTF16(head)
	charset := r.d.info.Charset
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
	r.d.info.Compressed, r.d.info.Charset = compressed, charset
	r.src = head
	if r.d.info.Format == XML && charset == "" {
		name := xmlCharset(first)
		// What could be read so far is in no charset of 16 or 32 bits.
		if c := otherCharset(name); c != nil && !strings.HasPrefix(strings.ToUpper(name), "UTF") {
			r.src = bufio.NewReaderSize(c.NewReader(head), headSize)
			r.d.info.Charset = name
		}
	}
	return r, nil
}

// unpack looks at what the file begins with, and unpacks it.
func (r *Reader) unpack(src io.Reader, head *bufio.Reader) (compressed string, _ *bufio.Reader, err error) {
	magic, _ := head.Peek(10)
	var z io.Reader
	switch {
	case bytes.HasPrefix(magic, []byte("\x1f\x8b")):
		unzip, err := newGzipReader(head)
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return "", nil, errors.New("the file is cut off at its beginning, inside the header of gzip")
		}
		if err != nil {
			return "", nil, &DamagedError{err}
		}
		compressed, z = "gz", unzip
		r.closers = append(r.closers, unzip.Close)
	case bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")):
		unzip, err := zstd.NewReader(head)
		if err != nil {
			return "", nil, fmt.Errorf("zstd: %w", err)
		}
		compressed, z = "zst", unzip
		r.closers = append(r.closers, func() error { unzip.Close(); return nil })
	case len(magic) >= 10 && bytes.HasPrefix(magic, []byte("BZh")) && (string(magic[4:]) == bzip2Block || string(magic[4:]) == bzip2End):
		compressed, z = "bz2", bzip2.NewReader(head)
	case bytes.HasPrefix(magic, []byte("PK\x03\x04")), bytes.HasPrefix(magic, []byte("PK\x05\x06")):
		member, err := openZip(src)
		if err != nil {
			return "", nil, err
		}
		compressed, z = "zip", member
		r.closers = append(r.closers, member.Close)
	default:
		return "", head, unreadable(magic)
	}
	return compressed, bufio.NewReaderSize(unpacked{z}, headSize), nil
}

// gzipReader unpacks members of gzip one after the other; zeros behind one, as a tape
// or a preallocated file has them, are passed over, as gzip does.
type gzipReader struct {
	*gzip.Reader
	src *bufio.Reader
}

func newGzipReader(src *bufio.Reader) (*gzipReader, error) {
	z, err := gzip.NewReader(src)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gzipReader{z, src}, nil
}

func (g *gzipReader) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	for err == io.EOF && n == 0 {
		next, none := g.src.Peek(1)
		for none == nil && next[0] == 0 {
			_, _ = g.src.Discard(1)
			next, none = g.src.Peek(1)
		}
		if none != nil {
			return 0, none
		}
		if err = g.Reset(g.src); err != nil {
			return 0, err
		}
		g.Multistream(false)
		n, err = g.Reader.Read(p)
	}
	if n > 0 && err == io.EOF {
		err = nil // there may be another member
	}
	return n, err
}

// What a block of bzip2 begins with, and the end of the last.
const (
	bzip2Block = "\x31\x41\x59\x26\x53\x59"
	bzip2End   = "\x17\x72\x45\x38\x50\x90"
)

// openZip opens the only file in a zip archive.
func openZip(src io.Reader) (io.ReadCloser, error) {
	at, size, err := sizedReaderAt(src)
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(at, size)
	if err != nil {
		if cut := cutZip(at, size); cut != nil {
			return cut, nil
		}
		return nil, fmt.Errorf("the zip archive cannot be read: %w", err)
	}
	var files []*zip.File
	for _, f := range archive.File {
		if !f.FileInfo().IsDir() && !strings.HasPrefix(f.Name, "__MACOSX/") {
			files = append(files, f)
		}
	}
	switch {
	case len(files) == 0:
		return nil, errors.New("the zip archive holds no file")
	case len(files) > 1:
		return nil, fmt.Errorf("the zip archive holds %d files (%.80q, %.80q ...); unpack it and name one", len(files), files[0].Name, files[1].Name)
	case files[0].Flags&1 != 0:
		return nil, errors.New("the zip archive has a password; unpack it")
	}
	f, err := files[0].Open()
	if err != nil {
		return nil, fmt.Errorf("the zip archive: %w", err)
	}
	return f, nil
}

// cutZip is what there is of the first file of an archive that lacks its end, where the
// list of its files would be; nil if that cannot be told.
func cutZip(at io.ReaderAt, size int64) io.ReadCloser {
	const fixed, deflated = 30, 8
	var head [fixed]byte
	if _, err := at.ReadAt(head[:], 0); err != nil {
		return nil
	}
	field := func(pos int) int64 { return int64(binary.LittleEndian.Uint16(head[pos:])) }
	from := fixed + field(26) + field(28) // behind the name and what else is told of it
	if !bytes.HasPrefix(head[:], []byte("PK\x03\x04")) || field(6)&1 != 0 || field(8) != deflated || from >= size {
		return nil
	}
	return cutReader{flate.NewReader(io.NewSectionReader(at, from, size-from))}
}

// cutReader ends as what is cut off does.
type cutReader struct{ io.Reader }

func (c cutReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (cutReader) Close() error { return nil }

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
	switch r.d.info.Format {
	case XML:
		rep, err = r.readXML(visit)
	case JSON:
		rep, err = r.readJSON(visit)
	default:
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
	if r.d.info.Format != CSV {
		if err := r.once(); err != nil {
			return nil, err
		}
		read := r.readXMLSamples
		if r.d.info.Format == JSON {
			read = r.readJSONSamples
		}
		rep, err := read(visit)
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
