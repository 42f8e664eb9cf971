package jmx

import "strconv"

// Error says why a file is no plan that JMeter would load. Every error of
// reading is one, except that a failure of the operating system is found below
// it with errors.Is (fs.ErrNotExist, for example).
type Error struct {
	File  string // path or name given to the reader
	Line  int    // from 1; 0 when the whole file is meant
	Where string // place in the tree, "" when unknown
	Msg   string

	err error // cause, if another package failed
}

// Error reads `plan.jmx:12: Test Plan > "Users": what is wrong`.
func (e *Error) Error() string {
	s := e.File
	if e.Line > 0 {
		s += ":" + strconv.Itoa(e.Line)
	}
	if s != "" {
		s += ": "
	}
	if e.Where != "" {
		s += e.Where + ": "
	}
	return s + e.Msg
}

// Unwrap returns the cause, nil when there is none.
func (e *Error) Unwrap() error { return e.err }
