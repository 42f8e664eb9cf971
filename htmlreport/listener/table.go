package listener

import (
	"bufio"
	"encoding/json"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// WriteCSV writes the table as the listener's "Save Table Data" or the plug-ins'
// --generate-csv does, but that a label with a line break is quoted.
func (t *Table) WriteCSV(w io.Writer) error {
	out := bufio.NewWriter(w)
	writeCSVRow(out, t.Headings())
	t.each(func(l *Line) {
		fields := make([]string, 0, len(t.options.Layout.columns))
		for _, c := range t.options.Layout.columns {
			fields = append(fields, c.text(l))
		}
		writeCSVRow(out, fields)
	})
	return out.Flush()
}

func writeCSVRow(out *bufio.Writer, fields []string) {
	for i, f := range fields {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(quoted(f))
	}
	out.WriteByte('\n')
}

func quoted(f string) string {
	if !strings.ContainsAny(f, ",\"\r\n") {
		return f
	}
	return `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
}

func (t *Table) each(do func(*Line)) {
	for i := range t.Lines {
		do(&t.Lines[i])
	}
	do(&t.Total)
}

// cells are the table as people read it.
func (t *Table) cells() [][]string {
	all := [][]string{t.Headings()}
	t.each(func(l *Line) {
		var row []string
		for _, c := range t.options.Layout.columns {
			text := c.text
			if c.screen != nil {
				text = c.screen
			}
			row = append(row, oneLine(text(l)))
		}
		all = append(all, row)
	})
	return all
}

// oneLine keeps what comes from a file from moving the terminal's cursor.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
}

// WriteText writes the table for a terminal: numbers to the right, below each other.
func (t *Table) WriteText(w io.Writer) error {
	cells := t.cells()
	width := make([]int, len(cells[0]))
	for _, row := range cells {
		for i, c := range row {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	out := bufio.NewWriter(w)
	for _, row := range cells {
		for i, c := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			switch {
			case i == 0:
				out.WriteString(c + pad)
			default:
				out.WriteString("  " + pad + c)
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// WriteMarkdown writes the table in the form of GitHub Flavored Markdown, section "Tables".
func (t *Table) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, row := range t.cells() {
		for _, c := range row {
			out.WriteString("| " + strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "&", "&amp;").Replace(c) + " ")
		}
		out.WriteString("|\n")
		if i == 0 {
			out.WriteString("|:--" + strings.Repeat("|--:", len(row)-1) + "|\n")
		}
	}
	return out.Flush()
}

// WriteJSON writes an object with "rows", one a label, and "total". What is no
// number, as a rate over no time, is null.
func (t *Table) WriteJSON(w io.Writer) error {
	object := func(l *Line) *member {
		m := &member{}
		for _, c := range t.options.Layout.columns {
			key := c.key
			if c.nth > 0 {
				key = "pct" + t.options.PercentileNames[c.nth-1]
			}
			if c.value == nil {
				m.add(key, c.text(l))
			} else if v := c.value(l); math.IsInf(v, 0) || math.IsNaN(v) {
				m.add(key, nil)
			} else {
				m.add(key, v)
			}
		}
		return m
	}
	rows := []*member{}
	for i := range t.Lines {
		rows = append(rows, object(&t.Lines[i]))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(struct {
		Rows  []*member `json:"rows"`
		Total *member   `json:"total"`
	}{rows, object(&t.Total)})
}

// member is a JSON object that keeps its order.
type member struct {
	keys   []string
	values []any
}

func (m *member) add(key string, value any) {
	m.keys, m.values = append(m.keys, key), append(m.values, value)
}

func (m *member) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, key := range m.keys {
		if i > 0 {
			out = append(out, ',')
		}
		k, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(m.values[i])
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, k...), ':'), v...)
	}
	return append(out, '}'), nil
}
