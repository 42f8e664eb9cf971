package jtl

import (
	"cmp"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/gojm/gojm/jtl/charset"
)

const xmlEnd = "\n</testResults>\n"

func (c *Config) appendXMLStart(dst []byte) []byte {
	dst = append(dst, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"...)
	if c.XMLPI != "" {
		dst = append(dst, c.XMLPI...)
		dst = append(dst, '\n')
	}
	return append(dst, `<testResults version="1.2">`+"\n"...)
}

// AppendXML adds the XML element of s, with a line end after it, in the form of
// version 1.2 as JMeter 5.6.3 writes it.
func (c *Config) AppendXML(dst []byte, s *Sample) []byte {
	return append(c.appendElement(dst, s, s, 0), '\n')
}

func (c *Config) appendElement(dst []byte, s, event *Sample, depth int) []byte {
	name := "sample"
	if s.HTTP {
		name = "httpSample"
	}
	dst = append(append(dst, '<'), name...)
	dst = c.appendAttributes(dst, s, event)
	dst = append(dst, '>')
	open := len(dst)
	dst = c.appendChildren(dst, s, event, depth+1)
	if len(dst) == open {
		dst = append(dst[:open-1], '/', '>')
		return dst
	}
	dst = appendIndent(dst, depth)
	dst = append(append(dst, "</"...), name...)
	return append(dst, '>')
}

func (c *Config) appendAttributes(dst []byte, s, event *Sample) []byte {
	if c.Time {
		dst = appendIntAttr(dst, "t", s.Elapsed)
	}
	if c.IdleTime {
		dst = appendIntAttr(dst, "it", s.IdleTime)
	}
	if c.Latency {
		dst = appendIntAttr(dst, "lt", s.Latency)
	}
	if c.ConnectTime {
		dst = appendIntAttr(dst, "ct", s.Connect)
	}
	if c.Timestamp {
		stamp := s.End
		if c.StampStart {
			stamp = s.Start
		}
		dst = appendIntAttr(dst, "ts", stamp)
	}
	if c.Success {
		dst = appendAttr(dst, "s", strconv.FormatBool(s.Success))
	}
	if c.Label {
		dst = appendAttr(dst, "lb", s.Label)
	}
	if c.Code {
		dst = appendAttr(dst, "rc", s.Code)
	}
	if c.Message {
		dst = appendAttr(dst, "rm", s.Message)
	}
	if c.ThreadName {
		dst = appendAttr(dst, "tn", s.ThreadName)
	}
	if c.DataType {
		dst = appendAttr(dst, "dt", s.DataType)
	}
	if c.Encoding {
		dst = appendAttr(dst, "de", s.Encoding)
	}
	if c.Bytes {
		dst = appendIntAttr(dst, "by", s.Bytes)
	}
	if c.SentBytes {
		dst = appendIntAttr(dst, "sby", s.SentBytes)
	}
	if c.SampleCount {
		dst = appendIntAttr(dst, "sc", int64(s.SampleCount))
		dst = appendIntAttr(dst, "ec", s.Errors())
	}
	if c.ThreadCounts {
		dst = appendIntAttr(dst, "ng", int64(s.GroupThreads))
		dst = appendIntAttr(dst, "na", int64(s.AllThreads))
	}
	if c.Hostname {
		dst = appendAttr(dst, "hn", c.hostname(event))
	}
	for i, name := range c.Variables {
		value := ""
		if i < len(event.Vars) && event.Vars[i] != nil {
			value = *event.Vars[i]
		}
		dst = appendAttr(dst, name, value)
	}
	return dst
}

func (c *Config) appendChildren(dst []byte, s, event *Sample, depth int) []byte {
	if c.Assertions {
		for i := range s.Assertions {
			dst = appendAssertion(dst, &s.Assertions[i], depth)
		}
	}
	if c.Subresults {
		for _, sub := range s.Subs {
			dst = appendIndent(dst, depth)
			dst = c.appendElement(dst, sub, event, depth)
		}
	}
	if c.ResponseHeaders {
		dst = appendString(dst, "responseHeader", s.ResponseHeaders, depth)
	}
	if c.RequestHeaders {
		dst = appendString(dst, "requestHeader", s.RequestHeaders, depth)
	}
	onError := c.ResponseDataOnError && !s.Success
	if c.ResponseData || onError || c.Functional {
		dst = c.appendResponseData(dst, s, depth)
	}
	if c.FileName {
		dst = appendString(dst, "responseFile", s.FileName, depth)
	}
	if c.SamplerData || onError || c.Functional {
		dst = appendSamplerData(dst, s, depth)
	}
	if c.URL {
		switch {
		case s.URL != "":
			dst = appendTextElement(dst, "java.net.URL", s.URL, depth)
		case s.HTTP:
			dst = append(appendIndent(dst, depth), "<null/>"...)
		}
	}
	return dst
}

func appendAssertion(dst []byte, a *Assertion, depth int) []byte {
	tag := "assertionResult>"
	if a.Compared != nil {
		tag = "org.apache.jmeter.assertions.CompareAssertionResult>"
	}
	dst = append(append(appendIndent(dst, depth), '<'), tag...)
	dst = appendTextElement(dst, "name", a.Name, depth+1)
	dst = appendTextElement(dst, "failure", strconv.FormatBool(a.Failure), depth+1)
	dst = appendTextElement(dst, "error", strconv.FormatBool(a.Error), depth+1)
	if a.HasMessage {
		dst = appendTextElement(dst, "failureMessage", a.Message, depth+1)
	}
	if c := a.Compared; c != nil {
		if *c == (Compared{}) {
			dst = append(appendIndent(dst, depth+1), "<comparedResults/>"...)
		} else {
			dst = append(appendIndent(dst, depth+1), "<comparedResults>"...)
			dst = appendTextElement(dst, "baseResult", c.Base, depth+2)
			dst = appendTextElement(dst, "secondaryResult", c.Secondary, depth+2)
			dst = append(appendIndent(dst, depth+1), "</comparedResults>"...)
		}
	}
	return append(append(appendIndent(dst, depth), "</"...), tag...)
}

func (c *Config) appendResponseData(dst []byte, s *Sample, depth int) []byte {
	dst = openString(dst, "responseData", depth)
	switch name := cmp.Or(s.Encoding, c.DefaultEncoding); {
	case s.DataType == "text" && name != "" && !known(name):
		dst = append(dst, "Unsupported encoding in response data, cannot record: java.io.UnsupportedEncodingException: "...)
		dst = appendXMLText(dst, name, false)
	case s.DataType == "text":
		dst = appendXMLText(dst, string(decoded(s.Body, name)), false)
	default:
		dst = append(dst, "Non-TEXT response data, cannot record: ("...)
		dst = appendXMLText(dst, s.DataType, false)
		dst = append(dst, ')')
	}
	return append(dst, "</responseData>"...)
}

// known says whether Java knows a charset.
func known(name string) bool {
	_, ok := charset.Lookup(name)
	return ok
}

func appendSamplerData(dst []byte, s *Sample, depth int) []byte {
	if !s.HTTP {
		if s.SamplerData != "" || s.HasSamplerData {
			dst = appendString(dst, "samplerData", s.SamplerData, depth)
		}
		return dst
	}
	dst = appendString(dst, "cookies", s.Cookies, depth)
	if s.Method != "" || s.URL != "" { // an empty one is one, too
		dst = appendString(dst, "method", s.Method, depth)
	}
	dst = appendString(dst, "queryString", s.QueryString, depth)
	if s.Redirect || s.RedirectLocation != "" {
		dst = appendString(dst, "redirectLocation", s.RedirectLocation, depth)
	}
	return dst
}

func appendIndent(dst []byte, depth int) []byte {
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, "  "...)
	}
	return dst
}

func appendTextElement(dst []byte, name, text string, depth int) []byte {
	dst = append(append(appendIndent(dst, depth), '<'), name...)
	dst = appendXMLText(append(dst, '>'), text, false)
	return append(append(append(dst, "</"...), name...), '>')
}

// appendString adds a child as JMeter does for texts of its own.
func appendString(dst []byte, name, text string, depth int) []byte {
	dst = appendXMLText(openString(dst, name, depth), text, false)
	return append(append(append(dst, "</"...), name...), '>')
}

func openString(dst []byte, name string, depth int) []byte {
	dst = append(append(appendIndent(dst, depth), '<'), name...)
	return append(dst, ` class="java.lang.String">`...)
}

func appendAttr(dst []byte, name, value string) []byte {
	dst = append(append(dst, ' '), name...)
	dst = append(dst, '=', '"')
	return append(appendXMLText(dst, value, true), '"')
}

func appendIntAttr(dst []byte, name string, n int64) []byte {
	dst = append(append(dst, ' '), name...)
	dst = append(dst, '=', '"')
	return append(strconv.AppendInt(dst, n, 10), '"')
}

// appendXMLText escapes as JMeter's XML writer does, which writes even characters
// that XML forbids, as references.
func appendXMLText(dst []byte, s string, attr bool) []byte {
	from := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			esc := xmlEscapes[b]
			if esc != "" && (attr || b != '\t' && b != '\n') {
				dst = append(append(dst, s[from:i]...), esc...)
				from = i + 1
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(append(dst, s[from:i]...), "\uFFFD"...)
			from = i + n
		case !definedInJava(r):
			dst = append(append(dst, s[from:i]...), "&#x"...)
			dst = append(strconv.AppendInt(dst, int64(r), 16), ';')
			from = i + n
		}
		i += n
	}
	return append(dst, s[from:]...)
}

var xmlEscapes = func() (t [utf8.RuneSelf]string) {
	for c := range t {
		if c < ' ' || c == 0x7f {
			t[c] = "&#x" + strconv.FormatInt(int64(c), 16) + ";"
		}
	}
	t['&'], t['<'], t['>'], t['"'], t['\''] = "&amp;", "&lt;", "&gt;", "&quot;", "&apos;"
	return t
}()

// definedInJava tells whether JMeter writes r as it is: Character.isDefined and
// no control character. It looks at UTF-16 units, so all beyond the first plane is.
func definedInJava(r rune) bool {
	if r > 0xffff {
		return true
	}
	return unicode.IsPrint(r) || unicode.In(r, unicode.M, unicode.Z, unicode.Cf, unicode.Co)
}
