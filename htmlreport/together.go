package htmlreport

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// together runs tasks on all processors, in their order, and returns when all have
// ended.
func together(tasks ...func()) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(len(tasks), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(tasks) {
					return
				}
				tasks[i]()
			}
		})
	}
	wg.Wait()
}
