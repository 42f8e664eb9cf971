package jtl

import (
	"strconv"
)

// AppendHeader adds the header line, whatever FieldNames says. Names of variables
// stand in quotes, as JMeter's readers tell them by.
func (c *Config) AppendHeader(dst []byte) []byte {
	for _, col := range c.columns() {
		dst = append(dst, col.String()...)
		dst = append(dst, c.Delimiter)
	}
	for _, name := range c.Variables {
		dst = append(dst, '"')
		dst = append(dst, name...)
		dst = append(dst, '"', c.Delimiter)
	}
	return endRow(dst, c.Delimiter)
}

// AppendRow adds the CSV row of s and, with Subresults, those of its sub-results,
// depth first, which carry the host name and variables of s. It does not
// allocate beyond growing dst.
func (c *Config) AppendRow(dst []byte, s *Sample) []byte {
	return c.appendRows(dst, s, s)
}

// appendRows adds the rows of s and its sub-results, which belong to event.
func (c *Config) appendRows(dst []byte, s, event *Sample) []byte {
	dst = c.appendRow(dst, s, event)
	if c.Subresults {
		for _, sub := range s.Subs {
			dst = c.appendRows(dst, sub, event)
		}
	}
	return dst
}

func (c *Config) appendRow(dst []byte, s, event *Sample) []byte {
	d := c.Delimiter
	start := len(dst)
	if c.Timestamp {
		stamp := s.End
		if c.StampStart {
			stamp = s.Start
		}
		if c.DateFormat == nil {
			dst = strconv.AppendInt(dst, stamp, 10)
		} else {
			at := len(dst)
			dst = c.quoteFrom(c.DateFormat.Append(dst, stamp), at)
		}
		dst = append(dst, d)
	}
	if c.Time {
		dst = appendInt(dst, s.Elapsed, d)
	}
	if c.Label {
		dst = c.appendText(dst, s.Label)
	}
	if c.Code {
		dst = c.appendText(dst, s.Code)
	}
	if c.Message {
		if s.NoMessage {
			dst = c.appendText(dst, "null")
		} else {
			dst = c.appendText(dst, s.Message)
		}
	}
	if c.ThreadName {
		dst = c.appendText(dst, s.ThreadName)
	}
	if c.DataType {
		dst = c.appendText(dst, s.DataType)
	}
	if c.Success {
		dst = append(strconv.AppendBool(dst, s.Success), d)
	}
	if c.FailureMessage {
		dst = c.appendText(dst, s.FailureMessage())
	}
	if c.Bytes {
		dst = appendInt(dst, s.Bytes, d)
	}
	if c.SentBytes {
		dst = appendInt(dst, s.SentBytes, d)
	}
	if c.ThreadCounts {
		dst = appendInt(dst, int64(s.GroupThreads), d)
		dst = appendInt(dst, int64(s.AllThreads), d)
	}
	if c.URL {
		if s.URL == "" {
			dst = c.appendText(dst, "null")
		} else {
			dst = c.appendText(dst, s.URL)
		}
	}
	if c.FileName {
		dst = c.appendText(dst, s.FileName)
	}
	if c.Latency {
		dst = appendInt(dst, s.Latency, d)
	}
	if c.Encoding {
		if s.Encoding == "" {
			dst = c.appendText(dst, c.DefaultEncoding)
		} else {
			dst = c.appendText(dst, s.Encoding)
		}
	}
	if c.SampleCount {
		dst = appendInt(dst, int64(s.SampleCount), d)
		dst = appendInt(dst, s.Errors(), d)
	}
	if c.Hostname {
		dst = c.appendText(dst, c.hostname(event))
	}
	if c.IdleTime {
		dst = appendInt(dst, s.IdleTime, d)
	}
	if c.ConnectTime {
		dst = appendInt(dst, s.Connect, d)
	}
	for i := range c.Variables {
		if i < len(event.Vars) && event.Vars[i] != nil {
			dst = c.appendText(dst, *event.Vars[i])
		} else {
			dst = c.appendText(dst, "null")
		}
	}
	if len(dst) == start {
		return append(dst, '\n')
	}
	return endRow(dst, d)
}

func (c *Config) hostname(event *Sample) string {
	if event.Hostname != "" {
		return event.Hostname
	}
	return c.LocalHost
}

// endRow makes the last delimiter the end of the line.
func endRow(dst []byte, delim byte) []byte {
	if n := len(dst); n > 0 && dst[n-1] == delim {
		dst[n-1] = '\n'
		return dst
	}
	return append(dst, '\n')
}

func appendInt(dst []byte, n int64, delim byte) []byte {
	return append(strconv.AppendInt(dst, n, 10), delim)
}

// appendText adds a text field and a delimiter. It is quoted if it holds the
// delimiter, a quote, CR or LF, and for nothing else.
func (c *Config) appendText(dst []byte, s string) []byte {
	at := len(dst)
	dst = c.quoteFrom(append(dst, s...), at)
	return append(dst, c.Delimiter)
}

// quoteFrom quotes the field that begins at dst[at], if it needs it.
func (c *Config) quoteFrom(dst []byte, at int) []byte {
	quotes, special := 0, false
	d := c.Delimiter
	for _, b := range dst[at:] {
		if b > '"' && b != d { // most
			continue
		}
		switch b {
		case '"':
			quotes++
		case d, '\r', '\n':
			special = true
		}
	}
	if quotes == 0 && !special {
		return dst
	}
	end := len(dst)
	for range quotes + 2 {
		dst = append(dst, '"')
	}
	dst[len(dst)-1] = '"'
	to := len(dst) - 2
	for from := end - 1; from >= at; from-- {
		dst[to] = dst[from]
		to--
		if dst[from] == '"' {
			dst[to] = '"'
			to--
		}
	}
	dst[at] = '"'
	return dst
}
