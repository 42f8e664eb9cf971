package listener

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[summariser](elem.Spec{
		Class: "Summariser", Title: "Generate Summary Results", Kind: elem.KindListener, Status: elem.Full,
	})
}

// summariser prints the lines "name + ..." and "name = ..." that scripts grep.
// There is no timer: a line is due when a sample comes in. Elements of the same
// name share their figures.
type summariser struct {
	name expr.Text
	in   *summary
}

func (c *summariser) Props(p *elem.Props) { c.name = p.Name() }

// Needs: only figures are read.
func (c *summariser) Needs() elem.Needs { return 0 }

// window is how many seconds after a boundary of the interval a line may come.
const window = 5

// summaries are all summaries of a run, by name, in the order of their start.
type summaries struct {
	mu    sync.Mutex
	named map[string]*summary
	order []*summary
	ended bool
}

type summariesKey struct{}

func summariesOf(r *vu.Run) *summaries {
	return vu.Shared(r, summariesKey{}, func() *summaries { return &summaries{named: map[string]*summary{}} })
}

func (c *summariser) TestStart(r *vu.Run) error {
	name := c.name.Eval(vu.NewThread(&vu.Group{Run: r}, 0, "main-1", vu.NewVars(vu.NewNames())))
	all := summariesOf(r)
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.named[name]
	if s == nil {
		now := time.Now()
		s = &summary{run: r, name: name, interval: max(1, r.Props.Int("summariser.interval", 30)),
			skipTransactions: r.Props.Bool("summariser.ignore_transaction_controller_sample_result", true),
			toLog:            r.Props.Bool("summariser.log", true),
			toOut:            r.Props.Bool("summariser.out", true),
			delta:            newFigures(now), total: newFigures(now)}
		all.named[name] = s
		all.order = append(all.order, s)
	}
	c.in = s
	return nil
}

func (c *summariser) Sampled(t *vu.Thread, s *jtl.Sample) { c.in.add(s) }

// byHash puts summaries in the order in which JMeter prints them: that of its hash
// map of names, which tools that read the last line see.
func byHash(a, b *summary) int { return cmp.Compare(bucket(a.name), bucket(b.name)) }

// bucket is where Java's ConcurrentHashMap of its first size keeps a name.
func bucket(name string) int32 {
	h := uint32(java.HashCode(name))
	return int32((h ^ h>>16) & 15)
}

// TestEnd prints the last lines of all summaries, once.
func (c *summariser) TestEnd(r *vu.Run) error {
	all := summariesOf(r)
	all.mu.Lock()
	defer all.mu.Unlock()
	if !all.ended {
		all.ended = true
		slices.SortStableFunc(all.order, byHash)
		for _, s := range all.order {
			s.end()
		}
	}
	return nil
}

// summary are the figures under one name.
type summary struct {
	run              *vu.Run
	name             string
	interval         int64 // s
	skipTransactions bool
	toLog, toOut     bool

	mu           sync.Mutex
	last         int64 // epoch s of the last line
	delta, total figures
}

func (s *summary) add(x *jtl.Sample) {
	if s.skipTransactions && strings.HasPrefix(x.Message, elem.TransactionPrefix) {
		return
	}
	now := time.Now()
	for _, line := range s.due(x, now) {
		s.print(line) // a slow console holds up this thread alone
	}
}

// due counts x, and returns the lines for which it is time.
func (s *summary) due(x *jtl.Sample, now time.Time) []string {
	sec := now.Unix()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delta.add(x, now)
	if sec <= s.last+window || sec%s.interval > window {
		return nil
	}
	lines := []string{s.line(&s.delta, "+")}
	whole := s.delta.count
	s.move(now)
	if s.total.count != whole {
		lines = append(lines, s.line(&s.total, "="))
	}
	s.last = sec
	return lines
}

func (s *summary) move(now time.Time) {
	s.total.merge(&s.delta, now)
	s.delta = newFigures(now)
}

func (s *summary) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.delta.end = now
	if s.delta.count > 0 && s.total.count > 0 {
		s.print(s.line(&s.delta, "+"))
	}
	s.move(now)
	s.print(s.line(&s.total, "="))
}

func (s *summary) line(f *figures, sign string) string {
	line := f.line(s.name, sign)
	if sign == "+" {
		line += fmt.Sprintf(" Active: %d Started: %d Finished: %d", s.run.Active.Load(), s.run.Started.Load(), s.run.Finished.Load())
	}
	return line
}

func (s *summary) print(line string) {
	if s.toLog {
		s.run.Log.Info(line, "logger", "o.a.j.r.Summariser")
	}
	if s.toOut {
		fmt.Fprintln(s.run.Out, line)
	}
}

// figures sum up samples between two moments.
type figures struct {
	count, errors, sum, min, max int64
	start, end                   time.Time
}

func newFigures(now time.Time) figures {
	return figures{min: math.MaxInt64, max: math.MinInt64, start: now, end: now}
}

func (f *figures) add(s *jtl.Sample, now time.Time) {
	f.count += int64(max(1, s.SampleCount))
	switch {
	case s.SampleCount > 1:
		f.errors += int64(s.ErrorCount)
	case !s.Success:
		f.errors++
	}
	f.sum += s.Elapsed
	f.min, f.max = min(f.min, s.Elapsed), max(f.max, s.Elapsed)
	f.end = now
}

func (f *figures) merge(o *figures, now time.Time) {
	f.count, f.errors, f.sum = f.count+o.count, f.errors+o.errors, f.sum+o.sum
	f.min, f.max = min(f.min, o.min), max(f.max, o.max)
	f.end = now
}

func (f *figures) line(name, sign string) string {
	var elapsed int64
	avg, rate, share := int64(0), "******", 0.0
	if f.count > 0 {
		elapsed = f.end.UnixMilli() - f.start.UnixMilli()
		avg, share = f.sum/f.count, float64(f.errors)/float64(f.count)
	}
	if elapsed > 0 {
		rate = fmt.Sprintf("%6s", strconv.FormatFloat(float64(f.count)/float64(elapsed)*1000, 'f', 1, 64))
	}
	sec := (elapsed + 500) / 1000
	return fmt.Sprintf("%s %s %6d in %02d:%02d:%02d = %s/s Avg: %5d Min: %5d Max: %5d Err: %5d (%.2f%%)",
		name, sign, f.count, sec/3600, sec/60%60, sec%60, rate, avg, f.min, f.max, f.errors, share*100)
}

var (
	_ elem.Listener    = (*summariser)(nil)
	_ elem.TestStarter = (*summariser)(nil)
	_ elem.TestEnder   = (*summariser)(nil)
)
