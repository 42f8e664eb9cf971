package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/jtl"
)

// convertCommand is `gojm convert`.
func convertCommand(std stdio) *cobra.Command {
	var props propertyFlags
	var out outputFlags
	var format string
	cmd := resultVerb("convert results.jtl", "Write a result file as CSV, XML or JSON Lines",
		`Writes the samples of a result file in another format, which --format or the
ending of the output names: .csv or .jtl, .xml, .json, .jsonl or .ndjson, and .gz
or .zst after it. Columns keep their names in JSON Lines. In CSV, samples that are
inside another one of XML are rows of their own, as JMeter writes them. JSON Lines
are read again, like results of any other form, by every command.`,
		cobra.ExactArgs(1), func(args []string) error {
			read, err := props.read()
			if err != nil {
				return err
			}
			encode, err := encoderFor(cmp.Or(format, baseFormat(out.path)))
			if err != nil {
				return err
			}
			read.MaxBad = maxToldLines
			return out.write(std, func(w io.Writer) error {
				r, err := jtl.Open(args[0], read)
				if err != nil {
					return err
				}
				defer r.Close()
				c := jtl.ConfigFor(read, r.Info())
				e := encode(c)
				at := c.VarsOf(r.Info())
				b := e.start(nil)
				rep, err := r.ReadSamples(func(s *jtl.Sample) error {
					jtl.ArrangeVars(s, at)
					b = e.sample(b, s)
					_, err := w.Write(b)
					b = b[:0]
					return err
				})
				if err != nil {
					return err
				}
				damage(std, args[0], rep)
				_, err = w.Write(e.end(b))
				return err
			})
		})
	cmd.Flags().StringVar(&format, "format", "", "`csv`, xml or json")
	out.bind(cmd.Flags())
	props.bind(cmd.Flags())
	return cmd
}

// encoder writes samples in a format.
type encoder struct {
	start, end func([]byte) []byte
	sample     func([]byte, *jtl.Sample) []byte
}

// encoderFor finds a format by its name.
func encoderFor(name string) (func(*jtl.Config) encoder, error) {
	native := func(f jtl.Format) func(*jtl.Config) encoder {
		return func(c *jtl.Config) encoder {
			c.Format = f
			c.Assertions = c.Assertions || f == jtl.XML && c.FailureMessage // which XML has nowhere else
			return encoder{start: c.AppendStart, end: c.AppendEnd, sample: c.Append}
		}
	}
	switch name {
	case "csv":
		return native(jtl.CSV), nil
	case "xml":
		return native(jtl.XML), nil
	case "json":
		return native(jtl.JSON), nil
	case "":
		return nil, errors.New("which format? Say --format csv, xml or json")
	}
	return nil, fmt.Errorf("--format: %q is not csv, xml or json", name)
}
