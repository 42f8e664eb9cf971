package listener

import (
	"fmt"
	"sync"

	"github.com/gojm/gojm/engine/vu"
)

// losses count what a listener could not write beside the results. The run goes
// on, as in JMeter, whose log alone tells of it: here the first loss is told at
// once, and how many there were when the run ends, which makes it a failed one.
type losses struct {
	place, what string // the element, and what it writes, in plural

	mu    sync.Mutex
	n     int
	first error
}

// add notes that n of them are lost.
func (l *losses) add(r *vu.Run, n int, err error) {
	l.mu.Lock()
	known := l.first != nil
	if l.n += n; !known {
		l.first = err
	}
	l.mu.Unlock()
	if !known {
		fmt.Fprintf(r.Err, "Warning: %s: %s are not written, the run goes on: %v\n", l.place, l.what, err)
	}
}

// err is what the run ends with.
func (l *losses) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.first == nil {
		return nil
	}
	return fmt.Errorf("%s: %d %s were not written", l.place, l.n, l.what)
}
