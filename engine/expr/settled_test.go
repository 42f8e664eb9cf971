package expr_test

import "testing"

// A text is settled as long as it asks for nothing but properties.
func TestSettled(t *testing.T) {
	c, th := newThread()
	for src, want := range map[string]bool{
		``: true, `plain`: true, `${__P(port)}`: true, `a${__P(host,${__P(other,x)})}b`: true, `${__property(p)}`: true,
		`${__property(p,,d)}`: true, `${v}`: false, `${__P(a,${v})}`: false, `${__P(${v})}`: false, `x${__P(a)}${v}`: false,
		`${__property(p,v)}`: false, `${__property(p,${__P(v)})}`: false, `${__counter(TRUE)}`: false, `${__time()}`: false,
		`${__setProperty(a,b)}`: false, `${__P(a,${__setProperty(a,b)})}`: false,
	} {
		x, err := c.Text(src)
		if err != nil {
			t.Fatal(err)
		}
		if x.Settled() != want {
			t.Errorf("%s: settled %t", src, !want)
		}
	}
	x, _ := c.Text(`${__P(rate,1)}`)
	before := th.Run.Props.Edits()
	one := x.Eval(th)
	th.Run.Props.Set("rate", "2")
	if two := x.Eval(th); one != "1" || two != "2" || th.Run.Props.Edits() == before {
		t.Errorf("%q, then %q", one, two)
	}
	c.CachePerIteration = true
	if x, _ := c.Text(`${__P(rate,1)}`); x.Settled() {
		t.Error("settled, though kept for an iteration")
	}
}
