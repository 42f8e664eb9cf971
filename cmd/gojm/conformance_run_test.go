package main_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gojm/gojm/testdata/target"
)

// program is a command line to which JMeter's arguments can be appended.
type program []string

// results are what a program answered to one case, normalised.
type results struct {
	part map[string]string // csv, xml, stdout
	said string            // the end of its console output, for people
}

// everyDetail switches on all that JMeter can write into XML results.
var everyDetail = []string{"output_format=xml", "response_data=true", "samplerData=true", "requestHeaders=true",
	"responseHeaders=true", "url=true", "subresults=true", "assertions=true", "bytes=true",
	"sent_bytes=true", "encoding=true", "sample_count=true", "thread_counts=true",
	"assertion_results_failure_message=true", "data_type=true", "filename=true"}

// patience is how long a program may take for a case; the longest takes JMeter
// ten seconds.
const patience = 120 * time.Second

// run runs a case twice, for CSV and for XML results.
func (c *conformanceCase) run(t *testing.T, p program, s *target.Server) results {
	t.Helper()
	r := results{part: map[string]string{}}
	for _, format := range []struct {
		name      string
		normalise func([]byte) (string, error)
	}{{"csv", c.normalCSV}, {"xml", c.normalXML}} {
		s.ResetCounters()
		out := filepath.Join(t.TempDir(), "out."+format.name)
		args := c.arguments(s.Ports, out)
		if format.name == "xml" {
			for _, detail := range everyDetail {
				args = append(args, "-Jjmeter.save.saveservice."+detail)
			}
		}
		stdout, stderr, err := p.start(t, args)
		r.said = tail(stdout + stderr)
		if errors.Is(err, context.DeadlineExceeded) {
			r.part[format.name] = "(timed out)\n"
			continue
		}
		r.part[format.name] = normalFile(out, s.Ports, format.normalise)
		if format.name == "csv" && c.stdout {
			r.part["stdout"], err = c.normalStdout(likeRecorded(stdout, s.Ports))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return r
}

// arguments tell the plan where the target stands (host, port, sport, certport,
// tcpport, fullport, closedport) and where its data files lie (dir). JMeter's own
// User-Agent would make sent byte counts depend on the Java version.
func (c *conformanceCase) arguments(p target.Ports, out string) []string {
	args := []string{"-n", "-t", filepath.Join(c.dir, "plan.jmx"), "-l", out, "-j", out + ".log",
		"-Jdir=" + c.dir, "-Jhost=127.0.0.1", "-Jhttpclient4.default_user_agent_disabled=true"}
	for _, port := range []struct {
		name   string
		number int
	}{{"port", p.HTTP}, {"sport", p.HTTPS}, {"certport", p.Cert}, {"tcpport", p.TCP}, {"fullport", p.Full}, {"closedport", p.Closed}} {
		args = append(args, "-J"+port.name+"="+strconv.Itoa(port.number))
	}
	for _, a := range c.args {
		args = append(args, strings.ReplaceAll(a, "{dir}", c.dir))
	}
	return args
}

// start runs the program to its end in a folder of its own. The error is
// context.DeadlineExceeded or nil: exit codes are not compared, JMeter often
// says 0 where nothing ran.
func (p program) start(t *testing.T, args []string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p[0], append(p[1:len(p):len(p)], args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C.UTF-8") // as where the results were recorded
	cmd.WaitDelay = 5 * time.Second
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	var ended *exec.ExitError
	if err := cmd.Run(); ctx.Err() == nil && err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return o.String(), e.String(), ctx.Err()
}

// normalFile normalises the results at path, or says why there are none.
func normalFile(path string, p target.Ports, normalise func([]byte) (string, error)) string {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) { // the program ended before it opened its results
		return "(no results file)\n"
	}
	if err == nil {
		var text string
		if text, err = normalise([]byte(likeRecorded(string(data), p))); err == nil {
			return text
		}
	}
	return fmt.Sprintf("(no readable results: %v)\n", err)
}

// likeRecorded replaces a target's ports by those of the recorded results.
func likeRecorded(text string, p target.Ports) string {
	for _, port := range [][2]int{
		{p.HTTP, target.Recorded.HTTP}, {p.HTTPS, target.Recorded.HTTPS}, {p.Cert, target.Recorded.Cert}, {p.TCP, target.Recorded.TCP},
		{p.Full, target.Recorded.Full}, {p.Closed, target.Recorded.Closed},
	} {
		text = replaceNumber(text, strconv.Itoa(port[0]), strconv.Itoa(port[1]))
	}
	return text
}

// replaceNumber replaces a number where it is not a part of a longer one.
func replaceNumber(text, from, to string) string {
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	var b strings.Builder
	done := 0
	for {
		i := strings.Index(text[done:], from)
		if i < 0 {
			return b.String() + text[done:]
		}
		i += done
		end := i + len(from)
		b.WriteString(text[done:i])
		if digit(i-1) || digit(end) {
			b.WriteString(from)
		} else {
			b.WriteString(to)
		}
		done = end
	}
}

// tail is the end of a long text.
func tail(text string) string {
	const most = 1500
	if len(text) > most {
		return "..." + text[len(text)-most:]
	}
	return text
}

// realJMeter finds JMeter 5.6.3 and Java; without them live mode would compare
// nothing, so it fails.
func realJMeter(t *testing.T) program {
	t.Helper()
	home := os.Getenv("JMETER_HOME")
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		home = filepath.Join(user, ".cache", "jmeter-5.6.3")
	}
	jar := filepath.Join(home, "bin", "ApacheJMeter.jar")
	if _, err := os.Stat(jar); err != nil {
		t.Fatalf("live mode needs JMeter 5.6.3 in JMETER_HOME (testdata/conformance/install-jmeter.sh puts it there): %v", err)
	}
	if version := jarVersion(t, jar); version != "5.6.3" {
		t.Fatalf("live mode needs JMeter 5.6.3, and %s is version %q", jar, version)
	}
	java, err := exec.LookPath("java")
	if err != nil {
		t.Fatalf("live mode needs Java: %v", err)
	}
	p := program{java, "-Xms256m", "-Xmx1g"}
	for _, name := range []string{"lang", "util", "text", "lang.invoke"} {
		p = append(p, "--add-opens=java.base/java."+name+"=ALL-UNNAMED")
	}
	return append(p, "-jar", jar)
}

func jarVersion(t *testing.T, jar string) string {
	t.Helper()
	z, err := zip.OpenReader(jar)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	manifest, err := fs.ReadFile(z, "META-INF/MANIFEST.MF")
	if err != nil {
		t.Fatalf("%s: %v", jar, err)
	}
	for line := range strings.Lines(string(manifest)) {
		if version, ok := strings.CutPrefix(line, "Implementation-Version:"); ok {
			return strings.TrimSpace(version)
		}
	}
	return ""
}
