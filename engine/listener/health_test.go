package listener

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/gojm/gojm/engine/elem/elemtest"
	"github.com/gojm/gojm/jtl"
)

// runWithHealth runs a listener with a file for a time, with a sample a second.
func runWithHealth(t *testing.T, file string, seconds float64) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := New(t)
		b.Run.Active.Store(7)
		e := Decode(b, new(collector), Text("filename", file), Bool(jtl.HealthProperty, true))
		if err := e.Open(b.Run); err != nil {
			t.Fatal(err)
		}
		end := time.Now().Add(time.Duration(seconds * float64(time.Second)))
		for time.Now().Before(end) {
			e.Sampled(b.Thread, sampled())
			time.Sleep(min(time.Second, time.Until(end)))
		}
		if err := e.TestEnd(b.Run); err != nil {
			t.Fatal(err)
		}
	})
}

func readHealth(t *testing.T, file string) (lines []jtl.Health) {
	t.Helper()
	if bad, err := jtl.ReadHealth(file, func(h *jtl.Health) { lines = append(lines, *h) }); bad > 0 || err != nil {
		t.Fatal(bad, err)
	}
	return lines
}

func TestHealth(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.jtl")
	stale := file + jtl.HealthSuffix
	if err := os.WriteFile(stale, []byte("of a run whose results are gone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	runWithHealth(t, file, 3.5)
	lines := readHealth(t, file)
	if len(lines) != 3 {
		t.Fatalf("%d lines in 3.5 s: %+v", len(lines), lines)
	}
	var samples float64
	for i, h := range lines {
		if i > 0 && h.Time-lines[i-1].Time != 1000 {
			t.Errorf("line %d is %v ms after the one before", i, h.Time-lines[i-1].Time)
		}
		// In a bubble a timer is never late. How much processor time a fake second
		// takes is anybody's guess.
		if h.Lag != 0 || h.Threads != 7 || h.Goroutines < 2 || !(h.Memory > 1<<20) || !(h.CPU >= 0) {
			t.Errorf("line %d: %+v", i, h)
		}
		samples += h.Rows
	}
	if last := lines[2]; samples+last.Queued != 4 && samples+last.Queued != 3 {
		t.Errorf("%v samples on disk, %v waiting", samples, last.Queued)
	}

	// A killed run leaves half a line; the next run goes on behind it.
	f, err := os.OpenFile(stale, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("946684810000"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	runWithHealth(t, file, 2.5)
	var whole int
	bad, err := jtl.ReadHealth(file, func(*jtl.Health) { whole++ })
	if whole != 5 || bad != 1 || err != nil {
		t.Errorf("%d lines and %d bad ones of two runs, %v", whole, bad, err)
	}
}

// Without the property no file is made, and one that cannot be made stops no run.
func TestHealthIsNotForced(t *testing.T) {
	dir := t.TempDir()
	b := New(t)
	e := Decode(b, new(collector), Text("filename", filepath.Join(dir, "plain.jtl")))
	if err := e.Open(b.Run); err != nil {
		t.Fatal(err)
	}
	if err := e.TestEnd(b.Run); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "plain.jtl"+jtl.HealthSuffix)); !os.IsNotExist(err) {
		t.Error(err)
	}

	file := filepath.Join(dir, "out.jtl")
	if err := os.Mkdir(file+jtl.HealthSuffix, 0o700); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	b = New(t)
	b.Run.Err = &told
	e = Decode(b, new(collector), Text("filename", file), Bool(jtl.HealthProperty, true))
	if err := e.Open(b.Run); err != nil {
		t.Fatal(err)
	}
	e.Sampled(b.Thread, sampled())
	if err := e.TestEnd(b.Run); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "health is not recorded") {
		t.Errorf("told %q", told.String())
	}
}

func TestLongest(t *testing.T) {
	bounds := []float64{0, 1, 2, math.Inf(1)}
	for _, c := range []struct {
		was, is []uint64
		want    float64
	}{
		{[]uint64{1, 1, 1}, []uint64{1, 1, 1}, 0},
		{[]uint64{1, 1, 1}, []uint64{2, 1, 1}, 1},
		{[]uint64{1, 1, 1}, []uint64{2, 2, 1}, 2},
		{[]uint64{1, 1, 1}, []uint64{2, 2, 2}, 2},
		{nil, nil, 0},
	} {
		if got := longest(c.was, c.is, bounds); got != c.want {
			t.Errorf("from %v to %v: %v, want %v", c.was, c.is, got, c.want)
		}
	}
}
