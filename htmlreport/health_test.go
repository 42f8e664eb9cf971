package htmlreport

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gojm/gojm/jtl"
)

// healthRun writes results of so many seconds, and the health of their generator:
// second i has the lag that of tells.
func healthRun(t *testing.T, name string, seconds int, of func(i int) float64) string {
	t.Helper()
	const begin = 1_700_000_000_000
	file := filepath.Join(t.TempDir(), name)
	rows := []byte("timeStamp,elapsed,label,success\n")
	rows = fmt.Appendf(rows, "%d,%d,a,true\n", begin, seconds*1000)
	health := jtl.AppendHealthHeader(nil)
	for i := range seconds {
		h := jtl.Health{Time: begin + 1000*float64(i+1), CPU: float64(i), Memory: 1 << 20, Lag: of(i)}
		health = h.AppendLine(health)
	}
	if err := os.WriteFile(file, rows, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+jtl.HealthSuffix, health, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// What counts as a generator at its limit.
func TestGeneratorLimits(t *testing.T) {
	late := func(seconds ...int) func(int) float64 {
		return func(i int) float64 {
			for _, s := range seconds {
				if s == i {
					return 100 + float64(i)
				}
			}
			return 100
		}
	}
	for name, c := range map[string]struct {
		lag  func(int) float64
		want *Limit
	}{
		"never":           {late(), nil},
		"by accident":     {late(3, 4, 20), nil},
		"on end":          {late(3, 4, 5), &Limit{From: 1_700_000_004_000, To: 1_700_000_006_000, Seconds: 3, CPU: 5, Lag: 105}},
		"on end and more": {late(3, 4, 5, 30), &Limit{From: 1_700_000_004_000, To: 1_700_000_031_000, Seconds: 4, CPU: 30, Lag: 130}},
		"now and then":    {late(1, 10, 20, 30), &Limit{From: 1_700_000_002_000, To: 1_700_000_031_000, Seconds: 4, CPU: 30, Lag: 130}},
	} {
		t.Run(name, func(t *testing.T) {
			file := healthRun(t, "out.jtl", 40, c.lag)
			r, err := Read([]string{file}, DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			var want []Limit
			if c.want != nil {
				c.want.Path = file
				want = []Limit{*c.want}
			}
			if diff := cmp.Diff(want, r.Generator.Limits, cmpopts.EquateNaNs()); diff != "" {
				t.Error(diff)
			}
			if len(r.Generator.Graphs) != 3 {
				t.Errorf("%d graphs", len(r.Generator.Graphs))
			}
		})
	}
}

// A machine that is busy counts where this is felt.
func TestBusyMachine(t *testing.T) {
	for name, c := range map[string]struct {
		cpu, machine, lag float64
		want              bool
	}{
		"calm":                {50, 60, 5, false},
		"own processors":      {91, 60, 1, true},
		"machine, felt":       {10, 95, 11, true},
		"machine, not felt":   {10, 95, 10, false},
		"late, nobody is why": {10, 20, 101, true},
		"unknown":             {math.NaN(), math.NaN(), 50, false},
	} {
		var b busyTime
		for i := range 5 {
			b.add(&jtl.Health{Time: float64(i+1) * 1000, CPU: c.cpu, MachineCPU: c.machine, Lag: c.lag})
		}
		if b.matters() != c.want {
			t.Errorf("%s: %t", name, b.matters())
		}
	}
}

// Several generators share the strip; the one at its limit is named.
func TestGenerators(t *testing.T) {
	calm := healthRun(t, "calm.jtl", 20, func(int) float64 { return 1 })
	late := healthRun(t, "late.jtl", 20, func(int) float64 { return 200 })
	alone := healthRun(t, "alone.jtl", 20, func(int) float64 { return 200 })
	if err := os.Remove(alone + jtl.HealthSuffix); err != nil {
		t.Fatal(err)
	}
	opt := DefaultOptions()
	opt.Granularity = 1000
	r, err := Read([]string{calm, alone, late}, opt)
	if err != nil {
		t.Fatal(err)
	}
	g := r.Generator
	if g.Files != 2 || len(g.Limits) != 1 || g.Limits[0].Path != late || len(g.Graphs) != 3 {
		t.Fatalf("%+v", g)
	}
	lag := g.Graphs[2]
	if lag.YAxis != "ms, highest of 2 generators" || len(lag.Series) != 2 || len(lag.Series[0].Y) != 20 || lag.Series[0].Y[19] != 200 {
		t.Errorf("%+v", lag)
	}
	page, err := r.Page()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), `<section id="generator">`) || !strings.Contains(string(page), "late.jtl: the load generator was at its limit for 20 s between") {
		t.Error("the page does not show the generators")
	}

	none, err := Read([]string{alone}, opt)
	if err != nil {
		t.Fatal(err)
	}
	page, err = none.Page()
	if err != nil {
		t.Fatal(err)
	}
	if none.Generator.Files != 0 || strings.Contains(string(page), `id="generator"`) {
		t.Error("a strip of no generator")
	}
}

// Health of another run, beside results of the same name, is none of this run's;
// what cannot be read is told.
func TestHealthOfAnother(t *testing.T) {
	file := healthRun(t, "out.jtl", 10, func(int) float64 { return 0 })
	old := jtl.AppendHealthHeader(nil)
	for i := range 5 {
		h := jtl.Health{Time: 1_600_000_000_000 + float64(i), Lag: 500}
		old = h.AppendLine(old)
	}
	old = append(old, "what is this\n"...)
	if err := os.WriteFile(file+jtl.HealthSuffix, old, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Read([]string{file}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"out.jtl.health.csv: 1 line of the generator's health could not be read."}
	if diff := cmp.Diff(want, r.Generator.Notes); diff != "" || len(r.Generator.Limits) > 0 || len(r.Generator.Graphs) > 0 {
		t.Errorf("%+v", r.Generator)
	}
}
