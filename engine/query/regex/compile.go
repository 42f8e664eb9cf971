package regex

import "sync/atomic"

// Regexp is a compiled pattern. It is immutable and safe for concurrent use.
type Regexp struct {
	pattern string
	dialect Dialect
	groups  int
	names   map[string]int
	prog    *program
	spent   atomic.Bool
}

// Error is a pattern that its dialect does not accept.
type Error struct {
	Pattern string
	Detail  string // the engine's own words
	Dialect Dialect
}

// Error gives the text that JMeter's pattern cache throws for ORO, and that of
// java.util.regex.PatternSyntaxException for Java.
func (e *Error) Error() string {
	if e.Dialect == Java {
		return e.Detail
	}
	return "Invalid expression: " + e.Pattern + "\n" + e.Detail
}

// Compile reads a pattern in a dialect. A bad pattern gives an *Error.
func Compile(pattern string, d Dialect) (*Regexp, error) {
	var root *node
	re := &Regexp{pattern: pattern, dialect: d}
	var err error
	if d == ORO {
		root, re.groups, err = parseORO(pattern)
	} else {
		root, re.groups, re.names, err = parseJava(pattern)
	}
	if err != nil {
		return nil, &Error{pattern, err.Error(), d}
	}
	prog, ok := assemble(root, re.groups, d == ORO)
	if !ok {
		return nil, &Error{pattern, "Expression is too large.", d}
	}
	re.prog = prog
	return re, nil
}

// Matches reports whether the pattern matches the whole of b. In ORO that is
// whether the first way to match at the start happens to end at the end: foo|foot
// does not match foot.
func (re *Regexp) Matches(b []byte) bool {
	var buf [16]int
	m := re.FindWhole(buf[:0], b)
	return len(m) > 0
}

// FindWhole is Find for a match of the whole of b, with what Matches says of ORO.
func (re *Regexp) FindWhole(dst []int, b []byte) []int {
	m, spent := re.prog.matchAt(dst, b, 0, re.dialect == Java)
	if spent {
		re.spent.Store(true)
	}
	if len(m) > 0 && m[1] != len(b) {
		m = m[:0]
	}
	return m
}

// GroupIndex returns the number of a named group of Java's dialect, or -1.
func (re *Regexp) GroupIndex(name string) int {
	if n, ok := re.names[name]; ok {
		return n
	}
	return -1
}

// Exhausted reports whether a search with this pattern was ever given up because
// it exceeded its bounds; such a search counts as no match. JMeter would hang or
// overflow its stack there, so a caller tells its user once.
func (re *Regexp) Exhausted() bool { return re.spent.Load() }

// Linear reports whether the time of a search grows with the length of the text
// alone. Back-references, loops over what may be empty and loops inside look-around
// or atomic groups have no such promise, only the bound of Exhausted.
func (re *Regexp) Linear() bool { return re.prog.linear }

func (re *Regexp) search(dst []int, b []byte, from, last int) []int {
	m, spent := re.prog.search(dst, b, from, last)
	if spent {
		re.spent.Store(true)
	}
	return m
}
