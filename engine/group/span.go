package group

import (
	"time"

	"github.com/gojm/gojm/engine/elem"
)

// span is when a thread runs: from begin to end, in ms after the group's start.
type span struct{ begin, end int64 }

// launchSpans starts the threads of a group that knows beforehand when each runs.
func launchSpans(l elem.Launcher, spans []span) {
	l.Group().Threads = len(spans)
	now := time.Now()
	at := func(ms int64) time.Time { return now.Add(time.Duration(ms) * time.Millisecond) }
	for i, s := range spans {
		if l.Stopping() {
			return
		}
		l.Go(elem.Start{Num: i, At: at(s.begin), End: at(s.end)})
	}
}
