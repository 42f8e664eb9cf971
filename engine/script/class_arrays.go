package script

import (
	"math/rand/v2"
	"sort"
)

// shuffle is Collections.shuffle, with the numbers of a given Random as Java's.
func shuffle(c *Call, v Value, arg int) error {
	l, ok := v.(*List)
	if !ok {
		return throw("java.lang.UnsupportedOperationException", "")
	}
	pick := func(n int) int { return rand.IntN(n) }
	if arg < c.N() {
		if r, ok := c.Args[arg].(*randomObject); ok {
			pick = func(n int) int { k, _ := r.r.IntN(int32(n)); return int(k) }
		}
	}
	return l.edit(func(old []Value) []Value {
		out := append([]Value(nil), old...)
		for i := len(out); i > 1; i-- {
			k := pick(i)
			out[i-1], out[k] = out[k], out[i-1]
		}
		return out
	})
}

func initArrays() {
	fixed := method(0, -1, func(c *Call) (Value, error) {
		list := c.Args
		if len(list) == 1 {
			if a, ok := list[0].(*Array); ok {
				list = a.Items
			}
		}
		return &List{v: append([]Value(nil), list...), fixed: true}, nil
	})
	arraysClass.Static = Methods{
		"asList": fixed,
		"sort": method(1, 3, func(c *Call) (Value, error) {
			if b, ok := c.Args[0].(*Bytes); ok {
				sort.Slice(b.B, func(i, j int) bool { return int8(b.B[i]) < int8(b.B[j]) })
				return nil, nil
			}
			a, ok := c.Args[0].(*Array)
			if !ok {
				c.fail(0, "an array")
				return nil, nil
			}
			cmp, _ := order(&Call{Run: c.Run, Args: c.Args[1:]})
			out, err := sorted(a.Items, cmp)
			copy(a.Items, out)
			return nil, err
		}),
		"toString": method(1, 1, func(c *Call) (Value, error) {
			if c.Args[0] == nil {
				return "null", nil
			}
			return javaString(NewList(mustItems(c.Args[0])...)), nil
		}),
		"equals": method(2, 2, func(c *Call) (Value, error) {
			return equalItems(mustItems(c.Args[0]), mustItems(c.Args[1]), equals), nil
		}),
		"fill": method(2, 2, func(c *Call) (Value, error) {
			for i := range mustItems(c.Args[0]) {
				if err := setArray(c.Run, c.Args[0], int32(i), c.Args[1]); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
		"copyOf":      method(2, 2, func(c *Call) (Value, error) { return copyRange(c, 0, c.Int(1)) }),
		"copyOfRange": method(3, 3, func(c *Call) (Value, error) { return copyRange(c, c.Int(1), c.Int(2)) }),
		"stream":      method(1, 1, func(c *Call) (Value, error) { return NewList(mustItems(c.Args[0])...), nil }),
	}
	self := func(c *Call) *Call { return &Call{Run: c.Run, Self: c.Args[0], Args: c.Args[1:]} }
	collectionsClass.Static = Methods{
		"shuffle": method(1, 2, func(c *Call) (Value, error) { return nil, shuffle(c, c.Args[0], 1) }),
		"sort":    method(1, 2, func(c *Call) (Value, error) { _, err := sortItems(self(c)); return nil, err }),
		"reverse": method(1, 1, func(c *Call) (Value, error) {
			l, ok := c.Args[0].(*List)
			if !ok {
				c.fail(0, "java.util.List")
				return nil, nil
			}
			return nil, l.edit(func(old []Value) []Value {
				out := make([]Value, len(old))
				for i, e := range old {
					out[len(old)-1-i] = e
				}
				return out
			})
		}),
		"max":              method(1, 2, func(c *Call) (Value, error) { return extreme(self(c), 1) }),
		"min":              method(1, 2, func(c *Call) (Value, error) { return extreme(self(c), -1) }),
		"emptyList":        method(0, 0, func(c *Call) (Value, error) { return &List{fixed: true}, nil }),
		"emptyMap":         method(0, 0, func(c *Call) (Value, error) { return &Map{fixed: true}, nil }),
		"singletonList":    method(1, 1, func(c *Call) (Value, error) { return &List{v: c.Args, fixed: true}, nil }),
		"unmodifiableList": method(1, 1, func(c *Call) (Value, error) { return &List{v: mustItems(c.Args[0]), fixed: true}, nil }),
		"synchronizedList": method(1, 1, func(c *Call) (Value, error) { return c.Args[0], nil }),
		"synchronizedMap":  method(1, 1, func(c *Call) (Value, error) { return c.Args[0], nil }),
		"unmodifiableMap": method(1, 1, func(c *Call) (Value, error) {
			m, ok := c.Args[0].(*Map)
			if !ok {
				c.fail(0, "java.util.Map")
				return nil, nil
			}
			d := m.copy()
			d.fixed = true
			return d, nil
		}),
		"addAll": method(1, -1, func(c *Call) (Value, error) {
			for _, e := range c.Args[1:] {
				if _, err := c.Run.invoke(c.Args[0], "add", []Value{e}); err != nil {
					return nil, err
				}
			}
			return len(c.Args) > 1, nil
		}),
		"frequency": method(2, 2, func(c *Call) (Value, error) {
			n := int32(0)
			for _, e := range mustItems(c.Args[0]) {
				if equals(e, c.Args[1]) {
					n++
				}
			}
			return n, nil
		}),
		"reverseOrder": method(0, 1, func(c *Call) (Value, error) {
			return &Closure{native: func(r *Run, a []Value) (Value, error) {
				n, err := compareValues(a[1], a[0])
				return int32(n), err
			}}, nil
		}),
	}
	listClass.Static = Methods{"of": fixed}
	mapClass.Static = Methods{"of": method(0, -1, func(c *Call) (Value, error) {
		m := newMap(byInsertion, nil)
		for i := 0; i+1 < c.N(); i += 2 {
			m.Put(c.Args[i], c.Args[i+1])
		}
		m.fixed = true
		return m, nil
	})}
	setClass.Static = Methods{"of": method(0, -1, func(c *Call) (Value, error) {
		s := newSet(byInsertion, nil)
		for _, e := range c.Args {
			s.add(e)
		}
		return s, nil
	})}
	objectsClass.Static = Methods{
		"equals":  method(2, 2, func(c *Call) (Value, error) { return equals(c.Args[0], c.Args[1]), nil }),
		"isNull":  method(1, 1, func(c *Call) (Value, error) { return c.Args[0] == nil, nil }),
		"nonNull": method(1, 1, func(c *Call) (Value, error) { return c.Args[0] != nil, nil }),
		"toString": method(1, 2, func(c *Call) (Value, error) {
			if c.Args[0] == nil && c.N() == 2 {
				return c.Args[1], nil
			}
			return javaString(c.Args[0]), nil
		}),
		"hash": method(0, -1, func(c *Call) (Value, error) { return hashCode(NewList(c.Args...)), nil }),
		"requireNonNull": method(1, 2, func(c *Call) (Value, error) {
			if c.Args[0] != nil {
				return c.Args[0], nil
			}
			if c.N() == 2 {
				return nil, throw("java.lang.NullPointerException", "%s", javaString(c.Args[1]))
			}
			return nil, throw("java.lang.NullPointerException", "")
		}),
	}
}

func copyRange(c *Call, from, to int) (Value, error) {
	if from < 0 || to < from || to-from > maxItems {
		return nil, throw("java.lang.NegativeArraySizeException", "%d", to-from)
	}
	switch a := c.Args[0].(type) {
	case *Bytes:
		b := make([]byte, to-from)
		copy(b, a.B[min(from, len(a.B)):min(to, len(a.B))])
		return &Bytes{b}, nil
	case *Array:
		out := makeArray(a.Elem, 1, []int{to - from}).(*Array)
		copy(out.Items, a.Items[min(from, len(a.Items)):min(to, len(a.Items))])
		return out, nil
	}
	c.fail(0, "an array")
	return nil, nil
}
