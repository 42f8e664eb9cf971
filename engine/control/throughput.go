package control

import (
	"sync"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[throughput](elem.Spec{
		Class: "ThroughputController", Title: "Throughput Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// The styles of a Throughput Controller.
const (
	byNumber  = 0
	byPercent = 1
)

// throughput runs in some of the passes of the controller above: so many in
// all, or a percentage of them.
type throughput struct {
	elem.Flow
	style     expr.Int
	perThread expr.Bool
	most      expr.Text
	percent   expr.Text
	slot      vu.Slot[throughputState]

	mu  sync.Mutex // guards all
	all passes     // of all threads
}

// passes counts the passes of the controller above and those taken.
type passes struct{ taken, seen int }

type throughputState struct {
	passes
	run bool
}

func (c *throughput) Props(p *elem.Props) {
	p.Int(&c.style, "ThroughputController.style", "0", "0 total executions, 1 percent executions")
	p.Bool(&c.perThread, "ThroughputController.perThread", true, "count each thread by itself")
	p.Text(&c.most, "ThroughputController.maxThroughput", "1", "total executions")
	p.Text(&c.percent, "ThroughputController.percentThroughput", "100", "percent executions")
	c.slot = elem.SlotOf[throughputState](p)
}

// TestStart begins the shared count.
func (c *throughput) TestStart(*vu.Run) error {
	c.all = passes{}
	return nil
}

func (c *throughput) limit(t *vu.Thread) int {
	s := c.most.Eval(t)
	n, ok := vu.ParseInt(s)
	if !ok {
		t.Log().Warn("Error parsing '"+s+"'", "logger", "o.a.j.c.ThroughputController")
		return 1
	}
	return int(n)
}

func (c *throughput) share(t *vu.Thread) float32 {
	s := c.percent.Eval(t)
	f, ok := vu.ParseFloat(s)
	if !ok {
		t.Log().Warn("Error parsing '"+s+"'", "logger", "o.a.j.c.ThroughputController")
		return 100
	}
	return float32(f)
}

// PassStart decides whether the controller runs in this pass.
func (c *throughput) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	s := c.slot.Of(t)
	n := &s.passes
	if !c.perThread.Eval(t) {
		c.mu.Lock()
		defer c.mu.Unlock()
		n = &c.all
	}
	if c.style.Eval(t) == byNumber {
		s.run = n.taken < c.limit(t)
	} else {
		s.run = float32((100.0*float64(n.taken)+50.0)/float64(n.seen+1)) < c.share(t)
	}
	n.seen++
	if s.run {
		n.taken++
	}
}

func (c *throughput) Next(t *vu.Thread) elem.Pick {
	if !c.slot.Of(t).run {
		return elem.Pick{}
	}
	return c.Flow.Next(t)
}

func (c *throughput) taken(t *vu.Thread) int {
	if c.perThread.Eval(t) {
		return c.slot.Of(t).taken
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all.taken
}

func (c *throughput) IsDone(t *vu.Thread) bool {
	if len(c.Children(t)) == 0 {
		return true
	}
	if c.style.Eval(t) == byNumber {
		limit := c.limit(t)
		return limit == 0 || c.taken(t) >= limit && c.Position(t) >= len(c.Children(t))
	}
	return c.style.Eval(t) == byPercent && c.share(t) == 0
}

var (
	_ elem.Controller  = (*throughput)(nil)
	_ elem.PassStarter = (*throughput)(nil)
	_ elem.TestStarter = (*throughput)(nil)
)
