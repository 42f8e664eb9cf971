package vu

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
)

// Ref is the number of a variable name known when the plan was compiled;
// NoRef says that the name was not.
type Ref int

// NoRef is the Ref of a name that no text of the plan mentions.
const NoRef Ref = -1

// Names gives variable names their numbers while a plan is compiled. Once
// frozen it is shared by all threads and never changes.
type Names struct {
	mu     sync.Mutex
	frozen bool
	index  map[string]Ref
	list   []string
}

// NewNames returns an empty, unfrozen set.
func NewNames() *Names { return &Names{index: map[string]Ref{}} }

// Ref returns the number of name, which it gets now if the set is not frozen.
func (n *Names) Ref(name string) Ref {
	n.mu.Lock()
	defer n.mu.Unlock()
	r, ok := n.index[name]
	switch {
	case ok:
		return r
	case n.frozen:
		return NoRef
	}
	r = Ref(len(n.list))
	n.index[name] = r
	n.list = append(n.list, name)
	return r
}

// Freeze ends the time of new names.
func (n *Names) Freeze() {
	n.mu.Lock()
	n.frozen = true
	n.mu.Unlock()
}

// lookup is Ref for a frozen set, without the lock.
func (n *Names) lookup(name string) (Ref, bool) {
	if !n.frozen {
		return n.Ref(name), true
	}
	r, ok := n.index[name]
	return r, ok
}

// value is one variable: unset (o nil), a text (o is isText) or an object.
type value struct {
	s string
	o any
}

type textMark struct{}

var isText any = textMark{}

func (v value) text() string {
	if v.o == isText {
		return v.s
	}
	return ToString(v.o)
}

// Vars are the variables of one thread; unset and empty differ. They belong to
// the thread's goroutine. Threads start as copies of one set and share its
// memory until they change something.
type Vars struct {
	names  *Names
	values []value
	shared bool // values is still the memory of the set this one was copied from
	extra  map[string]value
}

// NewVars returns an empty set over names.
func NewVars(names *Names) *Vars { return &Vars{names: names} }

// Copy returns a set with the same contents. The receiver must not be changed
// after its first copy was made.
func (v *Vars) Copy() *Vars {
	c := &Vars{names: v.names, values: v.values, shared: true}
	for k, x := range v.extra {
		c.put(k, x)
	}
	return c
}

func (v *Vars) at(r Ref) value {
	if int(r) < len(v.values) {
		return v.values[r]
	}
	return value{}
}

func (v *Vars) find(name string) value {
	if r, ok := v.names.lookup(name); ok && r != NoRef {
		return v.at(r)
	}
	return v.extra[name]
}

func (v *Vars) putAt(r Ref, x value) {
	if v.shared || int(r) >= len(v.values) {
		grown := make([]value, max(len(v.names.list), int(r)+1))
		copy(grown, v.values)
		v.values, v.shared = grown, false
	}
	v.values[r] = x
}

func (v *Vars) put(name string, x value) {
	if r, ok := v.names.lookup(name); ok && r != NoRef {
		v.putAt(r, x)
		return
	}
	if v.extra == nil {
		v.extra = map[string]value{}
	}
	v.extra[name] = x
}

// Get returns the variable as text; ok is false when it is not set.
func (v *Vars) Get(name string) (text string, ok bool) {
	x := v.find(name)
	if x.o == nil {
		return "", false
	}
	return x.text(), true
}

// GetRef is Get by number.
func (v *Vars) GetRef(r Ref) (text string, ok bool) {
	x := v.at(r)
	if x.o == nil {
		return "", false
	}
	return x.text(), true
}

// GetOr returns the variable as text, or def when it is not set.
func (v *Vars) GetOr(name, def string) string {
	if s, ok := v.Get(name); ok {
		return s
	}
	return def
}

// Object returns what the variable holds: nil, a string or another value.
func (v *Vars) Object(name string) any {
	x := v.find(name)
	if x.o == isText {
		return x.s
	}
	return x.o
}

// Put sets a variable to a text.
func (v *Vars) Put(name, text string) { v.put(name, value{s: text, o: isText}) }

// PutRef is Put by number, which must not be NoRef.
func (v *Vars) PutRef(r Ref, text string) { v.putAt(r, value{s: text, o: isText}) }

// PutObject sets a variable to any value; nil unsets it.
func (v *Vars) PutObject(name string, o any) {
	if s, ok := o.(string); ok {
		v.Put(name, s)
		return
	}
	v.put(name, value{o: o})
}

// PutObjectRef is PutObject by number, which must not be NoRef.
func (v *Vars) PutObjectRef(r Ref, o any) {
	if s, ok := o.(string); ok {
		v.PutRef(r, s)
		return
	}
	v.putAt(r, value{o: o})
}

// Remove unsets a variable.
func (v *Vars) Remove(name string) {
	if x := v.find(name); x.o != nil {
		if r, ok := v.names.lookup(name); ok && r != NoRef {
			v.putAt(r, value{})
			return
		}
		delete(v.extra, name)
	}
}

// Names returns the names of all variables that are set, sorted.
func (v *Vars) Names() []string {
	var out []string
	for i, x := range v.values {
		if x.o != nil {
			out = append(out, v.names.list[i])
		}
	}
	for k := range v.extra {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Counter is a number held by a variable that changes in place: the pass
// number of a loop.
type Counter struct{ N int64 }

// String prints the number.
func (c *Counter) String() string { return strconv.FormatInt(c.N, 10) }

// ToString is Java's String.valueOf for what variables hold.
func ToString(o any) string {
	switch x := o.(type) {
	case nil:
		return "null"
	case string:
		return x
	case bool:
		return strconv.FormatBool(x)
	case int:
		return strconv.Itoa(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case fmt.Stringer:
		return x.String()
	}
	return fmt.Sprint(o)
}
