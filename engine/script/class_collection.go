package script

// Further collections that scripts make; they behave as the ones they stand on.
var (
	linkedListClass    = NewClass("java.util.LinkedList", listClass, "java.util.Queue", "java.util.Deque")
	vectorClass        = NewClass("java.util.Vector", listClass)
	stackClass         = NewClass("java.util.Stack", vectorClass)
	arrayDequeClass    = NewClass("java.util.ArrayDeque", listClass, "java.util.Queue", "java.util.Deque")
	cowListClass       = NewClass("java.util.concurrent.CopyOnWriteArrayList", listClass)
	queueClass         = NewClass("java.util.concurrent.ConcurrentLinkedQueue", listClass, "java.util.Queue")
	blockingQueueClass = NewClass("java.util.concurrent.LinkedBlockingQueue", listClass, "java.util.Queue", "java.util.concurrent.BlockingQueue")
	concurrentMapClass = NewClass("java.util.concurrent.ConcurrentHashMap", mapClass, "java.util.concurrent.ConcurrentMap")
	hashtableClass     = NewClass("java.util.Hashtable", mapClass)
	collectionsClass   = NewClass("java.util.Collections", objectClass)
	arraysClass        = NewClass("java.util.Arrays", objectClass)
	objectsClass       = NewClass("java.util.Objects", objectClass)
)

// list is the list a method is called on; ranges and arrays are copied into one.
func self(c *Call) *List {
	if l, ok := c.Self.(*List); ok {
		return l
	}
	return &List{v: mustItems(c.Self), fixed: true}
}

// listAt checks an index.
func listAt(l []Value, i, limit int) error {
	if i < 0 || i >= limit {
		return indexError(i, len(l))
	}
	return nil
}

// newCollection makes a constructor that takes nothing, a size, or a collection.
func newListOf(class *Class) *Method {
	return method(0, 1, func(c *Call) (Value, error) {
		l := &List{class: class}
		if c.N() == 1 && !isNumber(c.Args[0]) {
			list, ok := items(c.Args[0])
			if !ok {
				c.fail(0, "java.util.Collection")
			}
			l.v = append([]Value(nil), list...)
		}
		return l, nil
	})
}

func newSetOf(class *Class, order mapOrder) *Method {
	return method(0, 2, func(c *Call) (Value, error) {
		s := newSet(order, class)
		if c.N() >= 1 {
			if cl, ok := c.Args[0].(*Closure); ok {
				s.m.less = lessBy(c.Run, cl)
			} else if !isNumber(c.Args[0]) {
				for _, e := range mustItems(c.Args[0]) {
					s.add(e)
				}
			}
		}
		return s, nil
	})
}

func newMapOf(class *Class, order mapOrder) *Method {
	return method(0, 3, func(c *Call) (Value, error) {
		m := newMap(order, class)
		if c.N() >= 1 {
			switch x := c.Args[0].(type) {
			case *Map:
				for _, e := range x.entries() {
					m.Put(e.Key, e.Value)
				}
			case *Closure:
				m.less = lessBy(c.Run, x)
			}
		}
		return m, nil
	})
}

// lessBy makes an order of a comparator. An error in it counts as equal.
func lessBy(r *Run, cl *Closure) func(a, b Value) bool {
	return func(a, b Value) bool {
		v, err := cl.Call(r, a, b)
		return err == nil && isNumber(v) && toInt(v) < 0
	}
}

func initCollections() {
	for class, also := range map[*Class]bool{arrayListClass: true, linkedListClass: true, vectorClass: true, stackClass: true,
		arrayDequeClass: true, cowListClass: true, queueClass: true, blockingQueueClass: true} {
		if also {
			class.New = newListOf(class)
		}
	}
	hashSetClass.New, linkedHashSetClass.New, treeSetClass.New = newSetOf(hashSetClass, byHash), newSetOf(linkedHashSetClass, byInsertion), newSetOf(treeSetClass, byKey)
	hashMapClass.New, linkedHashMapClass.New, treeMapClass.New = newMapOf(hashMapClass, byHash), newMapOf(linkedHashMapClass, byInsertion), newMapOf(treeMapClass, byKey)
	concurrentMapClass.New, hashtableClass.New = newMapOf(concurrentMapClass, byHash), newMapOf(hashtableClass, byHash)
	initCollection()
	initList()
	initSet()
	initMap()
	initArrays()
}

func initCollection() {
	collectionClass.Methods = Methods{
		"size":     method(0, 0, func(c *Call) (Value, error) { return int32(len(mustItems(c.Self))), nil }),
		"isEmpty":  method(0, 0, func(c *Call) (Value, error) { return len(mustItems(c.Self)) == 0, nil }),
		"iterator": method(0, 0, func(c *Call) (Value, error) { return newIterator(c.Self) }),
		"contains": method(1, 1, func(c *Call) (Value, error) {
			if s, ok := c.Self.(*Set); ok {
				return s.has(c.Args[0]), nil
			}
			if r, ok := c.Self.(*Range); ok {
				return r.contains(c.Args[0]), nil
			}
			for _, e := range mustItems(c.Self) {
				if equals(e, c.Args[0]) {
					return true, nil
				}
			}
			return false, nil
		}),
		"containsAll": method(1, 1, func(c *Call) (Value, error) {
			for _, w := range mustItems(c.Args[0]) {
				if v, err := c.Run.invoke(c.Self, "contains", []Value{w}); err != nil || v != true {
					return false, err
				}
			}
			return true, nil
		}),
		"toArray": method(0, 1, func(c *Call) (Value, error) {
			elem := "java.lang.Object"
			if c.N() == 1 {
				if a, ok := c.Args[0].(*Array); ok {
					elem = a.Elem
				}
			}
			return &Array{Elem: elem, Items: append([]Value(nil), mustItems(c.Self)...)}, nil
		}),
		"forEach": method(1, 1, func(c *Call) (Value, error) {
			return nil, each(c, func(cl *Closure, _ int, e Value) (bool, error) {
				_, err := give(c.Run, cl, e)
				return false, err
			})
		}),
		"stream": method(0, 0, func(c *Call) (Value, error) { return NewList(mustItems(c.Self)...), nil }),
	}
}

func initList() {
	edit := func(least, most int, do func(c *Call, l *List) (Value, error)) *Method {
		return method(least, most, func(c *Call) (Value, error) {
			l := self(c)
			if l.fixed {
				return nil, throw("java.lang.UnsupportedOperationException", "")
			}
			return do(c, l)
		})
	}
	push := edit(1, 1, func(c *Call, l *List) (Value, error) { return c.Args[0], l.Add(c.Args[0]) })
	addLast := edit(1, 1, func(c *Call, l *List) (Value, error) { return true, l.Add(c.Args[0]) })
	insert := func(l *List, i int, list ...Value) error {
		return l.edit(func(old []Value) []Value {
			out := make([]Value, 0, len(old)+len(list))
			return append(append(append(out, old[:i]...), list...), old[i:]...)
		})
	}
	// take removes and returns the item at an end; empty says what an empty list means.
	take := func(last, remove bool, empty string) *Method {
		return method(0, 2, func(c *Call) (Value, error) {
			l := self(c)
			all := l.all()
			if len(all) == 0 {
				if empty == "" {
					return nil, nil
				}
				return nil, throw(empty, "")
			}
			i := 0
			if last {
				i = len(all) - 1
			}
			if remove {
				if err := l.edit(func(old []Value) []Value { return removeAt(old, i) }); err != nil {
					return nil, err
				}
			}
			return all[i], nil
		})
	}
	const none = "java.util.NoSuchElementException"
	listClass.Methods = Methods{
		"get": method(1, 1, func(c *Call) (Value, error) {
			all, i := mustItems(c.Self), c.Int(0)
			if err := listAt(all, i, len(all)); err != nil {
				return nil, err
			}
			return all[i], nil
		}),
		"set": method(2, 2, func(c *Call) (Value, error) {
			l, i := self(c), c.Int(0)
			if err := listAt(l.all(), i, len(l.all())); err != nil {
				return nil, err
			}
			return l.put(i, c.Args[1]), nil
		}),
		"add": edit(1, 2, func(c *Call, l *List) (Value, error) {
			if c.N() == 1 {
				return true, l.Add(c.Args[0])
			}
			i := c.Int(0)
			if err := listAt(l.all(), i, len(l.all())+1); err != nil {
				return nil, err
			}
			return nil, insert(l, i, c.Args[1])
		}),
		"addAll": edit(1, 2, func(c *Call, l *List) (Value, error) {
			list := mustItems(c.Args[c.N()-1])
			if c.N() == 1 {
				return len(list) > 0, l.Add(list...)
			}
			i := c.Int(0)
			if err := listAt(l.all(), i, len(l.all())+1); err != nil {
				return nil, err
			}
			return len(list) > 0, insert(l, i, list...)
		}),
		"remove": edit(0, 1, func(c *Call, l *List) (Value, error) {
			all := l.all()
			i := 0
			if c.N() == 0 {
				if len(all) == 0 {
					return nil, throw(none, "")
				}
			} else if n, ok := c.Args[0].(int32); ok {
				i = int(n)
				if err := listAt(all, i, len(all)); err != nil {
					return nil, err
				}
			} else {
				if i = indexOf(all, c.Args[0]); i < 0 {
					return false, nil
				}
				return true, l.edit(func(old []Value) []Value { return removeAt(old, i) })
			}
			return all[i], l.edit(func(old []Value) []Value { return removeAt(old, i) })
		}),
		"removeAll": edit(1, 1, func(c *Call, l *List) (Value, error) { return keep(c, l, false) }),
		"retainAll": edit(1, 1, func(c *Call, l *List) (Value, error) { return keep(c, l, true) }),
		"removeIf":  edit(1, 1, func(c *Call, l *List) (Value, error) { return keep(c, l, false) }),
		"clear":     edit(0, 0, func(c *Call, l *List) (Value, error) { return nil, l.edit(func([]Value) []Value { return nil }) }),
		"indexOf":   method(1, 1, func(c *Call) (Value, error) { return int32(indexOf(mustItems(c.Self), c.Args[0])), nil }),
		"lastIndexOf": method(1, 1, func(c *Call) (Value, error) {
			all := mustItems(c.Self)
			for i := len(all) - 1; i >= 0; i-- {
				if equals(all[i], c.Args[0]) {
					return int32(i), nil
				}
			}
			return int32(-1), nil
		}),
		"subList": method(2, 2, func(c *Call) (Value, error) {
			all, from, to := mustItems(c.Self), c.Int(0), c.Int(1)
			if from < 0 || to > len(all) || from > to {
				return nil, throw("java.lang.IndexOutOfBoundsException", "toIndex = %d", to)
			}
			return NewList(append([]Value{}, all[from:to]...)...), nil
		}),
		// Java's sort returns nothing, and wins over Groovy's where a comparator is given.
		"sort": method(1, 1, func(c *Call) (Value, error) {
			cl, ok := c.Args[0].(*Closure)
			if _, flag := c.Args[0].(bool); c.Run.isGroovy() && (flag || ok && cl.native == nil) {
				return sortItems(c)
			}
			_, err := sortItems(c)
			return nil, err
		}),
		"listIterator": method(0, 1, func(c *Call) (Value, error) { return newIterator(c.Self) }),
		"elementAt":    method(1, 1, func(c *Call) (Value, error) { return c.Run.invoke(c.Self, "get", c.Args) }),
		"addElement":   addLast, "offer": addLast, "addLast": addLast, "put": addLast, "offerLast": addLast,
		"push":     push,
		"addFirst": edit(1, 1, func(c *Call, l *List) (Value, error) { return nil, insert(l, 0, c.Args[0]) }),
		"poll":     take(false, true, ""), "pollFirst": take(false, true, ""), "pollLast": take(true, true, ""),
		"peek": take(false, false, ""), "peekFirst": take(false, false, ""), "peekLast": take(true, false, ""),
		"getFirst": take(false, false, none), "getLast": take(true, false, none), "element": take(false, false, none),
		"removeFirst": take(false, true, none), "removeLast": take(true, true, none),
		"pop":          take(false, true, none),
		"take":         take(false, true, none),
		"firstElement": take(false, false, none), "lastElement": take(true, false, none),
	}
	delete(listClass.Methods, "take") // Groovy's take(n) is meant
	blockingQueueClass.Methods = Methods{"take": take(false, true, none)}
	stackClass.Methods = Methods{"pop": take(true, true, "java.util.EmptyStackException"), "peek": take(true, false, "java.util.EmptyStackException"),
		"empty": method(0, 0, func(c *Call) (Value, error) { return len(self(c).all()) == 0, nil })}
	listClass.Groovy = Methods{
		"reverse": collectionClass.Groovy["reverse"], "size": collectionClass.Groovy["size"],
		"leftShift": method(1, 1, func(c *Call) (Value, error) { return groovyLeftShift(c.Run, c.Self, c.Args[0]) }),
		"plus":      method(1, 1, func(c *Call) (Value, error) { return groovyPlus(c.Run, c.Self, c.Args[0]) }),
		"minus":     method(1, 1, func(c *Call) (Value, error) { return groovyMinus(c.Run, c.Self, c.Args[0]) }),
		"multiply":  method(1, 1, func(c *Call) (Value, error) { return groovyTimes(c.Run, c.Self, c.Args[0]) }),
		"removeAt": edit(1, 1, func(c *Call, l *List) (Value, error) {
			all, i := l.all(), c.Int(0)
			if err := listAt(all, i, len(all)); err != nil {
				return nil, err
			}
			return all[i], l.edit(func(old []Value) []Value { return removeAt(old, i) })
		}),
		"removeElement": edit(1, 1, func(c *Call, l *List) (Value, error) {
			i := indexOf(l.all(), c.Args[0])
			if i < 0 {
				return false, nil
			}
			return true, l.edit(func(old []Value) []Value { return removeAt(old, i) })
		}),
		"pop": take(false, true, none),
		"swap": method(2, 2, func(c *Call) (Value, error) {
			l, i, j := self(c), c.Int(0), c.Int(1)
			all := l.all()
			if i < 0 || j < 0 || i >= len(all) || j >= len(all) {
				return nil, indexError(max(i, j), len(all))
			}
			a, b := all[i], all[j]
			l.put(i, b)
			l.put(j, a)
			return l, nil
		}),
		"shuffle": method(0, 1, func(c *Call) (Value, error) { return nil, shuffle(c, c.Self, 0) }),
		"shuffled": method(0, 1, func(c *Call) (Value, error) {
			l := NewList(append([]Value{}, walk(c)...)...)
			return l, shuffle(c, l, 0)
		}),
		"asImmutable":    method(0, 0, func(c *Call) (Value, error) { return &List{v: mustItems(c.Self), fixed: true}, nil }),
		"asSynchronized": method(0, 0, func(c *Call) (Value, error) { return c.Self, nil }),
		"permutations":   method(0, 0, permutations),
		"getIndices": method(0, 0, func(c *Call) (Value, error) {
			n := len(walk(c))
			if n == 0 {
				return NewList(), nil
			}
			return &Range{From: 0, To: int32(n - 1)}, nil
		}),
	}
	for _, cl := range []*Class{intRangeClass, objectRangeClass} {
		cl.Methods = Methods{
			"getFrom": method(0, 0, func(c *Call) (Value, error) {
				r := c.Self.(*Range)
				return (&Range{min(r.From, r.To), max(r.From, r.To), r.Chars}).at(0), nil
			}),
			"getTo": method(0, 0, func(c *Call) (Value, error) {
				r := c.Self.(*Range)
				return (&Range{max(r.From, r.To), min(r.From, r.To), r.Chars}).at(0), nil
			}),
			"step": method(1, 2, func(c *Call) (Value, error) {
				r, n := c.Self.(*Range), c.Int(0)
				if n <= 0 {
					return nil, throw("groovy.lang.GroovyRuntimeException", "Infinite loop detected due to step size of 0")
				}
				out := []Value{}
				for i := 0; i < r.len() && len(out) < maxItems; i += n {
					out = append(out, r.at(i))
				}
				if c.N() == 2 {
					cl := c.fn(1)
					for _, v := range out {
						if _, err := cl.Call(c.Run, v); err != nil {
							return nil, err
						}
					}
				}
				return NewList(out...), nil
			}),
			"size":      method(0, 0, func(c *Call) (Value, error) { return int32(c.Self.(*Range).len()), nil }),
			"isReverse": method(0, 0, func(c *Call) (Value, error) { r := c.Self.(*Range); return r.To < r.From, nil }),
		}
	}
}

func indexOf(list []Value, v Value) int {
	for i, e := range list {
		if equals(e, v) {
			return i
		}
	}
	return -1
}

// removeAt returns a new slice without item i.
func removeAt(old []Value, i int) []Value {
	if i >= len(old) {
		return old
	}
	if i == 0 {
		return old[1:]
	}
	out := make([]Value, 0, len(old)-1)
	return append(append(out, old[:i]...), old[i+1:]...)
}

// keep leaves in a list the items that are in the argument, or that a closure accepts, or the others.
func keep(c *Call, l *List, want bool) (Value, error) {
	cl, byTest := c.Args[0].(*Closure)
	other := mustItems(c.Args[0])
	all := l.all()
	out := make([]Value, 0, len(all))
	for _, e := range all {
		var in bool
		if byTest {
			var err error
			if in, err = test(c.Run, cl, e); err != nil {
				return nil, err
			}
		} else {
			in = indexOf(other, e) >= 0
		}
		if in == want {
			out = append(out, e)
		}
	}
	return len(out) != len(all), l.edit(func([]Value) []Value { return out })
}

func permutations(c *Call) (Value, error) {
	list := walk(c)
	if len(list) > 9 {
		return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
	}
	var out []Value
	var run func(done, rest []Value)
	run = func(done, rest []Value) {
		if len(rest) == 0 {
			out = append(out, NewList(append([]Value{}, done...)...))
			return
		}
		for i := range rest {
			left := append(append([]Value{}, rest[:i]...), rest[i+1:]...)
			run(append(done, rest[i]), left)
		}
	}
	run(nil, list)
	return NewList(out...), nil
}

func initSet() {
	setClass.Methods = Methods{
		"add": method(1, 1, func(c *Call) (Value, error) { return c.Self.(*Set).add(c.Args[0]), nil }),
		"addAll": method(1, 1, func(c *Call) (Value, error) {
			any := false
			for _, e := range mustItems(c.Args[0]) {
				any = c.Self.(*Set).add(e) || any
			}
			return any, nil
		}),
		"remove": method(1, 1, func(c *Call) (Value, error) {
			s := c.Self.(*Set)
			had := s.has(c.Args[0])
			s.m.Remove(c.Args[0])
			return had, nil
		}),
		"removeAll": method(1, 1, func(c *Call) (Value, error) { return keepInSet(c, false) }),
		"retainAll": method(1, 1, func(c *Call) (Value, error) { return keepInSet(c, true) }),
		"removeIf":  method(1, 1, func(c *Call) (Value, error) { return keepInSet(c, false) }),
		"clear":     method(0, 0, func(c *Call) (Value, error) { c.Self.(*Set).m.clear(); return nil, nil }),
		"first":     end(false, "first"), "last": end(true, "last"),
	}
	setClass.Groovy = Methods{
		"leftShift": method(1, 1, func(c *Call) (Value, error) { return groovyLeftShift(c.Run, c.Self, c.Args[0]) }),
		"plus":      method(1, 1, func(c *Call) (Value, error) { return groovyPlus(c.Run, c.Self, c.Args[0]) }),
		"minus":     method(1, 1, func(c *Call) (Value, error) { return groovyMinus(c.Run, c.Self, c.Args[0]) }),
	}
}

func keepInSet(c *Call, want bool) (Value, error) {
	s := c.Self.(*Set)
	l := NewList(s.items()...)
	changed, err := keep(c, l, want)
	if err != nil {
		return nil, err
	}
	left := &Set{}
	for _, e := range l.all() {
		left.add(e)
	}
	for _, e := range s.items() {
		if !left.has(e) {
			s.m.Remove(e)
		}
	}
	return changed, nil
}

func initMap() {
	m := func(c *Call) *Map { return c.Self.(*Map) }
	edit := func(least, most int, do func(c *Call, m *Map) (Value, error)) *Method {
		return method(least, most, func(c *Call) (Value, error) {
			if m(c).fixed {
				return nil, throw("java.lang.UnsupportedOperationException", "")
			}
			return do(c, m(c))
		})
	}
	mapClass.Methods = Methods{
		"size":    method(0, 0, func(c *Call) (Value, error) { return int32(m(c).Len()), nil }),
		"isEmpty": method(0, 0, func(c *Call) (Value, error) { return m(c).Len() == 0, nil }),
		"get": method(1, 2, func(c *Call) (Value, error) {
			v, ok := m(c).Get(c.Args[0])
			switch {
			case !ok && c.N() == 2: // Groovy's get with a default keeps it
				m(c).Put(c.Args[0], c.Args[1])
				return c.Args[1], nil
			case !ok && m(c).absent != nil:
				return c.Run.absent(m(c), c.Args[0])
			}
			return v, nil
		}),
		"getOrDefault": method(2, 2, func(c *Call) (Value, error) {
			if v, ok := m(c).Get(c.Args[0]); ok {
				return v, nil
			}
			return c.Args[1], nil
		}),
		"put": edit(2, 2, func(c *Call, m *Map) (Value, error) { return m.Put(c.Args[0], c.Args[1]), nil }),
		"putAll": edit(1, 1, func(c *Call, m *Map) (Value, error) {
			for _, e := range mustItems(c.Args[0]) {
				if en, ok := e.(*Entry); ok {
					m.Put(en.Key, en.Value)
				}
			}
			return nil, nil
		}),
		"putIfAbsent": edit(2, 2, func(c *Call, m *Map) (Value, error) {
			if v, ok := m.Get(c.Args[0]); ok && v != nil {
				return v, nil
			}
			m.Put(c.Args[0], c.Args[1])
			return nil, nil
		}),
		"computeIfAbsent": edit(2, 2, func(c *Call, m *Map) (Value, error) {
			if v, ok := m.Get(c.Args[0]); ok && v != nil {
				return v, nil
			}
			v, err := c.fn(1).Call(c.Run, c.Args[0])
			if err == nil && v != nil {
				m.Put(c.Args[0], v)
			}
			return v, err
		}),
		"merge": edit(3, 3, func(c *Call, m *Map) (Value, error) {
			v := c.Args[1]
			if old, ok := m.Get(c.Args[0]); ok {
				var err error
				if v, err = c.fn(2).Call(c.Run, old, v); err != nil {
					return nil, err
				}
			}
			m.Put(c.Args[0], v)
			return v, nil
		}),
		"remove": edit(1, 2, func(c *Call, m *Map) (Value, error) { return m.Remove(c.Args[0]), nil }),
		"clear":  edit(0, 0, func(c *Call, m *Map) (Value, error) { m.clear(); return nil, nil }),
		"containsKey": method(1, 1, func(c *Call) (Value, error) {
			_, ok := m(c).Get(c.Args[0])
			return ok, nil
		}),
		"containsValue": method(1, 1, func(c *Call) (Value, error) { return indexOf(m(c).values(), c.Args[0]) >= 0, nil }),
		"keySet": method(0, 0, func(c *Call) (Value, error) {
			s := newSet(byInsertion, nil)
			for _, k := range m(c).keys() {
				s.add(k)
			}
			return s, nil
		}),
		"keys":     method(0, 0, func(c *Call) (Value, error) { return &iterator{list: m(c).keys()}, nil }),
		"elements": method(0, 0, func(c *Call) (Value, error) { return &iterator{list: m(c).values()}, nil }),
		"values":   method(0, 0, func(c *Call) (Value, error) { return NewList(m(c).values()...), nil }),
		"entrySet": method(0, 0, func(c *Call) (Value, error) {
			s := newSet(byInsertion, nil)
			for _, e := range m(c).entries() {
				s.add(e)
			}
			return s, nil
		}),
		"forEach": method(1, 1, func(c *Call) (Value, error) {
			for _, e := range m(c).entries() {
				if _, err := give(c.Run, c.fn(0), e); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
		"firstKey": method(0, 0, func(c *Call) (Value, error) { return firstOf(m(c).keys()) }),
		"lastKey": method(0, 0, func(c *Call) (Value, error) {
			k := m(c).keys()
			if len(k) == 0 {
				return firstOf(nil)
			}
			return k[len(k)-1], nil
		}),
	}
	mapClass.Groovy = Methods{
		"size": mapClass.Methods["size"],
		"withDefault": method(1, 1, func(c *Call) (Value, error) {
			d := m(c).copy()
			d.absent = c.fn(0)
			return d, nil
		}),
		"subMap": method(1, 1, func(c *Call) (Value, error) {
			s := NewMap()
			for _, k := range mustItems(c.Args[0]) {
				if v, ok := m(c).Get(k); ok {
					s.Put(k, v)
				}
			}
			return s, nil
		}),
		"plus":        method(1, 1, func(c *Call) (Value, error) { return groovyPlus(c.Run, c.Self, c.Args[0]) }),
		"leftShift":   method(1, 1, func(c *Call) (Value, error) { return groovyLeftShift(c.Run, c.Self, c.Args[0]) }),
		"asImmutable": method(0, 0, func(c *Call) (Value, error) { d := m(c).copy(); d.fixed = true; return d, nil }),
		"toSpreadMap": method(0, 0, func(c *Call) (Value, error) { return c.Self, nil }),
	}
}

func firstOf(list []Value) (Value, error) {
	if len(list) == 0 {
		return nil, throw("java.util.NoSuchElementException", "")
	}
	return list[0], nil
}
