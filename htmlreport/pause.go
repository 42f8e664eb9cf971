package htmlreport

import (
	"slices"
	"sort"
)

// A Pause is a stretch of the run in which no row of any label ended, from the end of
// the interval before it to the start of the one after it, in epoch ms. Rates are 0 in
// it, and lines of what is measured end before it and begin anew: JMeter, which draws
// each label on its own, joins what lies hours apart.
type Pause [2]float64

// pauseFactor is how many times the usual distance of intervals with rows lies between
// two of them when it is a pause. Shorter ones are those of a run with few rows.
const pauseFactor = 3

// pausesOf finds them between the starts of the intervals in which something ended.
func pausesOf(at []float64, step int64) []Pause {
	if len(at) < 2 {
		return nil
	}
	apart := make([]float64, len(at)-1)
	for i := range apart {
		apart[i] = at[i+1] - at[i]
	}
	usual := slices.Clone(apart)
	slices.Sort(usual)
	least := pauseFactor * usual[len(usual)/2]
	var all []Pause
	for i, d := range apart {
		if d > least {
			all = append(all, Pause{at[i] + float64(step), at[i+1]})
		}
	}
	return all
}

// paused tells whether one of some pauses lies between two points of a line in
// intervals of a length of their own.
func paused(pauses []Pause, a, b float64, step int64) bool {
	i := sort.Search(len(pauses), func(i int) bool { return pauses[i][0] >= a })
	return i < len(pauses) && pauses[i][1] < b+float64(step) && b-a > float64(step)
}

// pieces yields what of a line lies between pauses: from and to, as indices of x.
func pieces(x []float64, pauses []Pause, step int64) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		from := 0
		for i := 1; i <= len(x); i++ {
			if i == len(x) || paused(pauses, x[i-1], x[i], step) {
				if !yield(from, i) {
					return
				}
				from = i
			}
		}
	}
}

// pauses are those of the run.
func (s *shard) pauses() []Pause {
	var ended []float64
	for _, l := range s.labels {
		if l.excluded {
			continue
		}
		for k := range l.parts {
			for i := range l.parts[k].overTime.cells {
				ended = append(ended, float64(l.parts[k].overTime.cells[i].at))
			}
		}
	}
	slices.Sort(ended)
	return pausesOf(slices.Compact(ended), s.granularity)
}

// steps are all intervals from the first to the last of x; where they would be too many
// for the series of a graph to share, of each gap only the first and the last one, which
// bound what is 0 in it.
func steps(x []float64, step int64) []float64 {
	if len(x) < 2 {
		return x
	}
	each := float64(step)
	few := (x[len(x)-1]-x[0])/each <= maxShared
	all := make([]float64, 0, len(x))
	for i, at := range x {
		if i > 0 {
			first, last := x[i-1]+each, at-each
			switch {
			case few:
				for ; first < at; first += each {
					all = append(all, first)
				}
			case first < last:
				all = append(all, first, last)
			case first < at:
				all = append(all, first)
			}
		}
		all = append(all, at)
	}
	return all
}

// withZeros are the points of a rate with those that bound where it is 0.
func withZeros(x, y []float64, step int64) (xs, ys []float64) {
	xs = steps(x, step)
	if len(xs) == len(x) {
		return x, y
	}
	ys = make([]float64, len(xs))
	j := 0
	for i, at := range xs {
		if x[j] == at {
			ys[i] = y[j]
			j++
		}
	}
	return xs, ys
}
