package main_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gojm/gojm/testdata/target"
)

func TestNormalCSV(t *testing.T) {
	c := &conformanceCase{dir: "/cases/one", ignore: []string{"bytes"}}
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", "(empty)\n"},
		{"times and ignored columns go", "timeStamp,elapsed,label,bytes,Latency\n1,2,a,3,4\n", "label\na\n"},
		{"rows by group, thread, order", "label,threadName\na,tg 1-10\nb,tg 1-2\nc,aa 2-1\nd,tg 1-2\ne,main\n",
			"label,threadName\nc,aa 2-1\ne,main\nb,tg 1-2\nd,tg 1-2\na,tg 1-10\n"},
		{"quotes only where needed", "label,x\n\"a,b\",\"c\"\n\"say \"\"hi\"\"\",\"two\nlines\"\n", "label,x\n\"a,b\",c\n\"say \"\"hi\"\"\",\"two\nlines\"\n"},
		{"quotes in wrong places are text", "label,x\na\"b,\"c\"d\"\n", "label,x\n\"a\"\"b\",\"cd\"\"\"\n"},
		{"line ends", "label,x\r\na,b\rc,\n\nd", "label,x\na,b\nc,\n(missing),(missing)\nd,(missing)\n"},
		{"one empty field", "label\n\"\"\n", "label\n\"\"\n"},
		{"an open quote", "label,x\na,\"b\nc", "label,x\na,\"b\nc\"\n"},
		{"more fields than columns", "label\na,b\n", "label\na\n"},
		{"place and boundary", "label,x\n/cases/one/f.csv,Boundary=aB-'9; x\n", "label,x\n{dir}/f.csv,Boundary={boundary}; x\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := c.normalCSV([]byte(tt.in))
			if err != nil || got != tt.want {
				t.Errorf("%v\n%s", err, cmp.Diff(tt.want, got))
			}
		})
	}
	for _, bad := range []string{"label,threadName\na\n", "label\n\xff\n"} {
		if got, err := c.normalCSV([]byte(bad)); err == nil {
			t.Errorf("%q: got %q, want an error", bad, got)
		}
	}
}

func TestNormalXML(t *testing.T) {
	c := &conformanceCase{dir: "/cases/one", ignore: []string{"by", "responseData"}}
	for _, tt := range []struct{ name, in, want string }{
		{"nothing in it", `<testResults version="1.2"></testResults>`, ""},
		{"attributes by name, times and ignored ones gone", `<r><sample t="1" lb="a" by="2" dt=""/></r>`, "sample dt='' lb='a'\n"},
		{"samples by thread", `<r><s tn="t 1-2" n="1"/><s tn="t 1-1" n="2"/><s tn="t 1-2" n="3"/></r>`,
			"s n='2' tn='t 1-1'\ns n='1' tn='t 1-2'\ns n='3' tn='t 1-2'\n"},
		{"quotes and escapes", `<r><s a="it's" b='say "hi"' c="'&quot;" d="a\b&#10;&#9;&#13;é&#x7f;&#xa0;&#x200b;&#x1f600;&#xf0000;"/></r>`,
			`s a="it's" b='say "hi"' c='\'"' d='a\\b\n\t\ré\x7f\xa0\u200b` + "\U0001F600" + `\U000f0000'` + "\n"},
		{"a line end in a value is a space", "<r>\n<s a=\"x > 1\n2\" b='\t'/>\n</r>", "s a='x > 1 2' b=' '\n"},
		{"text line by line", "<r><s><d>\none\r\n\n<![CDATA[t<w>o]]>\n</d><e> \n</e><responseData>no</responseData>\n</s></r>",
			"s\n  d\n    | one\n    | \n    | t<w>o\n  e\n"},
		{"all line ends", "<r><d>a&#x85;b&#x2028;c&#13;&#10;d</d></r>", "d\n  | a\n  | b\n  | c\n  | d\n"},
		{"text after a child is none of the results", "<r><s>a<!-- x -->b<d/>c</s></r>", "s\n  | ab\n  d\n"},
		{"parts of a form", "<r><d>\n--x-yz0123456789abcdef\nContent\n--short\n</d></r>", "d\n  | {boundary}\n  | Content\n  | --short\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := c.normalXML([]byte(tt.in))
			if err != nil || got != tt.want {
				t.Errorf("%v\n%s", err, cmp.Diff(tt.want, got))
			}
		})
	}
	for _, bad := range []string{"", "<r>", "<r/><r/>", "<r/>x", `<r a="1" a="2"/>`, "<r>&#1;</r>", "<r>\xff</r>", "<r a='\xff\n'/>", "<r>&nbsp;</r>"} {
		if got, err := c.normalXML([]byte(bad)); err == nil {
			t.Errorf("%q: got %q, want an error", bad, got)
		}
	}
}

func TestPortsLikeRecorded(t *testing.T) {
	p := target.Ports{HTTP: 7100, HTTPS: 7101, Cert: 7105, TCP: 7102, Full: 7103, Closed: 7104}
	in := "http://127.0.0.1:7100/ 127.0.0.1%3A7101%2F 7102 71020 17103 :7103 7104 7105"
	want := "http://127.0.0.1:8098/ 127.0.0.1%3A8443%2F 8097 71020 17103 :8096 8095 8444"
	if got := likeRecorded(in, p); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := replaceNumber(strings.Repeat("7100", 2)+" 7100", "7100", "8098"); got != "71007100 8098" {
		t.Errorf("numbers side by side are one number: got %s", got)
	}
}
