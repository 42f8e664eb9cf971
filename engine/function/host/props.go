package host

import (
	"maps"
	"slices"
	"sync"

	"github.com/gojm/gojm/engine/script"
	"github.com/gojm/gojm/engine/vu"
)

// props are the properties of the run. Scripts keep objects in them too, which
// only scripts see. It is safe for concurrent use.
type props struct{ run *vu.Run }

type objectsKey struct{}

// objects are the properties that are no texts.
type objects struct {
	mu    sync.RWMutex
	known map[string]any
}

func (p props) objects() *objects {
	return vu.Shared(p.run, objectsKey{}, func() *objects { return &objects{known: map[string]any{}} })
}

func (p props) Object(name string) any {
	o := p.objects()
	o.mu.RLock()
	v, ok := o.known[name]
	o.mu.RUnlock()
	if ok {
		return v
	}
	if s, ok := p.run.Props.LookupOwn(name); ok {
		return s
	}
	return nil
}

func (p props) PutObject(name string, v any) {
	o := p.objects()
	o.mu.Lock()
	defer o.mu.Unlock()
	if s, ok := v.(string); ok {
		delete(o.known, name)
		p.run.Props.Set(name, s)
		return
	}
	p.run.Props.Remove(name)
	o.known[name] = v
}

func (p props) Remove(name string) {
	o := p.objects()
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.known, name)
	p.run.Props.Remove(name)
}

func (p props) Names() []string {
	o := p.objects()
	o.mu.RLock()
	defer o.mu.RUnlock()
	names := append(p.run.Props.Names(), slices.Collect(maps.Keys(o.known))...)
	slices.Sort(names)
	return slices.Compact(names)
}

func (p props) Lookup(name string) (string, bool) {
	if v := p.Object(name); v != nil {
		s, _ := script.ToString(v)
		return s, true
	}
	return p.run.Props.Lookup(name)
}
