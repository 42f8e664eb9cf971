package script

import "sync"

// List is a java.util.List. Scripts share lists between threads by way of properties, so that every
// access takes the list's lock.
type List struct {
	mu    sync.Mutex
	v     []Value
	class *Class // nil is ArrayList
	span  bool   // a range of objects, shown by its ends
	fixed bool   // of Arrays.asList or unmodifiable: no adding, no removing
}

// NewList returns an ArrayList of the items, which it keeps.
func NewList(items ...Value) *List { return &List{v: items} }

// all returns the items as they are now; the caller must not change them.
func (l *List) all() []Value {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.v[:len(l.v):len(l.v)]
}

// Items returns the items as they are now.
func (l *List) Items() []Value { return l.all() }

// edit changes the list under its lock. What is to be taken out or moved is done in a new slice, since
// others may be running through the old one.
func (l *List) edit(f func(v []Value) []Value) error {
	if l.fixed {
		return throw("java.lang.UnsupportedOperationException", "")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.v = f(l.v)
	return nil
}

// Add appends values.
func (l *List) Add(v ...Value) error {
	return l.edit(func(old []Value) []Value { return append(old, v...) })
}

// put sets one item, which must exist; lists of a fixed size allow it.
func (l *List) put(i int, v Value) (old Value) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i < 0 || i >= len(l.v) {
		return nil
	}
	old, l.v[i] = l.v[i], v
	return old
}

// JavaClass is the list's class.
func (l *List) JavaClass() *Class {
	if l.class != nil {
		return l.class
	}
	return arrayListClass
}

// String is Java's toString: [1, 2].
func (l *List) String() string { return javaString(l) }

// Array is a Java array of anything but bytes.
type Array struct {
	Elem  string // class or primitive of the elements
	Items []Value
}

// JavaClass is the array's class.
func (a *Array) JavaClass() *Class { return arrayClass(a.Elem) }

// Bytes is a Java byte array.
type Bytes struct{ B []byte }

// JavaClass is byte[].
func (b *Bytes) JavaClass() *Class { return arrayClass("byte") }

// Range is a Groovy range, of ints or of single characters. Inclusive both ends.
type Range struct {
	From, To int32 // in the order written
	Chars    bool
}

// JavaClass is IntRange or ObjectRange.
func (r *Range) JavaClass() *Class {
	if r.Chars {
		return objectRangeClass
	}
	return intRangeClass
}

// String is 1..3.
func (r *Range) String() string { return javaString(r) }

func (r *Range) len() int {
	if r.To < r.From {
		return int(int64(r.From) - int64(r.To) + 1)
	}
	return int(int64(r.To) - int64(r.From) + 1)
}

func (r *Range) at(i int) Value {
	n := r.From + int32(i)
	if r.To < r.From {
		n = r.From - int32(i)
	}
	if r.Chars {
		return string(rune(n))
	}
	return n
}

func (r *Range) contains(v Value) bool {
	lo, hi := min(r.From, r.To), max(r.From, r.To)
	if r.Chars {
		s, ok := v.(string)
		return ok && len(s) == 1 && int32(s[0]) >= lo && int32(s[0]) <= hi
	}
	if !isNumber(v) {
		return false
	}
	f := toDouble(v)
	return f == float64(int64(f)) && f >= float64(lo) && f <= float64(hi)
}

// Equal makes a range equal to a list of the same numbers.
func (r *Range) Equal(v Value) bool {
	items, ok := listItems(v)
	return ok && equalItems(mustItems(r), items, equals)
}

// listItems returns the items of what Java calls a List or an array.
func listItems(v Value) ([]Value, bool) {
	switch x := v.(type) {
	case *List:
		return x.all(), true
	case *Array:
		return x.Items, true
	case *Bytes, *Range:
		return mustItems(x), true
	}
	return nil, false
}

// maxItems bounds what one expression may spread out.
const maxItems = 10_000_000

func mustItems(v Value) []Value {
	items, _ := items(v)
	return items
}

// items spreads anything that can be walked through: collections, arrays, maps (their entries), text
// (its characters), iterators. ok is false for anything else.
func items(v Value) ([]Value, bool) {
	switch x := v.(type) {
	case *List:
		return x.all(), true
	case *Array:
		return x.Items, true
	case *Bytes:
		out := make([]Value, len(x.B))
		for i, b := range x.B {
			out[i] = int8(b)
		}
		return out, true
	case *Range:
		out := make([]Value, min(x.len(), maxItems))
		for i := range out {
			out[i] = x.at(i)
		}
		return out, true
	case *Map:
		es := x.entries()
		out := make([]Value, len(es))
		for i, e := range es {
			out[i] = e
		}
		return out, true
	case *Set:
		return x.items(), true
	case string:
		out := make([]Value, 0, len(x))
		for _, r := range x {
			out = append(out, string(r))
		}
		return out, true
	case interface{ Items() []Value }:
		return x.Items(), true
	}
	return nil, false
}
