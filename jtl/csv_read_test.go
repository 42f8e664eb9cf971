package jtl

import (
	"os"
	"path/filepath"
	"testing"
)

func TestReadGoldenCSV(t *testing.T) {
	files, err := filepath.Glob("../testdata/jtl/*/*.csv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, f := range files {
		n := 0
		rep, err := ReadFile(f, ReadOptions{Workers: 1}, func(_ int, r *Row) error {
			n++
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		if rep.Skipped != 0 || rep.Truncated || n < 40 {
			t.Errorf("%s: %d rows, %+v", f, n, rep)
		}
	}
}

func BenchmarkReadBig(b *testing.B) {
	path := os.Getenv("JTL")
	st, err := os.Stat(path)
	if err != nil {
		b.Skip()
	}
	b.SetBytes(st.Size())
	for b.Loop() {
		var sums [64]int64
		rep, err := ReadFile(path, ReadOptions{}, func(w int, r *Row) error {
			sums[w*16] += r.Elapsed
			return nil
		})
		if err != nil || rep.Skipped > 0 {
			b.Fatal(rep, err)
		}
	}
}
