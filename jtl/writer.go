package jtl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

const (
	// blockSize is how much is gathered before it goes to the file, unless
	// flushDelay passes first.
	blockSize  = 64 << 10
	flushDelay = time.Second
	// keepRow is the largest row buffer that is kept for the next row.
	keepRow = 1 << 20
)

// CreateOptions steers Create.
type CreateOptions struct {
	// OnError, if set, is told once of the first write that failed, so that a run
	// can stop instead of measuring in vain. It is called with no lock held, from
	// any goroutine.
	OnError func(error)
	// OnWarning, if set, is told, while the file is opened, what is lost of an
	// existing one, or hard to read in it afterwards.
	OnWarning func(text string)
}

// Writer writes one result file. Its methods are safe for concurrent use.
//
// Whole rows go to the file, in blocks of 64 KiB or after a second, whatever comes
// first. A process that is killed leaves what it handed over; only when that
// happens inside the system call may the last row be cut.
type Writer struct {
	cfg  *Config
	path string
	opt  CreateOptions
	rows sync.Pool // of *[]byte

	mu      sync.Mutex
	buf     []byte
	timer   *time.Timer
	waiting bool // the timer runs
	file    *os.File
	zip     compressor // nil: plain
	size    int64      // of the file, as far as written whole; -1 for pipes and compressed files
	err     error      // the first one; nothing is written after it
	closed  bool
	taken   int64 // samples
	written int64 // those of them that went to the file, or its compressor
}

// compressor is a gzip.Writer or a zstd.Encoder.
type compressor interface {
	io.WriteCloser
	Flush() error
}

// Create opens a result file for writing and writes its beginning. Missing folders
// are made. A name that ends in .gz or .zst is compressed.
//
// To an existing file it appends as JMeter does: CSV without a second header,
// XML in place of its end tag. Unlike JMeter, it gives an empty CSV file its
// header, ends a last line that was cut off, and keeps the samples of an XML file
// that lacks its end tag; where the columns are other ones, a header line comes
// first. What could not be read there afterwards is refused.
func Create(path string, c *Config, opt CreateOptions) (*Writer, error) {
	if c.Hostname && c.LocalHost == "" {
		named := *c
		named.LocalHost, _ = os.Hostname() // JMeter, too, does without
		c = &named
	}
	w := &Writer{cfg: c, path: path, buf: make([]byte, 0, 2*blockSize)}
	w.rows.New = func() any { b := make([]byte, 0, 1024); return &b }
	warn := opt.OnWarning
	if warn == nil {
		warn = func(string) {}
	}
	if err := w.open(warn); err != nil {
		return nil, fmt.Errorf("results file: %w", err)
	}
	w.timer = time.AfterFunc(time.Hour, w.tick)
	w.timer.Stop()
	if err := w.Flush(); err != nil {
		w.file.Close()
		return nil, err
	}
	w.opt = opt // OnError is for what Create can no longer return
	return w, nil
}

func (w *Writer) open(warn func(string)) error {
	if err := os.MkdirAll(filepath.Dir(w.path), 0o777); err != nil {
		return err
	}
	f, err := openToAppend(w.path)
	if err != nil {
		return err
	}
	w.file, w.size = f, -1
	fresh := true
	compressed := true
	switch {
	case strings.HasSuffix(w.path, ".gz"):
		w.zip = gzip.NewWriter(f)
	case strings.HasSuffix(w.path, ".zst"):
		w.zip, err = zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
	default:
		compressed = false
	}
	var st os.FileInfo
	if err == nil {
		st, err = f.Stat()
	}
	if err == nil && st.Mode().IsRegular() && st.Size() > 0 {
		// In a compressed file a new member begins, where XML needs its frame again,
		// as the end tag is packed.
		fresh = compressed && w.cfg.Format == XML
		err = w.resume(st.Size(), warn)
	}
	if err == nil && st.Mode().IsRegular() && !compressed {
		if st, err = f.Stat(); err == nil {
			w.size = st.Size()
		}
	}
	if err != nil {
		f.Close()
		return err
	}
	if fresh {
		w.buf = w.cfg.AppendStart(w.buf)
	}
	return nil
}

// openToAppend opens a file to write at its end and, where that is possible, to read
// what it has.
func openToAppend(path string) (*os.File, error) {
	st, err := os.Stat(path)
	switch {
	case err == nil && st.Mode()&os.ModeNamedPipe != 0:
		return openPipe(path, st)
	case err == nil && !st.Mode().IsRegular():
		return os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if errors.Is(err, os.ErrPermission) {
		return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	}
	return f, err
}

// openPipe opens a pipe to write alone: who could read from it as well would never
// see that its readers have gone. One in a folder waits for its first reader, as in
// JMeter; to standard output no other comes.
func openPipe(path string, st os.FileInfo) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if !errors.Is(err, syscall.ENXIO) {
		return f, err
	}
	if own, err := os.Stdout.Stat(); err == nil && os.SameFile(own, st) {
		return nil, &os.PathError{Op: "open", Path: path, Err: syscall.EPIPE}
	}
	return os.OpenFile(path, os.O_WRONLY, 0)
}

// AppendStart adds what a new file begins with: the header line of CSV where
// FieldNames asks for it, the start tag of XML.
func (c *Config) AppendStart(dst []byte) []byte {
	switch {
	case c.Format == XML:
		return c.appendXMLStart(dst)
	case c.Format == CSV && c.FieldNames:
		return c.AppendHeader(dst)
	}
	return dst
}

// AppendEnd adds what a whole file ends with: the end tag of XML.
func (c *Config) AppendEnd(dst []byte) []byte {
	if c.Format == XML {
		return append(dst, xmlEnd...)
	}
	return dst
}

// Append adds a sample with its sub-results, in the format of c.
func (c *Config) Append(dst []byte, s *Sample) []byte {
	switch c.Format {
	case XML:
		return c.AppendXML(dst, s)
	case JSON:
		return c.AppendJSON(dst, s)
	}
	return c.AppendRow(dst, s)
}

// Write adds a sample with its sub-results, unless it asks to be ignored. The
// error is the first that the file had, also one of an earlier Write.
func (w *Writer) Write(s *Sample) error {
	if s.Ignore {
		return nil
	}
	row := w.rows.Get().(*[]byte)
	*row = w.cfg.Append((*row)[:0], s)
	err := w.add(*row)
	if cap(*row) <= keepRow {
		w.rows.Put(row)
	}
	return err
}

// add puts the rows of a sample into the block.
func (w *Writer) add(rows []byte) error {
	w.mu.Lock()
	if w.closed && w.err == nil {
		w.mu.Unlock()
		return fmt.Errorf("results file: %s: %w", w.path, os.ErrClosed)
	}
	if w.err != nil {
		err := w.err
		w.mu.Unlock()
		return err
	}
	w.buf = append(w.buf, rows...)
	w.taken++
	failed := false
	switch {
	case w.cfg.Autoflush:
		failed = w.flush(true)
	case len(w.buf) >= blockSize:
		failed = w.flush(false)
	}
	if !w.waiting && (len(w.buf) > 0 || w.zip != nil) {
		w.waiting = true
		w.timer.Reset(flushDelay)
	}
	err := w.err
	w.mu.Unlock()
	w.tell(failed, err)
	return err
}

// tick is the timer's turn.
func (w *Writer) tick() {
	w.mu.Lock()
	w.waiting = false
	w.mu.Unlock()
	w.Flush()
}

// Flush hands all rows to the operating system.
func (w *Writer) Flush() error {
	w.mu.Lock()
	failed := false
	if !w.closed {
		failed = w.flush(true)
	}
	err := w.err
	w.mu.Unlock()
	w.tell(failed, err)
	return err
}

func (w *Writer) tell(failed bool, err error) {
	if failed && w.opt.OnError != nil {
		w.opt.OnError(err)
	}
}

// flush writes the block; with through also what a compressor holds back. It
// tells whether that failed, for the first time.
func (w *Writer) flush(through bool) (failed bool) {
	if w.err != nil {
		return false
	}
	var err error
	held := 0
	if w.cfg.Format == XML && w.zip == nil && !w.closed && bytes.HasSuffix(w.buf, []byte{'\n'}) {
		held = 1 // as in JMeter the line of the last sample ends when something follows
	}
	if n := len(w.buf) - held; n > 0 {
		if w.zip != nil {
			_, err = w.zip.Write(w.buf)
		} else {
			err = w.writeWhole(w.buf[:n])
		}
		if cap(w.buf) > 2*keepRow {
			w.buf = make([]byte, 0, 2*blockSize)
		}
		w.buf = append(w.buf[:0], "\n"[:held]...)
	}
	if err == nil && through && w.zip != nil {
		err = w.zip.Flush()
	}
	if err == nil {
		w.written = w.taken
	}
	return w.fail(err)
}

// Counts tells how many samples went into the file so far, and how many wait.
func (w *Writer) Counts() (written, waiting int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.written, w.taken - w.written
}

func (w *Writer) fail(err error) bool {
	if err == nil || w.err != nil {
		return false
	}
	w.err = fmt.Errorf("results file: %w", err)
	return true
}

// writeWhole writes b or, as far as the file allows, nothing of it: what a full
// disk took of a block is taken back, as it ends inside a row.
func (w *Writer) writeWhole(b []byte) error {
	n, err := w.file.Write(b)
	switch {
	case w.size < 0:
	case err == nil:
		w.size += int64(n)
	case n > 0:
		err = errors.Join(err, w.file.Truncate(w.size))
	}
	return err
}

// Close writes what is left, and the end tag of XML, and closes the file. It
// returns the first error that the file ever had. Closing again does nothing.
func (w *Writer) Close() error {
	w.mu.Lock()
	if w.closed {
		err := w.err
		w.mu.Unlock()
		return err
	}
	w.closed = true
	w.timer.Stop()
	w.buf = w.cfg.AppendEnd(w.buf)
	failed := w.flush(false)
	if w.zip != nil && w.err == nil {
		failed = w.fail(w.zip.Close()) || failed
	}
	failed = w.fail(w.file.Close()) || failed
	err := w.err
	w.mu.Unlock()
	w.tell(failed, err)
	return err
}
