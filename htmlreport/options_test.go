package htmlreport

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestOptionsFromProperties(t *testing.T) {
	o, err := optionsOf(map[string]string{
		"jmeter.reportgenerator.report_title":                                            "Night",
		"aggregate_rpt_pct1":                                                             "33.333",
		"backend_metrics_percentile_estimator":                                           "R_7",
		"jmeter.reportgenerator.statistic_window":                                        "20000",
		"jmeter.reportgenerator.overall_granularity":                                     "30000",
		"jmeter.reportgenerator.graph.hitsPerSecond.property.set_granularity":            "${jmeter.reportgenerator.overall_granularity}",
		"jmeter.reportgenerator.graph.codesPerSecond.property.set_granularity":           "45000",
		"jmeter.reportgenerator.graph.responseTimeDistribution.property.set_granularity": "50",
		"jmeter.reportgenerator.graph.totalTPS.exclude_controllers":                      "true",
		"jmeter.reportgenerator.graph.totalTPS.title":                                    "All",
		"jmeter.reportgenerator.exporter.html.graph_options.totalTPS.maxY":               "12.5",
		"jmeter.reportgenerator.apdex_satisfied_threshold":                               "${sla}",
		"sla":                                "800",
		"jmeter.reportgenerator.date_format": "yyyy-MM-dd HH:mm z",
		"jmeter.reportgenerator.start_date":  "2023-11-14 22:13 UTC",
		"jmeter.reportgenerator.exporter.html.show_controllers_only":    "true",
		"jmeter.reportgenerator.exclude_tc_from_top5_errors_by_sampler": "false",
		"jmeter.save.saveservice.connect_time":                          "false",
	})
	if err != nil {
		t.Fatal(err)
	}
	if o.Title != "Night" || o.Percentiles != [3]float64{33.333, 95, 99} || o.PercentileNames[0] != "33.333" || o.Estimator != R7 ||
		o.Window != 20_000 || o.Granularity != 30_000 || o.Apdex != (Thresholds{800, 1500}) || o.Connect || !o.ErrorMessages ||
		!o.OnlyControllers || !o.TransactionsInTop5 || o.Start != time.Date(2023, 11, 14, 22, 13, 0, 0, time.UTC).UnixMilli() {
		t.Errorf("%+v", o)
	}
	if o.baseGranularity() != 15_000 {
		t.Errorf("base granularity %d, want that both 30,000 and 45,000 are multiples of", o.baseGranularity())
	}
	if _, ok := o.Graphs["hitsPerSecond"]; ok {
		t.Error("the reference to the overall granularity was taken for one of its own")
	}
	tps := o.Graphs["totalTPS"]
	if tps.Title != "All" || tps.ExcludeControllers == nil || !*tps.ExcludeControllers || tps.MaxY == nil || *tps.MaxY != 12.5 {
		t.Errorf("%+v", tps)
	}
	if o.Graphs[distributionID].Granularity != 50 {
		t.Errorf("%+v", o.Graphs)
	}

	plain, err := optionsOf(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !plain.autoGranularity() || plain.Window != 0 || plain.Title != "Apache JMeter Dashboard" {
		t.Errorf("%+v", plain)
	}
	if w, err := optionsOf(map[string]string{"jmeter.reportgenerator.statistic_window": "-1"}); err != nil || w.Window != 0 {
		t.Errorf("window %d, %v", w.Window, err)
	}
}

// TestWrongProperties sees that a wrong value is refused under its name.
func TestWrongProperties(t *testing.T) {
	const p = "jmeter.reportgenerator."
	for _, c := range []struct{ name, value string }{
		{"aggregate_rpt_pct1", "0"},
		{"aggregate_rpt_pct2", "100.1"},
		{"aggregate_rpt_pct3", "many"},
		{"aggregate_rpt_pct3", "NaN"},
		{"backend_metrics_percentile_estimator", "R_10"},
		{p + "statistic_window", "0"},
		{p + "statistic_window", "-2"},
		{p + "statistic_window", "x"},
		{p + "overall_granularity", "0"},
		{p + "overall_granularity", "1m"},
		{p + "apdex_satisfied_threshold", "fast"},
		{p + "apdex_per_transaction", "a:1|x"},
		{p + "apdex_per_transaction", "(:1|2"},
		{p + "sample_filter", "("},
		{p + "sample_filter", "[a-z&&[^b]]"},
		{p + "date_format", "yyyy-'"},
		{p + "start_date", "yesterday"},
		{p + "end_date", "never"},
		{p + "exporter.html.series_filter", "*"},
		{p + "exporter.html.property.template_dir", "mine"},
		{p + "exporter.html.graph_options.totalTPS.minX", "left"},
		{p + "graph.totalTPS.property.set_granularity", "-5"},
		{p + "graph.custom_a.classname", "org.apache.jmeter.report.processor.graph.impl.CustomGraphConsumer"},
		{"jmeter.save.saveservice.default_delimiter", "ab"},
	} {
		_, err := optionsOf(map[string]string{c.name: c.value})
		name := strings.Replace(c.name, ".classname", ".property.set_Sample_Variable_Name", 1)
		if err == nil || !strings.Contains(err.Error(), "property "+name) {
			t.Errorf("%s=%s: error %v", c.name, c.value, err)
		}
	}
}

func TestDisplayFilters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.jtl")
	writeRun(t, path)
	opt, err := optionsOf(map[string]string{"jmeter.reportgenerator.exporter.html.series_filter": `ITEM/0[12](-success|-failure)?$`})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Read([]string{path}, opt)
	if err != nil {
		t.Fatal(err)
	}
	shown := make(map[string]int)
	for i := range r.Graphs {
		shown[r.Graphs[i].ID] = len(r.Graphs[i].shown(&opt).Series)
	}
	if shown["responseTimesOverTime"] != 2 || shown["codesPerSecond"] != 3 || shown["totalTPS"] != 2 || shown["transactionsPerSecond"] < 2 {
		t.Errorf("%v", shown)
	}
	if len(r.Rows) != len(hostile)+13 { // the figures themselves are of all labels
		t.Errorf("%d rows", len(r.Rows))
	}
	opt.OnlySamples = false
	if n := len(r.Graphs[1].shown(&opt).Series); n != 0 {
		t.Errorf("%d series of percentiles escape the filter", n)
	}
	opt = DefaultOptions()
	opt.OnlyControllers = true
	if g := r.Graphs[0].shown(&opt); len(g.Series) != 1 || g.Series[0].Name != "Order <tx>" {
		t.Errorf("%d series of transactions", len(g.Series))
	}
}

func TestCheckOutput(t *testing.T) {
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	file := filepath.Join(dir, "file")
	for _, err := range []error{os.Mkdir(full, 0o755), os.WriteFile(filepath.Join(full, "x"), nil, 0o644), os.WriteFile(file, nil, 0o644),
		os.Mkdir(filepath.Join(dir, "empty"), 0o755)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ path, want string }{
		{filepath.Join(dir, "new"), ""},
		{filepath.Join(dir, "empty"), ""},
		{full, "Cannot write to '" + full + "' as folder is not empty"},
		{file, "Cannot write to '" + file + "' as it is an existing file"},
		{filepath.Join(dir, "a", "b"), "Cannot write to '" + filepath.Join(dir, "a", "b") + "' as folder does not exist and parent folder is not writable"},
	} {
		err := CheckOutput(c.path)
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("%s: %v, want %q", c.path, err, c.want)
		}
	}
	left, err := os.ReadDir(filepath.Join(dir, "empty"))
	if err != nil || len(left) != 0 {
		t.Errorf("the check left %v, %v", left, err)
	}
}
