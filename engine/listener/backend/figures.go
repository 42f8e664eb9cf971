package backend

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/jtl"
)

// settings are the properties that all clients heed.
type settings struct {
	window, large int  // how many samples the statistics go back
	timed         bool // they begin anew with each interval
	stampStart    bool // the time of a sample is that of its start
}

func settingsOf(p *elem.Props) settings {
	s := settings{window: 100, large: 5000}
	if p.Run() != nil {
		s.window = int(max(1, p.Run().Props.Int("backend_metrics_window", 100)))
		s.large = int(max(1, p.Run().Props.Int("backend_metrics_large_window", 5000)))
		s.stampStart = p.Run().Props.Bool("sampleresult.timestamp.start", false)
		s.timed = strings.EqualFold(p.Property("backend_metrics_window_mode", "fixed"), "timed")
	}
	return s
}

// figures are those of one label, or of all.
type figures struct {
	timed        bool
	ok, ko, all  window
	percentiles  window // of all; never emptied
	successes    int64
	failures     int64
	hits         int64
	sent, got    int64
	errors       map[[2]string]*failure
	errorsInTurn []*failure
}

// failure counts one kind of failure.
type failure struct {
	code, message string
	count         int64
}

func newFigures(s settings) *figures {
	n := s.window
	if s.timed {
		n = s.large
	}
	return &figures{timed: s.timed, ok: window{size: n}, ko: window{size: n}, all: window{size: n},
		percentiles: window{size: s.window}, errors: map[[2]string]*failure{}}
}

// add takes a sample in; whole says that the figures are those of all samples.
func (f *figures) add(s *jtl.Sample, whole bool) {
	errors := s.Errors()
	elapsed := float64(s.Elapsed)
	f.all.add(elapsed)
	f.percentiles.add(elapsed)
	if s.Success {
		f.successes += int64(s.SampleCount) - errors
		f.ok.add(elapsed)
	} else {
		f.failures += errors
		f.ko.add(elapsed)
		f.fail(s, errors)
	}
	f.hits += hits(s, whole)
	if !whole || !isTransaction(s) || len(s.Subs) > 0 {
		f.sent += s.SentBytes
		f.got += s.Bytes
	}
}

func (f *figures) fail(s *jtl.Sample, n int64) {
	code, message := s.Code, s.Message
	if m := s.FailureMessage(); m != "" {
		code, message = "Assertion failed", m
	}
	if code = strings.TrimSpace(code); code == "" {
		code = "0"
	}
	if message = strings.TrimSpace(message); message == "" {
		message = "None"
	}
	key := [2]string{strings.ToLower(code), strings.ToLower(message)}
	e := f.errors[key]
	if e == nil {
		e = &failure{code: code, message: message}
		f.errors[key] = e
		f.errorsInTurn = append(f.errorsInTurn, e)
	}
	e.count += n
}

func isTransaction(s *jtl.Sample) bool { return strings.HasPrefix(s.Message, elem.TransactionPrefix) }

// hits are the requests of a sample and of its parts; a transaction is none.
func hits(s *jtl.Sample, whole bool) int64 {
	if whole && isTransaction(s) && len(s.Subs) == 0 {
		return 0
	}
	n := int64(s.SampleCount)
	if isTransaction(s) && len(s.Subs) > 0 {
		n = 0
	}
	for _, sub := range s.Subs {
		n += hits(sub, whole)
	}
	return n
}

func (f *figures) total() int64 { return f.successes + f.failures }

// interval begins a new one. The statistics go on unless they are timed.
func (f *figures) interval() {
	if f.timed {
		f.ok.clear()
		f.ko.clear()
		f.all.clear()
	}
	clear(f.errors)
	f.errorsInTurn = f.errorsInTurn[:0]
	f.successes, f.failures, f.hits, f.sent, f.got = 0, 0, 0, 0, 0
}

// table holds the figures by label, in the order of their first sample, and the
// number of active threads as it was at each sample.
type table struct {
	settings settings
	all      *figures
	byLabel  map[string]*figures
	labels   []string
	threads  window
}

func newTable(s settings) table {
	return table{settings: s, byLabel: map[string]*figures{}, threads: window{size: s.window}}
}

// add takes a sample in, for its label too where named.
func (t *table) add(s *jtl.Sample, active int64, named bool) {
	t.threads.add(float64(active))
	if named {
		f := t.byLabel[s.Label]
		if f == nil {
			f = newFigures(t.settings)
			t.byLabel[s.Label] = f
			t.labels = append(t.labels, s.Label)
		}
		f.add(s, false)
	}
	if t.all == nil {
		t.all = newFigures(t.settings)
	}
	t.all.add(s, true)
}

// active are the least, greatest and mean number of threads; 0 without a sample.
func (t *table) active() (least, greatest, mean int64) {
	if len(t.threads.values) == 0 {
		return 0, 0, 0
	}
	return int64(t.threads.min()), int64(t.threads.max()), int64(t.threads.mean())
}
