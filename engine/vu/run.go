package vu

import (
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Run is one test run, shared by all its threads. Its fields are set before
// the first thread starts and not changed after.
type Run struct {
	Props    *Properties
	Log      *slog.Logger
	Out, Err io.Writer // the console
	PlanFile string    // name of the .jmx without its folder
	BaseDir  string    // folder of the .jmx
	WorkDir  string    // working directory
	Start    time.Time
	// FileLimit is how many files the program may have open at once, connections
	// among them; 0 where that is not known.
	FileLimit int
	// Functional is the Test Plan's functional test mode.
	Functional bool

	// Stop ends the test; now cuts samples short. Safe for concurrent use.
	Stop func(now bool, why string)

	// Fail reports an error that the user must hear of: it is shown once and makes
	// the exit status non-zero. Safe for concurrent use.
	Fail func(err error)

	Active   atomic.Int64 // threads alive in the whole test
	Started  atomic.Int64
	Finished atomic.Int64

	manyThreads, outOfFiles sync.Once

	mu     sync.Mutex
	shared map[any]any
}

// Shared returns the run's only value for key, made by make on first use: what
// elements of several threads share (an open CSV file, a lock). Keys should be
// of an unexported type.
func Shared[T any](r *Run, key any, make_ func() T) T {
	r.mu.Lock()
	defer r.mu.Unlock()
	if v, ok := r.shared[key]; ok {
		return v.(T)
	}
	v := make_()
	if r.shared == nil {
		r.shared = map[any]any{}
	}
	r.shared[key] = v
	return v
}

// Group is a running thread group.
type Group struct {
	Name    string
	Number  int // from 1 in its phase
	Run     *Run
	Threads int // how many threads it is to start
	Active  atomic.Int64

	// AddThread starts one more thread after delay, for scripts; nil where the
	// group cannot.
	AddThread func(delay time.Duration)
	// StopThreads ends the group's threads, now without waiting for their samples.
	// Safe for concurrent use.
	StopThreads func(now bool)
}
