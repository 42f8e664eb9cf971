package function

import (
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// truth is Java's Boolean.parseBoolean.
func truth(s string) bool { return strings.EqualFold(s, "true") }

// runShared returns what all occurrences of a function share during the run that c
// is compiled for.
func runShared[T any](c *expr.Call, key any, make_ func() T) T {
	return vu.Shared(c.Engine.Run, key, make_)
}

// target is the argument that names a variable to set. The zero target names none
// and sets nothing.
type target struct {
	name expr.Text
	ref  vu.Ref // of a name that does not change
	rule targetRule
}

// targetRule says how a function reads the name of its variable.
type targetRule uint8

const (
	noTarget targetRule = iota
	trimmed             // blanks around do not count; an empty name sets nothing
	exact               // blanks count; an empty name sets nothing
	anyName             // blanks around do not count; an empty name is a name
)

// newTarget reads argument i.
func newTarget(c *expr.Call, i int, rule targetRule) target {
	if i >= len(c.Args) {
		return target{}
	}
	v := target{name: c.Args[i], ref: vu.NoRef, rule: rule}
	if v.name.IsConst() {
		return constTarget(c, v.read(v.name.Source()), rule)
	}
	return v
}

// constTarget is the target of a name known while the plan is compiled.
func constTarget(c *expr.Call, name string, rule targetRule) target {
	if name == "" && rule != anyName {
		return target{}
	}
	return target{name: expr.Const(name), ref: c.Names.Ref(name), rule: rule}
}

func (v *target) read(name string) string {
	if v.rule != exact {
		return java.Trim(name)
	}
	return name
}

// given tells whether there may be a variable to set.
func (v *target) given() bool { return v.rule != noTarget }

// put sets the variable. While a thread has no variables yet nothing is set.
func (v *target) put(t *vu.Thread, text string) {
	if v.rule == noTarget || t.Vars == nil {
		return
	}
	if v.ref != vu.NoRef {
		t.Vars.PutRef(v.ref, text)
		return
	}
	v.putAs(t, v.eval(t), text)
}

// eval returns the variable's name.
func (v *target) eval(t *vu.Thread) string { return v.read(v.name.Eval(t)) }

// putAs is put for a name that has been evaluated already.
func (v *target) putAs(t *vu.Thread, name, text string) {
	if t.Vars != nil && (name != "" || v.rule == anyName) {
		t.Vars.Put(name, text)
	}
}

// keep sets the variable to what was appended to dst since its length was from,
// and returns dst.
func (v *target) keep(dst []byte, from int, t *vu.Thread) []byte {
	if v.given() {
		v.put(t, string(dst[from:]))
	}
	return dst
}

// yield is keep for a text that is still to be appended.
func (v *target) yield(dst []byte, t *vu.Thread, text string) []byte {
	v.put(t, text)
	return append(dst, text...)
}

// null is yield for Java's null: it unsets the variable and appends the four letters.
func (v *target) null(dst []byte, t *vu.Thread) []byte {
	if v.given() && t.Vars != nil {
		t.Vars.Remove(v.eval(t))
	}
	return append(dst, "null"...)
}
