package jtl

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Lookup finds a property by its full name.
type Lookup func(name string) (value string, ok bool)

// Config says what is written of each sample and how: JMeter's
// SampleSaveConfiguration, with the properties that go with it. It is not
// changed once writing or reading has begun, and may then be shared.
type Config struct {
	Format Format

	// What is saved, named after the tags of a plan's saveConfig.
	Time, Latency, Timestamp, Success, Label, Code, Message, ThreadName, DataType, Encoding bool
	Assertions, Subresults, ResponseData, SamplerData, FieldNames                           bool
	ResponseHeaders, RequestHeaders, ResponseDataOnError, FailureMessage                    bool
	Bytes, SentBytes, URL, FileName, Hostname, ThreadCounts, SampleCount                    bool
	IdleTime, ConnectTime                                                                   bool
	AssertionsResultsToSave                                                                 int // 0 none, 1 first, 2 all; JMeter stores it and reads it nowhere

	// Functional is the plan's functional mode: XML holds response and sampler data
	// whatever the flags say.
	Functional bool

	// From properties only, also for listeners of a plan.
	Delimiter       byte
	DateFormat      *DateFormat // nil: epoch milliseconds
	StampStart      bool        // the time stamp is that of the sample's start, not its end
	Variables       []string    // sample_variables
	XMLPI           string      // a line below the XML declaration
	Autoflush       bool        // every row goes to the file at once
	BasePrefix      string      // a file name with this prefix is relative to the plan's folder
	DefaultEncoding string      // written as Encoding where a response names none
	LocalHost       string      // written as Hostname where a sample names none; "" is this machine's name
}

// DefaultConfig is what JMeter 5.6.3 does with the properties it ships.
func DefaultConfig() *Config {
	return &Config{
		Time: true, Latency: true, Timestamp: true, Success: true, Label: true, Code: true, Message: true,
		ThreadName: true, DataType: true, Assertions: true, Subresults: true, FieldNames: true,
		FailureMessage: true, Bytes: true, SentBytes: true, URL: true, ThreadCounts: true, IdleTime: true, ConnectTime: true,
		Delimiter: ',', StampStart: true, BasePrefix: "~/", DefaultEncoding: "UTF-8",
	}
}

const savePrefix = "jmeter.save.saveservice."

// saveFlag ties a flag to its property and to its tag in a plan.
type saveFlag struct {
	property, tag string
	field         func(*Config) *bool
}

// saveFlags lists the flags; the time stamp, which is not a boolean property, and
// the format come apart.
var saveFlags = []saveFlag{
	{"time", "time", func(c *Config) *bool { return &c.Time }},
	{"latency", "latency", func(c *Config) *bool { return &c.Latency }},
	{"successful", "success", func(c *Config) *bool { return &c.Success }},
	{"label", "label", func(c *Config) *bool { return &c.Label }},
	{"response_code", "code", func(c *Config) *bool { return &c.Code }},
	{"response_message", "message", func(c *Config) *bool { return &c.Message }},
	{"thread_name", "threadName", func(c *Config) *bool { return &c.ThreadName }},
	{"data_type", "dataType", func(c *Config) *bool { return &c.DataType }},
	{"encoding", "encoding", func(c *Config) *bool { return &c.Encoding }},
	{"assertions", "assertions", func(c *Config) *bool { return &c.Assertions }},
	{"subresults", "subresults", func(c *Config) *bool { return &c.Subresults }},
	{"response_data", "responseData", func(c *Config) *bool { return &c.ResponseData }},
	{"samplerData", "samplerData", func(c *Config) *bool { return &c.SamplerData }},
	{"print_field_names", "fieldNames", func(c *Config) *bool { return &c.FieldNames }},
	{"responseHeaders", "responseHeaders", func(c *Config) *bool { return &c.ResponseHeaders }},
	{"requestHeaders", "requestHeaders", func(c *Config) *bool { return &c.RequestHeaders }},
	{"response_data.on_error", "responseDataOnError", func(c *Config) *bool { return &c.ResponseDataOnError }},
	{"assertion_results_failure_message", "saveAssertionResultsFailureMessage", func(c *Config) *bool { return &c.FailureMessage }},
	{"bytes", "bytes", func(c *Config) *bool { return &c.Bytes }},
	{"sent_bytes", "sentBytes", func(c *Config) *bool { return &c.SentBytes }},
	{"url", "url", func(c *Config) *bool { return &c.URL }},
	{"filename", "fileName", func(c *Config) *bool { return &c.FileName }},
	{"hostname", "hostname", func(c *Config) *bool { return &c.Hostname }},
	{"thread_counts", "threadCounts", func(c *Config) *bool { return &c.ThreadCounts }},
	{"sample_count", "sampleCount", func(c *Config) *bool { return &c.SampleCount }},
	{"idle_time", "idleTime", func(c *Config) *bool { return &c.IdleTime }},
	{"connect_time", "connectTime", func(c *Config) *bool { return &c.ConnectTime }},
}

// ConfigFromProperties makes the configuration of the -l file, and the base of
// those of listeners, from the properties jmeter.save.saveservice.*,
// sample_variables and sampleresult.* (JMeter's properties reference, "Results
// file configuration"). An absent property has JMeter's shipped value; a wrong
// one is an error that names it.
func ConfigFromProperties(get Lookup) (Config, error) {
	c := *DefaultConfig()
	for _, f := range saveFlags {
		if v, ok := get(savePrefix + f.property); ok {
			*f.field(&c) = isTrue(v)
		}
	}
	fail := func(name, value, want string) (Config, error) {
		return Config{}, fmt.Errorf("property %s: %q is not %s", name, value, want)
	}
	// JMeter only warns of another word here, and writes CSV.
	if v, ok := get(savePrefix + "output_format"); ok && v == "xml" {
		c.Format = XML
	}
	if v, ok := get(savePrefix + "assertion_results"); ok {
		switch v {
		case "first":
			c.AssertionsResultsToSave = 1
		case "all":
			c.AssertionsResultsToSave = 2
		}
	}
	if v, ok := get(savePrefix + "default_delimiter"); ok {
		d, ok := parseDelimiter(v)
		if !ok {
			return fail(savePrefix+"default_delimiter", v, `a single printable ASCII character other than letters, digits and ", nor \t`)
		}
		c.Delimiter = d
	}
	if v, ok := get(savePrefix + "timestamp_format"); ok {
		switch v {
		case "ms":
		case "none":
			c.Timestamp = false
		default:
			f, err := NewDateFormat(v, time.Local)
			if err != nil {
				return Config{}, fmt.Errorf("property %stimestamp_format: %w", savePrefix, err)
			}
			c.DateFormat = f
		}
	}
	if v, ok := get("sampleresult.timestamp.start"); ok {
		c.StampStart = isTrue(v)
	}
	if v, ok := get("sample_variables"); ok {
		// Not trimmed: JMeter takes " b" of "a, b" with its blank.
		if v = strings.TrimRight(v, ","); v != "" {
			c.Variables = strings.Split(v, ",")
		}
	}
	if v, ok := get(savePrefix + "xml_pi"); ok {
		c.XMLPI = v
	}
	if v, ok := get(savePrefix + "autoflush"); ok {
		c.Autoflush = isTrue(v)
	}
	if v, ok := get(savePrefix + "base_prefix"); ok {
		c.BasePrefix = v
	}
	if v, ok := get("sampleresult.default.encoding"); ok && v != "" {
		c.DefaultEncoding = v
	}
	return c, nil
}

// SetPlanFlags puts the children of a listener's saveConfig, tag to text, in
// place of the flags that properties gave. A flag without a tag is off. The
// delimiter, time stamp format and all that a plan does not hold stay.
func (c *Config) SetPlanFlags(tags map[string]string) error {
	seen := 0
	for _, f := range saveFlags {
		v, ok := tags[f.tag]
		*f.field(c) = isTrue(v)
		if ok {
			seen++
		}
	}
	c.Format, c.Timestamp, c.AssertionsResultsToSave = CSV, false, 0
	for tag, v := range tags {
		switch tag {
		case "xml":
			if isTrue(v) {
				c.Format = XML
			}
		case "timestamp":
			c.Timestamp = isTrue(v)
		case "assertionsResultsToSave":
			n, err := strconv.Atoi(strings.TrimSpace(v))
			if err != nil {
				return fmt.Errorf("saveConfig: assertionsResultsToSave: %q is not a number", v)
			}
			c.AssertionsResultsToSave = n
		case "formatter": // JMeter skips it, too
		default:
			continue
		}
		seen++
	}
	if seen == len(tags) {
		return nil
	}
	for tag := range tags {
		if !knownTag(tag) {
			return fmt.Errorf("saveConfig: unknown element %s", tag)
		}
	}
	return nil
}

func knownTag(tag string) bool {
	switch tag {
	case "xml", "timestamp", "assertionsResultsToSave", "formatter":
		return true
	}
	for _, f := range saveFlags {
		if f.tag == tag {
			return true
		}
	}
	return false
}

// isTrue reads a boolean as Java does: all but "true" is false.
func isTrue(s string) bool { return strings.EqualFold(s, "true") }

// parseDelimiter follows JMeter, but for characters outside ASCII, which it
// allows and we do not.
func parseDelimiter(s string) (byte, bool) {
	if s == `\t` || s == "\t" {
		return '\t', true
	}
	if len(s) != 1 {
		return 0, false
	}
	d := s[0]
	if d >= 0x7f || d < ' ' || d == '"' || unicode.IsLetter(rune(d)) || unicode.IsDigit(rune(d)) {
		return 0, false
	}
	return d, true
}

// columns lists the columns that c writes, in order.
func (c *Config) columns() []Column {
	var cols []Column
	add := func(on bool, cs ...Column) {
		if on {
			cols = append(cols, cs...)
		}
	}
	add(c.Timestamp, ColTimeStamp)
	add(c.Time, ColElapsed)
	add(c.Label, ColLabel)
	add(c.Code, ColCode)
	add(c.Message, ColMessage)
	add(c.ThreadName, ColThreadName)
	add(c.DataType, ColDataType)
	add(c.Success, ColSuccess)
	add(c.FailureMessage, ColFailureMessage)
	add(c.Bytes, ColBytes)
	add(c.SentBytes, ColSentBytes)
	add(c.ThreadCounts, ColGroupThreads, ColAllThreads)
	add(c.URL, ColURL)
	add(c.FileName, ColFileName)
	add(c.Latency, ColLatency)
	add(c.Encoding, ColEncoding)
	add(c.SampleCount, ColSampleCount, ColErrorCount)
	add(c.Hostname, ColHostname)
	add(c.IdleTime, ColIdleTime)
	add(c.ConnectTime, ColConnect)
	return cols
}

// location is the time zone of dates that name none.
func (c *Config) location() *time.Location {
	if c.DateFormat != nil {
		return c.DateFormat.loc
	}
	return time.Local
}
