package htmlreport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// file is one of those that a dashboard is made of.
type file struct {
	name    string
	content []byte
}

// files are those of the dashboard; index.html, which shows it, is the last.
func (r *Report) files() ([]file, error) {
	statistics, err := r.StatisticsJSON()
	if err != nil {
		return nil, fmt.Errorf("statistics.json: %w", err)
	}
	page, err := r.Page()
	if err != nil {
		return nil, fmt.Errorf("index.html: %w", err)
	}
	return []file{{"statistics.json", statistics}, {"index.html", page}}, nil
}

// Write writes the dashboard into the folder dir, which it creates.
func (r *Report) Write(dir string) error {
	files, err := r.files()
	if err != nil {
		return err
	}
	return write(dir, files)
}

// Replace writes the dashboard to dir in the place of all that is there, be it a
// folder with its content or a file. That goes only when the whole of the new one is
// on disk: after an error before, it is as it was.
func (r *Report) Replace(dir string) error {
	files, err := r.files()
	if err != nil {
		return err
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("report folder: %w", err)
	case !info.IsDir():
		return replaceFile(dir, files)
	}
	if err := write(dir, files); err != nil {
		return err
	}
	return leaveOnly(dir, files)
}

// replaceFile makes a folder of files under the name of a file.
func replaceFile(path string, files []file) error {
	part := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), os.Getpid()))
	err := write(part, files)
	if err == nil {
		err = os.Remove(path)
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(part))
	}
	return nil
}

// write puts files into a folder: all under names of their own first, in it and not
// beside it, since it may be a link or a file system of its own.
func write(dir string, files []file) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !os.IsExist(err) {
		return fmt.Errorf("report folder: %w", err)
	}
	part := func(f file) string { return filepath.Join(dir, fmt.Sprintf(".%s.%d", f.name, os.Getpid())) }
	for _, f := range files {
		defer os.Remove(part(f)) // none is left where all went well
		if err := os.WriteFile(part(f), f.content, 0o644); err != nil {
			return err
		}
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if info, err := os.Lstat(path); err == nil && info.IsDir() {
			if err := os.RemoveAll(path); err != nil {
				return err
			}
		}
		if err := os.Rename(part(f), path); err != nil {
			return err
		}
	}
	return nil
}

// leaveOnly removes all but these files from a folder.
func leaveOnly(dir string, files []file) error {
	keep := map[string]bool{}
	for _, f := range files {
		keep[f.name] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if keep[e.Name()] {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
