//go:build unix

package main

import (
	"math"
	"os/signal"

	"golang.org/x/sys/unix"
)

// raiseFileLimit raises the soft limit of open files to the hard one: each user
// of a plan holds a connection.
func raiseFileLimit() {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) == nil && l.Cur < l.Max {
		l.Cur = l.Max
		_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &l)
	}
}

// fileLimit is how many files the program may have open, 0 where that is not known.
func fileLimit() int {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	return int(min(l.Cur, math.MaxInt32))
}

// outliveFileSize makes a file that may grow no more (ulimit -f) an error, as a full
// disk is.
func outliveFileSize() { signal.Ignore(unix.SIGXFSZ) }
