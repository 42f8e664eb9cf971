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
func CheckOutput(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("report folder: %w", err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return checkParent(abs)
	case err != nil:
		return fmt.Errorf("Cannot write to '%s': %w", abs, err) //nolint:staticcheck // JMeter's wording
	case !info.IsDir():
		return fmt.Errorf("Cannot write to '%s' as it is an existing file", abs) //nolint:staticcheck // JMeter's wording
	}
	entries, err := os.ReadDir(abs)
	if err != nil {
		return fmt.Errorf("Cannot write to '%s': %w", abs, err) //nolint:staticcheck // JMeter's wording
	}
	if len(entries) > 0 {
		return fmt.Errorf("Cannot write to '%s' as folder is not empty", abs) //nolint:staticcheck // JMeter's wording
	}
	if !writable(abs) {
		return fmt.Errorf("Cannot write to '%s' as folder is not writable", abs) //nolint:staticcheck // JMeter's wording
	}
	return nil
}

func checkParent(abs string) error {
	parent := filepath.Dir(abs)
	if info, err := os.Stat(parent); err != nil || !info.IsDir() || !writable(parent) {
		return fmt.Errorf("Cannot write to '%s' as folder does not exist and parent folder is not writable", abs) //nolint:staticcheck // JMeter's wording
	}
	return nil
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
