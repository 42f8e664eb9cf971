package main_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Results in their normal form: times are dropped, rows stand by thread and
// within a thread in their order, paths and multipart boundaries are replaced.
// All else stays, byte counts too.

var (
	csvTimes = []string{"timeStamp", "elapsed", "Latency", "IdleTime", "Connect"}
	xmlTimes = []string{"ts", "t", "lt", "it", "ct", "hn"}
)

var (
	boundaryParameter = regexp.MustCompile(`(?i)(boundary=)[-\pL\pN_']+`)
	boundaryLine      = regexp.MustCompile(`(?m)^-{2,}[-\pL\pN_]{16,}`)
	threadNumbers     = regexp.MustCompile(`^(.*?)(\d+)-(\d+)$`)
)

func (c *conformanceCase) scrub(text string) string {
	text = strings.ReplaceAll(text, c.dir, "{dir}")
	text = boundaryParameter.ReplaceAllString(text, "${1}{boundary}")
	return boundaryLine.ReplaceAllString(text, "{boundary}")
}

// threadOrder puts "Users 1-2" before "Users 1-10".
func threadOrder(a, b string) int {
	key := func(name string) (string, int, int) {
		m := threadNumbers.FindStringSubmatch(name)
		if m == nil {
			return name, 0, 0
		}
		group, _ := strconv.Atoi(m[2])
		thread, _ := strconv.Atoi(m[3])
		return m[1], group, thread
	}
	aName, aGroup, aThread := key(a)
	bName, bGroup, bThread := key(b)
	return cmp.Or(cmp.Compare(aName, bName), cmp.Compare(aGroup, bGroup), cmp.Compare(aThread, bThread))
}

func (c *conformanceCase) normalCSV(data []byte) (string, error) {
	if !utf8.Valid(data) {
		return "", errors.New("not UTF-8")
	}
	rows := readRows(string(data))
	if len(rows) == 0 {
		return "(empty)\n", nil
	}
	head, body := rows[0], rows[1:]
	if name := slices.Index(head, "threadName"); name >= 0 {
		for i, row := range body {
			if name >= len(row) {
				return "", fmt.Errorf("row %d has no thread name: %q", i+2, row)
			}
		}
		slices.SortStableFunc(body, func(a, b []string) int { return threadOrder(a[name], b[name]) })
	}
	var out strings.Builder
	for _, row := range rows {
		var kept []string
		for i, column := range head {
			switch {
			case slices.Contains(csvTimes, column), slices.Contains(c.ignore, column):
			case i < len(row):
				kept = append(kept, c.scrub(row[i]))
			default:
				kept = append(kept, "(missing)")
			}
		}
		writeRow(&out, kept)
	}
	return out.String(), nil
}

// readRows reads CSV as leniently as can be: what a program wrote shows itself
// in the comparison, so a quote in a wrong place is text and an empty line is a
// row without fields. (encoding/csv drops such lines and carriage returns.)
func readRows(text string) (rows [][]string) {
	for text != "" {
		row := []string{}
		for more := text[0] != '\r' && text[0] != '\n'; more; {
			var field string
			field, text = cutField(text)
			row = append(row, field)
			text, more = strings.CutPrefix(text, ",")
		}
		rows = append(rows, row)
		if rest, ok := strings.CutPrefix(text, "\r\n"); ok {
			text = rest
		} else if text != "" {
			text = text[1:]
		}
	}
	return rows
}

// cutField returns the first field and what follows it, from its comma or line
// end on.
func cutField(text string) (field, rest string) {
	var b strings.Builder
	rest, quoted := strings.CutPrefix(text, `"`)
	for quoted {
		part, after, _ := strings.Cut(rest, `"`) // a quote that is never closed reaches to the end
		b.WriteString(part)
		if rest, quoted = strings.CutPrefix(after, `"`); quoted {
			b.WriteByte('"')
		}
	}
	end := strings.IndexAny(rest, ",\r\n")
	if end < 0 {
		end = len(rest)
	}
	b.WriteString(rest[:end])
	return b.String(), rest[end:]
}

func writeRow(out *strings.Builder, row []string) {
	for i, field := range row {
		if i > 0 {
			out.WriteByte(',')
		}
		if strings.ContainsAny(field, ",\"\n") || field == "" && len(row) == 1 {
			field = `"` + strings.ReplaceAll(field, `"`, `""`) + `"`
		}
		out.WriteString(field)
	}
	out.WriteByte('\n')
}

// element is an XML element as far as results have need of it.
type element struct {
	name       string
	attributes []xml.Attr
	text       string // before the first child
	children   []*element
}

func (e *element) attribute(name string) string {
	for _, a := range e.attributes {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (c *conformanceCase) normalXML(data []byte) (string, error) {
	if !utf8.Valid(data) {
		return "", errors.New("not UTF-8")
	}
	root, err := readElement(data)
	if err != nil {
		return "", err
	}
	slices.SortStableFunc(root.children, func(a, b *element) int {
		return threadOrder(a.attribute("tn"), b.attribute("tn"))
	})
	var out strings.Builder
	for _, e := range root.children {
		c.dump(&out, e, "")
	}
	return out.String(), nil
}

// dump writes an element, its text and what is in it, one thing a line.
func (c *conformanceCase) dump(out *strings.Builder, e *element, indent string) {
	ignored := func(name string) bool { return slices.Contains(xmlTimes, name) || slices.Contains(c.ignore, name) }
	out.WriteString(indent + e.name)
	for _, a := range e.attributes {
		if !ignored(a.Name.Local) {
			out.WriteString(" " + a.Name.Local + "=" + quote(c.scrub(a.Value)))
		}
	}
	out.WriteByte('\n')
	if text := strings.Trim(e.text, "\n"); strings.TrimSpace(text) != "" && !ignored(e.name) {
		for _, line := range splitLines(c.scrub(text)) {
			out.WriteString(indent + "  | " + line + "\n")
		}
	}
	for _, child := range e.children {
		if !ignored(child.name) {
			c.dump(out, child, indent+"  ")
		}
	}
}

func readElement(data []byte) (*element, error) {
	var root *element
	var open []*element
	dec := xml.NewDecoder(bytes.NewReader(normalAttributes(data)))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: token.Copy().Attr}
			slices.SortFunc(e.attributes, func(a, b xml.Attr) int { return strings.Compare(a.Name.Local, b.Name.Local) })
			for i, a := range e.attributes {
				if i > 0 && a.Name == e.attributes[i-1].Name {
					return nil, fmt.Errorf("line %d: attribute %s twice", line(dec), a.Name.Local)
				}
			}
			if len(open) > 0 {
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			} else if root != nil {
				return nil, fmt.Errorf("line %d: a second root element", line(dec))
			} else {
				root = e
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 0 {
				if len(bytes.TrimSpace(token)) > 0 {
					return nil, fmt.Errorf("line %d: text outside of the root element", line(dec))
				}
			} else if e := open[len(open)-1]; len(e.children) == 0 {
				e.text += string(token)
			}
		}
	}
	if root == nil {
		return nil, errors.New("no element found")
	}
	return root, nil
}

func line(dec *xml.Decoder) int {
	n, _ := dec.InputPos()
	return n
}

var (
	tag          = regexp.MustCompile(`<[^!?<>"'][^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*)+>`)
	lineEndOrTab = regexp.MustCompile("\r\n|[\r\n\t]")
)

// normalAttributes turns line ends and tabs that stand in attribute values into
// spaces, as an XML reader has to (XML 1.0, section 3.3.3) and encoding/xml does
// not: written as they are they do not come back, written as &#xa; they do.
func normalAttributes(data []byte) []byte {
	return tag.ReplaceAllFunc(data, func(t []byte) []byte { return lineEndOrTab.ReplaceAllLiteral(t, []byte{' '}) })
}

// normalStdout keeps the console lines that match the pattern in the file stdout;
// what its group called varies catches, which is by the wall clock, is written ~.
func (c *conformanceCase) normalStdout(text string) (string, error) {
	data, err := os.ReadFile(filepath.Join(c.dir, "stdout"))
	if err != nil {
		return "", err
	}
	pattern, err := regexp.Compile(strings.TrimSpace(string(data)))
	if err != nil {
		return "", fmt.Errorf("%s: %w", data, err)
	}
	var out strings.Builder
	for _, line := range splitLines(c.scrub(text)) {
		found := pattern.FindStringSubmatchIndex(line)
		if found == nil {
			continue
		}
		if i := 2 * pattern.SubexpIndex("varies"); i > 0 && found[i] >= 0 {
			line = line[:found[i]] + "~" + line[found[i+1]:]
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

// splitLines splits at every character that Unicode says ends a line, so that
// none hides in the recorded text.
func splitLines(text string) (lines []string) {
	for text != "" {
		i := strings.IndexAny(text, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		if i < 0 {
			return append(lines, text)
		}
		lines = append(lines, text[:i])
		_, size := utf8.DecodeRuneInString(text[i:])
		if strings.HasPrefix(text[i:], "\r\n") {
			size = 2
		}
		text = text[i+size:]
	}
	return lines
}

// quote writes a text in quotes: single ones unless it holds those and no
// double ones. What cannot be seen is escaped.
func quote(text string) string {
	q := '\''
	if strings.Contains(text, "'") && !strings.Contains(text, `"`) {
		q = '"'
	}
	var b strings.Builder
	b.WriteRune(q)
	for _, r := range text {
		switch {
		case r == q, r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteRune(q)
	return b.String()
}
