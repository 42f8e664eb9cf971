package jtl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const rewriteCSV = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect,\"user\"\n" +
	"1700000000000,10,\"a \"\"b\"\", c\",200,OK,T 1-1,text,true,,100,10,1,1,http://127.0.0.1/,5,0,1,bob\n" +
	"1700000000020,20,\"two\nlines\",500,No,T 1-1,text,false,\"was \"\"no\"\"\",100,10,1,1,null,5,0,1,null\n"

const rewriteXML = `<?xml version="1.0" encoding="UTF-8"?>
<testResults version="1.2">
<sample t="30" lt="0" ct="0" ts="1700000000000" s="false" lb="TX &lt;1>" rc="" rm="Number of samples in transaction : 1, number of failing samples : 1" tn="T 1-1" dt="" by="10" sby="1" ng="1" na="1" user="bob">
  <!-- a word -->
  <httpSample t="30" lt="5" ct="1" ts="1700000000000" s="false" lb="GET" rc="500" rm="No" tn="T 1-1" dt="text" by="10" sby="1" ng="1" na="1" user="bob">
    <assertionResult>
      <name>is fine</name>
      <failure>true</failure>
      <error>false</error>
      <failureMessage>was "no"</failureMessage>
    </assertionResult>
    <responseData class="java.lang.String"><![CDATA[<b>]]></responseData>
    <java.net.URL>http://127.0.0.1/</java.net.URL>
  </httpSample>
</sample>
<httpSample t="1" lt="1" ct="1" ts="1700000000100" s="true" lb="B" rc="200" rm="OK" tn="T 1-1" dt="text" by="1" sby="1" ng="1" na="1" user=""/>

</testResults>
`

// rawOf puts a file together again from its raw rows.
func rawOf(t *testing.T, text string) string {
	t.Helper()
	r, err := NewReader(strings.NewReader(text), ReadOptions{Workers: 1, Raw: true, TopOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	out := r.AppendRawStart(nil)
	if _, err := r.Read(func(_ int, row *Row) error {
		out = append(append(out, row.Raw...), '\n')
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestRaw(t *testing.T) {
	if diff := cmp.Diff(rewriteCSV, rawOf(t, rewriteCSV)); diff != "" {
		t.Errorf("CSV (-want +got)\n%s", diff)
	}
	want := strings.TrimSuffix(rewriteXML, "\n</testResults>\n")
	if diff := cmp.Diff(want, rawOf(t, rewriteXML)); diff != "" {
		t.Errorf("XML (-want +got)\n%s", diff)
	}
	headless := "1700000000000,10,a,200,OK,T 1-1,text,true\n"
	if diff := cmp.Diff("timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success\n"+headless, rawOf(t, headless)); diff != "" {
		t.Errorf("without header (-want +got)\n%s", diff)
	}
}

// What is made of raw rows is read as the same rows, and nothing is wrong with it.
func FuzzRaw(f *testing.F) {
	f.Add([]byte(rewriteCSV))
	f.Add([]byte(rewriteXML))
	f.Add([]byte("1700000000000,10,a,200,OK,T 1-1,text,true\n"))
	f.Add([]byte("label;elapsed;\"v\"\na;1;\"x\ny\"\nb;\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		type content struct {
			start  []byte
			format Format
			raw    [][]byte
			rows   []string
			rep    *Report
		}
		read := func(file []byte) (*content, error) {
			r, err := NewReader(bytes.NewReader(file), ReadOptions{Workers: 1, Raw: true, TopOnly: true})
			if err != nil {
				return nil, err
			}
			c := &content{start: bytes.TrimSuffix(r.AppendRawStart(nil), []byte("\n")), format: r.Info().Format}
			c.rep, err = r.Read(func(_ int, row *Row) error {
				c.raw = append(c.raw, bytes.Clone(row.Raw))
				c.rows = append(c.rows, fmt.Sprintf("%q %d %d %t", row.Label, row.TimeStamp, row.Elapsed, row.Success))
				return nil
			})
			return c, err
		}
		c, err := read(file)
		if err != nil || len(c.raw) == 0 {
			return
		}
		whole := bytes.Join(append([][]byte{c.start}, c.raw...), []byte("\n"))
		whole = (&Config{Format: c.format}).AppendEnd(append(whole, '\n'))
		again, err := read(whole)
		if err != nil {
			t.Fatalf("%v\n%q\n%q", err, file, whole)
		}
		if diff := cmp.Diff(c.rows, again.rows); diff != "" || again.rep.Skipped > 0 || again.rep.Truncated {
			t.Errorf("%+v (-first +again)\n%s\n%q\n%q", again.rep, diff, file, whole)
		}
	})
}

// rewrite reads all samples of a file and writes them by encode.
func rewrite(t *testing.T, text string, format Format, encode func(*Config, []byte, *Sample) []byte) string {
	t.Helper()
	r, err := NewReader(strings.NewReader(text), ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := ConfigFor(ReadOptions{}, r.Info())
	c.Format = format
	at := c.VarsOf(r.Info())
	var out []byte
	if encode == nil {
		encode = (*Config).Append
		out = c.AppendStart(nil)
	}
	if _, err := r.ReadSamples(func(s *Sample) error {
		ArrangeVars(s, at)
		out = encode(c, out, s)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(out) > 0 && out[0] == '<' {
		out = c.AppendEnd(out)
	}
	return string(out)
}

// A file written with the configuration that was read off it is the same again.
func TestConfigFor(t *testing.T) {
	if diff := cmp.Diff(rewriteCSV, rewrite(t, rewriteCSV, CSV, nil)); diff != "" {
		t.Errorf("CSV (-want +got)\n%s", diff)
	}
	got := rewrite(t, rewriteXML, XML, nil)
	for _, want := range []string{`<assertionResult>`, `&lt;b&gt;</responseData>`, `lb="TX &lt;1&gt;"`, `user="bob"`, "<java.net.URL>http://127.0.0.1/</java.net.URL>"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "sc=") || strings.Contains(got, "requestHeader") || strings.Contains(got, "<method") {
		t.Errorf("more than there was:\n%s", got)
	}
	// What it writes is read the same.
	if diff := cmp.Diff(got, rewrite(t, got, XML, nil)); diff != "" {
		t.Errorf("XML again (-want +got)\n%s", diff)
	}
	csv := rewrite(t, rewriteXML, CSV, nil)
	if lines := strings.Split(csv, "\n"); len(lines) != 5 || !strings.Contains(lines[2], `,GET,500,No,T 1-1,text,false,"was ""no""",10,1,`) {
		t.Errorf("XML as CSV:\n%s", csv)
	}
}

func TestVarsOf(t *testing.T) {
	a, err := Detect([]byte("timeStamp,label,\"x\",\"y\"\n1,a,1,2\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Detect([]byte("timeStamp,label,\"y\",\"z\"\n1,a,3,4\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := ConfigFor(ReadOptions{}, &a, &b)
	if diff := cmp.Diff([]string{"x", "y", "z"}, c.Variables); diff != "" {
		t.Fatal(diff)
	}
	three, four := "3", "4"
	s := &Sample{Vars: []*string{&three, &four}}
	ArrangeVars(s, c.VarsOf(&b))
	if s.Vars[0] != nil || s.Vars[1] != &three || s.Vars[2] != &four {
		t.Errorf("%v", s.Vars)
	}
}

func TestAppendJSON(t *testing.T) {
	encode := (*Config).AppendJSON
	for text, want := range map[string][]string{
		rewriteCSV: {
			`{"timeStamp":1700000000000,"elapsed":10,"label":"a \"b\", c","responseCode":"200","responseMessage":"OK","threadName":"T 1-1","dataType":"text","success":true,"failureMessage":"","bytes":100,"sentBytes":10,"grpThreads":1,"allThreads":1,"URL":"http://127.0.0.1/","Latency":5,"IdleTime":0,"Connect":1,"variables":{"user":"bob"}}`,
			`{"timeStamp":1700000000020,"elapsed":20,"label":"two\nlines","responseCode":"500","responseMessage":"No","threadName":"T 1-1","dataType":"text","success":false,"failureMessage":"was \"no\"","bytes":100,"sentBytes":10,"grpThreads":1,"allThreads":1,"URL":null,"Latency":5,"IdleTime":0,"Connect":1,"variables":{"user":null}}`,
		},
		rewriteXML: nil,
	} {
		got := strings.Split(strings.TrimSuffix(rewrite(t, text, CSV, encode), "\n"), "\n")
		for i, line := range got {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %s", line)
			}
			if want != nil && line != want[i] {
				t.Error(cmp.Diff(want[i], line))
			}
		}
		if want == nil {
			var tx struct {
				SubResults []struct {
					Label, ResponseData string
					AssertionResults    []struct{ FailureMessage string }
				}
			}
			if err := json.Unmarshal([]byte(got[0]), &tx); err != nil {
				t.Fatal(err)
			}
			if len(got) != 2 || len(tx.SubResults) != 1 || tx.SubResults[0].ResponseData != "<b>" || tx.SubResults[0].AssertionResults[0].FailureMessage != `was "no"` {
				t.Errorf("%+v in %q", tx, got)
			}
		}
	}
}

func FuzzAppendJSON(f *testing.F) {
	f.Add("a\x00\"\\\xff\u2028")
	f.Fuzz(func(t *testing.T, text string) {
		c := DefaultConfig()
		c.Variables = []string{text}
		b := c.AppendJSON(nil, &Sample{Label: text, Vars: []*string{&text}, URL: text})
		if !json.Valid(b) || bytes.Count(b, []byte("\n")) != 1 {
			t.Errorf("%q", b)
		}
	})
}

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.jtl", "a.jtl.gz", "a.jtl.zst"} {
		path := filepath.Join(dir, name)
		write := func(replace bool, text string) error {
			o, err := CreateOutput(path, replace)
			if err != nil {
				return err
			}
			if _, err := o.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
			return o.Commit()
		}
		if err := write(false, "timeStamp,label\n"); err != nil {
			t.Fatal(err)
		}
		if err := write(false, ""); !errors.Is(err, os.ErrExist) {
			t.Errorf("%s: %v, want that it exists", name, err)
		}
		if err := write(true, rewriteCSV); err != nil {
			t.Fatal(err)
		}
		if rep, err := ReadFile(path, ReadOptions{}, func(int, *Row) error { return nil }); err != nil || rep.Rows != 2 {
			t.Errorf("%s: %+v %v", name, rep, err)
		}
	}
	o, err := CreateOutput(filepath.Join(dir, "b"), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Abandon(); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 3 {
		t.Errorf("%v %v", files, err)
	}
}
