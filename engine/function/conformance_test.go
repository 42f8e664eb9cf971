package function_test

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// recorded holds what JMeter 5.6.3 answered to the plans of the function cases.
const recorded = "../../testdata/conformance/func"

// sampler is a Java Request of a plan, which returns what it is told to.
type sampler struct{ name, result string }

// group is a thread group of such samplers.
type group struct {
	name           string
	threads, loops int
	samplers       []sampler
}

// readPlan reads the Test Plan's variables and the thread groups of a plan that
// holds nothing but Java Requests.
func readPlan(t *testing.T, file string) (vars [][2]string, groups []group) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := xml.NewDecoder(f)
	var prop, arg string
	var inSampler, inGroup bool
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return vars, groups
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			at := map[string]string{}
			for _, a := range x.Attr {
				at[a.Name.Local] = a.Value
			}
			prop = at["name"]
			switch x.Name.Local {
			case "ThreadGroup":
				groups = append(groups, group{name: at["testname"], threads: 1, loops: 1})
				inGroup = true
			case "JavaSampler":
				g := &groups[len(groups)-1]
				g.samplers = append(g.samplers, sampler{name: at["testname"]})
				inSampler = true
			}
		case xml.CharData:
			s := string(x)
			switch prop {
			case "Argument.name":
				arg = s
			case "Argument.value":
				switch {
				case inSampler && arg == "ResultData":
					g := &groups[len(groups)-1]
					g.samplers[len(g.samplers)-1].result += s
				case !inGroup && !inSampler:
					vars = append(vars, [2]string{arg, s})
				}
			case "ThreadGroup.num_threads":
				n, _ := vu.ParseInt(s)
				groups[len(groups)-1].threads = int(n)
			case "LoopController.loops":
				n, _ := vu.ParseInt(s)
				groups[len(groups)-1].loops = int(n)
			}
		case xml.EndElement:
			prop = ""
			if x.Name.Local == "JavaSampler" {
				inSampler = false
			}
		}
	}
}

// answer is a sample that JMeter wrote.
type answer struct{ label, data string }

// readAnswers reads the samples of each thread.
func readAnswers(t *testing.T, file string) map[string][]answer {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string][]answer{}
	for sample := range strings.SplitSeq("\n"+string(b), "\nsample ") {
		head, body, _ := strings.Cut(sample, "\n")
		_, data, _ := strings.Cut(body, "responseData class='java.lang.String'\n")
		data, _, _ = strings.Cut(data, "\n  responseFile")
		var lines []string
		for line := range strings.SplitSeq(data, "\n") {
			if text, ok := strings.CutPrefix(line, "    | "); ok {
				lines = append(lines, text)
			}
		}
		if thread := attribute(head, "tn"); thread != "" {
			answers[thread] = append(answers[thread], answer{attribute(head, "lb"), strings.Join(lines, "\n")})
		}
	}
	return answers
}

// attribute reads name='value', where the value is quoted either way.
func attribute(line, name string) string {
	_, s, ok := strings.Cut(" "+line, " "+name+"=")
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s[1:], s[:1])
	return s
}

// TestRecorded runs the samplers of each recorded plan, the names and the results
// of which are expressions, and compares them with what JMeter wrote.
func TestRecorded(t *testing.T) {
	plans, err := filepath.Glob(recorded + "/*/plan.jmx")
	if err != nil || len(plans) == 0 {
		t.Fatalf("no recorded plans: %v", err)
	}
	for _, plan := range plans {
		dir := filepath.Dir(plan)
		name := filepath.Base(dir)
		if notHere[name] {
			continue
		}
		t.Run(name, func(t *testing.T) { runRecorded(t, dir) })
	}
}

// notHere names the cases that need more than samplers, one after the other.
var notHere = map[string]bool{
	"counter-in-controllers": true,
	"names":                  true, // an HTTP sampler
	"too-many-arguments":     true, // does not start; TestArity
}

func runRecorded(t *testing.T, dir string) {
	b := newBench(t)
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	b.run.Props.Set("dir", abs)
	for k, v := range map[string]string{"START.MS": "1700000000000", "START.YMD": "20231114", "START.HMS": "221320", "TESTSTART.MS": "1700000000001"} {
		b.thread.Vars.Put(k, v)
	}
	if args, err := os.ReadFile(filepath.Join(dir, "args")); err == nil {
		for line := range strings.Lines(string(args)) {
			k, v, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "-J"), "=")
			b.run.Props.Set(k, v)
		}
	}
	vars, groups := readPlan(t, filepath.Join(dir, "plan.jmx"))
	for _, v := range vars {
		b.thread.Vars.Put(v[0], b.text(v[1]).Eval(b.c.Engine))
	}
	answers := readAnswers(t, filepath.Join(dir, "expected.xml"))
	seed := b.thread.Vars
	type compiled struct {
		name   samplerName
		result expr.Text
	}
	for gi, g := range groups {
		gname := b.text(g.name).Eval(b.c.Engine)
		var steps []compiled
		for _, s := range g.samplers {
			steps = append(steps, compiled{samplerName{b.text(s.name)}, b.text(s.result)})
		}
		for n := range g.threads {
			tname := gname + " " + string(rune('1'+gi)) + "-" + string(rune('1'+n))
			th := b.newThread(n, tname, gname)
			th.Vars = seed.Copy()
			want := answers[tname]
		thread:
			for range g.loops {
				for _, s := range steps {
					var label, data string
					th.Sampler = s.name
					err := vu.Try(func() {
						label = s.name.Name(th)
						data = strings.TrimRight(s.result.Eval(th), "\n") // as recorded
					})
					if err == vu.ErrStopThread {
						break thread
					}
					if err != nil {
						continue // JMeter writes no sample
					}
					if len(want) == 0 {
						t.Fatalf("%s: sample %q too many", tname, label)
					}
					if got := (answer{label, data}); got != want[0] {
						t.Errorf("%s: got %q, want %q", tname, got, want[0])
					}
					want = want[1:]
					th.Prev = &jtl.Sample{Label: label, Body: []byte(data), DataType: "text", Encoding: "UTF-8"}
				}
			}
			if len(want) > 0 {
				t.Errorf("%s: no sample for %q", tname, want)
			}
		}
	}
}
