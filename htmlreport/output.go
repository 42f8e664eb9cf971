package htmlreport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckOutput tells whether a report could be written to the folder dir, so
// that a run need not end before that is known. As in JMeter it must not exist
// or be empty, and only its last level is created.
func CheckOutput(dir string) error { return check(dir, false) }

// CheckReplace tells the same of Report.Replace, which takes a folder that holds
// something and the name of a file, too.
func CheckReplace(dir string) error { return check(dir, true) }

func check(dir string, replace bool) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("report folder: %w", err)
	}
	info, err := os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		if !writable(filepath.Dir(abs)) {
			return cannotWrite(abs, "folder does not exist and parent folder is not writable")
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("report folder: %w", err)
	}
	switch {
	case info.IsDir():
	case !replace:
		return cannotWrite(abs, "it is an existing file")
	case !writable(filepath.Dir(abs)):
		return cannotWrite(abs, "its folder is not writable")
	default:
		return nil
	}
	entries, err := os.ReadDir(abs)
	if err != nil {
		return fmt.Errorf("report folder: %w", err)
	}
	if len(entries) > 0 && !replace {
		return cannotWrite(abs, "folder is not empty")
	}
	if !writable(abs) {
		return cannotWrite(abs, "folder is not writable")
	}
	return nil
}

// cannotWrite speaks JMeter's words, which scripts look for.
func cannotWrite(abs, why string) error {
	//lint:ignore ST1005 JMeter's wording
	return fmt.Errorf("Cannot write to '%s' as %s", abs, why)
}

// writable tries, since permission bits are not the whole truth.
func writable(dir string) bool {
	f, err := os.CreateTemp(dir, ".gojm-*")
	if err != nil {
		return false
	}
	f.Close()
	return os.Remove(f.Name()) == nil
}
