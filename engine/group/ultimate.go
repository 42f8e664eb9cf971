package group

import (
	"fmt"
	"math"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[ultimate](elem.Spec{
		Class: "kg.apc.jmeter.threads.UltimateThreadGroup", Title: "jp@gc Ultimate Thread Group", Kind: elem.KindGroup, Status: elem.Partial,
		Note: "compared with the plug-in at work (casutg 2.10), not by recorded cases",
	})
}

// ultimate starts and ends threads by a table of loads that overlap. Each of its
// loops stands for a new user.
type ultimate struct {
	base
	rows     [][]expr.Text
	property string // threads_schedule, in place of the table
}

func (g *ultimate) Props(p *elem.Props) {
	const table, schedule = "ultimatethreadgroupdata", "threads_schedule"
	p.Main(&g.main, "ThreadGroup.main_controller", "loops of each thread")
	p.Text(&g.onError, "ThreadGroup.on_sample_error", "continue", "continue, startnextloop, stopthread, stoptest or stoptestnow")
	p.Rows(&g.rows, table, "threads, initial delay, startup time, hold and shutdown time in seconds")
	if !p.Has(table) {
		p.Rows(&g.rows, schedule, "the table, as some versions wrote it")
	}
	p.Ignore(schedule, sameUser)
	g.property = p.Property(schedule, "")
}

// load is one row of the table.
type load struct{ threads, delay, startup, hold, shutdown int }

// spans are those of the load's threads, the first of which starts last.
func (r load) spans() []span {
	spans := make([]span, 0, max(0, r.threads))
	part := func(seconds, k int) int64 {
		return int64(math.Floor(float64(1000*seconds) * float64(k) / float64(r.threads)))
	}
	for k := r.threads; k > 0; k-- {
		ramp := part(r.startup, k)
		begin := 1000*int64(r.delay) + ramp
		end := begin + 1000*int64(r.hold) + 1000*int64(r.startup) - ramp + part(r.shutdown, k)
		spans = append(spans, span{begin, end})
	}
	return spans
}

func (g *ultimate) Launch(l elem.Launcher) error {
	g.launch(l)
	l.SetSameUser(false)
	loads, err := g.loads(l.Thread())
	if err != nil {
		return err
	}
	var spans []span
	for _, r := range loads {
		spans = append(spans, r.spans()...)
	}
	launchSpans(l, spans)
	return nil
}

func (g *ultimate) loads(t *vu.Thread) ([]load, error) {
	if g.property != "" {
		return parseLoads(g.property)
	}
	var loads []load
	for _, row := range g.rows {
		var n [5]int
		for i := range min(len(row), len(n)) {
			n[i] = expr.NewInt(row[i]).Eval(t)
		}
		loads = append(loads, load{n[0], n[1], n[2], n[3], n[4]})
	}
	return loads, nil
}

// parseLoads reads spawn(threads, delay, startup, hold, shutdown) ... The plug-in
// leaves out what it cannot read; here it is an error.
func parseLoads(s string) ([]load, error) {
	var loads []load
	for _, chunk := range strings.Split(s, ")") {
		if strings.TrimSpace(chunk) == "" {
			continue
		}
		parts := strings.FieldsFunc(chunk, func(r rune) bool { return r == '(' || r == ',' })
		if len(parts) != 6 || !strings.EqualFold(strings.TrimSpace(parts[0]), "spawn") {
			return nil, fmt.Errorf("threads_schedule: %q is not spawn(threads, delay, startup, hold, shutdown)", chunk+")")
		}
		threads, ok := vu.ParseInt(strings.TrimSpace(parts[1]))
		n := [5]int{int(threads)}
		for i := 1; i < len(n) && ok; i++ {
			n[i], ok = vu.ParseSeconds(parts[i+1])
		}
		if !ok {
			return nil, fmt.Errorf("threads_schedule: numbers and durations (1h2m3s) wanted in %q", chunk+")")
		}
		loads = append(loads, load{n[0], n[1], n[2], n[3], n[4]})
	}
	return loads, nil
}

var _ elem.Group = (*ultimate)(nil)
