package htmlreport

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gojm/gojm/jtl"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// rowsOf makes n rows of a run that is the same each time.
func rowsOf(n int, step int64) []*jtl.Row {
	random := rand.New(rand.NewPCG(1, 2))
	at := int64(1_700_000_000_000)
	rows := make([]*jtl.Row, n)
	for i := range rows {
		at += random.Int64N(2*step + 1)
		r := &jtl.Row{
			Label: fmt.Appendf(nil, "label %d", random.IntN(7)), Code: []byte("200"), Message: []byte("OK"),
			Thread: fmt.Appendf(nil, "group %d 1-%d", random.IntN(2), random.IntN(9)), Success: true, SampleCount: 1,
			Start: at, Elapsed: random.Int64N(900), Bytes: random.Int64N(5000), SentBytes: 100,
			GroupThreads: 1 + random.Int64N(5), AllThreads: 1 + random.Int64N(9), Line: int64(i + 2), Chunk: i / 100,
		}
		r.Latency, r.Connect = r.Elapsed/2, r.Elapsed/10
		switch random.IntN(12) {
		case 0:
			r.Success, r.Code, r.Message = false, []byte("500"), fmt.Appendf(nil, "error %d", random.IntN(9))
		case 1:
			r.Message = []byte("Number of samples in transaction : 2, number of failing samples : 0")
		case 2:
			r.Message = []byte("Number of samples in transaction : 0, number of failing samples : 0")
		}
		r.End = r.Start + r.Elapsed
		rows[i] = r
	}
	return rows
}

func shardOf(t *testing.T, opt *Options, rows []*jtl.Row) *shard {
	t.Helper()
	s := newShard(opt, newSeconds(opt))
	for _, r := range rows {
		if err := s.add(r); err != nil {
			t.Fatal(err)
		}
	}
	s.finish()
	return s
}

// source is a file with all columns.
func source(t *testing.T) []Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.jtl")
	writeRun(t, path)
	r, err := jtl.Open(path, jtl.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return []Source{{Path: path, Info: *r.Info()}}
}

// TestShards sees that it does not matter which worker met which rows.
func TestShards(t *testing.T) {
	opt := DefaultOptions()
	rows, src := rowsOf(5000, 40), source(t)
	whole := build(shardOf(t, &opt, rows), &opt, src)

	sec := newSeconds(&opt)
	shards := []*shard{newShard(&opt, sec), newShard(&opt, sec), newShard(&opt, sec)}
	for i, r := range rows {
		if err := shards[(i/100)%3].add(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range shards {
		s.finish()
	}
	shards[2].merge(shards[0])
	shards[2].merge(shards[1])
	parted := build(shards[2], &opt, src)

	if diff := cmp.Diff(whole, parted, cmpopts.EquateNaNs(),
		cmpopts.IgnoreFields(Report{}, "Options", "Sources"), cmpopts.IgnoreUnexported(Report{})); diff != "" {
		t.Errorf("one worker and three differ:\n%s", diff)
	}
	if whole.Total.Samples < 4000 || len(whole.Errors) != 9 || len(whole.Slowest) != maxSlowest {
		t.Errorf("%d samples, %d errors, %d slowest", whole.Total.Samples, len(whole.Errors), len(whole.Slowest))
	}
}

// TestAutomaticGranularity keeps charts of any run readable, and loses no row.
func TestAutomaticGranularity(t *testing.T) {
	opt := DefaultOptions()
	for _, c := range []struct {
		rows        int
		step        int64 // mean distance in ms
		granularity int64
	}{
		{100, 100, 1000},              // ten seconds
		{10_000, 100, 5000},           // a quarter of an hour
		{10_000, 5_000, 300_000},      // fourteen hours
		{10_000, 600_000, 21_600_000}, // ten weeks
	} {
		rows := rowsOf(c.rows, c.step)
		s := shardOf(t, &opt, rows)
		if n := s.intervals(); n > wantedIntervals {
			t.Errorf("%d intervals are kept", n)
		}
		r := build(s, &opt, source(t))
		if r.Granularity != c.granularity || len(r.Overview.Time) > wantedIntervals+100 {
			t.Errorf("%d rows every %d ms: interval %d ms (%d of them), want %d ms", c.rows, c.step, r.Granularity, len(r.Overview.Time), c.granularity)
		}
		total := 0.0
		for i, x := range r.Overview.Time {
			at := int64(x)
			rate := r.Overview.OK[i] + r.Overview.Failed[i]
			covered := min(at+r.Granularity, r.End) - max(at, r.Begin)
			if j := s.seconds.moments.find(at); math.IsNaN(rate) && j >= 0 { // at an edge, which tells no rate
				if i != 0 && i != len(r.Overview.Time)-1 || 2*covered >= r.Granularity {
					t.Errorf("no rate at %d, of which %d ms belong to the run", at, covered)
				}
				m := &s.seconds.moments.cells[j].value
				total += float64(m.ok.Count() + m.failed.Count())
				continue
			}
			total += rate * float64(covered) / 1000
		}
		if int64(total+0.5) != r.Total.Samples {
			t.Errorf("the overview has %v samples of %d", total, r.Total.Samples)
		}
	}
}

func TestTooFineGranularity(t *testing.T) {
	opt := DefaultOptions()
	opt.Granularity = 1
	s := newShard(&opt, newSeconds(&opt))
	r := rowsOf(1, 1)[0]
	var err error
	for i := 0; err == nil && i < 2*maxAskedIntervals; i++ {
		r.Start, r.End = int64(i), int64(i)
		err = s.add(r)
	}
	if err == nil || !strings.Contains(err.Error(), propGranularity) {
		t.Errorf("error %v", err)
	}
}

// TestLateSamples has a file whose rows come too late for the graphs that need
// to know all of a second.
func TestLateSamples(t *testing.T) {
	opt := DefaultOptions()
	sec := newSeconds(&opt)
	sec.maxOpen = 100
	s := newShard(&opt, sec)
	rows := rowsOf(1000, 500)
	first := *rows[0]
	first.Message = []byte("OK")
	first.Line, first.Chunk = 5000, 50
	for _, r := range append(rows, &first) {
		if err := s.add(r); err != nil {
			t.Fatal(err)
		}
	}
	s.finish()
	r := build(s, &opt, source(t))
	if r.Late != 1 {
		t.Errorf("%d late samples, want 1", r.Late)
	}
	var counted int64
	for _, groups := range sec.groups {
		for _, g := range groups {
			counted += g.elapsed.all.Count()
		}
	}
	if counted+r.Late != r.Total.Samples {
		t.Errorf("%d in graphs, %d late, %d samples", counted, r.Late, r.Total.Samples)
	}
}

// TestOddTimes have times that no real sample has, and keep them.
func TestOddTimes(t *testing.T) {
	opt := DefaultOptions()
	rows := rowsOf(3, 0)
	rows = append(rows, &jtl.Row{Label: []byte("x"), Elapsed: 1 << 62, SampleCount: 1}, &jtl.Row{Label: []byte("x"), Bytes: -1 << 60, SampleCount: 1})
	for i, v := range []int64{-5, 1 << 40, 7} {
		rows[i].Label, rows[i].Message, rows[i].Code, rows[i].Success = []byte("x"), []byte("OK"), []byte("200"), true
		rows[i].Start = 1_700_000_000_000
		rows[i].Elapsed, rows[i].Latency, rows[i].End = v, v, 1_700_000_000_500
	}
	r := build(shardOf(t, &opt, rows), &opt, source(t))
	if r.Implausible != 2 || r.Total.Samples != 3 || !strings.Contains(strings.Join(r.notes(time.UTC), ""), "2 rows hold a time or a size beyond any run") {
		t.Errorf("%d implausible rows, %d samples", r.Implausible, r.Total.Samples)
	}
	if r.Total.Min != -5 || r.Total.Max != 1<<40 || r.Total.Median != 7 {
		t.Errorf("%+v", r.Total)
	}
	for _, g := range r.Graphs {
		if g.ID == "latencyVsRequest" && (len(g.Series) != 1 || g.Series[0].X[0] != 3 || g.Series[0].Y[0] != 7) {
			t.Errorf("%+v", g.Series)
		}
	}
}

// TestManyErrors has more kinds of errors than are told apart.
func TestManyErrors(t *testing.T) {
	opt := DefaultOptions()
	s := newShard(&opt, newSeconds(&opt))
	r := rowsOf(1, 1)[0]
	r.Success, r.Code = false, []byte("500")
	const n = maxErrorTypes + 500
	for i := range n {
		r.Message, r.Line = fmt.Appendf(nil, "took %d ms", i), int64(i+2)
		if err := s.add(r); err != nil {
			t.Fatal(err)
		}
	}
	// A message of any length is an error like others.
	r.Message = bytes.Repeat([]byte("long "), 10_000)
	if err := s.add(r); err != nil {
		t.Fatal(err)
	}
	for key := range s.failures.types {
		if len(key) > maxKey+3 {
			t.Errorf("a key of %d bytes is kept", len(key))
		}
	}
	s.finish()
	report := build(s, &opt, source(t))
	if len(report.Errors) != maxErrorTypes || report.ErrorsNotListed != 501 || report.Total.Errors != n+1 {
		t.Errorf("%d types, %d not listed, %d errors", len(report.Errors), report.ErrorsNotListed, report.Total.Errors)
	}
	page, err := report.page(nil)
	if err != nil || !strings.Contains(string(page), "The 4,500 less frequent types are left out here.") {
		t.Errorf("the page hides how many types it leaves out, %v", err)
	}
	if !strings.Contains(strings.Join(report.notes(time.UTC), "\n"), "501 failures are in the totals but not in the table") {
		t.Errorf("notes %q", report.notes(time.UTC))
	}
}

// TestTwoFiles reads two files as one run.
func TestTwoFiles(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.jtl"), filepath.Join(dir, "b.jtl")
	writeRun(t, a)
	text, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b, text, 0o644); err != nil {
		t.Fatal(err)
	}
	one, err := Read([]string{a}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	two, err := Read([]string{a, b}, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if two.Total.Samples != 2*one.Total.Samples || two.Total.Median != one.Total.Median || len(two.Sources) != 2 ||
		two.Errors[0].Count != 2*one.Errors[0].Count || two.Errors[0].Last.File != 1 || two.Errors[0].First.File != 0 {
		t.Errorf("one %+v\ntwo %+v %+v", one.Total, two.Total, two.Errors)
	}
	if _, err := Read([]string{filepath.Join(dir, "none.jtl")}, DefaultOptions()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// TestWorkers reads a file large enough to be split, on one core and on four.
func TestWorkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jtl")
	var text strings.Builder
	text.WriteString("timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect\n")
	for _, r := range rowsOf(60_000, 10) {
		fmt.Fprintf(&text, "%d,%d,%s,%s,\"%s\",%s,text,%t,\"a\nb\",%d,100,%d,%d,http://127.0.0.1/%060d,%d,0,%d\n", r.Start, r.Elapsed, r.Label, r.Code,
			r.Message, r.Thread, r.Success, r.Bytes, r.GroupThreads, r.AllThreads, r.Line, r.Latency, r.Connect)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	var reports []*Report
	for _, workers := range []int{1, 4} {
		opt := DefaultOptions()
		opt.Read.Workers = workers
		r, err := Read([]string{path}, opt)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	if diff := cmp.Diff(reports[0], reports[1], cmpopts.EquateNaNs(),
		cmpopts.IgnoreFields(Report{}, "Options", "Sources"), cmpopts.IgnoreUnexported(Report{})); diff != "" {
		t.Errorf("one worker and four differ:\n%s", diff)
	}
}

// TestAllocations sees that a row of a known kind costs no memory to speak of.
func TestAllocations(t *testing.T) {
	opt := DefaultOptions()
	rows := rowsOf(2000, 5)
	s := shardOf(t, &opt, rows)
	perRound := testing.AllocsPerRun(5, func() {
		for _, r := range rows {
			if err := s.add(r); err != nil {
				t.Fatal(err)
			}
		}
	})
	if perRow := perRound / float64(len(rows)); perRow > 0.2 {
		t.Errorf("%.2f allocations a row", perRow)
	}
}

func BenchmarkAdd(b *testing.B) {
	opt := DefaultOptions()
	rows := rowsOf(10_000, 5)
	s := newShard(&opt, newSeconds(&opt))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := s.add(rows[i%len(rows)]); err != nil {
			b.Fatal(err)
		}
	}
}

// Rates of an interval that the run covers in part.
func TestEdge(t *testing.T) {
	for _, c := range []struct {
		begin, end, at int64
		want           float64
	}{
		{1000, 9000, 2000, 1},
		{1200, 9000, 1000, 1.25},
		{1600, 9000, 1000, math.NaN()},
		{1000, 9500, 9000, 2},
		{1000, 9499, 9000, math.NaN()},
		{1000, 9000, 9000, math.NaN()},
		{1300, 1900, 1000, 1000.0 / 600},
		{1300, 1400, 1000, 1}, // all of the run
		{1300, 1300, 1000, 1},
	} {
		s := &shard{begin: c.begin, end: c.end}
		if got := s.edge(c.at, 1000); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%d to %d at %d: %v, want %v", c.begin, c.end, c.at, got, c.want)
		}
	}
}
