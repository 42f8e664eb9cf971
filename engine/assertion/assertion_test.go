package assertion

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
	s := &jtl.Sample{DataType: "text", Encoding: "UTF-8", Success: true}
	s.SetBody(body)
	return s
}

func TestDuration(t *testing.T) {
	for limit, want := range map[string]string{
		"1499": "The operation lasted too long: It took 1,500 milliseconds, but should not have lasted longer than 1,499 milliseconds.",
		"999":  "The operation lasted too long: It took 1,500 milliseconds, but should not have lasted longer than 999 milliseconds.",
		"1500": "passed", "0": "passed", "-1": "passed", "soon": "passed", "": "passed",
	} {
		b := New(t)
		a := Decode(b, new(duration), Text("DurationAssertion.duration", limit))
		if got := said(a.Check(b.Thread, sampled())); got != want {
			t.Errorf("%s: %s", limit, got)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -999: "-999", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	s := text("12345")
	s.HeaderSize, s.BodySize, s.Bytes, s.Code, s.Message = 20, 1200, 1220, "200", "Fin\u00e9"
	const wrong = "The result was the wrong size: It was "
	for _, c := range []struct{ field, op, size, want string }{
		{"response_network_size", "1", "1220", "passed"},
		{"", "1", "1", wrong + "1,220 bytes, but should have been equal to 1 bytes."},
		{"response_headers", "2", "20", wrong + "20 bytes, but should have not been equal to 20 bytes."},
		{"response_data", "3", "1200", wrong + "1,200 bytes, but should have been greater than 1,200 bytes."},
		{"response_code", "4", "3", wrong + "3 bytes, but should have been less than 3 bytes."},
		{"response_message", "5", "5", wrong + "4 bytes, but should have been greater or equal to 5 bytes."},
		{"response_message", "6", "3", wrong + "4 bytes, but should have been less than or equal to 3 bytes."},
		{"response_message", "6", "4", "passed"},
		{"response_data", "0", "1200", wrong + "1,200 bytes, but should have ERROR - invalid condition 1,200 bytes."},
		{"response_data", "1", "zz", `thrown: java.lang.NumberFormatException: For input string: "zz"`},
	} {
		b := New(t)
		props := []*jmx.Prop{Text("SizeAssertion.size", c.size), Text("SizeAssertion.operator", c.op)}
		if c.field != "" {
			props = append(props, Text("Assertion.test_field", "SizeAssertion."+c.field))
		}
		a := Decode(b, new(size), props...)
		var got string
		if err := vu.Try(func() { got = said(a.Check(b.Thread, s)) }); err != nil {
			got = "thrown: " + err.Error()
		}
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestSizeOfVariable(t *testing.T) {
	b := New(t).Set("n", "3000000000", "word", "abc")
	for variable, want := range map[string]string{
		"n":    "passed",
		"word": "Error parsing variable name: word value: abc",
		"none": "Error parsing variable name: none value: null",
	} {
		a := Decode(b, new(size), Text("Assertion.scope", "variable"), Text("Scope.variable", variable), Text("SizeAssertion.size", "3000000000"), Text("SizeAssertion.operator", "1"))
		if got := said(a.Check(b.Thread, sampled())); got != want {
			t.Errorf("%s: %s", variable, got)
		}
	}
}

func TestMD5Hex(t *testing.T) {
	for want, said_ := range map[string]string{
		"900150983cd24fb0d6963f7d28e17f72": "passed",
		"900150983CD24FB0D6963F7D28E17F72": "passed",
		"":                                 "MD5Hex to test against is empty",
		"0":                                "Error asserting MD5 sum : got 900150983cd24fb0d6963f7d28e17f72 but should have been 0",
	} {
		b := New(t)
		a := Decode(b, new(md5Hex), Text("MD5HexAssertion.size", want))
		if got := said(a.Check(b.Thread, text("abc"))); got != said_ {
			t.Errorf("%s: %s", want, got)
		}
		if got := said(a.Check(b.Thread, text(""))); got != "Response was null" {
			t.Errorf("of nothing: %s", got)
		}
	}
}

func TestWellFormed(t *testing.T) {
	for body, want := range map[string]string{
		"<a><b/></a>": "passed",
		"":            "Response was null",
		"<a":          "error: XML document structures must start and end within the same entity.",
		"x":           "error: Content is not allowed in prolog.",
		// the encoding is that of the response, not the one declared
		"<?xml version=\"1.0\" encoding=\"no-such\"?><a>\u00e9</a>": "passed",
		"<!DOCTYPE a><a/>": `error: DOCTYPE is disallowed when the feature "http://apache.org/xml/features/disallow-doctype-decl" set to true.`,
	} {
		b := New(t)
		res := Decode(b, new(wellFormed)).Check(b.Thread, text(body))
		if got := said(res); got != want || res.Error && !res.Failure {
			t.Errorf("%s: %s, %+v", body, got, res)
		}
	}
}

// flags are the switches of the JSON assertions: v compare the value, n null is
// expected, i invert, r a regular expression.
func flags(s string) []*jmx.Prop {
	var out []*jmx.Prop
	for letter, name := range map[string]string{"v": "JSONVALIDATION", "n": "EXPECT_NULL", "i": "INVERT", "r": "ISREGEX"} {
		out = append(out, Bool(name, strings.Contains(s, letter)))
	}
	return out
}

func TestJSONPath(t *testing.T) {
	const doc = `{"n":1,"d":1.50,"big":2147483647.5000,"s":"a b","z":null,"o":{"b":2,"a":1.0},"list":[1,"x",null],"none":[]}`
	for _, c := range []struct{ path, expected, flags, want string }{
		{"$.n", "", "r", "passed: "},
		{"$.q", "", "r", "No results for path: $['q']"},
		{"$.q", "", "ri", "passed: "},
		{"$.n", "", "ri", "Failed that JSONPath not exists: $.n"},
		{"$..q", "1", "r", "JSONPath '$..q' is indefinite and the extracted Value is an empty Array. Please use an assertion value, to be sure to get a correct result. Expected value was '1'"},
		{"$.none", "", "r", "passed: "},
		{"$.n", "1", "v", "passed: "},
		{"$.n", "1.0", "v", "Value in json path '$.n' expected to be '1.0', but found '1'"},
		{"$.d", "1.5", "v", "passed: "},
		{"$.d", "1.50", "v", "passed: "},
		{"$.d", `1\.5`, "vr", "passed: "},
		{"$.d", `1\.50`, "vr", "passed: "}, // as the document writes it
		{"$.big", "2147483647.5000", "vr", "passed: "},
		{"$.big", "2147483647.5", "vr", "passed: "},
		{"$.big", "x", "vr", "Value in json path '$.big' expected to match regexp 'x', but it did not match: '2147483647.5'"},
		{"$.s", "a b", "v", "passed: "},
		{"$.s", `"a b"`, "v", "passed: "},
		{"$.s", "a", "vr", "Value in json path '$.s' expected to match regexp 'a', but it did not match: 'a b'"},
		{"$.s", "a .", "vri", "Failed that JSONPath $.s not matches a ."},
		{"$.z", "", "vn", "passed: "},
		{"$.z", "null", "vr", "passed: "},
		{"$.z", "", "vni", "Failed that JSONPath $.z not matches null"},
		{"$.n", "", "vn", "Value in json path '$.n' expected to be null, but found '1'"},
		{"$.o", `{"a":1.0,"b":2}`, "v", "passed: "},
		{"$.o", `\{"a":1.0,"b":2\}`, "vr", "passed: "},
		{"$.list", "x", "vr", "passed: "}, // any of the items
		{"$.list", "", "vn", "passed: "},
		{"$.list", `[1,"x",null]`, "v", "passed: "},
		{"$.list", "y", "v", `Value in json path '$.list' expected to be 'y', but found '[1,"x",null]'`},
		{"$.none", "[]", "vr", "passed: "},
		{"$.none", "1", "v", "Value in json path '$.none' expected to be '1', but found '[]'"},
		{"$.n", "(", "vr", "Invalid expression: (\nUnmatched parentheses."},
	} {
		b := New(t)
		a := Decode(b, new(jsonPath), append(flags(c.flags), Text("JSON_PATH", c.path), Text("EXPECTED_VALUE", c.expected))...)
		if got := said(a.Check(b.Thread, text(doc))); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
}

func TestJSONPathOfOddities(t *testing.T) {
	b := New(t)
	a := Decode(b, new(jsonPath), Text("JSON_PATH", "$.a"))
	if got := said(a.Check(b.Thread, text(""))); got != "Response was null" {
		t.Error(got)
	}
	if got := said(a.Check(b.Thread, text("{a:1,}"))); got != "passed: " { // the reader is lenient
		t.Error(got)
	}
	b.Set("p", "$.b")
	a = Decode(b, new(jsonPath), Text("JSON_PATH", "${p}"))
	for _, c := range []struct{ path, want string }{{"$.b", "No results for path: $['b']"}, {"$.a", "passed: "}} {
		b.Set("p", c.path)
		if got := said(a.Check(b.Thread, text("{a:1}"))); got != c.want {
			t.Errorf("%s: %s", c.path, got)
		}
	}
}

func TestJMESPath(t *testing.T) {
	const doc = `{"n":1,"d":1.50,"s":"a b","z":null,"o":{"b":2,"a":1.0},"list":[1,"x"]}`
	for _, c := range []struct{ path, expected, flags, want string }{
		{"n", "", "r", "passed: "},
		{"q", "", "r", "JMESPATH q expected to exist"},
		{"n", "", "ri", "JMESPATH n expected not to exist"},
		{"q", "", "ri", "passed: "},
		{"n", "1", "v", "passed: "},
		{"n", "2", "v", "Value expected to be equal to 2"},
		{"n", "1", "vi", "Value expected not to be equal to 1"},
		{"d", "1.50", "v", "passed: "},
		{"d", "1.5", "v", "passed: "},
		{"d", `1\.50`, "vr", "passed: "},
		{"d", `1\.5`, "vr", "passed: "},
		{"s", "a b", "v", "passed: "},
		{"s", `"a b"`, "v", "passed: "},
		{"s", "a", "vr", "Value expected to match a"},
		{"s", "a.*", "vri", "Value expected not to match a.*"},
		{"z", "", "vn", "passed: "},
		{"n", "", "vn", "Value expected to be null"},
		{"z", "", "vni", "Value expected not to be null"},
		{"o", `{"a":1.0,"b":2}`, "v", "passed: "},
		{"list", `[ 1, "x" ]`, "v", "passed: "},
		{"s", "word", "v", "error: Unrecognized token 'word': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n at [Source: (String)\"word\"; line: 1, column: 5]"},
		{"s", "word", "vi", "passed: "},
	} {
		b := New(t)
		a := Decode(b, new(jmesPath), append(flags(c.flags), Text("JMES_PATH", c.path), Text("EXPECTED_VALUE", c.expected))...)
		if got := said(a.Check(b.Thread, text(doc))); got != c.want {
			t.Errorf("%+v:\n got %s", c, got)
		}
	}
	b := New(t)
	a := Decode(b, new(jmesPath), Text("JMES_PATH", "a[")) // not an expression
	if res := a.Check(b.Thread, text("{}")); !res.Error || res.Failure || !strings.HasPrefix(res.Message, `Unable to compile expression "a["`) {
		t.Errorf("%+v", res)
	}
}

func TestXPath(t *testing.T) {
	const doc = `<?xml version="1.0" encoding="ISO-8859-1"?><r xmlns:p="urn:p"><a id="1">x</a><p:b/></r>`
	for _, c := range []struct {
		path   string
		negate bool
		want   string
	}{
		{"/r/a", false, "passed: "},
		{"/r/q", false, "No Nodes Matched /r/q"},
		{"/r/a", true, "Specified XPath was found... Turn off negate if this is not desired"},
		{"/r/q", true, "passed: No Nodes Matched /r/q"}, // as in JMeter
		{"count(//a) = 1", false, "passed: No Nodes Matched for count(//a) = 1"},
		{"count(//a) = 2", false, "No Nodes Matched for count(//a) = 2"},
		{"count(//a) = 1", true, "Nodes Matched for count(//a) = 1"},
		{"count(//a)", false, "Cannot understand: count(//a)"},
		{"count(//a)", true, "Cannot understand: count(//a)"},
	} {
		b := New(t)
		a := Decode(b, new(xPath), Text("XPath.xpath", c.path), Bool("XPath.negate", c.negate))
		if got := said(a.Check(b.Thread, text(doc))); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestXPathOfOddities(t *testing.T) {
	b := New(t).Set("v", "<a/>", "empty", "")
	a := Decode(b, new(xPath), Text("XPath.xpath", "//a"))
	if got := said(a.Check(b.Thread, text(""))); got != "Response was null" {
		t.Error(got)
	}
	if got := said(a.Check(b.Thread, text("<a>"))); got != "error: SAXException: XML document structures must start and end within the same entity." {
		t.Error(got)
	}
	a = Decode(b, new(xPath), Text("XPath.xpath", "//[")) // not an expression
	if got := said(a.Check(b.Thread, text("<a/>"))); !strings.HasPrefix(got, "error: TransformerException: ") || !strings.HasSuffix(got, " for: //[") {
		t.Error(got)
	}
	for variable, want := range map[string]string{"v": "passed: ", "empty": "Response was null", "none": "Response was null"} {
		a = Decode(b, new(xPath), Text("XPath.xpath", "//a"), Text("Assertion.scope", "variable"), Text("Scope.variable", variable))
		if got := said(a.Check(b.Thread, text("<b/>"))); got != want {
			t.Errorf("%s: %s", variable, got)
		}
	}
	a = Decode(b, new(xPath), Text("XPath.xpath", "//p:a"), Bool("XPath.namespace", true))
	if got := said(a.Check(b.Thread, text(`<r xmlns:p="u"><q:a xmlns:q="u"/></r>`))); got != "passed: " {
		t.Error(got)
	}
}

func TestCompare(t *testing.T) {
	b := New(t)
	a := Decode(b, new(compare), Text("compareTime", "50"), Members("stringsToSkip", Element("", Text("regex", `\d+`), Text("substitute", "N"))))
	check := func(body string, elapsed int64) string {
		s := text(body)
		s.Elapsed, s.RequestHeaders, s.SamplerData = elapsed, "H: 1\n", " sent "
		res := a.Check(b.Thread, s)
		if c := res.Compared; c != nil && *c != (jtl.Compared{}) {
			return said(res) + " " + c.Base + " / " + c.Secondary
		}
		return said(res)
	}
	const sent = "sent\nH: 1\n\n\n"
	for i, want := range []string{
		"passed",
		"passed",
		"Responses differ in content " + sent + "a N / " + sent + "b N",
		"Responses differ in content " + sent + "a N / " + sent + "b N", // once, and for the rest of the pass
	} {
		if got := check([]string{"a 1", "a 2", "b 1", "b 1"}[i], 100); got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
	a.PassStart(b.Thread, nil, 1)
	if got := check("other", 10); got != "passed" {
		t.Errorf("a new pass: %s", got)
	}
	if got := check("other", 60); got != "passed" {
		t.Errorf("within the limit: %s", got)
	}
	if got, want := check("other", 111), "Responses differ in response time by more than50 ms "+sent+"Response Time:60 / "+sent+"Response Time:111"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCompareBadPattern(t *testing.T) {
	b := New(t)
	a := Decode(b, new(compare), Members("stringsToSkip", Element("", Text("regex", "("))))
	err := vu.Try(func() { a.Check(b.Thread, text("x")) })
	if want := "org.apache.oro.text.MalformedCachePatternException: Invalid expression: (\nUnmatched parentheses."; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
	b = New(t, "jmeter.regex.engine", "java")
	Decode(b, new(compare), Members("stringsToSkip", Element("", Text("regex", "(a)"), Text("substitute", "$1"))))
	if len(b.Problems) != 1 || b.Problems[0].Level != elem.Unsupported {
		t.Errorf("%v", b.Problems)
	}
}
