package jtl

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
)

// Filter chooses samples by their success; sub-results go with their parent.
type Filter uint8

const (
	All Filter = iota
	ErrorsOnly
	SuccessesOnly
)

// FilterOf is the meaning of a listener's two boxes; with both ticked JMeter
// writes everything.
func FilterOf(errorsOnly, successesOnly bool) Filter {
	switch {
	case errorsOnly == successesOnly:
		return All
	case errorsOnly:
		return ErrorsOnly
	}
	return SuccessesOnly
}

// Takes tells whether a sample passes.
func (f Filter) Takes(s *Sample) bool {
	return f == All || s.Success == (f == SuccessesOnly)
}

// Files are the result files of one run. Listeners that name the same file share
// it, with the configuration of the first, and each sample is written to it once.
type Files struct {
	opt CreateOptions

	mu   sync.Mutex
	open map[string]*Writer // by canonical path
	list []*Writer
}

// NewFiles makes an empty set, whose files are opened with opt.
func NewFiles(opt CreateOptions) *Files {
	return &Files{opt: opt, open: map[string]*Writer{}}
}

// Collector is one listener's way into a file.
type Collector struct {
	w      *Writer
	filter Filter
}

// Open opens the file at path, or joins those who have it open.
func (f *Files) Open(path string, c *Config, filter Filter) (*Collector, error) {
	name, err := canonical(path)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.open[name]
	if w == nil {
		if w, err = Create(path, c, f.opt); err != nil {
			return nil, err
		}
		f.open[name] = w
		f.list = append(f.list, w)
	}
	return &Collector{w: w, filter: filter}, nil
}

// canonical is the absolute path without symbolic links, of which the last
// elements need not exist yet.
func canonical(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for dir := path; ; {
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(real, rest), nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return path, nil
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = up
	}
}

// Flush hands all rows of all files to the operating system.
func (f *Files) Flush() error {
	return f.each((*Writer).Flush)
}

// Close closes all files and returns all their errors.
func (f *Files) Close() error {
	return f.each((*Writer).Close)
}

func (f *Files) each(do func(*Writer) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	var err error
	for _, w := range f.list {
		err = errors.Join(err, do(w))
	}
	return err
}

// Write writes the sample if it passes the filter and was not yet written to the
// file. Calls for one Sample must not overlap.
func (c *Collector) Write(s *Sample) error {
	if !c.filter.Takes(s) || slices.Contains(s.written, c.w) {
		return nil
	}
	s.written = append(s.written, c.w)
	return c.w.Write(s)
}

// Counts tells how many samples went into the file so far, of all its listeners,
// and how many wait.
func (c *Collector) Counts() (written, waiting int64) { return c.w.Counts() }
