package script

import (
	"sort"
	"strings"
)

// order makes a comparison of the closure that is the last argument: of two items, or of what it
// makes of each.
func order(c *Call) (func(a, b Value) (int, error), bool) {
	if c.N() == 0 {
		return compareValues, false
	}
	switch x := c.Args[c.N()-1].(type) {
	case *Closure:
		if x.params() == 2 || x.native != nil {
			return func(a, b Value) (int, error) {
				v, err := x.Call(c.Run, a, b)
				if err != nil {
					return 0, err
				}
				if !isNumber(v) {
					if b, ok := v.(bool); ok && b {
						return 1, nil
					}
					return 0, nil
				}
				return int(toInt(v)), nil
			}, true
		}
		return func(a, b Value) (int, error) {
			p, err := give(c.Run, x, a)
			if err != nil {
				return 0, err
			}
			q, err := give(c.Run, x, b)
			if err != nil {
				return 0, err
			}
			return compareValues(p, q)
		}, true
	case nil:
		return compareValues, false
	}
	return compareValues, false
}

// sorted returns the items in order; the first error of a comparison ends it.
func sorted(list []Value, cmp func(a, b Value) (int, error)) ([]Value, error) {
	out := append([]Value{}, list...)
	var failed error
	sort.SliceStable(out, func(i, j int) bool {
		if failed != nil {
			return false
		}
		n, err := cmp(out[i], out[j])
		if err != nil {
			failed = err
		}
		return n < 0
	})
	return out, failed
}

func sortItems(c *Call) (Value, error) {
	cmp, _ := order(c)
	m, isMap := c.Self.(*Map)
	if isMap && c.N() == 0 {
		return mapOf(m, treeMapClass), nil
	}
	out, err := sorted(walk(c), cmp)
	if err != nil {
		return nil, err
	}
	if isMap {
		s := NewMap()
		for _, e := range out {
			s.Put(e.(*Entry).Key, e.(*Entry).Value)
		}
		return s, nil
	}
	mutate := c.N() == 0
	if c.N() > 0 {
		b, isBool := c.Args[0].(bool)
		mutate = !isBool || b
	}
	switch x := c.Self.(type) {
	case *List:
		if mutate {
			return x, x.edit(func([]Value) []Value { return out })
		}
	case *Array:
		if mutate {
			copy(x.Items, out)
			return x, nil
		}
		return &Array{Elem: x.Elem, Items: out}, nil
	}
	return NewList(out...), nil
}

// extreme is min and max.
func extreme(c *Call, want int) (Value, error) {
	cmp, _ := order(c)
	var best Value
	for i, e := range walk(c) {
		if e == nil {
			continue
		}
		if i == 0 || best == nil {
			best = e
			continue
		}
		n, err := cmp(e, best)
		if err != nil {
			return nil, err
		}
		if n*want > 0 {
			best = e
		}
	}
	return best, nil
}

func unique(c *Call) (Value, error) {
	var out []Value
	list := walk(c)
	var cl *Closure
	mutate := true
	for _, a := range c.Args {
		switch x := a.(type) {
		case bool:
			mutate = x
		case *Closure:
			cl = x
		}
	}
	var keys []Value
next:
	for _, e := range list {
		k := e
		if cl != nil && cl.params() != 2 {
			var err error
			if k, err = give(c.Run, cl, e); err != nil {
				return nil, err
			}
		}
		for _, old := range keys {
			if cl != nil && cl.params() == 2 {
				v, err := cl.Call(c.Run, k, old)
				if err != nil {
					return nil, err
				}
				if equalGroovy(v, int32(0)) {
					continue next
				}
				continue
			}
			if equalGroovy(old, k) {
				continue next
			}
		}
		keys = append(keys, k)
		out = append(out, e)
	}
	if l, ok := c.Self.(*List); ok && mutate {
		return l, l.edit(func([]Value) []Value { return out })
	}
	return likeSelf(c.Self, out), nil
}

func join(c *Call) (Value, error) {
	by := ""
	if c.N() == 1 {
		by = groovyString(c.Args[0])
	}
	var b strings.Builder
	for i, e := range walk(c) {
		if i > 0 {
			b.WriteString(by)
		}
		b.WriteString(groovyString(e))
		if b.Len() > maxText {
			return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
		}
	}
	return b.String(), nil
}

func flatten(out, list []Value, depth int) []Value {
	for _, e := range list {
		switch e.(type) {
		case *List, *Set, *Array, *Range, *Bytes:
			if depth < maxTextDepth {
				inner, _ := items(e)
				out = flatten(out, inner, depth+1)
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

func collate(c *Call) (Value, error) {
	list, n, step := walk(c), c.Int(0), 0
	keep := true
	if step = n; c.N() > 1 {
		switch x := c.Args[1].(type) {
		case bool:
			keep = x
		default:
			step = c.Int(1)
		}
	}
	if n <= 0 || step <= 0 {
		return NewList(NewList(list...)), nil
	}
	out := []Value{}
	for i := 0; i < len(list); i += step {
		end := min(i+n, len(list))
		if end-i < n && !keep {
			break
		}
		out = append(out, NewList(append([]Value{}, list[i:end]...)...))
	}
	return NewList(out...), nil
}

func transpose(c *Call) (Value, error) {
	var rows [][]Value
	least := -1
	for _, e := range walk(c) {
		r, _ := items(e)
		rows = append(rows, r)
		if least < 0 || len(r) < least {
			least = len(r)
		}
	}
	out := []Value{}
	for i := 0; i < least; i++ {
		col := make([]Value, len(rows))
		for k, r := range rows {
			col[k] = r[i]
		}
		out = append(out, NewList(col...))
	}
	return NewList(out...), nil
}

func combinations(c *Call) (Value, error) {
	out := [][]Value{{}}
	for _, e := range walk(c) {
		list, ok := items(e)
		if !ok {
			list = []Value{e}
		}
		var next [][]Value
		for _, v := range list {
			for _, o := range out {
				next = append(next, append(append([]Value{}, o...), v))
			}
		}
		if len(next) > maxItems/10 {
			return nil, throw("java.lang.OutOfMemoryError", "Java heap space")
		}
		out = next
	}
	var lists []Value
	for _, o := range out {
		lists = append(lists, NewList(o...))
	}
	return NewList(lists...), nil
}

// slice makes take, drop and their like: the items from and to positions that depend on the length.
func slice(span func(n, k int) (from, to int)) *Method {
	return method(0, 1, func(c *Call) (Value, error) {
		list, k := walk(c), 1
		if c.N() == 1 {
			k = c.Int(0)
		}
		from, to := span(len(list), min(max(k, 0), len(list)))
		return likeSelf(c.Self, append([]Value{}, list[from:to]...)), nil
	})
}

// while makes takeWhile and dropWhile.
func while(take bool) *Method {
	return method(1, 1, func(c *Call) (Value, error) {
		list, n := walk(c), 0
		err := each(c, func(cl *Closure, _ int, e Value) (bool, error) {
			ok, err := test(c.Run, cl, e)
			if ok {
				n++
			}
			return !ok, err
		})
		if take {
			list = list[:n]
		} else {
			list = list[n:]
		}
		return likeSelf(c.Self, append([]Value{}, list...)), err
	})
}

// end makes first, last and head.
func end(last bool, name string) *Method {
	return method(0, 0, func(c *Call) (Value, error) {
		list := walk(c)
		if len(list) == 0 {
			return nil, throw("java.util.NoSuchElementException", "Cannot access %s() element from an empty List", name)
		}
		if last {
			return list[len(list)-1], nil
		}
		return list[0], nil
	})
}
