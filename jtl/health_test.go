package jtl

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestHealthThereAndBack(t *testing.T) {
	whole := Health{1_700_000_000_123, 87.5, 93.2, 123456789, 200, 231, 0.25, 12.125, 1e6, 2e5, 4711, 12}
	some := unknownHealth()
	some.Time, some.Lag = 1_700_000_001_123, 0.5
	text := AppendHealthHeader(nil)
	text = whole.AppendLine(text)
	text = some.AppendLine(text)
	const want = "timeStamp,cpu,machineCpu,memory,threads,goroutines,gcPause,lag,received,sent,rows,queued\n" +
		"1700000000123,87.5,93.2,123456789,200,231,0.250,12.125,1000000,200000,4711,12\n" +
		"1700000001123,,,,,,,0.500,,,,\n"
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	results := filepath.Join(t.TempDir(), "out.jtl")
	if err := os.WriteFile(results+".health.csv", text, 0o600); err != nil {
		t.Fatal(err)
	}
	var got []Health
	bad, err := ReadHealth(results, func(h *Health) { got = append(got, *h) })
	if err != nil || bad != 0 {
		t.Fatal(bad, err)
	}
	if diff := cmp.Diff([]Health{whole, some}, got, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if _, err := ReadHealth(results+"x", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// Files of other versions, that a crash cut, that were appended to.
func TestReadHealth(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		cpu  []float64
		bad  int64
	}{
		"nothing":            {"", nil, 0},
		"header only":        {"timeStamp,cpu\n", nil, 0},
		"cut in a line":      {"timeStamp,cpu\n1,10\n2,2", []float64{10}, 0},
		"other columns":      {"timeStamp,disk,cpu\n1,77,10\n", []float64{10}, 0},
		"two runs":           {"timeStamp,cpu\n1,10\ntimeStamp,x,cpu\r\n2,0,20\r\n", []float64{10, 20}, 0},
		"cut, then appended": {"timeStamp,cpu,lag\n1,10,0\n2,1timeStamp,cpu,lag\n3,30,0\n", []float64{10, 30}, 1},
		"no header":          {"1,10\n", nil, 1},
		"odd lines":          {"timeStamp,cpu\n1,ten\n2,-3\n,10\n3\n4,5,6\n5,Inf\n6,60\n", []float64{60}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			var got []float64
			bad, err := readHealth(strings.NewReader(c.text), func(h *Health) { got = append(got, h.CPU) })
			if err != nil || bad != c.bad {
				t.Errorf("%d bad lines, %v", bad, err)
			}
			if diff := cmp.Diff(c.cpu, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, err := readHealth(strings.NewReader(strings.Repeat("x", 2*maxHealthLine)), nil); err == nil {
		t.Error("an endless line is read")
	}
}

func FuzzReadHealth(f *testing.F) {
	f.Add([]byte("timeStamp,cpu\n1,10\n2,2"))
	f.Add(AppendHealthHeader(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		bad, err := readHealth(bytes.NewReader(data), func(h *Health) {
			n++
			if !(h.Time > 0) || h.CPU < 0 || math.IsInf(h.Lag, 0) {
				t.Errorf("%+v", h)
			}
		})
		if lines := bytes.Count(data, []byte{'\n'}); err == nil && n+int(bad) > lines {
			t.Errorf("%d of %d lines", n+int(bad), lines)
		}
	})
}
