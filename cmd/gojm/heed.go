package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gojm/gojm/jtl"
)

// JMeter takes a property that it cannot make sense of for absent, and says so
// in its log only. A property that gojm does not heed is as good as absent, too.
// Either way a run could measure something else than was meant, so the user is
// told before it starts.

// numbers are the properties that are read as whole numbers, with what is taken
// where they hold other text.
var numbers = map[string]string{
	"summariser.interval":                        "30",
	"jmeterengine.nongui.port":                   "4445",
	"jmeterengine.nongui.maxport":                "4455",
	"jmeterengine.threadstop.wait":               "5000",
	"mirror.server.port":                         "0",
	"httpclient4.time_to_live":                   "60000",
	"httpclient4.validate_after_inactivity":      "4900",
	"httpclient4.idletimeout":                    "0",
	"httpclient4.retrycount":                     "0",
	"httpsampler.max_redirects":                  "20",
	"httpsampler.max_frame_depth":                "5",
	"httpsampler.max_bytes_to_store_per_request": "0",
	"assertion.equals_section_diff_len":          "100",
	"https.keyStoreStartIndex":                   "0",
	"https.keyStoreEndIndex":                     "-1",
}

// flags are the properties that are read as true/t/1 or false/f/0, with what is
// taken where they hold other text.
var flags = map[string]string{
	"gojm.health":    "that of -e",
	"summariser.log": "true",
	"summariser.out": "true",
	"summariser.ignore_transaction_controller_sample_result": "true",
	"function.cache.per.iteration":                           "false",
	"sampleresult.timestamp.start":                           "false",
	"subresults.disable_renaming":                            "false",
	"httpclient.reset_state_on_thread_group_iteration":       "true",
	"httpclient4.request_sent_retry_enabled":                 "false",
	"httpclient4.auth.preemptive":                            "true",
	"httpclient4.default_user_agent_disabled":                "false",
	"https.sessioncontext.shared":                            "false",
	"httpclient4.gzip_relax_mode":                            "false",
	"httpclient4.deflate_relax_mode":                         "false",
	"http.post_add_content_type_if_missing":                  "false",
	"httpsampler.redirect.removeslashdotdot":                 "true",
	"httpsampler.ignore_failed_embedded_resources":           "false",
	"httpsampler.embedded_resources_use_md5":                 "false",
	"httpsampler.separate.container":                         "true",
}

// unheeded are properties that change a run of JMeter and not one of gojm, each
// with the values that make no difference. A test finds those that are heeded
// by now. What belongs to elements that are refused is not among them, nor is
// what only the GUI reads.
var unheeded = map[string][]string{
	"jmeterengine.stopfail.system.exit":   {"true"},
	"jmeterthread.rampup.granularity":     {"1000"},
	"upgrade_properties":                  {"/bin/upgrade.properties"},
	"saveservice_properties":              {"saveservice.properties"},
	"javascript.use_rhino":                {"false"},
	"beanshell.init.file":                 nil,
	"beanshell.sampler.init":              nil,
	"beanshell.assertion.init":            nil,
	"beanshell.listener.init":             nil,
	"beanshell.postprocessor.init":        nil,
	"beanshell.preprocessor.init":         nil,
	"beanshell.timer.init":                nil,
	"beanshell.server.port":               {"0"},
	"search_paths":                        nil,
	"user.classpath":                      nil,
	"plugin_dependency_paths":             nil,
	"security.provider":                   nil,
	"sun.net.http.allowRestrictedHeaders": {"true"},
	"http.java.sampler.retries":           {"0"},
	"httpclient.timeout":                  {"0"},
	"httpclient.version":                  {"1.1"},
	"httpclient.loopback":                 {"false"},
	"httpsampler.obey_contentlength":      {"false"},
	"css.parser.ignore_all_css_errors":    {"true"},
	"java.net.preferIPv4Stack":            {"false"},
	"java.net.preferIPv6Addresses":        {"false"},
	"networkaddress.cache.ttl":            {"30"},
	"networkaddress.cache.negative.ttl":   {"10"},
	"tcp.handler":                         {"TCPClientImpl"},
	"tcp.eolByte":                         {"1000"},
	"tcp.charset":                         nil,
	"tcp.status.prefix":                   nil,
	"tcp.status.suffix":                   nil,
	"tcp.status.properties":               nil,
	"tcp.binarylength.prefix.length":      {"2"},
	"tcp.BinaryTCPClient.eomByte":         {"1000"},
	"xpath.namespace.config":              nil,
	"jmeter.reportgenerator.temp_dir":     {"temp"},
	"jmeter.reportgenerator.exporter.html.property.template_dir": nil,
}

// unheard are the warnings about properties that the user set and that do not
// work as written.
func (s *settings) unheard() []string {
	var out []string
	if s.plan != "" && s.results == "" && s.withHealth() {
		out = append(out, jtl.HealthProperty+": the generator's health goes beside the results, which need -l")
	}
	for _, name := range slices.Sorted(maps.Keys(s.from)) {
		value := s.props.Get(name, "")
		from := s.from[name] + ": " + name
		if strings.HasPrefix(from, "-") { // -Jname
			from = s.from[name] + name
		}
		if def, ok := numbers[name]; ok {
			if _, err := strconv.ParseInt(value, 10, 32); err != nil {
				out = append(out, fmt.Sprintf("%s: %q is not a number, %s is taken", from, value, def))
			}
		}
		if def, ok := flags[name]; ok {
			switch strings.ToLower(value) {
			case "true", "t", "1", "false", "f", "0":
			default:
				out = append(out, fmt.Sprintf("%s: %q is neither true nor false, %s is taken", from, value, def))
			}
		}
		if same, ok := unheeded[name]; ok && value != "" && !slices.Contains(same, value) {
			out = append(out, fmt.Sprintf("%s: gojm does not heed this property (here %q)", from, value))
		}
	}
	return out
}
