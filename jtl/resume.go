package jtl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// resume makes an existing file that is not empty ready for more samples, and
// adds to w.buf what must come before them. What could not be read there
// afterwards is refused, and then nothing was changed.
func (w *Writer) resume(size int64, warn func(string)) error {
	f := w.file
	if w.zip != nil {
		return w.resumeCompressed(warn)
	}
	head := make([]byte, min(size, headSize))
	if _, err := f.ReadAt(head, 0); err != nil {
		return err
	}
	if kind := foreign(head); kind != "" {
		return fmt.Errorf("it holds %s, to which nothing can be appended under this name", kind)
	}
	if enc := xmlCharset(head); isXML(head) && otherCharset(enc) != nil {
		return fmt.Errorf("it is in %s, to which nothing in UTF-8 can be appended", enc)
	}
	if w.cfg.Format == XML {
		dst, dropped, err := resumeXML(w.buf, f, size)
		if w.buf = dst; err == nil && dropped > 0 {
			warn(fmt.Sprintf("results file %s was cut off inside a sample, whose %d bytes are dropped", w.path, dropped))
		}
		return err
	}
	if isXML(head) {
		return errors.New("it holds XML, to which no CSV rows are appended")
	}
	if d, err := detect(head, w.cfg); err == nil && d.info.Format == JSON {
		return errors.New("it holds JSON, to which no CSV rows are appended")
	}
	tail := make([]byte, min(size, 4*blockSize))
	if _, err := f.ReadAt(tail, size-int64(len(tail))); err != nil {
		return err
	}
	if last := tail[len(tail)-1]; last != '\n' && last != '\r' {
		w.buf = append(w.buf, '\n')
	}
	if other, d := w.otherLayout(head); other || d != nil && d.changes(w.path, tail, w.cfg) {
		w.ownHeader(warn)
		return nil
	}
	return w.otherStamps(head, tail, warn)
}

// otherStamps tells of a file whose time stamps, at its end, have another form than
// this run's: unlike gojm, JMeter cannot read such a file. Where one form could pass
// for the other it is an error.
func (w *Writer) otherStamps(head, tail []byte, warn func(string)) error {
	d, err := detect(head, w.cfg)
	at := slices.Index(d.info.Columns, ColTimeStamp)
	if err != nil || at < 0 {
		return nil
	}
	tail = bytes.TrimRight(tail, "\r\n")
	last := tail[bytes.LastIndexByte(tail, d.eol)+1:]
	fields, _, _, err := scanRow(last, d.info.Delimiter, d.ends(), nil)
	if err != nil || len(fields) != len(d.info.Columns) {
		return nil
	}
	own, digits := "ms", false
	if f := w.cfg.DateFormat; f != nil {
		own = f.String()
		_, digits = parseNumber(f.Append(nil, 1_700_000_000_000))
	}
	switch form, _ := timeFormatOf(fields[at].text(last), w.cfg); {
	case form == "" || form == own:
	case form == "ms" && digits:
		return fmt.Errorf("its time stamps are milliseconds, for which those of this run, in the form %s, would be taken", own)
	default:
		warn(fmt.Sprintf("results file %s has time stamps in the form %s, this run writes %s there, which JMeter cannot read together; gojm convert makes them one",
			w.path, form, own))
	}
	return nil
}

// ownHeader gives the rows of this run a header of their own, by which gojm repair
// tells them from those before.
func (w *Writer) ownHeader(warn func(string)) {
	w.buf = w.cfg.AppendHeader(w.buf)
	warn(fmt.Sprintf("results file %s has rows of other columns than this run, which gets a header of its own there; gojm repair makes such a file one", w.path))
}

// resumeCompressed refuses a compressed file that does not end as it should, as
// after a crash: what is appended to it could not be unpacked.
func (w *Writer) resumeCompressed(warn func(string)) error {
	r, err := NewReader(io.NewSectionReader(w.file, 0, math.MaxInt64), ReadOptions{Config: w.cfg})
	var head []byte
	if err == nil {
		defer r.Close()
		head, _ = r.src.Peek(headSize)
		head = bytes.Clone(head)
		_, err = io.Copy(io.Discard, r.src)
	}
	if err != nil {
		return fmt.Errorf("it is not whole, so that nothing can be appended (%w); gojm repair --in-place %s mends it", err, w.path)
	}
	switch info := r.Info(); {
	case info.Compressed == "":
		return errors.New("it is not compressed, as its name says")
	case !strings.HasSuffix(w.path, "."+info.Compressed):
		return fmt.Errorf("it is compressed in another way than its name says, with .%s", info.Compressed)
	case info.Charset != "":
		return fmt.Errorf("it is in %s, to which nothing in UTF-8 can be appended", info.Charset)
	case len(head) > 0 && info.Format != w.cfg.Format:
		return fmt.Errorf("it holds %s, to which no %s is appended", info.Format, w.cfg.Format)
	}
	if w.cfg.Format == CSV {
		if other, _ := w.otherLayout(head); other {
			w.ownHeader(warn)
		} else { // without unpacking it all again, its beginning has to tell
			_, size := cutLine(head, '\n')
			second, _ := cutLine(head[size:], '\n')
			return w.otherStamps(head, second, warn)
		}
	}
	return nil
}

// otherLayout tells whether a CSV file begins with a header of other columns, or
// of another order or delimiter, than this run has. Without a header there is no
// detection either.
func (w *Writer) otherLayout(head []byte) (bool, *detection) {
	d, err := detect(head, w.cfg)
	if err != nil || !d.info.Header {
		return false, nil
	}
	own := detection{eol: '\n'}
	line, _ := cutLine(w.cfg.AppendHeader(nil), '\n')
	return !own.headerWith(line, w.cfg.Delimiter) || !d.sameLayout(&own), &d
}

func (d *detection) sameLayout(o *detection) bool {
	return d.info.Delimiter == o.info.Delimiter && slices.Equal(d.info.Columns, o.info.Columns) &&
		slices.EqualFunc(d.info.Extra, o.info.Extra, func(a, b Extra) bool { return a.Name == b.Name })
}

// changes tells whether the rows of the file do not end in the layout d that they
// begin with. The whole file is read only if the last line of tail, the end of
// it, looks so.
func (d *detection) changes(path string, tail []byte, c *Config) bool {
	tail = bytes.TrimRight(tail, "\r\n")
	last := tail[bytes.LastIndexByte(tail, d.eol)+1:]
	if header := (detection{eol: d.eol}); header.headerWith(last, d.info.Delimiter) {
		return !d.sameLayout(&header)
	}
	fields, _, _, err := scanRow(last, d.info.Delimiter, d.ends(), nil)
	if err == nil && plausible(last, fields, d.info.Columns, c) {
		return false
	}
	_, err = ReadFile(path, ReadOptions{Config: c}, func(int, *Row) error { return nil })
	return errors.As(err, new(*LayoutError))
}

func isXML(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, bom), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<?xml")) || bytes.HasPrefix(head, []byte("<testResults")) || startsSample(head)
}

// foreign names what a file holds that is no plain result file in UTF-8; "" is
// nothing.
func foreign(head []byte) string {
	for _, m := range []struct{ magic, name string }{
		{"\x1f\x8b", "gzip"}, {"\x28\xb5\x2f\xfd", "Zstandard"}, {"\xfd7zXZ\x00", "xz"}, {"BZh", "bzip2"}, {"PK\x03\x04", "a zip archive"},
		{"\xff\xfe", "UTF-16"}, {"\xfe\xff", "UTF-16"},
	} {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.name
		}
	}
	if bytes.IndexByte(head[:min(len(head), 4)], 0) >= 0 {
		return "UTF-16 or no text at all"
	}
	return ""
}
