package jtl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAppendToForeign(t *testing.T) {
	for name, before := range map[string]string{
		"x.jtl":     "\x1f\x8b\x08\x00\x00",
		"x.csv":     "\x28\xb5\x2f\xfd\x00",
		"x":         "\xfd7zXZ\x00\x00",
		"x.bz2":     "BZh91AY",
		"le.jtl":    "\xff\xfet\x00i\x00",
		"be.jtl":    "\xfe\xff\x00t\x00i",
		"nobom.jtl": "t\x00i\x00",
	} {
		for _, format := range []Format{CSV, XML} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			c := DefaultConfig()
			c.Format = format
			w, err := Create(path, c, CreateOptions{})
			if err == nil {
				w.Close()
				t.Errorf("%v: appended to %q", format, before)
			} else if !strings.Contains(err.Error(), "results file: it holds ") {
				t.Errorf("%v: %q: %v", format, before, err)
			}
			if got := contents(t, path); got != before {
				t.Errorf("%v: %q became %q", format, before, got)
			}
		}
	}
}

// The form and the way of compression are those that the file has.
func TestAppendToOtherCompressed(t *testing.T) {
	xml := DefaultConfig()
	xml.Format = XML
	dir := t.TempDir()
	csvGz, xmlGz, zst := filepath.Join(dir, "csv.gz"), filepath.Join(dir, "xml.gz"), filepath.Join(dir, "x.zst")
	write(t, csvGz, DefaultConfig(), "a")
	write(t, xmlGz, xml, "a")
	write(t, zst, DefaultConfig(), "a")
	misnamed := filepath.Join(dir, "y.gz")
	if err := os.Rename(zst, misnamed); err != nil {
		t.Fatal(err)
	}
	for path, c := range map[string]*Config{csvGz: xml, xmlGz: DefaultConfig(), misnamed: DefaultConfig()} {
		before := contents(t, path)
		if w, err := Create(path, c, CreateOptions{}); err == nil {
			w.Close()
			t.Errorf("appended to %s", path)
		}
		if contents(t, path) != before {
			t.Errorf("%s has changed", path)
		}
	}
}

// Rows of other columns come behind a header of their own, by which they can be
// told; otherwise nothing changes.
func TestAppendToOtherLayout(t *testing.T) {
	run := &Config{Time: true, Label: true, Success: true, FieldNames: true, Delimiter: ','}
	const head, row, other = "elapsed,label,success\n", "0,a,false\n", "label,elapsed,success\n"
	for _, test := range []struct {
		name, before, want string // what is appended
	}{
		{"the same", head + "1,b,true\n", row},
		{"the same, cut off", head + "1,b,tr", "\n" + row},
		{"the same, other line ends", strings.ReplaceAll(head+"1,b,true\n", "\n", "\r\n"), row},
		{"the same, with a mark", "\ufeff" + head + "1,b,true\n", row},
		{"the same, quoted", "\"elapsed\",\"label\",\"success\"\n1,b,true\n", row},
		{"the same, last row in lines", head + "1,\"b\nc\",true\n", row},
		{"the same, no rows", head, row},
		{"no header", "1,b,true\n", row},
		{"another order", other + "b,1,true\n", head + row},
		{"fewer", "elapsed,label\n1,b\n", head + row},
		{"more", "elapsed,label,success,bytes\n1,b,true,0\n", head + row},
		{"a variable more", "elapsed,label,success,\"v\"\n1,b,true,0\n", head + row},
		{"another delimiter", "elapsed;label;success\n1;b;true\n", head + row},
		{"another, cut off", other + "b,1", "\n" + head + row},
		{"changed to another", head + "1,b,true\n" + other + "b,1,true\n", head + row},
		{"changed and back", head + "1,b,true\n" + other + "b,1,true\n" + head + "1,b,true\n", row},
		{"only a header since", head + "1,b,true\n" + other, head + row},
	} {
		for _, end := range []string{".jtl", ".jtl.gz"} {
			path := filepath.Join(t.TempDir(), "x"+end)
			if end == ".jtl.gz" {
				if strings.Contains(test.name, "cut off") || strings.Contains(test.name, "since") || strings.HasPrefix(test.name, "changed") {
					continue // of what is packed only the first header is looked at
				}
				out, err := CreateOutput(path, false)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := out.Write([]byte(test.before)); err != nil {
					t.Fatal(err)
				}
				if err := out.Commit(); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte(test.before), 0o600); err != nil {
				t.Fatal(err)
			}
			told := ""
			w, err := Create(path, run, CreateOptions{OnWarning: func(text string) { told += text }})
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.Write(&Sample{Label: "a"}), w.Close()); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(told, "gojm repair") != strings.Contains(test.want, head) {
				t.Errorf("%s%s: told %q", test.name, end, told)
			}
			if end == ".jtl" {
				if got := contents(t, path); got != test.before+test.want {
					t.Errorf("%s: got %q, want %q", test.name, got, test.before+test.want)
				}
				var layout *LayoutError // which is how gojm repair finds the parts
				_, err := ReadFile(path, ReadOptions{}, func(int, *Row) error { return nil })
				if two := told != "" || strings.HasPrefix(test.name, "changed"); errors.As(err, &layout) != two {
					t.Errorf("%s: reading it: %v", test.name, err)
				}
			}
		}
	}
}

// Rows that come with time stamps of another form are told of, and read.
func TestAppendWithOtherTimeStamps(t *testing.T) {
	format, err := NewDateFormat("yyyy/MM/dd HH:mm:ss.SSS", time.Local)
	if err != nil {
		t.Fatal(err)
	}
	digits, err := NewDateFormat("yyyyMMddHHmmss", time.Local)
	if err != nil {
		t.Fatal(err)
	}
	date := string(format.Append(nil, 1_700_000_000_000))
	for _, test := range []struct {
		before string
		run    *DateFormat
		want   string // what is told
	}{
		{"1700000000000,a\n", nil, ""},
		{"1700000000000,a\n", format, "in the form ms, this run writes yyyy/MM/dd HH:mm:ss.SSS"},
		{"1700000000000,a\n", digits, "refused"},
		{date + ",a\n", format, ""},
		{date + ",a\n", nil, "in the form yyyy/MM/dd HH:mm:ss.SSS, this run writes ms"},
		{string(digits.Append(nil, 1_700_000_000_000)) + ",a\n", digits, ""},
		{"1700000000000,a\n" + date + ",a\n", format, ""},
	} {
		for _, end := range []string{".jtl", ".jtl.gz"} {
			path := filepath.Join(t.TempDir(), "x"+end)
			before := "timeStamp,label\n" + test.before
			if end == ".jtl" {
				err = os.WriteFile(path, []byte(before), 0o600)
			} else if strings.Count(before, "\n") > 2 {
				continue // only the beginning is looked at
			} else {
				var out *Output
				if out, err = CreateOutput(path, false); err == nil {
					_, err = out.Write([]byte(before))
					err = errors.Join(err, out.Commit())
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			c := &Config{Timestamp: true, Label: true, FieldNames: true, Delimiter: ',', DateFormat: test.run, StampStart: true}
			told := ""
			w, err := Create(path, c, CreateOptions{OnWarning: func(text string) { told += text }})
			if test.want == "refused" {
				if err == nil || !strings.Contains(err.Error(), "would be taken") {
					t.Errorf("%q, %v: %v", test.before, test.run, err)
				}
				continue
			}
			if err == nil {
				err = errors.Join(w.Write(&Sample{Label: "a", Start: 1_700_000_000_000, End: 1_700_000_000_000}), w.Close())
			}
			if err != nil {
				t.Fatal(err)
			}
			if (told == "") != (test.want == "") || !strings.Contains(told, test.want) {
				t.Errorf("%q, %v: told %q", test.before, test.run, told)
			}
			rep, err := ReadFile(path, ReadOptions{Config: c}, func(_ int, r *Row) error {
				if r.TimeStamp != 1_700_000_000_000 {
					t.Errorf("%q, %v: %d", test.before, test.run, r.TimeStamp)
				}
				return nil
			})
			if err != nil || rep.Skipped > 0 || rep.Rows != int64(strings.Count(before, "\n")) {
				t.Errorf("%q, %v: %+v %v", test.before, test.run, rep, err)
			}
		}
	}
}
