package jtl

import (
	"bytes"
	"reflect"
	"testing"
)

// clean drops from s what is no UTF-8: files are in it.
func clean(s string) string { return string(bytes.ToValidUTF8([]byte(s), []byte("?"))) }

// FuzzRoundTrip writes samples of any content and reads them again, in all formats.
func FuzzRoundTrip(f *testing.F) {
	f.Add("label", "200", "OK, \"fine\"\n", "http://h/", "failed", int64(1_700_000_000_000), int64(5), true, byte(','))
	f.Add("\r", "", "null", "", "\x00\x1f\u0085\ufffe", int64(-1), int64(1)<<50, false, byte(';'))
	f.Add("1,2", "3\t4", "&lt;&#x0;", "<>", "]]>", int64(0), int64(0), false, byte('\t'))
	f.Fuzz(func(t *testing.T, label, code, message, url, failure string, start, elapsed int64, success bool, delim byte) {
		const limit = 1e17 // keeps End a number of 18 digits
		if delim == '-' {
			return // JMeter does not quote negative numbers
		}
		if _, ok := parseDelimiter(string(rune(delim))); !ok || start > limit || start < -limit || elapsed > limit || elapsed < -limit {
			return
		}
		want := &Sample{
			Label: clean(label), Code: clean(code), Message: clean(message), URL: clean(url), ThreadName: "t 1-1", DataType: "text",
			Encoding: "UTF-8", Hostname: "h", Start: start, End: start + elapsed, Elapsed: elapsed, Latency: 1, Connect: 2, IdleTime: 3,
			Bytes: 4, SentBytes: 5, GroupThreads: 6, AllThreads: 7, SampleCount: 1, Success: success, FileName: clean(label),
			Vars: []*string{text(clean(message)), text("")},
		}
		if !success {
			want.ErrorCount = 1
		}
		if failure != "" {
			want.Assertions = []Assertion{{Failure: !success, Message: clean(failure), HasMessage: true}}
		}
		if want.URL == "null" || *want.Vars[0] == "null" {
			return // cannot be told from none
		}
		want.Transaction = (&Row{Message: []byte(want.Message)}).IsTransaction()
		for _, format := range []Format{CSV, XML, JSON} {
			c := fullConfig()
			c.Format, c.Delimiter, c.Variables = format, delim, []string{"v", "w"}
			c.ResponseData, c.SamplerData, c.ResponseHeaders, c.RequestHeaders = false, false, false, false
			data := c.AppendStart(nil)
			w := *want
			if format != CSV {
				if w.ErrorCount == 0 {
					w.HTTP = true
				}
				if len(w.Assertions) > 0 {
					w.Assertions = []Assertion{{Name: "a", Failure: true, Message: clean(failure), HasMessage: true}}
				}
			}
			data = c.AppendEnd(c.Append(data, &w))
			r, err := NewReader(bytes.NewReader(data), ReadOptions{Config: c, chunk: 4096})
			if err != nil {
				t.Fatalf("%s: %v in %q", format, err, data)
			}
			n := 0
			rep, err := r.ReadSamples(func(got *Sample) error {
				n++
				got.written = nil
				for _, s := range []*Sample{got, &w} {
					s.Body, s.Subs = nil, nil
					if len(s.Assertions) == 0 {
						s.Assertions = nil
					}
				}
				if !reflect.DeepEqual(got, &w) {
					t.Errorf("%s:\n got %+v\nwant %+v\nfile %q", format, got, &w, data)
				}
				return nil
			})
			if err != nil || n != 1 || rep.Skipped != 0 || rep.Truncated {
				t.Errorf("%s: %d samples, %+v, %v in %q", format, n, rep, err, data)
			}
		}
	})
}

func FuzzReadCSV(f *testing.F) {
	f.Add([]byte(header + good))
	f.Add([]byte(header + good + `1700000000000,5,"a""b` + "\n" + `",200,true,"",10,1` + "\r\n" + `"x`))
	f.Add([]byte("1700000000000;10;A;200;OK;T 1-1;text;true\n\"\n;;\n"))
	f.Add([]byte("Connect\n0,\"\"\"\n\",0000\"0"))
	f.Add([]byte("label\telapsed\rx\t1\r\"\t\"\t2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(bytes.NewReader(data), ReadOptions{})
		if err != nil || r.Info().Format != CSV {
			return
		}
		sameWherever(t, string(data))
	})
}
