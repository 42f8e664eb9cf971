package vu

import "errors"

// A fault is what JMeter's exceptions are: it ends the line that meets it and
// unwinds to the nearest place that knows what follows - the sampler is given
// up, the sample is dropped, the thread ends. Elements and functions deep
// inside an evaluation throw; the run loop catches.
type fault struct{ err error }

// Stop requests, thrown in place of an error.
var (
	ErrStopThread  = errors.New("stop thread")
	ErrStopTest    = errors.New("stop test")
	ErrStopTestNow = errors.New("stop test now")
)

// IsStop tells whether err asks to stop the thread or the test.
func IsStop(err error) bool {
	return errors.Is(err, ErrStopThread) || errors.Is(err, ErrStopTest) || errors.Is(err, ErrStopTestNow)
}

// Throw gives up what the thread is doing. It does not return.
func Throw(err error) { panic(fault{err}) }

// Catch, deferred, stores a thrown error; any other panic goes on.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case fault:
		*err = r.err
	default:
		panic(r)
	}
}

// Try runs f and returns what it threw.
func Try(f func()) (err error) {
	defer Catch(&err)
	f()
	return nil
}
