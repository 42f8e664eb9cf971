package main

import (
	"os"
	"runtime/debug"
)

// tuneProcess makes the most of the machine for a run.
func tuneProcess() {
	raiseFileLimit()
	tuneCollector()
}

// tuneCollector has the garbage collector work less, unless the user steers it.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		collectLess()
		// The limit keeps large heaps from growing as far as that would allow.
		if m := machineMemory(); m > 0 && os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(m / 10 * 7)
		}
	}
}
