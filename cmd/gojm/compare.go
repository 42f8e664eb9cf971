package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/htmlreport"
)

// brokenRule is the exit status of a comparison in which a rule is broken: that of
// thresholds that fail in k6.
const brokenRule = 99

// compareCommand is `gojm compare`.
func compareCommand(std stdio) *cobra.Command {
	var props propertyFlags
	var out outputFlags
	var format string
	var failOn []string
	cmd := resultVerb("compare before.jtl after.jtl", "Compare two runs, label by label",
		`Sets the results of the second run against those of the first, label by label:
samples, times, errors, throughput; how much longer samples took, with an interval
of confidence; and in a word whether the difference is clear and how large it is.
Ways of computing are explained on the page that -o page.html makes.

--fail-on makes the program end with 99 when a rule is broken, for use in CI; a
mistake, in a rule too, or results that cannot be read end it with 1.
`+htmlreport.RuleHelp,
		cobra.ExactArgs(2), func(args []string) error {
			var rules []htmlreport.Rule
			for _, text := range failOn {
				r, err := htmlreport.ParseRule(text)
				if err != nil {
					return fmt.Errorf("--fail-on: %w", err)
				}
				rules = append(rules, r)
			}
			if err := out.apartFrom(args); err != nil {
				return err
			}
			format, err := out.formatFor(format)
			if err != nil {
				return err
			}
			write, err := comparisonWriter(format)
			if err != nil {
				return err
			}
			opt, err := props.report()
			if err != nil {
				return err
			}
			opt.Read.MaxBad = maxToldLines
			done := std.showReading(args)
			c, err := htmlreport.Compare(args[:1], args[1:], opt)
			done()
			if err != nil {
				return err
			}
			for _, r := range []*htmlreport.Report{c.A, c.B} {
				for i := range r.Sources {
					damage(std, r.Sources[i].Path, &r.Sources[i].Read)
				}
				for i := range r.Generator.Limits {
					fmt.Fprintln(std.err, "Warning: "+r.Generator.Limits[i].String())
				}
			}
			c.Apply(rules)
			if err := out.write(std, func(w io.Writer) error { return write(c, w) }); err != nil {
				return err
			}
			if !c.Broken {
				return nil
			}
			if out.path != "" {
				for _, k := range c.Checks {
					if !k.Passed {
						fmt.Fprintf(std.err, "broken: %s %s: %s\n", k.Name, k.Limit, k.Value)
					}
				}
			}
			return exitError{said{errors.New("a rule is broken")}, brokenRule}
		})
	cmd.Flags().StringVar(&format, "format", "", "`table`, markdown, json or html; without it the ending of the output tells")
	cmd.Flags().StringArrayVar(&failOn, "fail-on", nil, "a `rule` that the second run must keep; may be given again")
	out.bind(cmd.Flags())
	props.bind(cmd.Flags())
	return cmd
}

// comparisonWriter finds a format by its name.
func comparisonWriter(name string) (func(*htmlreport.Comparison, io.Writer) error, error) {
	switch name {
	case "table":
		return (*htmlreport.Comparison).WriteText, nil
	case "markdown":
		return (*htmlreport.Comparison).WriteMarkdown, nil
	case "json":
		return (*htmlreport.Comparison).WriteJSON, nil
	case "html":
		return func(c *htmlreport.Comparison, w io.Writer) error {
			page, err := c.Page()
			if err != nil {
				return err
			}
			_, err = w.Write(page)
			return err
		}, nil
	}
	return nil, fmt.Errorf("format %q is not table, markdown, json or html", name)
}
