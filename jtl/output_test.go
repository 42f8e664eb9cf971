package jtl

import (
	"os"
	"testing"
)

// Until it is whole a file has no name, or else one that is hidden; then only its own.
func TestOutputNames(t *testing.T) {
	for _, replace := range []bool{false, true} {
		dir := t.TempDir()
		path := dir + "/a.jtl"
		if replace {
			if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		names := func() (all []string) {
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if e.Name() != "a.jtl" {
					all = append(all, e.Name())
				}
			}
			return all
		}
		for _, commit := range []bool{false, true} {
			o, err := CreateOutput(path, replace)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := o.Write([]byte("new")); err != nil {
				t.Fatal(err)
			}
			if got := names(); len(got) > 1 || o.bare && len(got) > 0 {
				t.Errorf("while it is made: %q", got)
			}
			if !commit {
				err = o.Abandon()
			} else {
				// What a program that was killed has left does not matter.
				if o.bare {
					err = os.WriteFile(o.part, nil, 0o600)
				}
				if err == nil {
					err = o.Commit()
				}
			}
			if err != nil || len(names()) > 0 {
				t.Errorf("commit %v: %v, %q", commit, err, names())
			}
			data, err := os.ReadFile(path)
			if want := map[bool]string{true: "new", false: "old"}[commit]; replace && string(data) != want || (err == nil) != (replace || commit) {
				t.Errorf("commit %v, replace %v: %q %v", commit, replace, data, err)
			}
		}
	}
}
