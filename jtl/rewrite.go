package jtl

import (
	"slices"
	"strings"
)

// ConfigFor is what writes samples with all that files of these kinds hold
// together: their columns in JMeter's order, and their variables. The format and
// delimiter are those of the first; header lines are written. Time stamps have the
// form that all files have, and are epoch ms where forms differ. What a sample lacks stays empty, unlike where a run writes it.
func ConfigFor(read ReadOptions, files ...*Info) *Config {
	read = read.withDefaults()
	c := &Config{FieldNames: true, Delimiter: ',', StampStart: read.Config.StampStart, Subresults: true}
	if len(files) > 0 {
		first := files[0]
		c.Format = first.Format
		if first.Format == CSV {
			c.Delimiter = first.Delimiter
		}
		if !slices.ContainsFunc(files, func(i *Info) bool { return i.TimeFormat != first.TimeFormat }) {
			c.DateFormat = first.date
		}
	}
	has := func(col Column) bool {
		return slices.ContainsFunc(files, func(i *Info) bool { return i.Has(col) })
	}
	inside := func(tags ...xmlTag) bool {
		return slices.ContainsFunc(files, func(i *Info) bool {
			return slices.ContainsFunc(tags, func(t xmlTag) bool { return i.tags[t] })
		})
	}
	c.Timestamp, c.Time, c.Label, c.Code = has(ColTimeStamp), has(ColElapsed), has(ColLabel), has(ColCode)
	c.Message, c.ThreadName, c.DataType = has(ColMessage), has(ColThreadName), has(ColDataType)
	c.Success, c.FailureMessage, c.Bytes, c.SentBytes = has(ColSuccess), has(ColFailureMessage), has(ColBytes), has(ColSentBytes)
	c.ThreadCounts = has(ColGroupThreads) || has(ColAllThreads)
	c.URL, c.FileName, c.Latency, c.Encoding = has(ColURL), has(ColFileName), has(ColLatency), has(ColEncoding)
	c.SampleCount = has(ColSampleCount) || has(ColErrorCount)
	c.Hostname, c.IdleTime, c.ConnectTime = has(ColHostname), has(ColIdleTime), has(ColConnect)
	c.Assertions = inside(tagAssertion)
	c.ResponseHeaders, c.RequestHeaders = inside(tagResponseHeader), inside(tagRequestHeader)
	c.ResponseData = inside(tagResponseData)
	c.SamplerData = inside(tagSamplerData, tagCookies, tagMethod, tagQueryString, tagRedirect)
	for _, i := range files {
		for _, e := range i.Extra {
			if e.Name != "" && !slices.Contains(c.Variables, e.Name) {
				c.Variables = append(c.Variables, e.Name)
			}
		}
	}
	return c
}

// VarsOf tells for each variable of c where a sample of the file has it, -1 for
// nowhere: see ArrangeVars.
func (c *Config) VarsOf(i *Info) []int {
	at := make([]int, len(c.Variables))
	for v, name := range c.Variables {
		at[v] = slices.IndexFunc(i.Extra, func(e Extra) bool { return e.Name == name })
	}
	return at
}

// ArrangeVars puts the variables of a sample that was read into the order that
// VarsOf has found.
func ArrangeVars(s *Sample, at []int) {
	vars := make([]*string, len(at))
	for v, from := range at {
		if from >= 0 && from < len(s.Vars) {
			vars[v] = s.Vars[from]
		}
	}
	s.Vars = vars
	for _, sub := range s.Subs {
		ArrangeVars(sub, at)
	}
}

// AppendRawStart adds what a file made of Rows' Raw begins with: the header line
// of the file that they are from or, where that has none, the one that its columns
// ask for; of XML the start tag. It must be asked for before Read.
func (r *Reader) AppendRawStart(dst []byte) []byte {
	i := &r.d.info
	if i.Format == JSON {
		return dst
	}
	if i.Format == XML {
		dst = append(dst, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"...)
		if i.Version == "" {
			return append(dst, "<testResults>\n"...)
		}
		return append(dst, `<testResults version="`+i.Version+`">`+"\n"...)
	}
	names := make([]string, 0, len(i.Columns))
	extra := 0
	for _, c := range i.Columns {
		name := c.String()
		if c == colExtra {
			name = i.Extra[extra].Name
			if i.Extra[extra].Variable || strings.ContainsRune(name, rune(i.Delimiter)) {
				name = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
			}
			extra++
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return dst
	}
	return append(dst, strings.Join(names, string(rune(i.Delimiter)))+"\n"...)
}
