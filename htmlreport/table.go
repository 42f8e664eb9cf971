package htmlreport

import (
	"bufio"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/gojm/gojm/jtl"
)

// A Table holds the figures of JMeter's listeners "Aggregate Report" and "Summary
// Report" (manual, "Listeners"), which differ from those of the dashboard: all
// rows count, transactions too and in TOTAL as well; percentiles are by nearest
// rank over all samples; a row that stands for several samples (SampleCount)
// counts as so many. Rows must be added in file order, and from XML without the
// nested ones (jtl.ReadOptions.TopOnly), for JMeter's figures. Not safe for
// concurrent use.
type Table struct {
	percentiles [3]float64
	names       [3]string
	rows        []*tableRow
	byLabel     map[string]*tableRow
	total       *tableRow
}

// TableRow is a finished line of a Table.
type TableRow struct {
	Label       string
	Samples     int64
	Errors      int64
	Mean        float64 // ms; the listeners show it without its fraction
	Median      int64   // ms
	Percentiles [3]int64
	Min, Max    int64
	StdDev      float64 // of the population
	AvgBytes    float64
	// Rates of the Aggregate Report, per second from first start to last end.
	// Throughput is Inf, and the others 0, when that is no time at all.
	Throughput, ReceivedKB, SentKB float64
	// Rates of the Summary Report, whose time is the longest seen from the
	// first start so far to an end. 0 when that is no time at all.
	SummaryThroughput, SummaryReceivedKB, SummarySentKB float64
}

// ErrorRate is the part, 0 to 1, of samples that failed.
func (r *TableRow) ErrorRate() float64 {
	if r.Samples == 0 {
		return 0
	}
	return float64(r.Errors) / float64(r.Samples)
}

type tableRow struct {
	label       string
	values      map[int64]int64 // only of rows that stand for several samples
	times       Counter         // of all others
	n, errors   int64
	sum         int64
	squares     float64
	bytes, sent int64
	start, end  int64
	running     int64 // longest time from first start so far to an end
}

// NewTable makes an empty table with the percentiles of opt.
func NewTable(opt Options) *Table {
	return &Table{percentiles: opt.Percentiles, names: opt.PercentileNames,
		byLabel: make(map[string]*tableRow), total: &tableRow{label: "TOTAL"}}
}

// Add counts a row.
func (t *Table) Add(r *jtl.Row) {
	row := t.byLabel[string(r.Label)]
	if row == nil {
		row = &tableRow{label: valid(r.Label)}
		t.byLabel[string(r.Label)] = row
		t.rows = append(t.rows, row)
	}
	row.add(r)
	t.total.add(r)
}

func (row *tableRow) add(r *jtl.Row) {
	if row.n == 0 {
		row.start, row.end = r.Start, r.End
	}
	row.start, row.end = min(row.start, r.Start), max(row.end, r.End)
	row.running = max(row.running, r.End-row.start)
	n := max(r.SampleCount, 1)
	row.n += n
	row.errors += r.ErrorCount
	row.sum += r.Elapsed
	row.squares += float64(r.Elapsed) * float64(r.Elapsed) / float64(n)
	row.bytes += r.Bytes
	row.sent += r.SentBytes
	if n == 1 {
		row.times.Add(r.Elapsed)
		return
	}
	if row.values == nil {
		row.values = make(map[int64]int64)
	}
	row.values[r.Elapsed/n] += n
}

// all joins the values with those of rows that stand for several.
func (row *tableRow) all() *Counter {
	c := new(Counter)
	c.Merge(&row.times)
	for v, n := range row.values {
		c.addMany(v, n)
	}
	return c
}

// nearestRank is JMeter's: the smallest value that at least round(n*p) values
// do not exceed.
func nearestRank(c *Counter, p float64) int64 {
	if p >= 1 {
		return c.max
	}
	k := int64(math.Floor(float64(c.n)*p + 0.5))
	return int64(c.Kth(max(k, 1)))
}

func (t *Table) row(row *tableRow) TableRow {
	out := TableRow{Label: row.label, Samples: row.n, Errors: row.errors}
	if row.n == 0 {
		return out
	}
	c, n := row.all(), float64(row.n)
	out.Mean = float64(row.sum) / n
	out.Median = nearestRank(c, 0.5)
	for i, q := range t.percentiles {
		out.Percentiles[i] = nearestRank(c, float64(float32(q/100)))
	}
	out.Min, out.Max = c.min, c.max
	out.StdDev = math.Sqrt(max(0, row.squares/n-out.Mean*out.Mean))
	out.AvgBytes = float64(row.bytes) / n
	if seconds := float64(row.end-row.start) / 1000; seconds > 0 {
		out.Throughput = n / seconds
		out.ReceivedKB, out.SentKB = float64(row.bytes)/seconds/1024, float64(row.sent)/seconds/1024
	} else {
		out.Throughput = math.Inf(1)
	}
	if seconds := float64(row.running) / 1000; seconds > 0 {
		out.SummaryThroughput = n / seconds
		out.SummaryReceivedKB, out.SummarySentKB = float64(row.bytes)/seconds/1024, float64(row.sent)/seconds/1024
	}
	return out
}

// Rows are the lines by label, in order of first appearance.
func (t *Table) Rows() []TableRow {
	out := make([]TableRow, len(t.rows))
	for i, row := range t.rows {
		out[i] = t.row(row)
	}
	return out
}

// Total is the line of all rows.
func (t *Table) Total() TableRow { return t.row(t.total) }

// WriteAggregate writes what "Save Table Data" of the Aggregate Report does, but
// that a label with a line break is quoted.
func (t *Table) WriteAggregate(w io.Writer) error {
	head := []string{"Label", "# Samples", "Average", "Median", t.names[0] + "% Line", t.names[1] + "% Line", t.names[2] + "% Line",
		"Min", "Max", "Error %", "Throughput", "Received KB/sec", "Sent KB/sec"}
	return t.write(w, head, func(r TableRow) []string {
		return []string{r.Label, whole(r.Samples), whole(int64(r.Mean)), whole(r.Median),
			whole(r.Percentiles[0]), whole(r.Percentiles[1]), whole(r.Percentiles[2]), whole(r.Min), whole(r.Max),
			fixed(r.ErrorRate()*100, 3) + "%", noZero(r.Throughput, 5), fixed(r.ReceivedKB, 2), fixed(r.SentKB, 2)}
	})
}

// WriteSummary writes what "Save Table Data" of the Summary Report does.
func (t *Table) WriteSummary(w io.Writer) error {
	head := []string{"Label", "# Samples", "Average", "Min", "Max", "Std. Dev.", "Error %", "Throughput",
		"Received KB/sec", "Sent KB/sec", "Avg. Bytes"}
	return t.write(w, head, func(r TableRow) []string {
		return []string{r.Label, whole(r.Samples), whole(int64(r.Mean)), whole(r.Min), whole(r.Max), fixed(r.StdDev, 2),
			fixed(r.ErrorRate()*100, 3) + "%", noZero(r.SummaryThroughput, 5), fixed(r.SummaryReceivedKB, 2),
			fixed(r.SummarySentKB, 2), noZero(r.AvgBytes, 1)}
	})
}

func (t *Table) write(w io.Writer, head []string, line func(TableRow) []string) error {
	out := bufio.NewWriter(w)
	emit := func(fields []string) {
		for i, f := range fields {
			if i > 0 {
				out.WriteByte(',')
			}
			if strings.ContainsAny(f, ",\"\r\n") {
				f = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
			}
			out.WriteString(f)
		}
		out.WriteByte('\n')
	}
	emit(head)
	for _, r := range append(t.Rows(), t.Total()) {
		emit(line(r))
	}
	return out.Flush()
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

func fixed(f float64, digits int) string { return strconv.FormatFloat(f, 'f', digits, 64) }

// noZero is fixed without a zero in front of the point, as Java's pattern "#.0".
func noZero(f float64, digits int) string {
	if math.IsInf(f, 1) {
		return "∞"
	}
	return strings.TrimPrefix(fixed(f, digits), "0")
}
