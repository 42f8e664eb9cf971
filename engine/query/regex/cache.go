package regex

import (
	"container/list"
	"sync"
)

// Cache keeps the patterns compiled last, for patterns that are built at run time
// from variables. It is safe for concurrent use. The zero value is not ready; see
// NewCache.
type Cache struct {
	dialect Dialect
	size    int

	mu    sync.Mutex
	known map[string]*list.Element
	order list.List // of cached, the last used first
}

type cached struct {
	pattern string
	re      *Regexp
	err     error
}

// NewCache returns a cache of at most size patterns of a dialect. JMeter's own,
// the property oro.patterncache.size, holds 1000.
func NewCache(d Dialect, size int) *Cache {
	return &Cache{dialect: d, size: max(size, 1), known: make(map[string]*list.Element)}
}

// Get is Compile, remembered; a bad pattern is remembered too.
func (c *Cache) Get(pattern string) (*Regexp, error) {
	if re, err, ok := c.lookup(pattern); ok {
		return re, err
	}
	re, err := Compile(pattern, c.dialect) // unlocked: others go on meanwhile
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.known[pattern]; ok {
		hit := e.Value.(*cached)
		return hit.re, hit.err
	}
	c.known[pattern] = c.order.PushFront(&cached{pattern, re, err})
	if c.order.Len() > c.size {
		last := c.order.Back()
		delete(c.known, last.Value.(*cached).pattern)
		c.order.Remove(last)
	}
	return re, err
}

func (c *Cache) lookup(pattern string) (re *Regexp, err error, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.known[pattern]
	if !ok {
		return nil, nil, false
	}
	c.order.MoveToFront(e)
	hit := e.Value.(*cached)
	return hit.re, hit.err, true
}
