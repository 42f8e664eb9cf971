package jtl

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// xmlRows reads data and prints what it gives, a line a row.
func xmlRows(data string, opt ReadOptions) (string, *Report, error) {
	r, err := NewReader(strings.NewReader(data), opt)
	if err != nil {
		return "", nil, err
	}
	return printXML(r.Read)
}

func printXML(read func(Visit) (*Report, error)) (string, *Report, error) {
	var out strings.Builder
	rep, err := read(func(_ int, r *Row) error {
		fmt.Fprintf(&out, "%d: %*s%d %d %q %q %q %q %v %q", r.Line, r.Depth, "", r.TimeStamp, r.Elapsed, r.Label, r.Code, r.Message,
			r.FailureMessage, r.Success, r.URL)
		for _, e := range r.Extra {
			fmt.Fprintf(&out, " %q", e)
		}
		out.WriteByte('\n')
		return nil
	})
	return out.String(), rep, err
}

func TestReadXML(t *testing.T) {
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<testResults version="1.2">` + "\n"
	const end = "\n</testResults>\n"
	const sample = `<sample t="5" ts="1700000000000" s="true" lb="a" rc="200" rm="OK"/>` + "\n"
	const sampleIs = `1700000000000 5 "a" "200" "OK" "" true ""` + "\n"
	for _, test := range []struct {
		name, data, want string
		rep              Report
	}{
		{"plain", head + sample + end, "3: " + sampleIs, Report{Rows: 1}},
		{"none", head + end, "", Report{}},
		{"no declaration", `<testResults version="1.2">` + sample + `</testResults>`, "1: " + sampleIs, Report{Rows: 1}},
		{"defaults", head + "<sample/>" + end, `3: 0 0 "" "" "" "" true ""` + "\n", Report{Rows: 1}},
		{"empty numbers", head + `<sample by="" lt=""/>` + end, `3: 0 0 "" "" "" "" true ""` + "\n", Report{Rows: 1}},
		{"no time, duration or outcome", head + sample + strings.Replace(sample, `ts="1700000000000" `, "", 1) + strings.Replace(sample, `t="5"`, `t=""`, 1) +
			strings.Replace(sample, `s="true" `, "", 1) + end, "3: " + sampleIs, Report{Rows: 1, Skipped: 3, Bad: []BadLine{
			{4, "a sample without timeStamp"}, {5, "a sample without elapsed"}, {6, "a sample without success"}}}},
		{"no number", head + `<sample t="x7"/>` + "\n" + sample + end, "4: " + sampleIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{3, "t: x7 is not a number"}}}},
		{"nested", head + `<httpSample t="9" lb="p">` + "\n  " + `<httpSample t="1" lb="p-0"><sample t="0" lb="p-0-0"/></httpSample>` + "\n  " +
			`<assertionResult><name>n</name><failure>true</failure><error>false</error><failureMessage>no &amp; no</failureMessage></assertionResult>` +
			`<assertionResult><failureMessage>second</failureMessage></assertionResult>` +
			"\n  <java.net.URL>http://h/?a=b&amp;c</java.net.URL>\n</httpSample>" + end,
			`3: 0 9 "p" "" "" "no & no" true "http://h/?a=b&c"` + "\n" + `4:  0 1 "p-0" "" "" "" true ""` + "\n" +
				`4:   0 0 "p-0-0" "" "" "" true ""` + "\n", Report{Rows: 3}},
		{"the assertion that failed speaks", head + `<sample lb="a" s="false">` +
			`<assertionResult><name>one</name><failure>false</failure><error>false</error><failureMessage>passed</failureMessage></assertionResult>` +
			`<assertionResult><name>two</name><failure>false</failure><error>true</error><failureMessage>broke</failureMessage></assertionResult>` +
			`<assertionResult><name>three</name><failure>true</failure><error>false</error><failureMessage>late</failureMessage></assertionResult>` +
			`</sample><sample s="true" lb="b"><assertionResult><failure>false</failure><failureMessage>first</failureMessage></assertionResult>` +
			`<assertionResult><failureMessage>second</failureMessage><failure>false</failure></assertionResult></sample>` +
			`<sampleResult label="c"><assertionResult failureMessage="fine" failure="false"/><assertionResult failureMessage="old" failure="true"/></sampleResult>` + end,
			`3: 0 0 "a" "" "" "broke" false ""` + "\n" + `3: 0 0 "b" "" "" "first" true ""` + "\n" + `3: 0 0 "c" "" "" "old" false ""` + "\n", Report{Rows: 3}},
		{"escapes", head + `<sample lb="&lt;&gt;&amp;&quot;&apos;&#65;&#x42;&#x0;&#x1F600;&#xa;&nbsp;&;&#xzz;&amp" rm='"'/>` + end,
			`3: 0 0 "<>&\"'AB\x00😀\n&nbsp;&;&#xzz;&amp" "" "\"" "" true ""` + "\n", Report{Rows: 1}},
		{"raw control characters", head + "<sample lb=\"a\x00\x01\x1fb\"/>" + end, `3: 0 0 "a\x00\x01\x1fb" "" "" "" true ""` + "\n", Report{Rows: 1}},
		{"> in an attribute", head + `<sample lb="a>b/>"/>` + end, `3: 0 0 "a>b/>" "" "" "" true ""` + "\n", Report{Rows: 1}},
		{"CDATA and comments", head + `<!-- <sample/> --><sample lb="a"><url><![CDATA[<u>]]>&amp;</url></sample>` + end,
			`3: 0 0 "a" "" "" "" true "<u>&"` + "\n", Report{Rows: 1}},
		{"variables", head + `<sample lb="a" who="x&amp;y" empty=""/><sample lb="b" empty="1" unseen="2"/>` + end,
			`3: 0 0 "a" "" "" "" true "" "x&y" "" ""` + "\n" + `3: 0 0 "b" "" "" "" true "" "" "1" "2"` + "\n", Report{Rows: 2}},
		{"a variable named as an attribute", head + strings.Repeat(`<sample t="1" lb="a" t="x" lb="y"/>`, 2) + end,
			strings.Repeat(`3: 0 1 "a" "" "" "" true "" "x" "y"`+"\n", 2), Report{Rows: 2}},
		{"two tags in one", head + sample + `<sample t="1" lb="a" lb="b"/>` + end, "3: " + sampleIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{4, "a damaged tag"}}}},
		{"unknown elements", head + `<sample t="0" ts="1" s="true" lb="a"><new><deep>x</deep></new></sample><other/>` + sample + end,
			`3: 1 0 "a" "" "" "" true ""` + "\n3: " + sampleIs, Report{Rows: 2, Skipped: 1, Bad: []BadLine{{3, "something else where a sample should be"}}}},
		{"no end tag", head + sample + sample, "3: " + sampleIs + "4: " + sampleIs, Report{Rows: 2, Truncated: true, RowsWhole: true}},
		{"cut off in the end tag", head + sample + "</testRes", "3: " + sampleIs, Report{Rows: 1, Truncated: true, RowsWhole: true}},
		{"cut off in a tag", head + sample + `<sample t="5`, "3: " + sampleIs, Report{Rows: 1, Truncated: true}},
		{"cut off in a sample", head + sample + `<httpSample t="5"><responseData>abc`, "3: " + sampleIs, Report{Rows: 1, Truncated: true}},
		{"two documents", head + sample + end + head + sample + end, "3: " + sampleIs + "8: " + sampleIs, Report{Rows: 2}},
		{"cut off and gone on", head + `<sample t="0" ts="1" s="true" lb="x"><responseData>` + "\n" + head + sample + end, "6: " + sampleIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{3, "sample without its end"}}}},
		{"inner sample not closed", head + `<sample t="0" ts="1" s="true" lb="p"><httpSample t="0" ts="1" s="true" lb="q"></sample>` + "\n" + sample + end,
			`3: 1 0 "p" "" "" "" true ""` + "\n4: " + sampleIs, Report{Rows: 2, Skipped: 1, Bad: []BadLine{{3, "sample without its end"}}}},
		{"end without a start", head + `</sample></x>` + sample + end, "3: " + sampleIs,
			Report{Rows: 1, Skipped: 1, Bad: []BadLine{{3, "something else where a sample should be"}}}},
		{"1.1", `<testResults version="1.1"><sample rs="200" rc="x" lb="a+b%2C"/></testResults>`,
			`1: 0 0 "a+b%2C" "200" "" "" true ""` + "\n", Report{Rows: 1}},
		{"1.0", `<testResults version="1.0"><sample rc="200" lb="a+b%2C" rm="100%" tn="%C3%A9"/></testResults>`,
			`1: 0 0 "a b," "200" "100%" "" true ""` + "\n", Report{Rows: 1}},
		{"no version", `<testResults><sample lb="a+b"/></testResults>`, `1: 0 0 "a b" "" "" "" true ""` + "\n", Report{Rows: 1}},
		{"1.x", `<testResults><sampleResult timeStamp="1700000000000" dataType="text" threadName="t" label="a+b" time="5" responseMessage="OK"` +
			` responseCode="200" success="true"><property name="samplerData" xml:space="preserve">x</property><binary>y</binary>` +
			`<assertionResult failureMessage="why" error="false" failure="true"/><sampleResult timeStamp="1" time="0" label="in"/></sampleResult></testResults>`,
			`1: 1700000000000 5 "a+b" "200" "OK" "why" true ""` + "\n" + `1:  1 0 "in" "" "" "" false ""` + "\n", Report{Rows: 2}},
	} {
		got, rep, err := xmlRows(test.data, ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got != test.want || !reflect.DeepEqual(*rep, test.rep) {
			t.Errorf("%s:\n got %s%+v\nwant %s%+v", test.name, got, *rep, test.want, test.rep)
		}
	}
}

// Where a file is cut for the workers must not matter, however damaged it is.
func TestReadXMLCutAnywhere(t *testing.T) {
	const head = `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<testResults version="1.2">` + "\n"
	const first = `<sample lb="0"/>` + "\n" + `<sample lb="1"/>` + "\n"
	pieces := []string{
		`<sample t="5" lb="a"/>` + "\n", `<httpSample t="5" lb="b">` + "\n  <sample lb=\"b-0\"/>\n</httpSample>\n", "\n\n",
		`<sample lb="c">` + "\n  <responseData>x\n&lt;sample y\n</responseData>\n</sample>\n", "</testResults>\n", head,
		`<sample lb="open">` + "\n  <sample lb=\"in\"/>\n", "  <responseData>text\n", "</sample>\n", `<sample t="x"/>` + "\n",
	}
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		b.WriteString(head + first)
		for range 1 + rnd.IntN(40) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		sameXMLWherever(t, b.String())
	}
}

// sameXMLWherever compares reading in one go with reading chunks, both as a file
// of JMeter's layout.
func sameXMLWherever(t *testing.T, data string) {
	t.Helper()
	read := func(chunk int) (string, *Report) {
		r, err := NewReader(strings.NewReader(data), ReadOptions{Workers: 1, chunk: max(chunk, 4096)})
		if err != nil {
			t.Fatal(err)
		}
		r.d.lines, r.d.indent, r.d.cdata = true, 0, false // which damage at the beginning may have hidden
		how := r.Read
		if chunk > 0 {
			split := &xmlSplitter{blocks{src: r.src, size: chunk, line: 1}}
			parsers := []chunkParser{newXMLParser(&r.d, r.opt)}
			how = func(v Visit) (*Report, error) { return r.run(split.next, parsers, v) }
		}
		got, rep, err := printXML(how)
		if err != nil {
			t.Fatalf("%v in %q", err, data)
		}
		return got, rep
	}
	want, wantRep := read(0)
	for _, chunk := range []int{16, 50, 300} {
		if got, rep := read(chunk); got != want || !reflect.DeepEqual(rep, wantRep) {
			t.Fatalf("chunks of %d of %q:\n got %s%+v\nwant %s%+v", chunk, data, got, rep, want, wantRep)
		}
	}
}

func TestReadXMLWorkers(t *testing.T) {
	const n = 20_000
	data := bytes.Replace(file(n, XML), []byte("\n</testResults>"), []byte("<![CDATA[x]]>\n</testResults>"), 1)
	r, err := NewReader(bytes.NewReader(data), ReadOptions{Workers: 4, chunk: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	if !r.d.lines {
		t.Error("not taken for JMeter's layout")
	}
	var sum, rows, chunks [4]int64
	rep, err := r.Read(func(w int, r *Row) error {
		sum[w] += r.Elapsed
		rows[w]++
		if r.Line != 3*(r.TimeStamp-1_700_000_000_000)+3 || int64(r.Chunk) < chunks[w] {
			return fmt.Errorf("line %d, chunk %d after %d", r.Line, r.Chunk, chunks[w])
		}
		chunks[w] = int64(r.Chunk)
		return nil
	})
	var want int64
	for i := range n {
		want += typical(i).Elapsed
	}
	if got := sum[0] + sum[1] + sum[2] + sum[3]; err != nil || rep.Rows != n || rep.Truncated || got != want {
		t.Errorf("%+v %v: %d ms, want %d", rep, err, got, want)
	}
	if rows[0]+rows[1]+rows[2]+rows[3] != n {
		t.Errorf("%v rows", rows)
	}
}

func TestReadXMLDates(t *testing.T) {
	const data = `<testResults><sampleResult timeStamp="2003/05/06 07:08:09" label="a"/></testResults>`
	f, err := NewDateFormat("yyyy-MM-dd HH:mm:ss", DefaultConfig().location())
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Parse([]byte("2003-05-06 07:08:09"), false)
	if err != nil {
		t.Fatal(err)
	}
	got, rep, err := xmlRows(data, ReadOptions{})
	if err != nil || rep.Rows != 1 || !strings.HasPrefix(got, fmt.Sprintf("1: %d ", want)) {
		t.Errorf("%s %+v %v", got, rep, err)
	}
}

func TestReadXMLCharset(t *testing.T) {
	data := []byte(`<?xml version="1.0" encoding="ISO-8859-1"?><testResults version="1.2"><sample lb="caf` + "\xe9" + `"/></testResults>`)
	got, _, err := xmlRows(string(data), ReadOptions{})
	if err != nil || !strings.Contains(got, "café") {
		t.Errorf("%q %v", got, err)
	}
}

func FuzzReadXML(f *testing.F) {
	f.Add([]byte(`<testResults version="1.2"><httpSample t="1" lb="&#x0;"><sample/><java.net.URL>u</java.net.URL></httpSample></testResults>`))
	f.Add([]byte(`<testResults><sampleResult label='a'><assertionResult failureMessage="x"/></sampleResult>`))
	f.Add([]byte(`<testResults version="1.0"><sample lb="%41+"></testResults><testResults><![CDATA[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !bytes.Contains(data, []byte("<testResults")) {
			data = append([]byte("<testResults>"), data...)
		}
		r, err := NewReader(bytes.NewReader(data), ReadOptions{chunk: 4096})
		if err != nil {
			return
		}
		n := int64(0)
		rep, err := r.Read(func(int, *Row) error { n++; return nil })
		if rep.Rows != n {
			t.Errorf("%d rows reported, %d visited", rep.Rows, n)
		}
		if err != nil {
			return
		}
		r, err = NewReader(bytes.NewReader(data), ReadOptions{chunk: 4096})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.ReadSamples(func(*Sample) error { return nil }); err != nil {
			t.Errorf("as samples: %v", err)
		}
	})
}
