package jtl

import (
	"strings"
	"testing"
	"time"
)

func text(s string) *string { return &s }

func TestAppendRow(t *testing.T) {
	plain := Sample{
		Start: 1796024198620, End: 1796024198784, Elapsed: 164, Label: "Page", Code: "200", Message: "OK", ThreadName: "TG A 1-1",
		DataType: "text", Success: true, Bytes: 551, SentBytes: 374, GroupThreads: 1, AllThreads: 2, URL: "http://h/", Latency: 15,
		IdleTime: 3, Connect: 11, SampleCount: 1,
	}
	with := func(change func(*Sample)) *Sample {
		s := plain
		change(&s)
		return &s
	}
	config := func(change func(*Config)) *Config {
		c := DefaultConfig()
		change(c)
		return c
	}
	date, err := NewDateFormat("yyyy/MM/dd HH:mm:ss.SSS, z", time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	const head, mid, tail = "1796024198620,164,", ",200,OK,TG A 1-1,text,true,", ",551,374,1,2,http://h/,15,3,11\n"
	for _, test := range []struct {
		name string
		c    *Config
		s    *Sample
		want string
	}{
		{"default", DefaultConfig(), &plain, head + "Page" + mid + tail},
		{"delimiter in text", DefaultConfig(), with(func(s *Sample) { s.Label = "a,b" }), head + `"a,b"` + mid + tail},
		{"quotes", DefaultConfig(), with(func(s *Sample) { s.Label = `"a"""` }), head + `"""a"""""""` + mid + tail},
		{"a quote", DefaultConfig(), with(func(s *Sample) { s.Label = `"` }), head + `""""` + mid + tail},
		{"line ends", DefaultConfig(), with(func(s *Sample) { s.Label = "a\r\nb" }), head + "\"a\r\nb\"" + mid + tail},
		{"raw", DefaultConfig(), with(func(s *Sample) { s.Label = " \t'\x00; " }), head + " \t'\x00; " + mid + tail},
		{"failure", DefaultConfig(), with(func(s *Sample) {
			s.Assertions = []Assertion{{Name: "a"}, {Failure: true, Message: "no \"x\"", HasMessage: true}, {Message: "2", HasMessage: true}}
		}), head + "Page" + mid + `"no ""x"""` + tail},
		{"nulls", DefaultConfig(), &Sample{NoMessage: true}, "0,0,,,null,,,false,,0,0,0,0,null,0,0,0\n"},
		{"semicolon", config(func(c *Config) { c.Delimiter = ';' }), with(func(s *Sample) { s.Label, s.Message = "a,b", "c;d" }),
			"1796024198620;164;a,b;200;\"c;d\";TG A 1-1;text;true;;551;374;1;2;http://h/;15;3;11\n"},
		{"end stamp", config(func(c *Config) { c.StampStart = false }), &plain, "1796024198784,164,Page" + mid + tail},
		{"no stamp", config(func(c *Config) { c.Timestamp = false }), &plain, "164,Page" + mid + tail},
		{"date", config(func(c *Config) { c.DateFormat = date }), &plain, `"2026/11/30 07:36:38.620, UTC",164,Page` + mid + tail},
		{"no success", config(func(c *Config) { c.Success = false }), &plain, strings.Replace(head+"Page"+mid+tail, ",true", "", 1)},
		{"nothing", &Config{Delimiter: ','}, &plain, "\n"},
		{"one", &Config{Delimiter: ',', Label: true}, &plain, "Page\n"},
		{"last is empty", &Config{Delimiter: ',', Label: true, Message: true}, &Sample{}, ",\n"},
		{"all", config(func(c *Config) {
			c.FileName, c.Encoding, c.SampleCount, c.Hostname, c.LocalHost = true, true, true, true, "here"
			c.Variables = []string{"u", "v", "w"}
		}), with(func(s *Sample) {
			s.FileName, s.SampleCount, s.ErrorCount, s.Vars = "f.bin", 3, 2, []*string{text(`x"`), nil}
		}), head + "Page" + mid + ",551,374,1,2,http://h/,f.bin,15,UTF-8,3,2,here,3,11,\"x\"\"\",null,null\n"},
	} {
		if got := string(test.c.AppendRow([]byte("before\n"), test.s)); got != "before\n"+test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, "before\n"+test.want)
		}
	}
}

// The rows of sub-results follow their parent, with the host and the variables of
// the whole.
func TestAppendRowSubresults(t *testing.T) {
	c := &Config{Label: true, Hostname: true, Subresults: true, Delimiter: ',', Variables: []string{"v"}, LocalHost: "me"}
	s := &Sample{Label: "a", Vars: []*string{text("1")}, Subs: []*Sample{
		{Label: "a-0", Hostname: "other", Vars: []*string{text("2")}, Subs: []*Sample{{Label: "a-0-0"}}}, {Label: "a-1"},
	}}
	const want = "a,me,1\na-0,me,1\na-0-0,me,1\na-1,me,1\n"
	if got := string(c.AppendRow(nil, s)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.Subresults = false
	if got := string(c.AppendRow(nil, s)); got != "a,me,1\n" {
		t.Errorf("without sub-results: %q", got)
	}
}

func TestAppendHeader(t *testing.T) {
	c := DefaultConfig()
	const want = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes," +
		"grpThreads,allThreads,URL,Latency,IdleTime,Connect"
	if got := string(c.AppendHeader(nil)); got != want+"\n" {
		t.Errorf("got %q", got)
	}
	c.Variables = []string{"a", "b"}
	if got := string(c.AppendHeader(nil)); got != want+",\"a\",\"b\"\n" {
		t.Errorf("with variables: %q", got)
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	s := typical(3)
	s.Message, s.Assertions = `quo"ted, text`, []Assertion{{Message: "m", HasMessage: true}}
	s.Subs = []*Sample{typical(4)}
	csv, xml := fullConfig(), fullConfig()
	csv.Variables = []string{"v"}
	date, err := NewDateFormat("yyyy-MM-dd HH:mm:ss.SSS", time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	csv.DateFormat = date
	dst := make([]byte, 0, 64<<10)
	if n := testing.AllocsPerRun(100, func() { dst = csv.AppendRow(dst[:0], s) }); n != 0 {
		t.Errorf("AppendRow: %v allocations", n)
	}
	xml.ResponseData = false
	if n := testing.AllocsPerRun(100, func() { dst = xml.AppendXML(dst[:0], s) }); n != 0 {
		t.Errorf("AppendXML: %v allocations", n)
	}
}
