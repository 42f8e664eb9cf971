package main

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gojm/gojm/engine/vu"
)

// stops watches over the stops of a run: threads that are told to stop at once
// and do not must not keep the program alive.
type stops struct {
	run     *vu.Run
	once    sync.Once
	expired chan struct{}
	why     atomic.Pointer[string] // of the first stop
}

// watchStops sees each stop of the run, from wherever it comes. As in JMeter
// threads have 10 ms each, and then the given time.
func watchStops(r *vu.Run, patient time.Duration) *stops {
	s := &stops{run: r, expired: make(chan struct{})}
	stop := r.Stop
	r.Stop = func(now bool, why string) {
		s.why.CompareAndSwap(nil, &why)
		if now {
			s.arm(patient + time.Duration(r.Active.Load())*10*time.Millisecond)
		}
		stop(now, why)
	}
	return s
}

// note tells a reader of the results that the run was stopped, "" when it went to
// its end.
func (s *stops) note() string {
	if why := s.why.Load(); why != nil {
		return "The run was stopped: " + *why + "."
	}
	return ""
}

// now stops the run at once.
func (s *stops) now(patient time.Duration, why string) {
	s.arm(patient)
	s.run.Stop(true, why)
}

// arm starts a clock.
func (s *stops) arm(patient time.Duration) {
	started, finished := s.run.Started.Load(), s.run.Finished.Load()
	time.AfterFunc(patient, func() {
		// Where fewer have started than before, the threads alive are those of
		// tearDown groups, which may take their time.
		// Without a thread alive it is their results that find no way out.
		if s.run.Started.Load() >= started && s.run.Finished.Load() >= finished {
			s.once.Do(func() { close(s.expired) })
		}
	})
}

// flushed is how long rows may wait for their way to the disk.
const flushed = 1100 * time.Millisecond

// wait runs the test. It returns false when threads outlived a stop; what they
// had to say until then is on disk.
func (s *stops) wait(run func() error) (err error, ended bool) {
	done := make(chan error, 1)
	go func() { done <- run() }()
	select {
	case err := <-done:
		return err, true
	case <-s.expired:
	}
	select {
	case err := <-done:
		return err, true
	case <-time.After(flushed):
		return nil, false
	}
}

// inTime does what may never end, and waits for it no longer than that.
func inTime(limit time.Duration, do func()) {
	done := make(chan struct{})
	go func() {
		do()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(limit):
	}
}
