package htmlreport

import (
	"maps"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	pageBits = 8
	pageSize = 1 << pageBits
	// directMax is the first value kept in the map: times from 0 to 131 s sit in
	// pages, which are allocated as they are met.
	directMax = 1 << 17
	// maxFew is how many different values there are before there are pages: most
	// counters of failures, of short intervals and of rare labels have few.
	maxFew = 128
	// maxPending is how many values wait until they are counted together, which
	// costs less than half.
	maxPending = 64
)

// A Counter is an exact multiset of whole milliseconds. Its size follows the
// number of different values, not the number of samples, so that percentiles
// stay exact over any number of rows. Only of more than 4096 different times from
// 131 s on it knows each to a thousandth; their count, sum, least and greatest
// stay exact. The zero value is empty and ready for use.
// It is not safe for concurrent use, not even to read, until settle was called;
// give each worker its own and Merge them.
type Counter struct {
	n        int64 // all that follows is without those pending
	min, max int64
	sum      int64
	pending  []uint32
	few      []fewValue // ascending, as long as there are no pages
	pages    []*[pageSize]uint32
	rest     map[int64]int64         // values outside [0, directMax), and carries of full cells
	wide     *hdrhistogram.Histogram // of the values from directMax on, once rest has too many
}

type fewValue struct{ value, n uint32 }

// Add counts v once.
func (c *Counter) Add(v int64) {
	if uint64(v) < directMax && len(c.pending) < maxPending {
		c.pending = append(c.pending, uint32(v))
		return
	}
	c.settle()
	if uint64(v) < directMax {
		c.pending = append(c.pending, uint32(v))
		return
	}
	c.AddN(v, 1)
}

// AddN counts v n times.
func (c *Counter) AddN(v, n int64) {
	if n > 0 {
		c.gauge(v, v, n, v*n)
		c.addRest(v, n)
	}
}

// gauge takes note of n values, from low to high.
func (c *Counter) gauge(low, high, n, sum int64) {
	if c.n == 0 {
		c.min, c.max = low, high
	} else {
		c.min, c.max = min(c.min, low), max(c.max, high)
	}
	c.n += n
	c.sum += sum
}

// reset empties c for its next use and keeps its memory.
func (c *Counter) reset() {
	for _, page := range c.pages {
		if page != nil {
			clear(page[:])
		}
	}
	*c = Counter{pending: c.pending[:0], few: c.few[:0], pages: c.pages}
}

// settle counts what is pending.
func (c *Counter) settle() {
	if len(c.pending) > 0 {
		c.addAll(c.pending)
		c.pending = c.pending[:0]
	}
}

// addAll counts each of the values once.
func (c *Counter) addAll(values []uint32) {
	if len(values) == 0 {
		return
	}
	if c.pages == nil && len(values) > 2*maxFew { // there will hardly be few
		c.spread()
	}
	low, high, sum := values[0], values[0], int64(0)
	pages := c.pages
	for _, v := range values {
		low, high, sum = min(low, v), max(high, v), sum+int64(v)
		if p := int(v >> pageBits); p < len(pages) && pages[p] != nil && pages[p][v&(pageSize-1)] < 1<<32-1 {
			pages[p][v&(pageSize-1)]++
			continue
		}
		c.count(v, 1)
		pages = c.pages
	}
	c.gauge(int64(low), int64(high), int64(len(values)), sum)
}

// count adds n to the cell of v.
func (c *Counter) count(v, n uint32) {
	if v >= directMax {
		c.addRest(int64(v), int64(n))
		return
	}
	var cell *uint32
	if c.pages == nil {
		cell = c.fewCell(v)
	}
	if cell == nil {
		cell = &c.page(int(v >> pageBits))[v&(pageSize-1)]
	}
	*cell += n
	if *cell < n { // 2^32 samples of one value
		c.addRest(int64(v), 1<<32)
	}
}

// fewCell is the cell of v, if that is still one of a few values.
func (c *Counter) fewCell(v uint32) *uint32 {
	i := len(c.few)
	for i > 0 && c.few[i-1].value >= v {
		i--
	}
	switch {
	case i < len(c.few) && c.few[i].value == v:
	case len(c.few) < maxFew:
		c.few = slices.Insert(c.few, i, fewValue{value: v})
	default:
		c.spread()
		return nil
	}
	return &c.few[i].n
}

// spread gives the few values pages.
func (c *Counter) spread() {
	c.pages = make([]*[pageSize]uint32, 0, 8)
	for _, f := range c.few {
		c.page(int(f.value >> pageBits))[f.value&(pageSize-1)] = f.n
	}
	c.few = nil
}

// page is the p-th, made when missing.
func (c *Counter) page(p int) *[pageSize]uint32 {
	if p >= len(c.pages) {
		c.pages = slices.Grow(c.pages, p+1-len(c.pages))[:p+1]
	}
	if c.pages[p] == nil {
		c.pages[p] = new([pageSize]uint32)
	}
	return c.pages[p]
}

func (c *Counter) addRest(v, n int64) {
	if c.wide != nil && v >= directMax {
		c.addWide(v, n)
		return
	}
	if c.rest == nil {
		c.rest = make(map[int64]int64)
	}
	if c.rest[v] += n; len(c.rest) > maxRest && c.wide == nil {
		c.widen()
	}
}

// Merge adds all that o counted.
func (c *Counter) Merge(o *Counter) {
	o.settle()
	c.settle()
	if o.n == 0 {
		return
	}
	c.gauge(o.min, o.max, o.n, o.sum)
	for _, f := range o.few {
		c.count(f.value, f.n)
	}
	if o.pages != nil && c.pages == nil {
		c.spread()
	}
	for i, page := range o.pages {
		if page == nil {
			continue
		}
		mine := c.page(i)
		for j, k := range page {
			mine[j] += k
			if mine[j] < k {
				c.addRest(int64(i*pageSize+j), 1<<32)
			}
		}
	}
	c.mergeWide(o)
	for v, k := range o.rest {
		c.addRest(v, k)
	}
}

// Count returns how many values were added.
func (c *Counter) Count() int64 { return c.n + int64(len(c.pending)) }

// Sum returns the sum of the values.
func (c *Counter) Sum() int64 {
	c.settle()
	return c.sum
}

// Min returns the smallest value, 0 when empty.
func (c *Counter) Min() int64 {
	c.settle()
	return c.min
}

// Max returns the largest value, 0 when empty.
func (c *Counter) Max() int64 {
	c.settle()
	return c.max
}

// All yields each different value once, ascending, with its count.
func (c *Counter) All(yield func(v, n int64) bool) {
	c.settle()
	keys := slices.Sorted(maps.Keys(c.rest))
	// upTo yields v, after those of the rest that are less.
	upTo := func(v, n int64) bool {
		for len(keys) > 0 && keys[0] < v {
			if !yield(keys[0], c.rest[keys[0]]) {
				return false
			}
			keys = keys[1:]
		}
		if len(keys) > 0 && keys[0] == v {
			n += c.rest[v]
			keys = keys[1:]
		}
		return yield(v, n)
	}
	for _, f := range c.few {
		if !upTo(int64(f.value), int64(f.n)) {
			return
		}
	}
	for p, page := range c.pages {
		if page == nil {
			continue
		}
		for j, k := range page {
			if k != 0 && !upTo(int64(p*pageSize+j), int64(k)) {
				return
			}
		}
	}
	for _, v := range keys {
		if !yield(v, c.rest[v]) {
			return
		}
	}
	c.wideValues(yield)
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
	c.settle()
	if len(c.rest) == 0 && c.wide == nil {
		return float64(c.direct(k))
	}
	var seen int64
	for v, n := range c.All {
		if seen += n; seen >= k {
			return float64(v)
		}
	}
	return float64(c.max)
}

// direct is the k-th smallest value where all are counted in few or in pages.
func (c *Counter) direct(k int64) int64 {
	for _, f := range c.few {
		if k -= int64(f.n); k <= 0 {
			return int64(f.value)
		}
	}
	for p, page := range c.pages {
		if page == nil {
			continue
		}
		for j, n := range page {
			if k -= int64(n); k <= 0 {
				return int64(p*pageSize + j)
			}
		}
	}
	return c.max
}
