package htmlreport

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// compared are the cells of the comparison in short, the total first.
func (c *Comparison) compared() [][]string {
	name := c.A.Options.PercentileNames[1]
	all := [][]string{{"Label", "# Samples", "Average", "", "p" + name, "", "Error %", "Throughput", "", "Shift", "95% interval", "Cliff's delta", "Verdict"}}
	for _, d := range append([]Difference{c.Total}, c.Rows...) {
		verdict := d.Verdict()
		if e := d.ErrorVerdict(); e != "" {
			verdict += ", " + e
		}
		all = append(all, []string{plainText(named(d.Label)), grouped(d.A.Samples) + " → " + grouped(d.B.Samples),
			change(d.A.Mean, d.B.Mean), relative(d.A.Mean, d.B.Mean),
			change(d.A.Percentiles[1], d.B.Percentiles[1]), relative(d.A.Percentiles[1], d.B.Percentiles[1]),
			percent(d.A.ErrorPct) + " → " + percent(d.B.ErrorPct),
			change(d.A.Throughput, d.B.Throughput), relative(d.A.Throughput, d.B.Throughput),
			signed(d.Shift.Value, " ms"), span95(d.Shift), signedDelta(d.Delta), verdict})
	}
	return all
}

func change(a, b float64) string { return figures(a) + " → " + figures(b) }

func relative(a, b float64) string { return signed(Change(a, b), "%") }

func span95(e Estimate) string {
	if math.IsNaN(e.Value) {
		return none
	}
	return signed(e.Low, "") + " to " + signed(e.High, "")
}

func signedDelta(e Estimate) string {
	if math.IsNaN(e.Value) {
		return none
	}
	text := fmt.Sprintf("%+.2f", e.Value)
	if strings.Trim(text, "+-0.") == "" {
		return "0"
	}
	return text
}

// plainText keeps what comes from a file from moving the terminal's cursor.
func plainText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// leftOut names the labels that only one run has.
func (c *Comparison) leftOut() []string {
	var lines []string
	for _, of := range []struct {
		where  string
		labels []string
	}{{"first", c.OnlyA}, {"second", c.OnlyB}} {
		if len(of.labels) == 0 {
			continue
		}
		var names []string
		for _, l := range of.labels {
			names = append(names, plainText(named(l)))
		}
		lines = append(lines, "Only in the "+of.where+" run: "+strings.Join(names, ", "))
	}
	return lines
}

// WriteText writes the comparison for a terminal.
func (c *Comparison) WriteText(w io.Writer) error {
	cells := c.compared()
	width := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	out := bufio.NewWriter(w)
	for _, row := range cells {
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			switch i {
			case 0:
				out.WriteString(cell + pad)
			case len(row) - 1:
				out.WriteString("  " + cell)
			default:
				out.WriteString("  " + pad + cell)
			}
		}
		out.WriteByte('\n')
	}
	for _, line := range c.leftOut() {
		out.WriteString(line + "\n")
	}
	for _, k := range c.Checks {
		fmt.Fprintf(out, "%s  %s %s: %s\n", map[bool]string{true: "passed", false: "BROKEN"}[k.Passed], plainText(k.Name), k.Limit, plainText(k.Value))
	}
	return out.Flush()
}

// WriteMarkdown writes it in the form of GitHub Flavored Markdown.
func (c *Comparison) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	escape := strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "&", "&amp;")
	for i, row := range c.compared() {
		for _, cell := range row {
			out.WriteString("| " + escape.Replace(cell) + " ")
		}
		out.WriteString("|\n")
		if i == 0 {
			out.WriteString("|:--" + strings.Repeat("|--:", len(row)-2) + "|:--|\n")
		}
	}
	out.WriteByte('\n')
	for _, line := range c.leftOut() {
		out.WriteString("- " + escape.Replace(line) + "\n")
	}
	for _, k := range c.Checks {
		fmt.Fprintf(out, "- %s %s %s: %s\n", map[bool]string{true: "passed", false: "**broken**"}[k.Passed], escape.Replace(plainText(k.Name)),
			escape.Replace(k.Limit), escape.Replace(plainText(k.Value)))
	}
	return out.Flush()
}

// figuresJSON are a run's figures of a label. What is no number is null.
type figuresJSON struct {
	Samples     int64               `json:"samples"`
	Errors      int64               `json:"errors"`
	ErrorPct    *float64            `json:"errorPct"`
	Average     *float64            `json:"average"`
	Median      *float64            `json:"median"`
	Min         int64               `json:"min"`
	Max         int64               `json:"max"`
	Percentiles map[string]*float64 `json:"percentiles"`
	Throughput  *float64            `json:"throughput"`
}

type differenceJSON struct {
	Label    string      `json:"label"`
	A        figuresJSON `json:"a"`
	B        figuresJSON `json:"b"`
	Shift    *Estimate   `json:"shift"`
	Delta    *Estimate   `json:"cliffsDelta"`
	ErrorPct *Estimate   `json:"errorPctDifference"`
	Verdict  string      `json:"verdict"`
	Errors   string      `json:"errorVerdict,omitempty"`
}

// WriteJSON writes all of it for programs.
func (c *Comparison) WriteJSON(w io.Writer) error {
	out := struct {
		Total  differenceJSON   `json:"total"`
		Rows   []differenceJSON `json:"rows"`
		OnlyA  []string         `json:"onlyA"`
		OnlyB  []string         `json:"onlyB"`
		Checks []checkJSON      `json:"checks"`
		Passed bool             `json:"passed"`
	}{Total: c.Total.json(), Rows: []differenceJSON{}, OnlyA: append([]string{}, c.OnlyA...), OnlyB: append([]string{}, c.OnlyB...),
		Checks: []checkJSON{}, Passed: !c.Broken}
	for i := range c.Rows {
		out.Rows = append(out.Rows, c.Rows[i].json())
	}
	for _, k := range c.Checks {
		out.Checks = append(out.Checks, checkJSON(k))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

type checkJSON struct {
	Name   string `json:"name"`
	Limit  string `json:"limit"`
	Value  string `json:"value"`
	Passed bool   `json:"passed"`
}

func (d *Difference) json() differenceJSON {
	return differenceJSON{Label: d.Label, A: d.figures(&d.A), B: d.figures(&d.B), Shift: d.Shift.json(), Delta: d.Delta.json(),
		ErrorPct: d.ErrorPct.json(), Verdict: d.Verdict(), Errors: d.ErrorVerdict()}
}

func (d *Difference) figures(r *Row) figuresJSON {
	f := figuresJSON{Samples: r.Samples, Errors: r.Errors, ErrorPct: finite(r.ErrorPct), Average: finite(r.Mean), Median: finite(r.Median),
		Min: r.Min, Max: r.Max, Percentiles: make(map[string]*float64), Throughput: finite(r.Throughput)}
	for i, name := range d.opt.PercentileNames {
		f.Percentiles[name] = finite(r.Percentiles[i])
	}
	return f
}

func finite(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

func (e Estimate) json() *Estimate {
	if math.IsNaN(e.Value) {
		return nil
	}
	return &e
}
