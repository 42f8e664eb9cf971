package config

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// csvCursor names a place in a file: threads of one cursor share its rows.
type csvCursor struct {
	file string // as written: a.csv and ./a.csv are two
	by   any    // nil, the thread group, the thread, or the name of a cursor
}

type csvFilesKey struct{}

// csvFiles are the files that the CSV Data Sets of a run read.
type csvFiles struct {
	mu   sync.Mutex
	open map[csvCursor]*csvFile
}

func csvFilesOf(r *vu.Run) *csvFiles {
	return vu.Shared(r, csvFilesKey{}, func() *csvFiles { return &csvFiles{open: map[csvCursor]*csvFile{}} })
}

// file returns the file of a cursor. Who asks first sets its encoding, and
// whether its first line is one of names.
func (fs *csvFiles) file(r *vu.Run, c csvCursor, encoding string, header bool) (*csvFile, error) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	f := fs.open[c]
	if f == nil {
		f = &csvFile{name: c.file, path: inWorkOrPlanDir(r, c.file), charset: java.UTF8}
		if encoding != "" {
			cs, ok := java.LookupCharset(encoding)
			if !ok {
				return nil, fmt.Errorf("unknown file encoding %q", encoding)
			}
			f.charset = cs
		}
		fs.open[c] = f
		if header {
			f.mu.Lock()
			f.header, f.headerErr = f.readLine()
			f.hasHeader = true
			f.mu.Unlock()
		}
	}
	switch {
	case header && !f.hasHeader:
		return nil, fmt.Errorf("the header line of %s was read as data by another CSV Data Set", c.file)
	case header && f.headerErr == io.EOF:
		return nil, fmt.Errorf("%s is empty and has no header line", c.file)
	case header && f.headerErr != nil:
		return nil, f.headerErr
	}
	return f, nil
}

// drop closes the file of a cursor that nobody will ask for again.
func (fs *csvFiles) drop(c csvCursor) {
	fs.mu.Lock()
	f := fs.open[c]
	delete(fs.open, c)
	fs.mu.Unlock()
	if f != nil {
		f.close()
	}
}

func (fs *csvFiles) closeAll() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for c, f := range fs.open {
		f.close()
		delete(fs.open, c)
	}
}

// inWorkOrPlanDir is the path of a file: relative to the working directory if
// it is there, else to the folder of the plan.
func inWorkOrPlanDir(r *vu.Run, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	if path := filepath.Join(r.WorkDir, name); exists(path) {
		return path
	}
	return filepath.Join(r.BaseDir, name)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// csvFile is a file that threads read row by row, in turn. Reading ends with
// io.EOF; whoever starts over does so with rewind.
type csvFile struct {
	name, path string
	charset    *java.Charset
	header     string
	hasHeader  bool
	headerErr  error

	mu    sync.Mutex // guards all below
	f     *os.File
	r     *bufio.Reader
	bytes []byte
}

func (f *csvFile) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closeLocked()
}

func (f *csvFile) closeLocked() {
	if f.f != nil {
		f.f.Close()
		f.f, f.r = nil, nil
	}
}

// reader opens the file where it is not open yet.
func (f *csvFile) reader() (*bufio.Reader, error) {
	if f.r != nil {
		return f.r, nil
	}
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, fmt.Errorf("%s is not a file", f.path)
	}
	raw := bufio.NewReader(file)
	if bom, _ := raw.Peek(3); string(bom) == "\ufeff" {
		raw.Discard(3)
	}
	f.f, f.r = file, raw
	if f.charset != java.UTF8 {
		f.r = bufio.NewReader(f.charset.NewReader(raw))
	}
	return f.r, nil
}

// rewind starts over, behind the header line if there is one to skip.
func (f *csvFile) rewind(skipFirst bool) error {
	f.closeLocked()
	if !skipFirst {
		return nil
	}
	if _, err := f.readLine(); err != nil && err != io.EOF {
		return err
	}
	return nil
}

// line hands out the next line, over the end to the start again with recycle.
func (f *csvFile) line(recycle, skipFirst bool) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.readLine()
	if err == io.EOF && recycle {
		if err = f.rewind(skipFirst); err == nil {
			s, err = f.readLine()
		}
	}
	return s, err
}

// record hands out the next record with quotes, appended to dst.
func (f *csvFile) record(dst []string, recycle, skipFirst bool, delimiter rune) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r, err := f.reader()
	if err != nil {
		return dst, err
	}
	if _, err := r.Peek(1); err == io.EOF && recycle {
		if err := f.rewind(skipFirst); err != nil {
			return dst, err
		}
		if r, err = f.reader(); err != nil {
			return dst, err
		}
	}
	return readRecord(r, dst, delimiter)
}

// readLine reads a line as Java's BufferedReader does: it ends with a line feed,
// a carriage return or both; the last one need not end.
func (f *csvFile) readLine() (string, error) {
	r, err := f.reader()
	if err != nil {
		return "", err
	}
	f.bytes = f.bytes[:0]
	for {
		if _, err := r.Peek(1); err != nil {
			if err == io.EOF && len(f.bytes) > 0 {
				break
			}
			return "", err
		}
		chunk, _ := r.Peek(r.Buffered())
		n := bytes.IndexAny(chunk, "\r\n")
		if n < 0 {
			f.bytes = append(f.bytes, chunk...)
			r.Discard(len(chunk))
			continue
		}
		f.bytes = append(f.bytes, chunk[:n]...)
		cr := chunk[n] == '\r'
		r.Discard(n + 1)
		if cr {
			skipLineFeed(r)
		}
		break
	}
	return java.UTF8.Decode(f.bytes), nil
}

func skipLineFeed(r *bufio.Reader) {
	if next, err := r.Peek(1); err == nil && next[0] == '\n' {
		r.Discard(1)
	}
}

// quoteError is a quote where JMeter allows none. What was read up to it is lost.
type quoteError string

func (e quoteError) Error() string { return string(e) }

// readRecord reads one record with quotes, as JMeter does: a quote begins a
// field or stands doubled in a quoted one; quoted fields may hold delimiters and
// line ends. No fields mean the end of the file.
func readRecord(r io.RuneScanner, dst []string, delimiter rune) ([]string, error) {
	const (
		initial = iota
		plain
		quoted
		embedded // a quote inside a quoted field: its end, or the first of two
	)
	state, pushed := initial, false
	var field strings.Builder
	for {
		ch, _, err := r.ReadRune()
		switch {
		case err == io.EOF && state == quoted:
			return dst, quoteError("Missing trailing quote-char in quoted field:[\"" + field.String() + "]")
		case err == io.EOF:
			if field.Len() > 0 || pushed || state == embedded {
				dst = append(dst, field.String())
			}
			return dst, nil
		case err != nil:
			return dst, err
		}
		lineEnd := ch == '\n' || ch == '\r'
		ends := lineEnd || ch == delimiter
		pushed = false
		switch {
		case state == initial && ch == '"':
			state = quoted
		case state == plain && ch == '"':
			return dst, quoteError("Cannot have quote-char in plain field:[" + field.String() + "\"]")
		case state == quoted && ch == '"':
			state = embedded
		case state == embedded && ch == '"':
			field.WriteByte('"')
			state = quoted
		case state == quoted:
			field.WriteRune(ch)
		case ends:
			pushed, state = true, initial
			dst = append(dst, field.String())
			field.Reset()
		case state == embedded:
			return dst, quoteError("Cannot have single quote-char in quoted field:[" + field.String() + "\"]")
		default:
			field.WriteRune(ch)
			state = plain
		}
		if lineEnd && state != quoted {
			if ch == '\r' {
				if next, _, err := r.ReadRune(); err == nil && next != '\n' {
					r.UnreadRune()
				}
			}
			return dst, nil
		}
	}
}

// splitFields cuts a line at the delimiter and keeps empty fields; an empty line
// has none.
func splitFields(dst []string, line, delimiter string) []string {
	if line == "" {
		return dst
	}
	for {
		field, rest, more := strings.Cut(line, delimiter)
		dst = append(dst, field)
		if !more {
			return dst
		}
		line = rest
	}
}

// splitNames cuts a list of variable names: empty ones vanish.
func splitNames(list string) []string {
	for strings.Contains(list, ",,") {
		list = strings.Replace(list, ",,", ",", 1)
	}
	names := splitFields(nil, strings.TrimSuffix(strings.TrimPrefix(list, ","), ","), ",")
	trimAll(names)
	return names
}

func trimAll(names []string) {
	for i, n := range names {
		names[i] = java.Trim(n)
	}
}
