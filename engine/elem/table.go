package elem

import "github.com/gojm/gojm/engine/vu"

// Table is a table of an element that scripts read and change: the arguments of a
// request, its headers, its cookies. Columns bear JMeter's property names, such as
// Header.value; a cell that the table does not have is "". It belongs to the thread
// that it was made for.
type Table interface {
	Len() int
	Cell(row int, column string) string
	SetCell(row int, column, value string)
	// Append adds an empty row at the end.
	Append()
	Remove(row int)
}

// Tabular is a sampler with tables for scripts.
type Tabular interface {
	// Table returns the table of that name - arguments, headers, cookies - as it stands
	// for the thread's next sample, nil where there is none. Changes of arguments end
	// with that sample; headers and cookies stay, as in JMeter, where no more than one
	// manager of headers is in scope.
	Table(t *vu.Thread, name string) Table
}
