package jtl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tally is what one run has to give from each of its files: how often each sample
// occurs, by the fields that all formats hold.
func tally(t *testing.T, path string, opt ReadOptions) map[string]int {
	t.Helper()
	opt.Workers = 1
	got := map[string]int{}
	rep, err := ReadFile(path, opt, func(_ int, r *Row) error {
		got[fmt.Sprintf("%s|%s|%s|%s|%v|%d|%d", r.Label, r.Code, r.Message, r.DataType, r.Success, r.Bytes, r.SampleCount)]++
		if r.Start < 1_700_000_000_000 || r.End-r.Start != r.Elapsed || r.Latency > r.Elapsed && !r.IsTransaction() {
			t.Errorf("%s: line %d: times %d %d %d %d", path, r.Line, r.Start, r.End, r.Elapsed, r.Latency)
		}
		if !strings.HasPrefix(string(r.Thread), "Users 1-") {
			t.Errorf("%s: line %d: thread %q", path, r.Line, r.Thread)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Skipped != 0 || rep.Truncated || rep.Blank != 0 {
		t.Errorf("%s: %+v", path, *rep)
	}
	return got
}

// The files of one plan, as old versions wrote them, give the same samples.
func TestReadVersions(t *testing.T) {
	top := map[string]int{
		"redirected|200|OK|text|true|347|1":      10,
		"missing|404|Not Found|text|false|112|1": 10,
		"asserted 中文|200|OK|text|false|485|1":    10,
		`Checkout, "all" steps||Number of samples in transaction : 2, number of failing samples : 1||false|459|1`: 10,
	}
	subs := map[string]map[string]int{
		"old": {
			"http://127.0.0.1:8098/redirect/2|302|Found|text|true|134|1":          10,
			"http://127.0.0.1:8098/redirect/1?code=302|302|Found|text|true|117|1": 10,
			"http://127.0.0.1:8098/ok|200|OK|text|true|96|1":                      10,
		},
		"5": {
			"redirected-0|302|Found|text|true|134|1": 10,
			"redirected-1|302|Found|text|true|117|1": 10,
			"redirected-2|200|OK|text|true|96|1":     10,
		},
	}
	files, err := filepath.Glob("../testdata/jtl/[0-9]*/*")
	if err != nil || len(files) != 17 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, f := range files {
		five := strings.Contains(f, "5.1.1")
		xml := strings.HasSuffix(f, ".xml")
		want := map[string]int{}
		for k, n := range top {
			want[k] = n
		}
		if xml || five { // since 5.0 CSV has sub-results, too
			kind := "old"
			if five {
				kind = "5"
			}
			for k, n := range subs[kind] {
				want[k] = n
			}
		}
		if got := tally(t, f, ReadOptions{}); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\n got %v\nwant %v", f, got, want)
		}
		if xml {
			if got := tally(t, f, ReadOptions{TopOnly: true}); fmt.Sprint(got) != fmt.Sprint(top) {
				t.Errorf("%s, top only:\n got %v\nwant %v", f, got, top)
			}
		}
	}
}

// fullConfig has every flag on, as the files named full.
func fullConfig() *Config {
	c := DefaultConfig()
	c.Encoding, c.ResponseData, c.SamplerData, c.ResponseHeaders, c.RequestHeaders = true, true, true, true, true
	c.FileName, c.Hostname, c.SampleCount = true, true, true
	return c
}

// Reading a file and writing it again gives the same bytes: the writer is that of
// JMeter 5.6.3, and the reader loses nothing.
func TestRewrite(t *testing.T) {
	odd := func(c *Config) *Config {
		c.Variables = []string{"v1", "v2"}
		return c
	}
	onError := odd(fullConfig())
	onError.ResponseData, onError.SamplerData, onError.ResponseHeaders, onError.RequestHeaders = false, false, false, false
	onError.Encoding, onError.Hostname, onError.ResponseDataOnError = false, false, true
	bare := &Config{Time: true, Label: true, Variables: []string{"v1", "v2"}, Format: XML}
	filtered := odd(fullConfig())
	filtered.Subresults, filtered.Hostname = false, false
	noSent := fullConfig()
	noSent.SentBytes = false
	old := DefaultConfig()
	old.URL = false
	for _, test := range []struct {
		file string
		c    *Config
	}{
		{"odd/full.csv", odd(fullConfig())},
		{"odd/errors.csv", filtered},
		{"odd/successes.csv", filtered},
		{"odd/full.xml", odd(fullConfig())},
		{"odd/onerror.xml", onError},
		{"odd/bare.xml", bare},
		{"5.1.1/full.xml", fullConfig()},
		{"5.1.1/full.csv", fullConfig()},
		{"5.1.1/default.csv", DefaultConfig()},
		{"4.0/full.xml", fullConfig()},
		{"4.0/full.csv", fullConfig()},
		{"4.0/default.csv", old},
		{"3.3/default.csv", old},
		{"2.13/full.csv", noSent},
	} {
		c := *test.c
		if strings.HasSuffix(test.file, ".xml") {
			c.Format = XML
		}
		want, err := os.ReadFile("../testdata/jtl/" + test.file)
		if err != nil {
			t.Fatal(err)
		}
		got := c.AppendStart(nil)
		rep, err := ReadSamples("../testdata/jtl/"+test.file, ReadOptions{}, func(s *Sample) error {
			if c.Format == XML {
				got = c.AppendXML(got, s)
			} else {
				s.NoMessage = s.Message == "null"
				got = c.AppendRow(got, s)
			}
			return nil
		})
		if err != nil || rep.Skipped != 0 || rep.Truncated {
			t.Errorf("%s: %v %+v", test.file, err, rep)
			continue
		}
		if c.Format == XML {
			got = append(got, xmlEnd...)
		}
		diffLines(t, test.file, got, want)
	}
}

func diffLines(t *testing.T, name string, got, want []byte) {
	t.Helper()
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range w {
		if i >= len(g) || !bytes.Equal(g[i], w[i]) {
			var line []byte
			if i < len(g) {
				line = g[i]
			}
			t.Errorf("%s: line %d:\n got %q\nwant %q", name, i+1, line, w[i])
			return
		}
	}
	if len(g) != len(w) {
		t.Errorf("%s: %d lines, want %d", name, len(g), len(w))
	}
}

// The rows of an XML file are those of the CSV that JMeter's own classes made of it.
func TestNestedAsCSV(t *testing.T) {
	want, err := os.ReadFile("../testdata/jtl/nested/equivalent.csv")
	if err != nil {
		t.Fatal(err)
	}
	c := DefaultConfig()
	got := c.AppendHeader(nil)
	if _, err := ReadFile("../testdata/jtl/nested/in.xml", ReadOptions{}, func(_ int, r *Row) error {
		var s Sample
		s.fromRow(r)
		got = c.AppendRow(got, &s)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	diffLines(t, "rows", got, want)
	got = c.AppendHeader(nil)
	if _, err := ReadSamples("../testdata/jtl/nested/in.xml", ReadOptions{}, func(s *Sample) error {
		got = c.AppendRow(got, s)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	diffLines(t, "samples", got, want)
}
