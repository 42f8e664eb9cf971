package htmlreport

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// results are n rows of all columns that a report needs.
func results(n int) []byte {
	b := []byte("timeStamp,elapsed,label,success\n")
	for i := range n {
		b = fmt.Appendf(b, "%d,%d,a,true\n", 1700000000000+i*1000, i%97)
	}
	return b
}

func packed(t *testing.T, b []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// What damage leaves is reported, and the damage told.
func TestDamagedCompression(t *testing.T) {
	const n = 50000
	whole := packed(t, results(n))
	with := func(at int, b ...byte) []byte {
		c := bytes.Clone(whole)
		copy(c[at:], b)
		return c
	}
	for _, test := range []struct {
		name                         string
		data                         []byte
		all                          bool
		damaged, truncated, rowWhole bool
	}{
		{"whole", whole, true, false, false, false},
		{"checksum", with(len(whole)-8, ^whole[len(whole)-8]), true, true, false, false},
		{"middle", with(len(whole)/2, bytes.Repeat([]byte{0xff}, 64)...), false, true, true, false},
		{"no trailer", whole[:len(whole)-8], true, false, true, true},
		{"cut", whole[:len(whole)/2], false, false, true, false},
	} {
		for _, workers := range []int{1, 3} {
			path := filepath.Join(t.TempDir(), "r.jtl.gz")
			if err := os.WriteFile(path, test.data, 0o600); err != nil {
				t.Fatal(err)
			}
			opt := DefaultOptions()
			opt.Read.Workers = workers
			r, err := Read([]string{path}, opt)
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				continue
			}
			read := r.Sources[0].Read
			if (read.Rows == n) != test.all || read.Rows == 0 || r.Total.Samples+r.Implausible != read.Rows ||
				(read.Damaged != nil) != test.damaged || read.Truncated != test.truncated || read.RowsWhole != test.rowWhole {
				t.Errorf("%s: %d samples, %+v", test.name, r.Total.Samples, read)
			}
		}
	}
}

func TestNeededColumns(t *testing.T) {
	for data, missing := range map[string]string{
		"timeStamp,elapsed,label\n1700000000000,5,a\n":         "success",
		"timeStamp,label,success\n1700000000000,a,true\n":      "elapsed",
		"elapsed,label,success\n5,a,true\n":                    "timeStamp",
		`<testResults><sample t="5" s="true"/></testResults>`:  "timeStamp",
		`{"elapsed":5,"label":"a","success":true}`:             "timeStamp",
		"timeStamp,elapsed,success\n1700000000000,5,true\n":    "",
		`<testResults><sample ts="1" s="true"/></testResults>`: "elapsed",
		`<testResults><sample ts="1" t="5"/></testResults>`:    "success",
	} {
		path := filepath.Join(t.TempDir(), "r.jtl")
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read([]string{path}, DefaultOptions())
		if missing == "" {
			if err != nil {
				t.Errorf("%q: %v", data, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), "no column "+missing) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
