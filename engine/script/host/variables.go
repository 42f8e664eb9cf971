package host

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/vu"
)

// held is a value of a script that prints as Java does.
type held struct{ v script.Value }

func (h held) String() string { s, _ := script.ToString(h.v); return s }

// hold makes v one that everything else can print.
func hold(v script.Value) any {
	switch v.(type) {
	case string, bool, fmt.Stringer:
		return v
	}
	return held{v}
}

// unhold is what hold was given; objects of other elements become Java's.
func unhold(o any) script.Value {
	switch x := o.(type) {
	case held:
		return x.v
	case *vu.Counter:
		return int32(x.N)
	case int:
		return int32(x)
	case []any:
		list := script.NewList()
		for _, e := range x {
			_ = list.Add(unhold(e))
		}
		return list
	case map[string]any:
		m := script.NewMap()
		for _, k := range slices.Sorted(maps.Keys(x)) {
			m.Put(k, unhold(x[k]))
		}
		return m
	}
	return o
}

// variables is vars.
type variables struct{ t *vu.Thread }

func (h *variables) Object(name string) any { return unhold(h.t.Vars.Object(name)) }
func (h *variables) Remove(name string)     { h.t.Vars.Remove(name) }
func (h *variables) Names() []string        { return h.t.Vars.Names() }

// PutObject sets a variable; null unsets it.
func (h *variables) PutObject(name string, v any) {
	if v == nil {
		h.t.Vars.Remove(name)
		return
	}
	keep(v)
	h.t.Vars.PutObject(name, hold(v))
}

// keep notes a result that is to outlive its sample.
func keep(v script.Value) {
	x, ok := api.ResultOf(v)
	if !ok {
		return
	}
	if r, ok := x.(*result); ok && !slices.Contains(r.st.kept, r) {
		r.st.kept = append(r.st.kept, r)
	}
}

// properties is props: JMeter's properties, and the objects that scripts put there.
type properties struct {
	p *vu.Properties

	mu      sync.RWMutex
	objects map[string]any // those that are no texts
}

type propertiesKey struct{}

func propertiesOf(r *vu.Run) *properties {
	return vu.Shared(r, propertiesKey{}, func() *properties { return &properties{p: r.Props, objects: map[string]any{}} })
}

func (h *properties) Object(name string) any {
	h.mu.RLock()
	o, ok := h.objects[name]
	h.mu.RUnlock()
	if ok {
		return o
	}
	if s, ok := h.p.LookupOwn(name); ok {
		return s
	}
	return nil
}

// PutObject sets a property. Only texts are seen by __P and the like.
func (h *properties) PutObject(name string, v any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, ok := v.(string); ok {
		delete(h.objects, name)
		h.p.Set(name, s)
		return
	}
	keep(v)
	h.p.Remove(name)
	h.objects[name] = v
}

func (h *properties) Remove(name string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.objects, name)
	h.p.Remove(name)
}

func (h *properties) Names() []string {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if len(h.objects) == 0 {
		return h.p.Names()
	}
	return slices.Sorted(maps.Keys(h.names()))
}

func (h *properties) names() map[string]bool {
	all := map[string]bool{}
	for _, n := range h.p.Names() {
		all[n] = true
	}
	for n := range h.objects {
		all[n] = true
	}
	return all
}

func (h *properties) Lookup(name string) (string, bool) { return h.p.Lookup(name) }
