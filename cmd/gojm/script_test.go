package main

import (
	"encoding/hex"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/text/encoding/htmlindex"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gojm": main})
}

// TestScripts are command lines as users type them. Each script has the plans of
// testdata/plans in its folder, no shutdown port unless it asks for one, and the
// commands below.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("JVM_ARGS", "-Djmeterengine.nongui.port=0")
			env.Setenv("JMETER_HOME", "")
			env.Setenv("TZ", "UTC")
			plans, err := filepath.Glob("testdata/plans/*.jmx")
			if err != nil {
				return err
			}
			for _, p := range plans {
				data, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, filepath.Base(p)), data, 0o644); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"port":    setPort,
			"listen":  listen,
			"waitfor": waitFor,
			"rows":    countRows,
			"console": compareConsole,
			"send":    sendWord,
			"glob":    globFiles,
			"encode":  encodeFile,
			"status":  wantStatus,
			"unhex":   unhexFile,
		},
	})
}

// setPort sets a variable to a UDP port that nobody has: port NAME.
func setPort(ts *testscript.TestScript, _ bool, args []string) {
	conn, err := net.ListenPacket("udp", ":0")
	ts.Check(err)
	ts.Setenv(args[0], strconv.Itoa(conn.LocalAddr().(*net.UDPAddr).Port))
	ts.Check(conn.Close())
}

// listen sets a variable to a TCP port that takes connections and never answers:
// listen NAME.
func listen(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Setenv(args[0], strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
}

// waitFor waits until a file that another process writes holds a text: waitfor
// FILE TEXT.
func waitFor(ts *testscript.TestScript, _ bool, args []string) {
	for range 600 {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && strings.Contains(string(data), args[1]) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("no %q in %s after 30 s", args[1], args[0])
}

// countRows counts the lines of a file, all of them whole and with the same
// number of fields: rows FILE N, or rows FILE N+ for N at least.
func countRows(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if text != "" && !strings.HasSuffix(text, "\n") {
		ts.Fatalf("%s ends inside a row: %q", args[0], text[strings.LastIndexByte(text, '\n')+1:])
	}
	n, fields := 0, -1
	for line := range strings.Lines(text) {
		n++
		if f := strings.Count(line, ","); fields < 0 {
			fields = f
		} else if f != fields {
			ts.Fatalf("%s:%d: %d commas, want %d: %s", args[0], n, f, fields, line)
		}
	}
	number, atLeast := strings.CutSuffix(args[1], "+")
	want, err := strconv.Atoi(number)
	ts.Check(err)
	if n != want && !(atLeast && n >= want) {
		ts.Fatalf("%s has %d lines, want %s:\n%s", args[0], n, args[1], text)
	}
}

var (
	number = regexp.MustCompile(` *\d+`)
	month  = regexp.MustCompile(`N [A-Z][a-z]{2}N`)
)

// compareConsole compares standard output with a file in which each number is
// an N, with the blanks before it: console FILE.
func compareConsole(ts *testscript.TestScript, _ bool, args []string) {
	got := month.ReplaceAllString(number.ReplaceAllString(ts.ReadFile("stdout"), "N"), "N MonN")
	if diff := cmp.Diff(ts.ReadFile(args[0]), got); diff != "" {
		ts.Fatalf("the console:\n%s", diff)
	}
}

// sendWord sends a word to the shutdown port of a run: send PORT WORD.
func sendWord(ts *testscript.TestScript, _ bool, args []string) {
	conn, err := net.Dial("udp", "127.0.0.1:"+args[0])
	ts.Check(err)
	_, err = conn.Write([]byte(args[1]))
	ts.Check(err)
	ts.Check(conn.Close())
}

// globFiles asks for a file of a pattern that is not empty: glob PATTERN.
func globFiles(ts *testscript.TestScript, _ bool, args []string) {
	found, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, f := range found {
		if info, err := os.Stat(f); err == nil && info.Size() > 0 {
			return
		}
	}
	ts.Fatalf("nothing in %s", args[0])
}

// encodeFile writes a file of the script in another charset: encode CHARSET IN OUT.
func encodeFile(ts *testscript.TestScript, _ bool, args []string) {
	enc, err := htmlindex.Get(args[0])
	ts.Check(err)
	text, err := enc.NewEncoder().String(ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text), 0o644))
}

// unhexFile writes the bytes that a file of the script has as hexadecimal digits:
// unhex IN OUT.
func unhexFile(ts *testscript.TestScript, _ bool, args []string) {
	data, err := hex.DecodeString(strings.Join(strings.Fields(ts.ReadFile(args[0])), ""))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}

// wantStatus runs a program and compares its exit status: status N PROGRAM ARGS...
func wantStatus(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d instead of %s", got, args[0])
	}
}
