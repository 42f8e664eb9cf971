package listener

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gojm/gojm/htmlreport"
	"github.com/gojm/gojm/jtl"
)

const goldenDir = "../../testdata/report"

// optionsOf are the options of a recorded case: its properties, where they were
// in force when the listeners' tables were saved.
func optionsOf(t *testing.T, name string) Options {
	t.Helper()
	opt := DefaultOptions()
	switch name {
	case "dates", "end-stamps", "headerless-2x-10col":
	default:
		return opt
	}
	args, err := os.ReadFile(filepath.Join(goldenDir, name, "args"))
	if err != nil {
		t.Fatal(err)
	}
	props := map[string]string{}
	for _, arg := range strings.Split(string(args), "\n") {
		if key, value, ok := strings.Cut(strings.TrimPrefix(arg, "-J"), "="); ok {
			props[key] = value
		}
	}
	cfg, err := jtl.ConfigFromProperties(func(name string) (string, bool) { v, ok := props[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	opt.Read.Config = &cfg
	return opt
}

// The tables are those that JMeter's listeners saved and jmeter-plugins wrote, to
// the byte, whether one worker reads or two.
func TestTablesGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goldenDir, "*", "aggregate.csv"))
	if err != nil || len(files) < 25 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	tables := map[string]Layout{
		"aggregate.csv": AggregateReport, "summary.csv": SummaryReport,
		"plugins/AggregateReport.csv": PluginAggregateReport, "plugins/SynthesisReport.csv": SynthesisReport,
	}
	compared := 0
	for _, file := range files {
		dir := filepath.Dir(file)
		for csv, layout := range tables {
			want, err := os.ReadFile(filepath.Join(dir, csv))
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			for _, workers := range []int{1, 2} {
				t.Run(filepath.Base(dir)+"/"+csv, func(t *testing.T) {
					opt := optionsOf(t, filepath.Base(dir))
					opt.Layout, opt.Read.Workers = layout, workers
					table, err := Read([]string{filepath.Join(dir, "in.jtl")}, opt)
					if err != nil {
						t.Fatal(err)
					}
					var got bytes.Buffer
					if err := table.WriteCSV(&got); err != nil {
						t.Fatal(err)
					}
					expected := string(want)
					if filepath.Base(dir) == "unicode" { // JMeter does not quote a line break
						expected = strings.Replace(expected, "line\nbreak", "\"line\nbreak\"", 1)
					}
					if diff := cmp.Diff(strings.TrimSpace(expected), strings.TrimSpace(got.String())); diff != "" {
						t.Errorf("(-want +got)\n%s", diff)
					}
					compared++
				})
			}
		}
	}
	if compared < 100 {
		t.Errorf("only %d tables compared", compared)
	}
}

func read(t *testing.T, text string, opt Options) *Table {
	t.Helper()
	file := filepath.Join(t.TempDir(), "in.jtl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := Read([]string{file}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

const head = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,sentBytes,grpThreads,allThreads,Latency,Connect\n"

const three = head +
	"1700000000000,100,b|<i>,200,OK,Users 1-1,true,1024,512,1,1,50,1\n" +
	"1700000000500,200,a,500,Error,Users 1-2,false,1024,512,2,2,60,2\n" +
	"1700000001000,300,a,200,OK,Users 1-1,true,1024,512,2,2,70,3\n"

func TestText(t *testing.T) {
	table := read(t, three, DefaultOptions())
	var text, markdown, asJSON bytes.Buffer
	for _, err := range []error{table.WriteText(&text), table.WriteMarkdown(&markdown), table.WriteJSON(&asJSON)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := `Label  # Samples  Average  Median  90% Line  95% Line  99% Line  Min  Max  Error %  Throughput  Received KB/sec  Sent KB/sec  Std. Dev.
b|<i>          1      100     100       100       100       100  100  100    0.00%    10.0/sec            10.00         5.00       0.00
a              2      250     200       300       300       300  200  300   50.00%     2.5/sec             2.50         1.25      50.00
TOTAL          3      200     200       300       300       300  100  300   33.33%     2.3/sec             2.31         1.15      81.65
`
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("text (-want +got)\n%s", diff)
	}
	if rows := strings.Split(markdown.String(), "\n"); len(rows) != 6 || !strings.HasPrefix(rows[2], `| b\|&lt;i> | 1 | 100 |`) ||
		!strings.HasPrefix(rows[1], "|:--|--:|") {
		t.Errorf("markdown:\n%s", markdown.String())
	}
	var got struct {
		Rows  []map[string]any
		Total map[string]any
	}
	if err := json.Unmarshal(asJSON.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 2 || got.Rows[0]["label"] != "b|<i>" || got.Rows[1]["pct90"] != 300.0 || got.Total["samples"] != 3.0 ||
		got.Total["average"] != 200.0 || got.Rows[1]["throughput"] != 2.5 {
		t.Errorf("JSON: %s", asJSON.String())
	}
}

// A rate over no time is no number of JSON's.
func TestNoTime(t *testing.T) {
	table := read(t, head+"1700000000000,0,a,200,OK,Users 1-1,true,0,0,1,1,0,0\n", DefaultOptions())
	var b bytes.Buffer
	if err := table.WriteJSON(&b); err != nil || !strings.Contains(b.String(), `"throughput": null`) {
		t.Errorf("%v %s", err, b.String())
	}
}

func TestFilter(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name   string
		filter Filter
		want   string // labels and their samples
	}{
		{"all", Filter{}, "b|<i>:1 a:2"},
		{"include", Filter{Include: "a,c"}, "a:2"},
		{"exclude", Filter{Exclude: "a"}, "b|<i>:1"},
		{"regex", Filter{Include: "[a-z]", IncludeRegex: true}, "a:2"},
		{"exclude by regex", Filter{Exclude: "b.*", ExcludeRegex: true}, "a:2"},
		{"successes", Filter{Success: &yes}, "b|<i>:1 a:1"},
		{"from the first second on", Filter{StartOffset: 1}, "a:1"},
		{"up to the first second", Filter{EndOffset: 1}, "b|<i>:1 a:2"},
		{"from", Filter{From: 1700000000500}, "a:2"},
		{"to", Filter{To: 1700000000500}, "b|<i>:1 a:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := DefaultOptions()
			opt.Filter = c.filter
			var got []string
			for _, l := range read(t, three, opt).Lines {
				got = append(got, l.Label+":"+whole(l.Samples))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in.jtl")
	if err := os.WriteFile(file, []byte(three), 0o600); err != nil {
		t.Fatal(err)
	}
	opt := DefaultOptions()
	opt.Filter.Include = "c"
	if _, err := Read([]string{file}, opt); !errors.Is(err, htmlreport.ErrNoSamples) {
		t.Errorf("%v, want that nothing is left", err)
	}
	opt.Filter = Filter{Include: "(", IncludeRegex: true}
	if _, err := Read([]string{file}, opt); err == nil {
		t.Error("a wrong pattern passed")
	}
}
