package elem

import "fmt"

// Level tells how bad a problem is.
type Level uint8

// The levels.
const (
	// Note does not keep a plan from running as in JMeter.
	Note Level = iota
	// Unsupported is something JMeter does and gojm does not.
	Unsupported
	// Wrong is something JMeter would not run either.
	Wrong
)

// Problem is one thing that `gojm check` has to say.
type Problem struct {
	Level Level  `json:"-"`
	What  string `json:"what"`  // "element", "function", "property", "option", "value", "script"
	Place string `json:"place"` // file and path in the tree
	Name  string `json:"name"`  // class, function or property
	Text  string `json:"text"`
}

// Error is the line shown to people.
func (p Problem) Error() string {
	return fmt.Sprintf("%s: %s %s: %s", p.Place, p.What, p.Name, p.Text)
}
