package jtl

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// labels reads the labels of a result file's rows, in order.
func labels(t *testing.T, path string) ([]string, *Report) {
	t.Helper()
	var got []string
	rep, err := ReadFile(path, ReadOptions{Workers: 1}, func(_ int, r *Row) error {
		got = append(got, string(r.Label))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, rep
}

// write opens path, writes samples of these labels and closes it.
func write(t *testing.T, path string, c *Config, labels ...string) {
	t.Helper()
	w, err := Create(path, c, CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range labels {
		if err := w.Write(&Sample{Label: l}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCreateExisting(t *testing.T) {
	csv := &Config{Label: true, Message: true, FieldNames: true, Delimiter: ','}
	bare := &Config{Label: true, Message: true, Delimiter: ','}
	xml := &Config{Format: XML, Label: true}
	pi := &Config{Format: XML, Label: true, XMLPI: "<?xml-stylesheet href='x'?>"}
	const decl = `<?xml version="1.0" encoding="UTF-8"?>` + "\n"
	const top = decl + `<testResults version="1.2">` + "\n"
	const end = "\n</testResults>\n"
	for _, test := range []struct {
		name   string
		c      *Config
		before string // "-" is no file
		want   string
	}{
		{"new", csv, "-", "label,responseMessage\na,\n"},
		{"new, no header", bare, "-", "a,\n"},
		{"empty", csv, "", "label,responseMessage\na,\n"},
		{"appended", csv, "label,responseMessage\nb,\n", "label,responseMessage\nb,\na,\n"},
		{"cut off", csv, "label,responseMessage\nb", "label,responseMessage\nb\na,\n"},
		{"new XML", xml, "-", top + `<sample lb="a"/>` + "\n" + end},
		{"empty XML", xml, "", top + `<sample lb="a"/>` + "\n" + end},
		{"instruction", pi, "-", decl + "<?xml-stylesheet href='x'?>\n<testResults version=\"1.2\">\n<sample lb=\"a\"/>\n" + end},
		{"appended XML", xml, top + `<sample lb="b"/>` + "\n" + end, top + `<sample lb="b"/>` + "\n\n" + `<sample lb="a"/>` + "\n" + end},
		{"no end tag", xml, top + `<sample lb="b"/>` + "\n", top + `<sample lb="b"/>` + "\n" + `<sample lb="a"/>` + "\n" + end},
		{"cut off in a tag", xml, top + `<sample lb="b"/>` + "\n<sample lb", top + `<sample lb="b"/>` + "\n" + `<sample lb="a"/>` + "\n" + end},
		{"cut off in a sample", xml, top + "<httpSample>\n  <sample/>\n</httpSample>\n<sample>\n  <sample/>\n  <sample>\n  </sample>\n  <resp",
			top + "<httpSample>\n  <sample/>\n</httpSample>\n" + `<sample lb="a"/>` + "\n" + end},
		{"cut off before the first", xml, top + "<sample", top + `<sample lb="a"/>` + "\n" + end},
		{"large last sample", xml, top + `<sample lb="b"/>` + "\n<sample><responseData>" + strings.Repeat("line\n&lt;/sample&gt;\n", 40000),
			top + `<sample lb="b"/>` + "\n" + `<sample lb="a"/>` + "\n" + end},
		{"not empty, in one line", xml, top + `<sample lb="b"></sample>` + "\n" + `<sample lb="c"></sample>` + "\n<sample lb=\"d", top + `<sample lb="b"></sample>` + "\n" +
			`<sample lb="c"></sample>` + "\n" + `<sample lb="a"/>` + "\n" + end},
		{"several in one line", xml, top + `<sample lb="b"/><sample lb=">"></sample><sample`, top + `<sample lb="b"/><sample lb=">"></sample>` + "\n" +
			`<sample lb="a"/>` + "\n" + end},
		{"other layouts", xml, "\ufeff<!-- <x> --><testResults>\r\n  <sampleResult><![CDATA[</x>]]></sampleResult>\r\n  <sam",
			"\ufeff<!-- <x> --><testResults>\r\n  <sampleResult><![CDATA[</x>]]></sampleResult>\r\n" + `<sample lb="a"/>` + "\n" + end},
		{"cut off in the end tag", xml, top + `<sample lb="b"></sample>` + "\n\n</testRes", top + `<sample lb="b"></sample>` + "\n" + `<sample lb="a"/>` + "\n" + end},
		{"no line end", xml, top + `<sample lb="b"></sample>`, top + `<sample lb="b"></sample>` + "\n" + `<sample lb="a"/>` + "\n" + end},
		{"far end tag", xml, top + `<sample lb="b"/></testResults>` + strings.Repeat("\n", 2000), top + `<sample lb="b"/>` + "\n" + `<sample lb="a"/>` + "\n" + end},
	} {
		path := filepath.Join(t.TempDir(), "new", "folder", "x.jtl")
		if test.before != "-" {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(test.before), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		write(t, path, test.c, "a")
		if got := contents(t, path); got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want)
		}
	}
}

func TestHostname(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	write(t, path, &Config{Label: true, Hostname: true, Delimiter: ','}, "a")
	name, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if got := contents(t, path); got != "a,"+name+"\n" {
		t.Errorf("got %q", got)
	}
}

func TestCreateFails(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other.xml")
	if err := os.WriteFile(other, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	for path, names := range map[string]string{dir: dir, filepath.Join(other, "x.jtl"): "other.xml", other: "other.xml"} {
		w, err := Create(path, &Config{Format: XML}, CreateOptions{})
		if err == nil {
			w.Close()
			t.Errorf("%s: no error", path)
		} else if !strings.Contains(err.Error(), "results file: ") || !strings.Contains(err.Error(), names) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got := contents(t, other); got != "precious" {
		t.Errorf("the other file is now %q", got)
	}
}

func TestCompressed(t *testing.T) {
	for _, name := range []string{"x.csv.gz", "x.csv.zst", "x.xml.gz", "x.xml.zst"} {
		path := filepath.Join(t.TempDir(), name)
		c := DefaultConfig()
		if strings.Contains(name, "xml") {
			c.Format = XML
		}
		write(t, path, c, "a", "b")
		write(t, path, c, "c")
		got, rep := labels(t, path)
		if !reflect.DeepEqual(got, []string{"a", "b", "c"}) || rep.Skipped != 0 || rep.Truncated {
			t.Errorf("%s: %v %+v", name, got, rep)
		}
		if strings.Contains(contents(t, path), "threadName") {
			t.Errorf("%s is not compressed", name)
		}
		// A cut file is read as far as it goes.
		b := contents(t, path)
		if err := os.WriteFile(path, []byte(b[:len(b)-3]), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, rep := labels(t, path); len(got) < 2 || !rep.Truncated {
			t.Errorf("%s, cut: %v %+v", name, got, rep)
		}
	}
}

// Rows are in the file after a second at most, or at once with autoflush.
// What stands behind the cut of a compressed file could be read by nobody, so that
// nothing is appended there, and nothing changed.
func TestAppendToCutCompressed(t *testing.T) {
	for _, end := range []string{".gz", ".zst"} {
		path := filepath.Join(t.TempDir(), "out.jtl"+end)
		write(t, path, DefaultConfig(), "a", "b")
		all := contents(t, path)
		for _, damaged := range []string{all[:3], all[:len(all)/2], all[:len(all)-1], "timeStamp,elapsed,label\n1,2,plain\n"} {
			if err := os.WriteFile(path, []byte(damaged), 0o600); err != nil {
				t.Fatal(err)
			}
			if w, err := Create(path, DefaultConfig(), CreateOptions{}); err == nil {
				w.Close()
				t.Errorf("%s: appended to %q", end, damaged)
			} else if !strings.Contains(err.Error(), "it is not ") {
				t.Errorf("%s: %v", end, err)
			}
			if got := contents(t, path); got != damaged {
				t.Errorf("%s: %q became %q", end, damaged, got)
			}
		}
		if err := os.WriteFile(path, []byte(all), 0o600); err != nil {
			t.Fatal(err)
		}
		write(t, path, DefaultConfig(), "c")
		if got, _ := labels(t, path); !reflect.DeepEqual(got, []string{"a", "b", "c"}) {
			t.Errorf("%s: %q", end, got)
		}
	}
}

func TestFlushDelay(t *testing.T) {
	for _, name := range []string{"x.csv", "x.csv.gz"} {
		synctest.Test(t, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			w, err := Create(path, DefaultConfig(), CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			for _, label := range []string{"a", "b"} {
				before := len(contents(t, path))
				if err := w.Write(&Sample{Label: label}); err != nil {
					t.Fatal(err)
				}
				if n := len(contents(t, path)); n != before {
					t.Errorf("%s: %d bytes at once", name, n-before)
				}
				time.Sleep(flushDelay)
				synctest.Wait()
				if got, _ := labels(t, path); len(got) == 0 || got[len(got)-1] != label {
					t.Errorf("%s: after a second: %v", name, got)
				}
			}
		})
	}
	c := DefaultConfig()
	c.Autoflush = true
	path := filepath.Join(t.TempDir(), "x.csv")
	w, err := Create(path, c, CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.Write(&Sample{Label: "a"}); err != nil {
		t.Fatal(err)
	}
	if got, _ := labels(t, path); len(got) != 1 {
		t.Errorf("autoflush: %v", got)
	}
}

func TestWriterConcurrent(t *testing.T) {
	for _, format := range []Format{CSV, XML} {
		c := DefaultConfig()
		c.Format = format
		path := filepath.Join(t.TempDir(), "x")
		w, err := Create(path, c, CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		const threads, each = 8, 2000
		var wg sync.WaitGroup
		for i := range threads {
			wg.Go(func() {
				var s Sample
				for j := range each {
					s.Reset()
					s.Label = fmt.Sprintf("%d-%d, \"quoted\"\n", i, j)
					if err := w.Write(&s); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, rep := labels(t, path)
		if len(got) != threads*each || rep.Skipped != 0 || rep.Truncated {
			t.Errorf("%s: %d rows, %+v", format, len(got), rep)
		}
		next := map[int]int{}
		for _, l := range got {
			var i, j int
			if n, err := fmt.Sscanf(l, "%d-%d,", &i, &j); n != 2 || err != nil || next[i] != j {
				t.Fatalf("%s: %q (%v), want %d of thread %d", format, l, err, next[i], i)
			}
			next[i]++
		}
	}
}

func TestWriterIgnoresAndCloses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	w, err := Create(path, DefaultConfig(), CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&Sample{Ignore: true}); err != nil {
		t.Error(err)
	}
	for range 2 {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := w.Write(&Sample{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("written after closing: %v", err)
	}
	if err := w.Flush(); err != nil {
		t.Error(err)
	}
	if got := contents(t, path); got != string(DefaultConfig().AppendHeader(nil)) {
		t.Errorf("got %q", got)
	}
}

// A full disk is told of once, and then by every call.
func TestDiskFull(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // the device is Linux's; what is tested is not
	}
	c := DefaultConfig()
	c.FieldNames = false
	var told atomic.Int32
	w, err := Create("/dev/full", c, CreateOptions{OnError: func(err error) {
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("told of %v", err)
		}
		told.Add(1)
	}})
	if err != nil {
		t.Fatal(err)
	}
	s := &Sample{Label: strings.Repeat("x", 1000)}
	failed := 0
	for range 200 {
		if err := w.Write(s); err != nil {
			failed++
			if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "results file: write /dev/full") {
				t.Fatal(err)
			}
		}
	}
	if failed < 100 {
		t.Errorf("%d of 200 writes failed", failed)
	}
	if err := w.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("close: %v", err)
	}
	if n := told.Load(); n != 1 {
		t.Errorf("told %d times", n)
	}
	c.FieldNames = true
	if _, err := Create("/dev/full", c, CreateOptions{}); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("header: %v", err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(dir, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	first := &Config{Label: true, FieldNames: true, Delimiter: ','}
	second := &Config{Message: true, FieldNames: true, Delimiter: ','}
	files := NewFiles(CreateOptions{})
	open := func(name string, c *Config, f Filter) *Collector {
		t.Helper()
		col, err := files.Open(filepath.Join(dir, name), c, f)
		if err != nil {
			t.Fatal(err)
		}
		return col
	}
	collectors := []*Collector{
		open("new/x", first, All),
		open("link/new/../new/x", second, ErrorsOnly),
		open("errors", first, FilterOf(true, false)),
		open("successes", first, FilterOf(false, true)),
		open("both", first, FilterOf(true, true)),
		open("two", first, ErrorsOnly),
		open("two", first, SuccessesOnly),
	}
	var s Sample
	for _, l := range []string{"good", "bad", "good"} {
		s.Reset()
		s.Label, s.Success = l, l == "good"
		s.Subs = []*Sample{{Label: l + "-0", Success: !s.Success}}
		for _, c := range collectors {
			if err := c.Write(&s); err != nil {
				t.Fatal(err)
			}
		}
	}
	// A copy is another sample.
	if err := collectors[0].Write(s.Clone()); err != nil {
		t.Fatal(err)
	}
	if err := files.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, filepath.Join(dir, "errors")); got != "label\nbad\n" {
		t.Errorf("flushed errors: %q", got)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"new/x":     "label\ngood\nbad\ngood\ngood\n",
		"errors":    "label\nbad\n",
		"successes": "label\ngood\ngood\n",
		"both":      "label\ngood\nbad\ngood\n",
		"two":       "label\ngood\nbad\ngood\n",
	} {
		if got := contents(t, filepath.Join(dir, name)); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestKilled writes from a child process, kills it, and reads what is left.
func TestKilled(t *testing.T) {
	if path := os.Getenv("JTL_KILLED"); path != "" {
		c := DefaultConfig()
		if strings.HasSuffix(path, ".xml") {
			c.Format = XML
		}
		w, err := Create(path, c, CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; ; i++ {
			if err := w.Write(typical(i)); err != nil {
				t.Fatal(err)
			}
			if i == 20_000 {
				fmt.Println("go on")
			}
		}
	}
	for _, name := range []string{"x.csv", "x.xml"} {
		path := filepath.Join(t.TempDir(), name)
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "JTL_KILLED="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for lines.Scan() && lines.Text() != "go on" {
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		got, rep := labels(t, path)
		if len(got) < 15_000 || rep.Skipped != 0 {
			t.Errorf("%s: %d rows, %+v", name, len(got), rep)
		}
		cut := !strings.HasSuffix(contents(t, path), "\n") // killed inside write(2)
		// And the next run goes on from there.
		c := DefaultConfig()
		if strings.HasSuffix(path, ".xml") {
			c.Format = XML
		}
		write(t, path, c, "next")
		again, rep := labels(t, path)
		if len(again) != len(got)+1 || rep.Truncated || rep.Skipped != 0 && !(cut && rep.Skipped == 1) {
			t.Errorf("%s, appended: %d rows after %d, %+v", name, len(again), len(got), rep)
		}
	}
}
