package htmlreport

import (
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/gojm/gojm/jtl"
)

// Two kinds of figures are of all samples, whatever their labels: the curves over
// time, and the graphs "... Vs Request", for which it must be known how many samples
// ended in the same second. So the times of recent seconds are kept one by one, and
// counted together when a second is over, which also costs less.

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

func (t *sampleTimes) add(o *sampleTimes) {
	t.elapsed = append(t.elapsed, o.elapsed...)
	t.latency = append(t.latency, o.latency...)
	t.odd = append(t.odd, o.odd...)
}

// reserve makes room for n samples.
func (t *sampleTimes) reserve(n int) {
	room := make([]uint32, 2*n)
	t.elapsed, t.latency = room[:0:n], room[n:n]
}

// timesAt are those of samples that ended in the same second, and where intervals are
// shorter in the same interval, with the same success.
type timesAt struct {
	at     int64 // in ms
	failed int   // 0 or 1
	sampleTimes
}

// batch is what one worker has met since it last handed over.
type batch struct {
	chunk  int
	groups []timesAt
	last   int // in groups
}

const (
	// A batch is handed over with its chunk, or when it has so many groups or a
	// group so many samples.
	maxGroups = 64
	maxBatch  = 1 << 16
)

// of is the group of a time, made when missing.
func (b *batch) of(at int64, failed int) *timesAt {
	for i := len(b.groups) - 1; i >= 0; i-- {
		if g := &b.groups[i]; g.at == at && g.failed == failed {
			b.last = i
			return g
		}
	}
	b.last = len(b.groups)
	if b.last < cap(b.groups) {
		b.groups = b.groups[:b.last+1] // with the memory of an earlier one
	} else {
		b.groups = append(b.groups, timesAt{})
	}
	g := &b.groups[b.last]
	g.at, g.failed = at, failed
	g.elapsed, g.latency, g.odd = g.elapsed[:0], g.latency[:0], g.odd[:0]
	return g
}

// addTimes keeps the times of a sample.
func (s *shard) addTimes(r *jtl.Row) {
	b := s.batch
	if r.Chunk != b.chunk {
		s.handOver()
		b.chunk = r.Chunk
	}
	at, failed := s.unit.of(r.End), index(!r.Success)
	var g *timesAt
	if b.last < len(b.groups) && b.groups[b.last].at == at && b.groups[b.last].failed == failed {
		g = &b.groups[b.last]
	} else {
		g = b.of(at, failed)
	}
	if uint64(r.Elapsed|r.Latency) > math.MaxUint32 {
		g.odd = append(g.odd, oddTime{r.Elapsed, r.Latency})
	} else {
		g.elapsed, g.latency = append(g.elapsed, uint32(r.Elapsed)), append(g.latency, uint32(r.Latency))
	}
	if g.count() >= maxBatch || len(b.groups) >= maxGroups {
		s.handOver()
	}
}

// handOver gives away the times that were kept.
func (s *shard) handOver() {
	b := s.batch
	for i := range b.groups {
		s.ended.at(bucket(b.groups[i].at, s.granularity))
	}
	s.seconds.take(b.groups)
	b.groups, b.last = b.groups[:0], 0
}

// seconds gathers the times of all workers. It is safe for concurrent use.
type seconds struct {
	window  int
	auto    bool // intervals get longer when there are too many
	maxOpen int  // maxOpenTimes, but for tests

	// unit divides a second and the first granularity.
	unit, granularity int64

	mu      sync.Mutex
	open    map[int64]*second
	lately  [2]*second            // the last two that were opened
	kept    int                   // times in open
	closed  int64                 // seconds up to this one are closed
	late    int64                 // samples of closed seconds, which the groups are without
	groups  [2]map[int64]*vsGroup // successes and failures, by samples in the second
	moments timeline[moment, *moment]

	// Where a graph is to know of transactions: how many ended in a second, and the
	// groups by samples and transactions.
	transactions map[int64]int64
	whole        *[2]map[int64]*vsGroup
}

func newSeconds(opt *Options) *seconds {
	s := &seconds{
		window: opt.Window, auto: opt.autoGranularity(), maxOpen: maxOpenTimes, granularity: opt.baseGranularity(),
		open: make(map[int64]*second), lately: [2]*second{new(second), new(second)}, closed: math.MinInt64,
		groups: [2]map[int64]*vsGroup{make(map[int64]*vsGroup), make(map[int64]*vsGroup)},
	}
	s.unit = commonDivisor(1000, s.granularity)
	if opt.vsTransactions() {
		s.transactions = make(map[int64]int64)
		s.whole = &[2]map[int64]*vsGroup{make(map[int64]*vsGroup), make(map[int64]*vsGroup)}
	}
	return s
}

// addTransaction counts one among what ended in its second.
func (s *seconds) addTransaction(end int64) {
	s.mu.Lock()
	s.transactions[bucket(end, 1000)]++
	s.mu.Unlock()
}

// take adds what a worker has gathered.
func (s *seconds) take(groups []timesAt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range groups {
		g := &groups[i]
		sec := s.second(bucket(g.at, 1000))
		if sec != nil {
			sec[g.failed].add(&g.sampleTimes)
			s.kept += g.count()
		} else {
			s.late += int64(g.count())
		}
		if sec == nil || !s.inSeconds() {
			s.moment(g.at).add(g.failed, &g.sampleTimes)
		}
	}
	if s.kept > s.maxOpen {
		s.close(s.maxOpen / 2)
	}
}

// inSeconds tells whether intervals are of whole seconds.
func (s *seconds) inSeconds() bool { return s.unit == 1000 }

// second is the one that starts at a time, nil if it is closed.
func (s *seconds) second(at int64) *second {
	sec := s.open[at]
	if sec == nil && at > s.closed {
		sec = new(second)
		// It will hold about what the last ones do.
		sec[0].reserve(min(max(len(s.lately[0][0].elapsed), len(s.lately[1][0].elapsed))*9/8, maxBatch))
		s.lately[0], s.lately[1] = s.lately[1], sec
		s.open[at] = sec
	}
	return sec
}

// close counts the oldest seconds until no more than keep times are left.
func (s *seconds) close(keep int) {
	type closing struct {
		at     int64
		failed int
		group  *vsGroup
		whole  *vsGroup // or nil
		times  *sampleTimes
	}
	var all []closing
	for _, at := range slices.Sorted(maps.Keys(s.open)) {
		if s.kept <= keep {
			break
		}
		sec := s.open[at]
		n := sec.count()
		for failed := range sec {
			t := &sec[failed]
			if t.count() == 0 {
				continue
			}
			c := closing{at: at, failed: failed, group: groupOf(s.groups[failed], int64(n)), times: t}
			if s.whole != nil {
				c.whole = groupOf(s.whole[failed], int64(n)+s.transactions[at])
			}
			all = append(all, c)
		}
		delete(s.open, at)
		s.kept -= n
		s.closed = at
	}
	tasks := []func(){
		func() {
			for _, c := range all {
				for _, g := range []*vsGroup{c.group, c.whole} {
					if g == nil {
						continue
					}
					g.elapsed.add(c.times.elapsed, s.window)
					for _, o := range c.times.odd {
						g.elapsed.addOdd(o.elapsed, s.window)
					}
				}
			}
		},
		func() {
			for _, c := range all {
				for _, g := range []*vsGroup{c.group, c.whole} {
					if g == nil {
						continue
					}
					g.latency.add(c.times.latency, s.window)
					for _, o := range c.times.odd {
						g.latency.addOdd(o.latency, s.window)
					}
				}
			}
		},
	}
	if s.inSeconds() {
		tasks = append(tasks, func() {
			for _, c := range all {
				s.moment(c.at).add(c.failed, c.times)
			}
		})
	}
	together(tasks...)
}

// groupOf is that of seconds in which n ended.
func groupOf(groups map[int64]*vsGroup, n int64) *vsGroup {
	g := groups[n]
	if g == nil {
		g = new(vsGroup)
		groups[n] = g
	}
	return g
}

// moment is that of the interval which a time is in.
func (s *seconds) moment(at int64) *moment {
	m, created := s.moments.at(bucket(at, s.granularity))
	if created && s.auto && len(s.moments.cells) > wantedIntervals {
		s.fold(coarser(s.granularity))
		return s.moment(at)
	}
	return m
}

// fold makes intervals longer.
func (s *seconds) fold(granularity int64) {
	s.granularity = granularity
	s.moments.fold(granularity)
}
