package jtl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is damaged other than by a cut stays as it is, since nobody could tell what
// of it is whole.
func TestAppendToDamagedXML(t *testing.T) {
	const top = "<?xml version=\"1.0\"?>\n<testResults version=\"1.2\">\n"
	for _, before := range []string{
		"plain", "<testsuite>\n<testcase/>\n", "<sample/>\n", "<testResults/>", top[:30], "<!-- <testResults> -->\n",
		top + "<sample lb=\"a>\n</sample>\n<sample/>\n",
		top + "<sample><x></sample>\n<sample/>\n",
		top + "<sample/>\n</testResults>\n" + top + "<sample/>\n<sam",
	} {
		path := filepath.Join(t.TempDir(), "x.jtl")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		if w, err := Create(path, &Config{Format: XML, Label: true}, CreateOptions{}); err == nil {
			w.Close()
			t.Errorf("appended to %q", before)
		}
		if got := contents(t, path); got != before {
			t.Errorf("%q became %q", before, got)
		}
	}
}

func TestAppendWarns(t *testing.T) {
	const top = "<?xml version=\"1.0\"?>\n<testResults version=\"1.2\">\n"
	for before, want := range map[string]string{
		top + "<sample/>\n":                      "",
		top + "<sample/>\n\n</testResults>\n":    "",
		top + "<sample/>\n<sample t=\"1\" lt=\"": "was cut off inside a sample, whose 18 bytes are dropped",
	} {
		path := filepath.Join(t.TempDir(), "x.jtl")
		if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		told := ""
		w, err := Create(path, &Config{Format: XML, Label: true}, CreateOptions{OnWarning: func(text string) { told += text }})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if (want == "") != (told == "") || !strings.Contains(told, want) {
			t.Errorf("%q: told %q", before, told)
		}
	}
}

// However a file is cut, its whole samples stay.
func FuzzScanXML(f *testing.F) {
	f.Add("<testResults>\n<sample a=\"/\"><b/></sample>\n<!--x--><sample/>", 3)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		end, rest, err := scanXML(strings.NewReader(text))
		if err == nil && (end <= 0 || rest < 0 || end+rest > int64(len(text))) {
			t.Fatalf("end %d, rest %d of %d", end, rest, len(text))
		}
		if err != nil || cut < 0 || cut > len(text) {
			return
		}
		// cut later, it ends no sooner
		if before, _, err := scanXML(strings.NewReader(text[:cut])); err == nil && before > end {
			t.Fatalf("cut at %d it ends at %d, whole at %d", cut, before, end)
		}
	})
}
