package host

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/vu"
)

// editable is a sampler whose properties can be changed for a thread's next sample.
type editable interface {
	Property(t *vu.Thread, name string) (value string, ok bool)
	SetProperty(t *vu.Thread, name, value string) (ok bool)
}

// sampler is the sampler at hand.
type sampler struct{ t *vu.Thread }

// Name is what the sample will be called, if the script or another one has said so,
// else the sampler's name.
func (h *sampler) Name() string {
	if h.t.Rename != "" {
		return h.t.Rename
	}
	return h.t.Sampler.Name(h.t)
}

func (h *sampler) SetName(name string) { h.t.Rename = name }

func (h *sampler) editable() editable {
	if s := current(h.t); s != nil {
		e, _ := s.Sampler.(editable)
		return e
	}
	return nil
}

func (h *sampler) Property(name string) string {
	if name == "TestElement.name" {
		return h.Name()
	}
	if e := h.editable(); e != nil {
		v, _ := e.Property(h.t, name)
		return v
	}
	return ""
}

func (h *sampler) SetProperty(name, value string) {
	if name == "TestElement.name" {
		h.SetName(value)
		return
	}
	if e := h.editable(); e != nil {
		e.SetProperty(h.t, name, value)
	}
}

// Table is a table of the sampler, nil where it has none of that name.
func (h *sampler) Table(name string) api.Table {
	s := current(h.t)
	if s == nil {
		return nil
	}
	x, ok := s.Sampler.(elem.Tabular)
	if !ok {
		return nil
	}
	if t := x.Table(h.t, name); t != nil {
		return t
	}
	return nil
}
