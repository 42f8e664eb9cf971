package jmx

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/beevik/etree"
)

// Read reads the plan in a file. Every error is an [*Error].
//
// A plan has at most 64 MB, 3 million tags and attributes, and 1000 levels; a
// document type with declarations is refused. So reading takes at most about
// 1 GB of memory, and some 12 times its size for a plan as JMeter writes it.
func Read(path string) (*Tree, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, ioError(path, err)
	}
	defer f.Close()
	t, err := Decode(f, path)
	if err != nil {
		return nil, err
	}
	t.Path = path
	return t, nil
}

// Decode reads a plan under the limits of [Read]; name stands for it in errors,
// all of which are [*Error].
func Decode(r io.Reader, name string) (*Tree, error) {
	src, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, ioError(name, err)
	}
	if len(src) > maxBytes {
		return nil, &Error{File: name, Msg: fmt.Sprintf("larger than %d MB", maxBytes>>20)}
	}
	src = utf8Text(src)
	text, lines, bad := scan(src)
	if bad != nil {
		bad.File = name
		return nil, bad
	}
	doc := etree.NewDocument()
	doc.ReadSettings.MaxDepth = maxDepth
	if err := doc.ReadFromBytes(text); err != nil {
		return nil, xmlError(name, src, err)
	}
	d := &decoder{file: name, lines: lines, names: map[string]string{}}
	return d.document(doc)
}

// ioError leaves out of the message what the Error says already.
func ioError(name string, err error) *Error {
	msg := err.Error()
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		msg = pe.Err.Error()
	}
	return &Error{File: name, Msg: msg, err: err}
}

// xmlError adds the place to what etree says.
func xmlError(name string, src []byte, err error) *Error {
	if se := (*xml.SyntaxError)(nil); errors.As(err, &se) {
		return &Error{File: name, Line: se.Line, Where: whereIs(src, se.Line), Msg: "not XML: " + se.Msg, err: err}
	}
	return &Error{File: name, Msg: "not XML: " + err.Error(), err: err}
}
