package jtl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// jsonRows reads data and prints what it gives, a line a row.
func jsonRows(data string, opt ReadOptions) (string, *Report, error) {
	r, err := NewReader(iotest.OneByteReader(strings.NewReader(data)), opt)
	if err != nil {
		return "", nil, err
	}
	return printXML(r.Read)
}

func TestReadJSON(t *testing.T) {
	const sample = `{"timeStamp":1700000000000,"elapsed":5,"label":"a","responseCode":"200","responseMessage":"OK","success":true,"URL":null}` + "\n"
	const sampleIs = `1700000000000 5 "a" "200" "OK" "" true ""` + "\n"
	for _, test := range []struct {
		name, data, want string
		rep              Report
	}{
		{"plain", sample + sample, "1: " + sampleIs + "2: " + sampleIs, Report{Rows: 2}},
		{"BOM, blanks, CRLF, no last line end", "\ufeff" + strings.Replace(sample, "\n", "\r\n\r\n", 1) + " " + strings.TrimSpace(sample),
			"1: " + sampleIs + "3: " + sampleIs, Report{Rows: 2, Blank: 1}},
		{"blanks inside", `{ "elapsed" : 5 , "label" : "a" , "success" : false , "x" : [ { } , null , -1.5e3 , "y" , [] , true ] }`,
			`1: 0 5 "a" "" "" "" false ""` + "\n", Report{Rows: 1}},
		{"whole numbers with a point", `{"elapsed":15.0,"label":"a","timeStamp":1700000000000.00}`, `1: 1700000000000 15 "a" "" "" "" true ""` + "\n", Report{Rows: 1}},
		{"escapes", `{"elapsed":"7","label":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud83d\u0041","failureMessage":"no"}`,
			`1: 0 7 "\"\\/\b\f\n\r\té😀�A" "" "" "no" true ""` + "\n", Report{Rows: 1}},
		{"damaged lines", sample + `{"elapsed":5,"label":"x` + "\n" + `{"elapsed":x}` + "\n{}\n" + sample + `{"elapsed":1.5}` + "\n" +
			strings.TrimSpace(sample) + " 2\n[]\n" + strings.Replace(sample, `"elapsed":5`, `"elapsed":null`, 1) + strings.Replace(sample, `"success":true,`, "", 1),
			"1: " + sampleIs + "5: " + sampleIs, Report{Rows: 2, Skipped: 8, Bad: []BadLine{
				{2, "no JSON sample: a text without its end at byte 24"}, {3, "no JSON sample: no number at byte 12"},
				{4, "a sample without timeStamp"}, {6, `elapsed: "1.5" is not a number`}, {7, "no JSON sample: something behind the sample at byte 123"},
				{8, "no JSON sample: no { at byte 1"}, {9, "a sample without elapsed"}, {10, "a sample without success"}}}},
		{"cut off", sample + `{"elapsed":5`, "1: " + sampleIs, Report{Rows: 1, Truncated: true}},
		{"not UTF-8", `{"elapsed":5,"label":"caf` + "\xe9" + `"}`, `1: 0 5 "café" "" "" "" true ""` + "\n", Report{Rows: 1, Decoded: 1}},
		{"inside", `{"elapsed":9,"label":"p","subResults":[{"elapsed":1,"label":"p-0","subResults":[{"elapsed":0,"label":"p-0-0"}]},{"elapsed":0,"label":"p-1"}],"responseCode":"1"}`,
			`1: 0 9 "p" "1" "" "" true ""` + "\n" + `1:  0 1 "p-0" "" "" "" true ""` + "\n" + `1:   0 0 "p-0-0" "" "" "" true ""` + "\n" + `1:  0 0 "p-1" "" "" "" true ""` + "\n",
			Report{Rows: 4}},
		{"variables", `{"elapsed":1,"label":"a","variables":{"v":"x","w":null}}` + "\n" + `{"elapsed":1,"label":"b","variables":{"w":"y"}}`,
			`1: 0 1 "a" "" "" "" true "" "x" "null"` + "\n" + `2: 0 1 "b" "" "" "" true "" "" "y"` + "\n", Report{Rows: 2}},
	} {
		got, rep, err := jsonRows(test.data, ReadOptions{Workers: 1})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got != test.want || !reflect.DeepEqual(*rep, test.rep) {
			t.Errorf("%s:\n got %s%+v\nwant %s%+v", test.name, got, *rep, test.want, test.rep)
		}
	}
	for _, data := range []string{`{"Total":{"transaction":"Total"}}`, "{\n  \"label\": 1\n}\n", `{"label":"a"}`, "{"} {
		if got, _, err := jsonRows(data, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "no lines of samples") {
			t.Errorf("%q: %q %v", data, got, err)
		}
	}
}

// What went through JSON Lines is what it was, whatever the version that wrote it.
func TestThroughJSON(t *testing.T) {
	files, err := filepath.Glob("../testdata/jtl/*/*")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	rewritten := func(r *Reader, err error, format Format) []byte {
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		c := ConfigFor(r.opt, r.Info())
		c.Format, c.Delimiter, c.DateFormat = format, ',', nil
		c.Assertions = c.Assertions || format == XML && c.FailureMessage
		at := c.VarsOf(r.Info())
		b := c.AppendStart(nil)
		if _, err := r.ReadSamples(func(s *Sample) error {
			ArrangeVars(s, at)
			b = c.Append(b, s)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return c.AppendEnd(b)
	}
	for _, f := range files {
		r, err := Open(f, ReadOptions{})
		if err != nil {
			continue // no result file
		}
		format := r.Info().Format
		want := rewritten(r, nil, format)
		r, err = Open(f, ReadOptions{})
		lines := rewritten(r, err, JSON)
		r, err = NewReader(bytes.NewReader(lines), ReadOptions{})
		if got := rewritten(r, err, format); !bytes.Equal(got, want) {
			t.Errorf("%s: not the same after JSON:\n%s", f, firstDifference(got, want))
		}
	}
}

func firstDifference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("line %d: %.300q\n   want: %.300q", i+1, a[i], b[min(i, len(b)-1)])
		}
	}
	return "cut off"
}

// FuzzReadJSON reads any lines: those that are JSON of the right types are rows,
// wherever they are cut for the workers.
func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`{"timeStamp":1,"elapsed":2,"label":"\u00e9","variables":{"a":null},"assertionResults":[{"name":"n","failure":true}]}` + "\n{\n"))
	f.Add([]byte(`{"label":"p","success":false,"http":true,"subResults":[{"elapsed":1,"responseData":"x"}]}` + "\n[]\n\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = append([]byte(`{"elapsed":1,"label":"a"}`+"\n"), data...)
		read := func(chunk int) (string, *Report) {
			r, err := NewReader(bytes.NewReader(data), ReadOptions{Workers: 1, chunk: chunk, TopOnly: true, MaxBad: 1000})
			if err != nil {
				t.Fatal(err)
			}
			got, rep, err := printXML(r.Read)
			if err != nil {
				t.Fatal(err)
			}
			return got, rep
		}
		got, rep := read(1 << 20)
		if again, againRep := read(1); again != got || !reflect.DeepEqual(rep, againRep) {
			t.Errorf("%s%+v, in pieces %s%+v", got, rep, again, againRep)
		}
		for i, line := range bytes.Split(data, []byte("\n")) {
			if !json.Valid(bytes.ToValidUTF8(line, nil)) && len(bytes.TrimSpace(line)) > 0 && strings.Contains(got, fmt.Sprintf("\n%d: ", i+1)) {
				// More is taken than JSON: numbers with zeros or a plus before them.
				if bytes.ContainsAny(line, "+0.eE") {
					continue
				}
				t.Errorf("line %d is no JSON: %q", i+1, line)
			}
		}
	})
}
