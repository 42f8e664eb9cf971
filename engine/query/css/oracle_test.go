package css

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
)

// The files of testdata hold what jsoup 1.17.1 answered: query, attribute (none
// means the text), page, and the list of values, tab separated. UTF-16 units outside
// printable ASCII, % and | are %hhhh.
func TestAgainstRecordedJsoup(t *testing.T) {
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
			got := answer(decode(t, fields[0]), decode(t, fields[1]), decode(t, fields[2]))
			if want := fields[3]; got != want && !(got == "error" && strings.HasPrefix(want, "error ")) {
				t.Errorf("%s:%d: %s [%s] of %s\n got %s\nwant %s", name, n, fields[0], fields[1], fields[2], got, want)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func answer(query, attribute, page string) string {
	s, err := Compile(query)
	if err != nil {
		return "error"
	}
	doc, err := Parse(page)
	if err != nil {
		return err.Error()
	}
	out := "list"
	for _, n := range s.Select(doc) {
		if attribute == "" {
			out += "|" + encode(Text(n))
		} else {
			out += "|" + encode(Attr(n, attribute))
		}
	}
	return out
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
