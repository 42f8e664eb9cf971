package function_test

import "testing"

// BeanShell keeps its variables between the calls of an occurrence.
func TestBeanShellRemembers(t *testing.T) {
	b := newBench(t)
	x := b.text("${__BeanShell(n = n == void ? 1 : n + 1; n;,v)}")
	other := b.newThread(1, "Users 1-2", "Users")
	if got := x.Eval(b.thread) + x.Eval(other) + x.Eval(b.thread); got != "123" {
		t.Errorf("got %q, want 123", got)
	}
	b.check(row{"${v}", "3"}, row{"[${__BeanShell(throw 1,w)}]${w}", "[]${w}"})
	b.logged("level=WARN")
}
