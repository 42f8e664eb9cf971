package jsonpath

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gojm/gojm/engine/query/json"
)

// The files of testdata hold what JMeter 5.6.3's own classes answered: path,
// document, then the JSON Extractor's list and the JSON Assertion's value, tab
// separated. UTF-16 units outside printable ASCII, % and | are %hhhh.
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
			path, doc := decode(t, fields[0]), decode(t, fields[1])
			if got := extracted(path, doc); got != fields[2] {
				t.Errorf("%s:%d: extract %s of %s\n got %s\nwant %s", name, n, fields[0], fields[1], got, fields[2])
			}
			if got := asserted(path, doc); got != fields[3] {
				t.Errorf("%s:%d: assert %s of %s\n got %s\nwant %s", name, n, fields[0], fields[1], got, fields[3])
			}
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

func extracted(path, doc string) string {
	p, err := Compile(path)
	if err != nil {
		return failure(err)
	}
	root, err := json.ParseLenient([]byte(doc))
	if err != nil {
		return failure(err)
	}
	values, err := p.List(root)
	if err != nil {
		return failure(err)
	}
	var b strings.Builder
	b.WriteString("list")
	for _, v := range values {
		b.WriteByte('|')
		if v.Kind() == json.Null {
			b.WriteString("NULL")
		} else {
			b.WriteString(encode(v.Text()))
		}
	}
	return b.String()
}

func asserted(path, doc string) string {
	p, err := Compile(path)
	if err != nil {
		return failure(err)
	}
	root, err := json.ParseLenient([]byte(doc))
	if err != nil {
		return failure(err)
	}
	v, err := p.Read(root)
	if err != nil {
		return failure(err)
	}
	kind := v.JavaType()
	switch v.Kind() {
	case json.Object:
		kind = "object"
	case json.Array:
		kind = "array"
	}
	if p.root.tail().call.name == "keys" && kind == "String" {
		kind = "LinkedKeySet" // a class of Java's; it prints as the text this package gives
	}
	definite := "indefinite|"
	if p.Definite() {
		definite = "definite|"
	}
	return definite + kind + "|" + encode(v.AssertionText())
}

func failure(err error) string {
	reason := "InvalidJsonException"
	var e *Error
	if errors.As(err, &e) {
		reason = string(e.Reason)
	}
	return "error " + reason + ": " + encode(err.Error())
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
