package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/gojm/gojm/engine/plantest"
	_ "github.com/gojm/gojm/engine/std"
)

// folder writes files and returns where they are.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func csv(props ...string) Node {
	return E("CSVDataSet", "data", append([]string{S("filename", "a.csv"), B("recycle", true)}, props...)...)
}

func TestCSVDataSet(t *testing.T) {
	names := func(s string) string { return S("variableNames", s) }
	for _, tc := range []struct {
		name  string
		data  string
		props []string
		loops int
		want  string
	}{
		{"over the end", "1,a\n2,b\n", []string{names("n,x")}, 3, "1a 2b 1a"},
		{"end of lines", "1,a\r2,b\r\n3,c", []string{names("n,x")}, 3, "1a 2b 3c"},
		{"header", "n, x \n1,a\n2,b", nil, 3, "1a 2b 1a"},
		{"header with quotes", "\"n\",\"x\"\n1,a\n", nil, 1, "1a"},
		{"header left out", "h,h\n1,a\n2,b", []string{names("n,x"), B("ignoreFirstLine", true)}, 3, "1a 2b 1a"},
		{"no recycling", "1,a\n", []string{names("n,x"), B("recycle", false)}, 2, "1a <EOF><EOF>"},
		{"stop", "1,a\n", []string{names("n,x"), B("recycle", false), B("stopThread", true)}, 2, "1a"},
		{"empty line is the end", "1,a\n\n2,b\n", []string{names("n,x")}, 3, "1a <EOF><EOF> 2b"},
		{"empty fields", "1,\n,b\n,,\n", []string{names("n,x")}, 3, "1 b "},
		{"fewer values keep the last", "1,a\n2\n", []string{names("n,x")}, 2, "1a 2a"},
		{"more values", "1,a,z\n", []string{names("n,x")}, 1, "1a"},
		{"empty names vanish", "1,a,z\n", []string{names("n,,x,")}, 1, "1a"},
		{"names are trimmed, values not", "1, a\n", []string{names(" n , x ")}, 1, "1 a"},
		{"tab", "1\ta\n", []string{names("n,x"), S("delimiter", `\t`)}, 1, "1a"},
		{"empty delimiter", "1,a\n", []string{names("n,x"), S("delimiter", "")}, 1, "1a"},
		{"long delimiter", "1;;a\n2;;b;c\n", []string{names("n,x"), S("delimiter", ";;")}, 2, "1a 2b;c"},
		{"quotes are text", "\"1\",a\n", []string{names("n,x")}, 1, `"1"a`},
		{"quoted", "\"1,\"\"2\"\"\",\"a\nb\"\n3,c\n", []string{names("n,x"), B("quotedData", true)}, 3, "1,\"2\"a\nb 3c 1,\"2\"a\nb"},
		{"quoted, empty line", "1,a\n\n2,b\n", []string{names("n,x"), B("quotedData", true)}, 3, "1a a 2b"},
		{"quoted, last field empty", "1,", []string{names("n,x"), B("quotedData", true)}, 1, "1"},
		{"quoted, header", "n,x\n1,\"a\"\n", []string{B("quotedData", true)}, 2, "1a 1a"},
		// the bad line's rest is the next row
		{"quote in a plain field", "1,a\"b,c\n2,b\n", []string{names("n,x"), B("quotedData", true)}, 3, "<EOF><EOF> bc 2b"},
		{"text behind a quote", "\"1\"2,a\n3,b\n", []string{names("n,x"), B("quotedData", true)}, 2, "<EOF><EOF> a"},
		{"quote without end", "1,\"a\n", []string{names("n,x"), B("quotedData", true), B("recycle", false)}, 2, "<EOF><EOF> <EOF><EOF>"},
		{"byte order mark", "\ufeffn,x\n1,a\n", nil, 2, "1a 1a"},
		{"Latin-1", "1,gr\xfcn\n", []string{names("n,x"), S("fileEncoding", "ISO-8859-1")}, 1, "1grün"},
		{"UTF-16", "1\x00,\x00\xac\x20\n\x00", []string{names("n,x"), S("fileEncoding", "UTF-16LE")}, 2, "1€ 1€"},
		{"no UTF-8", "1,a\xffb\n", []string{names("n,x")}, 1, "1a\uFFFDb"},
		{"empty file", "", []string{names("n,x")}, 1, "<EOF><EOF>"},
		{"mode in words", "1,a\n2,b\n", []string{names("n,x"), S("shareMode", "Toutes les unités")}, 2, "1a 2b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := folder(t, map[string]string{"a.csv": tc.data})
			r := Plan{Dir: dir}.Run(t, Users(1, tc.loops, csv(tc.props...), Sampler("${n}${x}")))
			if r.Err != nil || r.Labels() != tc.want {
				t.Errorf("samples %q, %v; want %q", r.Labels(), r.Err, tc.want)
			}
		})
	}
}

// Several threads, several groups: who shares a cursor.
func TestCSVShareModes(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "1\n2\n3\n4\n5\n6\n7\n8\n"})
	for _, tc := range []struct{ mode, want string }{
		{"", "1 2 3 4 5 6 7 8"},
		{"shareMode.all", "1 2 3 4 5 6 7 8"},
		{"All threads", "1 2 3 4 5 6 7 8"},
		{"shareMode.group", "1 2 3 4 1 2 3 4"},
		{"当前线程组", "1 2 3 4 1 2 3 4"},
		{"shareMode.thread", "1 2 1 2 1 2 1 2"},
		{"Current thread", "1 2 1 2 1 2 1 2"},
		{"mine", "1 2 3 4 5 6 7 8"},
		{"${__threadGroupName}", "1 2 3 4 5 6 7 8"}, // both are called Users
	} {
		group := Users(2, 2, csv(S("variableNames", "n"), S("shareMode", tc.mode)), Sampler("${n}"))
		r := Plan{Dir: dir}.Run(t, group, group)
		got := strings.Fields(r.Labels())
		if sorted(got) != sorted(strings.Fields(tc.want)) || r.Err != nil {
			t.Errorf("%s: %v, %v; want %s in any order", tc.mode, got, r.Err, tc.want)
		}
	}
}

// A file that is not there ends the threads and fails the run, with one message.
func TestCSVMissing(t *testing.T) {
	dir := folder(t, map[string]string{"empty.csv": ""})
	for _, tc := range []struct {
		props []string
		want  string
	}{
		{[]string{S("filename", "none.csv"), S("variableNames", "n")}, `"data": open ` + dir + "/none.csv: no such file or directory"},
		{[]string{S("filename", "none.csv")}, `"data": open ` + dir + "/none.csv: no such file or directory"},
		{[]string{S("filename", "empty.csv")}, `"data": empty.csv is empty and has no header line`},
		{[]string{S("filename", "."), S("variableNames", "n")}, `is not a file`},
		{[]string{S("filename", " ")}, `"data": no file name`},
		{[]string{S("filename", "empty.csv"), S("variableNames", "n"), S("fileEncoding", "klingon")}, `unknown file encoding "klingon"`},
	} {
		r := Plan{Dir: dir}.Run(t, Users(3, 2, E("CSVDataSet", "data", tc.props...), Sampler("never")))
		if r.Err == nil || !strings.Contains(r.Err.Error(), tc.want) || strings.Count(r.Err.Error(), "\n") > 0 || len(r.Samples) > 0 {
			t.Errorf("%v: %q, %v; want %s", tc.props, r.Labels(), r.Err, tc.want)
		}
	}
}

// One data set reads the first line as data, the other wants names of it.
func TestCSVHeaderTaken(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "n\n1\n"})
	r := Plan{Dir: dir}.Run(t, Users(1, 1, csv(), csv(S("variableNames", "x")), Sampler("never"))) // the later one is first
	if r.Err == nil || !strings.Contains(r.Err.Error(), "was read as data") {
		t.Errorf("%v", r.Err)
	}
}

// The working directory's file is meant before the plan's.
func TestCSVPlaces(t *testing.T) {
	dir := folder(t, map[string]string{"a.csv": "plan\n"})
	t.Chdir(folder(t, map[string]string{"a.csv": "work\n"}))
	for name, want := range map[string]string{"a.csv": "plan", filepath.Join(dir, "a.csv"): "plan"} {
		r := Plan{Dir: dir}.Run(t, Users(1, 1, E("CSVDataSet", "data", S("filename", name), S("variableNames", "n")), Sampler("${n}")))
		if r.Labels() != want { // the run's working directory is another one
			t.Errorf("%s: %s, %v", name, r.Labels(), r.Err)
		}
	}
}
