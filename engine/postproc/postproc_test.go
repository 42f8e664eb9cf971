package postproc

import (
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/elem"
	. "github.com/gojm/gojm/engine/elem/elemtest"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
	"github.com/gojm/gojm/jtl"
)

// text is a result with a body.
func text(body string) *jtl.Sample {
	s := &jtl.Sample{DataType: "text", Encoding: "UTF-8", Success: true, SampleCount: 1}
	s.SetBody(body)
	return s
}

// nested is a result with parts and parts of those.
func nested() *jtl.Sample {
	s, a, b, c := text("main"), text("part 1"), text("part 2"), text("inner")
	a.Subs = []*jtl.Sample{c}
	s.Subs = []*jtl.Sample{a, b}
	return s
}

// ran runs e on s; what it throws is the answer, else the variables v*.
func ran(b *Bench, e elem.PostProcessor, s *jtl.Sample) string {
	b.Thread.Prev = s
	if err := vu.Try(func() { e.After(b.Thread, s) }); err != nil {
		return "thrown: " + err.Error()
	}
	return b.Vars("v")
}

func regexProps(re, template, number, def string) []*jmx.Prop {
	return []*jmx.Prop{Text("RegexExtractor.refname", "v"), Text("RegexExtractor.regex", re), Text("RegexExtractor.template", template),
		Text("RegexExtractor.match_number", number), Text("RegexExtractor.default", def)}
}

func TestRegexExtractor(t *testing.T) {
	for _, c := range []struct{ re, template, number, def, body, want string }{
		{`(\w)=(\d)`, "$1$-$2$", "1", "none", "a=1 b=2", "v=a-1 v_g=2 v_g0=a=1 v_g1=a v_g2=1"},
		{`(\w)=(\d)`, "<$0$>", "2", "none", "a=1 b=2", "v=<b=2> v_g=2 v_g0=b=2 v_g1=b v_g2=2"},
		{`(\w)=(\d)`, "$1$", "3", "none", "a=1 b=2", "v=none"},
		{`(\w)=(\d)`, "$1$", "3", "", "a=1 b=2", ""}, // no default: nothing is set
		{`(\w)=(\d)`, "$1$", "0", "none", "a=1", "v=a v_g=2 v_g0=a=1 v_g1=a v_g2=1"},
		{`(\w)=(\d)`, "$1$", "0", "none", "", "v=none"},
		{`(\w)=(\d)`, "$2$", "-1", "none", "a=1 b=2", "v=none v_1=1 v_1_g=2 v_1_g0=a=1 v_1_g1=a v_1_g2=1 v_2=2 v_2_g=2 v_2_g0=b=2 v_2_g1=b v_2_g2=2 v_matchNr=2"},
		{`(\w)=(\d)`, "$2$", "-1", "none", "x", "v=none v_matchNr=0"},
		{"b", "", "1", "none", "abc", "v= v_g=0 v_g0=b"},
		{"b", "$ $1 1$", "1", "none", "abc", "v=$ $1 1$ v_g=0 v_g0=b"},
		{"b", "$1$", "1", "none", "abc", "v=null v_g=0 v_g0=b"}, // ORO has no such group
		{"a(x)?b", "[$1$]", "1", "none", "ab", "v=[null] v_g=1 v_g0=ab"},
		{"(", "$1$", "1", "none", "ab", "v=none"},
		{"a", "$0$", "one", "none", "a", "v=a v_g=0 v_g0=a"}, // 0, any
	} {
		b := New(t)
		e := Decode(b, new(regexExtractor), regexProps(c.re, c.template, c.number, c.def)...)
		if got := ran(b, e, text(c.body)); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
}

// What an earlier sample left is removed.
func TestRegexExtractorLeftOvers(t *testing.T) {
	b := New(t)
	all := Decode(b, new(regexExtractor), regexProps(`(\w)(\d)?`, "$1$", "-1", "")...)
	ran(b, all, text("a1 b2 c"))
	if got, want := ran(b, all, text("x")), "v_1=x v_1_g=2 v_1_g0=x v_1_g1=x v_matchNr=1"; got != want {
		t.Errorf("fewer matches: %s\nwant %s", got, want)
	}
	one := Decode(b, new(regexExtractor), regexProps("(z)(z)", "$1$", "1", "")...)
	if got := ran(b, one, text("zz")); got != "v=z v_g=2 v_g0=zz v_g1=z v_g2=z" {
		t.Errorf("then one match: %s", got)
	}
	fewer := Decode(b, new(regexExtractor), regexProps("y", "$0$", "1", "")...)
	if got := ran(b, fewer, text("y")); got != "v=y v_g=0 v_g0=y" {
		t.Errorf("then fewer groups: %s", got)
	}
	if got := ran(b, fewer, text("no")); got != "v=y" { // the variable itself keeps its value
		t.Errorf("then none: %s", got)
	}
	empty := Decode(b, new(regexExtractor), append(regexProps("q", "$0$", "1", ""), Bool("RegexExtractor.default_empty_value", true))...)
	if got := ran(b, empty, text("no")); got != "v=" {
		t.Errorf("then an empty default: %s", got)
	}
}

func TestRegexExtractorInJavasDialect(t *testing.T) {
	b := New(t, "jmeter.regex.engine", "java").Set("v", "old")
	if got := ran(b, Decode(b, new(regexExtractor), regexProps("b", "$1$", "1", "")...), text("abc")); got != "v=old" {
		t.Errorf("a template with a group too many: %s", got)
	}
	if got := ran(b, Decode(b, new(regexExtractor), regexProps("(?<=a)b", "$0$", "1", "")...), text("abc")); got != "v=b v_g=0 v_g0=b" {
		t.Error(got)
	}
}

// The template is read once, the expression for each sample.
func TestRegexExtractorReadsItsTextsAsJMeterDoes(t *testing.T) {
	b := New(t).Set("re", "a", "template", "1$0$")
	e := Decode(b, new(regexExtractor), regexProps("${re}", "${template}", "1", "")...)
	if got := ran(b, e, text("ab")); got != "v=1a v_g=0 v_g0=a" {
		t.Error(got)
	}
	b.Set("re", "b", "template", "2$0$")
	if got := ran(b, e, text("ab")); got != "v=1b v_g=0 v_g0=b" {
		t.Error(got)
	}
}

func TestParts(t *testing.T) {
	s := text("body &lt;")
	s.URL, s.Code, s.Message, s.RequestHeaders, s.ResponseHeaders = "http://u", "200", "OK", "Req: 1", "Res: 1"
	for which, want := range map[string]string{
		"false": "body &lt;", "": "body &lt;", "true": "Res: 1", "request_headers": "Req: 1", "URL": "http://u", "code": "200", "message": "OK", "unescaped": "body <",
	} {
		b := New(t)
		e := Decode(b, new(regexExtractor), append(regexProps("(?s).*", "$0$", "1", ""), Text("RegexExtractor.useHeaders", which))...)
		if ran(b, e, s); b.Thread.Vars.GetOr("v", "") != want {
			t.Errorf("%s: %s", which, b.Vars("v"))
		}
	}
	for which, want := range map[string]elem.Needs{"false": elem.NeedBody, "true": elem.NeedResponseHeaders, "request_headers": elem.NeedRequestHeaders, "URL": 0, "code": 0, "message": 0, "${x}": elem.NeedAll} {
		if e := Decode(New(t), new(regexExtractor), Text("RegexExtractor.useHeaders", which)); e.Needs() != want {
			t.Errorf("%s needs %v", which, e.Needs())
		}
	}
	b := New(t)
	Decode(b, new(regexExtractor), Text("RegexExtractor.useHeaders", "as_document"))
	if len(b.Problems) != 1 || b.Problems[0].Level != elem.Unsupported {
		t.Errorf("%v", b.Problems)
	}
}

func TestScopes(t *testing.T) {
	for apply, want := range map[string]string{
		"": "main", "parent": "main", "all": "main part 1 part 2 inner", "children": "part 1 part 2 inner", "variable": "var", "other": "",
	} {
		b := New(t).Set("x", "var")
		e := Decode(b, new(regexExtractor), append(regexProps(".+", "$0$", "-1", ""), Text("Sample.scope", apply), Text("Scope.variable", "x"))...)
		ran(b, e, nested())
		var got []string
		for i := 1; i <= 4; i++ {
			if v, ok := b.Thread.Vars.Get(numbered("v", i)); ok {
				got = append(got, v)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %s", apply, got, want)
		}
	}
	b := New(t)
	e := Decode(b, new(regexExtractor), append(regexProps(".+", "$0$", "2", "none"), Text("Sample.scope", "all"))...)
	if ran(b, e, nested()); b.Thread.Vars.GetOr("v", "") != "part 1" {
		t.Errorf("the second match: %s", b.Vars("v"))
	}
	e = Decode(b, new(regexExtractor), append(regexProps(".+", "$0$", "1", "none"), Text("Sample.scope", "variable"), Text("Scope.variable", "gone"))...)
	if got := ran(b, e, nested()); got != "v=none" || !strings.Contains(b.Log.String(), "No variable 'gone'") {
		t.Errorf("%s\n%s", got, b.Log)
	}
}

func TestBoundaryExtractor(t *testing.T) {
	for _, c := range []struct{ left, right, number, def, body, want string }{
		{"<", ">", "1", "none", "<a> <b>", "v=a"},
		{"<", ">", "2", "none", "<a> <b>", "v=b"},
		{"<", ">", "3", "none", "<a> <b>", "v=none"},
		{"<", ">", "0", "none", "<a>", "v=a"},
		{"<", ">", "-1", "none", "<a> <b>", "v=none v_1=a v_2=b v_matchNr=2"},
		{"<", ">", "-1", "", "x", "v_matchNr=0"},
		{" ", "3", "-1", "", "a1 b22 c333", "v_1=b22 c v_2=c v_matchNr=2"},
		{"", "b", "1", "", "abc", "v=a"},
		{"b", "", "1", "", "abc", "v=c"},
		{"", "", "1", "", "abc", "v=abc"},
		{"a", "c", "1", "  ", "x", ""}, // blanks are no default
		{"", "", "1", "none", " \n", "v=none"},
	} {
		b := New(t)
		e := Decode(b, new(boundaryExtractor), Text("BoundaryExtractor.refname", "v"), Text("BoundaryExtractor.lboundary", c.left), Text("BoundaryExtractor.rboundary", c.right),
			Text("BoundaryExtractor.match_number", c.number), Text("BoundaryExtractor.default", c.def))
		if got := ran(b, e, text(c.body)); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
	b := New(t)
	e := Decode(b, new(boundaryExtractor), Text("BoundaryExtractor.lboundary", "a"))
	if got := ran(b, e, text("abc")); got != "thrown: One of the mandatory properties is missing in Boundary Extractor:it" {
		t.Error(got)
	}
	b.Set("v_matchNr", "3", "v_1", "x", "v_3", "x", "v_4", "kept", "in", "<a>")
	e = Decode(b, new(boundaryExtractor), Text("BoundaryExtractor.refname", "v"), Text("BoundaryExtractor.lboundary", "<"), Text("BoundaryExtractor.rboundary", ">"),
		Text("BoundaryExtractor.match_number", "1"), Text("Sample.scope", "variable"), Text("Scope.variable", "in"))
	if got := ran(b, e, text("")); got != "v=a v_4=kept" {
		t.Error(got)
	}
}

func TestJSONExtractor(t *testing.T) {
	const doc = `{"n":1,"d":1.0,"w":1.50,"big":2147483647.5000,"z":null,"o":{"n":1.0,"k":"v/w"},"list":["x","y",null],"none":[]}`
	for _, c := range []struct{ path, number, body, want string }{
		{"$.n", "1", doc, "v=1 v_matchNr=1"},
		{"$.n", "0", doc, "v=1"},
		{"$.n", "", doc, "v=1"},
		{"$.n", "5", doc, "v=1 v_matchNr=1"},
		{"$.n", "-1", doc, "v_1=1 v_ALL=1 v_matchNr=1"},
		{"$.d", "0", doc, "v=1.0"},
		{"$.w", "0", doc, "v=1.50"}, // as the document writes it
		{"$.big", "0", doc, "v=2147483647.5000"},
		{"$.o", "0", doc, `v={"n":1.0,"k":"v\/w"}`},
		{"$.list", "0", doc, `v=["x","y",null]`},
		{"$.list[*]", "2", doc, "v=y v_matchNr=3"},
		{"$.list[*]", "3", doc, "v=none v_matchNr=3"},
		{"$.list[*]", "4", doc, "v=none v_matchNr=3"},
		{"$.list[*]", "-1", doc, "v_1=x v_2=y v_3=none v_ALL=x,y,none v_matchNr=3"},
		{"$.z", "1", doc, "v=none v_matchNr=1"},
		{"$.none[*]", "1", doc, "v=none v_matchNr=0"},
		{"$.q", "0", doc, "v=none v_matchNr=0"},
		{"$.q", "-1", doc, "v=none v_ALL= v_matchNr=0"},
		{"$.n", "1", "", "v=none"},
		{"$.n", "1", " \n", "v=none"},
		{"$.[", "1", doc, "v=none"},
		{"$.n.length()", "1", doc, "v=none"},
		{"$.n", "first", doc, `thrown: java.lang.NumberFormatException: For input string: "first"`},
		{"$.n", "1;2", doc, "thrown: java.lang.ArrayIndexOutOfBoundsException: Index 1 out of bounds for length 1"},
		{"$.n;$.d", "1", doc, "thrown: Mismatch between number of variables, json expressions and default values"},
	} {
		b := New(t)
		e := Decode(b, new(jsonExtractor), Text("JSONPostProcessor.referenceNames", "v"), Text("JSONPostProcessor.jsonPathExprs", c.path),
			Text("JSONPostProcessor.match_numbers", c.number), Text("JSONPostProcessor.defaultValues", "none"), Bool("JSONPostProcessor.compute_concat", true))
		if got := ran(b, e, text(c.body)); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
}

func TestJSONExtractorLists(t *testing.T) {
	b := New(t).Set("v1_matchNr", "7", "v1_1", "x", "v1_2", "x", "v1_4", "kept")
	e := Decode(b, new(jsonExtractor), Text("JSONPostProcessor.referenceNames", "v1; v2 "), Text("JSONPostProcessor.jsonPathExprs", "$.a; $.b "),
		Text("JSONPostProcessor.match_numbers", "1"), Text("JSONPostProcessor.defaultValues", "x;y"))
	if got := ran(b, e, text(`{"a":1}`)); got != "v1=1 v1_4=kept v1_matchNr=1 v2=y v2_matchNr=0" {
		t.Error(got)
	}
	for in, want := range map[string]int{"": 1, "a": 1, "a;b": 2, "a;b;;": 2, ";b": 2, ";": 0, ";;": 0} {
		if got := split(in); len(got) != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	b = New(t).Set("paths", "$.a")
	e = Decode(b, new(jsonExtractor), Text("JSONPostProcessor.referenceNames", "v"), Text("JSONPostProcessor.jsonPathExprs", "${paths}"))
	if got := ran(b, e, text(`{"a":1,"b":2}`)); got != "v=1" {
		t.Error(got)
	}
	if got := ran(b.Set("paths", "$.b"), e, text(`{"a":1,"b":2}`)); got != "v=2" {
		t.Error(got)
	}
	if got := ran(b.Set("paths", "$.b"), e, text(``)); got != "v=" { // the default, nothing, is set
		t.Error(got)
	}
}

func TestJMESPathExtractor(t *testing.T) {
	const doc = `{"n":1,"w":1.50,"z":null,"o":{"n":1.0,"k":"v"},"list":["x","y",null],"none":[]}`
	for _, c := range []struct{ path, number, body, want string }{
		{"n", "1", doc, "v=1 v_matchNr=1"},
		{"n", "", doc, "v=1 v_matchNr=1"},
		{"n", "-1", doc, "v_1=1 v_matchNr=1"},
		{"w", "0", doc, "v=1.50 v_matchNr=1"},
		{"o", "0", doc, `v={"n":1.0,"k":"v"} v_matchNr=1`},
		{"list", "2", doc, "v=y v_matchNr=3"},
		{"list", "3", doc, "v=null v_matchNr=3"},
		{"list", "4", doc, "v=none v_matchNr=3"},
		{"list", "-1", doc, "v_1=x v_2=y v_3=null v_matchNr=3"},
		{"z", "1", doc, "v=none v_matchNr=0"},
		{"q", "-1", doc, "v=none v_matchNr=0"},
		{"none", "1", doc, "v=none v_matchNr=0"},
		{" n ", "1", doc, "v=1 v_matchNr=1"},
		{"n", "1", "", "v=none"},
		{"n", "1", "{", "v=none"},
		{"n[", "1", doc, "v=none"},
		{"n", "first", doc, `thrown: java.lang.NumberFormatException: For input string: "first"`},
	} {
		b := New(t).Set("v_matchNr", "9", "v_1", "old", "v_2", "old")
		e := Decode(b, new(jmesExtractor), Text("JMESExtractor.referenceName", "v"), Text("JMESExtractor.jmesPathExpr", c.path),
			Text("JMESExtractor.matchNumber", c.number), Text("JMESExtractor.defaultValue", "none"))
		if got := ran(b, e, text(c.body)); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
	b := New(t)
	e := Decode(b, new(jmesExtractor), Text("JMESExtractor.referenceName", "v"), Text("JMESExtractor.jmesPathExpr", "n"), Text("Sample.scope", "variable"), Text("Scope.variable", "gone"))
	if got := ran(b, e, text("")); got != "v=" || !strings.Contains(b.Log.String(), "is null") {
		t.Errorf("%s\n%s", got, b.Log)
	}
}

func TestXPathExtractor(t *testing.T) {
	const doc = `<r><a id="1">x</a><a id="2">y<b>z</b></a><e/></r>`
	for _, c := range []struct{ path, number, fragment, body, want string }{
		{"//a", "-1", "", doc, "v=x v_1=x v_2=y v_matchNr=2"},
		{"//a", "2", "", doc, "v=y v_1=y v_matchNr=1"},
		{"//a", "3", "", doc, "v=none v_matchNr=0"},
		{"//a", "2", "true", doc, `v=<a id="2">y<b>z</b></a> v_1=<a id="2">y<b>z</b></a> v_matchNr=1`},
		{"//a/@id", "-1", "", doc, "v=1 v_1=1 v_2=2 v_matchNr=2"},
		{"//e", "-1", "", doc, "v=none v_matchNr=1"}, // there is no text to store
		{"//q", "-1", "", doc, "v=none v_matchNr=0"},
		{"count(//a)", "7", "", doc, "v=2 v_1=2 v_matchNr=1"},
		{"//b", "0", "", doc, "v=z v_1=z v_matchNr=1"},
		{"//q", "0", "", doc, "v=none v_matchNr=0"},
	} {
		b := New(t).Set("v_matchNr", "4", "v_1", "old", "v_2", "old", "v_3", "old", "v_4", "old")
		e := Decode(b, new(xPathExtractor), Text("XPathExtractor.refname", "v"), Text("XPathExtractor.xpathQuery", c.path),
			Text("XPathExtractor.matchNumber", c.number), Text("XPathExtractor.default", "none"), Text("XPathExtractor.fragment", c.fragment))
		if got := ran(b, e, text(c.body)); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
}

// What is no XML is a failure among the sample's assertions, and does not fail it.
func TestXPathExtractorOfNoXML(t *testing.T) {
	b := New(t)
	e := Decode(b, new(xPathExtractor), Text("XPathExtractor.refname", "v"), Text("XPathExtractor.xpathQuery", "//a"))
	s := text("x")
	if got := ran(b, e, s); got != "v= v_matchNr=0" {
		t.Error(got)
	}
	want := jtl.Assertion{Name: "it", Failure: true, Message: "Content is not allowed in prolog.\nSee log file for further details.", HasMessage: true}
	if len(s.Assertions) != 1 || s.Assertions[0] != want || !s.Success {
		t.Errorf("%+v", s.Assertions)
	}
	e = Decode(b, new(xPathExtractor), Text("XPathExtractor.refname", "v"), Text("XPathExtractor.xpathQuery", "//a"), Text("Sample.scope", "variable"), Text("Scope.variable", "x"))
	if got := ran(b, e, text("")); got != "v= v_matchNr=0" || !strings.Contains(b.Log.String(), "No variable 'x'") {
		t.Errorf("%s\n%s", got, b.Log)
	}
	if got := ran(b.Set("x", ""), e, text("")); got != "v= v_matchNr=0" {
		t.Error(got)
	}
	if got := ran(b.Set("x", "<a>1</a>"), e, text("")); got != "v=1 v_1=1 v_matchNr=1" {
		t.Error(got)
	}
}

func TestDebugPostProcessor(t *testing.T) {
	b := New(t, "p", "q").Set("v10", "x", "v9", "y")
	s := text("main")
	s.Label, s.Start, s.End, s.IdleTime = "login", 1000, 1100, 20
	b.Thread.Prev = s
	Decode(b, new(debug), Bool("displaySamplerProperties", false), Bool("displayJMeterProperties", true)).After(b.Thread, s)
	if len(s.Subs) != 1 {
		t.Fatalf("%d parts", len(s.Subs))
	}
	sub := s.Subs[0]
	if want := "JMeterVariables:\nv9=y\nv10=x\n\nJMeterProperties:\np=q\n\n"; string(sub.Body) != want {
		t.Errorf("%q", sub.Body)
	}
	if sub.Label != "login-0" || sub.SamplerData != "JMeterVariables\nJMeterProperties\n" || !sub.Success || sub.Code != "200" {
		t.Errorf("%+v", sub)
	}
	if s.Elapsed != s.End-1000-20 || s.End != sub.End || s.Bytes != 4+sub.Bytes {
		t.Errorf("the sample is not stretched: %+v", s)
	}
	b = New(t, "subresults.disable_renaming", "true")
	b.Thread.Prev = s
	Decode(b, new(debug), Bool("displayJMeterVariables", false)).After(b.Thread, s)
	if sub = s.Subs[1]; sub.Label != "it" || string(sub.Body) != "SamplerProperties:\n\n" {
		t.Errorf("%s %q", sub.Label, sub.Body)
	}
}

func TestCSSExtractor(t *testing.T) {
	const page = `<ul><li id="1">One <b>x</b></li><li id="2">Two</li></ul>`
	for _, c := range []struct{ query, attribute, number, def, body, want string }{
		{"li", "", "1", "none", page, "v=One x"},
		{"li", "id", "2", "none", page, "v=2"},
		{"li", "id", "3", "none", page, "v=none"},
		{"li", "id", "-1", "none", page, "v=none v_1=1 v_2=2 v_matchNr=2"},
		{"p", "id", "-1", "", page, "v_matchNr=0"},
		{"li", "class", "1", "none", page, "v="}, // there is no such attribute
		{"b", " ", "0", "none", page, "v=x"},
		{"p", "", "0", "", page, ""},
		{"li", "", "1", "none", "", "v=none"},
	} {
		b := New(t).Set("v_matchNr", "3", "v_3", "old")
		e := Decode(b, new(cssExtractor), Text("HtmlExtractor.refname", "v"), Text("HtmlExtractor.expr", c.query), Text("HtmlExtractor.attribute", c.attribute),
			Text("HtmlExtractor.match_number", c.number), Text("HtmlExtractor.default", c.def))
		if got := ran(b, e, text(c.body)); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
}

// With a query that is none only the default is set.
func TestCSSExtractorBadQuery(t *testing.T) {
	b := New(t).Set("v_matchNr", "1", "v_1", "old")
	e := Decode(b, new(cssExtractor), Text("HtmlExtractor.refname", "v"), Text("HtmlExtractor.expr", "li:"), Text("HtmlExtractor.default", "none"))
	if got := ran(b, e, text("<li>")); got != "v=none v_1=old v_matchNr=1" || !strings.Contains(b.Log.String(), "Could not parse query") {
		t.Errorf("%s\n%s", got, b.Log)
	}
	Decode(b, new(cssExtractor), Text("HtmlExtractor.extractor_impl", "JODD"))
	if len(b.Problems) != 1 || b.Problems[0].Level != elem.Unsupported {
		t.Errorf("%v", b.Problems)
	}
}

// Several extractors read one page once, and another page anew.
func TestCSSExtractorsShareThePage(t *testing.T) {
	b := New(t)
	one := Decode(b, new(cssExtractor), Text("HtmlExtractor.refname", "v1"), Text("HtmlExtractor.expr", "p"), Text("HtmlExtractor.match_number", "1"))
	two := Decode(b, new(cssExtractor), Text("HtmlExtractor.refname", "v2"), Text("HtmlExtractor.expr", "p"), Text("HtmlExtractor.match_number", "2"))
	s := text("<p>a<p>b")
	ran(b, one, s)
	if got := ran(b, two, s); got != "v1=a v2=b" {
		t.Error(got)
	}
	if one.page != two.page {
		t.Error("two places for pages")
	}
	copy(s.Body, "<p>c<p>d") // the memory of a body is used again
	ran(b, one, s)
	if got := ran(b, two, s); got != "v1=c v2=d" {
		t.Error(got)
	}
	all := Decode(b, new(cssExtractor), Text("HtmlExtractor.refname", "w"), Text("HtmlExtractor.expr", "p"), Text("HtmlExtractor.match_number", "-1"), Text("Sample.scope", "children"))
	s.Subs = []*jtl.Sample{text("<p>1"), text("<p>2")}
	if ran(b, all, s); b.Vars("w") != "w_1=1 w_2=2 w_matchNr=2" {
		t.Error(b.Vars("w"))
	}
}
