package jmespath

import (
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/query/json"
)

func TestDeepExpressionsAreRefused(t *testing.T) {
	for _, e := range []string{
		strings.Repeat("(", 10_000) + "a" + strings.Repeat(")", 10_000),
		strings.Repeat("!", 10_000) + "a",
		strings.Repeat("[", 10_000),
		strings.Repeat("{a: ", 10_000),
		strings.Repeat("abs(", 10_000),
	} {
		if _, err := Compile(e); err == nil {
			t.Errorf("%.10s...: no error", e)
		}
	}
}

func TestSearchLeavesTheDocument(t *testing.T) {
	const text = `{"a":[3,1,2],"b":[{"k":2},{"k":1}]}`
	doc, err := json.ParseStrict([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"sort(a)", "reverse(a)", "sort_by(b, &k)", "merge(@, {a: `1`})"} {
		e, err := Compile(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Search(doc); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
	if got := doc.JacksonText(); got != text {
		t.Errorf("the document became %s", got)
	}
}

func FuzzSearch(f *testing.F) {
	for _, s := range []string{"a[?b > `1`].{c: d[0], e: f[::-1]} | [0]", "sort_by(a, &b)[*].c.*", "!(a || 'x\\'') && \"q\" == `[1]`", "join(',', map(&to_string(@), a[]))"} {
		f.Add(s, `{"a":[{"b":2,"c":{"x":1},"d":[1]}],"f":"é"}`)
	}
	f.Fuzz(func(t *testing.T, expression, doc string) {
		if len(expression) > 100 || len(doc) > 200 {
			return
		}
		e, err := Compile(expression)
		if err != nil {
			return
		}
		v, err := json.ParseStrict([]byte(doc))
		if err != nil {
			return
		}
		out, err := e.Search(v)
		if (out == nil) == (err == nil) {
			t.Fatalf("%v and %v", out, err)
		}
		if err == nil {
			if _, err := json.ParseStrict(out.AppendJackson(nil)); err != nil {
				t.Fatalf("prints %s: %v", out.AppendJackson(nil), err)
			}
		}
	})
}
