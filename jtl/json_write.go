package jtl

import (
	"cmp"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// AppendJSON adds the sample as a JSON object with a line end after it, so that
// samples make JSON Lines. Members have the names of CSV columns, and their order;
// an undefined variable is null. Sub-results are objects of the same form in
// "subResults"; "assertionResults", headers and what was sent and received come
// as far as c has them saved and the sample has them. "http" tells what is an
// httpSample in XML.
func (c *Config) AppendJSON(dst []byte, s *Sample) []byte {
	return append(c.appendObject(dst, s, s), '\n')
}

func (c *Config) appendObject(dst []byte, s, event *Sample) []byte {
	dst = append(dst, '{')
	num := func(on bool, col Column, n int64) {
		if on {
			dst = strconv.AppendInt(appendKey(dst, col.String()), n, 10)
		}
	}
	text := func(on bool, name, v string) {
		if on {
			dst = appendJSONText(appendKey(dst, name), v)
		}
	}
	stamp := s.End
	if c.StampStart {
		stamp = s.Start
	}
	num(c.Timestamp, ColTimeStamp, stamp)
	num(c.Time, ColElapsed, s.Elapsed)
	text(c.Label, ColLabel.String(), s.Label)
	text(c.Code, ColCode.String(), s.Code)
	text(c.Message, ColMessage.String(), s.Message)
	text(c.ThreadName, ColThreadName.String(), s.ThreadName)
	text(c.DataType, ColDataType.String(), s.DataType)
	if c.Success {
		dst = strconv.AppendBool(appendKey(dst, ColSuccess.String()), s.Success)
	}
	text(c.FailureMessage, ColFailureMessage.String(), s.FailureMessage())
	num(c.Bytes, ColBytes, s.Bytes)
	num(c.SentBytes, ColSentBytes, s.SentBytes)
	num(c.ThreadCounts, ColGroupThreads, int64(s.GroupThreads))
	num(c.ThreadCounts, ColAllThreads, int64(s.AllThreads))
	if c.URL {
		dst = appendKey(dst, ColURL.String())
		if s.URL == "" {
			dst = append(dst, "null"...)
		} else {
			dst = appendJSONText(dst, s.URL)
		}
	}
	text(c.FileName, ColFileName.String(), s.FileName)
	num(c.Latency, ColLatency, s.Latency)
	text(c.Encoding, ColEncoding.String(), s.Encoding)
	num(c.SampleCount, ColSampleCount, int64(s.SampleCount))
	num(c.SampleCount, ColErrorCount, s.Errors())
	text(c.Hostname, ColHostname.String(), c.hostname(event))
	num(c.IdleTime, ColIdleTime, s.IdleTime)
	num(c.ConnectTime, ColConnect, s.Connect)
	if len(c.Variables) > 0 {
		dst = append(appendKey(dst, "variables"), '{')
		for i, name := range c.Variables {
			dst = appendKey(dst, name)
			if i < len(event.Vars) && event.Vars[i] != nil {
				dst = appendJSONText(dst, *event.Vars[i])
			} else {
				dst = append(dst, "null"...)
			}
		}
		dst = append(dst, '}')
	}
	if c.Assertions && len(s.Assertions) > 0 {
		dst = appendAssertions(dst, s.Assertions)
	}
	text(c.ResponseHeaders && s.ResponseHeaders != "", "responseHeaders", s.ResponseHeaders)
	text(c.RequestHeaders && s.RequestHeaders != "", "requestHeaders", s.RequestHeaders)
	if c.ResponseData && s.DataType == "text" && len(s.Body) > 0 {
		body := decoded(s.Body, cmp.Or(s.Encoding, c.DefaultEncoding))
		dst = appendJSONText(appendKey(dst, "responseData"), string(body))
	}
	text(c.SamplerData && s.HasSamplerData, "samplerData", s.SamplerData)
	text(c.SamplerData && s.Method != "", "method", s.Method)
	text(c.SamplerData && s.QueryString != "", "queryString", s.QueryString)
	text(c.SamplerData && s.Cookies != "", "cookies", s.Cookies)
	text(c.SamplerData && s.RedirectLocation != "", "redirectLocation", s.RedirectLocation)
	if s.HTTP {
		dst = append(appendKey(dst, "http"), "true"...)
	}
	if c.Subresults && len(s.Subs) > 0 {
		dst = append(appendKey(dst, "subResults"), '[')
		for i, sub := range s.Subs {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = c.appendObject(dst, sub, event)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func appendAssertions(dst []byte, all []Assertion) []byte {
	dst = append(appendKey(dst, "assertionResults"), '[')
	for i, a := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '{')
		dst = appendJSONText(appendKey(dst, "name"), a.Name)
		dst = strconv.AppendBool(appendKey(dst, "failure"), a.Failure)
		dst = strconv.AppendBool(appendKey(dst, "error"), a.Error)
		if a.HasMessage {
			dst = appendJSONText(appendKey(dst, "failureMessage"), a.Message)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendKey begins a member of the object that dst ends in.
func appendKey(dst []byte, name string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(appendJSONText(dst, name), ':')
}

// appendJSONText adds a text as RFC 8259, section 7 asks; what is not UTF-8
// becomes U+FFFD.
func appendJSONText(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if b := s[i]; b < ' ' || b == '"' || b == '\\' || b >= utf8.RuneSelf {
			quoted, err := json.Marshal(s)
			if err != nil {
				quoted = []byte(`""`) // never: a string always has a JSON form
			}
			return append(dst, quoted...)
		}
	}
	dst = append(append(dst, '"'), s...)
	return append(dst, '"')
}
