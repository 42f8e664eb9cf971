package listener

import (
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[autoStop](elem.Spec{
		Class: "kg.apc.jmeter.reporters.AutoStop", Title: "jp@gc - AutoStop Listener", Kind: elem.KindListener, Status: elem.Partial,
		Note: "by mean response time, mean latency and error rate; not by percentile",
	})
}

// autoStop ends the test at once when a figure, taken each second that has
// samples, was above its limit for some seconds.
type autoStop struct {
	elapsed, latency, errors limit
	thread                   *vu.Thread

	mu      sync.Mutex
	second  int64 // epoch s of the samples that were summed up
	count   float64
	stopped bool
}

// limit is one condition. It is met from the second on in which the figure was at
// most the limit for the last time.
type limit struct {
	what          string // printed, with the limit as it stands in the plan
	value, length expr.Text
	max           float64
	seconds       int64
	sum           float64
	below         int64 // epoch s
}

func (c *autoStop) Props(p *elem.Props) {
	c.elapsed.props(p, "Average Response Time is more than ", "avg_response_time", "avg_response_time_length", "mean response time in ms")
	c.latency.props(p, "Average Latency Time is more than ", "avg_response_latency", "avg_response_latency_length", "mean latency in ms")
	c.errors.props(p, "Error rate more than ", "error_rate", "error_rate_length", "errors in percent")
	p.Unsupported("percentile_response_time", "a limit of a percentile", "0")
	p.Ignore("percentile_response_time_secs", "percentile_value", "custom_validation_duration")
	if p.Run() != nil {
		c.thread = p.Compiler().Engine
	}
}

func (l *limit) props(p *elem.Props, what, value, length, doc string) {
	l.what = what
	p.Text(&l.value, value, "", "limit: "+doc+"; 0 is none")
	p.Text(&l.length, length, "", "for how many seconds")
}

// Needs: only figures are read.
func (c *autoStop) Needs() elem.Needs { return 0 }

func (c *autoStop) TestStart(*vu.Run) error {
	c.elapsed.start(c.thread, 1)
	c.latency.start(c.thread, 1)
	c.errors.start(c.thread, 100)
	return nil
}

func (l *limit) start(t *vu.Thread, scale float64) {
	if f, err := strconv.ParseFloat(l.value.Eval(t), 32); err == nil {
		l.max = f / scale
	}
	n, _ := vu.ParseInt(l.length.Eval(t))
	l.seconds = max(1, int64(n))
}

func (c *autoStop) Sampled(t *vu.Thread, s *jtl.Sample) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now().Unix(); now != c.second {
		for _, l := range []*limit{&c.elapsed, &c.latency, &c.errors} {
			if l.exceeded(c.count, now) && !c.stopped {
				c.stopped = true
				text := l.what + l.value.Eval(c.thread) + " for " + l.length.Eval(c.thread) + "s. Auto-shutdown test..."
				t.Log().Info(text, "logger", "k.a.j.r.AutoStop")
				fmt.Fprintln(t.Run.Out, "AutoStop - "+text)
				t.Run.Stop(true, "AutoStop")
			}
			l.sum = 0
		}
		c.second, c.count = now, 0
	}
	c.count++
	c.elapsed.sum += float64(s.Elapsed)
	c.latency.sum += float64(s.Latency)
	if !s.Success {
		c.errors.sum++
	}
}

// exceeded judges the mean of the second that is over.
func (l *limit) exceeded(count float64, now int64) bool {
	if l.max <= 0 {
		return false
	}
	if count > 0 && l.sum/count > l.max {
		return now-l.below >= l.seconds
	}
	l.below = now
	return false
}

var (
	_ elem.Listener    = (*autoStop)(nil)
	_ elem.Needer      = (*autoStop)(nil)
	_ elem.TestStarter = (*autoStop)(nil)
)
