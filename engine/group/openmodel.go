package group

import (
	"fmt"
	"math"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
)

func init() {
	elem.Register[openModel](elem.Spec{
		Class: "OpenModelThreadGroup", Title: "Open Model Thread Group", Kind: elem.KindGroup, Status: elem.Full,
	})
}

// openModel starts a thread for each arrival of its schedule; each runs once.
type openModel struct {
	base
	schedule expr.Text
	seed     expr.Long
}

func (g *openModel) Props(p *elem.Props) {
	g.props(p, sameUser)
	p.Text(&g.schedule, "OpenModelThreadGroup.schedule", "", "rate(10/min) random_arrivals(2 min) pause(1 min), ...")
	p.Long(&g.seed, "OpenModelThreadGroup.random_seed", "0", "seed of random arrivals; 0 for others in each run")
}

func (g *openModel) Launch(l elem.Launcher) error {
	g.launch(l)
	t := l.Thread()
	steps, err := parseSchedule(g.schedule.Eval(t))
	if err != nil {
		return err
	}
	if n := steps.count(); n > maxArrivals {
		return fmt.Errorf("a schedule of %v arrivals is too long, the limit is %v", n, maxArrivals)
	}
	random := java.NewUnseededRandom()
	if seed := g.seed.Eval(t); seed != 0 {
		random.SetSeed(seed)
	}
	// as in JMeter, the times count from the start of the test
	at := func(seconds float64) time.Time {
		return t.Run.Start.Add(time.Duration(math.Floor(seconds*1000+0.5)) * time.Millisecond)
	}
	end := at(steps.duration())
	l.Background(func() {
		n := 0
		for due := range steps.arrivals(random.Double) {
			if !l.Sleep(time.Until(at(due))) {
				return
			}
			l.Go(elem.Start{Num: n, End: end, Once: true})
			n++
		}
		if l.Sleep(time.Until(end)) {
			l.StopThreads(true)
		}
	})
	return nil
}

var _ elem.Group = (*openModel)(nil)
