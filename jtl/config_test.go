package jtl

import (
	"reflect"
	"strings"
	"testing"
)

func lookup(m map[string]string) Lookup {
	return func(name string) (string, bool) {
		v, ok := m[name]
		return v, ok
	}
}

func TestConfigFromProperties(t *testing.T) {
	const p = "jmeter.save.saveservice."
	for _, test := range []struct {
		name, value string
		change      func(*Config) // of the default
		err         string
	}{
		{"nothing", "", func(*Config) {}, ""},
		{p + "label", "false", func(c *Config) { c.Label = false }, ""},
		{p + "label", "yes", func(c *Config) { c.Label = false }, ""},
		{p + "hostname", "TRUE", func(c *Config) { c.Hostname = true }, ""},
		{p + "successful", "false", func(c *Config) { c.Success = false }, ""},
		{p + "print_field_names", "false", func(c *Config) { c.FieldNames = false }, ""},
		{p + "response_data.on_error", "true", func(c *Config) { c.ResponseDataOnError = true }, ""},
		{p + "output_format", "xml", func(c *Config) { c.Format = XML }, ""},
		{p + "output_format", "db", func(*Config) {}, ""},
		{p + "assertion_results", "all", func(c *Config) { c.AssertionsResultsToSave = 2 }, ""},
		{p + "default_delimiter", `\t`, func(c *Config) { c.Delimiter = '\t' }, ""},
		{p + "default_delimiter", ";", func(c *Config) { c.Delimiter = ';' }, ""},
		{p + "default_delimiter", "", nil, "jmeter.save.saveservice.default_delimiter"},
		{p + "default_delimiter", "a", nil, "jmeter.save.saveservice.default_delimiter"},
		{p + "default_delimiter", "7", nil, "jmeter.save.saveservice.default_delimiter"},
		{p + "default_delimiter", `"`, nil, "jmeter.save.saveservice.default_delimiter"},
		{p + "default_delimiter", ";;", nil, "jmeter.save.saveservice.default_delimiter"},
		{p + "default_delimiter", "\x01", nil, "jmeter.save.saveservice.default_delimiter"},
		{p + "timestamp_format", "ms", func(*Config) {}, ""},
		{p + "timestamp_format", "none", func(c *Config) { c.Timestamp = false }, ""},
		{p + "timestamp_format", "yyyy b", nil, "jmeter.save.saveservice.timestamp_format"},
		{p + "xml_pi", "<?x?>", func(c *Config) { c.XMLPI = "<?x?>" }, ""},
		{p + "autoflush", "true", func(c *Config) { c.Autoflush = true }, ""},
		{p + "base_prefix", "@/", func(c *Config) { c.BasePrefix = "@/" }, ""},
		{"sample_variables", "a,b", func(c *Config) { c.Variables = []string{"a", "b"} }, ""},
		{"sample_variables", "", func(*Config) {}, ""},
		{"sampleresult.timestamp.start", "false", func(c *Config) { c.StampStart = false }, ""},
		{"sampleresult.default.encoding", "ISO-8859-1", func(c *Config) { c.DefaultEncoding = "ISO-8859-1" }, ""},
	} {
		got, err := ConfigFromProperties(lookup(map[string]string{test.name: test.value}))
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s=%s: error %v", test.name, test.value, err)
			}
			continue
		}
		want := *DefaultConfig()
		test.change(&want)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s=%s: %v\n got %+v\nwant %+v", test.name, test.value, err, got, want)
		}
	}
	c, err := ConfigFromProperties(lookup(map[string]string{p + "timestamp_format": "yyyy-MM-dd"}))
	if err != nil || c.DateFormat == nil || c.DateFormat.String() != "yyyy-MM-dd" || !c.Timestamp {
		t.Errorf("date: %+v, %v", c, err)
	}
}

func TestSetPlanFlags(t *testing.T) {
	c := *DefaultConfig()
	c.Delimiter, c.Variables, c.Autoflush = ';', []string{"v"}, true
	err := c.SetPlanFlags(map[string]string{
		"time": "true", "timestamp": "true", "label": "true", "success": "false", "xml": "true", "assertionsResultsToSave": "1",
		"formatter": "", "threadCounts": "true",
	})
	want := Config{
		Time: true, Timestamp: true, Label: true, ThreadCounts: true, Format: XML, AssertionsResultsToSave: 1,
		Delimiter: ';', Variables: []string{"v"}, Autoflush: true, StampStart: true, BasePrefix: "~/", DefaultEncoding: "UTF-8",
	}
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("%v\n got %+v\nwant %+v", err, c, want)
	}
	for tag, text := range map[string]string{"colour": "true", "assertionsResultsToSave": "many"} {
		if err := c.SetPlanFlags(map[string]string{"time": "true", tag: text}); err == nil || !strings.Contains(err.Error(), tag) {
			t.Errorf("%s=%s: error %v", tag, text, err)
		}
	}
}
