package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// The command line of jmeter-plugins: `JMeterPluginsCMD.sh` and what stands behind
// it may become `gojm report` and the same.

// yesNo is a flag that may have a word behind it, as jmeter-plugins want it, or
// none.
type yesNo bool

func (y *yesNo) Set(text string) error {
	switch strings.ToLower(text) {
	case "yes":
		*y = true
		return nil
	case "no":
		*y = false
		return nil
	}
	b, err := strconv.ParseBool(text)
	*y = yesNo(b)
	return err
}

func (y *yesNo) String() string { return strconv.FormatBool(bool(*y)) }

func (y *yesNo) Type() string { return "yesNo" }

// yesNoVar declares such a flag.
func yesNoVar(f *pflag.FlagSet, to *bool, name, help string) {
	f.VarPF((*yesNo)(to), name, "", help).NoOptDefVal = "true"
}

// joinYesNo makes `--flag yes` the `--flag=yes` that a flag without a need for a
// value takes.
func joinYesNo(args []string) []string {
	flags := []string{"--aggregate-rows", "--relative-times", "--include-label-regex", "--exclude-label-regex"}
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if slices.Contains(flags, a) && i+1 < len(args) && slices.Contains([]string{"yes", "no", "true", "false"}, strings.ToLower(args[i+1])) {
			i++
			a += "=" + args[i]
		}
		out = append(out, a)
	}
	return out
}

// foreign are options of jmeter-plugins that have no equal here, and why. Those
// with a reason that begins with "!" would change what is shown: asked for, they
// are refused; the others only change looks.
var foreign = map[string]string{
	"auto-scale":        "!rows are drawn as they are",
	"extractor-regexps": "!there is no PageDataExtractorOverTime",
	"limit-rows":        "!all points are drawn, thinned without losing the lowest and the highest",
	"paint-gradient":    "drawings have no gradient",
	"paint-markers":     "lines have no markers",
	"paint-zeroing":     "!gaps are not drawn as zeros",
	"prevent-outliers":  "!all values are drawn",
	"line-weight":       "lines have one weight",
	"yAxisLabel":        "an axis names what it shows",
	"loglevel":          "there is no log",
}

// pluginFlags are what names input and output for jmeter-plugins.
type pluginFlags struct {
	input, kind, csv, png string
	foreign               map[string]*string
}

func (p *pluginFlags) bind(f *pflag.FlagSet) {
	f.StringVar(&p.input, "input-jtl", "", "")
	f.StringVar(&p.kind, "plugin-type", "", "")
	f.StringVar(&p.csv, "generate-csv", "", "")
	f.StringVar(&p.png, "generate-png", "", "")
	p.foreign = make(map[string]*string)
	hidden := []string{"input-jtl", "plugin-type", "generate-csv", "generate-png"}
	for name := range foreign {
		p.foreign[name] = f.String(name, "", "")
		hidden = append(hidden, name)
	}
	for _, name := range hidden {
		f.Lookup(name).Hidden = true
	}
}

// heed tells what of the options has no effect, and refuses what would have one.
func (p *pluginFlags) heed(std stdio) error {
	for name, why := range foreign {
		value := *p.foreign[name]
		if value == "" || strings.EqualFold(value, "no") || strings.EqualFold(value, "false") {
			continue
		}
		if refused, ok := strings.CutPrefix(why, "!"); ok {
			return fmt.Errorf("--%s is not supported: %s", name, refused)
		}
		fmt.Fprintf(std.err, "Warning: --%s has no effect: %s\n", name, why)
	}
	return nil
}

// asked tells whether the command line is that of jmeter-plugins.
func (p *pluginFlags) asked() bool {
	return p.kind != "" || p.csv != "" || p.png != "" || p.input != ""
}

// runPlugins does what JMeterPluginsCMD does: it replaces files and makes folders.
func (v *reportVerb) runPlugins(std stdio, paths []string) error {
	p := &v.plugins
	if p.input != "" {
		paths = append(paths, p.input)
	}
	switch {
	case v.csv+v.png+v.svg != "" || v.out.path != "":
		return errors.New("--plugin-type and its kin go without --csv, --png, --svg and -o")
	case p.kind == "":
		return errors.New("--plugin-type says which table or graph")
	case p.csv == "" && p.png == "":
		return errors.New("--generate-csv or --generate-png says where to")
	}
	for _, to := range []struct {
		path string
		kind *string
	}{{p.csv, &v.csv}, {p.png, &v.png}} {
		if to.path == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(to.path), 0o777); err != nil {
			return err
		}
		v.csv, v.png = "", ""
		*to.kind, v.out = p.kind, outputFlags{path: to.path, replace: true}
		if err := v.make(std, paths); err != nil {
			return err
		}
	}
	return nil
}
