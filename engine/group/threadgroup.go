package group

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[threadGroup](elem.Spec{Class: "ThreadGroup", Title: "Thread Group", Kind: elem.KindGroup, Status: elem.Full})
	elem.Register[setUp](elem.Spec{Class: "SetupThreadGroup", Title: "setUp Thread Group", Kind: elem.KindGroup, Status: elem.Full})
	elem.Register[tearDown](elem.Spec{Class: "PostThreadGroup", Title: "tearDown Thread Group", Kind: elem.KindGroup, Status: elem.Full})
}

// base is what all thread groups share.
type base struct {
	main     elem.Controller
	onError  expr.Text
	sameUser expr.Bool
}

const sameUser = "ThreadGroup.same_user_on_next_iteration"

// props reads what is common; the plug-ins call the same user otherwise.
func (g *base) props(p *elem.Props, sameUser string) {
	p.Main(&g.main, "ThreadGroup.main_controller", "loops of each thread")
	p.Text(&g.onError, "ThreadGroup.on_sample_error", "continue", "continue, startnextloop, stopthread, stoptest or stoptestnow")
	p.Bool(&g.sameUser, sameUser, true, "keep cookies, cache and connections over the loops")
}

func (g *base) Main() elem.Controller { return g.main }

func (g *base) launch(l elem.Launcher) {
	l.SetOnError(onError(g.onError.Eval(l.Thread())))
	l.SetSameUser(g.sameUser.Eval(l.Thread()))
}

func onError(s string) elem.OnError {
	switch strings.ToLower(s) {
	case "startnextloop":
		return elem.OnErrorNextLoop
	case "stopthread":
		return elem.OnErrorStopThread
	case "stoptest":
		return elem.OnErrorStopTest
	case "stoptestnow":
		return elem.OnErrorStopTestNow
	}
	return elem.OnErrorContinue
}

// threadGroup starts its threads over the ramp-up time; with the scheduler each
// ends delay + duration after its start.
type threadGroup struct {
	base
	place     string
	threads   expr.Int
	rampUp    expr.Int
	delayed   expr.Bool
	scheduler expr.Bool
	duration  expr.Long
	delay     expr.Long
}

func (g *threadGroup) Props(p *elem.Props) {
	g.props(p, sameUser)
	g.place = p.Place()
	p.Int(&g.threads, "ThreadGroup.num_threads", "0", "number of threads")
	p.Int(&g.rampUp, "ThreadGroup.ramp_time", "0", "ramp-up period in seconds")
	p.Bool(&g.delayed, "ThreadGroup.delayedStart", false, "create a thread only when it is due")
	p.Bool(&g.scheduler, "ThreadGroup.scheduler", false, "heed duration and delay")
	p.Long(&g.duration, "ThreadGroup.duration", "0", "duration in seconds")
	p.Long(&g.delay, "ThreadGroup.delay", "0", "startup delay in seconds")
	p.Ignore("ThreadGroup.start_time", "ThreadGroup.end_time")
}

func (g *threadGroup) Launch(l elem.Launcher) error {
	g.launch(l)
	t := l.Thread()
	n := g.threads.Eval(t)
	if n == 0 {
		g.told(t, "ThreadGroup.num_threads", g.threads)
	}
	if g.rampUp.Eval(t) == 0 {
		g.told(t, "ThreadGroup.ramp_time", g.rampUp)
	}
	l.Group().Threads = n
	if g.delayed.Eval(t) {
		l.Background(func() { g.launchDelayed(l, t, n) })
		return nil
	}
	per := javaRound(float32(g.rampUp.Eval(t)) * 1000 / float32(n))
	var last time.Time
	var delay time.Duration
	for i := 0; i < n && !l.Stopping(); i++ {
		now := time.Now()
		if i > 0 {
			delay += per - now.Sub(last)
		}
		last = now
		s := elem.Start{Num: i, Delay: max(0, delay)}
		if err := g.schedule(&s, t, now, l); err != nil {
			return err
		}
		l.Go(s)
	}
	return nil
}

// told reports a setting that is no number: JMeter counts it as 0 in silence.
func (g *threadGroup) told(t *vu.Thread, name string, v expr.Int) {
	if text, wrong := v.Wrong(t); wrong {
		t.Run.Fail(fmt.Errorf("%s: %s: %q is not a number, taken as 0", g.place, name, text))
	}
}

// schedule sets when a thread begins and ends.
func (g *threadGroup) schedule(s *elem.Start, t *vu.Thread, now time.Time, l elem.Launcher) error {
	if !g.scheduler.Eval(t) {
		return nil
	}
	delay, duration := g.delay.Eval(t), g.duration.Eval(t)
	if delay < 0 {
		return fmt.Errorf("Invalid delay %d set in Thread Group:%s", delay, l.Group().Name) //nolint:staticcheck // JMeter's wording
	}
	if duration <= 0 {
		return fmt.Errorf("Invalid duration %d set in Thread Group:%s", duration, l.Group().Name) //nolint:staticcheck // JMeter's wording
	}
	s.At = now.Add(seconds(delay))
	s.End = s.At.Add(seconds(duration))
	return nil
}

// launchDelayed creates each thread when it is due.
func (g *threadGroup) launchDelayed(l elem.Launcher, t *vu.Thread, n int) {
	var end time.Time
	scheduled := g.scheduler.Eval(t)
	if scheduled {
		if !l.Sleep(seconds(g.delay.Eval(t))) {
			return
		}
		if d := g.duration.Eval(t); d > 0 {
			end = time.Now().Add(seconds(d))
		}
	}
	ramp := float32(g.rampUp.Eval(t)) * 1000
	begin := time.Now()
	for i := 0; i < n && !l.Stopping(); i++ {
		if i > 0 {
			elapsed := float32(time.Since(begin).Milliseconds())
			if !l.Sleep(max(0, javaRound((ramp-elapsed)/float32(n-i)))) {
				return
			}
		}
		if scheduled && time.Now().After(end) {
			return
		}
		l.Go(elem.Start{Num: i, End: end})
	}
}

func seconds(n int64) time.Duration {
	if n > math.MaxInt64/int64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(n) * time.Second
}

// javaRound is Math.round of milliseconds: half up.
func javaRound(ms float32) time.Duration {
	if ms != ms || math.IsInf(float64(ms), 0) {
		return 0
	}
	return time.Duration(math.Floor(float64(ms)+0.5)) * time.Millisecond
}

// setUp runs before the main thread groups.
type setUp struct{ threadGroup }

func (*setUp) Phase() elem.GroupPhase { return elem.SetUp }

// tearDown runs after them.
type tearDown struct{ threadGroup }

func (*tearDown) Phase() elem.GroupPhase { return elem.TearDown }

var (
	_ elem.Group  = (*threadGroup)(nil)
	_ elem.Phased = (*setUp)(nil)
	_ elem.Phased = (*tearDown)(nil)
)
