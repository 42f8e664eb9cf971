package jtl

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// tally is what one run has to give from each of its files.
func tally(t *testing.T, path string, opt ReadOptions) (map[string]int, *Report) {
	t.Helper()
	opt.Workers = 1
	got := map[string]int{}
	rep, err := ReadFile(path, opt, func(_ int, r *Row) error {
		got[fmt.Sprintf("%s|%s|%s|%s|%v|%d|%d", r.Label, r.Code, r.Message, r.DataType, r.Success, r.Bytes, r.Depth)]++
		if r.Start < 1_700_000_000_000 || r.End-r.Start != r.Elapsed {
			t.Errorf("%s: line %d: times %d %d %d", path, r.Line, r.Start, r.End, r.Elapsed)
		}
		if !strings.HasPrefix(string(r.Thread), "Users 1-") {
			t.Errorf("%s: line %d: thread %q", path, r.Line, r.Thread)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, rep
}

func TestVersions(t *testing.T) {
	files, err := filepath.Glob("../testdata/jtl/*/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, f := range files {
		got, rep := tally(t, f, ReadOptions{})
		fmt.Println(f, len(got), *rep)
		for k, n := range got {
			fmt.Println("   ", n, k)
		}
	}
}
