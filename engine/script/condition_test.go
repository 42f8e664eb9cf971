package script

import (
	"fmt"
	"testing"
)

// The conditions of If and While controllers that real plans write, after JMeter pasted the variables in.
func TestConditions(t *testing.T) {
	for _, c := range []struct{ lang, src, want string }{
		{"javascript", `"red" == "red"`, "true"},
		{"javascript", `'red' != 'blue' || false`, "true"},
		{"javascript", "5 < 9 && 5 != 3", "true"},
		{"javascript", `"5" === 5`, "false"},
		{"javascript", `"red".indexOf("e") == 1`, "true"},
		{"javascript", "Math.max(5, 7) == 7", "true"},
		{"javascript", `/^r.d$/.test("red")`, "true"},
		{"javascript", `"${nothing}" == "\${nothing}"`, "true"},
		{"javascript", "${nothing} == 1", "!"},
		{"javascript", `"red"`, "red"},
		{"javascript", "1", "1"},
		{"javascript", "5 = = 5", "!"},
		{"javascript", "true", "true"},
		{"javascript", "(10 + 0x10) * 1.5e1 >= .5", "true"},
		{"javascript", `"a" + 1 + 'b\'c'`, "a1b'c"},
		{"javascript", "5 > 3 ? 'a' : \"b\"", "a"},
		{"javascript", "null == false", "false"},
		{"javascript", "", "undefined"},
		{"jexl3", "5 > 3", "true"},
		{"jexl3", `"red" == "red" && 5 < 3`, "false"},
		{"jexl3", "5 % 2 == 1", "true"},
		{"jexl3", "!true", "false"},
		{"jexl3", "", "null"},
		{"jexl3", `"" == ""`, "true"},
		{"jexl3", `"a" != "b" and not empty("x")`, "true"},
		{"jexl3", `"${a}" != "${a}"`, "false"},
		{"groovy", "'red'.startsWith('r')", "true"},
		{"groovy", "'5'.toInteger() == 5 && null == null", "true"},
		{"groovy", `"5" as int == 5`, "true"},
		{"groovy", "(null ?: '600').toDouble() * 60", "36000.0"},
		{"groovy", "", "null"},
		{"groovy", "// nothing", "null"},
	} {
		got := "!"
		if p, err := Compile(c.lang, c.src, "X"); err == nil {
			if v, err := p.Run(&Env{}); err == nil {
				got, _ = ToString(v)
			}
		}
		if got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.lang, c.src, got, c.want)
		}
	}
}

func BenchmarkCondition(b *testing.B) {
	for lang, src := range map[string]string{"jexl3": `"a" == "b" && 5 > 3`, "groovy": `"a" == "b" && 5 > 3`, "javascript": `"a" == "b" && 5 > 3`, "beanshell": `return 5 > 3 && true;`} {
		b.Run(lang, func(b *testing.B) {
			p, err := Compile(lang, src, "X")
			if err != nil {
				b.Fatal(err)
			}
			env := &Env{Bindings: map[string]Value{}}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Run(env); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(lang+"-compile", func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := Compile(lang, fmt.Sprintf("%s // %d", src, i), "X"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
