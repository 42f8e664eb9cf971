package main

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gojm/gojm/engine/vu"
)

// fakeRun is a run whose threads end so long after a stop.
func fakeRun(threads int64, ends time.Duration) (*vu.Run, func() error) {
	r := &vu.Run{}
	stopped := make(chan struct{})
	r.Stop = func(bool, string) { close(stopped) }
	r.Active.Store(threads)
	r.Started.Store(threads)
	return r, func() error {
		<-stopped
		time.Sleep(ends)
		return nil
	}
}

func TestStops(t *testing.T) {
	for _, tt := range []struct {
		name  string
		ends  time.Duration
		stop  func(r *vu.Run, s *stops)
		ended bool
		after time.Duration
	}{
		{"ends in time", 3 * time.Second, func(r *vu.Run, _ *stops) { r.Stop(true, "") }, true, 3 * time.Second},
		{"10 ms a thread more", 5050 * time.Millisecond, func(r *vu.Run, _ *stops) { r.Stop(true, "") }, true, 5050 * time.Millisecond},
		{"does not end", time.Hour, func(r *vu.Run, _ *stops) { r.Stop(true, "") }, false, 5100*time.Millisecond + flushed},
		{"a shutdown waits", time.Hour, func(r *vu.Run, _ *stops) { r.Stop(false, "") }, true, time.Hour},
		{"a signal waits less", time.Hour, func(_ *vu.Run, s *stops) { s.now(patience, "") }, false, patience + flushed},
		{"its results find no way out", time.Hour, func(r *vu.Run, s *stops) {
			r.Active.Store(0)
			r.Finished.Store(10)
			s.now(patience, "")
		}, false, patience + flushed},
		{"tearDown groups take their time", time.Minute, func(r *vu.Run, _ *stops) {
			r.Stop(true, "")
			r.Started.Store(1)
			r.Finished.Store(0)
			r.Active.Store(1)
		}, true, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, run := fakeRun(10, tt.ends)
				s := watchStops(r, 5*time.Second)
				start := time.Now()
				go tt.stop(r, s)
				_, ended := s.wait(run)
				if took := time.Since(start); ended != tt.ended || took != tt.after {
					t.Errorf("ended %v after %v, want %v after %v", ended, took, tt.ended, tt.after)
				}
				if !ended {
					time.Sleep(2 * time.Hour) // let the fake end
				}
			})
		})
	}
}

func TestInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct{ takes, want time.Duration }{{time.Second, time.Second}, {time.Hour, 2 * time.Second}} {
			start := time.Now()
			inTime(2*time.Second, func() { time.Sleep(tt.takes) })
			if got := time.Since(start); got != tt.want {
				t.Errorf("what takes %v was waited for %v, want %v", tt.takes, got, tt.want)
			}
		}
		time.Sleep(time.Hour) // let the last one end
	})
}
