//go:build unix

package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJourney runs a plan as users write them against a web application that
// nobody here wrote: three users log in, read, write, upload, search, are
// refused and log out. Results are compared with what JMeter 5.6.3 recorded, and
// so is each request as it went over the wire. GOJM_LIVE is as in
// TestConformance.
func TestJourney(t *testing.T) {
	j := openJourney(t)
	mode := os.Getenv("GOJM_LIVE")
	if mode == record {
		right := j.run(t, realJMeter(t), func(text string) bool { return refused.MatchString(text) || lost.MatchString(text) })
		for part, text := range right {
			if err := os.WriteFile(j.path(part), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	got := j.run(t, build(t), refused.MatchString)
	if mode == live {
		for part, want := range j.run(t, realJMeter(t), refused.MatchString) {
			j.same(t, "-JMeter +gojm", part, uncounted(want), uncounted(got[part]))
		}
	}
	recorded := map[string]string{}
	for part := range got {
		data, err := os.ReadFile(j.path(part))
		if err != nil {
			t.Fatal(err)
		}
		recorded[part] = string(data)
	}
	if recorded["programs"] != got["programs"] {
		// Other versions of the application have other pages. What the users
		// see happen stays the same.
		t.Logf("recorded with other programs:\n%s", cmp.Diff(recorded["programs"], got["programs"]))
		j.same(t, "-recorded +gojm", "outcome", outcome(t, recorded["csv"]), outcome(t, got["csv"]))
		return
	}
	for part := range recorded {
		j.same(t, "-recorded +gojm", part, recorded[part], got[part])
	}
}

// journey is the folder testdata/journey.
type journey struct{ conformanceCase }

func openJourney(t *testing.T) journey {
	t.Helper()
	dir, err := filepath.Abs("../../testdata/journey")
	if err != nil {
		t.Fatal(err)
	}
	// How many threads are left at the end is a matter of speed.
	return journey{conformanceCase{name: "journey", dir: dir, ignore: []string{"thread", "grpThreads", "allThreads", "ng", "na"}}}
}

func (j journey) path(part string) string {
	return filepath.Join(j.dir, "expected."+part)
}

func (j journey) same(t *testing.T, what, part, want, got string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (%s):\n%s", part, what, diff)
	}
}

// attempts bounds how often an unusable run is made anew.
const attempts = 10

// run returns the normal forms of both kinds of results and of the requests,
// and what served them. Each run has an application of its own: users write.
// Results that are not usable are made anew, if they ever become so.
func (j journey) run(t *testing.T, p program, unusable func(string) bool) map[string]string {
	t.Helper()
	var csv, xml, requests, again, programs string
	for range attempts {
		csv, requests, programs = j.runOnce(t, p, j.byUser, "-Jsample_variables=user,who,hit")
		if !unusable(csv) {
			break
		}
	}
	// Bodies are the application's: what is read from them shows in the rest.
	args := append(detailed(), "-Jjmeter.save.saveservice.response_data=false")
	for range attempts {
		xml, again, _ = j.runOnce(t, p, j.nameless, args...)
		if !unusable(xml) {
			break
		}
	}
	j.same(t, "-one run +another", "requests", requests, again)
	return map[string]string{"csv": csv, "xml": xml, "requests": requests, "programs": programs}
}

func (j journey) runOnce(t *testing.T, p program, normalise func([]byte) (string, error), args ...string) (results, requests, programs string) {
	t.Helper()
	g := startGarden(t)
	out := filepath.Join(t.TempDir(), "out.jtl")
	stdout, stderr, err := p.start(t, append([]string{"-n", "-t", filepath.Join(j.dir, "plan.jmx"), "-l", out, "-j", out + ".log",
		"-Jhost=127.0.0.1", "-Jport=" + strconv.Itoa(g.port), "-Jdir=" + j.dir}, args...))
	if err != nil {
		t.Fatalf("%v\n%s", err, tail(stdout+stderr))
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("%v\n%s", err, tail(stdout+stderr))
	}
	if results, err = normalise([]byte(g.scrub(string(data)))); err != nil {
		t.Fatal(err)
	}
	return results, normalRequests(g), g.version(t)
}

// byUser is normal CSV in the order of users instead of threads, who are the
// same: JMeter names what a resource brings with it after the download thread
// that the resource happened to have.
func (j journey) byUser(data []byte) (string, error) {
	text, err := j.normalCSV(bytes.Replace(data, []byte(",threadName,"), []byte(",thread,"), 1))
	if err != nil {
		return "", err
	}
	rows := readRows(text)
	user := slices.Index(rows[0], "user")
	if user < 0 {
		return "", errors.New("no column user")
	}
	slices.SortStableFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[user], b[user]) })
	var out strings.Builder
	for _, row := range rows {
		writeRow(&out, row)
	}
	return out.String(), nil
}

// inner finds the threads of such samples in XML.
var inner = regexp.MustCompile(`(?m)^( {4,}httpSample .* tn=)'[^']+'`)

func (j journey) nameless(data []byte) (string, error) {
	text, err := j.normalXML(data)
	return inner.ReplaceAllString(text, "${1}'{thread}'"), err
}

func detailed() (args []string) {
	for _, detail := range everyDetail {
		args = append(args, "-Jjmeter.save.saveservice."+detail)
	}
	return args
}

// What differs from run to run of one program. The length of an upload depends
// on that of its boundary, which is random.
var fresh = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`\b[0-9A-Fa-f]{8,}\b`), "{hash}"},
	{regexp.MustCompile(`(?m)^(Date|Last-Modified): .*`), "${1}: {date}"},
	{regexp.MustCompile(`(boundary=)[-\w]+(; charset=UTF-8)?`), "${1}{boundary}"},
	{regexp.MustCompile(`(?m)^--[-\w]{16,}`), "{boundary}"},
	{regexp.MustCompile(`(?m)^(Content-Length: )\d+(\r?\nContent-Type: multipart)`), "${1}{length}${2}"},
	{regexp.MustCompile(`( lb="attach(?:-0)?" [^>]* sby=")\d+`), `${1}{sent}`},
	{regexp.MustCompile(`(?m)^(.*,attach(?:-0)?,.*,\d+,)\d+(,\d+,\d+,http)`), "${1}{sent}${2}"},
}

func (g *garden) scrub(text string) string {
	text = strings.ReplaceAll(text, "127.0.0.1:"+strconv.Itoa(g.port), "{site}")
	for _, f := range fresh {
		text = f.pattern.ReplaceAllString(text, f.by)
	}
	return text
}

// The application refuses now and then what comes while another of its processes
// tidies the database: such a run says nothing about the program.
var refused = regexp.MustCompile(`,400,Bad Request,| rc='400' `)

// In JMeter a download counts 0 bytes, or those of another, when the next one
// takes over its connection before it has counted. A record where that shows is
// not usable, and JMeter at work is not asked for the bytes of such pages.
var (
	lost        = regexp.MustCompile(`,true,,0,|httpSample by='0'`)
	parallelCSV = regexp.MustCompile(`(?m)^((?:home|map|shed|look around)[-\d]*(?:,(?:"[^"]*"|[^,"\n]*)){5},)\d+`)
	parallelXML = regexp.MustCompile(`(?m)^( *(?:httpSample|sample) by=)'\d+'([^\n]* lb='(?:home|map|shed|look around))`)
)

func uncounted(text string) string {
	return parallelXML.ReplaceAllString(parallelCSV.ReplaceAllString(text, "${1}{bytes}"), "${1}'{bytes}'${2}")
}

// resource finds the requests that are sent in parallel, in any order.
var resource = regexp.MustCompile(`^GET /(style\.css|builtin|logo|favicon\.ico|gone\.png|uv/[^.]+\.(css|svg|gif)|uv/frame)`)

// normalRequests puts the requests in the order of users and, of each user, in
// that of their arrival.
func normalRequests(g *garden) string {
	byUser := map[string][]string{}
	for _, r := range g.taken() {
		user := "?"
		if _, after, ok := strings.Cut(r, "(garden; "); ok {
			user, _, _ = strings.Cut(after, ")")
		}
		byUser[user] = append(byUser[user], g.scrub(strings.ReplaceAll(r, "\r\n", "\n")))
	}
	var out strings.Builder
	users := make([]string, 0, len(byUser))
	for user := range byUser {
		users = append(users, user)
	}
	slices.Sort(users)
	for _, user := range users {
		requests := byUser[user]
		for i := 0; i < len(requests); i++ {
			end := i
			for end < len(requests) && resource.MatchString(requests[end]) {
				end++
			}
			slices.Sort(requests[i:end])
			i = max(i, end-1)
		}
		for _, r := range requests {
			fmt.Fprintf(&out, "%s\n\n", strings.TrimRight(r, "\n"))
		}
	}
	return out.String()
}

// outcome keeps of CSV results what does not depend on the sizes of pages.
func outcome(t *testing.T, csv string) string {
	t.Helper()
	rows := readRows(csv)
	if len(rows) == 0 {
		t.Fatal(errors.New("no rows"))
	}
	var out strings.Builder
	for _, row := range rows {
		var kept []string
		for i, column := range rows[0] {
			if i < len(row) && slices.Contains([]string{"label", "success", "user", "who"}, column) {
				kept = append(kept, row[i])
			}
		}
		writeRow(&out, kept)
	}
	return out.String()
}
