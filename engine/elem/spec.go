package elem

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Kind is the family of an element, in the words of JMeter's menu.
type Kind string

// The kinds.
const (
	KindPlan       Kind = "Test Plan"
	KindGroup      Kind = "Thread Group"
	KindController Kind = "Logic Controller"
	KindSampler    Kind = "Sampler"
	KindConfig     Kind = "Config Element"
	KindTimer      Kind = "Timer"
	KindPre        Kind = "Pre Processor"
	KindPost       Kind = "Post Processor"
	KindAssertion  Kind = "Assertion"
	KindListener   Kind = "Listener"
	KindOther      Kind = "Non-Test Element"
)

// Status is how far an element is supported.
type Status string

// The statuses. Full is earned: a test asks for a conformance case.
const (
	Full Status = "full"
	// Partial runs all that it does not report as unsupported.
	Partial Status = "partial"
	// Inert elements never do anything in a command-line run, in JMeter either.
	Inert Status = "inert"
	// None is not supported: a plan that has it enabled is refused.
	None Status = "not supported"
)

// Spec declares an element.
type Spec struct {
	Class string // as jmx.Node.Class: JMeter's alias, or the full class name
	// GUI tells apart elements of one class: only a node with this guiclass is
	// meant. Empty takes every other one.
	GUI    string
	Title  string // JMeter's English name
	Kind   Kind
	Status Status
	Note   string // a limit, for people
	// Merge lists the guiclasses of the config elements a sampler takes
	// properties from (plan-wide rule: SimpleConfigGui is always one of them).
	Merge []string

	make func() Element
}

// Element is what a declaration is made of: its property list.
type Element interface {
	// Props reads the element's properties. It is called once for each node of a
	// plan, and once with an empty Props that only collects the declaration.
	Props(p *Props)
}

type key struct{ class, gui string }

var specs = map[key]*Spec{}

// Register declares the element T. It is called from init functions and panics
// on a declaration that is half filled or there already.
func Register[T any, P interface {
	*T
	Element
}](s Spec) {
	s.make = func() Element { return P(new(T)) }
	add(s)
}

// RegisterName declares an element that does nothing: inert ones, and those
// known but not supported.
func RegisterName(s Spec) { add(s) }

func add(s Spec) {
	if s.Class == "" || s.Title == "" || s.Kind == "" || s.Status == "" {
		panic(fmt.Sprintf("elem: half-filled declaration of %q", s.Class))
	}
	k := key{s.Class, s.GUI}
	if specs[k] != nil {
		panic("elem: element declared twice: " + s.Class + " " + s.GUI)
	}
	specs[k] = &s
}

// Lookup returns the declaration for a class and guiclass, or nil.
func Lookup(class, gui string) *Spec {
	if s := specs[key{class, gui}]; s != nil {
		return s
	}
	return specs[key{class, ""}]
}

// Specs returns all declarations, by kind and title.
func Specs() []*Spec {
	return slices.SortedFunc(maps.Values(specs), func(a, b *Spec) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Title, b.Title), cmp.Compare(a.Class, b.Class))
	})
}

// New returns a fresh element of the declaration, nil where it has no code.
func (s *Spec) New() Element {
	if s.make == nil {
		return nil
	}
	return s.make()
}
