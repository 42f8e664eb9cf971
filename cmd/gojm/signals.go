package main

import (
	"os"
	"os/signal"
	"runtime/pprof"
	"sync/atomic"
	"syscall"
	"time"
)

// signals ends a run on SIGINT, SIGTERM and SIGHUP: samples at hand are cut
// short as by StopTestNow, the results are closed, the summary is printed and
// the exit status is 128 + the signal. Threads have some two seconds to end. A
// second signal ends the program at once; rows are on disk within a second in
// any case. (JMeter ends at once, without a summary.)
type signals struct {
	ch  chan os.Signal
	got atomic.Int32
}

// patience is how long threads have after a signal.
const patience = 1900 * time.Millisecond

// outliveConsole lets a run go on when who reads its console goes away.
func outliveConsole() { signal.Ignore(syscall.SIGPIPE) }

func listenForSignals(stop *stops) *signals {
	s := &signals{ch: make(chan os.Signal, 4)}
	signal.Notify(s.ch, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	go func() {
		for sig := range s.ch {
			if sig == syscall.SIGQUIT { // a dump of all threads, as Java's
				_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 2)
				continue
			}
			n := int32(2)
			if x, ok := sig.(syscall.Signal); ok {
				n = int32(x)
			}
			if !s.got.CompareAndSwap(0, n) {
				os.Exit(128 + int(s.got.Load()))
			}
			stop.now(patience, "signal "+sig.String())
		}
	}()
	return s
}

// atSignal has a signal that ends the program do something before, until done is
// called. What the program was started to ignore, as under nohup, it ignores still.
func atSignal(do func()) (done func()) {
	ch := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(ch, sig)
		}
	}
	go func() {
		sig, ok := <-ch
		if !ok {
			return
		}
		do()
		n, _ := sig.(syscall.Signal)
		os.Exit(128 + int(n))
	}()
	return func() {
		signal.Stop(ch)
		close(ch)
	}
}

// code is the exit status that a signal asks for, 0 without one.
func (s *signals) code() int {
	if n := s.got.Load(); n != 0 {
		return 128 + int(n)
	}
	return 0
}

// interrupt tells whether it was Ctrl-C.
func (s *signals) interrupt() bool { return s.got.Load() == int32(syscall.SIGINT) }

func (s *signals) close() {
	signal.Stop(s.ch)
	close(s.ch)
}
