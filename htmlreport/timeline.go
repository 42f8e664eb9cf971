package htmlreport

import (
	"cmp"
	"slices"
)

// bucket is JMeter's: the start of the interval that t falls into, aligned to
// the epoch (manual, "Generating Dashboard Report", granularity).
func bucket(t, granularity int64) int64 { return t - t%granularity }

// A ruler finds the intervals of times that are near each other: most fall into the
// one that the last fell into, and to see that takes no division.
type ruler struct{ granularity, last int64 }

func (r *ruler) of(t int64) int64 {
	if uint64(t-r.last) < uint64(r.granularity) {
		return r.last
	}
	return r.find(t)
}

func (r *ruler) find(t int64) int64 {
	at := bucket(t, r.granularity)
	if at >= 0 { // before, intervals are counted from their ends
		r.last = at
	}
	return at
}

// A timeline is a value per interval of time. The zero value is empty.
// T's merge adds what another T gathered.
type timeline[T any, P interface {
	*T
	merge(*T)
}] struct {
	cells []timed[T] // in the order in which their intervals were first met
	// Rows come nearly in order of time, so it is nearly always one of these two.
	last, before int
	disorder     bool            // cells are not in the order of time
	index        map[int64]int32 // where in cells an interval is, if there is disorder
}

// timed is the value of the interval that starts at a time, in ms.
type timed[T any] struct {
	at    int64
	value T
}

// at returns the value for the interval that starts at key, made when missing;
// created tells whether it was. The next call of at may move the value.
func (tl *timeline[T, P]) at(key int64) (value *T, created bool) {
	if tl.last < len(tl.cells) {
		if c := &tl.cells[tl.last]; c.at == key {
			return &c.value, false
		}
	}
	i := tl.find(key)
	if i < 0 {
		i = tl.add(key)
		created = true
	}
	tl.last, tl.before = i, tl.last
	return &tl.cells[i].value, created
}

// find tells where in cells the interval that starts at key is; -1 if nowhere.
func (tl *timeline[T, P]) find(key int64) int {
	if tl.before < len(tl.cells) && tl.cells[tl.before].at == key {
		return tl.before
	}
	if tl.disorder {
		if i, ok := tl.index[key]; ok {
			return int(i)
		}
		return -1
	}
	if n := len(tl.cells); n == 0 || key > tl.cells[n-1].at {
		return -1
	}
	if i, ok := slices.BinarySearchFunc(tl.cells, key, timed[T].compare); ok {
		return i
	}
	return -1
}

func (c timed[T]) compare(at int64) int { return cmp.Compare(c.at, at) }

// nearly is how far from its place an interval may be met first.
const nearly = 16

// add makes the interval that starts at key, which is missing.
func (tl *timeline[T, P]) add(key int64) int {
	n := len(tl.cells)
	i := n
	for !tl.disorder && i > 0 && key < tl.cells[i-1].at {
		if i--; n-i > nearly {
			i = n
			tl.disorder = true
			tl.index = make(map[int64]int32, 2*n)
			for i := range tl.cells {
				tl.index[tl.cells[i].at] = int32(i)
			}
		}
	}
	tl.cells = slices.Insert(tl.cells, i, timed[T]{at: key})
	if tl.disorder {
		tl.index[key] = int32(i)
	}
	return i
}

// merge adds o.
func (tl *timeline[T, P]) merge(o *timeline[T, P]) {
	tl.inOrder()
	o.inOrder()
	tl.mergeFolded(o, 1)
}

// mergeFolded adds o, in intervals of a multiple of their length, and leaves it alone.
func (tl *timeline[T, P]) mergeFolded(o *timeline[T, P], granularity int64) {
	if tl.disorder || o.disorder {
		for i := range o.cells {
			v, _ := tl.at(bucket(o.cells[i].at, granularity))
			P(v).merge(&o.cells[i].value)
		}
		return
	}
	tl.makeRoom(o, granularity)
	i := 0
	for j := range o.cells {
		c := &o.cells[j]
		for tl.cells[i].at != bucket(c.at, granularity) {
			i++
		}
		P(&tl.cells[i].value).merge(&c.value)
	}
}

// makeRoom makes the intervals that o has and tl does not; both are in order.
func (tl *timeline[T, P]) makeRoom(o *timeline[T, P], granularity int64) {
	var missing []int64
	i := 0
	for j := range o.cells {
		at := bucket(o.cells[j].at, granularity)
		for i < len(tl.cells) && tl.cells[i].at < at {
			i++
		}
		known := i < len(tl.cells) && tl.cells[i].at == at || len(missing) > 0 && missing[len(missing)-1] == at
		if !known {
			missing = append(missing, at)
		}
	}
	if len(missing) == 0 {
		return
	}
	all := make([]timed[T], 0, len(tl.cells)+len(missing))
	rest := tl.cells
	for _, at := range missing {
		for len(rest) > 0 && rest[0].at < at {
			all, rest = append(all, rest[0]), rest[1:]
		}
		all = append(all, timed[T]{at: at})
	}
	tl.cells = append(all, rest...)
}

// inOrder are the values in the order of time.
func (tl *timeline[T, P]) inOrder() []timed[T] {
	if tl.disorder {
		slices.SortFunc(tl.cells, func(a, b timed[T]) int { return cmp.Compare(a.at, b.at) })
		tl.disorder, tl.index = false, nil
	}
	return tl.cells
}

// has tells whether the values are in order, and in intervals of a granularity.
func (tl *timeline[T, P]) has(granularity int64) bool {
	for i := range tl.cells {
		if at := tl.cells[i].at; bucket(at, granularity) != at {
			return false
		}
	}
	return !tl.disorder
}

// fold coarsens the intervals to a multiple of what they are, and sorts them.
func (tl *timeline[T, P]) fold(granularity int64) {
	n := 0
	for i := range tl.inOrder() {
		c := &tl.cells[i]
		to := bucket(c.at, granularity)
		if n > 0 && tl.cells[n-1].at == to {
			P(&tl.cells[n-1].value).merge(&c.value)
		} else {
			tl.cells[n] = timed[T]{to, c.value}
			n++
		}
	}
	clear(tl.cells[n:])
	tl.cells = tl.cells[:n]
	tl.last, tl.before = 0, 0
}

// A mean is a sum and how many went into it.
type mean struct{ n, sum int64 }

func (m *mean) add(v int64)   { m.n++; m.sum += v }
func (m *mean) merge(o *mean) { m.n += o.n; m.sum += o.sum }

// value is NaN of nothing.
func (m *mean) value() float64 { return float64(m.sum) / float64(m.n) }

// A tally counts.
type tally int64

func (t *tally) merge(o *tally) { *t += *o }
