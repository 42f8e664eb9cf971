package function

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// failedFile is what functions answer that cannot read their file.
const failedFile = "**ERR**"

// inWorkDir is the path of a file named relative to the working directory.
func inWorkDir(t *vu.Thread, name string) string { return under(t.Run.WorkDir, name) }

// inWorkOrPlanDir looks in the folder of the plan for what is not in the working
// directory.
func inWorkOrPlanDir(t *vu.Thread, name string) string {
	path := inWorkDir(t, name)
	if _, err := os.Stat(path); err == nil {
		return path
	}
	return under(t.Run.BaseDir, name)
}

func under(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}

// openFile opens a file, not a folder.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.IsDir() {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	return f, nil
}

// readLine is Java's BufferedReader.readLine: a line ends with a line feed, a
// carriage return, or both; the last one need not end. It returns io.EOF after it.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		b, err := r.ReadByte()
		switch {
		case err == io.EOF && len(line) > 0:
			return string(line), nil
		case err != nil:
			return "", err
		case b == '\n':
			return string(line), nil
		case b == '\r':
			if next, err := r.Peek(1); err == nil && next[0] == '\n' {
				r.Discard(1)
			}
			return string(line), nil
		}
		line = append(line, b)
	}
}

// charsetOr finds a charset by Java's name for it; def stands for an empty name.
func charsetOr(name string, def *java.Charset) (*java.Charset, error) {
	if name == "" {
		return def, nil
	}
	if cs, ok := java.LookupCharset(name); ok && java.Trim(name) == name {
		return cs, nil
	}
	return nil, &java.Error{Class: "java.nio.charset.UnsupportedCharsetException", Message: name}
}
