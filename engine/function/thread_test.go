package function_test

import (
	"testing"

	"github.com/gojm/gojm/engine/vu"
)

func TestThread(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__threadNum}|${__threadNum()}|${__threadGroupName}|${__TestPlanName}", "1|1|Users|plan.jmx"},
		row{"[${__samplerName}]", "[]"},
	)
	b.thread.Sampler = samplerName{b.text("Login ${n}")}
	b.set("n", "2").check(row{"${__samplerName( s )}|${s}", "Login 2|Login 2"})
	b.thread.Name, b.thread.Group.Name = "host:1099-My group 2-17", ""
	b.check(row{"${__threadNum}${__threadGroupName}", "17"})
	b.refused("${__threadNum(1)}", "${__threadGroupName( )}", "${__TestPlanName(x)}", "${__samplerName(a,b)}")
	if got := b.text("${__threadNum}").Eval(b.c.Engine); got != "1" {
		t.Errorf("engine thread: got %q, want 1", got)
	}
}

// JMeter loses the thread by a stack overflow.
func TestSamplerNameOfItself(t *testing.T) {
	b := newBench(t)
	b.thread.Sampler = samplerName{b.text("Login ${__samplerName}")}
	for range 2 {
		if _, err := b.try("${__samplerName}"); err != vu.ErrStopThread {
			t.Errorf("thrown: %v, want %v", err, vu.ErrStopThread)
		}
	}
	b.logged("StackOverflowError")
	b.thread.Sampler = samplerName{b.text("ok")}
	b.check(row{"${__samplerName}", "ok"})
}

func TestMachine(t *testing.T) {
	b := newBench(t)
	name, ip := b.eval("${__machineName( n )}"), b.eval("${__machineIP(i)}")
	if name == "" || ip == "" {
		t.Errorf("got %q and %q", name, ip)
	}
	b.check(row{"${n} ${i}", name + " " + ip}, row{"${__machineName}", name})
}

func TestPluginThread(t *testing.T) {
	b := newBench(t)
	b.thread.Iteration = 3
	b.check(row{"${__iterationNum}${__iterationNum(x)}", "33"})
	t.Setenv("GOJM_TEST", " v ")
	b.check(
		row{"${__env(GOJM_TEST)}", "v"},
		row{"${__env(GOJM_NOT)}|${__env(GOJM_NOT,, d )}|${__env(GOJM_TEST,e,d)}${e}", "GOJM_NOT|d|vv"},
		row{"${__env()}", "${__env()}"},
	)
}
