package xpath

import (
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/query/xml"
)

// JMeter's processor leaves a CDATA section out of //text(), a defect (x/text() has
// it); here it is text everywhere, as XPath 1.0 says.
func TestCDATAIsText(t *testing.T) {
	doc, err := xml.Parse([]byte(`<a>x<b><![CDATA[y<]]></b></a>`), false)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Compile("//text()")
	if err != nil {
		t.Fatal(err)
	}
	v, err := e.Eval(doc, RootResolver(doc))
	if err != nil {
		t.Fatal(err)
	}
	if m := v.Matches(false); len(m) != 2 || m[1].Text != "y<" {
		t.Errorf("%v", m)
	}
}

func TestDeepExpressionsAreRefused(t *testing.T) {
	for _, e := range []string{
		strings.Repeat("(", 50_000) + "a", strings.Repeat("a[", 50_000), strings.Repeat("not(", 50_000),
	} {
		if _, err := Compile(e); err == nil {
			t.Errorf("%.10s...: no error", e)
		}
	}
	if _, err := xml.Parse([]byte(strings.Repeat("<a>", 50_000)), false); err == nil {
		t.Error("deep document: no error")
	}
}

func FuzzEval(f *testing.F) {
	for _, s := range []string{"//a[@b='1' and position()<last()]/following::c | id('x')", "sum(//a) div count(..//@*) - -1", "substring(normalize-space(.),2,3)", "a:b/ancestor-or-self::node()[1]"} {
		f.Add(s, `<a xmlns:a="u" b="1"><c>&lt;<![CDATA[x]]></c><!--c--><a:b/></a>`)
	}
	f.Fuzz(func(t *testing.T, expression, doc string) {
		if len(expression) > 80 || len(doc) > 200 || strings.Count(expression, "//") > 4 {
			return
		}
		e, err := Compile(expression)
		if err != nil {
			return
		}
		root, err := xml.Parse([]byte(doc), len(doc)%2 == 0)
		if err != nil {
			return
		}
		v, err := e.Eval(root, RootResolver(root))
		if err != nil {
			return
		}
		for i, n := range v.Nodes {
			if i > 0 && n.Order < v.Nodes[i-1].Order {
				t.Fatal("not in document order")
			}
		}
		if v.Kind == NodeSet && len(v.Matches(true)) != len(v.Nodes) {
			t.Fatal("matches are not nodes")
		}
	})
}
