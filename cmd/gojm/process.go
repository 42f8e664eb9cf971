package main

import (
	"os"
	"runtime/debug"
)

// tuneProcess makes the most of the machine for a run.
func tuneProcess() {
	raiseFileLimit()
	// Threads reuse what they have, so that the live heap is small and most of what
	// is allocated dies young: the collector may wait for five times the heap, not
	// twice, and takes a third of the time. The limit keeps large heaps from
	// growing as far as that would allow.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		if m := machineMemory(); m > 0 && os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(m / 10 * 7)
		}
	}
}
