package scripted_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gojm/gojm/engine/elem"
	. "github.com/gojm/gojm/engine/plantest"
	"github.com/gojm/gojm/jtl"
)

// groovy is an element with a Groovy script.
func groovy(class, script string, more ...string) Node {
	return E(class, "script", append(more, S("script", script))...)
}

// body is a sampler that returns what its script does.
func body(script string, below ...Node) Node { return groovy("JSR223Sampler", script).With(below...) }

func bodies(r *Result) string {
	var out []string
	for _, s := range r.Samples {
		out = append(out, string(s.Body))
	}
	return strings.Join(out, "|")
}

func TestRoles(t *testing.T) {
	assertions := func(s *jtl.Sample) string {
		var out []string
		for _, a := range s.Assertions {
			out = append(out, fmt.Sprintf("%s %v %v %q", a.Name, a.Failure, a.Error, a.Message))
		}
		return strings.Join(out, "; ")
	}
	for _, tc := range []struct {
		name  string
		nodes []Node
		want  string // bodies
		check func(t *testing.T, r *Result)
	}{
		{"pre-processor", []Node{body("return vars.get('a')", groovy("JSR223PreProcessor", "vars.put('a', 'b' + (prev == null))"))}, "btrue", nil},
		{"post-processor", []Node{body("return 'x'", groovy("JSR223PostProcessor", "prev.setResponseData(prev.responseDataAsString + 'y', null)"))}, "xy", nil},
		{"post-processors share what they note", []Node{body("SampleResult.setContentType('a/b; c'); 'x'",
			groovy("JSR223PostProcessor", "vars.put('kind', prev.getContentType() + prev.getMediaType())")), body("vars.get('kind')")}, "x|a/b; ca/b", nil},
		{"a content type ends with its sample", []Node{body("SampleResult.setContentType('a/b'); 'x'"), body("'y'"), body("prev.getContentType() + SampleResult.getContentType()")}, "x|y|", nil},
		{"renamed", []Node{Sampler("plain", groovy("JSR223PreProcessor", "sampler.setName('new ' + sampler.getName())")), Sampler("next")}, "|", func(t *testing.T, r *Result) {
			if r.Labels() != "new plain next" {
				t.Error(r.Labels())
			}
		}},
		{"assertion", []Node{body("'x'", groovy("JSR223Assertion", "AssertionResult.setError(true); AssertionResult.setFailure(prev.is(SampleResult)); AssertionResult.setFailureMessage('m')"),
			groovy("JSR223Assertion", "throw new Exception('bad')"))}, "x", func(t *testing.T, r *Result) {
			if got := assertions(r.Samples[0]); got != `script true false "m"; script false true "javax.script.ScriptException: java.lang.Exception: bad"` {
				t.Error(got)
			}
		}},
		{"listener", []Node{body("props.getOrDefault('seen', '')"), body("'y'", groovy("JSR223Listener", "props.put('seen', sampleEvent.getThreadGroup() + sampleResult.getSampleLabel() + sampleEvent.result.responseCode)")), body("props.get('seen')")},
			"|y|Usersscript200", nil},
		{"objects", []Node{body("vars.putObject('o', [1, [a: 2.50]]); vars.putObject('d', 1e3d); vars.putObject('r', prev); 'x'"), body("vars.getObject('o')[1].a + vars.getObject('d')"), E("JSR223Sampler", "script", S("script", "'${o} ${d}'"))},
			"x|1002.5|[1, {a=2.50}] 1000.0", nil},
		{"a result that is kept", []Node{body("'first'", groovy("JSR223PostProcessor", "vars.putObject('kept', prev)")), body("'second'"), body("'third'"), body("'fourth'"), body("vars.getObject('kept').getResponseDataAsString()")},
			"first|second|third|fourth|first", nil},
		{"closures from element to element", []Node{body("props.put('f', { v, l -> v.put('c', 'called'); l + 1 }); 'x'"), body("props.get('f')(vars, 4) + vars.get('c')")}, "x|5called", nil},
		{"a number is no text", []Node{body("vars.put('n', 5)")}, "", func(t *testing.T, r *Result) {
			if m := r.Samples[0].Message; !strings.HasPrefix(m, "javax.script.ScriptException: groovy.lang.MissingMethodException: No signature of method: org.apache.jmeter.threads.JMeterVariables.put() is applicable for argument types: (String, Integer) values: [n, 5]") {
				t.Error(m)
			}
		}},
		{"languages", []Node{
			E("JSR223Sampler", "js", S("scriptLanguage", "javascript"), S("script", "var n = 0; for (var i = 0; i < 4; i++) n += i; vars.put('js', '' + n); n")),
			E("JSR223Sampler", "jexl", S("scriptLanguage", "jexl"), S("script", "vars.get('js') + '1'")),
			E("BeanShellSampler", "bsh", S("BeanShellSampler.query", `int n = Integer.parseInt(vars.get("js")); return n + 1;`)),
		}, "6|7|7", nil},
		{"BeanShell remembers", []Node{E("LoopController", "twice", S("LoopController.loops", 2)).With(
			E("BeanShellSampler", "a", S("BeanShellSampler.query", "if (n == void) n = 0; return ++n;")),
			E("BeanShellSampler", "b", S("BeanShellSampler.query", "if (n == void) n = 0; return ++n;"), B("BeanShellSampler.resetInterpreter", true)))}, "1|1|2|1", nil},
		{"BeanShell roles", []Node{E("BeanShellSampler", "s", S("BeanShellSampler.query", `return vars.get("p") + Parameters + bsh.args.length;`), S("BeanShellSampler.parameters", " a  b ")).With(
			E("BeanShellPreProcessor", "pre", S("script", `vars.put("p", sampler.getName());`)),
			E("BeanShellPostProcessor", "post", S("script", `vars.put("q", new String(data)); prev.setResponseMessage("seen");`)),
			E("BeanShellAssertion", "judge", S("BeanShellAssertion.query", `Failure = !ResponseMessage.equals("OK"); FailureMessage = SampleLabel + " " + Successful;`)),
			E("BeanShellListener", "listen", S("script", `vars.put("l", sampleResult.getFirstAssertionFailureMessage());`))),
			body("vars.get('q') + vars.get('l')")}, "s a  b 2|s a  b 2s true", func(t *testing.T, r *Result) {
			if got := assertions(r.Samples[0]); r.Samples[0].Success || got != `judge true false "s true"` {
				t.Error(got)
			}
		}},
		{"BeanShell judges with an unset variable", []Node{body("'x'", E("BeanShellAssertion", "judge",
			S("BeanShellAssertion.query", `Failure = vars.get("unset"); FailureMessage = "m";`)))}, "x", func(t *testing.T, r *Result) {
			if got := assertions(r.Samples[0]); r.Samples[0].Success || !strings.HasPrefix(got, `judge false true "java.lang.NullPointerException: Cannot invoke `) {
				t.Error(got)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := Run(t, Users(1, 1, tc.nodes...))
			if got := bodies(r); r.Err != nil || got != tc.want {
				t.Errorf("%q, want %q: %v %v\n%s", got, tc.want, r.Err, r.Problems, r.Log)
			}
			if tc.check != nil && len(r.Samples) > 0 {
				tc.check(t, r)
			}
		})
	}
}

// What a script does to its thread and to the test.
func TestStops(t *testing.T) {
	for _, tc := range []struct{ name, class, script, want string }{
		{"stop exception in a sampler", "JSR223Sampler", "throw new org.apache.jorphan.util.JMeterStopThreadException('x')", "before"},
		{"stop exception in a pre-processor", "JSR223PreProcessor", "throw new org.apache.jorphan.util.JMeterStopTestException('x')", "before"},
		{"error in a pre-processor", "JSR223PreProcessor", "throw new Exception('x')", "before at after"},
		{"failed assert of Groovy in a sampler", "JSR223Sampler", "assert 1 == 2", "before"},
		{"failed assert of Groovy in a post-processor", "JSR223PostProcessor", "assert 1 == 2", "before at"},
		{"thread stopped", "JSR223PostProcessor", "ctx.getThread().stop()", "before at"},
		{"result stops the thread", "JSR223PostProcessor", "prev.setStopThread(true)", "before at"},
		{"result stops the test", "JSR223PostProcessor", "prev.setStopTest(true)", "before at"},
		{"next loop", "JSR223PostProcessor", "ctx.setTestLogicalAction(org.apache.jmeter.threads.JMeterContext.TestLogicalAction.START_NEXT_ITERATION_OF_THREAD)", "before at"},
		{"ignored", "JSR223PostProcessor", "prev.setIgnore()", "before after"},
	} {
		at := Sampler("at", groovy(tc.class, tc.script))
		if tc.class == "JSR223Sampler" {
			at = groovy(tc.class, tc.script)
		}
		r := Run(t, Users(1, 1, Sampler("before"), at, Sampler("after")))
		if r.Labels() != tc.want || r.Err != nil {
			t.Errorf("%s: %s, want %s (%v)\n%s", tc.name, r.Labels(), tc.want, r.Err, r.Log)
		}
	}
}

func TestTimers(t *testing.T) {
	for _, tc := range []struct {
		class, language, script string
		want                    time.Duration
	}{
		{"JSR223Timer", "groovy", "return 250", 250 * time.Millisecond},
		{"JSR223Timer", "groovy", "'30'", 30 * time.Millisecond},
		{"JSR223Timer", "groovy", "null", 0},
		{"JSR223Timer", "groovy", "1.5", 0},
		{"JSR223Timer", "groovy", "throw new Exception()", 0},
		{"BeanShellTimer", "", `return "0x10";`, 16 * time.Millisecond},
		{"BeanShellTimer", "", "return null;", 0},
		{"BeanShellTimer", "", `return "soon";`, 0},
		{"BSFTimer", "javascript", "20 * 2", 40 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := Run(t, Users(1, 1, Sampler("s", E(tc.class, "timer", S("scriptLanguage", tc.language), S("script", tc.script)))))
			if len(r.Started) != 1 || r.Started[0].Round(time.Millisecond) != tc.want {
				t.Errorf("%s %s: started at %v, want %v\n%s", tc.class, tc.script, r.Started, tc.want, r.Log)
			}
		})
	}
}

// With the cache a thread keeps to the text of its first run; what a script's file says counts each time.
func TestCacheAndFiles(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.groovy")
	if err := os.WriteFile(file, []byte("return 'one ' + args[0]"), 0o600); err != nil {
		t.Fatal(err)
	}
	rewrite := fmt.Sprintf("new File('%s').text = \"return 'two, longer'\"", file)
	r := Run(t, Users(1, 2,
		body("vars.put('n', '' + vars.getIteration()); 'n'"),
		E("JSR223Sampler", "frozen", S("script", "return '${n}' + vars.get('n')")),
		E("JSR223Sampler", "fresh", S("script", "return '${n}'"), S("cacheKey", "false")),
		E("JSR223Sampler", "file", S("filename", file), S("script", "return 'text'"), S("parameters", "p${n}")),
		body(rewrite+"; 'written'"),
	))
	if want := "n|11|1|one p1|written|n|12|2|two, longer|written"; bodies(r) != want || r.Err != nil {
		t.Errorf("%s, want %s: %v %v", bodies(r), want, r.Err, r.Problems)
	}
}

// What cannot be run is told before the run, with its place.
func TestCheck(t *testing.T) {
	for _, tc := range []struct {
		name string
		node Node
		want string
	}{
		{"class", body("def a = 1\nnew java.net.Socket('h', 1)"), `2: script script: line 2, column 5: class java.net.Socket is not supported`},
		{"method", body("vars.put('a', 'b')\n  vars.frobnicate()"), `2: script script: line 2, column 8: method frobnicate is not supported`},
		{"syntax", body("def = 5"), `2: script script: line 1, column 1: unexpected token`},
		{"BeanShell", E("BeanShellAssertion", "a", S("BeanShellAssertion.query", "\n vars.frobnicate();")), `script BeanShellAssertion.query: line 2, column 7: method frobnicate`},
		{"numbers put in", E("JSR223Sampler", "a", S("scriptLanguage", "beanshell"), S("script", "int n = ${n};\nvars.frobnicate();")), `line 2, column 6: method frobnicate`},
		{"known later", E("JSR223Sampler", "a", S("script", "${statements} )")), `0: script script: cannot be read before its ${...} are replaced`},
		{"engine", E("JSR223Sampler", "a", S("scriptLanguage", "cobol"), S("script", "x")), `0: value scriptLanguage: JMeter has no script engine of the name "cobol"`},
	} {
		r := Run(t, Users(1, 1, tc.node))
		var got []string
		for _, p := range r.Problems {
			level := 0
			if p.Level == elem.Unsupported {
				level = 2
			}
			got = append(got, fmt.Sprintf("%d: %s %s: %s", level, p.What, p.Name, p.Text))
		}
		if all := strings.Join(got, "\n"); !strings.Contains(all, tc.want) {
			t.Errorf("%s: %s, want %s", tc.name, all, tc.want)
		}
	}
	r := Plan{Props: map[string]string{"jsr223.init.file": "x.groovy", "beanshell.sampler.init": "y.bsh"}}.Run(t, Users(1, 1, body("1"), E("BeanShellSampler", "b", S("BeanShellSampler.query", "1;"))))
	if r.Err == nil || len(r.Problems) != 2 {
		t.Errorf("%v %v", r.Err, r.Problems)
	}
}

// A text that comes up only while the plan runs and needs what is not there fails its samples, and the run.
func TestUnsupportedAtRunTime(t *testing.T) {
	r := Run(t, Users(1, 1, body("vars.put('code', 'new java.net.Socket()'); 1"), E("JSR223Sampler", "s", S("script", "x = ${code}"))))
	if r.Err == nil || !strings.Contains(r.Err.Error(), "class java.net.Socket is not supported") {
		t.Errorf("%v %s", r.Err, bodies(r))
	}
}

// Many threads run one script, each with its own variables.
func TestThreads(t *testing.T) {
	r := Run(t, Users(8, 25, body("vars.put('me', ctx.getThreadNum() + ':' + vars.getIteration()); def l = [1, 2, 3].collect { it * ctx.getThreadNum() }; vars.get('me') + l"),
		E("BeanShellPostProcessor", "p", S("script", `n = vars.get("me"); props.put("last", n);`))))
	if len(r.Samples) != 200 || r.Err != nil {
		t.Fatalf("%d samples: %v", len(r.Samples), r.Err)
	}
	seen := map[string]bool{}
	for _, s := range r.Samples {
		var thread, loop, one, two, three int
		if n, err := fmt.Sscanf(string(s.Body), "%d:%d[%d, %d, %d]", &thread, &loop, &one, &two, &three); n != 5 || err != nil || one != thread || three != 3*thread || seen[string(s.Body)] {
			t.Fatalf("%q", s.Body)
		}
		seen[string(s.Body)] = true
	}
}
