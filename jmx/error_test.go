package jmx

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

const (
	before = "<jmeterTestPlan version=\"1.2\">\n<hashTree>\n"
	after  = "</hashTree>\n</jmeterTestPlan>\n"
	plan   = `<TestPlan guiclass="TestPlanGui" testname="Plan"/>` + "\n<hashTree>\n"
	users  = `<ThreadGroup guiclass="ThreadGroupGui" testname="Users"/>` + "\n<hashTree>\n"
	login  = `<HTTPSamplerProxy guiclass="HttpTestSampleGui" testname="Login">` + "\n"
)

func TestErrors(t *testing.T) {
	inLogin := func(s string) string { return before + plan + users + login + s }
	tests := []struct{ name, src, want string }{
		{"empty", "", `x.jmx:1: the file is empty`},
		{"blank", "\n\n", `x.jmx:3: the file is empty`},
		{"text", "timeStamp,elapsed,label\n1,2,a\n", `x.jmx:1: not XML: the file starts with "timeStamp,elapsed,label"...`},
		{"zip", "PK\x03\x04\x00\xff<a>", `x.jmx:1: not XML: the file starts with "PK\x03\x04\x00�"`},
		{"html", "<!DOCTYPE html>\n<html><br>", `x.jmx:1: an HTML page, not a test plan`},
		{"html without type", "<html><br>", `x.jmx:1: the root element is <html>, not <jmeterTestPlan>: this is an HTML page`},
		{"results", "<?xml version=\"1.0\"?>\n<testResults version=\"1.2\">", `x.jmx:2: the root element is <testResults>, not <jmeterTestPlan>: this is a result file (.jtl)`},
		{"other", "<a/>", `x.jmx:1: the root element is <a>, not <jmeterTestPlan>`},
		{"no tree", `<jmeterTestPlan/>`, `x.jmx:1: <jmeterTestPlan> holds no <hashTree>, so there is no plan`},
		{"other child", `<jmeterTestPlan><a/></jmeterTestPlan>`, `x.jmx:1: <a> where the <hashTree> of the plan should be`},
		{"cut in text", inLogin(`<stringProp name="HTTPSampler.path">/a`), `x.jmx:8: Plan > Users > "Login": HTTPSampler.path: the file is cut short: it ends inside <stringProp> of line 8`},
		{"cut in a tag", inLogin(`<stringProp name="HTTPSampler.pa`), `x.jmx:8: Plan > Users > "Login": the file is cut short: a value of <stringProp of line 8 has no closing "`},
		{"cut in a tree", before + plan + users, `x.jmx:7: Plan > "Users": the file is cut short: it ends inside <hashTree> of line 6`},
		{"cut in a comment", before + plan + "<!-- ", `x.jmx:5: "Plan": the file is cut short: it ends inside a comment`},
		{"conflict", before + plan + "<<<<<<< HEAD\n" + users + "=======\n", `x.jmx:5: "Plan": a merge conflict is not resolved here: "<<<<<<< HEAD"...`},
		{"wrong end", inLogin("</hashTree>"), `x.jmx:8: Plan > Users > "Login": </hashTree> where </HTTPSamplerProxy> should close line 7`},
		{"bare ampersand", inLogin("<stringProp name=\"a\">\nb & c</stringProp></HTTPSamplerProxy></hashTree></hashTree>") + after, `x.jmx:9: Plan > Users > "Login": a: not XML: invalid character entity & (no semicolon)`},
		{"bare less-than", inLogin(`<stringProp name="a">1 < 2</stringProp>`), `x.jmx:8: Plan > Users > "Login": a: a < that starts no tag: "< 2</stringProp>"`},
		{"attribute twice", inLogin(`<stringProp name="a" name="b">`), `x.jmx:8: Plan > Users > "Login": <stringProp has name twice`},
		{"entity", `<!DOCTYPE a [<!ENTITY x "y">]><jmeterTestPlan/>`, `x.jmx:1: a document type with declarations (entities) is refused`},
		{"billion laughs", `<!DOCTYPE a [<!ENTITY x "&y;&y;"><!ENTITY y "&z;&z;">]><jmeterTestPlan>&x;</jmeterTestPlan>`, `x.jmx:1: a document type with declarations (entities) is refused`},
		{"external entity", `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><jmeterTestPlan>&x;</jmeterTestPlan>`, `x.jmx:1: a document type with declarations (entities) is refused`},
		{"no guiclass", before + plan + "<Foo testname='a\nb'/></hashTree>" + after, `x.jmx:5: Plan > "a b": <Foo> has no guiclass attribute`},
		{"property as element", before + `<stringProp name="a"/>`, `x.jmx:3: the file is cut short: it ends inside <hashTree> of line 2`},
		{"two trees", before + plan + "</hashTree><hashTree/>" + after, `x.jmx:5: a <hashTree> that belongs to no element`},
		{"tree missing", before + plan + `<A guiclass="" testname="x"/>` + "\n" + `<B guiclass=""/></hashTree>` + after, `x.jmx:6: "Plan": <B> where the <hashTree> of "x" should be`},
		{"unknown property", inLogin(`<fooProp name="a"/></HTTPSamplerProxy></hashTree></hashTree>`) + after, `x.jmx:8: Plan > Users > "Login": a: <fooProp> is no property`},
		{"property without name", inLogin(`<stringProp>x</stringProp></HTTPSamplerProxy></hashTree></hashTree>`) + after, `x.jmx:8: Plan > Users > "Login": <stringProp>: no name attribute`},
		{"int", inLogin(`<intProp name="HTTPSampler.port">80a</intProp></HTTPSamplerProxy></hashTree></hashTree>`) + after, `x.jmx:8: Plan > Users > "Login": HTTPSampler.port: "80a" is not an integer of 32 bits`},
		{"int, disabled", before + `<A guiclass="" enabled="false"><intProp name="n">${x}</intProp></A>` + after, `x.jmx:3: "A": n: "${x}" is not an integer of 32 bits`},
		{"long", before + `<A guiclass=""><collectionProp name="c"><elementProp name="e" elementType="Argument"><longProp name="n"/></elementProp></collectionProp></A>` + after, `x.jmx:3: "A": c > e > n: "" is not an integer of 64 bits`},
		{"double", before + `<A guiclass=""><doubleProp><name>d</name><value>0x1p3</value></doubleProp></A>` + after, `x.jmx:3: "A": d: "0x1p3" is not a number`},
		{"double field", before + `<A guiclass=""><doubleProp><name>d</name><foo/></doubleProp></A>` + after, `x.jmx:3: "A": d: unknown field <foo>`},
		{"elementType", before + `<A guiclass=""><elementProp name="d"/></A>` + after, `x.jmx:3: "A": d: no elementType attribute`},
		{"form", `<jmeterTestPlan version="1.0"><hashTree><A guiclass=""><stringProp name="d">100%</stringProp></A></hashTree></jmeterTestPlan>`, `x.jmx:1: "A": d: invalid URL escape "%"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Decode(strings.NewReader(test.src), "x.jmx")
			if e := (*Error)(nil); !errors.As(err, &e) {
				t.Fatalf("%T, not *Error", err)
			}
			if err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestReadMissingFile(t *testing.T) {
	_, err := Read("testdata/none.jmx")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if e := (*Error)(nil); !errors.As(err, &e) || e.File != "testdata/none.jmx" || strings.Count(err.Error(), "none.jmx") != 1 {
		t.Errorf("%v", err)
	}
}

// zeros is an endless file.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestLimits(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"depth of trees", before + strings.Repeat(`<A guiclass=""/><hashTree>`, 100_000), "elements nested more than 1000 deep"},
		{"depth of properties", before + `<A guiclass="">` + strings.Repeat(`<collectionProp name="">`, 100_000), "elements nested more than 1000 deep"},
		{"depth of ignored", before + `<A guiclass=""><stringProp name="a">` + strings.Repeat(`<b>`, 100_000), "elements nested more than 1000 deep"},
		{"tags", before + strings.Repeat(`<A/>`, maxParts+1), "more than 3000000 tags and attributes"},
	}
	var many strings.Builder
	for i := range 200 {
		many.WriteString(" a" + strings.Repeat("b", i) + `=""`)
	}
	tests = append(tests, struct{ name, src, want string }{"attributes", `<jmeterTestPlan` + many.String(), "<jmeterTestPlan has more than 100 attributes"})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Decode(strings.NewReader(test.src), "x.jmx")
			if err == nil || !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("%.300v", err)
			}
			if len(err.Error()) > 500 {
				t.Errorf("a message of %d bytes", len(err.Error()))
			}
		})
	}
	if _, err := Decode(zeros{}, "x.jmx"); err == nil || err.Error() != "x.jmx: larger than 64 MB" {
		t.Errorf("endless file: %v", err)
	}
}

func TestDeepPlan(t *testing.T) {
	const depth = 900
	src := before + strings.Repeat("<A guiclass=\"\"/><hashTree>\n", depth) + strings.Repeat("</hashTree>", depth) + after
	tree, err := Decode(strings.NewReader(src), "x.jmx")
	if err != nil {
		t.Fatal(err)
	}
	n := tree.Roots[0]
	for len(n.Children) > 0 {
		n = n.Children[0]
	}
	if n.Line != depth+2 || n.Path() != `A > A > A > A > ... > A > A > A > "A"` {
		t.Errorf("line %d, %s", n.Line, n.Path())
	}
}
