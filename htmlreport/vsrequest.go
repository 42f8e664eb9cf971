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

// a second is what ended in one second, successes and failures apart.
type second [2]sampleTimes

func (s *second) count() int { return s[0].count() + s[1].count() }

// sampleTimes are the elapsed times and latencies of samples. Samples with one that
// does not fit in so many bits are in odd.
type sampleTimes struct {
	elapsed, latency []uint32
	odd              []oddTime
}

type oddTime struct{ elapsed, latency int64 }

func (t *sampleTimes) count() int { return len(t.elapsed) + len(t.odd) }

// secondsChunk is what one worker has met since it last handed over.
type secondsChunk struct {
	chunk            int
	runs             []secondsRun
	elapsed, latency []uint32
	odd              map[secondsRun][]oddTime
}

// secondsRun are samples that follow one another and ended in the same second with
// the same success.
type secondsRun struct {
	at     int64 // in ms
	failed int   // 0 or 1
	to     int   // where in elapsed and latency it ends
}

func (s *shard) addSecond(r *jtl.Row) {
	c := s.perSecond
	if r.Chunk != c.chunk || len(c.elapsed) >= 1<<16 {
		s.seconds.take(c)
		c.chunk = r.Chunk
	}
	at, failed := bucket(r.End, 1000), index(!r.Success)
	if uint64(r.Elapsed|r.Latency) > math.MaxUint32 {
		if c.odd == nil {
			c.odd = make(map[secondsRun][]oddTime)
		}
		key := secondsRun{at: at, failed: failed}
		c.odd[key] = append(c.odd[key], oddTime{r.Elapsed, r.Latency})
		return
	}
	c.elapsed, c.latency = append(c.elapsed, uint32(r.Elapsed)), append(c.latency, uint32(r.Latency))
	if n := len(c.runs); n > 0 && c.runs[n-1].at == at && c.runs[n-1].failed == failed {
		c.runs[n-1].to = len(c.elapsed)
		return
	}
	c.runs = append(c.runs, secondsRun{at, failed, len(c.elapsed)})
}

// vsGroup are the samples of all seconds with the same number of samples.
type vsGroup struct{ elapsed, latency spread }

// spread is a Counter, or a window when one is in force.
type spread struct {
	all    Counter
	newest *window
}

func (s *spread) add(values []uint32, windowSize int) {
	if windowSize <= 0 {
		s.all.addAll(values)
		return
	}
	for _, v := range values {
		s.addOdd(int64(v), windowSize)
	}
}

func (s *spread) addOdd(v int64, windowSize int) {
	if windowSize <= 0 {
		s.all.AddN(v, 1)
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
	from := 0
	for _, run := range c.runs {
		if sec := s.second(run.at); sec != nil {
			t := &sec[run.failed]
			t.elapsed = append(t.elapsed, c.elapsed[from:run.to]...)
			t.latency = append(t.latency, c.latency[from:run.to]...)
			s.kept += run.to - from
		} else {
			s.late += int64(run.to - from)
		}
		from = run.to
	}
	for run, odd := range c.odd {
		if sec := s.second(run.at); sec != nil {
			sec[run.failed].odd = append(sec[run.failed].odd, odd...)
			s.kept += len(odd)
		} else {
			s.late += int64(len(odd))
		}
	}
	c.runs, c.elapsed, c.latency, c.odd = c.runs[:0], c.elapsed[:0], c.latency[:0], nil
	if s.kept > s.maxOpen {
		s.close(s.maxOpen / 2)
	}
}

// second is the one that starts at a time, nil if it is closed.
func (s *seconds) second(at int64) *second {
	sec := s.open[at]
	if sec == nil && at > s.closed {
		sec = new(second)
		s.open[at] = sec
	}
	return sec
}

// close closes the oldest seconds until no more than keep times are left.
func (s *seconds) close(keep int) {
	type closing struct {
		group *vsGroup
		times *sampleTimes
	}
	var all []closing
	for _, at := range slices.Sorted(maps.Keys(s.open)) {
		if s.kept <= keep {
			break
		}
		sec := s.open[at]
		n := sec.count()
		for failed := range sec {
			if t := &sec[failed]; t.count() > 0 {
				all = append(all, closing{s.group(failed, int64(n)), t})
			}
		}
		delete(s.open, at)
		s.kept -= n
		s.closed = at
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, c := range all {
			c.group.latency.add(c.times.latency, s.window)
			for _, o := range c.times.odd {
				c.group.latency.addOdd(o.latency, s.window)
			}
		}
	})
	for _, c := range all {
		c.group.elapsed.add(c.times.elapsed, s.window)
		for _, o := range c.times.odd {
			c.group.elapsed.addOdd(o.elapsed, s.window)
		}
	}
	wg.Wait()
}

// group is that of seconds with n samples; failed is 0 or 1.
func (s *seconds) group(failed int, n int64) *vsGroup {
	g := s.groups[failed][n]
	if g == nil {
		g = new(vsGroup)
		s.groups[failed][n] = g
	}
	return g
}
