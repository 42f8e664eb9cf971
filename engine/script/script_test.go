package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func run(t *testing.T, lang, src string, env *Env) (Value, error) {
	t.Helper()
	p, err := Compile(lang, src, "Script1.groovy")
	if err != nil {
		t.Fatalf("%s %q: %v", lang, src, err)
	}
	return p.Run(env)
}

func TestSyntaxErrorsTellTheirPlace(t *testing.T) {
	for _, c := range []struct{ lang, src, want string }{
		{"groovy", "def a = 1\ndef b = [1, 2", "X: 2: unexpected end of the script, ] is missing @ line 2, column 14."},
		{"groovy", "x = 5 5", "X: 1: unexpected token: 5 @ line 1, column 7."},
		{"groovy", "\nclass A { }", "X: 2: class declarations are not supported @ line 2, column 1."},
		{"groovy", `"${1 +}"`, "X: 1: unexpected end of the script @ line 1, column 7."},
		{"jexl3", "1 +", "X: 1: unexpected end of the expression @ line 1, column 4."},
		{"jexl3", "a b", "X: 1: ambiguous statement, missing ';' between expressions @ line 1, column 3."},
		{"jexl3", "var f = (x) -> { x }", "X: 1: functions are not supported @ line 1, column 13."},
		{"beanshell", "int a = ;", "X: 1: unexpected token: ; @ line 1, column 9."},
		{"beanshell", "char c = 'ab';", "X: 1: a character literal holds one character @ line 1, column 14."},
	} {
		_, err := Compile(c.lang, c.src, "X")
		var se *SyntaxError
		if !errors.As(err, &se) || se.Error() != c.want {
			t.Errorf("%s %q\n got %v\nwant %s", c.lang, c.src, err, c.want)
		}
	}
	if _, err := Compile("jython", "1", "X"); err == nil || err.Error() != "Cannot find engine named: 'jython'" {
		t.Errorf("unknown language: %v", err)
	}
	_, err := Compile("javascript", "var a = ;\n", "X")
	var se *SyntaxError
	if !errors.As(err, &se) || se.Line != 1 || se.Column == 0 {
		t.Errorf("javascript: %v", err)
	}
}

func TestUnsupportedIsKnownBeforeTheRun(t *testing.T) {
	for _, c := range []struct{ lang, src, want string }{
		{"groovy", "new java.net.Socket('h', 1)", "line 1, column 5: class java.net.Socket is not supported"},
		{"groovy", "import javax.imageio.ImageIO\n\nImageIO.read(null)", "line 3, column 9: class javax.imageio.ImageIO is not supported"},
		{"groovy", "import javax.imageio.ImageIO\n1", ""},
		{"groovy", "org.apache.kafka.Producer.send(1)", "line 1, column 18: class org.apache.kafka.Producer is not supported"},
		{"groovy", "Math.cosh(1)", "line 1, column 6: method java.lang.Math.cosh is not supported"},
		{"groovy", "'a'.frobnicate()", "line 1, column 5: method frobnicate is not supported"},
		{"groovy", "null.frobnicate()", ""},
		{"groovy", "def m = [frobnicate: { 1 }]; m.frobnicate()", ""},
		{"groovy", "new groovy.json.JsonBuilder().frobnicate { a 1 }", ""},
		{"groovy", "vars.getObject('lib').frobnicate()", ""},
		{"groovy", "def frobnicate() { 1 }\nthis.frobnicate()", ""},
		{"groovy", "try { 1 } catch (java.sql.SQLException e) { }", ""},
		{"groovy", "java.util.UUID.randomUUID().toString()", ""},
		{"beanshell", "import java.awt.Robot; Robot r = new Robot();", "line 1, column 24: class Robot is not supported"},
		{"javascript", "var s = new java.net.Socket('h', 1)", "line 1, column 13: class java.net.Socket is not supported"},
		{"javascript", "java.util.UUID.randomUUID()", ""},
	} {
		p, err := Compile(c.lang, c.src, "X")
		if err != nil {
			t.Errorf("%s %q: %v", c.lang, c.src, err)
			continue
		}
		got := ""
		if list := p.Unsupported(); len(list) > 0 {
			got = list[0].String()
		}
		if got != c.want {
			t.Errorf("%s %q\n got %q\nwant %q", c.lang, c.src, got, c.want)
		}
	}
}

func TestBindingsComeBack(t *testing.T) {
	env := &Env{Bindings: map[string]Value{"IsSuccess": true, "ResponseCode": "200"}}
	if _, err := run(t, "beanshell", `IsSuccess = false; ResponseCode = "500"; String made = "x"; int n; n++;`, env); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(env.Bindings["IsSuccess"], env.Bindings["ResponseCode"], env.Bindings["made"], env.Bindings["n"]); got != "false500x1" && got != "false 500 x 1" {
		t.Errorf("got %s", got)
	}
	v, err := run(t, "beanshell", "made = made + n; return made;", env) // an interpreter that is kept
	if err != nil || v != "x1" {
		t.Errorf("got %v %v", v, err)
	}
}

func TestPrintingGoesToTheRun(t *testing.T) {
	var out, errs bytes.Buffer
	env := &Env{Out: &out, Err: &errs, Bindings: map[string]Value{"OUT": Out()}}
	if _, err := run(t, "groovy", "println 'a ' + 1\nprint 'b'\nprintf('%s-%d%n', 'c', 2)\nSystem.out.println([1, 'x'])\nOUT.println('d')\nSystem.err.println('bad')\nprintln()", env); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "a 1\nbc-2\n[1, x]\nd\n\n" {
		t.Errorf("got %q", got)
	}
	if got := errs.String(); got != "bad\n" {
		t.Errorf("errors %q", got)
	}
}

func TestEndlessScriptsEnd(t *testing.T) {
	n := 0
	stop := func() bool { n++; return n > 2 }
	for _, c := range []struct{ lang, src string }{
		{"groovy", "while (true) { }"}, {"groovy", "def f; f = { f() }; f()"}, {"groovy", "for (;;) { }"}, {"groovy", "[1].each { while (true) { } }"},
		{"jexl3", "while (true) { 1 }"}, {"beanshell", "do { } while (true);"}, {"groovy", "sleep(100000000)"},
		{"javascript", "function f() { return f() } f()"},
	} {
		n = 0
		_, err := run(t, c.lang, c.src, &Env{Interrupted: stop})
		var th *Throwable
		if !errors.As(err, &th) {
			t.Errorf("%s %q ended with %v", c.lang, c.src, err)
		}
	}
}

func TestProgramsAreShared(t *testing.T) {
	for lang, src := range map[string]string{
		"groovy":     "def s = 0; (1..50).each { s += it * n }; s",
		"jexl3":      "var s = 0; for (i : [1, 2, 3]) { s = s + i * n }; s",
		"beanshell":  "int s = 0; for (int i = 0; i < 10; i++) s += i * n; return s;",
		"javascript": "var s = 0; for (var i = 0; i < 10; i++) s += i * n; s",
	} {
		p, err := Compile(lang, src, "X")
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for range 20 {
					v, err := p.Run(&Env{Bindings: map[string]Value{"n": int32(n)}})
					unit := map[string]int{"groovy": 1275, "jexl3": 6, "beanshell": 45, "javascript": 45}[lang]
					if s, _ := ToString(v); err != nil || s != fmt.Sprint(unit*n) {
						t.Errorf("%s: %v %v", lang, v, err)
						return
					}
				}
			}()
		}
		wg.Wait()
	}
}

// Collections reach other threads by way of properties.
func TestCollectionsStandConcurrentUse(t *testing.T) {
	m, l := NewMap(), NewList()
	p, err := Compile("groovy", "m[k] = 1; m.remove(k - 1); l << k; l.size(); m.each { }; l.collect { it }; l.remove(0)", "X")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 100 {
				if _, err := p.Run(&Env{Bindings: map[string]Value{"m": m, "l": l, "k": int32(n*1000 + i)}}); err != nil {
					var th *Throwable
					if !errors.As(err, &th) || th.Class != "java.lang.IndexOutOfBoundsException" {
						t.Errorf("got %v", err)
					}
				}
			}
		}()
	}
	wg.Wait()
}

func TestCache(t *testing.T) {
	c := NewCache(2)
	a, err := c.Compile("jexl3", "1 + 1", "X")
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := c.Compile("jexl3", "1 + 1", "Y"); b != a {
		t.Error("not remembered")
	}
	if b, _ := c.Compile("jexl2", "1 + 1", "X"); b == a {
		t.Error("another language is another program")
	}
	if _, err := c.Compile("jexl3", "1 +", "X"); err == nil {
		t.Error("no error")
	}
	if b, _ := c.Compile("jexl3", "1 + 1", "X"); b == a {
		t.Error("the oldest was not forgotten")
	}
	if len(c.known) != 2 || c.order.Len() != 2 {
		t.Errorf("holds %d", len(c.known))
	}
}

func TestClockAndEnvironmentAreTheRuns(t *testing.T) {
	env := &Env{
		Now:      func() time.Time { return time.UnixMilli(1700000000123) },
		Getenv:   func(n string) string { return map[string]string{"A": "b"}[n] },
		Property: func(n string) (string, bool) { return "p-" + n, n == "x" },
	}
	v, err := run(t, "groovy", "[System.currentTimeMillis(), new Date().time, System.getenv('A'), System.getenv('B'), System.getProperty('x'), System.getProperty('y', 'd')].join(',')", env)
	if err != nil || v != "1700000000123,1700000000123,b,null,p-x,d" {
		t.Errorf("got %v %v", v, err)
	}
}

func FuzzScripts(f *testing.F) {
	for _, s := range []string{"def a = [1, 2]; a.collect { it * 2 }", `"x${1 + 1}" =~ /a/`, "if (a == 1) { b } else c", "x ? y : z ?: w", "{ -> }", "switch (x) { case 1..3: 2 }",
		"for (int i = 0; i < 3; i++) { }", "try { throw new Exception('a') } catch (e) { }", "a.b?.c*.d[1..2]", "'${x}' == \"\\${x}\"", "vars.get('x') as int == 2", "[a:1, (b):2]", "/* */ // \n", "not empty(x) and size(y) gt 2"} {
		for lang := range languages {
			f.Add(lang, s)
		}
	}
	f.Fuzz(func(t *testing.T, lang, src string) {
		if len(src) > 2000 || languages[lang] == nil {
			return
		}
		p, err := Compile(lang, src, "X")
		if err != nil {
			var se *SyntaxError
			if !errors.As(err, &se) || se.Line < 1 || strings.TrimSpace(se.Text) == "" {
				t.Errorf("%s %q: %v", lang, src, err)
			}
			return
		}
		if lang == "javascript" || strings.Contains(src, "sleep") || strings.Contains(src, "File") || strings.Contains(src, "Writer") {
			return
		}
		n := 0
		v, err := p.Run(&Env{Bindings: testBindings(), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Interrupted: func() bool { n++; return n > 20 }})
		if err == nil {
			ToString(v)
		}
	})
}
