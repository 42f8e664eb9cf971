package group

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// dynamic is what the bzm thread groups share: a target that is ramped up to and
// held, both in seconds or minutes.
type dynamic struct {
	base
	target     expr.Int
	rampUp     expr.Text
	steps      expr.Text
	hold       expr.Text
	unit       expr.Text
	iterations expr.Text

	mu   sync.Mutex // guards all below
	live int        // threads that work
	done bool       // no more are needed
	wake chan struct{}
}

func (g *dynamic) props(p *elem.Props, o owner) {
	g.base.props(p, "same_user_on_next_iteration")
	p.Int(&g.target, "TargetLevel", "1", "users, or arrivals a unit of time")
	p.Text(&g.rampUp, "RampUp", "", "ramp-up in units of time")
	p.Text(&g.steps, "Steps", "", "steps of the ramp-up; 0 is a line")
	p.Text(&g.hold, "Hold", "1", "time at the target, in units")
	p.Text(&g.unit, "Unit", "", "M for minutes, else seconds")
	p.Text(&g.iterations, "Iterations", "", "most iterations of a thread")
	p.Ignore(sameUser)
	if p.Raw("LogFilename", "", "log of the threads' status") != "" {
		p.Note("property", "LogFilename", "the log of the threads' status is not written")
	}
	if c, ok := g.main.(*virtualUser); ok {
		c.owner = o
	} else if g.main != nil {
		p.Refuse("property", "ThreadGroup.main_controller", "a VirtualUserController is wanted")
	}
}

func (g *dynamic) begin(l elem.Launcher) {
	g.launch(l)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.live, g.done, g.wake = 0, false, make(chan struct{}, 1)
}

// unitSeconds is the length of a unit of time.
func (g *dynamic) unitSeconds(t *vu.Thread) float64 {
	if g.unit.Eval(t) == "M" {
		return 60
	}
	return 1
}

// curve is the plan of a dynamic group; times in seconds.
type curve struct{ target, rampUp, hold, steps float64 }

func (g *dynamic) curve(t *vu.Thread) (curve, error) {
	c := curve{target: float64(g.target.Eval(t))}
	for _, x := range []struct {
		dst  *float64
		name string
		text string
		unit float64
	}{
		{&c.rampUp, "RampUp", g.rampUp.Eval(t), g.unitSeconds(t)},
		{&c.hold, "Hold", g.hold.Eval(t), g.unitSeconds(t)},
		{&c.steps, "Steps", g.steps.Eval(t), 1},
	} {
		if x.text == "" {
			continue
		}
		n, ok := vu.ParseFloat(x.text)
		if !ok {
			return c, fmt.Errorf("%s: %q is not a number", x.name, x.text)
		}
		*x.dst = math.Floor(n*x.unit + 0.5)
	}
	return c, nil
}

// at is what is planned at a time; negative when all is over.
func (c curve) at(seconds float64, ramp func(slope float64) float64) float64 {
	switch {
	case seconds >= c.rampUp+c.hold:
		return -1
	case seconds >= c.rampUp:
		return c.target
	case c.steps > 0:
		return c.target / c.steps * (math.Floor(seconds/(c.rampUp/c.steps)) + 1)
	}
	return ramp(c.target / c.rampUp)
}

// limit is how many iterations a thread may do; 0 is no limit.
func (g *dynamic) limit(t *vu.Thread) int64 {
	n, _ := vu.ParseLong(g.iterations.Eval(t))
	return n
}

// start starts a thread.
func (g *dynamic) start(l elem.Launcher, num int) {
	g.mu.Lock()
	g.live++
	g.mu.Unlock()
	l.Go(elem.Start{Num: num, Prefix: l.Group().Name + "-ThreadStarter"})
}

// ThreadEnd is told of a thread's end.
func (g *dynamic) ThreadEnd(*vu.Thread) {
	g.mu.Lock()
	g.live--
	g.mu.Unlock()
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

func (g *dynamic) alive() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.live
}

func (g *dynamic) finish() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done = true
}

func (g *dynamic) finished() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.done
}

// pause waits until a thread ends or d is over; false says that the group has
// been told to stop.
func (g *dynamic) pause(l elem.Launcher, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-g.wake:
	case <-timer.C:
	case <-l.Quit():
	}
	return !l.Stopping()
}
