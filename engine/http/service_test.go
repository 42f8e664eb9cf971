package http_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// serviceDir is a folder for the files of a server that may run as another user
// than the test does.
func serviceDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{filepath.Dir(dir), dir} { // its parent is the test's alone
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// writeFiles writes files that everybody may read, whatever the umask.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, text := range files {
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := root.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for path, mode := name, os.FileMode(0o644); path != "."; path, mode = filepath.Dir(path), 0o755 {
			if err := root.Chmod(path, mode); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// program finds one of Debian's, which testdata/needs.sh installs.
func program(t *testing.T, name string) string {
	t.Helper()
	for _, path := range []string{name, "/usr/sbin/" + name} {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	t.Fatalf("%s is needed: run testdata/needs.sh", name)
	return ""
}

// startService runs a server until the test ends, and waits until it takes
// connections on a port.
func startService(t *testing.T, cmd *exec.Cmd, port int) (stop func()) {
	t.Helper()
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	stop = func() {
		cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			cmd.Process.Kill()
			<-ended
		}
		out.Close()
	}
	t.Cleanup(stop)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port))
		if err == nil {
			c.Close()
			return stop
		}
		select {
		case <-ended:
			text, _ := os.ReadFile(out.Name())
			t.Fatalf("%s ended: %s", cmd.Path, text)
		default:
		}
	}
	t.Fatalf("%s does not answer", cmd.Path)
	return nil
}

// eventually is what get returns once it is what is wanted: logs are written
// after the answer. Else it is the last of ten seconds.
func eventually[T comparable](get func() T, want T) T {
	got := get()
	for deadline := time.Now().Add(10 * time.Second); got != want && time.Now().Before(deadline); got = get() {
		time.Sleep(20 * time.Millisecond)
	}
	return got
}
