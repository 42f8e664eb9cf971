package htmlreport

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gojm/gojm/jtl"
)

// Page makes the dashboard: one HTML file that needs nothing else, neither
// beside it nor from a network. Its content policy allows the scripts and the
// style it was made with and nothing more; what comes from result files is
// escaped by construction.
func (r *Report) Page() ([]byte, error) {
	library, err := chartScript()
	if err != nil {
		return nil, fmt.Errorf("chart library: %w", err)
	}
	return r.page(library)
}

// page makes it with a chart library, or without one.
func (r *Report) page(library []byte) ([]byte, error) {
	style, err := pageSource("page.css")
	if err != nil {
		return nil, err
	}
	script, err := pageSource("page.js", "table.js", "chart.js")
	if err != nil {
		return nil, err
	}
	v, err := newPageView(r, library != nil)
	if err != nil {
		return nil, err
	}
	data, err := v.data.json()
	if err != nil {
		return nil, err
	}
	source, err := pageSource("page.html")
	if err != nil {
		return nil, err
	}
	t, err := template.New("page").Funcs(pageFuncs).Parse(string(source))
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := t.Execute(&body, v); err != nil {
		return nil, err
	}

	doc := document{title: r.Options.Title, style: style, body: body.Bytes(), data: data, scripts: [][]byte{script}}
	if library != nil {
		doc.scripts = [][]byte{library, script}
	}
	return doc.bytes(), nil
}

// document is a page that needs nothing from elsewhere. Its policy lets its own
// scripts and style through and nothing more.
type document struct {
	title       string
	style, body []byte
	data        []byte // JSON for the scripts, nil for none
	scripts     [][]byte
}

func (d *document) bytes() []byte {
	policy := "default-src 'none'; img-src data:; style-src " + sourceHash(d.style)
	if len(d.scripts) > 0 {
		policy += "; script-src"
	}
	for _, s := range d.scripts {
		policy += " " + sourceHash(s)
	}
	policy += "; base-uri 'none'; form-action 'none'"

	length := len(d.style) + len(d.body) + len(d.data) + 4096
	for _, s := range d.scripts {
		length += len(s)
	}
	out := bytes.NewBuffer(make([]byte, 0, length))
	part := func(before string, content []byte, after string) {
		out.WriteString(before)
		out.Write(content)
		out.WriteString(after)
	}
	out.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	fmt.Fprintf(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n", policy)
	out.WriteString("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n")
	fmt.Fprintf(out, "<link rel=\"icon\" href=\"%s\">\n", icon)
	fmt.Fprintf(out, "<title>%s</title>\n", template.HTMLEscapeString(d.title))
	part("<style>", d.style, "</style>\n</head>\n")
	out.Write(d.body)
	if d.data != nil {
		// JSON written by encoding/json holds no <, > or &, and cannot end a script.
		part("<script type=\"application/json\" id=\"report-data\">", d.data, "</script>\n")
	}
	for _, s := range d.scripts {
		part("<script>", s, "</script>\n")
	}
	out.WriteString("</body>\n</html>\n")
	return out.Bytes()
}

// icon is three bars.
const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%231d55c4'/%3E" +
	"%3Cpath d='M4.5 12V8M8 12V4M11.5 12V6.5' stroke='white' stroke-width='2' stroke-linecap='round'/%3E%3C/svg%3E"

func sourceHash(b []byte) string {
	sum := sha256.Sum256(b)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// pageView is what the template sees.
type pageView struct {
	*Report
	HasCharts bool
	Zone      string
	Notes     []string
	Summary   requestsSummary
	Goodput   float64
	Health    []figure // of the generator
	Sections  []section
	Computed  []string

	data     pageData
	loc      *time.Location
	mostTime float64 // the largest share of a label
}

// requestsSummary is how many of the samples failed. A file may have rows of transactions
// only, as "Generate parent sample" leaves them; it is of those then.
type requestsSummary struct {
	Samples, Errors int64
	Transactions    bool
}

func (r *Report) requestsSummary() requestsSummary {
	s := requestsSummary{Samples: r.Total.Samples, Errors: r.Total.Errors}
	if s.Samples > 0 {
		return s
	}
	s.Transactions = true
	for _, row := range r.Rows {
		s.Samples += row.Samples
		s.Errors += row.Errors
	}
	return s
}

// Bad is what failed, in %.
func (s requestsSummary) Bad() float64 { return float64(s.Errors) * 100 / float64(s.Samples) }

// Passed is the rest.
func (s requestsSummary) Passed() float64 { return 100 - s.Bad() }

// section is a page of JMeter's, with its graphs.
type section struct {
	ID, Title string
	Figures   []figure
}

// figure is a graph on the page. Pictures are its drawings, where there is no library
// to draw it on the screen.
type figure struct {
	ID, Title, Note, Empty string
	Pictures               []picture
}

func newPageView(r *Report, hasCharts bool) (_ *pageView, err error) {
	o := &r.Options
	loc := o.Location
	if loc == nil {
		loc = time.Local
	}
	v := &pageView{Report: r, HasCharts: hasCharts, loc: loc}
	begin := time.UnixMilli(r.Begin).In(loc)
	name, offset := begin.Zone()
	v.Zone = name
	v.Summary = r.requestsSummary()
	v.Goodput = r.Total.Throughput * (1 - r.Total.ErrorPct/100)
	v.Notes = r.notes(loc)
	for i := range v.Rows {
		v.mostTime = max(v.mostTime, v.Rows[i].TimeShare)
	}
	v.Computed = r.computed()

	charts, thinned := r.charts()
	v.data = pageData{Labels: r.order, Begin: r.Begin, Pauses: r.pauses, Offset: offset / 60}
	drawn := make(map[string]bool)
	for _, c := range charts {
		drawn[c.ID] = true
	}
	if r.Total.Samples > 0 {
		v.data.Charts = charts
	} else { // transactions only
		v.data.Charts = charts[2:]
	}
	for i := range r.Generator.Graphs {
		g := &r.Generator.Graphs[i]
		f := figure{ID: g.ID, Title: g.Title}
		if !hasCharts {
			if f.Pictures, err = r.pictures(g, loc); err != nil {
				return nil, err
			}
		}
		v.Health = append(v.Health, f)
	}
	for _, title := range []string{overTime, throughput, responseTimes, customs} {
		sec := section{ID: strings.ReplaceAll(title, " ", "-"), Title: title}
		for _, g := range r.Graphs {
			if g.Page == title {
				f := r.figure(&g, drawn[g.ID], thinned[g.ID])
				if !hasCharts && f.Empty == "" {
					if f.Pictures, err = r.pictures(&g, loc); err != nil {
						return nil, err
					}
				}
				sec.Figures = append(sec.Figures, f)
			}
		}
		if title == responseTimes && r.Total.Samples > 0 {
			f := figure{ID: "responseTimeHeatMap", Title: "Response Time Heat Map",
				Note: "Samples by time and response time; the stronger the colour, the more. " + intervalNote(r.Granularity)}
			if !hasCharts {
				f.Empty = "Not drawn: this one needs the chart library."
			}
			sec.Figures = append(sec.Figures, f)
		}
		if len(sec.Figures) > 0 {
			v.Sections = append(v.Sections, sec)
		}
	}
	return v, nil
}

// pictures are the drawings of a graph as the page shows it.
func (r *Report) pictures(g *Graph, loc *time.Location) ([]picture, error) {
	return g.shown(&r.Options).pictures(Drawing{Width: 760, Height: 440, Location: loc})
}

func intervalNote(ms int64) string { return "Interval " + span(ms) + "." }

// figure describes a graph for the page.
func (r *Report) figure(g *Graph, drawn, thinned bool) figure {
	f := figure{ID: g.ID, Title: g.Title, Empty: g.Absent}
	if f.Empty == "" && (!drawn || !hasPoints(g)) {
		f.Empty = "Nothing to draw: no sample counts here."
		switch {
		case g.ID == "responseTimePercentilesOverTime":
			f.Empty = "No successful sample."
		case r.Options.SeriesFilter != nil || r.Options.OnlyControllers:
			f.Empty = "The display filter leaves nothing here."
		case g.ID == "connectTimeOverTime":
			f.Empty = "The run did not save connect times."
		}
	}
	var notes []string
	switch {
	case g.OverTime:
		notes = append(notes, intervalNote(g.Granularity))
	case g.ID == distributionID:
		notes = append(notes, "Steps of "+span(g.Granularity)+".")
	case g.ID == "responseTimeVsRequest", g.ID == "latencyVsRequest":
		notes = append(notes, "Each point is all seconds in which so many samples ended.")
		if r.Late > 0 {
			notes = append(notes, grouped(r.Late)+" samples stand too late in the file to be counted here.")
		}
	}
	if thinned {
		notes = append(notes, "Thinned for the screen; the lowest and highest values are kept.")
	}
	f.Note = strings.Join(notes, " ")
	return f
}

func hasPoints(g *Graph) bool {
	for _, s := range g.Series {
		for _, y := range s.Y {
			if !math.IsNaN(y) {
				return true
			}
		}
	}
	return false
}

// notes are what changes how to read the page.
func (r *Report) notes(loc *time.Location) []string {
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	for i := range r.Generator.Limits {
		add("%s", r.Generator.Limits[i].text(loc))
	}
	notes = slices.Concat(notes, r.Options.Notes, r.Generator.Notes)
	for _, s := range r.Sources {
		name := filepath.Base(s.Path)
		if n := s.Read.Skipped; n > 0 {
			lines := "lines"
			if n == 1 {
				lines = "line"
			}
			first := ""
			if len(s.Read.Bad) > 0 {
				first = fmt.Sprintf(" The first is line %s: %s.", grouped(s.Read.Bad[0].Line), s.Read.Bad[0].Reason)
			}
			add("%s: %s %s could not be read and are left out.%s", name, grouped(n), lines, first)
		}
		if n := s.Read.Decoded; n > 0 {
			add("%s holds text that is not UTF-8, in %s of its rows; it was read as windows-1252.", name, grouped(n))
		}
		if s.Read.Damaged != nil {
			add("%s could be read in part only (%v); what it lacks is not in the report, and values before that may be wrong.", name, s.Read.Damaged)
		}
		switch {
		case s.Read.RowsWhole:
			add("%s is cut off behind its last row, as after a crash; rows that may have stood there are missing.", name)
		case s.Read.Truncated:
			add("%s ends in the middle of a row, as after a crash; that row is left out.", name)
		}
		if !s.Info.Header && s.Info.Format == jtl.CSV {
			add("%s has no header line; its columns were taken for those of JMeter's layout with %d columns.", name, len(s.Info.Columns))
		}
	}
	if n := r.Implausible; n > 0 {
		add("%s rows hold a time or a size beyond any run (a thousand years, a petabyte) and are left out.", grouped(n))
	}
	if n := r.ErrorsNotListed; n > 0 {
		add("More than %s different errors: %s failures are in the totals but not in the table of errors.", grouped(maxErrorTypes), grouped(n))
	}
	notes = append(notes, r.manyNotes()...)
	if w := r.Options.Window; w > 0 {
		add("Percentiles are of the newest %s samples of each line only (statistic_window).", grouped(int64(w)))
	}
	return notes
}

// computed tells how the figures came about.
func (r *Report) computed() []string {
	o := &r.Options
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	add("One row of the result file is one sample. Total is of samples only, since transactions would count theirs again; the Total of Apdex has both, as in JMeter.")
	over := "over all samples"
	if o.Window > 0 {
		over = fmt.Sprintf("over the newest %s samples, as in JMeter", grouped(int64(o.Window)))
	}
	rule := "JMeter's estimator " + o.Estimator.String()
	if o.Estimator == Legacy {
		rule += " (position p(n+1), interpolated)"
	}
	add("Percentiles: %s, %s.", rule, over)
	if o.Window == 0 {
		for _, row := range append([]Row{r.Total}, r.Rows...) {
			if row.Samples > 20_000 {
				add("JMeter would take percentiles from the newest 20,000 samples of a line only; some lines here have more, so its figures differ. jmeter.reportgenerator.statistic_window=20000 brings them back.")
				break
			}
		}
	}
	add("Throughput: samples by the time from the first start to the last end of the same line.")
	edges := "Of the first and the last one rates are by the time in it that the run covers; under half an interval tells none"
	how := "chosen from the length of the run; jmeter.reportgenerator.overall_granularity sets another"
	if !o.autoGranularity() {
		how = "as set by property"
		edges = "The first and the last one are rarely full, which makes rates there look low, as in JMeter"
	}
	add("Interval of charts over time: %s, %s. %s. The run at a glance has no response times there when such an interval has under a fifth of the usual samples.", span(r.Granularity), how, edges)
	add("Charts over time count a sample where it ended, hits where they started.")
	if len(r.pauses) > 0 {
		add("Where nothing ended for over %d times the usual distance of intervals the run paused: lines of times and threads break there, and rates are 0.", pauseFactor)
	}
	add("Apdex: satisfied up to %s ms, tolerated up to %s ms%s.", grouped(o.Apdex.Satisfied), grouped(o.Apdex.Tolerated), map[bool]string{true: ", some labels by thresholds of their own", false: ""}[len(o.ApdexRules) > 0])
	return lines
}

// Filters tells which rows the report is about.
func (v *pageView) Filters() string {
	o := &v.Options
	var parts []string
	if o.SampleFilter != nil {
		parts = append(parts, "labels matching "+o.SampleFilter.String())
	}
	if o.Start != 0 {
		parts = append(parts, "started from "+v.stamp(o.Start))
	}
	if o.End != 0 {
		parts = append(parts, "started up to "+v.stamp(o.End))
	}
	return strings.Join(parts, ", ")
}

// Display tells which rows and series are shown.
func (v *pageView) Display() string {
	o := &v.Options
	var parts []string
	if o.SeriesFilter != nil {
		parts = append(parts, "series matching "+o.SeriesFilter.String())
	}
	if o.OnlyControllers {
		parts = append(parts, "transactions only")
	}
	return strings.Join(parts, ", ")
}

func (v *pageView) stamp(ms int64) string {
	return time.UnixMilli(ms).In(v.loc).Format("2006-01-02 15:04:05 -07:00")
}

// Clock writes a moment in the file's zone; the script rewrites it for others.
func (v *pageView) Clock(ms int64) string {
	return time.UnixMilli(ms).In(v.loc).Format("2006-01-02 15:04:05")
}

// ISO is a moment for machines.
func (v *pageView) ISO(ms int64) string { return time.UnixMilli(ms).UTC().Format(time.RFC3339Nano) }

// Statistics are the lines of the table that are shown.
func (v *pageView) Statistics() []Row {
	var rows []Row
	for _, row := range v.Rows {
		if v.Options.showsRow(row.Label, row.Controller) && v.lists(row.Label) {
			rows = append(rows, row)
		}
	}
	return rows
}

// ApdexRows are the lines of the Apdex table that are shown.
func (v *pageView) ApdexRows() []ApdexRow {
	var rows []ApdexRow
	for _, row := range v.Apdex {
		if v.Options.showsRow(row.Label, row.Controller) && v.lists(row.Label) {
			rows = append(rows, row)
		}
	}
	return rows
}

// maxErrorRows bounds the table of errors on the page.
const maxErrorRows = 500

// ErrorRows are the lines of the table of errors.
func (v *pageView) ErrorRows() []ErrorType { return v.Errors[:min(len(v.Errors), maxErrorRows)] }

// MoreErrors is how many types the table leaves out.
func (v *pageView) MoreErrors() int64 { return int64(max(0, len(v.Errors)-maxErrorRows)) }

// MoreFailures is how many failed samples the table of the first ones leaves out.
func (v *pageView) MoreFailures() int64 { return max(0, v.Total.Errors-int64(len(v.Failures))) }

// Trend is the small line of a label.
func (v *pageView) Trend(label string) string {
	return sparkline(v.Overview.Time, v.Trends[label], v.pauses, v.Granularity)
}

// ShareWidth is the length of the bar for a share of time, of 100 for the largest.
func (v *pageView) ShareWidth(share float64) float64 {
	if v.mostTime == 0 {
		return 0
	}
	return math.Round(share/v.mostTime*1000) / 10
}

// FileLine says where a record stands.
func (v *pageView) FileLine(r Record) string {
	if len(v.Sources) == 1 {
		return grouped(r.Line)
	}
	return filepath.Base(v.Sources[r.File].Path) + ":" + grouped(r.Line)
}

// Of is n in per cent of all.
func (v *pageView) Of(n, all int64) float64 { return float64(n) * 100 / float64(all) }

// HasControllers tells whether there are transactions among the labels.
func (v *pageView) HasControllers() bool {
	for _, row := range v.Rows {
		if row.Controller {
			return true
		}
	}
	return false
}

// Duration is the length of the run in ms.
func (r *Report) Duration() int64 { return r.End - r.Begin }

// networkView are the cells of bytes, which the result file may not have.
type networkView struct {
	Received, Sent bool
	Row            Row
}

type recordView struct {
	V *pageView
	R Record
}

var pageFuncs = template.FuncMap{
	"figures": figures,
	"percent": percent,
	"exact":   exact,
	"span":    span,
	"grouped": grouped,
	"base":    filepath.Base,
	"float":   func(n int64) float64 { return float64(n) },
	"mul":     func(a, b float64) float64 { return a * b },
	"series":  seriesName,
	"named":   named,
	"apdex":   apdexFigure,
	"score":   apdexWord,
	"network": func(v *pageView, row Row) networkView { return networkView{v.received, v.sent, row} },
	"record":  func(v *pageView, r Record) recordView { return recordView{v, r} },
	"nth":     func(names [3]string, i int) string { return names[i] + "th pct" },
}

// named is a label as tables show it. Blank ones are told apart by their length.
func named(label string) string {
	switch {
	case label == "":
		return "(blank)"
	case strings.TrimSpace(label) == "":
		return fmt.Sprintf("(blank, %d long)", utf8.RuneCountInString(label))
	}
	return label
}

func apdexFigure(f float64) string {
	if math.IsNaN(f) {
		return none
	}
	return fmt.Sprintf("%.3f", f)
}

// apdexWord is the Apdex Alliance's word for a score (Apdex specification 1.1).
func apdexWord(f float64) string {
	switch {
	case f >= 0.94:
		return "excellent"
	case f >= 0.85:
		return "good"
	case f >= 0.70:
		return "fair"
	case f >= 0.50:
		return "poor"
	case math.IsNaN(f):
		return "of no samples"
	}
	return "unacceptable"
}
