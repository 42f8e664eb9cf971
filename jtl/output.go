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
// made of. Not safe for concurrent use.
type Output struct {
	path string
	file *os.File
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
	f, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	o := &Output{path: path, file: f}
	switch {
	case strings.HasSuffix(path, ".gz"):
		o.zip = gzip.NewWriter(f)
	case strings.HasSuffix(path, ".zst"):
		if o.zip, err = zstd.NewWriter(f); err != nil {
			return nil, errors.Join(err, o.Abandon())
		}
	}
	var to io.Writer = f
	if o.zip != nil {
		to = o.zip
	}
	o.buf = bufio.NewWriterSize(to, 256<<10)
	return o, nil
}

// Write adds to the file.
func (o *Output) Write(b []byte) (int, error) { return o.buf.Write(b) }

// Commit ends the file and gives it its name.
func (o *Output) Commit() error {
	err := o.buf.Flush()
	if o.zip != nil {
		err = errors.Join(err, o.zip.Close())
	}
	err = errors.Join(err, o.file.Close())
	if err == nil {
		err = os.Rename(o.file.Name(), o.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(o.file.Name()))
	}
	return nil
}

// Unlink leaves nothing behind of a file that is being made by a program which is
// about to end. Unlike the rest it may be called at any time, from any goroutine;
// after Commit it does nothing.
func (o *Output) Unlink() { _ = os.Remove(o.file.Name()) }

// Abandon leaves nothing behind.
func (o *Output) Abandon() error {
	return errors.Join(o.file.Close(), os.Remove(o.file.Name()))
}
