package script

import (
	"fmt"
)

// number cells of java.util.concurrent.atomic.
type atomicNumber struct {
	class *Class
	l     List // one item, under the list's lock
}

func (a *atomicNumber) JavaClass() *Class { return a.class }
func (a *atomicNumber) String() string    { return javaString(a.l.all()[0]) }

func initAtomic() {
	for _, class := range []*Class{atomicInteger, atomicLong} {
		conv := integerClass
		if class == atomicLong {
			conv = longClass
		}
		class.New = method(0, 1, func(c *Call) (Value, error) {
			var n Value = int32(0)
			if c.N() == 1 {
				n = c.Args[0]
			}
			v, _, err := toNumber(n, conv)
			return &atomicNumber{class: class, l: List{v: []Value{v}}}, err
		})
		// change makes a method that adds or sets and returns the value after or before.
		change := func(n int, after bool, to func(c *Call, old Value) Value) *Method {
			return method(n, n, func(c *Call) (Value, error) {
				var ret Value
				err := c.Self.(*atomicNumber).l.edit(func(old []Value) []Value {
					v, _, _ := toNumber(to(c, old[0]), conv)
					if ret = old[0]; after {
						ret = v
					}
					return []Value{v}
				})
				return ret, err
			})
		}
		add := func(by int64) func(c *Call, old Value) Value {
			return func(_ *Call, old Value) Value { return toLong(old) + by }
		}
		delta := func(c *Call, old Value) Value { return toLong(old) + c.Long(0) }
		keepValue := func(_ *Call, old Value) Value { return old }
		set := func(c *Call, old Value) Value { return c.Long(0) }
		class.Methods = Methods{
			"get": change(0, true, keepValue), "intValue": change(0, true, keepValue), "longValue": change(0, true, keepValue),
			"incrementAndGet": change(0, true, add(1)), "getAndIncrement": change(0, false, add(1)),
			"decrementAndGet": change(0, true, add(-1)), "getAndDecrement": change(0, false, add(-1)),
			"addAndGet": change(1, true, delta), "getAndAdd": change(1, false, delta), "set": change(1, true, set), "getAndSet": change(1, false, set),
			"toString": method(0, 0, func(c *Call) (Value, error) { return fmt.Sprint(c.Self), nil }),
		}
	}
}
