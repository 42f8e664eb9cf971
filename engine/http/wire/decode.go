package wire

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash"
	"hash/adler32"
	"hash/crc32"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// decoder undoes one content coding. Its errors are those JMeter reports, of
// type *Error, or io.EOF.
type decoder interface {
	io.Reader
	free() // returns it to its pool, with those it reads from
}

// newDecoder returns what undoes the codings in the list value, nil for nothing
// to do. Unknown ones are passed over. As in HttpClient, the first of several
// is undone first.
func newDecoder(src io.Reader, value []byte, o *Options) decoder {
	var d decoder
	if o.URLConnection && string(trim(value)) != "gzip" {
		return nil
	}
	for more := true; more; {
		var name []byte
		name, value, more = bytes.Cut(value, []byte{','})
		name, _, _ = bytes.Cut(name, []byte{';'})
		name = trim(name)
		from, inner := src, d
		if d != nil {
			from = d
		}
		switch {
		case equalFold(name, "gzip"), equalFold(name, "x-gzip"):
			in := newInflater(from, inner, formGzip, o.RelaxGzip)
			in.strict = o.URLConnection
			d = in
		case equalFold(name, "deflate"):
			d = newInflater(from, inner, formDeflate, o.RelaxDeflate)
		case equalFold(name, "br"):
			d = newBrotli(from, inner)
		case o.Zstd && equalFold(name, "zstd"):
			d = newZstd(from, inner)
		}
	}
	return d
}

// form is what stands around deflated data.
type form byte

const (
	formGzip    form = iota
	formDeflate      // zlib or nothing, as the first two bytes tell
	formZlib
	formRaw
)

// inflater does what GZIPInputStream, and HttpClient's DeflateInputStream, do.
type inflater struct {
	src   *bufio.Reader
	flate io.ReadCloser
	inner decoder
	form  form
	relax bool // a cut end is an end

	strict bool // of Options.URLConnection: nothing is read on behind a bad header

	begun bool    // a header has been read, data follows
	first [2]byte // of the data
	out   int64
	crc   uint32
	adler hash.Hash32
	err   error

	scratch [10]byte // of headers and trailers
}

var inflaters = sync.Pool{New: func() any {
	src := bufio.NewReaderSize(nil, 4<<10)
	return &inflater{src: src, flate: flate.NewReader(src), adler: adler32.New()}
}}

func newInflater(src io.Reader, inner decoder, f form, relax bool) *inflater {
	d := inflaters.Get().(*inflater)
	d.src.Reset(src)
	*d = inflater{src: d.src, flate: d.flate, adler: d.adler, inner: inner, form: f, relax: relax}
	return d
}

func (d *inflater) free() {
	freeInner(d.inner)
	d.src.Reset(nil)
	d.inner = nil
	inflaters.Put(d)
}

func freeInner(inner decoder) {
	if inner != nil {
		inner.free()
	}
}

func (d *inflater) Read(p []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.read(p)
	if e, ok := err.(*Error); ok && d.relax && e.Class == classEOF {
		err = io.EOF
	}
	d.err = err
	return n, err
}

func (d *inflater) read(p []byte) (int, error) {
	for {
		if !d.begun {
			if err := d.begin(); err != nil {
				return 0, err
			}
		}
		n, err := d.flate.Read(p)
		d.out += int64(n)
		switch d.form {
		case formGzip:
			d.crc = crc32.Update(d.crc, crc32.IEEETable, p[:n])
		case formZlib:
			d.adler.Write(p[:n])
		}
		if err == io.EOF {
			err = d.finish()
		} else if err != nil {
			err = d.inflateError(err)
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// begin reads what precedes the data.
func (d *inflater) begin() error {
	switch d.form {
	case formGzip:
		if err := d.gzipHeader(); err != nil {
			return err
		}
		d.crc = 0
	case formDeflate:
		b, err := d.src.Peek(2)
		if err == io.EOF {
			return zipError("Unexpected end of stream")
		}
		if err != nil {
			return err
		}
		d.form = formRaw
		if b[0]&15 == 8 && b[0]>>4 <= 7 && (int(b[0])<<8|int(b[1]))%31 == 0 {
			d.form = formZlib
			d.src.Discard(2)
			d.adler.Reset()
		}
	}
	d.begun, d.out = true, 0
	b, _ := d.src.Peek(2)
	d.first = [2]byte{}
	copy(d.first[:], b)
	return d.flate.(flate.Resetter).Reset(d.src, nil)
}

// finish checks what follows the data; nil says that another gzip member
// begins.
func (d *inflater) finish() error {
	switch d.form {
	case formGzip:
		b, err := d.full(8)
		if err != nil {
			return err
		}
		if binary.LittleEndian.Uint32(b) != d.crc || binary.LittleEndian.Uint32(b[4:]) != uint32(d.out) {
			return zipError("Corrupt GZIP trailer")
		}
		// Whatever follows and is no further member is passed over.
		if _, err := d.src.Peek(1); err != nil || d.begin() != nil {
			return io.EOF
		}
		return nil
	case formZlib:
		b, err := d.full(4)
		if e := (*Error)(nil); errors.As(err, &e) && e.Class == classEOF {
			return d.inflateError(io.ErrUnexpectedEOF)
		}
		if err != nil {
			return err
		}
		if binary.BigEndian.Uint32(b) != d.adler.Sum32() {
			return zipError("incorrect data check")
		}
	}
	return io.EOF
}

// gzipHeader follows RFC 1952, 2.3, and checks as early as Java does.
func (d *inflater) gzipHeader() error {
	d.crc = 0
	b, err := d.summed(2)
	if err != nil {
		return err
	}
	if b[0] != 0x1f || b[1] != 0x8b {
		return zipError("Not in GZIP format")
	}
	if b, err = d.summed(1); err != nil {
		return err
	}
	if b[0] != 8 {
		return zipError("Unsupported compression method")
	}
	if b, err = d.summed(7); err != nil {
		return err
	}
	flags := b[0]
	if flags&4 != 0 { // extra field
		if b, err = d.summed(2); err != nil {
			return err
		}
		for n := binary.LittleEndian.Uint16(b); n > 0; n-- {
			if _, err = d.summed(1); err != nil {
				return err
			}
		}
	}
	for _, flag := range [...]byte{8, 16} { // name, comment
		for flags&flag != 0 {
			if b, err = d.summed(1); err != nil {
				return err
			}
			if b[0] == 0 {
				break
			}
		}
	}
	if flags&2 != 0 { // check of the header
		sum := uint16(d.crc)
		if b, err = d.full(2); err != nil {
			return err
		}
		if binary.LittleEndian.Uint16(b) != sum {
			return zipError("Corrupt GZIP header")
		}
	}
	return nil
}

// summed is full for bytes that the check of a header covers.
func (d *inflater) summed(n int) ([]byte, error) {
	b, err := d.full(n)
	d.crc = crc32.Update(d.crc, crc32.IEEETable, b)
	return b, err
}

// full reads n bytes, valid until the next call; the end before that is Java's
// EOFException without a text.
func (d *inflater) full(n int) ([]byte, error) {
	b := d.scratch[:n]
	for i := range b {
		c, err := d.src.ReadByte()
		if err == io.EOF {
			return nil, &Error{Class: classEOF, NoMessage: true, Cause: io.ErrUnexpectedEOF}
		}
		if err != nil {
			return nil, err
		}
		b[i] = c
	}
	return b, nil
}

// inflateError names a failure inside deflated data. zlib's text is known when
// the first block is of a bad or of the stored kind; among the other texts the
// commonest is taken.
func (d *inflater) inflateError(err error) error {
	var known *Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Error{Class: classEOF, Message: "Unexpected end of ZLIB input stream", Cause: err}
	}
	e := zipError("invalid distance too far back")
	if d.out == 0 {
		switch first := d.first[0]; first >> 1 & 3 {
		case 0:
			e.Message = "invalid stored block lengths"
		case 2:
			if e.Message = "invalid code lengths set"; first>>3 > 29 || d.first[1]&31 > 29 {
				e.Message = "too many length or distance symbols"
			}
		case 3:
			e.Message = "invalid block type"
		}
	}
	e.Cause = err
	return e
}

const classEOF = "java.io.EOFException"

func zipError(message string) *Error {
	return &Error{Class: "java.util.zip.ZipException", Message: message}
}

// brotliDecoder has one text for all failures, those of the connection too, as
// JMeter's has.
type brotliDecoder struct {
	r     brotli.Reader
	src   brotliSource
	inner decoder
}

// brotliSource watches what a brotliDecoder reads: Java's decoder fills its buffer
// before it begins.
type brotliSource struct {
	io.Reader
	n   int
	cut bool // reading failed before the buffer was full
}

const brotliBuffer = 4096

// fill reads on until the buffer would be full.
func (s *brotliSource) fill() {
	var b [512]byte
	for err := error(nil); err == nil && s.n < brotliBuffer; {
		_, err = s.Read(b[:])
	}
}

func (s *brotliSource) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.n += n
	s.cut = s.cut || err != nil && err != io.EOF && s.n < brotliBuffer
	return n, err
}

var brotlis = sync.Pool{New: func() any { return new(brotliDecoder) }}

func newBrotli(src io.Reader, inner decoder) decoder {
	d := brotlis.Get().(*brotliDecoder)
	d.inner = inner
	d.src = brotliSource{Reader: src}
	d.r.Reset(&d.src)
	return d
}

func (d *brotliDecoder) free() {
	freeInner(d.inner)
	d.inner, d.src = nil, brotliSource{}
	d.r.Reset(nil)
	brotlis.Put(d)
}

func (d *brotliDecoder) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		message := "Brotli stream decoding failed"
		if d.src.fill(); d.src.cut {
			message = "Brotli decoder initialization failed"
		}
		err = &Error{Class: "java.io.IOException", Message: message, Cause: err}
	}
	return n, err
}

// zstdDecoder is beyond JMeter: see Options.Zstd.
type zstdDecoder struct {
	r     *zstd.Decoder
	inner decoder
}

// The window bound is that of RFC 8878, 3.1.1.1.2. Concurrency 1 starts no
// goroutines.
var zstds = sync.Pool{New: func() any {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		panic(err) // only for options out of range
	}
	return &zstdDecoder{r: r}
}}

func newZstd(src io.Reader, inner decoder) decoder {
	d := zstds.Get().(*zstdDecoder)
	d.inner = inner
	d.r.Reset(src)
	return d
}

func (d *zstdDecoder) free() {
	freeInner(d.inner)
	d.inner = nil
	d.r.Reset(nil)
	zstds.Put(d)
}

func (d *zstdDecoder) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	var known *Error
	if err != nil && err != io.EOF && !errors.As(err, &known) {
		err = &Error{Class: "java.io.IOException", Message: "zstd: " + err.Error(), Cause: err}
	}
	return n, err
}
