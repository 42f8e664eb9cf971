package script

import (
	"math/big"
	"sort"
	"sync"

	"github.com/gojm/gojm/engine/java"
)

// mapOrder is how a map runs through its keys.
type mapOrder uint8

const (
	byInsertion mapOrder = iota // LinkedHashMap, and Groovy's literals
	byHash                      // HashMap
	byKey                       // TreeMap
)

// Entry is one java.util.Map.Entry.
type Entry struct {
	Key, Value Value
	next, prev *Entry
}

// JavaClass is the class of entries.
func (e *Entry) JavaClass() *Class { return entryClass }

func (e *Entry) String() string { return javaString(e) }

// Equal compares key and value.
func (e *Entry) Equal(v Value) bool {
	o, ok := v.(*Entry)
	return ok && equals(e.Key, o.Key) && equals(e.Value, o.Value)
}

// Map is a java.util.Map. The zero value is an empty LinkedHashMap. Scripts share maps between threads
// by way of properties, so that every access takes the map's lock.
type Map struct {
	mu     sync.Mutex
	order  mapOrder
	class  *Class
	m      map[any]*Entry
	first  *Entry
	last   *Entry
	size   int  // greatest number of entries so far: a HashMap's table never shrinks
	fixed  bool // unmodifiable
	less   func(a, b Value) bool
	absent *Closure // of withDefault
}

// NewMap returns an empty LinkedHashMap.
func NewMap() *Map { return &Map{} }

func newMap(order mapOrder, class *Class) *Map { return &Map{order: order, class: class} }

// JavaClass is the map's class.
func (m *Map) JavaClass() *Class {
	if m.class != nil {
		return m.class
	}
	return linkedHashMapClass
}

// keyOf turns a key into something Go can look up: equal values have equal keys.
func keyOf(v Value) any {
	type boxed struct{ class, text string }
	switch x := v.(type) {
	case *big.Int:
		return boxed{"BigInteger", x.String()}
	case java.Decimal:
		return boxed{"BigDecimal", x.String()}
	case *List:
		return boxed{"List", x.String()}
	case *Map:
		return boxed{"Map", x.String()}
	case *Set:
		return boxed{"Set", x.String()}
	case *Entry:
		return boxed{"Entry", x.String()}
	case *StringBuilder:
		return x
	}
	return v
}

// Len is the number of entries.
func (m *Map) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.m)
}

// Get returns the value of a key.
func (m *Map) Get(key Value) (Value, bool) {
	k := keyOf(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.m[k]
	if e == nil {
		return nil, false
	}
	return e.Value, true
}

// Put sets the value of a key and returns the one it had.
func (m *Map) Put(key, v Value) Value {
	k := keyOf(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.m[k]; e != nil {
		old := e.Value
		e.Value = v
		return old
	}
	if m.m == nil {
		m.m = make(map[any]*Entry)
	}
	e := &Entry{Key: key, Value: v, prev: m.last}
	if m.last != nil {
		m.last.next = e
	} else {
		m.first = e
	}
	m.last = e
	m.m[k] = e
	m.size = max(m.size, len(m.m))
	return nil
}

// Remove takes a key away and returns its value.
func (m *Map) Remove(key Value) Value {
	k := keyOf(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.m[k]
	if e == nil {
		return nil
	}
	delete(m.m, k)
	if e.prev != nil {
		e.prev.next = e.next
	} else {
		m.first = e.next
	}
	if e.next != nil {
		e.next.prev = e.prev
	} else {
		m.last = e.prev
	}
	return e.Value
}

func (m *Map) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.m, m.first, m.last = nil, nil, nil
}

// entries returns the entries in the map's order.
func (m *Map) entries() []*Entry {
	m.mu.Lock()
	out := make([]*Entry, 0, len(m.m))
	for e := m.first; e != nil; e = e.next {
		out = append(out, e)
	}
	size := m.size
	m.mu.Unlock()
	switch m.order {
	case byHash:
		table := 16
		for size > table*3/4 {
			table *= 2
		}
		bucket := func(e *Entry) int {
			h := uint32(hashCode(e.Key))
			return int((h ^ h>>16) & uint32(table-1))
		}
		sort.SliceStable(out, func(i, j int) bool { return bucket(out[i]) < bucket(out[j]) })
	case byKey:
		less := m.less
		if less == nil {
			less = func(a, b Value) bool { c, _ := compareValues(a, b); return c < 0 }
		}
		sort.SliceStable(out, func(i, j int) bool { return less(out[i].Key, out[j].Key) })
	}
	return out
}

func (m *Map) keys() []Value {
	es := m.entries()
	out := make([]Value, len(es))
	for i, e := range es {
		out[i] = e.Key
	}
	return out
}

func (m *Map) values() []Value {
	es := m.entries()
	out := make([]Value, len(es))
	for i, e := range es {
		out[i] = e.Value
	}
	return out
}

func (m *Map) equal(o *Map, eq func(a, b Value) bool) bool {
	if m.Len() != o.Len() {
		return false
	}
	for _, e := range m.entries() {
		v, ok := o.Get(e.Key)
		if !ok || !eq(e.Value, v) {
			return false
		}
	}
	return true
}

// like returns an empty map of the same kind.
func (m *Map) like() *Map {
	return &Map{order: m.order, class: m.class, less: m.less}
}

func (m *Map) copy() *Map {
	c := m.like()
	for _, e := range m.entries() {
		c.Put(e.Key, e.Value)
	}
	return c
}

// String is Java's toString: {a=1, b=2}.
func (m *Map) String() string { return javaString(m) }

// Set is a java.util.Set: the keys of a map.
type Set struct {
	m     Map
	class *Class
}

func newSet(order mapOrder, class *Class) *Set { return &Set{m: Map{order: order}, class: class} }

// JavaClass is the set's class.
func (s *Set) JavaClass() *Class {
	if s.class != nil {
		return s.class
	}
	return linkedHashSetClass
}

func (s *Set) items() []Value { return s.m.keys() }

// add reports whether the value was new.
func (s *Set) add(v Value) bool {
	if s.has(v) {
		return false
	}
	s.m.Put(v, true)
	return true
}

func (s *Set) has(v Value) bool { _, ok := s.m.Get(v); return ok }

func (s *Set) equal(o *Set) bool {
	return s.m.Len() == o.m.Len() && s.m.equal(&o.m, func(a, b Value) bool { return true })
}

// String is [a, b].
func (s *Set) String() string { return javaString(s) }

// compareValues is Comparable.compareTo; numbers of different classes compare by value, as in Groovy.
func compareValues(a, b Value) (int, error) {
	switch x := a.(type) {
	case nil:
		if b == nil {
			return 0, nil
		}
		return -1, nil
	case string:
		switch y := b.(type) {
		case string:
			return java.Compare(x, y), nil
		case java.Char:
			return java.Compare(x, y.String()), nil
		}
	case java.Char:
		switch y := b.(type) {
		case java.Char:
			return int(x) - int(y), nil
		case string:
			return java.Compare(x.String(), y), nil
		}
		if isNumber(b) {
			return compareNumbers(int32(x), b), nil
		}
	case bool:
		if y, ok := b.(bool); ok {
			switch {
			case x == y:
				return 0, nil
			case x:
				return 1, nil
			}
			return -1, nil
		}
	case interface{ CompareTo(Value) (int, bool) }:
		if c, ok := x.CompareTo(b); ok {
			return c, nil
		}
	}
	if b == nil {
		return 1, nil
	}
	if isNumber(a) {
		if isNumber(b) {
			return compareNumbers(a, b), nil
		}
		if y, ok := b.(java.Char); ok {
			return compareNumbers(a, int32(y)), nil
		}
	}
	if equals(a, b) {
		return 0, nil
	}
	return 0, throw("java.lang.IllegalArgumentException", "Cannot compare %s with value '%s' and %s with value '%s'",
		classOf(a).Name, javaString(a), classOf(b).Name, javaString(b))
}

// compareNumbers compares by value whatever the classes.
func compareNumbers(a, b Value) int {
	if x, ok := integral(a); ok {
		if y, ok := integral(b); ok {
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		}
	}
	if isFloat(a) || isFloat(b) {
		x, y := toDouble(a), toDouble(b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		case x == y:
			return 0
		case x != x && y != y:
			return 0
		case x != x: // NaN is the greatest
			return 1
		}
		return -1
	}
	x, _ := toDecimal(a)
	y, _ := toDecimal(b)
	return x.Cmp(y)
}

// Entries returns the entries in the map's order.
func (m *Map) Entries() []*Entry { return m.entries() }
