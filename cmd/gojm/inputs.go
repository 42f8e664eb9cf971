package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/htmlreport/listener"
	"github.com/gojm/gojm/jtl"
)

// propertyFlags are JMeter's properties for a verb that reads result files.
type propertyFlags struct{ set, files []string }

func (p *propertyFlags) bind(f *pflag.FlagSet) {
	f.StringArrayVarP(&p.set, "jmeterproperty", "J", nil, "a JMeter `property=value`, as for a run: how files without a header, dates or stamps are to be read")
	f.StringArrayVarP(&p.files, "addprop", "q", nil, "a `file` with more properties")
}

// load gives the settings that a run with these properties would have.
func (p *propertyFlags) load() (*settings, error) {
	var args []string
	for _, f := range p.files {
		args = append(args, "-q", f)
	}
	for _, s := range p.set {
		args = append(args, "-J"+s)
	}
	opts, err := parse(args)
	if err != nil {
		return nil, err
	}
	return load(opts)
}

// report are the options of a dashboard.
func (p *propertyFlags) report() (htmlreport.Options, error) {
	s, err := p.load()
	if err != nil {
		return htmlreport.Options{}, err
	}
	return htmlreport.OptionsFromProperties(s.props.LookupOwn, s.props.Names())
}

// read are the options of reading a result file.
func (p *propertyFlags) read() (jtl.ReadOptions, error) {
	opt, err := p.report()
	return opt.Read, err
}

// filterFlags choose rows, by the names that jmeter-plugins have for it.
type filterFlags struct {
	listener.Filter
	success  string
	from, to string
}

func (f *filterFlags) bind(fs *pflag.FlagSet) {
	fs.StringVar(&f.Include, "include-labels", "", "only these `labels`, with commas between")
	yesNoVar(fs, &f.IncludeRegex, "include-label-regex", "--include-labels is one regular expression for the whole label")
	fs.StringVar(&f.Exclude, "exclude-labels", "", "all but these `labels`")
	yesNoVar(fs, &f.ExcludeRegex, "exclude-label-regex", "--exclude-labels is a regular expression")
	fs.StringVar(&f.success, "success-filter", "", "`true`: only successes, false: only failures")
	fs.Int64Var(&f.StartOffset, "start-offset", 0, "leave out what started in the first `seconds` of the file")
	fs.Int64Var(&f.EndOffset, "end-offset", 0, "leave out what started later than so many `seconds` into the file")
	fs.StringVar(&f.from, "from", "", "first start `time` to take: 2006-01-02T15:04:05, with a zone or in the local one, or epoch ms or s")
	fs.StringVar(&f.to, "to", "", "last start `time` to take")
}

// filter is the filter that the flags ask for.
func (f *filterFlags) filter() (listener.Filter, error) {
	out := f.Filter
	if f.StartOffset < 0 || f.EndOffset < 0 {
		return out, fmt.Errorf("--start-offset, --end-offset: %d is below 0", min(f.StartOffset, f.EndOffset))
	}
	if f.success != "" {
		ok, err := strconv.ParseBool(f.success)
		if err != nil {
			return out, fmt.Errorf("--success-filter: %q is not true or false", f.success)
		}
		out.Success = &ok
	}
	var err1, err2 error
	out.From, err1 = moment("--from", f.from)
	out.To, err2 = moment("--to", f.to)
	switch err := errors.Join(err1, err2); {
	case err != nil:
		return out, err
	case out.To != 0 && out.From > out.To:
		return out, fmt.Errorf("--from %s is later than --to %s", f.from, f.to)
	case f.EndOffset > 0 && f.StartOffset > f.EndOffset:
		return out, fmt.Errorf("--start-offset %d is later than --end-offset %d", f.StartOffset, f.EndOffset)
	}
	return out, nil
}

// tellTwice says which files are given more than once, as rows are counted then.
func tellTwice(std stdio, paths []string) {
	for i, path := range paths {
		if slices.ContainsFunc(paths[:i], func(before string) bool { return sameFile(before, path) }) {
			fmt.Fprintf(std.err, "Warning: %s is given more than once, and its rows count as often\n", path)
		}
	}
}

// Numbers from firstSecond on are epoch seconds, those from firstMilli on ms: both
// begin in the 1970s, or later.
const firstSecond, firstMilli = 100_000_000, 100_000_000_000

// moment reads a time as epoch ms; none is 0.
func moment(flag, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		switch {
		case n == 0 || n >= firstMilli:
			return n, nil
		case n >= firstSecond:
			return n * 1000, nil
		}
		return 0, fmt.Errorf("%s: %s is no time of a run, in epoch ms or s", flag, text)
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t.UnixMilli(), nil
		}
	}
	return 0, fmt.Errorf("%s: %q is no time like 2006-01-02T15:04:05", flag, text)
}

// maxToldLines is how many bad lines a verb names.
const maxToldLines = 20

// damage says what of a file could not be read.
func damage(std stdio, path string, rep *jtl.Report) {
	if rep.Skipped > 0 {
		fmt.Fprintf(std.err, "Warning: %s: %s left out, since unreadable\n", path, count(int(rep.Skipped), "line")+are(rep.Skipped))
		for _, bad := range rep.Bad[:min(len(rep.Bad), maxToldLines)] {
			fmt.Fprintf(std.err, "  line %d: %s\n", bad.Line, bad.Reason)
		}
		if more := rep.Skipped - int64(len(rep.Bad)); more > 0 {
			fmt.Fprintf(std.err, "  and %d more\n", more)
		}
	}
	if rep.Decoded > 0 {
		fmt.Fprintf(std.err, "Warning: %s: %s\n", path, decodedText(rep))
	}
	if rep.Damaged != nil {
		fmt.Fprintf(std.err, "Warning: %s: %v; only the rows before it are read, and may hold wrong values\n", path, rep.Damaged)
	}
	switch {
	case rep.RowsWhole:
		fmt.Fprintf(std.err, "Warning: %s: the file is cut off behind its last row; any behind it are missing\n", path)
	case rep.Truncated:
		fmt.Fprintf(std.err, "Warning: %s: the file ends inside a row, which is left out\n", path)
	}
}

// decodedText tells of rows whose text was not UTF-8.
func decodedText(rep *jtl.Report) string {
	return count(int(rep.Decoded), "row") + " with text that is not UTF-8, read as windows-1252"
}

// outputFlags are where a verb writes.
type outputFlags struct {
	path    string
	replace bool
}

func (o *outputFlags) bind(fs *pflag.FlagSet) {
	fs.StringVarP(&o.path, "output", "o", "", "write to this `file` (.gz and .zst compress it) instead of standard output")
	fs.BoolVarP(&o.replace, "force", "f", false, "replace the file if it exists")
}

// apartFrom refuses an output that is one of the inputs, by whatever name, for
// verbs whose output is no results that could take their place.
func (o *outputFlags) apartFrom(inputs []string) error {
	out, err := os.Stat(o.path)
	if err != nil {
		return nil // what is not there is no input
	}
	for _, in := range inputs {
		if st, err := os.Stat(in); err == nil && os.SameFile(out, st) {
			return fmt.Errorf("%s would be overwritten, which is to be read: nothing was written", in)
		}
	}
	return nil
}

// write has fill write the output. A file appears only when all went well.
func (o *outputFlags) write(std stdio, fill func(w io.Writer) error) error {
	if o.path == "" || o.path == "-" || o.path == "/dev/stdout" {
		w := bufio.NewWriterSize(std.out, 64<<10)
		if err := fill(w); err != nil {
			return err
		}
		return w.Flush()
	}
	if st, err := os.Stat(o.path); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		return intoDevice(o.path, fill)
	}
	out, err := jtl.CreateOutput(o.path, o.replace)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists; -f replaces it", o.path)
	}
	if err != nil {
		return err
	}
	defer atSignal(out.Unlink)()
	if err := fill(out); err != nil {
		return errors.Join(err, out.Abandon())
	}
	return out.Commit()
}

// intoDevice writes into what stays when it was written to, as /dev/null or a pipe.
func intoDevice(path string, fill func(w io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 64<<10)
	err = fill(w)
	if err == nil {
		err = w.Flush()
	}
	return errors.Join(err, f.Close())
}

// resultVerb is a verb that reads result files.
func resultVerb(use, short, long string, args cobra.PositionalArgs, run func(args []string) error) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Long: long,
		Args: func(cmd *cobra.Command, given []string) error {
			if args(cmd, given) != nil {
				return fmt.Errorf("%s given, but it goes: gojm %s", count(len(given), "file"), use)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := forgottenValue(cmd.Flags()); err != nil {
				return err
			}
			return run(args)
		}}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return wrongValue(err) })
	return cmd
}

// forgottenValue refuses a flag whose value is the name of another one.
func forgottenValue(set *pflag.FlagSet) (err error) {
	set.Visit(func(f *pflag.Flag) {
		name, _, _ := strings.Cut(f.Value.String(), "=")
		switch {
		case f.Value.Type() != "string" || !strings.HasPrefix(name, "-"):
		case strings.HasPrefix(name, "--") && set.Lookup(name[2:]) != nil, len(name) == 2 && set.ShorthandLookup(name[1:]) != nil:
			err = fmt.Errorf("--%s has no value: %s is an option itself", f.Name, name)
		}
	})
	return err
}

// wrongValue words what is wrong with the value of a flag.
func wrongValue(err error) error {
	var value *pflag.InvalidValueError
	var number *strconv.NumError
	if !errors.As(err, &value) || !errors.As(err, &number) {
		return err
	}
	what := "no number of its kind"
	switch {
	case errors.Is(number, strconv.ErrRange):
		what = "too large a number"
	case number.Func == "ParseBool":
		what = "not yes or no"
	}
	return fmt.Errorf("--%s: %q is %s", value.GetFlag().Name, value.GetValue(), what)
}

// baseFormat is what the ending of a name says of the content: csv, xml, json or "".
func baseFormat(path string) string {
	path = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".zst")
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "csv", "jtl":
		return "csv"
	case "xml":
		return "xml"
	case "json", "jsonl", "ndjson":
		return "json"
	}
	return ""
}

// shownFormat is what the ending of a name says of a table, a page or a drawing: csv,
// json, markdown, html, png or svg; "" says nothing.
func shownFormat(path string) string {
	path = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(path), ".gz"), ".zst")
	switch end := strings.TrimPrefix(filepath.Ext(path), "."); end {
	case "csv", "json", "html", "png", "svg":
		return end
	case "md", "markdown":
		return "markdown"
	case "htm":
		return "html"
	}
	return ""
}

// formatFor is the format that --format names, else that of the output's ending,
// else a table. An ending that is another's than a text's is none.
func (o *outputFlags) formatFor(named string) (string, error) {
	if format := cmp.Or(named, shownFormat(o.path)); format != "" {
		return format, nil
	}
	path := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(o.path), ".gz"), ".zst")
	switch end := filepath.Ext(path); end {
	case "", ".", ".txt", ".text", ".out", ".log", ".tmp":
		return "table", nil
	default:
		return "", fmt.Errorf("the ending %s of %s is that of no format; --format names one", end, o.path)
	}
}
