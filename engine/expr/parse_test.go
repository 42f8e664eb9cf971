package expr_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/expr"
	_ "github.com/gojm/gojm/engine/function"
	"github.com/gojm/gojm/engine/vu"
)

func newThread() (*expr.Compiler, *vu.Thread) {
	run := &vu.Run{Props: vu.NewProperties(), Log: slog.New(slog.DiscardHandler), WorkDir: ".", BaseDir: "."}
	names := vu.NewNames()
	engine := vu.NewThread(&vu.Group{Run: run}, 0, "main-1", vu.NewVars(names))
	t := vu.NewThread(&vu.Group{Name: "Users", Run: run}, 0, "Users 1-1", vu.NewVars(names))
	return &expr.Compiler{Names: names, Slots: new(vu.Slots), Engine: engine}, t
}

// The table is what JMeter 5.6.3 was seen to make of these texts.
func TestText(t *testing.T) {
	c, th := newThread()
	for k, v := range map[string]string{
		"col": "age", "A1": "valA1", "N": "1", "sp x": "spaced", " lead": "L", "SQL": "select ${col} from t",
		"esc": `a\,b\${col}`, "__time": "never seen", "café": "coffee", "1": "one", "obj": "o",
	} {
		th.Vars.Put(k, v)
	}
	for _, r := range []struct{ src, want string }{
		{``, ``},
		{`plain`, `plain`},
		{`a\,b`, `a\,b`},
		{`\${col}`, `\${col}`},
		{`C:\test\${col}`, `C:\test\${col}`},
		{`a\,b${col}`, `a,bage`},
		{`\${col}${undef}`, `${col}${undef}`},
		{`C:\\test\\${col}`, `C:\test\age`},
		{`C:\test\new ${col}`, `C:\test\new age`},
		{`${col}\`, `age\`},
		{`\\${col}`, `\age`},
		{`\\\${col}`, `\\\${col}`},
		{`line\nline ${col}\tend`, `line\nline age\tend`},
		{`${undef}`, `${undef}`},
		{`${}`, `${}`},
		{`a ${} b`, `a ${} b`},
		{`${ col }`, `${ col }`},
		{`${ lead}`, `L`},
		{`${sp x}`, `spaced`},
		{`${café}${1}`, `coffeeone`},
		{`$${col}`, `$age`},
		{`$$${col}`, `$$age`},
		{`{${col}}`, `{age}`},
		{`${col}}`, `age}`},
		{`$ {col} ${col}`, `$ {col} age`},
		{`y${col`, `ycol`},
		{`a ${`, `a `},
		{`a ${col\`, `a col\`},
		{`a\,b ${col`, `a,b col`},
		{`${col`, `${col`},
		{`${`, `${`},
		{`${c\ol}`, `age`},
		{`${c\}ol}`, `${c}ol}`},
		{`${A${N}}`, `${A${N}}`},
		{`${__V(A${N})}`, `valA1`},
		{`${__V( A${N})}`, ` A1`},
		{`${__unknown(a,b)}`, `${__unknown(a,b)}`},
		{`${__unknown}`, `${__unknown}`},
		{`${__unknown(${N},2)} ${N}`, `${__unknown(${N},2)} 1`},
		{`${__TIME(yyyy)}`, `${__TIME(yyyy)}`},
		{`${ __changeCase(a)}`, `A`},
		{`${__changeCase(a) }`, `A`},
		{"${__changeCase(a)\u00a0\u2003}", `A`},
		{`${__changeCase (a)}`, `${__changeCase (a)}`},
		{`${(__changeCase)}`, `${(__changeCase)}`},
		{`${__threadNum}${__threadNum()}`, `11`},
		{`${ __threadNum}`, `${ __threadNum}`},
		{`${__changeCase(a,)}`, `A`},
		{`${__changeCase( )}|${__changeCase(,)}`, ` |`},
		{`${__changeCase(f(a)g)}`, `F(A)G`},
		{`${__changeCase(f(a\,b)g)}`, `F(A,B)G`},
		{`${__changeCase(a\)b)}`, `A\)B`},
		{`${__changeCase({a})}`, `{A}`},
		{`${__changeCase("q" 'r')}`, `"Q" 'R'`},
		{`${__changeCase(${__changeCase(a\,b)},LOWER)}`, `a,b`},
		{`${__changeCase(a\\b)}`, `A\B`},
		{`${__changeCase(a\$b)}`, `A$B`},
		{`${__eval(${SQL})}`, `select age from t`},
		{`${SQL}`, `select ${col} from t`},
		{`${esc}`, `a\,b\${col}`},
		{`a${__P(nope,${col})}b${__P(x,${__P(y,${N})})}`, `aageb1`},
		{`{"a": "${col}", "b": {"c": [1,2,"${N}"]}}`, `{"a": "age", "b": {"c": [1,2,"1"]}}`},
	} {
		x, err := c.Text(r.src)
		if err != nil {
			t.Errorf("%s: %v", r.src, err)
			continue
		}
		if got := x.Eval(th); got != r.want {
			t.Errorf("%s: Eval: got %q, want %q", r.src, got, r.want)
		}
		if got := string(x.Append([]byte("<"), th)); got != "<"+r.want {
			t.Errorf("%s: Append: got %q, want %q", r.src, got, "<"+r.want)
		}
	}
}

func TestTextRefuses(t *testing.T) {
	c, _ := newThread()
	for _, src := range []string{
		`${__time(yyyy)x}`, `${__time(yyyy}`, `${__Random(3,3}`, `${__time(yyyy)`, "${__time(yyyy)\t}", "${__time(yyyy)\n}",
		`${__UUID( )}`, `${__P}`, `${__P()}`, `${__Random(1)}`, `a ${__changeCase(${__P()})} b`,
		`${__changeCase("a)b")}`, `${__changeCase(${x)}`, `${__timeShift(a,b,c,xx_bad!,d)}`,
		strings.Repeat("${__changeCase(", 300) + strings.Repeat(")}", 300),
	} {
		_, err := c.Text(src)
		if _, ok := errors.AsType[*expr.SyntaxError](err); !ok {
			t.Errorf("%s: got error %v, want a syntax error", src, err)
		}
	}
}

// What is evaluated while the plan is compiled stops the run when it fails.
func TestThrownWhileCompiling(t *testing.T) {
	c, _ := newThread()
	if _, err := c.Text(`${__time(${__intSum(x,1)})}`); err == nil || !strings.Contains(err.Error(), "NumberFormatException") {
		t.Errorf("got error %v", err)
	}
}

func TestNesting(t *testing.T) {
	c, th := newThread()
	x, err := c.Text(strings.Repeat("${__changeCase(", 150) + "a" + strings.Repeat(")}", 150))
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Eval(th); got != "A" {
		t.Errorf("got %q", got)
	}
}

// An unset variable stays in the text; once set, even to nothing, it does not.
func TestUnsetAndEmpty(t *testing.T) {
	c, th := newThread()
	x, err := c.Text("[${v}]")
	if err != nil {
		t.Fatal(err)
	}
	got := x.Eval(th)
	th.Vars.Put("v", "")
	got += x.Eval(th)
	th.Vars.PutObject("v", int64(7))
	got += x.Eval(th)
	th.Vars.Remove("v")
	got += x.Eval(th)
	th.Vars = nil
	if got += x.Eval(th); got != "[${v}][][7][${v}][${v}]" {
		t.Errorf("got %q", got)
	}
}

// Variables that only come up once the names are frozen are found by name.
func TestTextCompiledDuringTheRun(t *testing.T) {
	c, th := newThread()
	c.Names.Freeze()
	th.Vars.Put("late", "x")
	x, err := c.During().Text("${late}${__counter(TRUE)}")
	if err != nil {
		t.Fatal(err)
	}
	if got := x.Eval(th) + x.Eval(th); got != "x1x2" {
		t.Errorf("got %q", got)
	}
}

func TestCachePerIteration(t *testing.T) {
	c, th := newThread()
	c.CachePerIteration = true
	x, err := c.Text("${__counter(FALSE)}")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, th.Iteration = range []int{1, 1, 2, 2, 3} {
		got += x.Eval(th) + string(x.Append(nil, th))
	}
	if got != "1111222233" {
		t.Errorf("got %q, want 1111222233", got)
	}
}

func TestSeen(t *testing.T) {
	c, _ := newThread()
	var seen []string
	c.Seen = func(name string, known bool) {
		if !known {
			name = "?" + name
		}
		seen = append(seen, name)
	}
	c.Note = func(text string) { seen = append(seen, "!"+text[:strings.Index(text, " ")]) }
	if _, err := c.Text("${__md5(a)}${__P(x)}${v}${__nope}${__jm__Loop__idx}${__substring(a)}"); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(seen, " "); got != "?__md5 __P ?__nope !__substring" {
		t.Errorf("got %s", got)
	}
}

func TestNumbers(t *testing.T) {
	c, th := newThread()
	th.Vars.Put("n", "7")
	text := func(s string) expr.Text {
		x, err := c.Text(s)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for src, want := range map[string]int{
		"12": 12, "-3": -3, "+3": 3, " 2": 0, "2.5": 0, "": 0, "${nope}": 0, "2147483648": 0, "0x10": 0, "1_000": 0, "${n}1": 71,
	} {
		if got := expr.NewInt(text(src)).Eval(th); got != want {
			t.Errorf("int of %q: %d, want %d", src, got, want)
		}
	}
	for src, want := range map[string]int64{"2147483648": 2147483648, "9223372036854775808": 0, "${n}": 7} {
		if got := expr.NewLong(text(src)).Eval(th); got != want {
			t.Errorf("long of %q: %d, want %d", src, got, want)
		}
	}
	for src, want := range map[string]bool{"true": true, "TRUE": true, " true": false, "1": false, "${n}": false, "": false} {
		if got := expr.NewBool(text(src)).Eval(th); got != want {
			t.Errorf("bool of %q: %v, want %v", src, got, want)
		}
	}
	for src, want := range map[string]float64{"1.5": 1.5, " 2 ": 2, "x": 0, "${n}.5": 7.5} {
		if got := expr.NewFloat(text(src)).Eval(th); got != want {
			t.Errorf("double of %q: %v, want %v", src, got, want)
		}
	}
}

func TestEvalAllocs(t *testing.T) {
	c, th := newThread()
	th.Vars.Put("v", "a value that is set")
	for src, most := range map[string]float64{"constant": 0, "${v}": 0, "a ${v} b": 2} {
		x, err := c.Text(src)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { x.Eval(th) }); n > most {
			t.Errorf("%s: %v allocations, want at most %v", src, n, most)
		}
	}
}

// harmless replaces functions that touch more than the thread or may take for ever.
var harmless = strings.NewReplacer("__StringToFile", "__V", "__FileToString", "__V", "__StringFromFile", "__V",
	"__CSVRead", "__V", "__fifoP", "__V", "__setProperty", "__V", "__RandomString", "__V", "__groovy", "__V", "__jexl", "__V", "__javaScript", "__V")

// Any text compiles or is refused, and what compiles evaluates or throws.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		`\${col}${undef}`, `${__V(A${N})}`, `${__time (yyyy)}`, `${__changeCase(a\,b(c),UPPER) }`, `${__eval(${esc})}`,
		`${__substring(${x},1`, `y${col`, `${A${N}}`, `${__intSum(1,2,${__intSum(3,4)})}`, `$${`, `\\\\${__char(0x41)}`,
		`${__regexFunction((a*)*b,$1$,ALL,-,,v,esc)}`, `${__caseFormat(a b,TRAIN_CASE)}${__timeShift(yyyy,2024,P1D,)}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 4096 {
			return
		}
		src = harmless.Replace(src)
		c, th := newThread()
		th.Vars.Put("col", "age")
		th.Vars.Put("N", "1")
		th.Vars.Put("esc", `a\,b\${col}${N}`)
		x, err := c.Text(src)
		if err != nil {
			if _, ok := errors.AsType[*expr.SyntaxError](err); !ok {
				t.Fatalf("%q: %v is no syntax error", src, err)
			}
			return
		}
		if x.IsConst() && !strings.Contains(src, "${") && x.Source() != src {
			t.Fatalf("%q became %q", src, x.Source())
		}
		var got string
		if vu.Try(func() { got = x.Eval(th) }) == nil && x.IsConst() && got != x.Source() {
			t.Fatalf("%q: constant %q is %q", src, x.Source(), got)
		}
	})
}
