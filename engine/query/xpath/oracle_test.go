package xpath

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gojm/gojm/engine/query/xml"
)

// The files of testdata hold what JMeter 5.6.3's XPathUtil answered: expression,
// document, flags (n namespaces, f fragment), and the list, tab separated. UTF-16
// units outside printable ASCII, % and | are %hhhh.
func TestAgainstRecordedJMeter(t *testing.T) {
	files, err := filepath.Glob("testdata/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded results: %v", err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			fields := strings.Split(lines.Text(), "\t")
			if len(fields) != 4 {
				t.Fatalf("%s:%d: want 4 fields", name, n)
			}
			if got := answer(decode(t, fields[0]), decode(t, fields[1]), fields[2]); got != fields[3] {
				t.Errorf("%s:%d: %s of %s (%s)\n got %s\nwant %s", name, n, fields[0], fields[1], fields[2], got, fields[3])
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func answer(expression, doc, flags string) string {
	root, err := xml.Parse([]byte(doc), strings.Contains(flags, "n"))
	if err != nil {
		return "docerror SAXParseException: " + encode(err.Error())
	}
	e, err := Compile(expression)
	if err != nil {
		return failure(err)
	}
	v, err := e.Eval(root, RootResolver(root))
	if err != nil {
		return failure(err)
	}
	out := "list"
	for _, m := range v.Matches(strings.Contains(flags, "f")) {
		if m.Null {
			m.Text = "NULL"
		}
		out += "|" + encode(m.Text)
	}
	return out
}

func failure(err error) string {
	class := "TransformerException"
	if strings.HasPrefix(err.Error(), "Prefix must") {
		class = "XPathStylesheetDOM3Exception"
	}
	return "error " + class + ": " + encode(err.Error())
}

func decode(t *testing.T, s string) string {
	var units []uint16
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			units = append(units, uint16(s[i]))
			continue
		}
		n, err := strconv.ParseUint(s[i+1:i+5], 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, uint16(n))
		i += 4
	}
	return string(utf16.Decode(units))
}

func encode(s string) string {
	var out strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		if u >= ' ' && u <= '~' && u != '%' && u != '|' {
			out.WriteByte(byte(u))
			continue
		}
		hex := strconv.FormatUint(uint64(u), 16)
		out.WriteString("%" + strings.Repeat("0", 4-len(hex)) + hex)
	}
	return out.String()
}
