package group

import (
	"math"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[concurrency](elem.Spec{
		Class: "com.blazemeter.jmeter.threads.concurrency.ConcurrencyThreadGroup", Title: "bzm - Concurrency Thread Group", Kind: elem.KindGroup, Status: elem.Partial,
		Note: "the log of the threads' status is not written; compared with the plug-in at work (casutg 2.10), not by recorded cases",
	})
}

// concurrency keeps so many threads at work: it starts another one where one ended
// or more are planned, and lets threads go where fewer are.
type concurrency struct{ dynamic }

func (g *concurrency) Props(p *elem.Props) { g.props(p, g) }

// How long the group waits before it looks again, unless a thread ends.
const (
	checkIdle = 10 * time.Millisecond // without threads
	checkBusy = time.Second
)

func (g *concurrency) Launch(l elem.Launcher) error {
	g.begin(l)
	t := l.Thread()
	l.Group().Threads = g.target.Eval(t)
	if _, err := g.curve(t); err != nil {
		return err
	}
	l.Background(func() {
		defer g.finish()
		g.supply(l, t)
	})
	return nil
}

func (g *concurrency) supply(l elem.Launcher, t *vu.Thread) {
	if g.target.Eval(t) <= 0 {
		return
	}
	begin, n := time.Now(), 0
	for !l.Stopping() {
		for {
			want := g.planned(t, time.Since(begin))
			if want < 0 {
				return
			}
			if g.alive() >= want || l.Stopping() {
				break
			}
			g.start(l, n)
			n++
		}
		wait := checkBusy
		if g.alive() == 0 {
			wait = checkIdle
		}
		if !g.pause(l, wait) {
			return
		}
	}
}

// planned is how many threads are wanted; negative when all is over. The
// properties are read anew each time, so that a run can be steered by them.
func (g *concurrency) planned(t *vu.Thread, since time.Duration) int {
	c, err := g.curve(t)
	if err != nil {
		t.Log().Error("Concurrency Thread Group "+t.Group.Name+" ends", "err", err)
		t.Run.Fail(err)
		return -1
	}
	s := max(0, since.Seconds()-float64(t.Run.Props.Int("dynamic_tg.shift_rampup_start", 0)))
	return int(math.Floor(c.at(s, func(slope float64) float64 { return slope * s }) + 0.5))
}

func (g *concurrency) over(*vu.Thread) bool { return g.finished() }

func (g *concurrency) arrived(*vu.Thread) bool { return true }

// completed lets a thread go that has done its iterations, or is one too many.
func (g *concurrency) completed(t *vu.Thread, iterations int64, whole bool) bool {
	if !whole {
		return true
	}
	if n := g.limit(t); n > 0 && iterations >= n {
		return false
	}
	return !g.finished() && g.alive() <= g.target.Eval(t)
}

var (
	_ elem.Group       = (*concurrency)(nil)
	_ elem.ThreadEnder = (*concurrency)(nil)
	_ owner            = (*concurrency)(nil)
)
