package htmlreport

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gojm/gojm/jtl"
)

// A load generator at its limit measures itself. Where a run noted how its
// generator fared (jtl.Health), the page shows it and tells when not to trust
// the times.

const (
	busyCPU = 90  // %, of what the program may use or of the whole machine
	lateLag = 100 // ms
	feltLag = 10  // ms, from which on a busy machine is felt
	// leastBusy is how many seconds on end make a limit, rather than an accident;
	// fewer do where they are one of so many.
	leastBusy = 3
	busyShare = 10
	// healthGap is how far apart lines may be, in ms, that belong together.
	healthGap = 5000
)

// Generator is how those who made the results fared.
type Generator struct {
	Files  int     // that were found beside the results
	Graphs []Graph // of processors, memory and lateness
	Limits []Limit // a file that has any
	Notes  []string
}

// Limit tells of the seconds in which a generator was at its limit.
type Limit struct {
	Path     string // of the results
	From, To int64  // epoch ms, of the first and the last of them
	Seconds  int64
	// The worst of those seconds.
	CPU, MachineCPU, Lag float64
}

// String tells it to the reader of the results.
func (l *Limit) String() string { return l.text(time.Local) }

func (l *Limit) text(loc *time.Location) string {
	var why []string
	if l.CPU > busyCPU {
		why = append(why, fmt.Sprintf("it used up to %.0f%% of its processors", l.CPU))
	}
	if l.MachineCPU > busyCPU {
		why = append(why, fmt.Sprintf("its machine was up to %.0f%% busy", l.MachineCPU))
	}
	if l.Lag > feltLag {
		why = append(why, fmt.Sprintf("timers fired up to %s late", span(int64(math.Round(l.Lag)))))
	}
	at := func(ms int64) string { return time.UnixMilli(ms).In(loc).Format("15:04:05") }
	return fmt.Sprintf("%s: the load generator was at its limit for %s between %s and %s: %s. Response times of that time are partly its own; less load on this machine, or more machines, give true ones.",
		filepath.Base(l.Path), span(l.Seconds*1000), at(l.From), at(l.To), strings.Join(why, ", "))
}

// worst are the highest values of an interval, NaN where none is known.
type worst struct{ cpu, machine, memory, lag, pause float64 }

func higher(a *float64, b float64) {
	if !(*a >= b) && !math.IsNaN(b) {
		*a = b
	}
}

// readHealth reads what lies beside the results.
func (r *Report) readHealth() {
	var g Generator
	cells := make(map[int64]*worst)
	for _, src := range r.Sources {
		busy := busyTime{limit: Limit{Path: src.Path}}
		bad, err := jtl.ReadHealth(src.Path, func(h *jtl.Health) {
			at := int64(h.Time)
			// What an older run left in the file, or what the date range cuts off.
			if at < r.Begin-healthGap || at > r.End+healthGap {
				return
			}
			key := bucket(at, r.Granularity)
			c := cells[key]
			if c == nil {
				c = &worst{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}
				cells[key] = c
			}
			higher(&c.cpu, h.CPU)
			higher(&c.machine, h.MachineCPU)
			higher(&c.memory, h.Memory/(1<<20))
			higher(&c.lag, h.Lag)
			higher(&c.pause, h.GCPause)
			busy.add(h)
		})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		g.Files++
		if busy.matters() {
			g.Limits = append(g.Limits, busy.limit)
		}
		name := filepath.Base(src.Path) + jtl.HealthSuffix
		switch {
		case err != nil:
			g.Notes = append(g.Notes, fmt.Sprintf("The generator's health could not be read: %v.", err))
		case bad > 0:
			g.Notes = append(g.Notes, fmt.Sprintf("%s: %s of the generator's health could not be read.", name, grouped(bad)+map[bool]string{true: " line", false: " lines"}[bad == 1]))
		}
	}
	slices.SortStableFunc(g.Limits, func(a, b Limit) int { return cmp.Compare(b.Seconds, a.Seconds) })
	if len(cells) > 0 {
		g.Graphs = healthGraphs(cells, r.Granularity, g.Files, r.pauses)
	}
	r.Generator = g
}

func healthGraphs(cells map[int64]*worst, granularity int64, files int, pauses []Pause) []Graph {
	mine, pick := "gojm", ""
	if files > 1 {
		pick = fmt.Sprintf(", highest of %d generators", files)
	}
	type line struct {
		name string
		of   func(*worst) float64
	}
	graph := func(id, title, unit string, lines ...line) Graph {
		g := Graph{ID: id, Title: title, YAxis: unit + pick, OverTime: true, Granularity: granularity}
		for _, l := range lines {
			s := Series{Name: l.name, Pauses: pauses}
			for at, c := range ascending(cells) {
				if v := l.of(c); !math.IsNaN(v) {
					s.point(float64(at), v)
				}
			}
			if len(s.X) > 0 {
				g.Series = append(g.Series, s)
			}
		}
		return g
	}
	all := []Graph{
		graph("generatorCPU", "Processors", "% in use",
			line{mine, func(w *worst) float64 { return w.cpu }}, line{"whole machine", func(w *worst) float64 { return w.machine }}),
		graph("generatorMemory", "Memory", "MB resident", line{mine, func(w *worst) float64 { return w.memory }}),
		graph("generatorLag", "Lateness", "ms",
			line{"latest timer", func(w *worst) float64 { return w.lag }}, line{"longest GC pause", func(w *worst) float64 { return w.pause }}),
	}
	if cpu := &all[0]; slices.IndexFunc(cpu.Series, func(s Series) bool { return slices.Max(s.Y) > 100 }) < 0 {
		most := 100.0
		cpu.Options.MaxY = &most
	}
	return slices.DeleteFunc(all, func(g Graph) bool { return len(g.Series) == 0 })
}

// busyTime gathers the seconds in which a generator was at its limit.
type busyTime struct {
	limit                 Limit
	lines, onEnd, longest int64 // of the file; of the spell that goes on and the longest one
}

func (b *busyTime) add(h *jtl.Health) {
	b.lines++
	// A machine may be busy with others and still serve this program well.
	if !(h.CPU > busyCPU || h.MachineCPU > busyCPU && h.Lag > feltLag || h.Lag > lateLag) {
		b.onEnd = 0
		return
	}
	at, l := int64(h.Time), &b.limit
	if l.Seconds == 0 {
		l.From, l.CPU, l.MachineCPU, l.Lag = at, math.NaN(), math.NaN(), math.NaN()
	}
	if at-l.To > healthGap {
		b.onEnd = 0
	}
	b.onEnd++
	b.longest = max(b.longest, b.onEnd)
	l.To = at
	l.Seconds++
	higher(&l.CPU, h.CPU)
	higher(&l.MachineCPU, h.MachineCPU)
	higher(&l.Lag, h.Lag)
}

// matters tells whether it was more than an accident.
func (b *busyTime) matters() bool {
	return b.longest >= leastBusy || b.limit.Seconds >= leastBusy && b.limit.Seconds*busyShare >= b.lines
}
