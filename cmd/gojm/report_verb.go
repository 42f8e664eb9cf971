package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/htmlreport/listener"
)

// tableLayouts are the tables of `gojm report`, by the name of the flag.
var tableLayouts = map[string]listener.Layout{
	"full": listener.Full, "aggregate": listener.AggregateReport, "summary": listener.SummaryReport, "synthesis": listener.SynthesisReport,
}

// reportVerb is what the flags of `gojm report` say.
type reportVerb struct {
	props  propertyFlags
	which  filterFlags
	out    outputFlags
	table  string
	format string
	// One of these names a table or a graph of jmeter-plugins.
	csv, png, svg string
	graph         listener.GraphOptions
	drawing       htmlreport.Drawing
	plugins       pluginFlags
}

// reportCommand is `gojm report`: what JMeter's listeners show, on the terminal.
func reportCommand(std stdio) *cobra.Command {
	v := &reportVerb{}
	cmd := resultVerb("report results.jtl ...", "Show the tables and graphs of JMeter's listeners",
		`Prints a table of result files, with the figures of JMeter's Aggregate Report: every
row counts, transactions in TOTAL too, and percentiles are by nearest rank.
(A dashboard comes from gojm -g results.jtl -o folder.)

--csv TYPE, --png TYPE and --svg TYPE make what JMeterPluginsCMD makes with
--generate-csv and --generate-png, of the types
  AggregateReport SynthesisReport (CSV only)
  `+strings.Join(listener.GraphTypes(), "\n  ")+`
with its options of the same names. What stands behind JMeterPluginsCMD.sh, with
--generate-csv, --generate-png, --input-jtl and --plugin-type, may stand here, too.`,
		cobra.ArbitraryArgs, func(args []string) error { return v.run(std, args) })
	f := cmd.Flags()
	f.StringVar(&v.table, "table", "full", "which `table`: full, aggregate, summary or synthesis")
	f.StringVar(&v.format, "format", "", "`table`, csv (as JMeter's \"Save Table Data\"), json or markdown; without it the ending of the output tells")
	f.StringVar(&v.csv, "csv", "", "the CSV of a `type` of jmeter-plugins")
	f.StringVar(&v.png, "png", "", "draw a `type` of jmeter-plugins as PNG, into -o")
	f.StringVar(&v.svg, "svg", "", "draw it as SVG")
	v.out.bind(f)
	v.which.bind(f)
	f.Int64Var(&v.graph.Granulation, "granulation", 0, "length of an interval in `ms`")
	yesNoVar(f, &v.graph.Aggregate, "aggregate-rows", "one row of all labels")
	f.Int64Var(&v.graph.HideLowCounts, "hide-low-counts", 0, "leave out means of so `many` samples or fewer")
	f.IntVar(&v.drawing.Width, "width", 800, "`pixels` of a drawing")
	f.IntVar(&v.drawing.Height, "height", 600, "`pixels` of a drawing")
	yesNoVar(f, &v.drawing.Relative, "relative-times", "draw time from the beginning on")
	f.Float64Var(&v.drawing.MaxY, "force-y", 0, "end of a drawing's y axis, in its unit")
	v.plugins.bind(f)
	v.props.bind(f)
	return cmd
}

func (v *reportVerb) run(std stdio, paths []string) error {
	if err := v.sensible(); err != nil {
		return err
	}
	if err := v.plugins.heed(std); err != nil {
		return err
	}
	if v.plugins.asked() {
		return v.runPlugins(std, paths)
	}
	return v.make(std, paths)
}

// maxPixels is the largest side of a drawing.
const maxPixels = 10_000

// sensible refuses numbers that mean nothing.
func (v *reportVerb) sensible() error {
	for _, n := range []struct {
		flag            string
		value, from, to int64
	}{
		{"width", int64(v.drawing.Width), 100, maxPixels},
		{"height", int64(v.drawing.Height), 100, maxPixels},
		{"granulation", v.graph.Granulation, 0, math.MaxInt64},
		{"hide-low-counts", v.graph.HideLowCounts, 0, math.MaxInt64},
	} {
		switch {
		case n.value < n.from && n.from == 0:
			return fmt.Errorf("--%s: %d is below 0", n.flag, n.value)
		case n.value < n.from || n.value > n.to:
			return fmt.Errorf("--%s: %d is not between %d and %d", n.flag, n.value, n.from, n.to)
		}
	}
	if y := v.drawing.MaxY; y < 0 || math.IsNaN(y) || math.IsInf(y, 0) {
		return fmt.Errorf("--force-y: %v is no end of an axis", y)
	}
	return nil
}

// make makes one table or graph.
func (v *reportVerb) make(std stdio, paths []string) error {
	if len(paths) == 0 {
		return errors.New("which result file?")
	}
	if err := v.out.apartFrom(paths); err != nil {
		return err
	}
	opt, err := v.props.report()
	if err != nil {
		return err
	}
	filter, err := v.which.filter()
	if err != nil {
		return err
	}
	tellTwice(std, paths)
	opt.Read.MaxBad = maxToldLines
	wanted := 0
	for _, name := range []string{v.csv, v.png, v.svg} {
		if name != "" {
			wanted++
		}
	}
	if wanted > 1 {
		return errors.New("one of --csv, --png and --svg at a time")
	}
	if err := v.endingFits(); err != nil {
		return err
	}
	table := listener.Options{Read: opt.Read, Percentiles: opt.Percentiles, PercentileNames: opt.PercentileNames, Filter: filter}
	switch short := strings.TrimSuffix(v.csv[strings.LastIndexByte(v.csv, '.')+1:], "Gui"); {
	case short == "AggregateReport":
		table.Layout = listener.PluginAggregateReport
		return v.writeTable(std, paths, table, (*listener.Table).WriteCSV)
	case short == "SynthesisReport":
		table.Layout = listener.SynthesisReport
		return v.writeTable(std, paths, table, (*listener.Table).WriteCSV)
	case wanted == 1:
		v.graph.Read, v.graph.Filter = opt.Read, filter
		return v.writeGraph(std, paths)
	}
	var known bool
	if table.Layout, known = tableLayouts[v.table]; !known {
		return fmt.Errorf("--table: %q is not full, aggregate, summary or synthesis", v.table)
	}
	formats := map[string]func(*listener.Table, io.Writer) error{
		"table": (*listener.Table).WriteText, "csv": (*listener.Table).WriteCSV,
		"json": (*listener.Table).WriteJSON, "markdown": (*listener.Table).WriteMarkdown,
	}
	format, err := v.out.formatFor(v.format)
	if err != nil {
		return err
	}
	write, known := formats[format]
	if !known {
		return fmt.Errorf("format %q is not table, csv, json or markdown", format)
	}
	return v.writeTable(std, paths, table, write)
}

// endingFits refuses to write what --csv, --png or --svg makes under the ending of
// something else.
func (v *reportVerb) endingFits() error {
	ending := shownFormat(v.out.path)
	for _, made := range []struct{ flag, of string }{{"csv", v.csv}, {"png", v.png}, {"svg", v.svg}} {
		if made.of != "" && ending != "" && ending != made.flag && !v.plugins.asked() {
			return fmt.Errorf("--%s does not make what the ending of %s says", made.flag, v.out.path)
		}
	}
	return nil
}

func (v *reportVerb) writeTable(std stdio, paths []string, opt listener.Options, write func(*listener.Table, io.Writer) error) error {
	done := std.showReading(paths)
	t, err := listener.Read(paths, opt)
	done()
	if err != nil {
		return err
	}
	tellLeftOut(std, t.Sources)
	return v.out.write(std, func(w io.Writer) error { return write(t, w) })
}

func (v *reportVerb) writeGraph(std stdio, paths []string) error {
	if v.png != "" && v.out.path == "" {
		return errors.New("a PNG needs a file: -o name.png (-o - is standard output)")
	}
	if err := v.percentiles(); err != nil {
		return err
	}
	done := std.showReading(paths)
	g, err := listener.ReadGraph(v.csv+v.png+v.svg, paths, v.graph)
	done()
	if err != nil {
		return err
	}
	tellLeftOut(std, g.Sources)
	return v.out.write(std, func(w io.Writer) error {
		if v.csv != "" {
			return g.WriteCSV(w, time.Local)
		}
		draw := g.SVG
		if v.png != "" {
			draw = g.PNG
		}
		b, err := draw(v.drawing)
		if err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	})
}

// tellLeftOut says what of the files is not in a table or a graph.
func tellLeftOut(std stdio, sources []listener.Source) {
	for _, s := range sources {
		damage(std, s.Path, &s.Read)
		if n := s.Implausible; n > 0 {
			fmt.Fprintf(std.err, "Warning: %s: %s left out: a time or a size beyond any run\n", s.Path, count(int(n), "row")+are(n))
		}
	}
}

// percentiles reads the property of ResponseTimesPercentilesOverTime.
func (v *reportVerb) percentiles() error {
	s, err := v.props.load()
	if err != nil {
		return err
	}
	const name = "jmeterPlugin.percentilesOverTime"
	for _, text := range strings.FieldsFunc(s.props.Get(name, ""), func(r rune) bool { return r == ',' || r == ' ' }) {
		q, err := strconv.ParseFloat(text, 64)
		if err != nil || !(q > 0 && q <= 100) {
			return fmt.Errorf("property %s: %q is not a number above 0 and up to 100", name, text)
		}
		v.graph.Percentiles = append(v.graph.Percentiles, q)
	}
	return nil
}
