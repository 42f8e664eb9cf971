package jmx

import (
	"slices"
	"strings"
	"testing"
)

func TestCanonicalClass(t *testing.T) {
	tests := []struct{ name, gui, want string }{
		{"ThreadGroup", "", "ThreadGroup"},
		{"org.apache.jmeter.threads.ThreadGroup", "", "ThreadGroup"},
		{"HTTPSampler", "", "HTTPSamplerProxy"},
		{"HTTPSampler2", "", "HTTPSamplerProxy"},
		{"HTTPSampler_", "", "HTTPSampler_"},
		{"org.apache.jmeter.protocol.http.sampler.HTTPSampler", "", "HTTPSampler_"},
		{"org.apache.jmeter.protocol.http.sampler.HTTPSamplerFull", "", "HTTPSampler_"},
		{"HTTPSampler2_", "", "ConfigTestElement"},
		{"SoapSampler", "", "ConfigTestElement"},
		{"monitorStats", "", "ConfigTestElement"},
		{"org.apache.jmeter.assertions.Assertion", "", "ResponseAssertion"},
		{"SMIMEAssertion", "", "SMIMEAssertion"},
		{"org.apache.jmeter.assertions.SMIMEAssertionTestElement", "", "SMIMEAssertion"},
		{"org.apache.jmeter.protocol.jdbc.config.DataSourceElement", "", "JDBCDataSource"},
		{"ConfigTestElement", "org.apache.jmeter.protocol.jdbc.config.gui.PoolConfigGui", "JDBCDataSource"},
		{"ConfigTestElement", "DbConfigGui", "ConfigTestElement"}, // no alias, so JMeter does not know it
		{"kg.apc.jmeter.threads.UltimateThreadGroup", "", "kg.apc.jmeter.threads.UltimateThreadGroup"},
		{"", "", ""},
	}
	for _, test := range tests {
		if got := canonicalClass(test.name, test.gui); got != test.want {
			t.Errorf("%s|%s: %s, not %s", test.name, test.gui, got, test.want)
		}
	}
	for gui, want := range map[string]string{
		"HttpTestSampleGui2": "HttpTestSampleGui",
		"org.apache.jmeter.protocol.http.config.gui.UrlConfigGui": "HttpDefaultsGui",
		"UrlConfigGui":     "UrlConfigGui", // no alias
		"JMSConfigGui":     "JMSSamplerGui",
		"SplineVisualizer": "ObsoleteGui",
		"org.apache.jmeter.testbeans.gui.TestBeanGUI": "TestBeanGUI",
		"com.example.PluginGui":                       "com.example.PluginGui",
	} {
		if got := canonical(gui); got != want {
			t.Errorf("%s: %s, not %s", gui, got, want)
		}
	}
}

func TestClasses(t *testing.T) {
	all := Classes()
	if len(all) != 142 {
		t.Errorf("%d classes", len(all))
	}
	for _, c := range all {
		if canonical(c.Alias) != c.Alias || canonical(c.Full) != c.Alias || fullName(c.Alias) != c.Full {
			t.Errorf("%v does not resolve to itself", c)
		}
	}
	if !slices.IsSortedFunc(all, func(a, b ClassInfo) int { return strings.Compare(a.Alias, b.Alias) }) {
		t.Error("not sorted")
	}
	for alias, inner := range map[string]bool{"HTTPSamplerProxy": false, "Arguments": false, "HTTPArgument": true, "TransactionSampler": true} {
		if i := slices.IndexFunc(all, func(c ClassInfo) bool { return c.Alias == alias }); i < 0 || all[i].Inner != inner {
			t.Errorf("%s: Inner is not %t", alias, inner)
		}
	}
	for class, renames := range renamedProps {
		if canonical(class) != class {
			t.Errorf("renames of %s, which no node has", class)
		}
		for old, now := range renames {
			if _, again := renames[now]; again {
				t.Errorf("%s: %s is renamed twice", class, old)
			}
		}
	}
	for old, now := range renamed {
		if canonical(now) != now {
			t.Errorf("%s becomes %s, which is renamed again", old, now)
		}
	}
}
