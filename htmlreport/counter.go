package htmlreport

import (
	"maps"
	"slices"
)

const (
	pageBits = 8
	pageSize = 1 << pageBits
	// directMax is the first value kept in the map: times from 0 to 131 s sit in
	// pages, which are allocated as they are met.
	directMax = 1 << 17
)

// A Counter is an exact multiset of whole milliseconds. Its size follows the
// number of different values, not the number of samples, so that percentiles
// stay exact over any number of rows. The zero value is empty and ready for use.
// It is not safe for concurrent use; give each worker its own and Merge them.
type Counter struct {
	n        int64
	min, max int64
	sum      int64
	pages    []*[pageSize]uint32
	rest     map[int64]int64 // values outside [0, directMax), and carries of full cells
}

// Add counts v once.
func (c *Counter) Add(v int64) {
	if c.n == 0 {
		c.min, c.max = v, v
	} else if v < c.min {
		c.min = v
	} else if v > c.max {
		c.max = v
	}
	c.n++
	c.sum += v
	if uint64(v) >= directMax {
		c.addRest(v, 1)
		return
	}
	p := int(v >> pageBits)
	if p >= len(c.pages) || c.pages[p] == nil {
		c.grow(p)
	}
	cell := &c.pages[p][v&(pageSize-1)]
	*cell++
	if *cell == 0 { // 2^32 samples of one value
		c.addRest(v, 1<<32)
	}
}

// AddN counts v n times.
func (c *Counter) AddN(v, n int64) {
	if n <= 0 {
		return
	}
	c.Add(v)
	c.n += n - 1
	c.sum += v * (n - 1)
	if n > 1 {
		c.addRest(v, n-1)
	}
}

func (c *Counter) grow(p int) {
	if p >= len(c.pages) {
		c.pages = slices.Grow(c.pages, p+1-len(c.pages))[:p+1]
	}
	c.pages[p] = new([pageSize]uint32)
}

func (c *Counter) addRest(v, n int64) {
	if c.rest == nil {
		c.rest = make(map[int64]int64)
	}
	c.rest[v] += n
}

// Merge adds all that o counted.
func (c *Counter) Merge(o *Counter) {
	if o.n == 0 {
		return
	}
	if c.n == 0 {
		c.min, c.max = o.min, o.max
	} else {
		c.min, c.max = min(c.min, o.min), max(c.max, o.max)
	}
	c.n += o.n
	c.sum += o.sum
	for i, page := range o.pages {
		if page == nil {
			continue
		}
		if i >= len(c.pages) || c.pages[i] == nil {
			c.grow(i)
		}
		for j, k := range page {
			before := c.pages[i][j]
			c.pages[i][j] += k
			if c.pages[i][j] < before {
				c.addRest(int64(i*pageSize+j), 1<<32)
			}
		}
	}
	for v, k := range o.rest {
		c.addRest(v, k)
	}
}

// Count returns how many values were added.
func (c *Counter) Count() int64 { return c.n }

// Sum returns the sum of the values.
func (c *Counter) Sum() int64 { return c.sum }

// Min returns the smallest value, 0 when empty.
func (c *Counter) Min() int64 { return c.min }

// Max returns the largest value, 0 when empty.
func (c *Counter) Max() int64 { return c.max }

// All yields each different value once, ascending, with its count.
func (c *Counter) All(yield func(v, n int64) bool) {
	keys := slices.Sorted(maps.Keys(c.rest))
	i := 0
	for ; i < len(keys) && keys[i] < 0; i++ {
		if !yield(keys[i], c.rest[keys[i]]) {
			return
		}
	}
	for p, page := range c.pages {
		if page == nil {
			continue
		}
		for j, k := range page {
			v := int64(p*pageSize + j)
			n := int64(k)
			if i < len(keys) && keys[i] == v {
				n += c.rest[v]
				i++
			}
			if n != 0 && !yield(v, n) {
				return
			}
		}
	}
	for ; i < len(keys); i++ {
		if !yield(keys[i], c.rest[keys[i]]) {
			return
		}
	}
}

// AtMost returns how many values are v or less.
func (c *Counter) AtMost(v int64) int64 {
	var n int64
	for x, k := range c.All {
		if x > v {
			break
		}
		n += k
	}
	return n
}

// Kth returns the k-th smallest value, counting from 1; k must lie in 1..Count.
func (c *Counter) Kth(k int64) float64 {
	var seen int64
	for v, n := range c.All {
		if seen += n; seen >= k {
			return float64(v)
		}
	}
	return float64(c.max)
}
