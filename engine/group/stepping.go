package group

import (
	"math"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
)

func init() {
	elem.Register[stepping](elem.Spec{
		Class: "kg.apc.jmeter.threads.SteppingThreadGroup", Title: "jp@gc Stepping Thread Group", Kind: elem.KindGroup, Status: elem.Partial,
		Note: "compared with the plug-in at work (casutg 2.10), not by recorded cases",
	})
}

// stepping starts threads in steps and ends them in steps. Each of its loops
// stands for a new user.
type stepping struct {
	base
	threads, delay             expr.Int
	burst, count, period, ramp expr.Int
	flight                     expr.Int
	stopCount, stopPeriod      expr.Int
}

func (g *stepping) Props(p *elem.Props) {
	p.Main(&g.main, "ThreadGroup.main_controller", "loops of each thread")
	p.Text(&g.onError, "ThreadGroup.on_sample_error", "continue", "continue, startnextloop, stopthread, stoptest or stoptestnow")
	p.Int(&g.threads, "ThreadGroup.num_threads", "0", "number of threads")
	p.Int(&g.delay, "Threads initial delay", "0", "delay of the first threads, in seconds")
	p.Int(&g.burst, "Start users count burst", "0", "threads of the first step; 0 is as many as of the others")
	p.Int(&g.count, "Start users count", "0", "threads of a step; 0 is all")
	p.Int(&g.period, "Start users period", "0", "time between the steps, in seconds")
	p.Int(&g.ramp, "rampUp", "0", "ramp-up of each step, in seconds")
	p.Int(&g.flight, "flighttime", "0", "time with all threads, in seconds")
	p.Int(&g.stopCount, "Stop users count", "0", "threads that end in a step; 0 is all")
	p.Int(&g.stopPeriod, "Stop users period", "0", "time between these steps, in seconds")
	p.Ignore(sameUser)
}

func (g *stepping) Launch(l elem.Launcher) error {
	g.launch(l)
	l.SetSameUser(false)
	t := l.Thread()
	launchSpans(l, steps{
		threads: g.threads.Eval(t), delay: g.delay.Eval(t),
		burst: g.burst.Eval(t), count: g.count.Eval(t), period: g.period.Eval(t), ramp: g.ramp.Eval(t),
		flight: g.flight.Eval(t), stopCount: g.stopCount.Eval(t), stopPeriod: g.stopPeriod.Eval(t),
	}.spans())
	return nil
}

// steps are the numbers of a Stepping Thread Group, times in seconds.
type steps struct{ threads, delay, burst, count, period, ramp, flight, stopCount, stopPeriod int }

func (s steps) spans() []span {
	if s.threads <= 0 {
		return nil
	}
	if s.count <= 0 {
		s.count = s.threads
	}
	if s.stopCount <= 0 {
		s.stopCount = s.threads
	}
	burst := min(s.burst, s.threads)
	if burst <= 0 {
		burst = s.count
	}
	ms := func(seconds int) int64 { return 1000 * int64(seconds) }
	top := ms(s.delay)
	step := ms(s.period) + ms(s.ramp)
	more := 1
	if s.threads >= burst {
		more = int(math.Ceil(float64(s.threads-burst) / float64(s.count)))
	}
	last := (s.threads - burst) % s.count
	if last == 0 {
		last = s.count
	}
	down := top + int64(more)*step + ms(s.ramp)/int64(s.count)*int64(last) + ms(s.flight)
	spans := make([]span, s.threads)
	for i := range spans {
		bucket, size, place := 0, burst, i
		if i >= burst {
			bucket, size, place = 1+(i-burst)/s.count, s.count, (i-burst)%s.count
		}
		spans[i] = span{
			begin: top + int64(bucket)*step + int64(place)*(ms(s.ramp)/int64(size)),
			end:   down + ms(s.stopPeriod)*int64(i/s.stopCount),
		}
	}
	return spans
}

var _ elem.Group = (*stepping)(nil)
