package backend

import (
	"math"
	"slices"
)

// window holds the last values, at most size of them.
type window struct {
	size   int
	values []float64
	next   int // where the oldest stands once the window is full
	sorted []float64
}

func (w *window) add(v float64) {
	if len(w.values) < w.size {
		w.values = append(w.values, v)
		return
	}
	w.values[w.next] = v
	w.next = (w.next + 1) % w.size
}

func (w *window) clear() { w.values, w.next = w.values[:0], 0 }

func (w *window) min() float64 {
	if len(w.values) == 0 {
		return math.NaN()
	}
	return slices.Min(w.values)
}

func (w *window) max() float64 {
	if len(w.values) == 0 {
		return math.NaN()
	}
	return slices.Max(w.values)
}

// mean is that of commons-math: the rounding of the first pass is put right by a
// second one.
func (w *window) mean() float64 {
	n := float64(len(w.values))
	if n == 0 {
		return math.NaN()
	}
	sum, rest := 0.0, 0.0
	for i := range w.values {
		sum += w.values[(w.next+i)%len(w.values)]
	}
	mean := sum / n
	for i := range w.values {
		rest += w.values[(w.next+i)%len(w.values)] - mean
	}
	return mean + rest/n
}

// percentile is that of commons-math's LEGACY estimator.
func (w *window) percentile(p float64) float64 {
	n := len(w.values)
	if n == 0 {
		return math.NaN()
	}
	w.sorted = append(w.sorted[:0], w.values...)
	slices.Sort(w.sorted)
	pos := p * float64(n+1) / 100
	floor := math.Floor(pos)
	switch {
	case pos < 1:
		return w.sorted[0]
	case pos >= float64(n):
		return w.sorted[n-1]
	}
	lower, upper := w.sorted[int(floor)-1], w.sorted[int(floor)]
	return lower + (pos-floor)*(upper-lower)
}
