package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
)

// Runner runs a plan once. Stop may be called from anywhere, at any time.
type Runner struct {
	plan *Plan
	run  *vu.Run

	stopping atomic.Bool // no new samples
	now      atomic.Bool // and those at hand are cut short

	mu     sync.Mutex
	groups []*groupRun // of the phase at hand
	opened bool
	errs   []error
	seen   map[string]bool
}

// Start prepares a run of the plan. Only one run of a plan is allowed.
func (p *Plan) Start() *Runner {
	r := &Runner{plan: p, run: p.run, seen: map[string]bool{}}
	p.run.Stop = r.Stop
	p.run.Fail = r.fail
	return r
}

// fail keeps an error that a user must hear of, once however often it occurs.
func (r *Runner) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if msg := err.Error(); !r.seen[msg] {
		r.seen[msg] = true
		r.errs = append(r.errs, err)
	}
}

// Stop ends the run: threads end after their current sample, or at once.
func (r *Runner) Stop(now bool, why string) {
	r.run.Log.Info("Stopping the test", "now", now, "why", why)
	if now {
		r.now.Store(true)
	}
	r.stopping.Store(true)
	r.mu.Lock()
	groups := r.groups
	r.mu.Unlock()
	for _, g := range groups {
		g.StopThreads(now)
	}
}

// Open opens what the run would be in vain without. Where that fails nothing
// runs; Run opens what is not open yet.
func (r *Runner) Open() error {
	if r.opened {
		return nil
	}
	r.opened = true
	for _, e := range r.plan.all {
		o, ok := e.(elem.Opener)
		if !ok {
			continue
		}
		var err error
		if thrown := vu.Try(func() { err = o.Open(r.run) }); thrown != nil {
			err = thrown
		}
		if err != nil {
			return errors.Join(err, r.hooksEnd(func(e elem.Element) bool { _, ok := e.(elem.Opener); return ok }))
		}
	}
	return nil
}

// Run runs the phases and returns when the last thread has ended. The errors
// are those of the test's own hooks and what elements reported; failed samples
// are none.
func (r *Runner) Run() error {
	if err := r.Open(); err != nil {
		return err
	}
	r.run.Log.Info("Running the test!")
	if err := r.hooksStart(); err != nil {
		return errors.Join(err, r.hooksEnd(all))
	}
	setUp := r.phase(elem.SetUp)
	mainStarted := !r.stopping.Load()
	if setUp > 0 {
		r.resetCounts()
	}
	if mainStarted {
		if r.phase(elem.MainPhase) == 0 {
			r.run.Log.Info("No enabled thread groups found")
		}
	}
	if r.has(elem.TearDown) && mainStarted && (!r.stopping.Load() || r.plan.tearDown) {
		r.stopping.Store(false)
		r.now.Store(false)
		r.resetCounts()
		r.phase(elem.TearDown)
	}
	r.run.Log.Info("Notifying test listeners of end of test")
	err := r.hooksEnd(all)
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(append(r.errs, err)...)
}

// has tells whether the plan has a thread group of that phase.
func (r *Runner) has(phase elem.GroupPhase) bool {
	return slices.ContainsFunc(r.plan.groups, func(g *group) bool { return g.phase == phase })
}

func (r *Runner) resetCounts() {
	r.run.Started.Store(0)
	r.run.Finished.Store(0)
}

// hooksStart tells every element, and what listens beside the plan.
func (r *Runner) hooksStart() error {
	for _, e := range r.plan.all {
		if s, ok := e.(elem.TestStarter); ok {
			var err error
			if thrown := vu.Try(func() { err = s.TestStart(r.run) }); thrown != nil {
				err = thrown
			}
			if err != nil {
				r.run.Log.Error("Unable to execute testStarted", "err", err)
				return err
			}
		}
	}
	return nil
}

// all is every element.
func all(elem.Element) bool { return true }

// hooksEnd tells the elements that which chooses.
func (r *Runner) hooksEnd(which func(elem.Element) bool) error {
	var errs []error
	for _, e := range r.plan.all {
		if s, ok := e.(elem.TestEnder); ok && which(e) {
			if err := s.TestEnd(r.run); err != nil {
				errs = append(errs, err)
			}
		}
	}
	return errors.Join(errs...)
}

// phase runs the thread groups of one phase and returns how many there are.
func (r *Runner) phase(phase elem.GroupPhase) int {
	n, threads := 0, 0
	for _, g := range r.plan.groups {
		if g.phase != phase {
			continue
		}
		if r.stopping.Load() {
			r.run.Log.Info("Test stopped - no more thread groups will be started")
			break
		}
		n++
		gr := r.launch(g, n)
		if gr == nil {
			continue
		}
		threads += gr.group.Threads
		r.run.Threads(threads)
		if r.plan.serial {
			gr.wait()
			threads = 0
		}
	}
	r.mu.Lock()
	groups := r.groups
	r.mu.Unlock()
	for _, g := range groups {
		g.wait()
	}
	r.mu.Lock()
	r.groups = nil
	r.mu.Unlock()
	return n
}

func (r *Runner) launch(g *group, number int) *groupRun {
	t := vu.NewThread(&vu.Group{Run: r.run}, 0, "main-1", r.plan.vars.Copy())
	gr := &groupRun{r: r, g: g, thread: t, live: map[*vu.Thread]struct{}{}, sameUser: true,
		quit: make(chan struct{})}
	var name string
	err := vu.Try(func() { name = g.name.Eval(t) })
	gr.group = &vu.Group{Name: name, Number: number, Run: r.run, AddThread: gr.addThread, StopThreads: gr.StopThreads}
	r.run.Log.Info(fmt.Sprintf("Starting ThreadGroup: %d : %s", number, name), "logger", logEngine)
	r.mu.Lock()
	r.groups = append(r.groups, gr)
	r.mu.Unlock()
	if r.stopping.Load() { // the stop came between the look and the list
		gr.StopThreads(r.now.Load())
	}
	if err == nil {
		var launchErr error
		if err = vu.Try(func() { launchErr = g.Launch(gr) }); err == nil {
			err = launchErr
		}
	}
	if err != nil {
		r.run.Log.Error("Error occurred starting thread group", "name", name, "err", err)
		fmt.Fprintf(r.run.Out, "Error occurred starting thread group :%s, error message:%v, \r\nsee log file for more details\n", name, err)
		r.fail(fmt.Errorf("%s: %w", g.place, err))
		return nil
	}
	return gr
}

const logEngine = "o.a.j.e.StandardJMeterEngine"

// groupRun is a thread group that runs.
type groupRun struct {
	r        *Runner
	g        *group
	group    *vu.Group
	thread   *vu.Thread // evaluates the group's own properties
	onError  elem.OnError
	sameUser bool

	wg sync.WaitGroup

	mu    sync.Mutex
	live  map[*vu.Thread]struct{}
	next  int // number of the next thread
	quit  chan struct{}
	ended bool
}

var _ elem.Launcher = (*groupRun)(nil)

func (g *groupRun) Thread() *vu.Thread        { return g.thread }
func (g *groupRun) Group() *vu.Group          { return g.group }
func (g *groupRun) SetOnError(e elem.OnError) { g.onError = e }
func (g *groupRun) SetSameUser(same bool)     { g.sameUser = same }
func (g *groupRun) Background(f func())       { g.wg.Go(f) }
func (g *groupRun) Quit() <-chan struct{}     { return g.quit }
func (g *groupRun) wait()                     { g.wg.Wait() }

func (g *groupRun) Stopping() bool {
	select {
	case <-g.quit:
		return true
	default:
		return false
	}
}

func (g *groupRun) Sleep(d time.Duration) bool {
	if d <= 0 {
		return !g.Stopping()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-g.quit:
	}
	return false
}

// Go starts a thread.
func (g *groupRun) Go(s elem.Start) {
	name := fmt.Sprintf("%s %d-%d", cmp.Or(s.Prefix, g.group.Name), g.group.Number, s.Num+1)
	if prefix := g.r.run.Props.Get("__jm.D_TG", ""); prefix != "" {
		name = prefix + "-" + name
	}
	t := vu.NewThread(g.group, s.Num, name, g.r.plan.vars.Copy())
	t.End, t.SameUser = s.End, g.sameUser
	g.mu.Lock()
	g.live[t] = struct{}{}
	g.next = max(g.next, s.Num+1)
	g.mu.Unlock()
	if g.Stopping() {
		t.Stop()
		if g.r.now.Load() {
			t.Interrupt()
		}
	}
	g.wg.Go(func() {
		(&thread{Thread: t, g: g, start: s}).run()
		g.mu.Lock()
		delete(g.live, t)
		g.mu.Unlock()
	})
}

func (g *groupRun) addThread(delay time.Duration) {
	g.mu.Lock()
	n := g.next
	g.next++
	g.mu.Unlock()
	g.Go(elem.Start{Num: n, Delay: delay})
}

// StopThreads ends the group's threads.
func (g *groupRun) StopThreads(now bool) {
	g.mu.Lock()
	if !g.ended {
		g.ended = true
		close(g.quit)
	}
	threads := make([]*vu.Thread, 0, len(g.live))
	for t := range g.live {
		threads = append(threads, t)
	}
	g.mu.Unlock()
	for _, t := range threads {
		if now {
			t.Interrupt()
		} else {
			t.Stop()
		}
	}
}

// Idle waits until no thread is alive, looking every few milliseconds.
func (g *groupRun) Idle() {
	for {
		g.mu.Lock()
		n := len(g.live)
		g.mu.Unlock()
		if n == 0 || !g.Sleep(5*time.Millisecond) {
			return
		}
	}
}
