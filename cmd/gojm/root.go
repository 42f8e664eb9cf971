package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
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
	live     *liveLine // nil where standard error is no terminal
}

// errDistributed refuses what needs more than one machine.
var errDistributed = errors.New("distributed runs (-r, -R, -s) are not supported yet")

// run is the whole program but for the exit. The first word decides: a verb is
// a verb; everything else is JMeter's command line, in which no word is one.
func run(args []string, std stdio) int {
	outliveFileSize()
	root := rootCommand(std)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	var err error
	switch {
	case len(args) == 0:
		fmt.Fprint(std.err, help(root))
		err = said{errors.New("nothing to do")}
	case isVerb(root, args[0]):
		root.SetArgs(joinYesNo(args))
		root.SetIn(std.in)
		root.SetOut(std.out)
		root.SetErr(std.err)
		err = root.Execute()
	default:
		err = jmeter(root, args, std)
	}
	tell(err, std)
	return exitCode(err)
}

func isVerb(root *cobra.Command, word string) bool {
	return strings.HasPrefix(word, "__complete") || // what the shell's completion calls
		slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == word || c.HasAlias(word) })
}

// rootCommand holds the verbs. JMeter's options are declared on it for the
// completion of the shell; they are read by parse.
func rootCommand(std stdio) *cobra.Command {
	root := &cobra.Command{
		Use:           "gojm",
		Short:         "Runs Apache JMeter test plans natively",
		SilenceErrors: true,
		SilenceUsage:  true,
		Run:           func(*cobra.Command, []string) {},
	}
	for _, o := range options {
		short := ""
		if o.short >= 'A' {
			short = string(o.short)
		}
		switch {
		case o.short == '?':
		case o.kind == noArg:
			root.Flags().BoolP(o.long, short, false, o.help)
		case o.repeat:
			root.Flags().StringArrayP(o.long, short, nil, o.help)
		default:
			root.Flags().StringP(o.long, short, "", o.help)
		}
	}
	root.AddCommand(verbs(std)...)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if cmd == root {
			fmt.Fprint(std.out, help(root))
			return
		}
		fmt.Fprintf(std.out, "%s\n\n%s", cmp.Or(cmd.Long, cmd.Short+"."), cmd.UsageString())
	})
	return root
}

// jmeter does what `jmeter` does with the same words.
func jmeter(root *cobra.Command, args []string, std stdio) error {
	opts, err := parse(args)
	if err != nil {
		return err
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
	case s.help:
		fmt.Fprint(std.out, help(root))
		return nil
	case s.options:
		fmt.Fprint(std.out, optionList())
		return nil
	case len(s.inputs) > 0 && !s.server:
		return reportOnly(s, std)
	}
	if err := s.runnable(); err != nil {
		return err
	}
	return runPlan(s, std)
}

// help is the usage in short.
func help(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(`gojm runs Apache JMeter test plans natively, with JMeter's own command line.

Run a plan, write its results, leave a dashboard:
	gojm -n -t plan.jmx -l results.jtl -e -o report [-Jname=value ...]

Make a dashboard of results that exist:
	gojm -g results.jtl -o report

Other commands:
`)
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			fmt.Fprintf(&b, "\tgojm %-11s %s\n", c.Name(), c.Short)
		}
	}
	b.WriteString("\nAll options: gojm -?\n")
	return b.String()
}

// optionList is JMeter's list of options, in its layout.
func optionList() string {
	var b strings.Builder
	for _, o := range options {
		b.WriteByte('\t')
		if o.short >= 'A' {
			fmt.Fprintf(&b, "-%c, ", o.short)
		}
		b.WriteString("--" + o.long)
		switch o.kind {
		case oneArg:
			b.WriteString(" <argument>")
		case pairArg:
			b.WriteString(" <argument>=<value>")
		}
		b.WriteByte('\n')
		for _, line := range wrap(o.help, 60) {
			b.WriteString("\t\t" + line + "\n")
		}
	}
	return b.String()
}

// wrap breaks a text into lines of no more than width bytes.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
