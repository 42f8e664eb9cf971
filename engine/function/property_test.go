package function_test

import "testing"

func TestP(t *testing.T) {
	b := newBench(t)
	b.run.Props.Set("p", " two words ")
	b.run.Props.Set("empty", "")
	b.run.Props.SetSystem("user.dir", "/home")
	b.check(
		row{"${__P(p)}", "two words"},
		row{"${__P(absent)}", "1"},
		row{"${__P(absent, 2 )}", "2"},
		row{"${__P(absent,)}", ""},
		row{"${__P(empty,x)}", ""},
		row{"${__P( p )}", "1"},
		row{"${__P(P,no)}", "no"},
		row{"${__P(user.dir)}", "/home"},
		row{"a${__P(nope,${col})}b${__P(x,${__P(y,${N})})}", "a${col}b${N}"},
	)
	b.refused("${__P}", "${__P()}", "${__P(a,b,c)}")
}

// A property may change while the run goes on.
func TestPropertyChanges(t *testing.T) {
	b := newBench(t)
	x := b.text("${__P(rate,1)}")
	if got := x.Eval(b.thread); got != "1" {
		t.Errorf("got %q before", got)
	}
	b.run.Props.Set("rate", "20")
	if got := x.Eval(b.thread); got != "20" {
		t.Errorf("got %q after", got)
	}
}

func TestProperty(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__property(nope)}", "nope"},
		row{"${__property( nope )}", "nope"},
		row{"${__property(nope,,)}", ""},
		row{"${__property(nope, pv ,d)}[${pv}][${ pv }]", "d[${pv}][d]"},
		row{"${__property(nope,,d)}${}", "d${}"},
	)
}

func TestSetProperty(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__setProperty( a , b ,TRUE)}${__P( a )}|${__property( a )}", "nullb|b"},
		row{"[${__setProperty(a,b, true)}]", "[]"},
		row{"[${__setProperty(a,c,true)}]", "[b]"},
		row{"[${__setProperty(a,)}]${__P(a,x)}", "[]"},
	)
}

func TestIsDefined(t *testing.T) {
	b := newBench(t).set("x", "", "y", "1")
	b.run.Props.SetSystem("user.dir", "/home")
	b.check(
		row{"${__isVarDefined(x)}${__isVarDefined( x)}${__isVarDefined(z)}", "truefalsefalse"},
		row{"${__isPropDefined(user.dir)}${__isPropDefined( user.dir)}", "truefalse"},
		row{"${__isDefined( x )}${__isDefined(z)}", "10"},
	)
	b.thread.Vars = nil // while the Test Plan's variables are read
	b.check(row{"${__isVarDefined(x)}${__isDefined(x)}", "false0"})
}
