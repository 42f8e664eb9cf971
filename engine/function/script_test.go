package function_test

import (
	"strings"
	"testing"

	"github.com/gojm/gojm/jtl"
)

// Scripts in general are tested by TestRecorded and in package script; these are
// the rules of the functions.
func TestScript(t *testing.T) {
	newBench(t).check(
		row{"${__groovy(null)}|${__groovy(null,n)}[${n}]", "|[]"},
		row{"${__groovy(1/0,e)}[${e}]", "[${e}]"},
		row{"${__groovy(1 +,e1)}[${e1}]", "[${e1}]"},
		row{"${__groovy(1+1, g )}[${g}]", "2[2]"},
		row{"${__groovy(1+1,)}[${}]", "2[${}]"},
		row{`${__groovy(vars.put("q"\,"1"); vars.get("q"))}${q}`, "11"},
		row{`${__groovy(throw new RuntimeException("x"))}`, ""},
		row{"${__groovy( )}", ""},
		row{"${__jexl3(null,x)}[${x}]", "[]"},
		row{"${__jexl3(1/0,z2)}[${z2}]", "[]"}, // silent: as if it were null
		row{"${__jexl3(1 +,z)}[${z}]", "[${z}]"},
		row{"${__jexl2(1 +,z3)}[${z3}]", "[${z3}]"},
		row{"${__jexl2(nope,z4)}[${z4}]", "[${z4}]"},
		row{"${__jexl2(1/0,z5)}[${z5}]", "[${z5}]"},
		row{"${__jexl3(1+1,)}[${}]${__jexl2(1+1,)}[${}]", "2[${}]2[${}]"},
		row{"${__javaScript(null,j)}[${j}]", "null[null]"},
		row{"${__javaScript(nope,k)}[${k}]", "[${k}]"},
		row{"${__javaScript(1 +,k1)}[${k1}]", "[${k1}]"},
		row{"${__javaScript(1+1,)}[${}]", "2[2]"},
		row{"${__javaScript( )}", "undefined"},
		row{"${__jexl3(threadName)}|${__groovy(threadName)}|${__javaScript(threadName)}|${__jexl2(threadName)}", "Users 1-1|Users 1-1|Users 1-1|Users 1-1"},
		row{"${__groovy(prev == null ? 1 : 2)}|${__jexl3(sampleResult)}|${__javaScript(sampleResult)}|${__javaScript(sampler)}", "||null|null"},
		row{"${__groovy(ctx.getThreadNum())}|${__jexl3(ctx.getThreadNum())}|${__groovy(ctx.getThreadGroup().getName())}", "0|0|Users"},
	)
	newBench(t).refused("${__groovy()}", "${__jexl3()}", "${__javaScript(a,b,c)}", `${__groovy("a)b")}`)
}

func TestScriptFailsInTheLog(t *testing.T) {
	b := newBench(t)
	b.check(row{"${__groovy(nope)}", ""})
	b.logged("level=WARN msg=\"Error running groovy script [nope]")
	b.check(row{"${__jexl3(nope)}", ""})
	b.logged("level=ERROR")
	b.check(row{`${__groovy(log.info("said"))}`, ""})
	b.logged("level=INFO msg=said logger=o.a.j.f.Groovy")
	b.check(row{`${__groovy(OUT.println("hi"))}`, ""})
	if b.out.String() != "hi\n" {
		t.Errorf("on the console: %q", b.out)
	}
}

func TestScriptSeesTheSample(t *testing.T) {
	b := newBench(t).set("x", "1")
	b.thread.Sampler = samplerName{b.text("Login")}
	b.thread.Prev = &jtl.Sample{Label: "Home", Code: "409", Success: true, Elapsed: 12, Body: []byte("body"), Bytes: 4}
	b.check(
		row{`${__groovy(prev.getResponseCode() == "409" && prev.isSuccessful())}`, "true"},
		row{"${__groovy(prev.getTime() + ' ' + prev.responseDataAsString + ' ' + sampler.getName())}", "12 body Login"},
		row{"${__jexl3(sampleResult.getResponseCode())}${__javaScript(sampleResult.getSampleLabel())}", "409Home"},
		row{"${__jexl3(ctx.getPreviousResult().getSampleLabel())}[${__jexl3(prev)}]", "Home[]"},
	)
	if !b.c.ReadsPrev {
		t.Error("the plan is not told that the previous response is read")
	}
	b = newBench(t)
	b.text(`${__jexl3("${x}" == "1")}${__groovy(vars.get("x"))}`)
	if b.c.ReadsPrev {
		t.Error("responses are kept for scripts that do not look at them")
	}
}

func TestScriptProps(t *testing.T) {
	b := newBench(t)
	b.run.Props.Set("TPS", "5")
	b.run.Props.SetSystem("user.dir", "/home")
	b.check(
		row{"${__groovy((props.get('TPS') ?: '600').toDouble() * 60)}${__groovy(props.get('no') ?: 'd')}", "300.0d"},
		row{`${__groovy(props.put("made"\, "x"))}${__P(made)}`, "x"},
		row{`[${__groovy(props.get("user.dir"))}]`, "[]"},
		row{`${__groovy(props.put("list"\, [1\,2]); props.get("list").size())}${__groovy(props.get("list")[1])}`, "22"},
	)
}

func TestGroovyUtilities(t *testing.T) {
	b := newBench(t).inDir("u.groovy", "def twice(n) { n * 2 }\n")
	b.run.Props.Set("groovy.utilities", "u.groovy")
	b.check(row{"${__groovy(twice(21))}", "42"})
	b.run.Props.Set("groovy.utilities", "nope.groovy")
	b.refused("${__groovy(1)}")
}

// What a script that does not change cannot do is known before the run.
func TestScriptNotes(t *testing.T) {
	b := newBench(t)
	var notes, lacks []string
	b.c.Note = func(text string) { notes = append(notes, text) }
	b.c.Lacks = func(text string) { lacks = append(lacks, text) }
	b.text(`${__groovy(new java.net.Socket("h"\, 1))}${__groovy(1 +)}${__groovy(1+1)}${__groovy(${x} +)}`)
	if len(lacks) != 1 || !strings.Contains(lacks[0], "java.net.Socket is not supported") {
		t.Errorf("got %q as lacking", lacks)
	}
	if len(notes) != 1 || !strings.HasPrefix(notes[0], "__groovy: ") {
		t.Errorf("got %q", notes)
	}
}

// Sources that are all different must not be kept for ever.
func TestScriptsAreForgotten(t *testing.T) {
	b := newBench(t)
	x := b.text("${__jexl3(${i} + 1)}")
	for i := range 2500 {
		b.thread.Vars.Put("i", strings.Repeat("1", i%7+1)+string(rune('0'+i%10)))
		if x.Eval(b.thread) == "" {
			t.Fatal("no value")
		}
	}
}
