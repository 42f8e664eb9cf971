package htmlreport

import (
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/gojm/gojm/jtl"
)

// The graphs "... Vs Request" set the median time of samples against how many
// samples ended in the same second. How many that are is known only when the
// second is over, so the times of recent seconds are kept one by one.

// maxOpenTimes bounds them: beyond, the older half of the seconds is closed.
const maxOpenTimes = 4 << 20

// a second is what ended in one second: the time and latency of each sample,
// packed: bit 63 tells a failure, bits 32 to 62 hold elapsed, the rest latency.
// What does not fit in so many bits is in odd.
type second struct {
	times []uint64
	odd   []oddTime
}

type oddTime struct {
	failed           bool
	elapsed, latency int64
}

func pack(failed bool, elapsed, latency int64) (uint64, bool) {
	if uint64(elapsed) > math.MaxInt32 || uint64(latency) > math.MaxUint32 {
		return 0, false
	}
	v := uint64(elapsed)<<32 | uint64(latency)
	if failed {
		v |= 1 << 63
	}
	return v, true
}

// secondsChunk is what one worker has met since it last handed over.
type secondsChunk struct {
	chunk int
	at    []int64 // second of each, in ms
	times []uint64
	odd   map[int64][]oddTime
}

func (s *shard) addSecond(r *jtl.Row) {
	c := s.perSecond
	if r.Chunk != c.chunk || len(c.at) >= 1<<16 {
		s.seconds.take(c)
		c.chunk = r.Chunk
	}
	at := bucket(r.End, 1000)
	v, ok := pack(!r.Success, r.Elapsed, r.Latency)
	if !ok {
		if c.odd == nil {
			c.odd = make(map[int64][]oddTime)
		}
		c.odd[at] = append(c.odd[at], oddTime{!r.Success, r.Elapsed, r.Latency})
		return
	}
	c.at = append(c.at, at)
	c.times = append(c.times, v)
}

// vsGroup are the samples of all seconds with the same number of samples.
type vsGroup struct{ elapsed, latency spread }

// spread is a Counter, or a window when one is in force.
type spread struct {
	all    Counter
	newest *window
}

func (s *spread) add(v int64, windowSize int) {
	if windowSize <= 0 {
		s.all.Add(v)
		return
	}
	if s.newest == nil {
		s.newest = &window{size: windowSize}
	}
	s.newest.Add(v)
}

func (s *spread) values() ranked {
	if s.newest != nil {
		return s.newest
	}
	return &s.all
}

// seconds gathers them of all workers. It is safe for concurrent use.
type seconds struct {
	window  int
	maxOpen int // maxOpenTimes, but for tests

	mu     sync.Mutex
	open   map[int64]*second
	kept   int                   // times in open
	closed int64                 // seconds up to this one are closed
	late   int64                 // samples of closed seconds, left out
	groups [2]map[int64]*vsGroup // successes and failures, by samples in the second
}

func newSeconds(window int) *seconds {
	return &seconds{
		window: window, maxOpen: maxOpenTimes, open: make(map[int64]*second), closed: math.MinInt64,
		groups: [2]map[int64]*vsGroup{make(map[int64]*vsGroup), make(map[int64]*vsGroup)},
	}
}

// take empties c into s.
func (s *seconds) take(c *secondsChunk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var last *second
	lastAt := int64(math.MinInt64)
	find := func(at int64) *second {
		if at == lastAt {
			return last
		}
		sec := s.open[at]
		if sec == nil && at > s.closed {
			sec = new(second)
			s.open[at] = sec
		}
		last, lastAt = sec, at
		return sec
	}
	for i, at := range c.at {
		sec := find(at)
		if sec == nil {
			s.late++
			continue
		}
		sec.times = append(sec.times, c.times[i])
		s.kept++
	}
	for at, odd := range c.odd {
		sec := find(at)
		if sec == nil {
			s.late += int64(len(odd))
			continue
		}
		sec.odd = append(sec.odd, odd...)
		s.kept += len(odd)
	}
	c.at, c.times, c.odd = c.at[:0], c.times[:0], nil
	if s.kept > s.maxOpen {
		s.close(s.maxOpen / 2)
	}
}

// close closes the oldest seconds until no more than keep times are left.
func (s *seconds) close(keep int) {
	for _, at := range slices.Sorted(maps.Keys(s.open)) {
		if s.kept <= keep {
			return
		}
		sec := s.open[at]
		n := len(sec.times) + len(sec.odd)
		var groups [2]*vsGroup // of successes and failures; found when first needed
		add := func(failed uint64, elapsed, latency int64) {
			g := groups[failed]
			if g == nil {
				g = s.group(failed, int64(n))
				groups[failed] = g
			}
			g.elapsed.add(elapsed, s.window)
			g.latency.add(latency, s.window)
		}
		for _, v := range sec.times {
			add(v>>63, int64(v>>32&math.MaxInt32), int64(v&math.MaxUint32))
		}
		for _, o := range sec.odd {
			add(uint64(index(o.failed)), o.elapsed, o.latency)
		}
		delete(s.open, at)
		s.kept -= n
		s.closed = at
	}
}

// group is that of seconds with n samples; failed is 0 or 1.
func (s *seconds) group(failed uint64, n int64) *vsGroup {
	g := s.groups[failed][n]
	if g == nil {
		g = new(vsGroup)
		s.groups[failed][n] = g
	}
	return g
}
