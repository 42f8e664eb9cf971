package jmespath

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gojm/gojm/engine/query/json"
)

// The files of testdata hold what the library under JMeter 5.6.3 answered:
// expression, document, result, tab separated. UTF-16 units outside printable ASCII,
// % and | are %hhhh.
func TestAgainstRecordedLibrary(t *testing.T) {
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
			if len(fields) != 3 {
				t.Fatalf("%s:%d: want 3 fields", name, n)
			}
			got, want := answer(decode(t, fields[0]), decode(t, fields[1])), fields[2]
			// Of a syntax error only the beginning is the same: what the grammar would
			// have liked instead is worded by a parser generator.
			if strings.HasPrefix(want, "error ParseException") {
				want, _, _ = strings.Cut(want, "\": ")
				got, _, _ = strings.Cut(got, "\": ")
			}
			if got != want {
				t.Errorf("%s:%d: %s of %s\n got %s\nwant %s", name, n, fields[0], fields[1], got, want)
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func answer(expression, doc string) string {
	v, err := json.ParseStrict([]byte(doc))
	if err != nil {
		class := "JsonParseException"
		switch {
		case strings.HasPrefix(err.Error(), "Unexpected end-of-input"):
			class = "JsonEOFException"
		case strings.HasPrefix(err.Error(), "No content"):
			class = "MismatchedInputException"
		}
		return "error " + class + ": " + encode(err.Error())
	}
	e, err := Compile(expression)
	if err != nil {
		return "error ParseException: " + encode(err.Error())
	}
	out, err := e.Search(v)
	if err != nil {
		var a *ArgumentError
		if errors.As(err, &a) {
			return "error ArgumentTypeException: " + encode(err.Error())
		}
		return fmt.Sprint("error IndexOutOfBoundsException: ", err)
	}
	return strings.ToUpper(typeOf(out)) + "|" + encode(out.JacksonText())
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
