package main_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gojm/gojm/testdata/target"
)

// The conformance plans lie in one folder a case, below one folder a kind; the
// README beside them says what a case holds and how to add one.
const corpus = "../../testdata/conformance"

// Results are compared with JMeter's recorded ones. GOJM_LIVE=1 runs JMeter
// 5.6.3 as well and compares with that, the recorded ones too; GOJM_LIVE=record
// writes the recorded ones anew and runs no gojm.
const (
	recorded = ""
	live     = "1"
	record   = "record"
)

func TestConformance(t *testing.T) {
	s := suite{mode: os.Getenv("GOJM_LIVE"), listed: expectedFailures(t)}
	switch s.mode {
	case recorded, live, record:
	default:
		t.Fatalf("GOJM_LIVE=%s: want %s, %s or nothing", s.mode, live, record)
	}
	if s.mode != recorded {
		s.jmeter = realJMeter(t)
	}
	if s.mode != record {
		s.gojm = build(t)
	}
	s.targets = newPool(t)
	for _, kind := range folders(t, corpus) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for _, name := range folders(t, filepath.Join(corpus, kind)) {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					s.check(t, open(t, kind+"/"+name))
				})
			}
		})
	}
}

// A plan finds the server's ports in properties; the recorded ones are no more
// than their defaults.
var (
	portProperty = regexp.MustCompile(`__P\([a-z]*port,\d+\)`)
	fixedPort    = func() *regexp.Regexp {
		p := target.Recorded
		return regexp.MustCompile(fmt.Sprintf(`\b(%d|%d|%d|%d|%d|%d)\b`, p.HTTP, p.HTTPS, p.Cert, p.TCP, p.Full, p.Closed))
	}()
)

// TestConformanceCorpus finds what would make TestConformance compare less than
// it seems to.
func TestConformanceCorpus(t *testing.T) {
	known := map[string]bool{}
	for _, kind := range folders(t, corpus) {
		for _, name := range folders(t, filepath.Join(corpus, kind)) {
			c := open(t, kind+"/"+name)
			known[c.name] = true
			for _, prefix := range []string{"expected.", "right."} {
				found, _ := filepath.Glob(filepath.Join(c.dir, prefix+"*"))
				if prefix != c.prefix() && len(found) > 0 {
					t.Errorf("%s: %s has no place beside differs, nor right.* without it", c.name, found[0])
				}
			}
			for _, l := range c.fileLines("ignore") {
				if column, why, _ := strings.Cut(l, "#"); strings.TrimSpace(column) != "" && strings.TrimSpace(why) == "" {
					t.Errorf("%s: ignore %s: say why after a #", c.name, column)
				}
			}
			if plan, err := os.ReadFile(filepath.Join(c.dir, "plan.jmx")); err == nil {
				if port := fixedPort.Find(portProperty.ReplaceAll(plan, nil)); port != nil {
					t.Errorf("%s: the plan names port %s: the server stands elsewhere, properties say where", c.name, port)
				}
			}
			if c.differs && len(c.fileLines("differs")) != 1 {
				t.Errorf("%s: differs: want one line, what is right and what JMeter does", c.name)
			}
			if csv, ok := c.want("csv"); ok && strings.HasPrefix(csv, "label,") {
				// What is normal stays as it is, which tests the reader and the writer on real rows.
				c.ignore = nil
				if again, err := c.normalCSV([]byte(csv)); err != nil || again != csv {
					t.Errorf("%s: normalised again, %v:\n%s", c.name, err, cmp.Diff(csv, again))
				}
			}
		}
	}
	for name := range expectedFailures(t) {
		if !known[name] {
			t.Errorf("expected-failures.txt: no case %s", name)
		}
	}
}

// suite is what all cases of one test run share.
type suite struct {
	mode         string
	gojm, jmeter program
	targets      *pool
	listed       map[string]string // case -> why it fails
}

func (s *suite) check(t *testing.T, c *conformanceCase) {
	if s.mode == record {
		s.record(t, c)
		return
	}
	problems := s.compare(t, c)
	why, listed := s.listed[c.name]
	switch {
	case listed && len(problems) == 0:
		t.Errorf("passes now: remove it from expected-failures.txt (%s)", why)
	case listed:
		t.Logf("fails as listed: %s\n%s", why, strings.Join(problems, "\n"))
	case len(problems) > 0:
		t.Error(strings.Join(problems, "\n"))
	}
}

// compare returns what is wrong with gojm's results, and, live, with the record.
func (s *suite) compare(t *testing.T, c *conformanceCase) (problems []string) {
	got := s.results(t, c, s.gojm)
	var real results
	if s.mode == live {
		real = s.results(t, c, s.jmeter)
		if c.differs && c.hasAll() && !slices.ContainsFunc(c.parts(), func(part string) bool {
			want, _ := c.want(part)
			return real.part[part] != want
		}) {
			problems = append(problems, "JMeter answers what is right, so the case has nothing to differ from")
		}
	}
	for _, part := range c.parts() {
		want, ok := c.want(part)
		if !ok {
			problems = append(problems, fmt.Sprintf("no file %s%s says what is right", c.prefix(), part))
			continue
		}
		if s.mode == live && !c.differs {
			if diff := cmp.Diff(want, real.part[part]); diff != "" {
				problems = append(problems, fmt.Sprintf("%s%s is not what JMeter answers (-recorded +JMeter):\n%s", c.prefix(), part, diff))
			}
			want = real.part[part]
		}
		if diff := cmp.Diff(want, got.part[part]); diff != "" {
			problems = append(problems, fmt.Sprintf("%s%s (-want +gojm):\n%s", c.prefix(), part, diff))
		}
	}
	if len(problems) > 0 {
		problems = append(problems, "gojm said:\n"+got.said)
	}
	return problems
}

// record writes what JMeter answers. Where JMeter is wrong it writes only what
// is missing, as a draft to be put right by hand.
func (s *suite) record(t *testing.T, c *conformanceCase) {
	if c.differs && c.hasAll() {
		return
	}
	real := s.results(t, c, s.jmeter)
	for part, text := range real.part {
		if strings.HasPrefix(text, "(no readable") || strings.HasPrefix(text, "(timed out") {
			t.Errorf("%s: %s", part, text)
			continue
		}
		if err := os.WriteFile(filepath.Join(c.dir, c.prefix()+part), []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
}

func (s *suite) results(t *testing.T, c *conformanceCase, p program) results {
	target := s.targets.take(t)
	defer s.targets.put(target)
	return c.run(t, p, target)
}

// conformanceCase is one folder of the corpus.
type conformanceCase struct {
	name    string // kind/case
	dir     string // absolute
	args    []string
	ignore  []string // columns and attributes not compared
	differs bool     // JMeter is wrong here; right.* say what is right
	stdout  bool     // console lines are compared too
}

func open(t *testing.T, name string) *conformanceCase {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join(corpus, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	c := &conformanceCase{name: name, dir: dir}
	_, err = os.Stat(filepath.Join(dir, "differs"))
	c.differs = err == nil
	_, err = os.Stat(filepath.Join(dir, "stdout"))
	c.stdout = err == nil
	c.args, c.ignore = uncommented(c.fileLines("args")), uncommented(c.fileLines("ignore"))
	return c
}

func (c *conformanceCase) fileLines(name string) []string {
	data, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimRight(string(data), "\n"), "\n")
}

// uncommented returns what stands before any # of each line, where that is
// something.
func uncommented(lines []string) (rest []string) {
	for _, l := range lines {
		l, _, _ = strings.Cut(l, "#")
		if l = strings.TrimSpace(l); l != "" {
			rest = append(rest, l)
		}
	}
	return rest
}

// prefix starts the names of the files that hold the wanted results.
func (c *conformanceCase) prefix() string {
	if c.differs {
		return "right."
	}
	return "expected."
}

// parts are what is compared, by the ends of their files' names.
func (c *conformanceCase) parts() []string {
	if c.stdout {
		return []string{"csv", "xml", "stdout"}
	}
	return []string{"csv", "xml"}
}

func (c *conformanceCase) want(part string) (string, bool) {
	data, err := os.ReadFile(filepath.Join(c.dir, c.prefix()+part))
	return string(data), err == nil
}

func (c *conformanceCase) hasAll() bool {
	return !slices.ContainsFunc(c.parts(), func(part string) bool { _, ok := c.want(part); return !ok })
}

// expectedFailures reads the cases that are known to fail, each with the reason.
func expectedFailures(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(corpus, "expected-failures.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	listed := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		l := strings.TrimSpace(lines.Text())
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		name, why, _ := strings.Cut(l, " ")
		if why = strings.TrimSpace(why); why == "" {
			t.Errorf("expected-failures.txt: %s: say why it fails", name)
		}
		if listed[name] != "" {
			t.Errorf("expected-failures.txt: %s is listed twice", name)
		}
		listed[name] = why
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return listed
}

func folders(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		t.Fatalf("%s has no folders", dir)
	}
	return names
}

// build makes the program that users run.
func build(t *testing.T) program {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "gojm.exe") // Windows wants the ending, nobody else minds
	if out, err := exec.Command("go", "build", "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program{exe}
}

// pool hands out targets: a case has one for itself, since a target counts
// requests, and four of them run at most at the same time.
type pool struct {
	slots chan struct{}
	free  chan *target.Server
	avoid func(port int) bool
}

func newPool(t *testing.T) *pool {
	const size = 4
	p := &pool{slots: make(chan struct{}, size), free: make(chan *target.Server, size), avoid: standsInCorpus(t)}
	t.Cleanup(func() {
		close(p.free)
		for s := range p.free {
			s.Close()
		}
	})
	return p
}

func (p *pool) take(t *testing.T) *target.Server {
	t.Helper()
	p.slots <- struct{}{}
	select {
	case s := <-p.free:
		return s
	default:
	}
	s, err := target.Start(target.Options{Avoid: p.avoid})
	if err != nil {
		<-p.slots
		t.Fatal(err)
	}
	return s
}

func (p *pool) put(s *target.Server) {
	p.free <- s
	<-p.slots
}

// standsInCorpus says of a port whether its digits stand somewhere in the
// wanted results: then replacing the port in results could change more than
// the port.
func standsInCorpus(t *testing.T) func(port int) bool {
	t.Helper()
	var all []byte
	for _, pattern := range []string{"expected.*", "right.*"} {
		paths, err := filepath.Glob(filepath.Join(corpus, "*", "*", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data...)
		}
	}
	return func(port int) bool { return bytes.Contains(all, strconv.AppendInt(nil, int64(port), 10)) }
}
