package vu

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Properties are JMeter's properties: global strings, shared by all threads.
// A name that is not set falls back to the Java system property of that name.
// All methods are safe for concurrent use.
type Properties struct {
	mu     sync.RWMutex
	values map[string]string
	system map[string]string
	// edits counts changes, so that a reader may keep what it parsed.
	edits atomic.Uint64
}

// NewProperties returns an empty set.
func NewProperties() *Properties {
	return &Properties{values: map[string]string{}, system: map[string]string{}}
}

// Lookup returns the property, else the system property of that name.
func (p *Properties) Lookup(name string) (string, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if v, ok := p.values[name]; ok {
		return v, true
	}
	v, ok := p.system[name]
	return v, ok
}

// LookupOwn returns the property without the system fallback: what
// props.get() of scripts and the report settings see.
func (p *Properties) LookupOwn(name string) (string, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	v, ok := p.values[name]
	return v, ok
}

// Get returns the property trimmed, or def where it is not set.
func (p *Properties) Get(name, def string) string {
	if v, ok := p.Lookup(name); ok {
		return strings.TrimSpace(v)
	}
	return def
}

// Bool reads true/t/1 and false/f/0 in any case, else def.
func (p *Properties) Bool(name string, def bool) bool {
	switch strings.ToLower(p.Get(name, "")) {
	case "true", "t", "1":
		return true
	case "false", "f", "0":
		return false
	}
	return def
}

// Int reads a decimal number; text that is none yields def.
func (p *Properties) Int(name string, def int64) int64 {
	if n, ok := ParseLong(p.Get(name, "")); ok {
		return n
	}
	return def
}

// Set sets a property.
func (p *Properties) Set(name, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.values[name] = value
	p.edits.Add(1)
}

// Remove removes a property and returns what it was.
func (p *Properties) Remove(name string) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	v, ok := p.values[name]
	delete(p.values, name)
	p.edits.Add(1)
	return v, ok
}

// SetSystem sets a Java system property (-D), which named properties hide.
func (p *Properties) SetSystem(name, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.system[name] = value
	p.edits.Add(1)
}

// RemoveSystem removes a system property.
func (p *Properties) RemoveSystem(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.system, name)
	p.edits.Add(1)
}

// System returns the system property of that name.
func (p *Properties) System(name string) (string, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	v, ok := p.system[name]
	return v, ok
}

// Names returns the names of all properties (not of system ones), sorted.
func (p *Properties) Names() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return slices.Sorted(maps.Keys(p.values))
}

// SystemNames returns the names of all system properties, sorted.
func (p *Properties) SystemNames() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return slices.Sorted(maps.Keys(p.system))
}

// Edits changes whenever a property changes: whoever keeps something parsed
// from a property re-reads it when the count differs.
func (p *Properties) Edits() uint64 { return p.edits.Load() }
