package engine

import (
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

const logThread = "o.a.j.t.JMeterThread"

// thread is one virtual user at work: the loop of JMeter's thread.
type thread struct {
	*vu.Thread
	g     *groupRun
	start elem.Start

	samples [2]jtl.Sample // the one at hand and the one before, taking turns
	turn    int
}

func (t *thread) run() {
	plan, run := t.g.r.plan, t.Run
	started := false
	defer func() {
		if p := recover(); p != nil { // a defect of ours costs the thread, not the results
			t.Log().Error("Uncaught exception in thread", "logger", logThread, "thread", t.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			run.Fail(fmt.Errorf("thread %s ended by an internal error: %v", t.Name, p))
		}
		for _, e := range t.g.g.ends {
			e.ThreadEnd(t.Thread)
		}
		t.Log().Info("Thread finished: "+t.Name, "logger", logThread)
		if started {
			t.Group.Active.Add(-1)
			run.Active.Add(-1)
			run.Finished.Add(1)
		}
	}()
	t.Vars.PutObjectRef(plan.sameUser, t.SameUser)
	t.setLastOK(plan, true)
	if !t.start.At.IsZero() {
		t.waitUntil(t.start.At)
	}
	if t.start.Delay > 0 {
		t.waitUntil(time.Now().Add(t.start.Delay))
	}
	t.Log().Info("Thread started: "+t.Name, "logger", logThread)
	main := t.g.g.main
	main.Initialize(t.Thread)
	t.Group.Active.Add(1)
	run.Active.Add(1)
	run.Started.Add(1)
	started = true
	for _, e := range t.g.g.threads {
		if err := vu.Try(func() { e.ThreadStart(t.Thread) }); err != nil {
			t.Log().Error("Error calling threadStarted", "logger", logThread, "err", err)
		}
	}
	if err := vu.Try(t.loop); err != nil {
		t.stopFor(err, "Test failed!")
	}
}

// waitUntil waits, unless the thread or its group is told to stop.
func (t *thread) waitUntil(at time.Time) {
	d := time.Until(at)
	if d <= 0 || t.Stopped() {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.g.quit:
	case <-t.Interrupted():
	}
}

func (t *thread) setLastOK(p *Plan, ok bool) {
	s := "false"
	if ok {
		s = "true"
	}
	t.Vars.PutRef(p.lastOK, s)
}

// loop asks the controllers for samplers until there are none.
func (t *thread) loop() {
	plan, main := t.g.r.plan, t.g.g.main
	for !t.Stopped() {
		p := main.Next(t.Thread)
		for !t.Stopped() && !p.None() {
			t.process(p, false)
			ok, _ := t.Vars.GetRef(plan.lastOK)
			restart := t.g.onError == elem.OnErrorNextLoop && ok != "true"
			if t.Action == vu.Continue && !restart {
				p = main.Next(t.Thread)
				continue
			}
			action := t.Action
			if restart {
				action = vu.NextThreadIteration
			}
			t.trigger(p, action)
			t.Action = vu.Continue
			t.setLastOK(plan, true)
			p = elem.Pick{}
		}
		if t.start.Once || main.IsDone(t.Thread) {
			t.Stop()
		}
	}
}

// iteration is told by the main controller of each loop of the thread group.
type iteration struct{ g *group }

func (i iteration) PassStart(t *vu.Thread, _ elem.Controller, _ int) {
	t.Iteration++
	for _, e := range i.g.iters {
		e.IterationStart(t)
	}
}

// trigger ends loops from the sampler outwards: what "start next loop", "next
// iteration of the current loop" and "break" do.
func (t *thread) trigger(p elem.Pick, a vu.Action) {
	real := p
	for real.Tx != nil {
		real = real.Tx.Sub
	}
	if real.Step != nil {
		for i, c := range real.Step.Controllers {
			l, isLoop := c.(elem.Looper)
			top := i == len(real.Step.Controllers)-1
			switch {
			case isLoop && a == vu.BreakLoop:
				l.BreakLoop(t.Thread)
			case isLoop && (top || a == vu.NextLoopIteration):
				l.StartNextLoop(t.Thread)
			default:
				c.TriggerEndOfLoop(t.Thread)
				continue
			}
			break // the nearest loop, or the thread group's
		}
	}
	if p.Tx != nil {
		t.endTransaction(p.Tx, false)
	}
}

// process runs one pick: a sampler, or a step of a parent-mode transaction. It
// returns the transaction's result once that is over. nested says that the pick
// stands inside another transaction.
func (t *thread) process(p elem.Pick, nested bool) (result *jtl.Sample) {
	tx := p.Tx
	err := vu.Try(func() {
		step := p.Step
		if tx != nil {
			if tx.Done {
				result = t.endTransaction(tx, nested)
				step = nil
			} else if tx.Sub.Tx != nil {
				if res := t.process(tx.Sub, true); res != nil {
					tx.Add(res)
				}
				step = nil
			} else {
				step = tx.Sub.Step
			}
		}
		if step != nil {
			t.execute(step, tx)
		}
		if !t.End.IsZero() && !time.Now().Before(t.End) {
			t.Stop()
			t.Log().Info("Stopping because end time detected by thread: "+t.Name, "logger", logThread)
		}
	})
	if err != nil {
		name := ""
		if t.Sampler != nil {
			name = t.Sampler.Name(t.Thread) // may throw again: that ends the thread
		}
		t.stopFor(err, fmt.Sprintf("Error while processing sampler: '%s'.", name))
	}
	if t.Stopped() && result == nil && tx != nil {
		result = t.endTransaction(tx, nested)
	}
	return result
}

// stopFor does what a thrown stop request asks, and logs any other error.
func (t *thread) stopFor(err error, what string) {
	switch {
	case errors.Is(err, vu.ErrStopThread):
		t.Stop()
		if err != vu.ErrStopThread { // an Error of Java's: JMeter prints it, too
			fmt.Fprintf(t.Run.Out, "Uncaught Exception %v in thread %s. See log file for details.\n", err, t.Name)
		}
	case errors.Is(err, vu.ErrStopTest):
		t.Stop()
		t.Run.Stop(false, "asked by "+t.Name)
	case errors.Is(err, vu.ErrStopTestNow):
		t.Stop()
		t.Run.Stop(true, "asked by "+t.Name)
	default:
		t.Log().Error(what, "logger", logThread, "thread", t.Name, "err", err)
	}
}

// execute runs a step.
func (t *thread) execute(step *elem.Step, tx *elem.Transaction) {
	plan := t.g.r.plan
	t.Sampler, t.Rename = step, ""
	t.Turn++
	for _, e := range step.Pre {
		e.Before(t.Thread)
	}
	t.Vars.PutObjectRef(plan.lastStep, step)
	t.delay(step.Timers)
	if t.Stopped() {
		return
	}
	s := &t.samples[t.turn]
	if s == t.Prev {
		t.turn ^= 1
		s = &t.samples[t.turn]
	}
	if !t.sample(step, s) {
		return
	}
	if s.Ignore {
		t.setLastOK(plan, s.Success)
	} else {
		t.judge(step, s, tx)
	}
	if !s.Success {
		switch t.g.onError {
		case elem.OnErrorStopThread:
			t.Stop()
		case elem.OnErrorStopTest:
			t.stopFor(vu.ErrStopTest, "")
		case elem.OnErrorStopTestNow:
			t.stopFor(vu.ErrStopTestNow, "")
		}
	}
}

// sample lets the sampler fill s.
func (t *thread) sample(step *elem.Step, s *jtl.Sample) bool {
	s.Reset()
	s.ThreadName = t.Name
	s.Label = step.Name(t.Thread)
	if t.Rename != "" {
		s.Label = t.Rename
	}
	for _, m := range t.g.g.monitors {
		m.SampleStarting(t.Thread)
	}
	s.Restart()
	defer func() {
		for _, m := range t.g.g.monitors {
			m.SampleEnded(t.Thread)
		}
	}()
	ok := step.Sampler.Sample(t.Thread, s)
	if s.End == 0 {
		s.End = time.Now().UnixMilli()
	}
	s.Elapsed = s.End - s.Start - s.IdleTime
	return ok
}

// judge runs what follows a sample: post-processors, assertions, listeners.
func (t *thread) judge(step *elem.Step, s *jtl.Sample, tx *elem.Transaction) {
	t.fill(s)
	for _, sub := range s.Subs {
		t.fill(sub)
	}
	t.Prev, t.PrevTurn = s, t.Turn
	for _, e := range step.Post {
		t.postProcess(e, s)
	}
	t.check(step.Assertions, s)
	if !s.Ignore {
		if tx == nil {
			t.notify(step.Listeners, s)
		} else {
			t.notifyInside(step.Listeners, tx.Scope.Listeners, s)
			tx.Add(s.Clone())
		}
	}
}

// postProcess runs e. What it throws is logged and the rest goes on (JMeter 5.6.3
// skips all that follows, so that the sample is in no results: its issue 6734);
// only a request to stop ends the sample here.
func (t *thread) postProcess(e elem.PostProcessor, s *jtl.Sample) {
	err := vu.Try(func() { e.After(t.Thread, s) })
	if err == nil {
		return
	}
	if vu.IsStop(err) {
		vu.Throw(err)
	}
	t.Log().Error(fmt.Sprintf("Error in a post-processor of sampler: '%s'.", s.Label), "logger", logThread, "thread", t.Name, "err", err)
}

// fill sets the thread counts of a result.
func (t *thread) fill(s *jtl.Sample) {
	s.GroupThreads, s.AllThreads, s.ThreadName = int(t.Group.Active.Load()), int(t.Run.Active.Load()), t.Name
}

func (t *thread) notify(ls []elem.Listener, s *jtl.Sample) {
	for _, l := range ls {
		if err := vu.Try(func() { l.Sampled(t.Thread, s) }); err != nil {
			if vu.IsStop(err) {
				vu.Throw(err)
			}
			t.Log().Error("Exception in a listener", "logger", logThread, "err", err)
		}
	}
}

// notifyInside tells the listeners that do not get the transaction itself.
func (t *thread) notifyInside(ls, outer []elem.Listener, s *jtl.Sample) {
next:
	for i, l := range ls {
		for _, o := range outer {
			if o == l {
				continue next
			}
		}
		t.notify(ls[i:i+1], s)
	}
}

// endTransaction judges and reports the row of a parent-mode transaction.
func (t *thread) endTransaction(tx *elem.Transaction, nested bool) *jtl.Sample {
	s := tx.Result
	t.fill(s)
	t.check(tx.Scope.Assertions, s)
	if !nested {
		t.notify(tx.Scope.Listeners, s)
	}
	return s
}

// delay waits as long as all timers ask together.
func (t *thread) delay(timers []elem.Timer) {
	if len(timers) == 0 {
		return
	}
	var total time.Duration
	for _, tm := range timers {
		d := tm.Wait(t.Thread)
		if _, ok := tm.(elem.Modifiable); ok && t.g.r.plan.timerFactor != 1 {
			d = time.Duration(float64(d.Milliseconds())*t.g.r.plan.timerFactor+0.5) * time.Millisecond
		}
		total += d
	}
	if total <= 0 {
		return
	}
	if !t.End.IsZero() && time.Now().Add(total).After(t.End) {
		t.Stop() // the wait would outlast the schedule
		return
	}
	t.Sleep(total)
}
