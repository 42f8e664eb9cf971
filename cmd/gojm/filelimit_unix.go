//go:build unix

package main

import "golang.org/x/sys/unix"

// raiseFileLimit raises the soft limit of open files to the hard one: each user
// of a plan holds a connection.
func raiseFileLimit() {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) == nil && l.Cur < l.Max {
		l.Cur = l.Max
		_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &l)
	}
}
