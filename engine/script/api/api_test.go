package api

import (
	"slices"
	"testing"

	"github.com/gojm/gojm/engine/script"
)

func TestObjects(t *testing.T) {
	for _, c := range []struct{ lang, src, want string }{
		{"groovy", "vars.get('name') + vars['name'] + vars.name + vars.get('none') + vars['none']", "adaadaadanullnull"},
		{"groovy", "vars['name'] = 'x'", "!groovy.lang.MissingPropertyException: No such property: name for class: org.apache.jmeter.threads.JMeterVariables"},
		{"groovy", "vars.put('k', 5)", "!groovy.lang.MissingMethodException: No signature of method: org.apache.jmeter.threads.JMeterVariables.put() is applicable for argument types: (String, Integer) values: [k, 5]"},
		{"groovy", "vars.put('k', \"${1 + 1}\"); vars.putObject('o', [a: 1]); vars.get('k') + vars.get('o') + vars.getObject('o').a", "2{a=1}1"},
		{"groovy", "vars.remove('name'); vars.get('name')", "null"},
		{"groovy", "vars.entrySet().collect { it.key }.sort().join(',')", "n,name,path"},
		{"groovy", "vars.getIteration() + vars.iteration + vars.threadName", "2Main 1-1"},
		{"groovy", "props.get('greeting') + props['greeting'] + props.greeting + props.getProperty('none', 'd') + props.getProperty('system') + props.get('system')", "hellohellohellodsysnull"},
		{"groovy", "props.put('l', [1, 2]); props.get('l').size() + (props.containsKey('l') ? 1 : 0)", "3"},
		{"groovy", "ctx.getThreadNum() + ctx.threadNum + ctx.getThreadGroup().getName() + ctx.thread.threadName", "0MainMain 1-1"},
		{"groovy", "ctx.getVariables() == vars && ctx.getPreviousResult() == prev && ctx.currentSampler == sampler", "true"},
		{"groovy", "ctx.samplerContext.put('a', 1); ctx.getSamplerContext().a", "1"},
		{"groovy", "prev.getResponseCode() + prev.responseDataAsString + prev.isSuccessful() + prev.successful + prev.time + prev.getResponseData().length", "200body étruetrue1237"},
		{"groovy", "prev.setResponseData('né', 'ISO-8859-1'); prev.responseData.length + prev.dataEncoding + prev.responseDataAsString", "2ISO-8859-1né"},
		{"groovy", "SampleResult.sampleLabel = 'x'; SampleResult.setSuccessful(true); SampleResult.getSampleLabel() + SampleResult.successful", "xtrue"},
		{"groovy", "def s = new org.apache.jmeter.samplers.SampleResult(); s.sampleStart(); s.sampleLabel = 'sub'; s.setResponseOK(); s.sampleEnd(); SampleResult.sampleLabel = 'p'; SampleResult.addSubResult(s); SampleResult.subResults.collect { it.sampleLabel + it.responseCode }.join()", "p-0200"},
		{"groovy", "import org.apache.jmeter.samplers.SampleResult as R; SampleResult.setDataType(R.TEXT); SampleResult.dataType", "text"},
		{"groovy", "import org.apache.jmeter.util.JMeterUtils; JMeterUtils.getPropDefault('greeting', 'x') + JMeterUtils.getPropDefault('none', 7)", "hello7"},
		{"groovy", "org.apache.jmeter.services.FileServer.getFileServer().getBaseDir() + org.apache.jmeter.services.FileServer.fileServer.scriptName", "/plansa.jmx"},
		{"groovy", "org.apache.jmeter.threads.JMeterContextService.getContext().getThreadNum()", "0"},
		{"groovy", "sampler.setProperty('HTTPSampler.path', '/x'); sampler.getPath() + sampler.path + sampler.name", "/x/xhere"},
		{"groovy", "sampler.setPort(8080); sampler.getPort() + 1", "8081"},
		{"beanshell", `vars.put("a", "b"); return vars.get("a") + ctx.getThreadNum() + props.get("greeting");`, "b0hello"},
		{"beanshell", `import org.apache.jmeter.services.FileServer; print(FileServer.getFileServer().getBaseDir()); return FileServer.getFileServer().getBaseDir() + File.separator;`, "/plans/"},
		{"jexl3", `vars.get("name")`, "ada"},
		{"jexl3", `vars["name"]`, "ada"},
		{"jexl3", "vars.name", "ada"},
		{"jexl3", "vars.put('made','here')", "null"},
		{"jexl3", "ctx.getThreadNum()", "0"},
		{"jexl3", "threadName", "Main 1-1"},
		{"jexl3", "prev.getResponseCode() == 200", "true"},
		{"jexl2", `vars.get("name") eq 'ada'`, "true"},
		{"javascript", "vars.put('z', 9); vars.get('z') + vars.get('none')", "9null"},
		{"javascript", "vars.name", "undefined"},
		{"javascript", "prev.getResponseCode() + prev.responseCode + prev.isSuccessful()", "200200true"},
		{"javascript", "vars.get('name') == 'ada' && vars.get('name').length() == 3 && vars.get('name').equals('ada')", "true"},
		{"javascript", "ctx.getThreadNum() + 1", "1"},
		{"javascript", "try { vars.nothing() } catch (e) { 'no method' }", "no method"},
		{"javascript", "java.lang.Integer.parseInt('x')", "!java.lang.NumberFormatException: For input string: \"x\""},
	} {
		_, _, env := newFake()
		p, err := script.Compile(c.lang, c.src, "Script1.groovy")
		got := ""
		if err == nil {
			var v script.Value
			if v, err = p.Run(env); err == nil {
				got, _ = script.ToString(v)
			}
		}
		if err != nil {
			got = "!" + err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.lang, c.src, got, c.want)
		}
	}
}

func TestWhatScriptsAskFor(t *testing.T) {
	f, h, env := newFake()
	a := &Assertion{}
	env.Bindings["AssertionResult"] = a
	p, err := script.Compile("groovy", `
log.info("a {} b {}", 1, 'x'); log.warn('plain'); log.error("bad", new Exception("why"))
ctx.setStartNextThreadLoop(true)
ctx.setTestLogicalAction(org.apache.jmeter.threads.JMeterContext.TestLogicalAction.BREAK_CURRENT_LOOP)
ctx.getThread().stop(); ctx.engine.askThreadsToStop(); ctx.getEngine().stopTest()
prev.setStopTest(true)
SampleResult.latencyEnd()
AssertionResult.failure = true
AssertionResult.setFailureMessage("no " + 1)
sampler.setName('renamed')
`, "X")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(env); err != nil {
		t.Fatal(err)
	}
	if want := []string{"INFO a 1 b x ", "WARN plain ", "ERROR bad java.lang.Exception: why"}; !slices.Equal(f.log, want) {
		t.Errorf("log %q", f.log)
	}
	if want := []string{"START_NEXT_ITERATION_OF_THREAD", "BREAK_CURRENT_LOOP", "stop thread", "stop test false", "stop test true"}; !slices.Equal(f.did, want) {
		t.Errorf("did %q", f.did)
	}
	if !h.Prev.Flag(StopTest) || !slices.Equal(h.Result.(*fakeResult).marks, []Mark{LatencyEnd}) {
		t.Error("the results were not marked")
	}
	if want := (Judgement{Failure: true, Message: "no 1", HasMessage: true}); a.Judgement != want || f.name != "renamed" {
		t.Errorf("assertion %+v, name %s", a.Judgement, f.name)
	}
}
