package listener

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/jtl"
)

// Filter chooses rows, by the options of jmeter-plugins' command line and some of
// our own. The zero value takes every one. It is made ready by Prepare and may then
// be shared.
type Filter struct {
	// Include and Exclude are lists of labels with commas between, or each a
	// regular expression that must match the whole label.
	Include, Exclude           string
	IncludeRegex, ExcludeRegex bool
	// Success takes successful or failed rows only; nil takes both.
	Success *bool
	// StartOffset and EndOffset are seconds from the first row of the file; 0 is none.
	StartOffset, EndOffset int64
	// From and To are the first and the last start time to take, epoch ms; 0 is open.
	From, To int64

	include, exclude   func(string) bool
	offFrom, offTo     int64 // what the offsets come to, of start times
	includes, excludes bool
}

// Prepare compiles the patterns and, when there are offsets, looks at the first
// row of the file.
func (f *Filter) Prepare(path string, opt jtl.ReadOptions) error {
	var err error
	if f.include, err = labels(f.Include, f.IncludeRegex); err != nil {
		return fmt.Errorf("labels to include: %w", err)
	}
	if f.exclude, err = labels(f.Exclude, f.ExcludeRegex); err != nil {
		return fmt.Errorf("labels to exclude: %w", err)
	}
	f.includes, f.excludes = f.Include != "", f.Exclude != ""
	f.offFrom, f.offTo = math.MinInt64, math.MaxInt64
	if f.StartOffset <= 0 && f.EndOffset <= 0 {
		return nil
	}
	if st, err := os.Stat(path); path == "-" || err == nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%s can be read but once: seconds from its first row need a file", path)
	}
	first, ok, err := firstStart(path, opt)
	if err != nil || !ok {
		return err
	}
	// The plug-ins count from whole seconds: the start from that before the first
	// row, the end from that after it.
	if f.StartOffset > 0 {
		f.offFrom = first - first%1000 + f.StartOffset*1000
	}
	if f.EndOffset > 0 {
		f.offTo = (first+999)/1000*1000 + f.EndOffset*1000
	}
	return nil
}

// labels is the meaning of a list of labels.
func labels(list string, regex bool) (func(string) bool, error) {
	if regex {
		p, err := htmlreport.WholePattern(list)
		if err != nil {
			return nil, err
		}
		return p.Matches, nil
	}
	names := strings.Split(list, ",")
	return func(label string) bool { return slices.Contains(names, label) }, nil
}

// firstStart is when the first row of a file started.
func firstStart(path string, opt jtl.ReadOptions) (start int64, ok bool, err error) {
	opt.Workers = 1
	stop := fmt.Errorf("stop")
	_, err = jtl.ReadFile(path, opt, func(_ int, r *jtl.Row) error {
		start, ok = r.Start, true
		return stop
	})
	if ok {
		err = nil
	}
	return start, ok, err
}

// Timed tells whether the filter chooses by times.
func (f *Filter) Timed() bool {
	return f.StartOffset > 0 || f.EndOffset > 0 || f.From != 0 || f.To != 0
}

// TakesLabel tells whether rows of the label may pass.
func (f *Filter) TakesLabel(label string) bool {
	return (!f.includes || f.include(label)) && (!f.excludes || !f.exclude(label))
}

// TakesRow tells whether a row passes, its label apart.
func (f *Filter) TakesRow(r *jtl.Row) bool { return f.takes(r.Success, r.Start) }

// TakesSample tells whether a sample passes.
func (f *Filter) TakesSample(s *jtl.Sample) bool {
	return f.takes(s.Success, s.Start) && f.TakesLabel(s.Label)
}

func (f *Filter) takes(success bool, start int64) bool {
	switch {
	case f.Success != nil && success != *f.Success:
		return false
	case start < f.offFrom || start > f.offTo:
		return false
	case f.From != 0 && start < f.From, f.To != 0 && start > f.To:
		return false
	}
	return true
}
