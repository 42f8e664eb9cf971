package function_test

import (
	"regexp"
	"testing"
	"unicode/utf16"
)

func TestRandom(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__Random(7,7)}${__Random( -2 , -2 , d )}${d}", "7-2-2"},
		row{"${__Random(9223372036854775806,9223372036854775806)}", "9223372036854775806"},
	)
	seen := map[string]int{}
	for range 400 {
		seen[b.eval("${__Random(-1,2)}")]++
	}
	for _, want := range []string{"-1", "0", "1", "2"} {
		if seen[want] < 60 || len(seen) != 4 {
			t.Errorf("%s came up %d times of 400: %v", want, seen[want], seen)
		}
	}
	b.eval("${__Random(-9223372036854775808,9223372036854775806)}")
	b.throws("java.lang.IllegalArgumentException: bound must be greater than origin",
		"${__Random(5,1)}", "${__Random(1,9223372036854775807)}")
	b.throws("java.lang.NumberFormatException", "${__Random(a,1)}", "${__Random(1,)}", "${__Random(1.5,2)}")
	b.refused("${__Random(1)}", "${__Random(1,2,3,4)}", "${__Random(3,3}", "${__Random}")
}

func TestRandomString(t *testing.T) {
	b := newBench(t).set("set", "yy")
	b.check(
		row{"${__RandomString(5, a )}", "aaaaa"},
		row{"[${__RandomString(0,a)}${__RandomString(0)}]", "[]"},
		row{"${__RandomString(2,z, q )}${q}", "zzzz"},
		row{"${__RandomString(3,${set})}", "yyy"},
		row{"${__RandomString(2,😀)}", "😀😀"},
		row{"${__RandomString(4,😀a)}", "aaaa"}, // halves of a pair are never picked
	)
	if s := b.eval("${__RandomString(200,ab)}"); !regexp.MustCompile(`^[ab]{200}$`).MatchString(s) {
		t.Errorf("got %q", s)
	}
	for _, src := range []string{"${__RandomString(50)}", "${__RandomString(50, ,x)}"} {
		if s := b.eval(src); len(utf16.Encode([]rune(s))) != 50 {
			t.Errorf("%s: %d units", src, len(utf16.Encode([]rune(s))))
		}
	}
	b.throws("java.lang.IllegalArgumentException: Requested random string length -1 is less than 0.", "${__RandomString(-1,a)}")
	b.throws("java.lang.NumberFormatException", "${__RandomString( 1,a)}", "${__RandomString(,a)}")
}

func TestRandomFromMultipleVars(t *testing.T) {
	b := newBench(t).set("one", "x", "many_matchNr", "2", "many_1", "m", "many_2", "m", "empty", "",
		"none_matchNr", "0", "none", "n", "bad_matchNr", "two", "hole_matchNr", "1")
	b.check(
		row{"${__RandomFromMultipleVars( one )}", "x"},
		row{"${__RandomFromMultipleVars(many|nope|empty, v )}${v}", "mm"},
		row{"${__RandomFromMultipleVars(none)}", "n"},
		row{"[${__RandomFromMultipleVars(nope|empty|,w)}][${w}]", "[][]"},
		row{"${__RandomFromMultipleVars(hole,h)}${h}", "null${h}"},
	)
	seen := map[string]bool{}
	for range 60 {
		seen[b.eval("${__RandomFromMultipleVars(one|many)}")] = true
	}
	if len(seen) != 2 {
		t.Errorf("got only %v", seen)
	}
	b.throws("java.lang.NumberFormatException", "${__RandomFromMultipleVars(bad)}")
	b.thread.Vars = nil
	b.check(row{"[${__RandomFromMultipleVars(one,w)}]", "[]"})
}

func TestChooseRandom(t *testing.T) {
	b := newBench(t).set("x", "b")
	seen := map[string]bool{}
	for range 60 {
		seen[b.eval("${__chooseRandom(a,${x}, c ,v)}")] = true
	}
	if len(seen) != 3 || !seen["a"] || !seen["b"] || !seen[" c "] {
		t.Errorf("got %v", seen)
	}
	b.check(row{"${__chooseRandom(a,a, v )}${v}", "aa"}, row{"${__chooseRandom(a,a,)}${}", "a${}"})
}

func TestUUID(t *testing.T) {
	b := newBench(t)
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	seen := map[string]bool{}
	for range 100 {
		s := b.eval("${__UUID}")
		if !form.MatchString(s) || seen[s] {
			t.Fatalf("got %q", s)
		}
		seen[s] = true
	}
	b.refused("${__UUID( )}", "${__UUID(x)}")
}
