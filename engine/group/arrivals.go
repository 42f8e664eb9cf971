package group

import (
	"math"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[arrivals](elem.Spec{
		Class: "com.blazemeter.jmeter.threads.arrivals.ArrivalsThreadGroup", Title: "bzm - Arrivals Thread Group", Kind: elem.KindGroup, Status: elem.Partial,
		Note: "a ramp-up without steps rises from its start, as the manual says; the log of arrivals is not written; compared with the plug-in at work (casutg 2.10), not by recorded cases",
	})
	elem.Register[freeForm](elem.Spec{
		Class: "com.blazemeter.jmeter.threads.arrivals.FreeFormArrivalsThreadGroup", Title: "bzm - Free-Form Arrivals Thread Group", Kind: elem.KindGroup, Status: elem.Partial,
		Note: "the log of arrivals is not written; compared with the plug-in at work (casutg 2.10), not by recorded cases",
	})
}

// arrivals begins iterations at a rate: each on a thread that is free, else on a
// new one.
type arrivals struct {
	dynamic
	threadLimit expr.Long
	limitText   expr.Long
	begun       int64 // iterations, guarded by dynamic.mu like all below
	most        int64 // 0 is no limit
	free        []*vu.Thread
	calls       map[*vu.Thread]chan struct{}
}

func (g *arrivals) Props(p *elem.Props) {
	g.arrivalProps(p, g)
	if steps := g.steps.Source(); g.rampUp.Source() != "" && g.rampUp.Source() != "0" && (steps == "" || steps == "0") {
		p.Note("value", "RampUp", "arrivals begin with the ramp-up, as the plug-in's manual says; the plug-in itself waits for the end of one without steps")
	}
}

func (g *arrivals) arrivalProps(p *elem.Props, o owner) {
	g.props(p, o)
	p.Long(&g.threadLimit, "ConcurrencyLimit", "", "most threads; 0 is no limit. Arrivals beyond it are lost")
	p.Long(&g.limitText, "ArrivalsLimit", "0", "most arrivals; 0 is no limit")
}

func (g *arrivals) Launch(l elem.Launcher) error {
	t := l.Thread()
	if _, err := g.curve(t); err != nil {
		return err
	}
	return g.supply(l, func(seconds float64, scheduled int64) float64 {
		c, err := g.curve(t)
		if err != nil {
			t.Run.Fail(err)
			return -1
		}
		c.target /= g.unitSeconds(t)
		return c.at(seconds, func(slope float64) float64 {
			// between arrivals k and k+1 of a rate that rises from 0
			k := float64(scheduled)
			return 1 / (math.Sqrt(2*(k+1)/slope) - math.Sqrt(2*k/slope))
		})
	})
}

// zeroRate is how long to wait while no arrivals are planned.
const zeroRate = 200 * time.Millisecond

// supply makes the arrivals of a rate, in arrivals a second at a time in seconds.
func (g *arrivals) supply(l elem.Launcher, rate func(seconds float64, scheduled int64) float64) error {
	g.begin(l)
	t := l.Thread()
	g.mu.Lock()
	g.begun, g.most = 0, g.limitText.Eval(t)
	g.free, g.calls = nil, map[*vu.Thread]chan struct{}{}
	g.mu.Unlock()
	l.Background(func() {
		defer g.release()
		begin, due, threads := time.Now(), time.Duration(0), 0
		for scheduled := int64(0); ; {
			if !l.Sleep(time.Until(begin.Add(due))) {
				return
			}
			r := rate(due.Seconds(), scheduled)
			switch {
			case r < 0:
				g.mu.Lock()
				g.most, g.done = scheduled, scheduled == 0
				g.mu.Unlock()
				return
			case r == 0:
				due += zeroRate
				continue
			}
			due += time.Duration(float64(time.Second) / r)
			scheduled++
			if g.over(t) {
				return
			}
			if !g.call() && g.mayStart(t) {
				g.start(l, threads)
				threads++
			}
		}
	})
	return nil
}

func (g *arrivals) mayStart(t *vu.Thread) bool {
	n := g.threadLimit.Eval(t)
	return n <= 0 || int64(g.alive()) < n
}

// call wakes a free thread for an arrival, if there is one.
func (g *arrivals) call() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.free) == 0 {
		return false
	}
	t := g.free[len(g.free)-1]
	g.free = g.free[:len(g.free)-1]
	g.live++
	g.calls[t] <- struct{}{}
	return true
}

// release lets all free threads end, those to come as well.
func (g *arrivals) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done = true
	for _, t := range g.free {
		g.live++
		close(g.calls[t])
		delete(g.calls, t)
	}
	g.free = nil
}

// over tells whether all arrivals have been: then threads end after their current
// sample.
func (g *arrivals) over(*vu.Thread) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.most > 0 && g.begun >= g.most
}

func (g *arrivals) arrived(*vu.Thread) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begun++
	return true
}

// completed keeps the thread for the next arrival.
func (g *arrivals) completed(t *vu.Thread, iterations int64, _ bool) bool {
	if n := g.limit(t); n > 0 && iterations >= n || g.over(t) || t.Stopped() {
		return false
	}
	g.mu.Lock()
	if g.done {
		g.mu.Unlock()
		return false
	}
	call := g.calls[t]
	if call == nil {
		call = make(chan struct{}, 1)
		g.calls[t] = call
	}
	g.free = append(g.free, t)
	g.live--
	g.mu.Unlock()
	// where the thread is told to stop, the group's arrivals end and release it
	_, ok := <-call
	return ok && !t.Stopped()
}

// ThreadEnd is told of a thread's end.
func (g *arrivals) ThreadEnd(t *vu.Thread) {
	g.mu.Lock()
	delete(g.calls, t)
	g.mu.Unlock()
	g.dynamic.ThreadEnd(t)
}

// freeForm takes its rate from a table.
type freeForm struct {
	arrivals
	rows [][]expr.Text
}

func (g *freeForm) Props(p *elem.Props) {
	g.arrivalProps(p, g)
	p.Rows(&g.rows, "Schedule", "rate at the begin and at the end, in arrivals a unit of time, and duration in units")
}

// chunk is a row of the table, per second and in seconds.
type chunk struct{ from, to, length float64 }

func (g *freeForm) Launch(l elem.Launcher) error {
	t := l.Thread()
	unit := g.unitSeconds(t)
	return g.supply(l, func(seconds float64, _ int64) float64 {
		chunks := make([]chunk, 0, len(g.rows))
		for _, row := range g.rows {
			var n [3]float64
			for i := range min(len(row), len(n)) {
				n[i] = expr.NewFloat(row[i]).Eval(t)
			}
			chunks = append(chunks, chunk{n[0] / unit, n[1] / unit, n[2] * unit})
		}
		return rateAt(chunks, seconds)
	})
}

// rateAt is the rate at a time, negative behind the last chunk.
func rateAt(chunks []chunk, seconds float64) float64 {
	offset := 0.0
	for _, c := range chunks {
		if c.length <= 0 {
			continue
		}
		progress := (seconds - offset) / c.length
		offset = math.Trunc(offset + c.length)
		if seconds <= offset {
			return c.from + progress*(c.to-c.from)
		}
	}
	return -1
}

var (
	_ elem.Group       = (*arrivals)(nil)
	_ elem.ThreadEnder = (*arrivals)(nil)
	_ owner            = (*arrivals)(nil)
	_ elem.Group       = (*freeForm)(nil)
	_ owner            = (*freeForm)(nil)
)
