package control

import (
	"strconv"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[transaction](elem.Spec{
		Class: "TransactionController", Title: "Transaction Controller", Kind: elem.KindController, Status: elem.Full,
	})
}

// transaction adds a row that sums up its children, or makes them sub-samples
// of one. In the first mode it is a listener of its own children.
type transaction struct {
	elem.Flow
	parent        expr.Bool
	includeTimers expr.Bool
	slot          vu.Slot[transactionState]
	scope         *elem.TransactionScope
}

type transactionState struct {
	res       *jtl.Sample // additional mode, nil outside a pass
	begin     time.Time
	calls     int
	failing   int
	pause     int64 // ms between the samples, when timers are left out
	prevEnd   int64
	tx        *elem.Transaction // parent mode
	total     int64             // ms of all children
	connected int64
}

func (c *transaction) Props(p *elem.Props) {
	p.Bool(&c.parent, "TransactionController.parent", false, "make the samples sub-samples of one")
	p.Bool(&c.includeTimers, "TransactionController.includeTimers", true, "count timers and processors in the elapsed time")
	c.slot = elem.SlotOf[transactionState](p)
}

func (c *transaction) BindTransaction(s *elem.TransactionScope) { c.scope = s }

func (c *transaction) Next(t *vu.Thread) elem.Pick {
	if c.parent.Eval(t) {
		return c.nextAsParent(t)
	}
	return c.nextBeside(t)
}

// NextIsController in parent mode asks the Simple Controller's next, not the
// transaction's own: that would wrap the sampler once more.
func (c *transaction) NextIsController(t *vu.Thread, child elem.Controller) elem.Pick {
	if !c.parent.Eval(t) {
		return c.Flow.NextIsController(t, child)
	}
	if p := child.Next(t); !p.None() {
		return p
	}
	c.CurrentReturnedNull(t, child)
	return c.Flow.Next(t)
}

func (c *transaction) start(t *vu.Thread, s *transactionState) *jtl.Sample {
	*s = transactionState{begin: time.Now()}
	res := &jtl.Sample{}
	res.Reset()
	res.Label = c.Name(t)
	res.Success, res.Transaction = true, true
	res.Start = s.begin.UnixMilli()
	res.End = res.Start
	return res
}

// now is the present in the clock of the transaction's start, cut to the ms where
// its samples' times are cut: the sum of theirs is never more than the whole.
func (s *transactionState) now() int64 {
	return s.begin.Add(time.Since(s.begin)).UnixMilli()
}

func (s *transactionState) message() string {
	return elem.TransactionPrefix + strconv.Itoa(s.calls) + ", number of failing samples : " + strconv.Itoa(s.failing)
}

// nextAsParent wraps what its children hand out.
func (c *transaction) nextAsParent(t *vu.Thread) elem.Pick {
	s := c.slot.Of(t)
	if s.tx != nil && s.tx.Done {
		s.tx = nil
		return elem.Pick{}
	}
	if c.First(t) {
		res := c.start(t, s)
		s.tx = &elem.Transaction{Result: res, Scope: c.scope}
		s.tx.Add = func(child *jtl.Sample) { c.add(s, res, child) }
	}
	s.tx.Sub = c.Flow.Next(t)
	if s.tx.Sub.None() {
		c.finish(t, s)
	}
	return elem.Pick{Tx: s.tx}
}

// add takes a finished child into the row.
func (c *transaction) add(s *transactionState, res, child *jtl.Sample) {
	s.calls++
	if s.failing == 0 {
		res.Code = child.Code
	}
	if !child.Success {
		res.Success = false
		s.failing++
	}
	res.AddSub(child)
	s.total += child.Elapsed
	s.connected += child.Connect
}

func (c *transaction) finish(t *vu.Thread, s *transactionState) {
	s.tx.Done = true
	res := s.tx.Result
	res.Message = s.message()
	if res.Success {
		res.Code = "200"
	}
	if !c.includeTimers.Eval(t) {
		end := s.now()
		res.IdleTime = end - res.Start - s.total
		res.End = end
	}
	res.Connect = s.connected
	res.Elapsed = res.End - res.Start - res.IdleTime
}

// nextBeside lets its children report themselves and adds a row at the end.
func (c *transaction) nextBeside(t *vu.Thread) elem.Pick {
	s := c.slot.Of(t)
	if c.First(t) {
		res := c.start(t, s)
		s.res, s.prevEnd = res, res.Start
	}
	last := c.Position(t) == len(c.Children(t))
	p := c.Flow.Next(t)
	switch {
	case !p.None() || !last:
		s.calls++
	case s.res != nil:
		if !c.includeTimers.Eval(t) {
			s.pause += s.now() - s.prevEnd
		}
		if s.res.Success {
			s.res.Code = "200"
		}
		c.report(t, s)
	}
	return p
}

// report sends the row to the listeners of the sampler that ran last.
func (c *transaction) report(t *vu.Thread, s *transactionState) {
	res := s.res
	res.IdleTime += s.pause
	res.End = s.now()
	res.Elapsed = res.End - res.Start - res.IdleTime
	res.Message = s.message()
	step := elem.LastStep(t)
	if step == nil {
		t.Log().Warn("Could not fetch SamplePackage", "logger", "o.a.j.c.TransactionController")
		return
	}
	s.res = nil
	for _, l := range step.Listeners {
		if _, own := l.(*transaction); !own {
			l.Sampled(t, res)
		}
	}
}

// Sampled takes note of a child that has run.
func (c *transaction) Sampled(t *vu.Thread, child *jtl.Sample) {
	if c.parent.Eval(t) {
		return
	}
	s := c.slot.Of(t)
	res := s.res
	if res == nil {
		return
	}
	res.ThreadName = child.ThreadName
	res.Bytes += child.Bytes
	res.SentBytes += child.SentBytes
	if !c.includeTimers.Eval(t) {
		s.pause += child.End - child.Elapsed - s.prevEnd
		s.prevEnd = child.End
	}
	if !child.Success {
		res.Success = false
		s.failing++
	}
	res.AllThreads, res.GroupThreads = child.AllThreads, child.GroupThreads
	res.Latency += child.Latency
	res.Connect += child.Connect
}

// Needs: only figures are read.
func (c *transaction) Needs() elem.Needs { return 0 }

func (c *transaction) TriggerEndOfLoop(t *vu.Thread) {
	s := c.slot.Of(t)
	switch {
	case !c.parent.Eval(t):
		if s.res != nil {
			s.res.Success = t.Vars.GetOr("JMeterThread.last_sample_ok", "") == "true"
			c.report(t, s)
		}
	case s.tx != nil:
		if inner := s.tx.Sub.Tx; inner != nil {
			s.tx.Add(inner.Result)
		}
		c.finish(t, s)
		s.tx = nil
	}
	c.Flow.TriggerEndOfLoop(t)
}

var (
	_ elem.Controller    = (*transaction)(nil)
	_ elem.Listener      = (*transaction)(nil)
	_ elem.Transactional = (*transaction)(nil)
)
