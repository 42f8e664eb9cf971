package assertion

import (
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/elem"
	. "github.com/gojm/gojm/engine/elem/elemtest"
	"github.com/gojm/gojm/jtl"
)

// sampled is a result with something in each part.
func sampled() *jtl.Sample {
	s := &jtl.Sample{Code: "404", Message: "Not Found", URL: "http://h/p", Encoding: "UTF-8", DataType: "text",
		RequestHeaders: "Host: h\n", ResponseHeaders: "HTTP/1.1 404 Not Found\n", SamplerData: "sent", Elapsed: 1500}
	s.SetBody("one two three")
	return s
}

// said is a result of an assertion in one word or text.
func said(r jtl.Assertion) string {
	switch {
	case r.Error:
		return "error: " + r.Message
	case r.Failure:
		return r.Message
	case r.HasMessage:
		return "passed: " + r.Message
	}
	return "passed"
}

func TestResponse(t *testing.T) {
	for _, c := range []struct {
		field    string
		kind     string
		patterns string // by |
		want     string
	}{
		{"response_data", "2", "t.o", "passed"},
		{"response_data", "2", "t.o|zz|yy", "Test failed: text expected to contain /zz/"},
		{"response_data", "16", "t.o", "Test failed: text expected to contain /t.o/"},
		{"response_data", "16", "two", "passed"},
		{"response_data", "1", "one.*", "passed"},
		{"response_data", "1", "one", "Test failed: text expected to match /one/"},
		{"response_data", "5", "one.*", "Test failed: text expected not to match /one.*/"},
		{"response_data", "6", "zz", "passed"},
		{"response_data", "6", "two", "Test failed: text expected not to contain /two/"},
		{"response_data", "20", "two", "Test failed: text expected not to contain /two/"},
		{"response_data", "8", "one two three", "passed"},
		{"response_data", "8", "one 2 three", "Test failed: text expected to equal /\n\n****** received  : one [[[two]]] three\n\n****** comparison: one [[[2  ]]] three\n\n/"},
		{"response_data", "12", "one two three", "Test failed: text expected not to equal /\n\n****** received  : one two three[[[]]]\n\n****** comparison: one two three[[[]]]\n\n/"},
		{"response_data", "34", "zz|two", "passed"},
		{"response_data", "34", "zz|yy", "Test failed: text expected something using /zz/\tTest failed: text expected something using /yy/\t"},
		{"response_data", "38", "two|zz", "passed"},
		{"response_data", "38", "two|one", "Test failed: text expected something using /two/\tTest failed: text expected something using /one/\t"},
		{"response_data", "2", "", "passed"},
		{"response_data", "34", "", "\t"},
		{"response_data", "26", "t.o", "passed"}, // contains before equals before substring
		{"response_data", "24", "one two", "Test failed: text expected something using /\n\n****** received  : one two[[[ three]]]\n\n****** comparison: one two[[[      ]]]\n\n/"},
		{"response_data", "0", "one.*", "passed"},
		{"response_data", "2", "(", "error: Bad test configuration org.apache.oro.text.MalformedCachePatternException: Invalid expression: (\nUnmatched parentheses."},
		{"response_data", "6", "zz|(", "error: Bad test configuration org.apache.oro.text.MalformedCachePatternException: Invalid expression: (\nUnmatched parentheses."},
		{"response_data", "8", "(", "Test failed: text expected to equal /\n\n****** received  : [[[one two three]]]\n\n****** comparison: [[[(            ]]]\n\n/"},
		{"response_code", "2", "4.4", "passed"},
		{"response_code", "2", "200", "Test failed: code expected to contain /200/"},
		{"response_message", "16", "OK", "Test failed: message expected to contain /OK/"},
		{"response_headers", "16", "OK", "Test failed: headers expected to contain /OK/"},
		{"request_headers", "16", "OK", "Test failed: request headers expected to contain /OK/"},
		{"request_data", "16", "OK", "Test failed: request data expected to contain /OK/"},
		{"sample_label", "16", "OK", "Test failed: URL expected to contain /OK/"},
		{"anything", "16", "http://h/", "passed"},
	} {
		b := New(t)
		var patterns []string
		if c.patterns != "" {
			patterns = strings.Split(c.patterns, "|")
		}
		a := Decode(b, new(response), List("Asserion.test_strings", patterns...),
			Text("Assertion.test_field", "Assertion."+c.field), Text("Assertion.test_type", c.kind))
		if got := said(a.Check(b.Thread, sampled())); got != c.want {
			t.Errorf("%s %s %q:\n got %q\nwant %q", c.field, c.kind, c.patterns, got, c.want)
		}
		if len(b.Problems) > 0 {
			t.Errorf("problems: %v", b.Problems)
		}
	}
}

func TestResponseOfNothing(t *testing.T) {
	for kind, want := range map[string]string{"2": "Response was null", "34": "Response was null", "6": "passed", "38": "passed"} {
		b := New(t)
		a := Decode(b, new(response), List("Asserion.test_strings", "x"), Text("Assertion.test_field", "Assertion.response_data"), Text("Assertion.test_type", kind))
		if got := said(a.Check(b.Thread, &jtl.Sample{})); got != want {
			t.Errorf("type %s: %s, want %s", kind, got, want)
		}
	}
}

func TestResponseCustomMessage(t *testing.T) {
	for _, kind := range []string{"2", "34"} {
		b := New(t).Set("who", "me", "pattern", "zz")
		a := Decode(b, new(response), List("Asserion.test_strings", "${pattern}"), Text("Assertion.test_field", "Assertion.response_data"),
			Text("Assertion.test_type", kind), Text("Assertion.custom_message", "not ${who}"))
		if got := said(a.Check(b.Thread, sampled())); got != "not me" {
			t.Errorf("%s", got)
		}
		b.Set("pattern", "tw")
		if got := said(a.Check(b.Thread, sampled())); got != "passed" {
			t.Errorf("the pattern is not read anew: %s", got)
		}
	}
}

func TestResponseIgnoresStatus(t *testing.T) {
	b := New(t)
	a := Decode(b, new(response), List("Asserion.test_strings", "404"), Text("Assertion.test_field", "Assertion.response_code"), Bool("Assertion.assume_success", true))
	s := sampled()
	if got := said(a.Check(b.Thread, s)); got != "passed" || !s.Success {
		t.Errorf("%s, success %v", got, s.Success)
	}
}

func TestResponseOfVariable(t *testing.T) {
	b := New(t).Set("v", "abc")
	a := Decode(b, new(response), List("Asserion.test_strings", "x"), Text("Assertion.scope", "variable"), Text("Scope.variable", "v"), Text("Assertion.test_type", "16"))
	if got := said(a.Check(b.Thread, sampled())); got != "Test failed: variable(v) expected to contain /x/" {
		t.Error(got)
	}
	b.Thread.Vars.Remove("v")
	if got := said(a.Check(b.Thread, sampled())); got != "Response was null" {
		t.Error(got)
	}
	if main, children := a.Scope(); !main || children || a.Needs() != 0 {
		t.Errorf("scope %v %v, needs %v", main, children, a.Needs())
	}
}

func TestResponseInJavasDialect(t *testing.T) {
	b := New(t, "jmeter.regex.engine", "java")
	for pattern, want := range map[string]string{
		"(?<n>two)": "passed",
		"(":         "error: Bad test configuration java.util.regex.PatternSyntaxException: Unclosed group near index 1\n(",
	} {
		a := Decode(b, new(response), List("Asserion.test_strings", pattern), Text("Assertion.test_field", "Assertion.response_data"))
		if got := said(a.Check(b.Thread, sampled())); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}

func TestResponseRefusesDocuments(t *testing.T) {
	b := New(t)
	Decode(b, new(response), Text("Assertion.test_field", "Assertion.response_data_as_document"))
	if len(b.Problems) != 1 || b.Problems[0].Level != elem.Unsupported {
		t.Errorf("%v", b.Problems)
	}
}

// Long texts that are equal cost nothing; where they differ 100 units are shown.
func TestDiffTextIsCut(t *testing.T) {
	b := New(t, "assertion.equals_diff_delta_start", "<", "assertion.equals_diff_delta_end", ">", "assertion.equals_section_diff_len", "3")
	a := Decode(b, new(response), List("Asserion.test_strings", "aaaaa\U0001F600bbbbbccccc"), Text("Assertion.test_field", "Assertion.response_data"), Text("Assertion.test_type", "8"))
	s := sampled()
	s.SetBody("aaaaaXXXXXccccc")
	want := "Test failed: text expected to equal /\n\n****** received  : ...aaa<XXX...>ccc...\n\n****** comparison: ...aaa<\U0001F600b...>ccc...\n\n/"
	if got := said(a.Check(b.Thread, s)); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestResponseScopes(t *testing.T) {
	for apply, want := range map[string][2]bool{"": {true, false}, "parent": {true, false}, "children": {false, true}, "all": {true, true}, "variable": {true, false}, "other": {}} {
		a := Decode(New(t), new(response), Text("Assertion.scope", apply))
		if main, children := a.Scope(); (main != want[0]) || (children != want[1]) {
			t.Errorf("%q: %v %v", apply, main, children)
		}
	}
}
