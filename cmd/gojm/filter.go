package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/htmlreport/listener"
	"github.com/gojm/gojm/jtl"
)

// filterCommand is `gojm filter`, the equal of jmeter-plugins' FilterResults.
func filterCommand(std stdio) *cobra.Command {
	var props propertyFlags
	var which filterFlags
	var out outputFlags
	cmd := resultVerb("filter results.jtl", "Copy the samples of some labels, times or outcomes",
		`Copies those rows of a result file that pass all of the given filters, as they
stand in it: no column is lost or written otherwise. Of an XML file, the samples
inside another one go with it.`,
		cobra.ExactArgs(1), func(args []string) error {
			read, err := props.read()
			if err != nil {
				return err
			}
			filter, err := which.filter()
			if err != nil {
				return err
			}
			if err := filter.Prepare(args[0], read); err != nil {
				return err
			}
			return out.write(std, func(w io.Writer) error {
				kept, rep, err := copyRows(w, args[0], read, &filter)
				if err != nil {
					return err
				}
				damage(std, args[0], rep)
				if kept == 0 {
					return fmt.Errorf("%s: %w", args[0], htmlreport.NoSamples([]jtl.Report{*rep}))
				}
				fmt.Fprintf(std.err, "%d of %s\n", kept, count(int(rep.Rows), "row"))
				return nil
			})
		})
	which.bind(cmd.Flags())
	out.bind(cmd.Flags())
	props.bind(cmd.Flags())
	return cmd
}

// timeless refuses a file whose rows do not tell their times.
func timeless(path string) error {
	return fmt.Errorf("%s: the results have no column timeStamp, by which they would be chosen or joined", path)
}

// copyRows copies what the filter takes, in file order, as a whole file.
func copyRows(w io.Writer, path string, read jtl.ReadOptions, filter *listener.Filter) (kept int64, rep *jtl.Report, err error) {
	read.Workers, read.Raw, read.TopOnly, read.MaxBad = 1, true, true, maxToldLines
	r, err := jtl.Open(path, read)
	if err != nil {
		return 0, nil, err
	}
	defer r.Close()
	if filter.Timed() && !r.Info().Has(jtl.ColTimeStamp) {
		return 0, nil, timeless(path)
	}
	line := r.AppendRawStart(nil)
	if _, err := w.Write(line); err != nil {
		return 0, nil, err
	}
	labels := map[string]bool{}
	rep, err = r.Read(func(_ int, row *jtl.Row) error {
		takes, known := labels[string(row.Label)]
		if !known {
			takes = filter.TakesLabel(string(row.Label))
			labels[string(row.Label)] = takes
		}
		if !takes || !filter.TakesRow(row) {
			return nil
		}
		kept++
		line = append(append(line[:0], row.Raw...), '\n')
		_, err := w.Write(line)
		return err
	})
	var damaged *jtl.DamagedError
	if err != nil && !errors.As(err, &damaged) { // who wants the rows before the damage has a whole file
		return kept, rep, err
	}
	end := jtl.Config{Format: r.Info().Format}
	_, endErr := w.Write(end.AppendEnd(nil))
	return kept, rep, errors.Join(err, endErr)
}
