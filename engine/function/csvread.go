package function

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__CSVRead", Title: "a column of the thread's row of a file", Args: "file or *alias, column or next or *alias",
		Min: 2, Max: 2, Compile: compileCSVRead,
	})
}

type csvKey struct{}

// csvFiles are the files that the run has read, by the name or alias they were
// opened with.
type csvFiles struct {
	rows vu.Slot[map[string]*csvRow]

	mu    sync.Mutex
	files map[string]*csvFile
	first string // stands for a file without a name while it is the only one
}

// csvFile is a whole file; its rows are handed out to all threads in turn.
type csvFile struct {
	rows [][]string
	mu   sync.Mutex
	next int
}

// csvRow is the place of one thread in a file.
type csvRow struct {
	file *csvFile
	row  int // noRow until a column is asked for
}

const noRow = -1

func compileCSVRead(c *expr.Call) (expr.Eval, error) {
	files := runShared(c, csvKey{}, func() *csvFiles {
		return &csvFiles{rows: vu.NewSlot[map[string]*csvRow](c.Slots), files: map[string]*csvFile{}}
	})
	file, column := c.Arg(0), c.Arg(1)
	return func(dst []byte, t *vu.Thread) []byte {
		name, what := file.Eval(t), column.Eval(t)
		switch {
		case strings.HasPrefix(what, "*"):
			files.open(t, files.named(t, name), what)
		case what == "next", what == "next()":
			files.release(t, files.named(t, name))
		default:
			n, ok := vu.ParseInt(what)
			if !ok {
				warnf(t, "CSVRead", "%s - can't parse column number: %s", t.Name, what)
				return dst
			}
			return append(dst, files.column(t, name, int(n))...)
		}
		return dst
	}, nil
}

// named is the file of that name, the only one where the name is empty.
func (f *csvFiles) named(t *vu.Thread, name string) string {
	if name != "" {
		return name
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.files) == 1 && f.first != "" {
		warnf(t, "FileWrapper", "Using default: %s", f.first)
		return f.first
	}
	errorf(t, "FileWrapper", "Cannot determine default file name")
	return name
}

// open attaches the thread to a file by a name.
func (f *csvFiles) open(t *vu.Thread, file, alias string) *csvRow {
	mine := f.rows.Of(t)
	if r := (*mine)[alias]; r != nil {
		return r
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	shared := f.files[alias]
	if shared == nil {
		rows, err := readCSV(inWorkOrPlanDir(t, file), t.Run.Props.Get("csvread.delimiter", ","))
		if err != nil {
			warnf(t, "FileWrapper", "Could not open %s: %v", file, err)
			return nil
		}
		shared = &csvFile{rows: rows}
		f.files[alias] = shared
		if f.first == "" {
			f.first = file
		}
	}
	if *mine == nil {
		*mine = map[string]*csvRow{}
	}
	r := &csvRow{shared, noRow}
	(*mine)[alias] = r
	return r
}

// release gives the thread's row up, so that the next column is of a new one.
func (f *csvFiles) release(t *vu.Thread, name string) {
	r := (*f.rows.Of(t))[name]
	switch {
	case r == nil:
		warnf(t, "FileWrapper", "endRow(): no entry for %s", name)
		return
	case r.row == noRow:
		warnf(t, "FileWrapper", "endRow() called twice in succession")
	}
	r.row = noRow
}

func (f *csvFiles) column(t *vu.Thread, name string, column int) string {
	r := (*f.rows.Of(t))[name]
	if r == nil {
		if strings.HasPrefix(name, "*") {
			warnf(t, "FileWrapper", "Cannot perform initial open using alias %s", name)
			return ""
		}
		name = f.named(t, name)
		if r = f.open(t, name, name); r == nil {
			return ""
		}
	}
	if r.row == noRow {
		r.row = r.file.take()
	}
	if r.row < len(r.file.rows) && column >= 0 && column < len(r.file.rows[r.row]) {
		return r.file.rows[r.row][column]
	}
	warnf(t, "CSVRead", "%s - invalid column number: %d at row %d", t.Name, column, r.row)
	return ""
}

// take hands out the next row.
func (f *csvFile) take() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	row := f.next
	if f.next++; f.next >= len(f.rows) {
		f.next = 0
	}
	return row
}

// readCSV reads a file up to its first empty line.
func readCSV(path, delimiter string) ([][]string, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	var rows [][]string
	for {
		line, err := readLine(r)
		switch {
		case err == io.EOF || err == nil && line == "":
			return rows, nil
		case err != nil:
			return nil, err
		case !utf8.ValidString(line):
			return nil, errors.New("not UTF-8")
		}
		rows = append(rows, splitRow(line, delimiter))
	}
}

// splitRow cuts a line at each delimiter. Of a delimiter longer than one character
// each counts as a column of its own, as in JMeter.
func splitRow(line, delimiter string) []string {
	var row []string
	last := delimiter
	for line != "" {
		n := strings.IndexAny(line, delimiter)
		switch {
		case n < 0:
			n = len(line)
		case n == 0:
			_, n = utf8.DecodeRuneInString(line)
		}
		token := line[:n]
		line = line[n:]
		if token != delimiter {
			row = append(row, token)
		} else if last == delimiter {
			row = append(row, "")
		}
		last = token
	}
	if last == delimiter {
		row = append(row, "")
	}
	return row
}
