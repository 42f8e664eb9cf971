package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/htmlreport/listener"
	"github.com/gojm/gojm/jtl"
)

// repairCommand is `gojm repair`: what can be read of a damaged result file.
func repairCommand(std stdio) *cobra.Command {
	var props propertyFlags
	var out outputFlags
	var inPlace bool
	cmd := resultVerb("repair results.jtl", "Copy a damaged result file without the damage",
		`Copies the rows of a result file that can be read, as they stand in it, and
nothing else: lines that are no row, a row cut off at the end, empty lines and
headers in the middle are left out and told of. The copy has a header line
or, if it is XML, its end tag. Nothing is guessed at.

Where the file is several in one, since a header of other columns stands in its
middle, the copy has the columns of all of them; what a row lacks is 0, empty or null.`,
		cobra.ExactArgs(1), func(args []string) error {
			if inPlace {
				if out.path != "" {
					return errors.New("--in-place and -o exclude each other")
				}
				out.path, out.replace = args[0], true
			}
			read, err := props.read()
			if err != nil {
				return err
			}
			read.Workers, read.MaxBad = 1, maxToldLines
			parts, err := partsOf(args[0], read)
			if err != nil {
				return err
			}
			return out.write(std, func(w io.Writer) error {
				r := &repairing{path: args[0], read: read, w: w}
				if err := r.copy(parts); err != nil {
					return err
				}
				rep := &r.report
				damage(std, args[0], rep)
				if r.damaged != nil {
					fmt.Fprintf(std.err, "Warning: %v; what came before it may hold wrong values, too\n", r.damaged)
				}
				if r.kept == 0 {
					return fmt.Errorf("%s: no row can be read", args[0])
				}
				left := rep.Skipped + rep.Blank + rep.Headers
				if rep.Truncated && !rep.RowsWhole {
					left++
				}
				fmt.Fprintf(std.err, "%s kept, %s left out", count(int(r.kept), "row"), count(int(left), "line"))
				if n := rep.Blank + rep.Headers; n > 0 {
					fmt.Fprintf(std.err, ", %d of them empty or a header again", n)
				}
				fmt.Fprintln(std.err)
				if len(parts) > 1 {
					fmt.Fprintf(std.err, "%d parts of different columns were made one\n", len(parts))
				}
				return nil
			})
		})
	cmd.Flags().BoolVar(&inPlace, "in-place", false, "put the copy in the place of the file")
	out.bind(cmd.Flags())
	props.bind(cmd.Flags())
	return cmd
}

// part is a stretch of a file with columns of its own.
type part struct {
	line int64 // its first
	info *jtl.Info
}

// partsOf finds where the columns of a file change. What can be read only once is
// one part.
func partsOf(path string, read jtl.ReadOptions) ([]part, error) {
	if path == "-" {
		return []part{{line: 1}}, nil
	}
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	var parts []part
	for line := int64(1); ; {
		read.FirstLine = line
		if !st.Mode().IsRegular() {
			return []part{{line: 1}}, nil
		}
		r, err := jtl.Open(path, read)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{line, r.Info()})
		_, err = r.Read(func(int, *jtl.Row) error { return nil })
		r.Close()
		var other *jtl.LayoutError
		if !errors.As(err, &other) {
			return parts, nil // an error shows again where rows are copied
		}
		if other.Line <= line { // behind a CR alone, on the same line
			return parts, nil
		}
		line = other.Line
	}
}

// repairing copies the readable rows of a file.
type repairing struct {
	path string
	read jtl.ReadOptions
	w    io.Writer

	kept    int64
	report  jtl.Report
	damaged *jtl.DamagedError
}

func (r *repairing) copy(parts []part) error {
	if len(parts) == 1 {
		var all listener.Filter
		if err := all.Prepare(r.path, r.read); err != nil && !errors.As(err, &r.damaged) {
			return err
		}
		kept, rep, err := copyRows(r.w, r.path, r.read, &all)
		return r.done(kept, rep, err)
	}
	var infos []*jtl.Info
	for _, p := range parts {
		infos = append(infos, p.info)
	}
	c := jtl.ConfigFor(r.read, infos...)
	if _, err := r.w.Write(c.AppendStart(nil)); err != nil {
		return err
	}
	for _, p := range parts {
		if err := r.convert(p, c); err != nil {
			return err
		}
	}
	return nil
}

// convert copies the rows of one part into the columns of c.
func (r *repairing) convert(p part, c *jtl.Config) error {
	read := r.read
	read.FirstLine = p.line
	from, err := jtl.Open(r.path, read)
	if err != nil {
		return err
	}
	defer from.Close()
	at := c.VarsOf(from.Info())
	kept := int64(0)
	var line []byte
	rep, err := from.ReadSamples(func(s *jtl.Sample) error {
		jtl.ArrangeVars(s, at)
		kept++
		line = c.Append(line[:0], s)
		_, err := r.w.Write(line)
		return err
	})
	var other *jtl.LayoutError
	if errors.As(err, &other) { // the next part
		err = nil
	}
	return r.done(kept, rep, err)
}

// done adds up how a part went.
func (r *repairing) done(kept int64, rep *jtl.Report, err error) error {
	if rep != nil {
		r.kept += kept
		r.report.Rows += rep.Rows
		r.report.Skipped += rep.Skipped
		r.report.Blank += rep.Blank
		r.report.Headers += rep.Headers
		r.report.Decoded += rep.Decoded
		r.report.Bad = append(r.report.Bad, rep.Bad...)
		r.report.Bad = r.report.Bad[:min(len(r.report.Bad), maxToldLines)]
		r.report.Truncated = r.report.Truncated || rep.Truncated
		r.report.RowsWhole = r.report.RowsWhole || rep.RowsWhole
	}
	if errors.As(err, &r.damaged) {
		return nil
	}
	return err
}
