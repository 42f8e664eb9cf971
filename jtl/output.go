package jtl

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Output is a file that is made at one go, out of another one. It has its name
// only once it is whole, so that it may take the place of the file that it is
// made of; until then it has none, where the system can do that, so that nothing
// stays of it when the program is killed. Not safe for concurrent use.
type Output struct {
	path string
	part string // its name until it is whole
	file *os.File
	bare bool // it has no name yet
	buf  *bufio.Writer
	zip  io.WriteCloser
}

// CreateOutput makes a file, compressed if the name ends in .gz or .zst. That one
// exists is an error unless replace is set.
func CreateOutput(path string, replace bool) (*Output, error) {
	if _, err := os.Lstat(path); err == nil && !replace {
		return nil, fmt.Errorf("%s: %w", path, os.ErrExist)
	}
	if ext := filepath.Ext(path); ext == ".bz2" || ext == ".xz" || ext == ".zip" {
		return nil, fmt.Errorf("%s: %s is not written; .gz and .zst are", path, ext)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link stays, what it names is replaced
	}
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", path)
	}
	part := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), os.Getpid()))
	f, err := openNameless(filepath.Dir(path))
	bare := err == nil
	if !bare {
		f, err = os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	}
	o := &Output{path: path, part: part, file: f, bare: bare}
	if err != nil {
		return nil, o.named(err)
	}
	var to io.Writer = namedFile{f, path}
	switch {
	case strings.HasSuffix(path, ".gz"):
		o.zip = gzip.NewWriter(to)
	case strings.HasSuffix(path, ".zst"):
		if o.zip, err = zstd.NewWriter(to); err != nil {
			return nil, errors.Join(err, o.Abandon())
		}
	}
	if o.zip != nil {
		to = o.zip
	}
	o.buf = bufio.NewWriterSize(to, 256<<10)
	return o, nil
}

// namedFile is a file whose errors tell the name that it is to have.
type namedFile struct {
	*os.File
	path string
}

func (f namedFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	if e := (*os.PathError)(nil); errors.As(err, &e) {
		err = &os.PathError{Op: e.Op, Path: f.path, Err: e.Err}
	}
	return n, err
}

// Write adds to the file.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.buf.Write(b)
	return n, o.named(err)
}

// named is an error of the file by the name that the caller knows, not by that of its
// folder or of its part.
func (o *Output) named(err error) error {
	var failed *os.PathError
	var linked *os.LinkError
	switch {
	case errors.As(err, &failed):
		return &os.PathError{Op: failed.Op, Path: o.path, Err: failed.Err}
	case errors.As(err, &linked):
		return &os.PathError{Op: linked.Op, Path: o.path, Err: linked.Err}
	}
	return err
}

// Commit ends the file and gives it its name.
func (o *Output) Commit() error {
	err := o.buf.Flush()
	if o.zip != nil {
		err = errors.Join(err, o.zip.Close())
	}
	if err == nil && o.bare {
		_ = os.Remove(o.part) // of a program of this number that was killed
		err = nameFile(o.file, o.part)
		o.bare = err != nil
	}
	err = errors.Join(err, o.file.Close())
	if err == nil {
		err = os.Rename(o.part, o.path)
	}
	if err != nil {
		return errors.Join(o.named(err), o.remove())
	}
	return nil
}

func (o *Output) remove() error {
	if o.bare {
		return nil
	}
	return os.Remove(o.part)
}

// Unlink leaves nothing behind of a file that is being made by a program which is
// about to end. Unlike the rest it may be called at any time, from any goroutine;
// after Commit it does nothing.
func (o *Output) Unlink() { _ = os.Remove(o.part) }

// Abandon leaves nothing behind.
func (o *Output) Abandon() error {
	return errors.Join(o.file.Close(), o.remove())
}
