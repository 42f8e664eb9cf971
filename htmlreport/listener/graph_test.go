package listener

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The graphs are those that jmeter-plugins wrote. Numbers may differ in their
// last digit: theirs are running means.
func TestGraphsGolden(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goldenDir, "*", "plugins", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		if strings.HasSuffix(name, "Report") {
			continue
		}
		compared++
		t.Run(strings.TrimPrefix(file, goldenDir), func(t *testing.T) {
			for _, workers := range []int{1, 2} {
				var opt GraphOptions
				opt.Read.Workers = workers
				if strings.Contains(file, ".gran10000.") {
					opt.Granulation = 10000
				}
				g, err := ReadGraph(name, []string{filepath.Join(filepath.Dir(filepath.Dir(file)), "in.jtl")}, opt)
				if err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := g.WriteCSV(&b, time.UTC); err != nil {
					t.Fatal(err)
				}
				compareCSV(t, b.String(), file)
			}
		})
	}
	if compared < 10 {
		t.Errorf("only %d graphs", compared)
	}
}

func compareCSV(t *testing.T, text, file string) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	records := func(s string) [][]string {
		all, err := csv.NewReader(strings.NewReader(s)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	last := func(a, b string) bool {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		return a == b || err1 == nil && err2 == nil && math.Abs(x-y) <= 1e-12*math.Abs(y)
	}
	if diff := cmp.Diff(records(string(want)), records(text), cmp.Comparer(last)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func graphCSV(t *testing.T, name, text string, opt GraphOptions) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "in.jtl")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := ReadGraph(name, []string{file}, opt)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := g.WriteCSV(&b, time.UTC); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What no recording has: the rules as the plug-ins document them.
func TestGraphs(t *testing.T) {
	xml := `<?xml version="1.0" encoding="UTF-8"?>
<testResults version="1.2">
<sample t="900" lt="0" ct="0" ts="1700000000000" s="true" lb="TX" rc="200" rm="Number of samples in transaction : 2, number of failing samples : 0" tn="U 1-1" ng="1" na="1">
  <httpSample t="100" lt="40" ct="4" ts="1700000000000" s="true" lb="A" rc="200" rm="OK" tn="U 1-1" ng="1" na="1"/>
  <httpSample t="100" lt="60" ct="6" ts="1700000000500" s="true" lb="B" rc="404" rm="No" tn="U 1-1" ng="1" na="1"/>
</sample>
</testResults>
`
	for _, c := range []struct {
		graph, in, want string
		opt             GraphOptions
	}{
		{"LatenciesOverTime", xml, "Elapsed time,TX\n22:13:20.500,100.0\n", GraphOptions{}},
		{"ConnectTimesOverTime", xml, "Elapsed time,TX\n22:13:20.500,10.0\n", GraphOptions{}},
		{"ResponseTimesOverTime", xml, "Elapsed time,TX\n22:13:20.500,900.0\n", GraphOptions{}},
		{"HitsPerSecond", xml, "Elapsed time,Server Hits per Second\n22:13:20.0,2.0\n", GraphOptions{}},
		{"ResponseCodesPerSecond", xml, "Elapsed time,200,404\n22:13:20.0,1.0,1.0\n", GraphOptions{}},
		{"kg.apc.jmeter.vizualizers.BytesThroughputOverTimeGui", three,
			"Elapsed time,Bytes Received per Second,Bytes Sent per Second\n22:13:20.0,2048.0,1024.0\n22:13:21.0,1024.0,512.0\n", GraphOptions{}},
		{"ResponseTimesDistribution", three, "Response times in ms,a,b|<i>\n100,,1.0\n200,1.0,\n300,1.0,\n", GraphOptions{}},
		{"ResponseTimesDistribution", three, "Response times in ms,Overall Response Times\n0,1.0\n200,2.0\n", GraphOptions{Aggregate: true, Granulation: 200}},
		{"TimesVsThreads", three, "Number of active threads,Average a,Average b|<i>,a,b|<i>\n1,,100.0,,100.0\n2,250.0,,250.0,\n", GraphOptions{}},
		{"ThroughputVsThreads", three, "Number of active threads,Average a,Average b|<i>,a,b|<i>\n1,,10.0,,10.0\n2,8.333333333333334,,8.333333333333334,\n", GraphOptions{}},
		{"TransactionsPerSecond", three, "Elapsed time,Failed Transactions per Second,Successful Transactions per Second\n22:13:20.0,1.0,1.0\n22:13:21.0,0.0,1.0\n", GraphOptions{Aggregate: true}},
		{"ThreadsStateOverTime", three, "Elapsed time,Overall Active Threads\n22:13:20.0,1.0\n22:13:20.500,2.0\n22:13:21.0,2.0\n", GraphOptions{Aggregate: true}},
		{"ResponseTimesPercentilesOverTime", three, "Elapsed time,a (p50),a (p99.9),b|<i> (p50),b|<i> (p99.9)\n22:13:00.0,200.0,300.0,100.0,100.0\n", GraphOptions{Percentiles: []float64{50, 99.9}}},
		{"ResponseTimesOverTime", three, "Elapsed time,a,b|<i>\n22:13:20.0,250.0,\n", GraphOptions{HideLowCounts: 1, Granulation: 10_000}},
	} {
		t.Run(c.graph, func(t *testing.T) {
			if diff := cmp.Diff(c.want, graphCSV(t, c.graph, c.in, c.opt)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestPercentileCurve(t *testing.T) {
	lines := strings.Split(graphCSV(t, "ResponseTimesPercentiles", three, GraphOptions{}), "\n")
	if len(lines) != 1001 || lines[0] != "Percentiles,a,b|<i>" || lines[1] != "0.1,200.0,100.0" || lines[500] != "50.0,200.0,100.0" ||
		lines[501] != "50.1,300.0,100.0" || lines[999] != "99.9,300.0,100.0" {
		t.Errorf("%d lines: %q", len(lines), lines[:2])
	}
}

func TestUnknownGraph(t *testing.T) {
	if _, err := ReadGraph("CompositeGraph", nil, GraphOptions{}); err == nil || !strings.Contains(err.Error(), "ResponseTimesOverTime") {
		t.Errorf("%v, want a list of the graphs", err)
	}
}

func TestJavaDouble(t *testing.T) {
	for f, want := range map[float64]string{0: "0.0", 1: "1.0", 0.1: "0.1", 1e7: "1.0E7", 12345678.5: "1.23456785E7", 0.0001: "1.0E-4",
		-2.5: "-2.5", 9999999: "9999999.0", math.Inf(1): "Infinity", math.Inf(-1): "-Infinity"} {
		if got := javaDouble(f); got != want {
			t.Errorf("%v: %s, want %s", f, got, want)
		}
	}
}
