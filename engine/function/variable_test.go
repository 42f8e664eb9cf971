package function_test

import (
	"testing"

	"github.com/gojm/gojm/engine/vu"
)

func TestV(t *testing.T) {
	b := newBench(t).set("A1", "valA1", "N", "1", "obj", "o")
	b.check(
		row{"${__V(A${N})}", "valA1"},
		row{"${__V( A${N})}", " A1"},
		row{"${__V( A1,x)}", "x"},
		row{"${__V(A1)}", "valA1"},
		row{"${__V(A2)}", "A2"},
		row{"[${__V(A2,)}]", "[]"},
	)
}

func TestEval(t *testing.T) {
	b := newBench(t).set("col", "age", "SQL", "select ${col} from t", "esc", `a\,b\${col}`,
		"call", "${__intSum(1,2)}", "count", "${__counter(FALSE)}${__counter(TRUE)}",
		"broken", "${__Random(3,3", "arity", "${__UUID(x)}")
	b.check(
		row{"${__eval(${SQL})}", "select age from t"},
		row{"${__evalVar(SQL)}", "select age from t"},
		row{"${esc}", `a\,b\${col}`},
		row{"${__eval(${esc})}", "a,b${col}"},
		row{"${__eval(${esc}${SQL})}", "a,b${col}select age from t"},
		row{"${__eval(${call})}", "3"},
		row{"${__eval(${nope})}", "${nope}"},
		row{"[${__evalVar(nope)}${__evalVar( SQL )}]", "[]"},
		row{"[${__eval(${broken})}${__eval(${arity})}]", "[]"},
	)
	// Functions in the text are new at each evaluation.
	x := b.text("${__eval(${count})}")
	b.c.Names.Freeze()
	for range 3 {
		if got := x.Eval(b.thread); got != "11" {
			t.Errorf("count: got %q, want 11", got)
		}
	}
	if !b.c.ReadsPrev {
		t.Error("a text that may ask for the previous result does not say so")
	}
}

// JMeter loses the thread by a stack overflow.
func TestEvalOfItself(t *testing.T) {
	b := newBench(t).set("v", "x${__evalVar(v)}", "w", "${__eval(${w})}", "ok", "${v2}", "v2", "z")
	for _, src := range []string{"${__evalVar(v)}", "${__eval(${w})}"} {
		if _, err := b.try(src); err != vu.ErrStopThread {
			t.Errorf("%s: thrown: %v, want %v", src, err, vu.ErrStopThread)
		}
		b.logged("StackOverflowError")
	}
	b.check(row{"${__evalVar(ok)}", "z"})
}

// Evaluations during the run must not leave anything behind in the threads.
func TestEvalReservesNothing(t *testing.T) {
	b := newBench(t).set("v", "${__counter(TRUE)}")
	x := b.text("${__evalVar(v)}")
	b.c.Names.Freeze()
	x.Eval(b.thread)
	before := vu.NewSlot[int](b.c.Slots)
	for range 10 {
		x.Eval(b.thread)
	}
	after := vu.NewSlot[int](b.c.Slots)
	probe := b.newThread(1, "Users 1-2", "Users")
	*before.Of(probe), *after.Of(probe) = 1, 2
	if *before.Of(probe) != 1 || before == after {
		t.Fatal("slots overlap")
	}
	if got := testing.AllocsPerRun(1, func() { after.Of(probe) }); got != 0 {
		t.Errorf("slot grew: %v allocations", got)
	}
}

func TestSplit(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__split(a--b,x,-)}", "a--b"},
		row{"${x} ${x_n} ${x_1} ${x_2} ${x_3} ${x_4}", "a--b 3 a ? b ${x_4}"},
		row{"${__split(,x,-)}", ""},
		row{"${x} ${x_n} ${x_1} ${x_2}", " 0 ${x_1} ?"},
		row{"${__split(-,x,-)}", "-"},
		row{"${x} ${x_n} ${x_1} ${x_2}", "- 1 ? ${x_2}"},
		row{"${__split(a b, y ,)}", "a b"},
		row{"${y} ${y_n} ${y_1}", "a b 1 a b"},
		row{"${__split(a;b,, ;)}", "a;b"},
		row{"${_n} ${_1} ${_2} ${}", "2 a b a;b"},
		row{"${__split(a-b-,zz,-)}", "a-b-"},
		row{"${zz_n} ${zz_1} ${zz_2} ${zz_3}", "3 a b ?"},
		row{"${__split(é€x€y,u,€)}", "é€x€y"},
		row{"${u_n} ${u_1} ${u_2}", "3 é x"},
		row{"${__split(aXXb,w,XX)}${w_n}", "aXXb3"},
		row{"${__split(a\\,b,w)}${w_n}", "a,b2"},
	)
	b.refused("${__split(a)}", "${__split(a,b,c,d)}")
	b.thread.Vars = nil
	b.check(row{"${__split(a-b,x,-)}", "a-b"})
}

func TestCounter(t *testing.T) {
	b := newBench(t).set("mode", "TRUE")
	all, own := b.text("${__counter(FALSE)}"), b.text("${__counter(TRUE,n)}")
	chosen := b.text("${__counter(${mode})}")
	other := b.newThread(1, "Users 1-2", "Users")
	other.Vars.Put("mode", "no")
	got := ""
	for _, th := range []*vu.Thread{b.thread, other, other, b.thread} {
		got += all.Eval(th) + own.Eval(th) + chosen.Eval(th) + " "
	}
	if want := "111 211 322 422 "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n, _ := b.thread.Vars.Get("n"); n != "2" {
		t.Errorf("n is %q, want 2", n)
	}
	b.check(row{"${__counter( true )}${__counter(,)}${__counter(no,x)}${x}", "1111"})
	b.refused("${__counter}", "${__counter()}", "${__counter(a,b,c)}")
}

func TestSums(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__intSum(1,2,+3)}", "6"},
		row{"${__intSum(2147483647,1)}", "-2147483648"},
		row{"${__longSum(9223372036854775807,1)}", "-9223372036854775808"},
		row{"${__intSum(1, 2 )}", "3"},
		row{"${__intSum(1,2, s )}${s}", "33"},
		row{"${__intSum(1,4,)}${}", "55"},
		row{"${__longSum(1,2,)}${}", "35"},
		row{"${__longSum(1,2147483648,l)}${l}", "21474836492147483649"},
		row{"${__intSum(1,2147483648)}${2147483648}", "11"}, // no int: the name of a variable
		row{"${__doubleSum(1.5,6.7,d)}${d}", "8.28.2"},
		row{"${__doubleSum(1,2)}", "3.0"},
		row{"${__doubleSum(1e10,0)}", "1.0E10"},
	)
	b.throws("java.lang.NumberFormatException", "${__intSum( 1,2)}", "${__intSum(x,1)}", "${__intSum(2147483648,1)}",
		"${__longSum(1.5,1)}", "${__doubleSum(x,1)}")
	b.refused("${__intSum(1)}", "${__longSum}")
	b.check(row{"${__doubleSum(1)}", "${__doubleSum(1)}"}) // JMeter does not know it
}
