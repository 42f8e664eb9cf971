package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How much garbage may lie around, in percent of what is alive.
const (
	mostGarbage  = 400
	leastGarbage = 35
	// fewGarbage is how many bytes are no matter at any size.
	fewGarbage = 64 << 20
)

// collectLess lets the garbage collector wait for longer. Threads, and the workers of
// a report, reuse what they have, so that the live heap is small and most of what is allocated dies young:
// it may wait for five times the heap, not twice, and takes a third of the time.
// But where many users make the heap large it is memory that counts: there a part
// of it has to do. That is decided anew after each collection.
func collectLess() {
	debug.SetGCPercent(mostGarbage)
	alive := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	percent := mostGarbage
	var watch func()
	watch = func() {
		// Cleaned up by the collection that finds it dead.
		runtime.AddCleanup(new([64]byte), func(struct{}) {
			metrics.Read(alive)
			if p := garbagePercent(alive[0].Value.Uint64() + alive[1].Value.Uint64()); p != percent {
				percent = p
				debug.SetGCPercent(p)
			}
			watch()
		}, struct{}{})
	}
	watch()
}

// garbagePercent is how much garbage may come on so many live bytes of heap and
// stacks, which the collector counts together.
func garbagePercent(alive uint64) int {
	return int(min(max(fewGarbage*100/max(alive, 1), leastGarbage), mostGarbage))
}
