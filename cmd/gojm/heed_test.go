package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUnheard(t *testing.T) {
	s := newSettings()
	command := func(name, value string) { s.noting("-J", s.props.Set)(name, value) }
	command("summariser.interval", "3o")
	command("summariser.out", "yes")
	command("summariser.log", "F")
	command("jmeterengine.threadstop.wait", "100")
	command("beanshell.server.port", "9000")
	command("httpclient.timeout", "0")
	s.noting("user.properties", s.props.Set)("users", "5")
	want := []string{
		`-Jbeanshell.server.port: gojm does not heed this property (here "9000")`,
		`-Jsummariser.interval: "3o" is not a number, 30 is taken`,
		`-Jsummariser.out: "yes" is neither true nor false, true is taken`,
	}
	if diff := cmp.Diff(want, s.unheard()); diff != "" {
		t.Error(diff)
	}
}

// What is said not to be heeded must not be heeded, and what is said to be
// checked must be read somewhere.
func TestHeed(t *testing.T) {
	var source strings.Builder
	for _, room := range []string{"engine", "htmlreport", "jmx", "jtl", "cmd"} {
		err := filepath.WalkDir(filepath.Join("../..", room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || d.Name() == "heed.go" {
				return err
			}
			data, err := os.ReadFile(path)
			source.Write(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	all := source.String()
	read := func(name string) bool { return strings.Contains(all, `"`+name+`"`) }
	for name := range unheeded {
		if read(name) {
			t.Errorf("%s is heeded by now: remove it from the table", name)
		}
	}
	for _, table := range []map[string]string{numbers, flags} {
		for name := range table {
			if !read(name) {
				t.Errorf("%s is checked, but nothing reads it", name)
			}
		}
	}
}
