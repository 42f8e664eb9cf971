package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/htmlreport/listener"
	"github.com/gojm/gojm/jtl"
)

// mergeCommand is `gojm merge`.
func mergeCommand(std stdio) *cobra.Command {
	var props propertyFlags
	var out outputFlags
	var format string
	var hosts, prefixes []string
	var noHost, align bool
	var which filterFlags
	cmd := resultVerb("merge results.jtl ...", "Join result files, by time",
		`Joins the result files of several generators, or parts of a run, into one. Samples
come in the order in which they ended, as if one generator had written them all;
each file is taken to be in that order by itself. The result has the columns and
variables of all files together: what a file lacks is 0 or empty.

Where a sample names no host, the column Hostname gets that of its file: the word
of --host, one for each file, or the file's name without its ending, with so many
of its folders as tell it from the others.

To set runs of different times beside each other, --align moves them to the begin
of the first and --prefix tells their labels apart; filters count by the times in
the files.`,
		cobra.MinimumNArgs(1), func(args []string) error {
			read, err := props.read()
			if err != nil {
				return err
			}
			if len(hosts) > 0 && len(hosts) != len(args) {
				return fmt.Errorf("--host is given %d times for %s", len(hosts), count(len(args), "file"))
			}
			if len(prefixes) > 0 && len(prefixes) != len(args) {
				return fmt.Errorf("--prefix is given %d times for %s", len(prefixes), count(len(args), "file"))
			}
			filter, err := which.filter()
			if err != nil {
				return err
			}
			encode, err := encoderFor(cmp.Or(format, baseFormat(out.path), "csv"))
			if err != nil {
				return err
			}
			return out.write(std, func(w io.Writer) error {
				tellTwice(std, args)
				m, err := openMerge(args, read, filter)
				if err != nil {
					return err
				}
				defer m.close()
				m.align = align
				names := hostsOf(args)
				for i, in := range m.files {
					if len(prefixes) > 0 {
						in.prefix = prefixes[i]
					}
					switch {
					case noHost:
					case len(hosts) > 0:
						in.host = hosts[i]
					default:
						in.host = names[i]
					}
				}
				c := jtl.ConfigFor(read, m.infos()...)
				c.Hostname = c.Hostname || !noHost
				if align && !c.StampStart { // moved by starts, ends have ms again
					c.DateFormat = nil
				}
				if err := m.write(w, c, encode(c)); err != nil {
					return err
				}
				rows := int64(0)
				for _, in := range m.files {
					damage(std, in.path, in.report)
					rows += in.taken
				}
				if rows == 0 {
					return m.nothing()
				}
				fmt.Fprintf(std.err, "%s of %s\n", count(int(rows), "row"), count(len(m.files), "file"))
				tellHealth(std, args)
				return nil
			})
		})
	cmd.Flags().StringVar(&format, "format", "", "`csv`, xml or json; without it the ending of the output tells")
	cmd.Flags().StringArrayVar(&hosts, "host", nil, "the `name` of a file's generator, once for each file")
	cmd.Flags().BoolVar(&noHost, "no-host", false, "add no host names")
	cmd.Flags().StringArrayVar(&prefixes, "prefix", nil, "a `text` before the labels of a file, once for each file")
	cmd.Flags().BoolVar(&align, "align", false, "move the times of all files so that they begin with the first one")
	which.bind(cmd.Flags())
	out.bind(cmd.Flags())
	props.bind(cmd.Flags())
	return cmd
}

// tellHealth says that how the generators fared, each by itself, is not in one file.
func tellHealth(std stdio, paths []string) {
	n := 0
	for _, path := range paths {
		if _, err := os.Stat(path + jtl.HealthSuffix); err == nil {
			n++
		}
	}
	if n > 0 {
		fmt.Fprintf(std.err, "Not merged: the generators' health in %s beside the results; gojm -g with all the results shows it\n",
			count(n, "*"+jtl.HealthSuffix+" file"))
	}
}

// hostsOf is what each file's samples are from, as far as the shortest name tells
// that no other file has.
func hostsOf(paths []string) []string {
	names := make([]string, len(paths))
	tails := make([][]string, len(paths))
	for i, path := range paths {
		tails[i] = tailsOf(path)
	}
	for i, mine := range tails {
		names[i] = mine[0]
		for n := range mine {
			taken := slices.ContainsFunc(tails, func(other []string) bool {
				return !slices.Equal(other, mine) && other[min(n, len(other)-1)] == mine[n]
			})
			if !taken {
				names[i] = mine[n]
				break
			}
		}
	}
	return names
}

// tailsOf are the names of a file, from the last part of its path without its
// ending over more and more of its folders to the whole.
func tailsOf(path string) []string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	short := path
	for _, end := range []string{".gz", ".zst", ".bz2", ".zip", ".jtl", ".csv", ".xml"} {
		short = strings.TrimSuffix(short, end)
	}
	var tails []string
	for i := len(short) - 1; i >= 0; i-- {
		if short[i] == '/' {
			tails = append(tails, short[i+1:])
		}
	}
	return append(tails, path[strings.LastIndexByte(path, '/')+1:], path)
}

// merge joins files whose samples are in order.
type merge struct {
	files []*merging
	align bool
}

// merging is one of the files, and the sample that comes next from it.
type merging struct {
	path   string
	host   string
	prefix string // of labels
	filter listener.Filter
	shift  int64 // of all times, ms
	taken  int64 // samples that passed the filter, those inside others apart
	reader *jtl.Reader
	next   func() (*jtl.Sample, bool)
	stop   func()
	head   *jtl.Sample
	vars   []int
	report *jtl.Report
	err    error
}

func openMerge(paths []string, read jtl.ReadOptions, filter listener.Filter) (*merge, error) {
	read.MaxBad = maxToldLines
	m := &merge{}
	for _, path := range paths {
		f := filter // offsets are those of the file
		err := f.Prepare(path, read)
		var r *jtl.Reader
		if err == nil {
			r, err = jtl.Open(path, read)
		}
		if err != nil {
			m.close()
			return nil, err
		}
		if (len(paths) > 1 || f.Timed()) && !r.Info().Has(jtl.ColTimeStamp) {
			r.Close()
			m.close()
			return nil, timeless(path)
		}
		in := &merging{path: path, reader: r, report: &jtl.Report{}, filter: f}
		in.next, in.stop = iter.Pull(in.samples)
		m.files = append(m.files, in)
	}
	return m, nil
}

// errEnough ends a read that nobody listens to any more.
var errEnough = errors.New("enough")

func (in *merging) samples(yield func(*jtl.Sample) bool) {
	rep, err := in.reader.ReadSamples(func(s *jtl.Sample) error {
		if !in.filter.TakesSample(s) {
			return nil
		}
		in.taken++
		if !yield(s) {
			return errEnough
		}
		return nil
	})
	if rep != nil {
		in.report = rep
	}
	if !errors.Is(err, errEnough) {
		in.err = err
	}
}

// nothing says why no sample was taken.
func (m *merge) nothing() error {
	var reads []jtl.Report
	for _, in := range m.files {
		reads = append(reads, *in.report)
	}
	return htmlreport.NoSamples(reads)
}

func (m *merge) infos() []*jtl.Info {
	var all []*jtl.Info
	for _, in := range m.files {
		all = append(all, in.reader.Info())
	}
	return all
}

func (m *merge) close() {
	for _, in := range m.files {
		in.stop()
		in.reader.Close()
	}
}

// advance takes the next sample of the file.
func (in *merging) advance() error {
	in.head, _ = in.next()
	if in.head != nil {
		in.dress(in.head)
	}
	return in.err
}

// dress gives a sample, with those inside it, the prefix and the times it is to have.
func (in *merging) dress(s *jtl.Sample) {
	s.Label = in.prefix + s.Label
	s.Start += in.shift
	s.End += in.shift
	for _, sub := range s.Subs {
		in.dress(sub)
	}
}

// write writes all samples, that which ended first at the head of its file first;
// of several the one of the file named first.
func (m *merge) write(w io.Writer, c *jtl.Config, e encoder) error {
	var open []*merging
	for _, in := range m.files {
		in.vars = c.VarsOf(in.reader.Info())
		if err := in.advance(); err != nil {
			return err
		}
		if in.head != nil {
			open = append(open, in)
		}
	}
	if m.align && len(open) > 0 {
		for _, in := range open[1:] {
			shift := open[0].head.Start - in.head.Start
			in.shift = shift
			moved := &merging{shift: shift}
			moved.dress(in.head)
		}
	}
	b := e.start(nil)
	for len(open) > 0 {
		first := 0
		for i := range open {
			if open[i].head.End < open[first].head.End {
				first = i
			}
		}
		in := open[first]
		s := in.head
		if s.Hostname == "" {
			s.Hostname = in.host
		}
		jtl.ArrangeVars(s, in.vars)
		b = e.sample(b, s)
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
		if err := in.advance(); err != nil {
			return err
		}
		if in.head == nil {
			open = slices.Delete(open, first, first+1)
		}
	}
	_, err := w.Write(e.end(b))
	return err
}
