// Package jsonpath evaluates JSONPath in the dialect of Jayway's json-path 2.8.0,
// which is the library under JMeter's JSON Extractor and JSON Assertion. RFC 9535
// came later and differs; where the two disagree this package follows the library,
// its oddities included.
//
// A document is read once (json.ParseLenient) and any number of paths evaluated on
// it.
package jsonpath

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/query/json"
)

// A Path is a compiled path. It is immutable and safe for concurrent use.
type Path struct {
	text  string
	root  *token
	count int // tokens, for the numbers of token.id
}

// String returns the path as it was given.
func (p *Path) String() string { return p.text }

// Definite reports whether the path leads to one place at most.
func (p *Path) Definite() bool { return p.root.definiteFromHere() }

// IsFunction reports whether the path ends in a function.
func (p *Path) IsFunction() bool { return p.root.tail().kind == functionToken }

// List evaluates the path as the JSON Extractor does: a path to one place gives the
// one value there, an array undivided; a missing place gives none. A path that ends
// in a function is an error, because JMeter asks the library for a list always.
func (p *Path) List(doc *json.Value) ([]*json.Value, error) {
	if p.IsFunction() {
		return nil, failed("Options AS_PATH_LIST and ALWAYS_RETURN_LIST are not allowed when using path functions!")
	}
	if doc.Kind() == json.Null {
		return nil, &Error{IllegalArgument, "root can not be null"}
	}
	found, err := p.evaluate(&run{root: doc, quiet: true}, doc)
	switch {
	case isNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	case !p.Definite():
		return found, nil
	case len(found) == 0:
		return nil, nil
	}
	return found[len(found)-1:], nil
}

// Read evaluates the path as the JSON Assertion does: a path to one place gives its
// value, any other an Array of what it found, which may be empty. A missing place is
// an *Error with the library's text.
func (p *Path) Read(doc *json.Value) (*json.Value, error) {
	if doc.Kind() == json.Null {
		return nil, &Error{IllegalArgument, "json can not be null"}
	}
	return p.value(&run{root: doc}, doc)
}

// value evaluates the path from v and makes one value of the results.
func (p *Path) value(r *run, v *json.Value) (*json.Value, error) {
	found, err := p.evaluate(r, v)
	switch {
	case err != nil:
		return nil, err
	case !p.Definite():
		return json.NewArray(found), nil
	case len(found) == 0:
		if r.quiet {
			return nil, errMissing
		}
		return nil, &Error{PathNotFound, "No results for path: " + p.root.text()}
	}
	return found[len(found)-1], nil
}

func (p *Path) evaluate(r *run, v *json.Value) ([]*json.Value, error) {
	r.path = p
	if p.root.next == nil {
		return []*json.Value{v}, nil
	}
	err := p.root.next.evaluate(r, v)
	return r.found, err
}

type tokenKind uint8

const (
	rootToken tokenKind = iota
	propertyToken
	wildcardToken
	scanToken
	indexToken
	sliceToken
	filterToken
	functionToken
)

// A token is one step of a path.
type token struct {
	kind       tokenKind
	id         int
	prev, next *token

	names   []string // propertyToken
	quote   string   // propertyToken: the quote its text shows
	indexes []int    // indexToken
	slice   slice    // sliceToken
	filter  *expression
	call    call // functionToken
	rootAs  string
}

type slice struct {
	from, to       int
	hasFrom, hasTo bool
}

func (t *token) tail() *token {
	for t.next != nil {
		t = t.next
	}
	return t
}

func (t *token) isLeaf() bool { return t.next == nil }

// isDefinite reports whether the step alone leads to one place.
func (t *token) isDefinite() bool {
	switch t.kind {
	case rootToken, functionToken:
		return true
	case propertyToken:
		return len(t.names) == 1 || t.isLeaf()
	case indexToken:
		return len(t.indexes) == 1
	}
	return false
}

func (t *token) definiteFromHere() bool {
	for ; t != nil; t = t.next {
		if !t.isDefinite() {
			return false
		}
	}
	return true
}

func (t *token) definiteBefore() bool {
	for t = t.prev; t != nil; t = t.prev {
		if !t.isDefinite() {
			return false
		}
	}
	return true
}

// fragment is the step as the library writes it in messages.
func (t *token) fragment() string {
	switch t.kind {
	case rootToken:
		return t.rootAs
	case propertyToken:
		return "[" + t.quote + strings.Join(t.names, t.quote+","+t.quote) + t.quote + "]"
	case wildcardToken:
		return "[*]"
	case scanToken:
		return ".."
	case indexToken:
		parts := make([]string, len(t.indexes))
		for i, n := range t.indexes {
			parts[i] = strconv.Itoa(n)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case sliceToken:
		from, to := "", ""
		if t.slice.hasFrom {
			from = strconv.Itoa(t.slice.from)
		}
		if t.slice.hasTo {
			to = strconv.Itoa(t.slice.to)
		}
		return "[" + from + ":" + to + "]"
	case filterToken:
		return "[?]"
	}
	if len(t.call.args) > 0 {
		return "." + t.call.name + "(...)"
	}
	return "." + t.call.name + "()"
}

// text is the step and all that follow.
func (t *token) text() string {
	var b strings.Builder
	for ; t != nil; t = t.next {
		b.WriteString(t.fragment())
	}
	return b.String()
}
