package jtl

import "testing"

func TestAppendXML(t *testing.T) {
	body := func(c *Config) { c.ResponseData = true }
	for _, test := range []struct {
		name   string
		change func(*Config) // of one that writes labels only
		s      *Sample
		want   string
	}{
		{"empty", func(*Config) {}, &Sample{}, `<sample lb=""/>`},
		{"HTTP", func(*Config) {}, &Sample{HTTP: true}, `<httpSample lb=""/>`},
		{"null URL", func(c *Config) { c.URL = true }, &Sample{}, `<sample lb=""/>`},
		{"null URL of HTTP", func(c *Config) { c.URL = true }, &Sample{HTTP: true}, "<httpSample lb=\"\">\n  <null/>\n</httpSample>"},
		{"not text", body, &Sample{DataType: "<b>", Body: []byte("x")},
			"<sample lb=\"\">\n  <responseData class=\"java.lang.String\">Non-TEXT response data, cannot record: (&lt;b&gt;)</responseData>\n</sample>"},
		{"UTF-8", body, &Sample{DataType: "text", Body: []byte("a\xe2\x82b\xffc€")},
			"<sample lb=\"\">\n  <responseData class=\"java.lang.String\">a\ufffdb\ufffdc€</responseData>\n</sample>"},
		{"Latin 1", body, &Sample{DataType: "text", Encoding: "ISO-8859-1", Body: []byte("\xe9\x80")},
			"<sample lb=\"\">\n  <responseData class=\"java.lang.String\">é&#x80;</responseData>\n</sample>"},
		{"unknown charset", body, &Sample{DataType: "text", Encoding: "x-none", Body: []byte("é\xff")},
			"<sample lb=\"\">\n  <responseData class=\"java.lang.String\">Unsupported encoding in response data, cannot record: java.io.UnsupportedEncodingException: x-none</responseData>\n</sample>"},
		{"on error, no error", func(c *Config) { c.ResponseDataOnError = true }, &Sample{Success: true, SamplerData: "s"}, `<sample lb=""/>`},
		{"on error", func(c *Config) { c.ResponseDataOnError = true }, &Sample{DataType: "text", SamplerData: "s"},
			"<sample lb=\"\">\n  <responseData class=\"java.lang.String\"></responseData>\n" +
				"  <samplerData class=\"java.lang.String\">s</samplerData>\n</sample>"},
		{"functional mode", func(c *Config) { c.Functional = true }, &Sample{HTTP: true, DataType: "text", Success: true, Method: "GET"},
			"<httpSample lb=\"\">\n  <responseData class=\"java.lang.String\"></responseData>\n  <cookies class=\"java.lang.String\"></cookies>\n" +
				"  <method class=\"java.lang.String\">GET</method>\n  <queryString class=\"java.lang.String\"></queryString>\n</httpSample>"},
		{"invalid label", func(*Config) {}, &Sample{Label: "\xff&"}, "<sample lb=\"\ufffd&amp;\"/>"},
		{"no sub-results", func(c *Config) { c.Subresults = false }, &Sample{Subs: []*Sample{{}}}, `<sample lb=""/>`},
		{"sub-results", func(c *Config) { c.Subresults = true }, &Sample{Subs: []*Sample{{HTTP: true, Subs: []*Sample{{}}}, {}}},
			"<sample lb=\"\">\n  <httpSample lb=\"\">\n    <sample lb=\"\"/>\n  </httpSample>\n  <sample lb=\"\"/>\n</sample>"},
	} {
		c := &Config{Format: XML, Label: true, DefaultEncoding: "UTF-8"}
		test.change(c)
		if got := string(c.AppendXML(nil, test.s)); got != test.want+"\n" {
			t.Errorf("%s:\n got %q\nwant %q", test.name, got, test.want+"\n")
		}
	}
}
