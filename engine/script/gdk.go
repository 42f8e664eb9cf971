package script

// The methods that Groovy adds to everything that can be walked through: lists, sets, arrays, ranges,
// maps by their entries, texts by their characters, matchers by their matches, and any other object as
// one item.

// walk is what a method of this file runs over.
func walk(c *Call) []Value {
	list, ok := items(c.Self)
	if !ok {
		return []Value{c.Self}
	}
	return list
}

// give passes one item to a closure: an entry as key and value to one that takes two.
func give(r *Run, cl *Closure, e Value, more ...Value) (Value, error) {
	if err := r.tick(); err != nil {
		return nil, err
	}
	if en, ok := e.(*Entry); ok && cl.params() == 2+len(more) {
		return cl.Call(r, append([]Value{en.Key, en.Value}, more...)...)
	}
	return cl.Call(r, append([]Value{e}, more...)...)
}

// test passes one item to a closure and takes the truth of its answer.
func test(r *Run, cl *Closure, e Value) (bool, error) {
	v, err := give(r, cl, e)
	if err != nil {
		return false, err
	}
	return truthOf(r, v)
}

// each runs do over the items with the closure that is the last argument.
func each(c *Call, do func(cl *Closure, i int, e Value) (stop bool, err error)) error {
	cl := c.fn(c.N() - 1)
	for i, e := range walk(c) {
		if stop, err := do(cl, i, e); err != nil || stop {
			return err
		}
	}
	return nil
}

func findItem(c *Call) (Value, error) {
	var found Value
	if c.N() == 0 {
		for _, e := range walk(c) {
			if ok, _ := truthOf(c.Run, e); ok {
				return e, nil
			}
		}
		return nil, nil
	}
	err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
		ok, err := test(c.Run, cl, e)
		if ok {
			found = e
		}
		return ok, err
	})
	return found, err
}

// filter keeps the items for which the closure says want.
func filter(c *Call, want bool) ([]Value, error) {
	out := []Value{}
	if c.N() == 0 {
		for _, e := range walk(c) {
			if ok, _ := truthOf(c.Run, e); ok == want {
				out = append(out, e)
			}
		}
		return out, nil
	}
	err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
		ok, err := test(c.Run, cl, e)
		if ok == want {
			out = append(out, e)
		}
		return false, err
	})
	return out, err
}

// likeSelf puts items back into the kind of collection they came from.
func likeSelf(self Value, list []Value) Value {
	switch x := self.(type) {
	case *Map:
		m := x.like()
		for _, e := range list {
			if en, ok := e.(*Entry); ok {
				m.Put(en.Key, en.Value)
			}
		}
		return m
	case *Set:
		s := newSet(x.m.order, x.class)
		for _, e := range list {
			s.add(e)
		}
		return s
	case *Array:
		return &Array{Elem: x.Elem, Items: list}
	}
	return NewList(list...)
}

func findAllItems(c *Call) (Value, error) {
	list, err := filter(c, true)
	if err != nil {
		return nil, err
	}
	return likeSelf(c.Self, list), nil
}

// splitItems parts the items by a closure: those it accepts, those it does not.
func splitItems(c *Call) (Value, error) {
	yes, err := filter(c, true)
	if err != nil {
		return nil, err
	}
	no, err := filter(c, false)
	return NewList(likeSelf(c.Self, yes), likeSelf(c.Self, no)), err
}

func countItems(c *Call) (Value, error) {
	n := int32(0)
	if c.N() == 1 {
		if _, ok := c.Args[0].(*Closure); !ok {
			for _, e := range walk(c) {
				if equalGroovy(e, c.Args[0]) {
					n++
				}
			}
			return n, nil
		}
	}
	list, err := filter(c, true)
	return int32(len(list)), err
}

func collect(c *Call) (Value, error) {
	out := []Value{}
	var into *List
	if c.N() == 0 {
		return NewList(append(out, walk(c)...)...), nil
	}
	if c.N() == 2 {
		into, _ = c.Args[0].(*List)
	}
	err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
		v, err := give(c.Run, cl, e)
		out = append(out, v)
		return false, err
	})
	if into != nil && err == nil {
		return into, into.Add(out...)
	}
	return NewList(out...), err
}

func collectMany(c *Call) (Value, error) {
	out := []Value{}
	err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
		v, err := give(c.Run, cl, e)
		list, _ := items(v)
		out = append(out, list...)
		return false, err
	})
	return NewList(out...), err
}

func collectEntries(c *Call) (Value, error) {
	m := NewMap()
	put := func(v Value) {
		switch x := v.(type) {
		case *Map:
			for _, e := range x.entries() {
				m.Put(e.Key, e.Value)
			}
		case *Entry:
			m.Put(x.Key, x.Value)
		default:
			if list, ok := listItems(v); ok && len(list) > 0 {
				var value Value
				if len(list) > 1 {
					value = list[1]
				}
				m.Put(list[0], value)
			}
		}
	}
	if c.N() == 0 {
		for _, e := range walk(c) {
			put(e)
		}
		return m, nil
	}
	err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
		v, err := give(c.Run, cl, e)
		put(v)
		return false, err
	})
	return m, err
}

func groupBy(c *Call) (Value, error) {
	m := NewMap()
	_, ofMap := c.Self.(*Map)
	err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
		k, err := give(c.Run, cl, e)
		if err != nil {
			return false, err
		}
		g, ok := m.Get(k)
		if !ok {
			g = NewList()
			if ofMap {
				g = NewMap()
			}
			m.Put(k, g)
		}
		switch g := g.(type) {
		case *List:
			err = g.Add(e)
		case *Map:
			en := e.(*Entry)
			g.Put(en.Key, en.Value)
		}
		return false, err
	})
	return m, err
}

func countBy(c *Call) (Value, error) {
	m := NewMap()
	err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
		k, err := give(c.Run, cl, e)
		n, _ := m.Get(k)
		old, _ := n.(int32)
		m.Put(k, old+1)
		return false, err
	})
	return m, err
}

func inject(c *Call) (Value, error) {
	list := walk(c)
	cl := c.fn(c.N() - 1)
	var acc Value
	if c.N() == 2 {
		acc = c.Args[0]
	} else {
		if len(list) == 0 {
			return nil, throw("java.util.NoSuchElementException", "Cannot call inject() on an empty collection without passing an initial value.")
		}
		acc, list = list[0], list[1:]
	}
	for _, e := range list {
		args := []Value{acc, e}
		if en, ok := e.(*Entry); ok && cl.params() == 3 {
			args = []Value{acc, en.Key, en.Value}
		}
		var err error
		if acc, err = cl.Call(c.Run, args...); err != nil {
			return nil, err
		}
	}
	return acc, nil
}

func sum(c *Call) (Value, error) {
	list := walk(c)
	var acc Value
	started := false
	for i := 0; i < c.N(); i++ {
		if _, ok := c.Args[i].(*Closure); !ok {
			acc, started = c.Args[i], true
		}
	}
	var cl *Closure
	if c.N() > 0 {
		cl, _ = c.Args[c.N()-1].(*Closure)
	}
	for _, e := range list {
		v := e
		var err error
		if cl != nil {
			if v, err = give(c.Run, cl, e); err != nil {
				return nil, err
			}
		}
		if !started {
			acc, started = v, true
			continue
		}
		if acc, err = groovyPlus(c.Run, acc, v); err != nil {
			return nil, err
		}
	}
	return acc, nil
}

func initGroovyIteration() {
	g := objectClass.Groovy
	more := Methods{
		"each": method(1, 1, func(c *Call) (Value, error) {
			return c.Self, each(c, func(cl *Closure, _ int, e Value) (bool, error) {
				_, err := give(c.Run, cl, e)
				return false, err
			})
		}),
		"eachWithIndex": method(1, 1, func(c *Call) (Value, error) {
			return c.Self, each(c, func(cl *Closure, i int, e Value) (bool, error) {
				_, err := give(c.Run, cl, e, int32(i))
				return false, err
			})
		}),
		"reverseEach": method(1, 1, func(c *Call) (Value, error) {
			list, cl := walk(c), c.fn(0)
			for i := len(list) - 1; i >= 0; i-- {
				if _, err := give(c.Run, cl, list[i]); err != nil {
					return nil, err
				}
			}
			return c.Self, nil
		}),
		"collect": method(0, 2, collect), "collectMany": method(1, 1, collectMany), "collectEntries": method(0, 1, collectEntries),
		"collectNested": method(1, 1, collect),
		"find":          method(0, 1, findItem), "findAll": method(0, 1, findAllItems), "split": method(1, 1, splitItems),
		"findResult": method(1, 1, func(c *Call) (Value, error) {
			var found Value
			err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
				v, err := give(c.Run, cl, e)
				found = v
				return v != nil, err
			})
			return found, err
		}),
		"findResults": method(1, 1, func(c *Call) (Value, error) {
			out := []Value{}
			err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
				v, err := give(c.Run, cl, e)
				if v != nil {
					out = append(out, v)
				}
				return false, err
			})
			return NewList(out...), err
		}),
		"any": method(0, 1, func(c *Call) (Value, error) {
			list, err := filter(c, true)
			return len(list) > 0, err
		}),
		"every": method(0, 1, func(c *Call) (Value, error) {
			list, err := filter(c, false)
			return len(list) == 0, err
		}),
		"grep": method(0, 1, func(c *Call) (Value, error) {
			out := []Value{}
			for _, e := range walk(c) {
				var ok bool
				var err error
				if c.N() == 0 {
					ok, err = truthOf(c.Run, e)
				} else {
					ok, err = caseMatches(c.Run, c.Args[0], e)
				}
				if err != nil {
					return nil, err
				}
				if ok {
					out = append(out, e)
				}
			}
			return NewList(out...), nil
		}),
		"findIndexOf": method(1, 2, func(c *Call) (Value, error) {
			n, from := int32(-1), 0
			if c.N() == 2 {
				from = c.Int(0)
			}
			err := each(c, func(cl *Closure, i int, e Value) (bool, error) {
				if i < from {
					return false, nil
				}
				ok, err := test(c.Run, cl, e)
				if ok {
					n = int32(i)
				}
				return ok, err
			})
			return n, err
		}),
		"findLastIndexOf": method(1, 1, func(c *Call) (Value, error) {
			n := int32(-1)
			err := each(c, func(cl *Closure, i int, e Value) (bool, error) {
				ok, err := test(c.Run, cl, e)
				if ok {
					n = int32(i)
				}
				return false, err
			})
			return n, err
		}),
		"findIndexValues": method(1, 1, func(c *Call) (Value, error) {
			out := []Value{}
			err := each(c, func(cl *Closure, i int, e Value) (bool, error) {
				ok, err := test(c.Run, cl, e)
				if ok {
					out = append(out, int64(i))
				}
				return false, err
			})
			return NewList(out...), err
		}),
		"inject": method(1, 2, inject), "sum": method(0, 2, sum), "count": method(0, 1, countItems), "countBy": method(1, 1, countBy), "groupBy": method(1, 1, groupBy),
		"max": method(0, 1, func(c *Call) (Value, error) { return extreme(c, 1) }),
		"min": method(0, 1, func(c *Call) (Value, error) { return extreme(c, -1) }),
		"average": method(0, 1, func(c *Call) (Value, error) {
			s, err := sum(c)
			if err != nil {
				return nil, err
			}
			return groovyBinary("/")(c.Run, s, int32(len(walk(c))))
		}),
		"sort": method(0, 2, sortItems), "unique": method(0, 2, unique), "join": method(0, 1, join),
		"toSorted": method(0, 1, func(c *Call) (Value, error) {
			cmp, _ := order(c)
			out, err := sorted(walk(c), cmp)
			return NewList(out...), err
		}),
		"toUnique": method(0, 1, func(c *Call) (Value, error) {
			c.Args = append([]Value{false}, c.Args...)
			return unique(c)
		}),
		"flatten":      method(0, 0, func(c *Call) (Value, error) { return NewList(flatten([]Value{}, walk(c), 0)...), nil }),
		"transpose":    method(0, 0, transpose),
		"combinations": method(0, 0, combinations),
		"collate":      method(1, 3, collate),
		"chop":         method(1, -1, collate),
		"toList":       method(0, 0, func(c *Call) (Value, error) { return NewList(append([]Value{}, walk(c)...)...), nil }),
		"asList":       method(0, 0, func(c *Call) (Value, error) { return NewList(walk(c)...), nil }),
		"toSet": method(0, 0, func(c *Call) (Value, error) {
			s := newSet(byInsertion, nil)
			for _, e := range walk(c) {
				s.add(e)
			}
			return s, nil
		}),
		"first": end(false, "first"), "head": end(false, "head"), "last": end(true, "last"),
		"tail":      slice(func(n, _ int) (int, int) { return min(1, n), n }),
		"init":      slice(func(n, _ int) (int, int) { return 0, max(n-1, 0) }),
		"take":      slice(func(n, k int) (int, int) { return 0, k }),
		"drop":      slice(func(n, k int) (int, int) { return k, n }),
		"takeRight": slice(func(n, k int) (int, int) { return n - k, n }),
		"dropRight": slice(func(n, k int) (int, int) { return 0, n - k }),
		"takeWhile": while(true), "dropWhile": while(false),
		"intersect": method(1, 1, func(c *Call) (Value, error) {
			out := []Value{}
			for _, e := range walk(c) {
				if ok, _ := caseMatches(c.Run, NewList(mustItems(c.Args[0])...), e); ok {
					out = append(out, e)
				}
			}
			return likeSelf(c.Self, out), nil
		}),
		"disjoint": method(1, 1, func(c *Call) (Value, error) {
			for _, e := range walk(c) {
				if ok, _ := caseMatches(c.Run, NewList(mustItems(c.Args[0])...), e); ok {
					return false, nil
				}
			}
			return true, nil
		}),
		"withIndex": method(0, 1, func(c *Call) (Value, error) {
			from, out := 0, []Value{}
			if c.N() == 1 {
				from = c.Int(0)
			}
			for i, e := range walk(c) {
				out = append(out, NewList(e, int32(i+from)))
			}
			return NewList(out...), nil
		}),
		"indexed": method(0, 0, func(c *Call) (Value, error) {
			m := NewMap()
			for i, e := range walk(c) {
				m.Put(int32(i), e)
			}
			return m, nil
		}),
	}
	for n, m := range more {
		g[n] = m
	}
	reverse := method(0, 1, func(c *Call) (Value, error) {
		list := walk(c)
		out := make([]Value, len(list))
		for i, e := range list {
			out[len(list)-1-i] = e
		}
		if x, ok := c.Self.(*List); ok && c.N() == 1 && c.Args[0] == true {
			return x, x.edit(func([]Value) []Value { return out })
		}
		return likeSelf(c.Self, out), nil
	})
	size := method(0, 0, func(c *Call) (Value, error) { return int32(len(walk(c))), nil })
	for _, cl := range []*Class{collectionClass, mapClass, arrayBase} {
		cl.Groovy = Methods{"reverse": reverse, "size": size}
	}
	arrayBase.Groovy["length"] = size
	arrayBase.Groovy["contains"] = method(1, 1, func(c *Call) (Value, error) {
		return b2v(caseMatches(c.Run, NewList(walk(c)...), c.Args[0]))
	})
	arrayBase.Methods = Methods{
		"clone": method(0, 0, func(c *Call) (Value, error) {
			if b, ok := c.Self.(*Bytes); ok {
				return &Bytes{append([]byte(nil), b.B...)}, nil
			}
			return &Array{Elem: c.Self.(*Array).Elem, Items: append([]Value(nil), c.Self.(*Array).Items...)}, nil
		}),
	}
}
