package main

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/gojm/gojm/engine/vu"
)

// progress is a live line on standard error. It is drawn on a terminal only, so
// that what scripts read stays what JMeter prints.
type progress struct{ quit, done chan struct{} }

func terminal(std stdio) (*os.File, bool) {
	f, ok := std.err.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

func draw(std stdio, every time.Duration, line func() string) progress {
	f, ok := terminal(std)
	if !ok {
		return progress{}
	}
	p := progress{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(p.done)
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				fmt.Fprintf(f, "\r\x1b[2K%s", line())
			case <-p.quit:
				fmt.Fprint(f, "\r\x1b[2K")
				return
			}
		}
	}()
	return p
}

func (p progress) close() {
	if p.quit != nil {
		close(p.quit)
		<-p.done
	}
}

// showProgress shows a run.
func showProgress(r *vu.Run, std stdio) progress {
	start := time.Now()
	return draw(std, 500*time.Millisecond, func() string {
		return fmt.Sprintf("%s  active %d  started %d  finished %d",
			time.Since(start).Truncate(time.Second), r.Active.Load(), r.Started.Load(), r.Finished.Load())
	})
}

// showReading shows that a report is being made.
func showReading(files []string, std stdio) progress {
	var size int64
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			size += info.Size()
		}
	}
	start := time.Now()
	return draw(std, 200*time.Millisecond, func() string {
		return fmt.Sprintf("reading %d MB of results  %s", size>>20, time.Since(start).Truncate(100*time.Millisecond))
	})
}
