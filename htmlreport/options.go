package htmlreport

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/jtl"
)

// Options say what a report shows and how it counts. DefaultOptions has
// JMeter's defaults but for two, where JMeter's are of the size of its memory:
// percentiles are over all samples, and the interval of time charts follows from
// the length of the run.
type Options struct {
	Title string
	// Percentiles are the three of the statistics table, 0 < p <= 100; the names
	// are as the user wrote them.
	Percentiles     [3]float64
	PercentileNames [3]string
	Estimator       Estimator
	// Window is JMeter's statistic_window: percentiles come from the newest so
	// many values in file order. 0 takes all. A window makes the read sequential.
	Window int
	// Granularity is the interval of charts over time, in ms; 0 chooses one.
	Granularity int64
	Graphs      map[string]GraphOptions // by graph id
	Customs     []CustomGraph

	Apdex      Thresholds
	ApdexRules []ApdexRule

	// SampleFilter chooses the labels that count at all; nil takes every one.
	SampleFilter *Pattern
	// Start and End choose samples by start time, inclusive, epoch ms; 0 is open.
	Start, End int64

	// SeriesFilter, OnlySamples and OnlyControllers choose what is shown, and
	// change no number (properties exporter.html.*).
	SeriesFilter    *Pattern
	OnlySamples     bool // filters_only_sample_series
	OnlyControllers bool // show_controllers_only

	// TransactionsInTop5 counts the errors of transactions in "Top 5 Errors".
	TransactionsInTop5 bool
	// ErrorMessages tells assertion failures apart by their message.
	ErrorMessages bool
	// Connect is off when the run did not save connect times.
	Connect bool

	// Read is how result files are read.
	Read jtl.ReadOptions

	// Version and Command go to the foot of the page; the caller masks secrets.
	Version, Command string
	// Notes stand at the head of the page: what changes how to read it.
	Notes []string
	// Checks are thresholds that the run had to keep.
	Checks []Check
	// Location is the time zone of the page until the reader switches; nil is
	// the local one.
	Location *time.Location
}

// GraphOptions steer one graph.
type GraphOptions struct {
	Title       string
	Granularity int64 // ms, 0 as Options.Granularity
	// ExcludeControllers leaves out rows of transactions; nil is JMeter's default
	// for the graph.
	ExcludeControllers *bool
	// Axis limits, nil for free ones.
	MinX, MaxX, MinY, MaxY *float64
}

// CustomGraph is a graph over time of a sample variable or a numeric column.
type CustomGraph struct {
	ID, Title, XAxis, YAxis, Content string
	Variable                         string
	Granularity                      int64 // ms
	ExcludeControllers               bool
}

// Check is a threshold of the run and whether it was kept.
type Check struct {
	Name, Limit, Value string
	Passed             bool
}

// DefaultOptions are those without any property.
func DefaultOptions() Options {
	return Options{
		Title:           "Apache JMeter Dashboard",
		Percentiles:     [3]float64{90, 95, 99},
		PercentileNames: [3]string{"90", "95", "99"},
		Apdex:           Thresholds{500, 1500},
		OnlySamples:     true,
		ErrorMessages:   true,
		Connect:         true,
	}
}

func (o *Options) start() int64 {
	if o.Start == 0 {
		return math.MinInt64
	}
	return o.Start
}

func (o *Options) end() int64 {
	if o.End == 0 {
		return math.MaxInt64
	}
	return o.End
}

// autoGranularity tells whether the interval is ours to choose.
func (o *Options) autoGranularity() bool {
	if o.Granularity > 0 {
		return false
	}
	for id, g := range o.Graphs {
		if id != distributionID && g.Granularity > 0 {
			return false
		}
	}
	return true
}

// defaultGranularity is JMeter's, used beside graphs with one of their own.
const defaultGranularity = 60_000

// baseGranularity is the interval to gather at: all that are asked for are
// multiples of it.
func (o *Options) baseGranularity() int64 {
	if o.autoGranularity() {
		return granularities[0]
	}
	g := o.Granularity
	if g == 0 {
		g = defaultGranularity
	}
	for id, of := range o.Graphs {
		if id == distributionID {
			continue
		}
		if of.Granularity > 0 {
			g = commonDivisor(g, of.Granularity)
		}
	}
	return g
}

func commonDivisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

const (
	prefix          = "jmeter.reportgenerator."
	exporterPrefix  = prefix + "exporter.html."
	graphPrefix     = prefix + "graph."
	propGranularity = prefix + "overall_granularity"
)

// properties reads named values and keeps the first complaint.
type properties struct {
	get jtl.Lookup
	err error
}

func (p *properties) fail(name, value, want string) {
	if p.err == nil {
		p.err = fmt.Errorf("property %s: %q is not %s", name, value, want)
	}
}

func (p *properties) wrap(name string, err error) {
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("property %s: %w", name, err)
	}
}

// text is the value with ${other.property} replaced; an empty one counts as
// not set.
func (p *properties) text(name string) (string, bool) {
	v, ok := p.get(name)
	for range 10 { // nesting, and an end to circles
		from := strings.Index(v, "${")
		if from < 0 {
			break
		}
		to := strings.IndexByte(v[from:], '}')
		if to < 0 {
			break
		}
		inner, found := p.get(v[from+2 : from+to])
		if !found {
			break
		}
		v = v[:from] + inner + v[from+to+1:]
	}
	return v, ok && strings.TrimSpace(v) != ""
}

func (p *properties) str(name string, into *string) {
	if v, ok := p.text(name); ok {
		*into = v
	}
}

func (p *properties) flag(name string, into *bool) {
	if v, ok := p.text(name); ok {
		*into = strings.EqualFold(strings.TrimSpace(v), "true")
	}
}

func (p *properties) millis(name string, into *int64, least int64) {
	if v, ok := p.text(name); ok {
		n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		if err != nil || n < least {
			p.fail(name, v, fmt.Sprintf("a whole number of milliseconds from %d", least))
			return
		}
		*into = n
	}
}

func (p *properties) number(name string, into **float64) {
	if v, ok := p.text(name); ok {
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			p.fail(name, v, "a number")
			return
		}
		*into = &n
	}
}

// OptionsFromProperties reads JMeter's properties for reports: those under
// jmeter.reportgenerator. (properties reference, "Reporting"), aggregate_rpt_pct1
// to 3, backend_metrics_percentile_estimator, and those for reading a result
// file. names lists the properties that are set; only custom graphs need it. A
// wrong value is an error that names its property; so is a template folder,
// since the page here is not made of FreeMarker templates.
func OptionsFromProperties(get jtl.Lookup, names []string) (Options, error) {
	o := DefaultOptions()
	p := &properties{get: get}
	p.str(prefix+"report_title", &o.Title)
	for i := range o.Percentiles {
		name := fmt.Sprintf("aggregate_rpt_pct%d", i+1)
		if v, ok := p.text(name); ok {
			v = strings.TrimSpace(v)
			q, err := strconv.ParseFloat(v, 64)
			if err != nil || !(q > 0 && q <= 100) {
				p.fail(name, v, "a number above 0 and up to 100")
				continue
			}
			o.Percentiles[i], o.PercentileNames[i] = q, v
		}
	}
	const estimator = "backend_metrics_percentile_estimator"
	if v, ok := p.text(estimator); ok {
		e, err := ParseEstimator(strings.TrimSpace(v))
		p.wrap(estimator, err)
		o.Estimator = e
	}
	const statisticWindow = prefix + "statistic_window"
	if v, ok := p.text(statisticWindow); ok {
		n, err := strconv.Atoi(strings.TrimSpace(v))
		switch {
		case err != nil || n == 0 || n < -1:
			p.fail(statisticWindow, v, "a number of samples, or -1 for all")
		case n > 0:
			o.Window = n
		}
	}
	p.millis(propGranularity, &o.Granularity, 1)
	p.millis(prefix+"apdex_satisfied_threshold", &o.Apdex.Satisfied, 0)
	p.millis(prefix+"apdex_tolerated_threshold", &o.Apdex.Tolerated, 0)
	if v, ok := p.text(prefix + "apdex_per_transaction"); ok {
		rules, err := parseApdexRules(v)
		p.wrap(prefix+"apdex_per_transaction", err)
		o.ApdexRules = rules
	}
	if v, ok := p.text(prefix + "sample_filter"); ok {
		filter, err := WholePattern(v)
		p.wrap(prefix+"sample_filter", err)
		o.SampleFilter = filter
	}
	o.Start, o.End = p.dates()
	excludeTop5 := true
	p.flag(prefix+"exclude_tc_from_top5_errors_by_sampler", &excludeTop5)
	o.TransactionsInTop5 = !excludeTop5

	if v, ok := p.text(exporterPrefix + "series_filter"); ok {
		filter, err := partPattern(v)
		p.wrap(exporterPrefix+"series_filter", err)
		o.SeriesFilter = filter
	}
	p.flag(exporterPrefix+"filters_only_sample_series", &o.OnlySamples)
	p.flag(exporterPrefix+"show_controllers_only", &o.OnlyControllers)
	if v, ok := p.text(exporterPrefix + "property.template_dir"); ok && p.err == nil {
		p.err = fmt.Errorf("property %s: %q: gojm has a page of its own and cannot use FreeMarker templates",
			exporterPrefix+"property.template_dir", v)
	}
	p.graphs(&o, names)

	read, err := jtl.ConfigFromProperties(get)
	if err != nil && p.err == nil {
		p.err = err
	}
	o.Read.Config = &read
	o.ErrorMessages, o.Connect = read.FailureMessage, read.ConnectTime
	return o, p.err
}

func (p *properties) dates() (start, end int64) {
	pattern := "yyyyMMddHHmmss"
	p.str(prefix+"date_format", &pattern)
	format, err := jtl.NewDateFormat(pattern, time.Local)
	if err != nil {
		p.wrap(prefix+"date_format", err)
		return 0, 0
	}
	date := func(name string) int64 {
		v, ok := p.text(name)
		if !ok {
			return 0
		}
		// JMeter logs a date it cannot read and reports on everything.
		ms, err := format.Parse([]byte(strings.TrimSpace(v)), true)
		p.wrap(name, err)
		return ms
	}
	return date(prefix + "start_date"), date(prefix + "end_date")
}

func (p *properties) graphs(o *Options, names []string) {
	for _, g := range graphs {
		var of GraphOptions
		base := graphPrefix + g.id + "."
		p.str(base+"title", &of.Title)
		// The files that JMeter ships refer each graph to the overall one.
		own := base + "property.set_granularity"
		if v, _ := p.get(own); g.overTime && !strings.Contains(v, "${"+propGranularity+"}") {
			p.millis(own, &of.Granularity, 1)
		}
		if g.id == distributionID {
			p.millis(own, &of.Granularity, 1)
		}
		if v, ok := p.text(base + "exclude_controllers"); ok {
			exclude := strings.EqualFold(strings.TrimSpace(v), "true")
			of.ExcludeControllers = &exclude
		}
		limits := exporterPrefix + "graph_options." + g.id + "."
		p.number(limits+"minX", &of.MinX)
		p.number(limits+"maxX", &of.MaxX)
		p.number(limits+"minY", &of.MinY)
		p.number(limits+"maxY", &of.MaxY)
		if of != (GraphOptions{}) {
			if o.Graphs == nil {
				o.Graphs = make(map[string]GraphOptions)
			}
			o.Graphs[g.id] = of
		}
	}
	p.customs(o, names)
}

func (p *properties) customs(o *Options, names []string) {
	var ids []string
	for _, name := range names {
		rest, ok := strings.CutPrefix(name, graphPrefix+"custom_")
		if !ok {
			continue
		}
		if id, ok := strings.CutSuffix(rest, ".classname"); ok {
			ids = append(ids, "custom_"+id)
		}
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		base := graphPrefix + id + "."
		if class, _ := p.text(base + "classname"); !strings.HasSuffix(class, ".CustomGraphConsumer") {
			continue // JMeter warns of a class it cannot find and leaves the graph out
		}
		g := CustomGraph{ID: id, Granularity: defaultGranularity,
			Title: "Default Graph Title", XAxis: "Default X Axis Title", YAxis: "Default Y Axis Title"}
		p.str(base+"title", &g.Title)
		p.flag(base+"exclude_controllers", &g.ExcludeControllers)
		// Every _x of a property's name makes the next letter a capital one, so
		// that these all call the same setter.
		for _, spell := range []string{"set_X_Axis", "setXAxis"} {
			p.str(base+"property."+spell, &g.XAxis)
		}
		for _, spell := range []string{"set_Y_Axis", "setYAxis"} {
			p.str(base+"property."+spell, &g.YAxis)
		}
		for _, spell := range []string{"set_Content_Message", "setContentMessage"} {
			p.str(base+"property."+spell, &g.Content)
		}
		for _, spell := range []string{"set_granularity", "setGranularity"} {
			p.millis(base+"property."+spell, &g.Granularity, 1)
		}
		for _, spell := range []string{"set_Sample_Variable_Name", "setSampleVariableName"} {
			p.str(base+"property."+spell, &g.Variable)
		}
		if g.Variable == "" {
			p.fail(base+"property.set_Sample_Variable_Name", "", "the name of a sample variable")
		}
		o.Customs = append(o.Customs, g)
	}
}
