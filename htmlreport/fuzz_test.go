package htmlreport

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// FuzzReport makes a whole report of any bytes: whatever is in a file, the page
// and statistics.json come out well-formed, or there is an error.
func FuzzReport(f *testing.F) {
	for _, name := range []string{"transactions", "errors", "unicode", "xml-nested", "variables", "quirk-success-word", "headerless", "err-open-quote", "sample-count"} {
		b, err := os.ReadFile(filepath.Join(goldenDir, name, "in.jtl"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("timeStamp,elapsed,label,success\n1,9223372036854775807,a,true\n-9223372036854775808,2,a,true\n"))
	f.Add([]byte("timeStamp,elapsed,label,success,Latency\n1000,5,\xff\xfe,true,1\n900000000000000,2,</script>,false,2\n"))
	path := filepath.Join(f.TempDir(), "fuzz.jtl")
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Read([]string{path}, DefaultOptions())
		if err != nil {
			return
		}
		var entries map[string]struct{ SampleCount, ErrorCount int64 }
		b, err := r.StatisticsJSON()
		if err != nil || json.Unmarshal(b, &entries) != nil {
			t.Fatalf("statistics.json: %s %v", b, err)
		}
		var samples int64
		for _, row := range r.Rows {
			if row.Samples < 0 || row.Errors > row.Samples || entries[row.Label].SampleCount < 0 {
				t.Fatalf("%+v", row)
			}
			samples += row.Samples
		}
		if r.Total.Samples > samples {
			t.Fatalf("%d samples in all, %d by label", r.Total.Samples, samples)
		}
		page, err := r.page([]byte("var echarts;"))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(page, []byte("</script>")); n != 3 {
			t.Fatalf("%d scripts end in the page", n)
		}
	})
}

// FuzzOptions reads any property value: good options, or an error.
func FuzzOptions(f *testing.F) {
	f.Add("a:1|2;b.*:3|4", "x(", "yyyyMMdd", "20240101")
	f.Add("::||;|:;", "[a&&b]", "'", "")
	f.Add("${jmeter.reportgenerator.sample_filter}", "${jmeter.reportgenerator.apdex_per_transaction}", "${", "1")
	f.Fuzz(func(t *testing.T, apdex, filter, format, date string) {
		o, err := optionsOf(map[string]string{
			prefix + "apdex_per_transaction": apdex, prefix + "sample_filter": filter,
			prefix + "date_format": format, prefix + "start_date": date, exporterPrefix + "series_filter": filter,
		})
		if err != nil {
			if errors.Unwrap(err) == nil && err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		o.thresholds("label")
		o.SampleFilter.Matches("label")
	})
}
