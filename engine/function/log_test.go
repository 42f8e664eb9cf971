package function_test

import "testing"

func TestLog(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ src, value, log string }{
		{"${__log(hello)}", "hello", `level=INFO msg="Users 1-1  :  hello" logger=o.a.j.f.LogFunction`},
		{"${__log(hello,)}", "hello", `level=INFO msg="Users 1-1  :  hello"`},
		{"${__log(hello, warn )}", "hello", `level=WARN msg="Users 1-1  :  hello"`},
		{"${__log(hello,ERROR,,comment)}", "hello", `level=ERROR msg="Users 1-1 comment hello"`},
		{"${__log(hello,fine)}", "hello", `level=DEBUG msg=`},
		{"${__log(hello,INFO,boom)}", "hello", `hello\njava.lang.Throwable: boom`},
		{"${__logn(hello,ERROR)}", "", `level=ERROR msg="Users 1-1  :  hello" logger=o.a.j.f.LogFunction2`},
	} {
		b.check(row{c.src, c.value})
		b.logged(c.log)
	}
	b.check(
		row{"${__log(a,TRACE)}", "a"},
		row{"${__log(a,OUT)}${__log(b,err,,cc)}${__logn(c,OUT,boom)}", "ab"},
	)
	if b.log.Len() > 0 {
		t.Errorf("in the log: %q", b.log)
	}
	if want := "Log: Users 1-1 : a\nLog: Users 1-1 ccb\nLog: Users 1-1 : c java.lang.Throwable: boom\n"; b.out.String() != want {
		t.Errorf("on the console: %q, want %q", b.out, want)
	}
	b.refused("${__log}", "${__log(a,b,c,d,e)}", "${__logn(a,b,c,d)}")
}
