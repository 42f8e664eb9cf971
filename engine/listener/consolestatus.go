package listener

import (
	"fmt"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[consoleStatus](elem.Spec{
		Class: "kg.apc.jmeter.reporters.ConsoleStatusLogger", Title: "jp@gc - Console Status Logger", Kind: elem.KindListener, Status: elem.Partial,
		Note: "behind the slash stand the threads that were started, not those planned",
	})
}

// consoleStatus prints a line for each second that had samples, when the first
// sample of a later one comes in.
type consoleStatus struct {
	mu               sync.Mutex
	begin, second    int64 // epoch s
	count, errors    int64
	elapsed, latency int64
	threads          int64
}

func (c *consoleStatus) Props(*elem.Props) {}

// Needs: only figures are read.
func (c *consoleStatus) Needs() elem.Needs { return 0 }

func (c *consoleStatus) Sampled(t *vu.Thread, s *jtl.Sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now().Unix(); now != c.second && c.count > 0 {
		if c.second == 0 {
			c.begin = now
		}
		fmt.Fprintf(t.Run.Out, "#%d\tThreads: %d/%d\tSamples: %d\tLatency: %d\tResp.Time: %d\tErrors: %d\n",
			now-c.begin, c.threads, t.Run.Started.Load(), c.count, c.latency/c.count, c.elapsed/c.count, c.errors)
		c.count, c.errors, c.elapsed, c.latency = 0, 0, 0, 0
		c.second = now
	}
	c.count++
	c.elapsed += s.Elapsed
	c.latency += s.Latency
	c.threads = int64(s.AllThreads)
	if !s.Success {
		c.errors++
	}
}

var (
	_ elem.Listener = (*consoleStatus)(nil)
	_ elem.Needer   = (*consoleStatus)(nil)
)
