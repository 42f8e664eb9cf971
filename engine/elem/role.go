package elem

import (
	"time"

	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// Sampler makes a sample.
type Sampler interface {
	Element
	// Sample fills s, which is empty but for its label, thread and start, and
	// tells whether there is a result at all: without one nothing follows. The
	// sampler sets End; Elapsed is derived from Start, End and IdleTime.
	Sample(t *vu.Thread, s *jtl.Sample) bool
}

// Timer delays a sample.
type Timer interface {
	Element
	// Wait returns how long to wait; the waits of all timers in scope add up.
	Wait(t *vu.Thread) time.Duration
}

// PreProcessor runs before a sample.
type PreProcessor interface {
	Element
	Before(t *vu.Thread)
}

// PostProcessor runs after a sample, before its assertions.
type PostProcessor interface {
	Element
	After(t *vu.Thread, s *jtl.Sample)
}

// Assertion judges a sample.
type Assertion interface {
	Element
	Check(t *vu.Thread, s *jtl.Sample) jtl.Assertion
}

// Scoped assertions say which results they judge.
type Scoped interface {
	// Scope tells whether the sample itself and whether its sub-samples are meant.
	Scope() (main, children bool)
}

// Listener is given each sample of its scope. It keeps nothing of it. One
// listener serves many threads at once.
type Listener interface {
	Element
	Sampled(t *vu.Thread, s *jtl.Sample)
}

// PassStarter is told when the nearest controller above starts a pass.
type PassStarter interface {
	// PassStart is told the controller and the number of its pass as JMeter counts.
	PassStart(t *vu.Thread, c Controller, pass int)
}

// IterationStarter is told when the thread group starts a loop.
type IterationStarter interface{ IterationStart(t *vu.Thread) }

// Opener opens what a run would be in vain without: before all TestStarters, and
// before the start is announced. An error keeps the run from starting; of what an
// Opener is then a TestEnder is told of the end.
type Opener interface{ Open(r *vu.Run) error }

// TestStarter is told before the first thread group starts, in tree order. An
// error ends the run.
type TestStarter interface{ TestStart(r *vu.Run) error }

// TestEnder is told after the last thread has ended.
type TestEnder interface{ TestEnd(r *vu.Run) error }

// ThreadStarter is told when a thread begins, after its ramp-up.
type ThreadStarter interface{ ThreadStart(t *vu.Thread) }

// ThreadEnder is told when a thread has ended.
type ThreadEnder interface{ ThreadEnd(t *vu.Thread) }

// Monitor sees every sampler of its thread group start and end, wherever it
// stands (Sample Timeout).
type Monitor interface {
	SampleStarting(t *vu.Thread)
	SampleEnded(t *vu.Thread)
}

// Needs says which parts of a response are read by what follows a sampler.
type Needs uint8

// The parts.
const (
	NeedBody Needs = 1 << iota
	NeedRequestHeaders
	NeedResponseHeaders
	NeedSamplerData       // what was sent
	NeedAll         Needs = 0xff
)

// Needer says what it reads of a sample. A post-processor, assertion or
// listener that does not is taken to read all.
type Needer interface{ Needs() Needs }

// Binder is given its surroundings once everything is decoded.
type Binder interface{ Bind(s *Scope) }

// Scope is what a sampler finds around it.
type Scope struct {
	// Configs are the config elements in scope, nearest level first, in tree
	// order inside a level: the last manager of a kind wins, as in JMeter.
	Configs []Element
	Needs   Needs
}

// Modifiable timers are scaled by the property timer.factor.
type Modifiable interface{ Modifiable() }

// Group starts threads.
type Group interface {
	Element
	// Main is the controller that holds the group's children.
	Main() Controller
	// Launch starts the group's threads and returns when no more will start.
	// Its error is shown and the group does not start.
	Launch(l Launcher) error
}

// GroupPhase is when a thread group runs.
type GroupPhase uint8

// The phases, in order.
const (
	SetUp GroupPhase = iota
	MainPhase
	TearDown
)

// Phased groups run in another phase than the main one.
type Phased interface{ Phase() GroupPhase }

// OnError is what a thread group does after a failed sample.
type OnError uint8

// The choices.
const (
	OnErrorContinue OnError = iota
	OnErrorNextLoop
	OnErrorStopThread
	OnErrorStopTest
	OnErrorStopTestNow
)

// Start is how one thread starts.
type Start struct {
	Num   int
	At    time.Time     // scheduler start; zero is at once
	Delay time.Duration // ramp-up, after At
	End   time.Time     // scheduler end; zero is none
	// Once runs a single iteration of the group (open model).
	Once bool
	// Prefix begins the thread's name, where it is not the group's.
	Prefix string
}

// Launcher is what the engine offers a thread group that is starting.
type Launcher interface {
	// Thread stands for the engine: the group's own properties are evaluated on it.
	Thread() *vu.Thread
	Group() *vu.Group
	SetOnError(OnError)
	SetSameUser(bool)
	// Go starts a thread. It does not block.
	Go(Start)
	// Background lets f go on after Launch has returned; the group is not over before.
	Background(f func())
	// Sleep waits; false says that the group has been told to stop.
	Sleep(d time.Duration) bool
	Stopping() bool
	// Quit is closed when the group is told to stop.
	Quit() <-chan struct{}
	// StopThreads ends all threads of the group; now interrupts them.
	StopThreads(now bool)
	// Idle waits until no thread of the group is alive or it is told to stop.
	Idle()
}
