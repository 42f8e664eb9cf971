package timer

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[preciseThroughput](elem.Spec{
		Class: "PreciseThroughputTimer", Title: "Precise Throughput Timer", Kind: elem.KindTimer, Status: elem.Full,
	})
}

// preciseThroughput lets samples go at random moments, so many in a time: the
// arrivals of a Poisson process whose number is fixed.
type preciseThroughput struct {
	throughput expr.Float
	period     expr.Int
	duration   expr.Long
	batch      expr.Int
	seed       expr.Long
}

func (c *preciseThroughput) Props(p *elem.Props) {
	p.Float(&c.throughput, "throughput", "0", "samples a period")
	p.Int(&c.period, "throughputPeriod", "0", "period in seconds")
	p.Long(&c.duration, "duration", "0", "the number of samples is exact over so many seconds")
	p.Int(&c.batch, "batchSize", "0", "so many samples go at each moment; 0 is no limit")
	p.Long(&c.seed, "randomSeed", "0", "seed; 0 for other moments in each run")
	p.Ignore("batchThreadDelay", "exactLimit", "allowedThroughputSurplus") // JMeter does not heed them
}

// arrivalsKey is the thread group: its first timer serves them all, as in JMeter.
type arrivalsKey struct{ group *vu.Group }

// arrivals hands out the moments of a thread group.
type arrivals struct {
	timer  *preciseThroughput
	batch  int
	random *java.Random

	mu       sync.Mutex
	rate     float64   // samples a second for which times were made
	times    []float64 // left, seconds after the start of the test, sorted
	last     float64   // handed out last
	handed   int       // of the batch
	finished float64   // end of the time for which times were made
}

func (c *preciseThroughput) Wait(t *vu.Thread) time.Duration {
	a := vu.Shared(t.Run, arrivalsKey{t.Group}, func() *arrivals {
		a := &arrivals{timer: c, batch: c.batch.Eval(t), random: java.NewUnseededRandom()}
		if seed := c.seed.Eval(t); int32(seed) != 0 {
			a.random.SetSeed(seed)
		}
		return a
	})
	at := a.next(t)
	now := time.Now().UnixMilli()
	delay := ms(max(0, int64(at*1000+float64(t.Run.Start.UnixMilli())-float64(now))))
	if !t.End.IsZero() && time.Now().Add(delay).After(t.End) {
		t.Log().Info(fmt.Sprintf("The throughput timer generates a delay of %v beyond the scheduled end. Terminating the thread.", delay), "logger", "o.a.j.t.p.PreciseThroughputTimer")
		vu.Throw(vu.ErrStopThread)
	}
	return delay
}

// next is the moment of the next sample.
func (a *arrivals) next(t *vu.Thread) float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	const precision = 0.00001
	rate := a.timer.throughput.Eval(t) / float64(a.timer.period.Eval(t))
	if a.handed == 0 && len(a.times) == 0 || math.Abs(rate-a.rate) >= precision {
		a.generate(t, rate)
	}
	if a.batch != 1 {
		if a.handed++; a.handed > 1 {
			if a.handed == a.batch {
				a.handed = 0
			}
			return a.last
		}
	}
	if len(a.times) == 0 {
		vu.Throw(fmt.Errorf("a throughput of %v a second has no next sample", rate))
	}
	a.last, a.times = a.times[0], a.times[1:]
	return a.last
}

// maxTimes bounds the memory for the times made in one go, 800 MB.
const maxTimes = 100e6

func (a *arrivals) generate(t *vu.Thread, rate float64) {
	a.rate, a.handed = rate, 0
	if a.batch > 1 {
		rate /= float64(a.batch)
	}
	duration := float64(a.timer.duration.Eval(t))
	n := math.Ceil(rate * duration)
	if n > maxTimes {
		err := fmt.Errorf("%v samples a second over %v s are too many for a Precise Throughput Timer: shorten its duration", rate, duration)
		t.Run.Fail(err)
		vu.Throw(err)
	}
	a.times = make([]float64, 0, max(0, int(n)))
	for range cap(a.times) {
		a.times = append(a.times, a.finished+a.random.Double()*duration)
	}
	slices.Sort(a.times)
	a.finished += duration
}

var _ elem.Timer = (*preciseThroughput)(nil)
