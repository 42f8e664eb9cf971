package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/htmlreport/listener"
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
or, if it is XML, its end tag. Nothing is guessed at.`,
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
			var all listener.Filter
			if err := all.Prepare(args[0], read); err != nil {
				return err
			}
			return out.write(std, func(w io.Writer) error {
				kept, rep, err := copyRows(w, args[0], read, &all)
				if err != nil {
					return err
				}
				damage(std, args[0], rep)
				if kept == 0 {
					return fmt.Errorf("%s: no row can be read", args[0])
				}
				fmt.Fprintf(std.err, "%s kept, %s left out\n", count(int(kept), "row"), count(int(rep.Skipped), "line"))
				return nil
			})
		})
	cmd.Flags().BoolVar(&inPlace, "in-place", false, "put the copy in the place of the file")
	out.bind(cmd.Flags())
	props.bind(cmd.Flags())
	return cmd
}
