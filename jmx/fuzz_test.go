package jmx

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// FuzzDecode: no input makes it panic, every error is an *Error, and what is
// read is the same after it was written.
func FuzzDecode(f *testing.F) {
	entries, err := os.ReadDir("testdata/quirks")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		if b, err := os.ReadFile("testdata/quirks/" + e.Name()); err == nil && bytes.Contains(b, []byte("<")) {
			f.Add(b)
		}
	}
	for _, name := range []string{"jmeter-2.3-httpsampler", "jmeter-2x-style", "jtl-collectors", "throughput-percent"} {
		b, err := os.ReadFile("testdata/plans/" + name + ".jmx")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		tree, err := Decode(bytes.NewReader(src), "x.jmx")
		if err != nil {
			if e := (*Error)(nil); !errors.As(err, &e) || e.File != "x.jmx" || e.Msg == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		roundTrip(t, tree)
	})
}

// FuzzElement puts the input into an element of a plan, in the plain form and in
// that of version 1.0, where most of it is read.
func FuzzElement(f *testing.F) {
	for _, s := range []string{
		`<stringProp name="a" x="&#xa;">b<!--c-->%41+<?d e?>&#x1;<f g="&#9;&#xd;">&#xd;</f></stringProp>`,
		`<!--a--><intProp name="b">1</intProp><boolProp name="c">x</boolProp><longProp name="d">-1</longProp>`,
		`<doubleProp><name>a</name><!--b--><value> 1.5f</value><savedValue>2</savedValue><!--c--></doubleProp>`,
		`<FloatProperty><name>a</name></FloatProperty><mapProp name="m"><stringProp name="k"/></mapProp>`,
		`<collectionProp name="a"><!--b--></collectionProp><elementProp name="e" elementType="Header" enabled="x"><stringProp name="TestElement.name">n</stringProp></elementProp>`,
		`<objProp><name>a</name><value class="SampleSaveConfiguration"><time>true</time><!--b--><c d="e"><f/></c></value></objProp>`,
		`<boolProp name="TestElement.enabled">false</boolProp><stringProp name="TestElement.gui_class">x</stringProp><stringProp name="JDBCSampler.connections">x</stringProp>`,
		`</ConfigTestElement><!--a--><hashTree><B_-_ guiclass="" class="x"/><!--b--></hashTree><ConfigTestElement guiclass="">`,
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, form bool) {
		version := "1.2"
		if form {
			version = formVersion
		}
		src := `<jmeterTestPlan version="` + version + `"><hashTree><ConfigTestElement guiclass="org.apache.jmeter.protocol.jdbc.config.gui.DbConfigGui" testname="n">` +
			s + `</ConfigTestElement></hashTree></jmeterTestPlan>`
		tree, err := Decode(strings.NewReader(src), "x.jmx")
		if err != nil {
			return
		}
		roundTrip(t, tree)
	})
}
