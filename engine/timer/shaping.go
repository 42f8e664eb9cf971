package timer

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[shaping](elem.Spec{
		Class: "kg.apc.jmeter.timers.VariableThroughputTimer", Title: "jp@gc Throughput Shaping Timer", Kind: elem.KindTimer, Status: elem.Partial,
		Note: "compared with the plug-in at work (tst 2.5), not by recorded cases",
	})
}

// shaping lets so many samples go in each second as a table of rates says, all
// threads together, and ends the thread group behind the table.
type shaping struct {
	name  expr.Text
	table [][]expr.Text

	mu      sync.Mutex // guards all below
	profile []rates    // in place of the table
	begin   time.Time
	second  int64 // at hand, -1 before the first
	rate    float64
	slots   int // of this second that are taken
	sent    int // in this second
	waiting int
	stops   int // how often the group was asked to stop
}

// rates is a row of the table: the rate changes linearly over some seconds.
type rates struct {
	from, to float64
	seconds  int
}

func (c *shaping) Props(p *elem.Props) {
	c.name = p.Name()
	p.Rows(&c.table, "load_profile", "requests a second at the begin and at the end, and seconds")
}

// TestStart reads the property that stands in for the table.
func (c *shaping) TestStart(r *vu.Run) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begin, c.second, c.rate, c.slots, c.sent, c.waiting, c.stops = time.Time{}, -1, 0, 0, 0, 0, 0
	c.profile = nil
	name := c.name.Source()
	text := r.Props.Get(name+".load_profile", "")
	if name == "" || text == "" {
		text = r.Props.Get("load_profile", "")
	}
	var err error
	c.profile, err = parseProfile(text)
	return err
}

// Wait blocks until the thread may go; there is nothing left to wait for then.
// Each second has slots, as far apart as its rate says; a thread takes the next
// one and waits for it, or for the next second if this one has none left.
func (c *shaping) Wait(t *vu.Thread) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	for !t.Stopped() {
		passed := c.tick(t)
		due := float64(c.slots) * (float64(time.Second) / c.rate) // a rate of 0 has one slot, as in the plug-in
		switch left := due - float64(passed); {
		case due >= float64(time.Second):
			c.sleep(t, time.Second-passed)
			continue
		case left > 0:
			second := c.second
			c.slots++
			c.sleep(t, time.Duration(left))
			if c.tick(t); c.second == second {
				c.sent++
				return 0
			}
		}
		c.slots++
		c.sent++
		return 0
	}
	return 0
}

func (c *shaping) sleep(t *vu.Thread, d time.Duration) {
	c.waiting++
	c.mu.Unlock()
	t.Sleep(d)
	c.mu.Lock()
	c.waiting--
}

// tick begins a new second when it is time, and returns how much of it has passed.
func (c *shaping) tick(t *vu.Thread) time.Duration {
	if c.begin.IsZero() {
		c.begin = time.Now()
	}
	since := time.Since(c.begin)
	if s := int64(since / time.Second); s != c.second {
		c.second = s
		c.next(t)
	}
	return since % time.Second
}

// next begins a second.
func (c *shaping) next(t *vu.Thread) {
	rate, total := rateFor(c.rows(t), float64(c.second))
	if rate < 0 {
		switch {
		case c.rate <= 0:
			c.rate = 1
		case c.stops > 10:
			c.rate *= 2
		}
		c.stop(t)
	} else {
		c.rate = rate
	}
	if c.waiting == 0 && float64(c.sent) < c.rate && c.second > 0 {
		t.Log().Warn(fmt.Sprintf("No free threads available in current Thread Group %s, made %d samples/s for expected rps %v samples/s, increase your number of threads",
			t.Group.Name, c.sent, c.rate), "logger", "k.a.j.t.VariableThroughputTimer")
	}
	name, props := c.name.Eval(t), t.Run.Props
	props.Set(name+"_totalDuration", strconv.Itoa(total))
	props.Set(name+"_cntDelayed", strconv.Itoa(c.waiting))
	props.Set(name+"_cntSent", strconv.Itoa(c.sent))
	props.Set(name+"_rps", java.FormatDouble(c.rate))
	c.slots, c.sent = 0, 0
}

// stop ends the thread group once a second, harder each few times, and the test at
// last.
func (c *shaping) stop(t *vu.Thread) {
	c.stops++
	const why = "the Throughput Shaping Timer has no further schedule"
	switch {
	case c.stops > 10:
		t.Run.Stop(true, why)
	case c.stops > 5:
		t.Run.Stop(false, why)
	default:
		t.Group.StopThreads(c.stops > 3)
	}
}

func (c *shaping) rows(t *vu.Thread) []rates {
	if c.profile != nil {
		return c.profile
	}
	rows := make([]rates, 0, len(c.table))
	for _, row := range c.table {
		if len(row) >= 3 {
			rows = append(rows, rates{expr.NewFloat(row[0]).Eval(t), expr.NewFloat(row[1]).Eval(t), expr.NewInt(row[2]).Eval(t)})
		}
	}
	return rows
}

// rateFor is the rate of a second, negative behind the last row, and how long all
// rows are. The second in which a row ends is still its own.
func rateFor(rows []rates, second float64) (rate float64, total int) {
	rate = -1
	found := false
	for _, r := range rows {
		total += r.seconds
		switch {
		case found:
		case second <= float64(r.seconds):
			rate = r.from
			if r.seconds > 0 {
				rate += second * (r.to - r.from) / float64(r.seconds)
			}
			found = true
		default:
			second -= float64(r.seconds)
		}
	}
	return rate, total
}

// parseProfile reads const(rate, time) line(from, to, time) step(from, to, step, time)
// ... The plug-in leaves out what it cannot read; here it is an error.
func parseProfile(s string) ([]rates, error) {
	var rows []rates
	for _, chunk := range strings.Split(s, ")") {
		if chunk = strings.TrimSpace(chunk); chunk == "" {
			continue
		}
		word, list, _ := strings.Cut(chunk, "(")
		fields := strings.Split(list, ",")
		last := len(fields) - 1
		seconds, ok := vu.ParseSeconds(fields[last])
		n := make([]int, last)
		for i := range n {
			x, isInt := vu.ParseInt(strings.TrimSpace(fields[i]))
			n[i], ok = int(x), ok && isInt
		}
		add := func(from, to int) { rows = append(rows, rates{float64(from), float64(to), seconds}) }
		switch word = strings.ToLower(strings.TrimSpace(word)); {
		case ok && word == "const" && last == 1:
			add(n[0], n[0])
		case ok && word == "line" && last == 2:
			add(n[0], n[1])
		case ok && word == "step" && last == 3 && n[2] > 0:
			for r := n[0]; r <= n[1]; r += n[2] {
				add(r, r)
			}
			for r := n[0]; r > n[1]; r -= n[2] {
				add(r, r)
			}
		default:
			return nil, fmt.Errorf("load_profile: const(rate, time), line(from, to, time) or step(from, to, step, time) wanted, not %q", chunk+")")
		}
	}
	return rows, nil
}

var (
	_ elem.Timer       = (*shaping)(nil)
	_ elem.TestStarter = (*shaping)(nil)
)
