package function

import (
	"bufio"
	"io"
	"log/slog"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__StringFromFile", Title: "the next line of a file or of a sequence of files",
		Args: "file, var=StringFromFile_, first number?, last number?", Min: 1, Max: 4, Compile: compileStringFromFile,
	})
}

// lineReader is one occurrence of the function: a reader that all threads share.
type lineReader struct {
	name, start, end expr.Text
	sequence         bool // numbers were given
	variable         target

	mu      sync.Mutex
	tried   bool // opened once; a file that was not there is not looked for again
	current int32
	counts  bool // current is set
	last    int32
	ends    bool // last is set
	file    *os.File
	lines   *bufio.Reader
}

func compileStringFromFile(c *expr.Call) (expr.Eval, error) {
	r := &lineReader{name: c.Arg(0), start: c.Arg(2), end: c.Arg(3), sequence: len(c.Args) > 2}
	if len(c.Args) > 1 {
		r.variable = newTarget(c, 1, trimmed)
	} else {
		r.variable = constTarget(c, "StringFromFile_", trimmed)
	}
	return func(dst []byte, t *vu.Thread) []byte {
		line, ok := r.next(t)
		if !ok { // the file is empty: Java's null
			return r.variable.null(dst, t)
		}
		return r.variable.yield(dst, t, line)
	}, nil
}

// next returns the next line; there is none in an empty file. It ends the thread
// after the last file of a sequence.
func (r *lineReader) next(t *vu.Thread) (line string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.tried {
		r.open(t)
		r.tried = true
	}
	if r.lines != nil {
		line, err := readLine(r.lines)
		if err == io.EOF {
			r.open(t)
			if r.lines == nil {
				return r.noFile(t), true
			}
			if line, err = readLine(r.lines); err == io.EOF {
				return "", false
			}
		}
		if err != nil || !utf8.ValidString(line) {
			errorf(t, "StringFromFile", "Error reading file %s: %v", r.file.Name(), err)
			return failedFile, true
		}
		return line, true
	}
	return r.noFile(t), true
}

func (r *lineReader) noFile(t *vu.Thread) string {
	if r.ends {
		logf(t, slog.LevelInfo, "StringFromFile", "%s - Detected end of sequence.", t.Name)
		vu.Throw(vu.ErrStopThread)
	}
	return failedFile
}

// open opens the file, or the next of the sequence. Nothing is open when it cannot.
func (r *lineReader) open(t *vu.Thread) {
	r.file.Close()
	r.file, r.lines = nil, nil
	name := r.name.Eval(t)
	first, counts := r.number(t, r.start, 2)
	if !r.counts {
		r.current, r.counts = 1, true
		if counts {
			r.current = first
		}
	}
	r.last, r.ends = r.number(t, r.end, 3)
	if r.sequence {
		if r.ends && r.current > r.last {
			logf(t, slog.LevelInfo, "StringFromFile", "%s - No more files to process, %d > %d", t.Name, r.current, r.last)
			return
		}
		if counts {
			f, err := java.ParseDecimalFormat(name)
			if err != nil {
				throwJava(err)
			}
			name = f.FormatLong(int64(r.current))
		}
		r.current++
	}
	logf(t, slog.LevelInfo, "StringFromFile", "%s - opening file %s", t.Name, name)
	f, err := openFile(inWorkDir(t, name))
	if err != nil {
		errorf(t, "StringFromFile", "%s - Error opening file: %v", t.Name, err)
		return
	}
	r.file, r.lines = f, bufio.NewReader(f)
}

// number reads one end of the sequence; ok is false where there is none.
func (r *lineReader) number(t *vu.Thread, x expr.Text, arg int) (n int32, ok bool) {
	s := x.Eval(t)
	n, ok = vu.ParseInt(s)
	if !ok && r.sequence && (arg == 2 || s != "") {
		warnf(t, "StringFromFile", "Exception parsing %q as int, value will not be considered as a number of the sequence", s)
	}
	return n, ok
}
