package function_test

import "testing"

func TestRegexFunction(t *testing.T) {
	b := newBench(t).set("in", "b=1 b=2 b=3")
	b.check(
		row{`${__regexFunction(b=(\\d),$1$,1,,none,v,in)} ${v} ${v_matchNr} ${v_g} ${v_g0} ${v_g1}`, "1 1 3 ${v_g} b=1 1"},
		row{`${__regexFunction(b=(\\d),$1$,4,,none,v,in)} ${v} ${v_matchNr} ${v_g0} ${v_g1}`, "none none 3 b=1 1"},
		row{`${__regexFunction(b=(\\d),$1$,0.5,,none,v,in)} ${v}`, "2 2"},
		row{`${__regexFunction(b=(\\d),$1$,,,none,v,in)}`, "1"},
		row{`${__regexFunction(b=(\\d),[$1$],ALL,-,none,v,in)} ${v} ${v_g1}`, "[1]-[2]-[3] [3] 3"},
		row{`${__regexFunction(b=(\\d),$1$$2$x$0$y$,1,-,none,v,in)} ${v_g2}`, "1nullxb=1y$ ${v_g2}"},
		row{`${__regexFunction(c=(\\d),$1$,1,-,none,v,in)} ${v} ${v_matchNr} ${v_g1}`, "none none 0 1"},
		row{`${__regexFunction(c=(\\d),$1$,1,-,none,,in)} ${_matchNr}${}`, "none ${_matchNr}${}"},
		row{`${__regexFunction(b=(\\d),$1$,1,-,none,,in)} ${_matchNr} ${_g0}${}`, "1 ${_matchNr} b=1${}"},
		row{`${__regexFunction(b=(\\d),$1$,1,-,none,w ,in)} ${w}${w_g0} ${w }${w _g0}`, "1 ${w}${w_g0} 1b=1"},
		row{`${__regexFunction(b=(\\d),$1$,1,-,none,v2,nothere)} ${v2} ${v2_matchNr}`, "none none ${v2_matchNr}"},
		row{`${__regexFunction(b=(\\d)|(q),$1$-$2$,1,-,none,v2,in)} ${v2} ${v2_g2}`, "1-null 1-null ${v2_g2}"},
		row{`${__regexFunction(b=(\\d),,1,-,none,v2,in)}`, ""},
		row{`${__regexFunction(b=(\\d), a $1$ b ,1,-,none,v2,in)}`, " a 1 b "},
		row{"${__regexFunction(,x,1,-,none,v2,in)}", "x"},
		row{`${__regexFunction(b=(\\d),$1$,1,-,none,v3, in )} ${v3}`, "none none"},
		row{`${__regexFunction(b=\(\\d,$1$,1,-,none,v4,in)}${v4}`, "none" + "none"},
		row{`[${__regexFunction(b=[\\d,$1$,1,-,none,v5,in)}]${v5}${v5_matchNr}`, "[]none0"},
	)
	b.logged("Malformed pattern")
	b.throws("java.lang.IndexOutOfBoundsException: Index -1 out of bounds for length 3",
		`${__regexFunction(b=(\\d),$1$,0,,none,v,in)}`, `${__regexFunction(b=(\\d),$1$,0.1,,none,v,in)}`)
	b.throws("java.lang.IndexOutOfBoundsException: Index -2 out of bounds for length 3",
		`${__regexFunction(b=(\\d),$1$,-1,,none,v,in)}`, `${__regexFunction(b=(\\d),$1$,-0.5,-,none,v3,in)}`)
	b.throws("java.lang.IndexOutOfBoundsException: Index 5 out of bounds for length 3",
		`${__regexFunction(b=(\\d),$1$, 2 ,,none,v,in)}`, `${__regexFunction(b=(\\d),$1$,2.0,,none,v,in)}`)
	b.throws(`java.lang.NumberFormatException: For input string: "x"`, `${__regexFunction(b=(\\d),$1$,x,,none,v,in)}`)
	b.throws("java.lang.NumberFormatException", `${__regexFunction(b=(\\d),$1$,all,-,none,v,in)}`)

	seen := map[string]bool{}
	for range 60 {
		seen[b.eval(`${__regexFunction(b=(\\d),$1$,RAND,-,none,v,in)}`)] = true
	}
	if len(seen) != 3 {
		t.Errorf("RAND: got only %v", seen)
	}
}

func TestRegexFunctionReadsTheResponse(t *testing.T) {
	b := newBench(t)
	src := `${__regexFunction(id=(\\w+),$1$,1,,none)}`
	b.check(row{src, "none"})
	b.prev("id=caf\xe9")
	b.thread.Prev.Encoding = "ISO-8859-1"
	b.check(row{src, "café"})
	b.thread.Prev.Encoding = ""
	b.run.Props.Set("sampleresult.default.encoding", "ISO-8859-1")
	b.check(row{src, "café"})
	if !b.c.ReadsPrev {
		t.Error("the plan is not told that the previous response is read")
	}
}

// jmeter.regex.engine chooses Java's dialect; only Java has look-behind.
func TestRegexFunctionDialect(t *testing.T) {
	src := `[${__regexFunction((?<=b=)\\d,$0$,1,,none,v,in)}]`
	newBench(t).set("in", "b=1").check(row{src, "[]"})
	b := newBench(t).set("in", "b=1")
	b.run.Props.Set("jmeter.regex.engine", "java")
	b.check(row{src, "[1]"})
}
