package api

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/gojm/gojm/engine/script"
)

// fake is a thread with all that scripts see of it.
type fake struct {
	vars, props map[string]any
	log         []string
	did         []string
	name        string
	property    map[string]string
}

type fakeVars map[string]any

func (v fakeVars) Object(n string) any       { return v[n] }
func (v fakeVars) PutObject(n string, o any) { v[n] = o }
func (v fakeVars) Remove(n string)           { delete(v, n) }
func (v fakeVars) Names() []string           { return slices.Sorted(maps.Keys(v)) }

type fakeProps struct{ fakeVars }

func (p fakeProps) Lookup(n string) (string, bool) {
	if s, ok := p.fakeVars[n].(string); ok {
		return s, true
	}
	return "sys", n == "system"
}

func (f *fake) Name() string                  { return "Main 1-1" }
func (f *fake) Number() int                   { return 0 }
func (f *fake) Iteration() int                { return 1 }
func (f *fake) GroupName() string             { return "Main" }
func (f *fake) GroupThreads() int             { return 3 }
func (f *fake) StopThread()                   { f.did = append(f.did, "stop thread") }
func (f *fake) StopTest(now bool)             { f.did = append(f.did, fmt.Sprint("stop test ", now)) }
func (f *fake) Do(a Action)                   { f.did = append(f.did, string(a)) }
func (f *fake) Log(level, text, cause string) { f.log = append(f.log, level+" "+text+" "+cause) }
func (f *fake) BaseDir() string               { return "/plans" }
func (f *fake) ScriptName() string            { return "a.jmx" }

type fakeSampler struct{ f *fake }

func (s *fakeSampler) Name() string             { return s.f.name }
func (s *fakeSampler) SetName(n string)         { s.f.name = n }
func (s *fakeSampler) Property(n string) string { return s.f.property[n] }
func (s *fakeSampler) SetProperty(n, v string)  { s.f.property[n] = v }

type fakeResult struct {
	texts   map[Text]string
	numbers map[Number]int64
	flags   map[Flag]bool
	data    []byte
	marks   []Mark
	subs    []Result
	parent  Result
	judged  []Judgement
}

func newFakeResult() *fakeResult {
	return &fakeResult{texts: map[Text]string{}, numbers: map[Number]int64{}, flags: map[Flag]bool{}}
}

func (r *fakeResult) NewResult() Result              { return newFakeResult() }
func (r *fakeResult) Text(t Text) (string, bool)     { s, ok := r.texts[t]; return s, ok }
func (r *fakeResult) SetText(t Text, s string)       { r.texts[t] = s }
func (r *fakeResult) Number(n Number) int64          { return r.numbers[n] }
func (r *fakeResult) SetNumber(n Number, v int64)    { r.numbers[n] = v }
func (r *fakeResult) Flag(f Flag) bool               { return r.flags[f] }
func (r *fakeResult) SetFlag(f Flag, on bool)        { r.flags[f] = on }
func (r *fakeResult) Data() []byte                   { return r.data }
func (r *fakeResult) SetData(b []byte)               { r.data = b }
func (r *fakeResult) Mark(m Mark)                    { r.marks = append(r.marks, m) }
func (r *fakeResult) SetStampAndTime(at, took int64) { r.numbers[EndTime], r.numbers[Time] = at, took }
func (r *fakeResult) Subs() []Result                 { return r.subs }
func (r *fakeResult) AddRawSub(s Result)             { r.subs = append(r.subs, s) }
func (r *fakeResult) RemoveSubs()                    { r.subs = nil }
func (r *fakeResult) Parent() Result                 { return r.parent }
func (r *fakeResult) Assertions() []Judgement        { return r.judged }
func (r *fakeResult) AddAssertion(j Judgement)       { r.judged = append(r.judged, j) }
func (r *fakeResult) AddSub(s Result, rename bool) {
	if rename {
		l, _ := r.Text(Label)
		s.SetText(Label, fmt.Sprintf("%s-%d", l, len(r.subs)))
	}
	r.subs = append(r.subs, s)
}

func newFake() (*fake, *Host, *script.Env) {
	f := &fake{vars: map[string]any{"name": "ada", "n": "5", "path": "a/b/c d"}, props: map[string]any{"greeting": "hello"}, name: "here", property: map[string]string{}}
	prev := newFakeResult()
	prev.texts = map[Text]string{Label: "before", Code: "200", Message: "OK"}
	prev.data, prev.flags[Successful], prev.numbers[Time] = []byte("body é"), true, 123
	h := &Host{Vars: fakeVars(f.vars), Props: fakeProps{f.props}, Thread: f, Prev: prev, Sampler: &fakeSampler{f}, Log: f, Plan: f,
		Result: newFakeResult(), ResultName: "SampleResult"}
	env := &script.Env{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	Bind(env, h)
	return f, h, env
}

func TestFunctionsAsRecorded(t *testing.T) {
	data, err := os.ReadFile("testdata/functions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 3 {
			continue
		}
		n++
		_, _, env := newFake()
		got := ""
		if p, err := script.Compile(c[0], c[1], "Script1.groovy"); err == nil {
			if v, err := p.Run(env); err == nil && v != nil {
				got, _ = script.ToString(v)
			}
		}
		if got != c[2] {
			t.Errorf("%s %s\n got %q\nwant %q", c[0], c[1], got, c[2])
		}
	}
	if n < 60 {
		t.Errorf("only %d rows", n)
	}
}

// differs are scripts that do not agree yet, with the reason; the test fails once one does.
var differs = map[string]string{
	"groovy-classes / objects": "class declarations are not supported",
	"groovy-classes / later":   "class declarations are not supported",
	"groovy-xml / build":       "MarkupBuilder and XmlParser are not supported",
}

func TestScriptsAsRecorded(t *testing.T) {
	data, err := os.ReadFile("testdata/scripts.txt")
	if err != nil {
		t.Fatal(err)
	}
	old := time.Local
	time.Local = time.UTC
	defer func() { time.Local = old }()
	dir := t.TempDir()
	users, err := os.ReadFile("testdata/users.csv")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/in", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/cwd", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/in/users.csv", users, 0o644); err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(data), "\n== ")[1:]
	if len(cases) < 45 {
		t.Fatalf("only %d scripts", len(cases))
	}
	vars := map[string]any{"name": "ann"} // go from sampler to sampler
	for _, text := range cases {
		head, rest, _ := strings.Cut(text, "\n")
		h := strings.Split(head, " / ")
		src, want, ok := strings.Cut(rest, "\n--\n")
		if !ok || len(h) != 4 {
			t.Fatalf("bad case %q", head)
		}
		name := h[0] + " / " + h[1]
		got := runCase(h, src, dir, vars)
		want = strings.TrimRight(want, "\n")
		if reason, ok := differs[name]; ok {
			if got == want {
				t.Errorf("%s agrees now, though it is listed: %s", name, reason)
			}
			continue
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", name, firstDifference(got, want), firstDifference(want, got))
		}
	}
}

// runCase runs a sampler's script and returns what its result holds.
func runCase(h []string, src, dir string, vars map[string]any) string {
	f, host, env := newFake()
	f.name = h[1]
	env.Dir, host.Vars = dir+"/cwd", fakeVars(vars)
	env.Bindings["prev"] = nil // the first sample of a thread
	if h[1] == "where am I" {
		host.Prev.SetText(Label, "not by assignment")
		env.Bindings["prev"] = &result{r: host.Prev}
	}
	maps.Copy(f.props, map[string]any{"env.name": "staging", "retries": "3", "region": "eu-west-1", "dir": dir + "/in", "hosts": script.NewList("alpha", "beta")})
	host.Result.SetText(Label, h[1])
	maps.Copy(env.Bindings, map[string]script.Value{"Label": h[1], "Parameters": h[3], "FileName": "",
		"args": &script.Array{Elem: "java.lang.String", Items: words(h[3])}, "ResponseCode": "200", "ResponseMessage": "OK", "IsSuccess": true})
	bsh := script.NewMap()
	bsh.Put("args", env.Bindings["args"])
	env.Bindings["bsh"] = bsh
	p, err := script.Compile(h[2], src, "Script1.groovy")
	if err != nil {
		return "!!" + err.Error()
	}
	v, err := p.Run(env)
	if err != nil {
		var th *script.Throwable
		if errors.As(err, &th) {
			return "!javax.script.ScriptException: " + th.Error()
		}
		return "!!" + err.Error()
	}
	if d := host.Result.Data(); d != nil {
		return string(d)
	}
	if v == nil {
		return ""
	}
	s, _ := script.ToString(v)
	return strings.TrimRight(s, "\n")
}

func words(s string) []script.Value {
	var out []script.Value
	for _, w := range strings.Fields(s) {
		out = append(out, w)
	}
	return out
}

// firstDifference shows a text from the first line that differs.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d: %s", i+1, x[i])
		}
	}
	return "the end"
}
