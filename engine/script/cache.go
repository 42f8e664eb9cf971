package script

import (
	"container/list"
	"sync"
)

// Cache keeps the programs compiled last, for sources that vary because variables are pasted into them. It
// is safe for concurrent use. A source that does not compile is remembered too.
type Cache struct {
	size int

	mu    sync.Mutex
	known map[cacheKey]*list.Element
	order list.List // of *cacheEntry, the last used first
}

type cacheKey struct{ lang, source string }

type cacheEntry struct {
	key  cacheKey
	prog *Program
	err  error
}

// NewCache returns a cache of at most size programs. JMeter's own, the property
// jsr223.compiled_scripts_cache_size, holds 100.
func NewCache(size int) *Cache {
	return &Cache{size: max(size, 1), known: make(map[cacheKey]*list.Element)}
}

// Compile is the package's Compile, remembered. The name counts only when the source is new.
func (c *Cache) Compile(lang, source, name string) (*Program, error) {
	key := cacheKey{lang, source}
	if e := c.lookup(key); e != nil {
		return e.prog, e.err
	}
	prog, err := Compile(lang, source, name) // unlocked: others go on meanwhile
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.known[key]; ok {
		hit := e.Value.(*cacheEntry)
		return hit.prog, hit.err
	}
	c.known[key] = c.order.PushFront(&cacheEntry{key, prog, err})
	if c.order.Len() > c.size {
		last := c.order.Back()
		delete(c.known, last.Value.(*cacheEntry).key)
		c.order.Remove(last)
	}
	return prog, err
}

func (c *Cache) lookup(key cacheKey) *cacheEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.known[key]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cacheEntry)
}

// Known returns what Compile made of a source before; ok is false for a new one.
func (c *Cache) Known(lang, source string) (prog *Program, err error, ok bool) { //nolint:revive // as Compile, and whether
	if e := c.lookup(cacheKey{lang, source}); e != nil {
		return e.prog, e.err, true
	}
	return nil, nil, false
}
