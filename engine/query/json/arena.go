package json

// An arena makes the values of one document in few allocations. What is open is
// collected on stacks; a closed array or object takes its part of a chunk.
type arena struct {
	values []Value
	slots  []*Value
	names  []string

	items []*Value // of what is open
	keys  []string
}

func (a *arena) new(v Value) *Value {
	if len(a.values) == cap(a.values) {
		a.values = make([]Value, 0, grown(cap(a.values)))
	}
	a.values = append(a.values, v)
	return &a.values[len(a.values)-1]
}

// grown is the size of the chunk after one of n.
func grown(n int) int { return min(max(2*n, 8), 512) }

// A mark is the height of the stacks when an array or object was opened.
type mark struct{ items, keys int }

func (a *arena) mark() mark { return mark{len(a.items), len(a.keys)} }

func (a *arena) item(v *Value) { a.items = append(a.items, v) }

func (a *arena) member(key string, v *Value) {
	a.keys = append(a.keys, key)
	a.items = append(a.items, v)
}

func (a *arena) closeArray(m mark) *Value {
	v := a.new(Value{kind: Array, items: a.keepItems(m)})
	a.items = a.items[:m.items]
	return v
}

func (a *arena) closeObject(m mark) *Value {
	v := a.new(Value{kind: Object})
	if keys := a.keys[m.keys:]; len(keys) > manyKeys || repeats(keys) {
		for i, k := range keys {
			v.Set(k, a.items[m.items+i])
		}
	} else {
		v.items = a.keepItems(m)
		if len(a.names)+len(keys) > cap(a.names) {
			a.names = make([]string, 0, max(grown(cap(a.names)), len(keys)))
		}
		start := len(a.names)
		a.names = append(a.names, keys...)
		v.keys = a.names[start:len(a.names):len(a.names)]
	}
	a.items, a.keys = a.items[:m.items], a.keys[:m.keys]
	return v
}

func (a *arena) keepItems(m mark) []*Value {
	items := a.items[m.items:]
	if len(a.slots)+len(items) > cap(a.slots) {
		a.slots = make([]*Value, 0, max(grown(cap(a.slots)), len(items)))
	}
	start := len(a.slots)
	a.slots = append(a.slots, items...)
	return a.slots[start:len(a.slots):len(a.slots)]
}

// repeats reports whether a name stands twice among a few.
func repeats(keys []string) bool {
	for i, k := range keys {
		for _, other := range keys[:i] {
			if k == other {
				return true
			}
		}
	}
	return false
}
