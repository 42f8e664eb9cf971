package htmlreport

import (
	"maps"
	"slices"
)

// bucket is JMeter's: the start of the interval that t falls into, aligned to
// the epoch (manual, "Generating Dashboard Report", granularity).
func bucket(t, granularity int64) int64 { return t - t%granularity }

// A timeline is a value per interval of time. The zero value is empty.
// T's merge adds what another T gathered.
type timeline[T any, P interface {
	*T
	merge(*T)
}] struct {
	cells map[int64]*T
	key   int64 // of last
	last  *T    // rows come nearly in order of time, so this is nearly always the one
}

// at returns the value for the interval that starts at key, made when missing;
// created tells whether it was.
func (tl *timeline[T, P]) at(key int64) (value *T, created bool) {
	if tl.last != nil && tl.key == key {
		return tl.last, false
	}
	v := tl.cells[key]
	if v == nil {
		if tl.cells == nil {
			tl.cells = make(map[int64]*T)
		}
		v, created = new(T), true
		tl.cells[key] = v
	}
	tl.key, tl.last = key, v
	return v, created
}

// merge adds o, whose values may be taken over.
func (tl *timeline[T, P]) merge(o *timeline[T, P]) {
	for k, v := range o.cells {
		if mine := tl.cells[k]; mine != nil {
			P(mine).merge(v)
			continue
		}
		if tl.cells == nil {
			tl.cells = make(map[int64]*T)
		}
		tl.cells[k] = v
	}
	tl.last = nil
}

// fold coarsens the intervals to a multiple of what they are.
func (tl *timeline[T, P]) fold(granularity int64) {
	old := tl.cells
	tl.cells, tl.last = nil, nil
	for _, k := range slices.Sorted(maps.Keys(old)) {
		to := bucket(k, granularity)
		if mine := tl.cells[to]; mine != nil {
			P(mine).merge(old[k])
			continue
		}
		if tl.cells == nil {
			tl.cells = make(map[int64]*T)
		}
		tl.cells[to] = old[k]
	}
}

// folded is fold on a copy: values are copied where intervals join.
func (tl *timeline[T, P]) folded(granularity int64) map[int64]*T {
	out := make(map[int64]*T, len(tl.cells))
	for k, v := range tl.cells {
		to := bucket(k, granularity)
		if out[to] == nil {
			out[to] = new(T)
		}
		P(out[to]).merge(v)
	}
	return out
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
