package jsonpath

import "fmt"

// Reason is the class of an Error, by the exception of the library under JMeter.
type Reason string

const (
	InvalidPath  Reason = "InvalidPathException"  // the path or a filter in it is not valid
	PathNotFound Reason = "PathNotFoundException" // the document has no such place
	Failed       Reason = "JsonPathException"     // a function or filter could not be computed

	// The rest are slips of the library that JMeter shows all the same.
	IllegalArgument Reason = "IllegalArgumentException"
	IllegalState    Reason = "IllegalStateException"
	ClassCast       Reason = "ClassCastException"
	OutOfBounds     Reason = "IndexOutOfBoundsException"
	InvalidJSON     Reason = "InvalidJsonException"
)

// An Error is what JMeter logs or shows when a path cannot be evaluated; the text
// is the exception's message.
type Error struct {
	Reason Reason
	Text   string
}

func (e *Error) Error() string { return e.Text }

func invalid(format string, args ...any) error {
	return &Error{InvalidPath, fmt.Sprintf(format, args...)}
}

func failed(format string, args ...any) error {
	return &Error{Failed, fmt.Sprintf(format, args...)}
}

// errMissing stands for a PathNotFound of which nobody will read the text.
var errMissing = &Error{Reason: PathNotFound}

// isNotFound reports whether err says that a place is missing.
func isNotFound(err error) bool {
	e, ok := err.(*Error)
	return ok && e.Reason == PathNotFound
}

// isInvalid reports whether a filter takes err for no: a missing place is a kind of
// invalid path in the original.
func isInvalid(err error) bool {
	e, ok := err.(*Error)
	return ok && (e.Reason == PathNotFound || e.Reason == InvalidPath)
}
