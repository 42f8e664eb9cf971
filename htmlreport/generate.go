package htmlreport

import (
	"errors"
	"fmt"

	"github.com/gojm/gojm/jtl"
)

// ErrNoSamples says that nothing was left to report on.
var ErrNoSamples = errors.New("no samples")

// Generate reads result files and writes the dashboard, index.html and
// statistics.json, into the folder out, which CheckOutput must accept.
func Generate(src []string, out string, opt Options) (*Report, error) {
	if err := CheckOutput(out); err != nil {
		return nil, err
	}
	r, err := Read(src, opt)
	if err != nil {
		return nil, err
	}
	return r, r.Write(out)
}

// Read reads result files, of any form that package jtl knows, as one run.
// Lines that cannot be read are skipped and counted in Report.Sources. No sample
// at all, or none within the filters, is ErrNoSamples.
func Read(src []string, opt Options) (*Report, error) {
	whole, sources, err := gather(src, &opt)
	if err != nil {
		return nil, err
	}
	r := build(whole, &opt, sources)
	r.readHealth()
	return r, nil
}

// gather adds result files up.
func gather(src []string, opt *Options) (*shard, []Source, error) {
	if len(src) == 0 {
		return nil, nil, errors.New("no result file")
	}
	if opt.Window > 0 {
		opt.Read.Workers = 1 // the newest values are a matter of order
	}
	sec := newSeconds(opt)
	whole := newShard(opt, sec)
	var sources []Source
	for i, path := range src {
		source, err := whole.read(path, i)
		if err != nil {
			return nil, nil, err
		}
		sources = append(sources, *source)
	}
	if err := whole.check(sources); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", src[0], err)
	}
	return whole, sources, nil
}

// read adds one file.
func (s *shard) read(path string, file int) (*Source, error) {
	r, err := jtl.Open(path, s.opt.Read)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	// The first worker goes on with what earlier files gave; with a window in
	// force it is the only one.
	shards := make([]*shard, r.Workers())
	for i := range shards {
		shards[i] = s
		if i > 0 {
			shards[i] = newShard(s.opt, s.seconds)
		}
		shards[i].file = file
		shards[i].batch.chunk = -1
		for _, c := range shards[i].customs {
			if err := c.bind(r.Info()); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	outside := s.outside
	report, err := r.Read(func(worker int, row *jtl.Row) error {
		if err := shards[worker].add(row); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	if err == nil || report.Damaged != nil {
		if err = Needed(r.Info(), report); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, o := range shards {
		o.finish()
		if o != s {
			s.merge(o)
		}
	}
	return &Source{Path: path, Info: *r.Info(), Read: *report, Outside: s.outside - outside}, nil
}

// Needed refuses rows that do not tell when a sample was, how long it took, or
// whether it failed: taken for 1970, for 0 ms or for a failure, they would give a
// wrong report.
func Needed(info *jtl.Info, read *jtl.Report) error {
	for _, c := range []jtl.Column{jtl.ColTimeStamp, jtl.ColElapsed, jtl.ColSuccess} {
		if read.Rows > 0 && !info.Has(c) {
			return fmt.Errorf("the results have no column %s, without which no report is right", c)
		}
	}
	return nil
}

// check refuses a report on nothing, and says why there is nothing.
func (s *shard) check(sources []Source) error {
	counted := false
	for _, l := range s.labels {
		counted = counted || !l.excluded
	}
	if counted {
		return nil
	}
	switch {
	case s.rows > 0 && s.outside == s.rows:
		return fmt.Errorf("%w: all %d are outside start_date and end_date", ErrNoSamples, s.rows)
	case s.rows > 0 && s.implausible == s.rows:
		return fmt.Errorf("%w: all %d hold a time or a size beyond any run", ErrNoSamples, s.rows)
	case s.rows > 0 && s.opt.SampleFilter != nil:
		return fmt.Errorf("%w: %ssample_filter %q matches no label", ErrNoSamples, prefix, s.opt.SampleFilter)
	}
	var reads []jtl.Report
	for _, src := range sources {
		reads = append(reads, src.Read)
	}
	return NoSamples(reads)
}

// NoSamples is ErrNoSamples with the reason that reading results without any of
// their rows gives.
func NoSamples(reads []jtl.Report) error {
	var rows, skipped int64
	for _, r := range reads {
		rows += r.Rows
		skipped += r.Skipped
	}
	for _, r := range reads {
		switch {
		case rows > 0:
		case len(r.Bad) > 0:
			return fmt.Errorf("%w: none of %d lines could be read; line %d: %s", ErrNoSamples, skipped, r.Bad[0].Line, r.Bad[0].Reason)
		case r.Damaged != nil:
			return fmt.Errorf("%w: %w", ErrNoSamples, r.Damaged)
		case r.Truncated:
			return fmt.Errorf("%w: the file is cut off before its first row ends", ErrNoSamples)
		}
	}
	if rows > 0 {
		return fmt.Errorf("%w: the filter takes none of %d rows", ErrNoSamples, rows)
	}
	return fmt.Errorf("%w in the result file", ErrNoSamples)
}
