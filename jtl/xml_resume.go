package jtl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

const xmlEndTag = "</testResults>"

// resumeXML cuts an XML result file so that samples can be appended: before its
// end tag or, when a crash left it without, after its last whole sample. It tells
// how many bytes of a cut sample were dropped, and adds to dst what must come
// before the next sample. A file that is no XML result file, or is damaged other
// than by a cut, is an error and stays as it is.
func resumeXML(dst []byte, f *os.File, size int64) (_ []byte, dropped int64, err error) {
	end, err := endTagAt(f, size)
	if err == nil && end < 0 {
		if end, dropped, err = scanXML(io.NewSectionReader(f, 0, math.MaxInt64)); err != nil {
			err = fmt.Errorf("%s: %w", f.Name(), err)
		}
	}
	if err != nil {
		return dst, 0, err
	}
	var last [1]byte
	if _, err := f.ReadAt(last[:], end-1); err != nil {
		return dst, 0, err
	}
	if last[0] != '\n' {
		dst = append(dst, '\n')
	}
	return dst, dropped, f.Truncate(end)
}

// endTagAt finds the end tag, behind which nothing but blanks stands; -1 is
// nowhere.
func endTagAt(f *os.File, size int64) (int64, error) {
	const tail = 1024
	b := make([]byte, min(size, tail))
	start := size - int64(len(b))
	if _, err := f.ReadAt(b, start); err != nil {
		return 0, err
	}
	b = bytes.TrimRight(b, " \t\r\n")
	if i := len(b) - len(xmlEndTag); i > 0 && string(b[i:]) == xmlEndTag {
		return start + int64(i), nil
	}
	return -1, nil
}

// scanXML finds where the last whole top-level sample ends, with its line, in a
// file without an end tag. rest counts the bytes after it, but for blanks.
func scanXML(src io.Reader) (end, rest int64, err error) {
	s := &xmlScanner{src: bufio.NewReaderSize(src, headSize)}
	for err == nil {
		err = s.next()
	}
	switch {
	case err != io.EOF:
		return 0, 0, err
	case s.end == 0:
		return 0, 0, errNoResults
	}
	if s.blank {
		return s.end, 0, nil
	}
	return s.end, s.at - s.end, nil
}

var errNoResults = errors.New("exists and is no XML result file")

// xmlScanner goes through the tags of a result file, without a look at what they
// hold. It passes nothing that is not well-formed: where a cut went unnoticed,
// what is whole could no longer be told.
type xmlScanner struct {
	src   *bufio.Reader
	at    int64    // what was read
	open  []string // the elements that are
	end   int64    // behind the last whole top-level sample, or the start tag
	blank bool     // nothing but blanks came after it
}

// next passes text and the tag after it. io.EOF is the end of the file, also one
// inside a tag.
func (s *xmlScanner) next() error {
	if err := s.text(); err != nil {
		return err
	}
	begin := s.at - 1
	s.blank = false
	c, err := s.byte()
	if err != nil {
		return err
	}
	switch c {
	case '?':
		return s.until("?>")
	case '!':
		return s.declaration()
	}
	name, slash := []byte{c}, false
	for inName, quote := true, byte(0); ; {
		if c, err = s.byte(); err != nil {
			return err
		}
		switch {
		case c == '<':
			return s.damaged("a tag inside a tag")
		case quote != 0:
			if c == quote {
				quote = 0
			}
			continue
		case c == '>':
			return s.tag(string(name), slash, begin)
		case c == '"' || c == '\'':
			quote = c
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '/':
			inName = false
		case inName && len(name) < 1000:
			name = append(name, c)
		}
		slash = c == '/'
	}
}

// tag opens or closes an element.
func (s *xmlScanner) tag(name string, empty bool, begin int64) error {
	depth := len(s.open)
	switch {
	case name[0] == '/':
		name, empty = name[1:], true
		if depth == 0 || s.open[depth-1] != name {
			return s.damaged("an end tag </" + name + "> that ends nothing")
		}
		s.open = s.open[:depth-1]
		depth--
	case depth == 0 && (s.end > 0 || name != "testResults" || empty):
		return errNoResults
	case !empty:
		s.open = append(s.open, name)
	}
	if depth == 0 && empty { // the end tag: nothing else may follow
		s.end, s.blank = begin, true
		if err := s.text(); err != nil {
			return err
		}
		return s.damaged("more after the end tag")
	}
	if depth == 0 || depth == 1 && empty {
		s.end, s.blank = s.at, true
		return s.line()
	}
	return nil
}

// line passes the end of a line.
func (s *xmlScanner) line() error {
	b, _ := s.src.Peek(2)
	n := 0
	if bytes.HasPrefix(b, []byte("\r\n")) {
		n = 2
	} else if bytes.HasPrefix(b, []byte("\n")) {
		n = 1
	}
	_, err := s.src.Discard(n)
	s.at += int64(n)
	s.end = s.at
	return err
}

// text passes what stands before the next tag, and its <.
func (s *xmlScanner) text() error {
	for {
		b, err := s.src.ReadSlice('<')
		t := bytes.TrimSuffix(b, []byte("<"))
		if s.at == 0 {
			t = bytes.TrimPrefix(t, bom)
		}
		s.at += int64(len(b))
		if len(bytes.TrimLeft(t, " \t\r\n")) > 0 {
			if len(s.open) == 0 && s.end == 0 {
				return errNoResults
			}
			s.blank = false
		}
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}

// declaration passes a comment, a CDATA section or a document type.
func (s *xmlScanner) declaration() error {
	b, _ := s.src.Peek(7)
	switch {
	case bytes.HasPrefix(b, []byte("--")):
		return s.until("-->")
	case bytes.HasPrefix(b, []byte("[CDATA[")):
		return s.until("]]>")
	}
	return s.until(">")
}

// until passes all up to the text that ends it.
func (s *xmlScanner) until(stop string) error {
	seen := make([]byte, 0, 4)
	for {
		c, err := s.byte()
		if err != nil {
			return err
		}
		if len(seen) == len(stop) {
			seen = append(seen[:0], seen[1:]...)
		}
		if seen = append(seen, c); string(seen) == stop {
			return nil
		}
	}
}

func (s *xmlScanner) byte() (byte, error) {
	c, err := s.src.ReadByte()
	if err == nil {
		s.at++
	}
	return c, err
}

func (s *xmlScanner) damaged(why string) error {
	return fmt.Errorf("it is damaged at byte %d, so that nothing can be appended (%s); gojm repair copies what can be read of it", s.at, why)
}
