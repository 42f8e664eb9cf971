package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// version is set by the Makefile.
var version = "dev"

// stdio is the console.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// run is the whole program but for the exit. The first word decides: a verb is
// a verb; everything else is JMeter's command line.
func run(args []string, std stdio) int {
	root := rootCommand(std)
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	err := root.Execute()
	var quiet said
	if err != nil && !errors.As(err, &quiet) {
		var usage usageError
		if errors.As(err, &usage) {
			fmt.Fprint(std.out, "Usage\n"+optionList())
			fmt.Fprintln(std.out, "Error: "+err.Error())
		}
		fmt.Fprintln(std.err, "Error: "+err.Error())
	}
	return exitCode(err)
}

func rootCommand(std stdio) *cobra.Command {
	root := &cobra.Command{
		Use:   "gojm -n -t plan.jmx [-l results.jtl] [-e -o report] [-Jname=value ...]",
		Short: "Runs Apache JMeter test plans natively",
		Long: "gojm runs Apache JMeter test plans natively, with JMeter's own command line.\n\n" +
			"JMeter's options:\n" + optionList(),
		DisableFlagParsing: true,
		SilenceErrors:      true,
		SilenceUsage:       true,
		Args:               cobra.ArbitraryArgs,
		RunE:               func(cmd *cobra.Command, args []string) error { return jmeter(cmd, args, std) },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(verbs(std)...)
	return root
}

// jmeter does what `jmeter` does with the same words.
func jmeter(cmd *cobra.Command, args []string, std stdio) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	opts, err := canonical(args)
	if err != nil {
		if strings.HasPrefix(err.Error(), "Unknown arg") {
			fmt.Fprintln(std.out, "An error occurred: "+err.Error())
			return said{err}
		}
		return usageError{err}
	}
	s, err := load(opts)
	if err != nil {
		return err
	}
	startProperties(s.props, time.Now())
	switch {
	case s.version:
		fmt.Fprintf(std.out, "gojm %s (runs plans as Apache JMeter 5.6.3 does)\n", version)
		return nil
	case s.help, s.options:
		return cmd.Help()
	case s.reportsOnly():
		return reportOnly(s, std)
	}
	return runPlan(s, opts, std)
}

// optionList is JMeter's list of options.
func optionList() string {
	var b strings.Builder
	for _, o := range options {
		value := ""
		switch o.kind {
		case oneArg:
			value = " <argument>"
		case pairArg:
			value = " <argument>=<value>"
		}
		short := ""
		if o.short != 0 {
			short = "-" + string(rune(o.short)) + ", "
		}
		fmt.Fprintf(&b, "\t%s--%s%s\n\t\t%s\n", short, o.long, value, o.help)
	}
	return b.String()
}
