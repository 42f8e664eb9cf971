package java

import "fmt"

// Error is a Java exception: the class that scripts catch and result rows name, and its message.
type Error struct {
	Class   string // java.lang.NumberFormatException
	Message string
}

func (e *Error) Error() string { return e.Message }

func throw(class, format string, args ...any) *Error {
	return &Error{class, fmt.Sprintf(format, args...)}
}

func notNumber(s string, radix int) *Error {
	under := ""
	if radix != 10 {
		under = fmt.Sprintf(" under radix %d", radix)
	}
	return throw("java.lang.NumberFormatException", "For input string: %q%s", quotable(s), under)
}

// quotable is a text that %q prints as Java prints it between quotes: as it is.
type quotable string

// Format writes the text between quotes without escaping anything.
func (q quotable) Format(f fmt.State, _ rune) { fmt.Fprintf(f, `"%s"`, string(q)) }
