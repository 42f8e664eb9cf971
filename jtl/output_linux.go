package jtl

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openNameless makes a file without a name in a folder, of which nothing stays
// however the program ends. Not every file system can.
func openNameless(dir string) (*os.File, error) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		return nil, err // by which it would get its name
	}
	return os.OpenFile(dir, unix.O_TMPFILE|os.O_WRONLY, 0o666)
}

// nameFile gives such a file a name that no other has.
func nameFile(f *os.File, path string) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var linked error
	err = conn.Control(func(fd uintptr) {
		linked = unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
	})
	if err == nil && linked != nil {
		err = &os.PathError{Op: "link", Path: filepath.Base(path), Err: linked}
	}
	return err
}
