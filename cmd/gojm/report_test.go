package main

import (
	"os"
	"path/filepath"
	"testing"
)

// -f must not delete what it was not meant to.
func TestReportFolderGuard(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", filepath.Join(dir, "home"))
	for _, d := range []string{"report/old", "plans", "home/me"} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("plans", "link"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("file", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		folder string
		ok     bool
	}{
		{"report", true},
		{"new", true},
		{"file", true}, // -f removes it
		{"none/new", false},
		{".", false},
		{"..", false},
		{"/", false},
		{"plans", false},
		{"link", false},
		{"home", false},
	} {
		s := newSettings()
		s.force, s.report = true, tt.folder
		if err := s.checkReportFolder(tt.folder, "plans/plan.jmx", ""); (err == nil) != tt.ok {
			t.Errorf("-f -o %s: %v", tt.folder, err)
		}
	}
	s := newSettings()
	s.report = "report"
	if err := s.checkReportFolder("report"); err == nil {
		t.Error("without -f a filled folder is taken")
	}
	if err := clearFolder("report"); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir("report"); err != nil || len(left) > 0 {
		t.Errorf("left: %v %v", left, err)
	}
	if err := clearFolder("file"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("file"); err == nil {
		t.Error("the file is still there")
	}
}

func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		dir, path string
		want      bool
	}{
		{"/a", "/a", true}, {"/a", "/a/b", true}, {"/a", "/ab", false}, {"/a/b", "/a", false},
		{"/", "/a", true}, {"/a", "/a/../b", false}, {"/a", "/a/..b", true},
	} {
		if got := holds(tt.dir, tt.path); got != tt.want {
			t.Errorf("%s holds %s: %v", tt.dir, tt.path, got)
		}
	}
}
