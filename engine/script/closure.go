package script

import (
	"sync"
)

// Closure is a function as a value: a groovy.lang.Closure.
type Closure struct {
	fn            *function
	up            []*cell
	unit          *unit
	owner         *Closure
	delegate      Value
	delegateFirst bool
	native        func(r *Run, args []Value) (Value, error)
	memo          *memo
}

// memo holds the results of memoize().
type memo struct {
	mu sync.Mutex
	m  Map
}

// JavaClass is Closure.
func (cl *Closure) JavaClass() *Class { return closureClass }

func (cl *Closure) String() string { return "Script1$_run_closure1@" + hexIdentity(cl) }

// Call calls the closure in a run.
func (cl *Closure) Call(r *Run, args ...Value) (Value, error) {
	if cl.memo != nil {
		key := NewList(args...)
		cl.memo.mu.Lock()
		v, ok := cl.memo.m.Get(key)
		cl.memo.mu.Unlock()
		if ok {
			return v, nil
		}
		plain := *cl
		plain.memo = nil
		v, err := plain.Call(r, args...)
		if err == nil {
			cl.memo.m.Put(key, v)
		}
		return v, err
	}
	if cl.native != nil {
		return cl.native(r, args)
	}
	fn := cl.fn
	if len(args) == 1 && len(fn.params) > 1 { // one list for several parameters is taken apart
		if list, ok := listItems(args[0]); ok {
			args = list
		}
	}
	return r.callFunction(fn, cl.unit, cl, cl.up, args)
}

// params is how many arguments the closure takes, for methods that pass one or two.
func (cl *Closure) params() int {
	if cl.fn == nil {
		return 1
	}
	return len(cl.fn.params)
}

// with returns a copy of the closure with an object behind its names.
func (cl *Closure) with(delegate Value, first bool) *Closure {
	c := *cl
	c.delegate, c.delegateFirst = delegate, first
	return &c
}

// arity is the least and greatest number of arguments; most is -1 for any number.
func (f *function) arity() (least, most int) {
	for _, p := range f.params {
		if p.varargs {
			return least, -1
		}
		most++
		if p.init == nil && !f.it {
			least++
		}
	}
	return least, most
}

// accepts says whether the arguments are of the declared classes.
func (f *function) accepts(args []Value) bool {
	for i, p := range f.params {
		if i >= len(args) || p.varargs {
			return true
		}
		if p.class.name == "" || args[i] == nil {
			continue
		}
		if pr, ok := primitives[p.class.name]; ok {
			if pr.isA("java.lang.Number") != isNumber(args[i]) {
				return false
			}
			continue
		}
		if cl, ok := FindClass(p.class.name); ok && p.class.dims == 0 && !instanceOf(args[i], cl) {
			return false
		}
	}
	return true
}

// callFunction runs a function with arguments.
func (r *Run) callFunction(f *function, u *unit, cl *Closure, up []*cell, args []Value) (Value, error) {
	if err := r.enter(); err != nil {
		return nil, err
	}
	defer r.leave()
	if err := r.tick(); err != nil {
		return nil, err
	}
	least, most := f.arity()
	if len(args) < least || most >= 0 && len(args) > most {
		return nil, r.missingMethod(cl, f.name, args)
	}
	fr := &frame{run: r, unit: u, vars: make([]Value, f.slots), up: up, closure: cl}
	defaults := len(f.params) - len(args) // parameters that take their default, from the right
	if most < 0 {
		defaults = max(0, len(f.params)-1-len(args))
	}
	skip := make([]bool, len(f.params))
	for i := len(f.params) - 1; i >= 0 && defaults > 0; i-- {
		if f.params[i].init != nil {
			skip[i] = true
			defaults--
		}
	}
	next := 0
	for i, p := range f.params {
		var v Value
		switch {
		case p.varargs:
			rest := args[next:]
			if len(rest) == 1 {
				if a, ok := rest[0].(*Array); ok {
					v = a
					break
				}
			}
			elem := p.class.name
			if elem == "" {
				elem = "java.lang.Object"
			}
			v = &Array{Elem: elem, Items: append([]Value(nil), rest...)}
		case skip[i]:
			var err error
			if v, err = p.init(fr); err != nil {
				return nil, err
			}
		case next < len(args):
			v = args[next]
			next++
		}
		if !p.varargs && p.class.name != "" {
			class, ok := u.typeOf(p.class)
			if ok {
				var err error
				if v, err = coerce(r, v, class); err != nil {
					return nil, err
				}
			}
		}
		p.local.init(fr, v)
	}
	flow, err := f.body(fr)
	if err != nil {
		return nil, err
	}
	if flow == flowReturn {
		return fr.ret, nil
	}
	return nil, nil
}

// typeOf is the class of a declared parameter.
func (u *unit) typeOf(t typeRef) (*Class, bool) {
	if t.dims > 0 {
		return arrayClass(t.name), true
	}
	if p, ok := primitives[t.name]; ok {
		return p, true
	}
	return u.class(t.name)
}

// callable turns an argument into something to call: a closure, or an object with one method.
func (c *Call) fn(i int) *Closure {
	if cl, ok := c.Args[i].(*Closure); ok {
		return cl
	}
	c.fail(i, "groovy.lang.Closure")
	return &Closure{native: func(*Run, []Value) (Value, error) { return nil, nil }}
}

// scriptObject is what this means in a script.
type scriptObject struct {
	run  *Run
	unit *unit
}

func (s *scriptObject) JavaClass() *Class { return scriptClass }
