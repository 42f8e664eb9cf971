//go:build unix

package listener

import "golang.org/x/sys/unix"

// processor is the time that this program had processors for, in seconds.
func (*usage) processor() float64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return unknown
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
