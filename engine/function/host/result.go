package host

import (
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// Result is s as scripts see it: a sample that belongs to thread t.
func Result(t *vu.Thread, s *jtl.Sample) api.Result { return result{t, s} }

// Sample returns the sample behind a result that Result made.
func Sample(r api.Result) (*jtl.Sample, bool) {
	x, ok := r.(result)
	return x.s, ok
}

// result is a value, so that two of one sample are equal.
type result struct {
	t *vu.Thread
	s *jtl.Sample
}

func (r result) NewResult() api.Result {
	return result{r.t, &jtl.Sample{ThreadName: r.t.Name, SampleCount: 1, Success: false}}
}

// field is the text of the sample itself, nil for one that is put together.
func (r result) field(f api.Text) *string {
	switch f {
	case api.Label:
		return &r.s.Label
	case api.Code:
		return &r.s.Code
	case api.Message:
		return &r.s.Message
	case api.RequestHeaders:
		return &r.s.RequestHeaders
	case api.ResponseHeaders:
		return &r.s.ResponseHeaders
	case api.SamplerData:
		return &r.s.SamplerData
	case api.DataType:
		return &r.s.DataType
	case api.DataEncoding:
		return &r.s.Encoding
	case api.ThreadName:
		return &r.s.ThreadName
	case api.URL:
		return &r.s.URL
	case api.Method:
		return &r.s.Method
	case api.QueryString:
		return &r.s.QueryString
	case api.Cookies:
		return &r.s.Cookies
	case api.ResultFileName:
		return &r.s.FileName
	}
	return nil
}

func (r result) Text(f api.Text) (string, bool) {
	switch f {
	case api.Message:
		return r.s.Message, !r.s.NoMessage
	case api.DataEncoding:
		if r.s.Encoding == "" {
			return r.t.Run.Props.Get("sampleresult.default.encoding", "UTF-8"), true
		}
	case api.SamplerData:
		if r.s.HTTP && r.s.URL != "" {
			return r.httpData(), true
		}
	case api.ContentType:
		return header(r.s.ResponseHeaders, "Content-Type"), true
	case api.MediaType:
		m, _, _ := strings.Cut(header(r.s.ResponseHeaders, "Content-Type"), ";")
		return strings.ToLower(strings.TrimSpace(m)), true
	case api.URL:
		return r.s.URL, r.s.URL != ""
	}
	if p := r.field(f); p != nil {
		return *p, true
	}
	return "", false
}

func (r result) SetText(f api.Text, s string) {
	if p := r.field(f); p != nil {
		*p = s
	}
	if f == api.Message {
		r.s.NoMessage = false
	}
}

// httpData is the request as JMeter shows it.
func (r result) httpData() string {
	var b strings.Builder
	b.WriteString(r.s.Method + " " + r.s.URL + "\n")
	switch r.s.Method {
	case "HEAD", "OPTIONS", "TRACE":
	default:
		b.WriteString("\n" + r.s.Method + " data:\n" + r.s.QueryString + "\n")
	}
	if r.s.Cookies != "" {
		b.WriteString("\nCookie Data:\n" + r.s.Cookies)
	} else {
		b.WriteString("\n[no cookies]")
	}
	b.WriteString("\n" + r.s.SamplerData)
	return b.String()
}

// header finds the first header of a name in a block of them.
func header(headers, name string) string {
	for line := range strings.Lines(headers) {
		if n, v, ok := strings.Cut(line, ":"); ok && strings.EqualFold(strings.TrimSpace(n), name) {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func (r result) Number(f api.Number) int64 {
	switch f {
	case api.Time:
		return r.s.Elapsed
	case api.Latency:
		return r.s.Latency
	case api.ConnectTime:
		return r.s.Connect
	case api.IdleTime:
		return r.s.IdleTime
	case api.StartTime:
		return r.s.Start
	case api.EndTime:
		return r.s.End
	case api.TimeStamp:
		if r.t.Run.Props.Bool("sampleresult.timestamp.start", true) {
			return r.s.Start
		}
		return r.s.End
	case api.Bytes:
		if r.s.Bytes == 0 {
			return int64(len(r.s.Body))
		}
		return r.s.Bytes
	case api.SentBytes:
		return r.s.SentBytes
	case api.BodySize:
		return r.s.BodySize
	case api.HeadersSize:
		return r.s.HeaderSize
	case api.AllThreads:
		return int64(r.s.AllThreads)
	case api.GroupThreads:
		return int64(r.s.GroupThreads)
	case api.SampleCount:
		return int64(r.s.SampleCount)
	case api.ErrorCount:
		if r.s.Success {
			return 0
		}
		return 1
	}
	return 0
}

func (r result) SetNumber(f api.Number, n int64) {
	switch f {
	case api.Time:
		r.s.Elapsed = n
	case api.Latency:
		r.s.Latency = n
	case api.ConnectTime:
		r.s.Connect = n
	case api.IdleTime:
		r.s.IdleTime = n
	case api.StartTime:
		r.s.Start = n
	case api.EndTime:
		r.s.End = n
		r.s.Elapsed = r.s.End - r.s.Start - r.s.IdleTime
	case api.Bytes:
		r.s.Bytes = n
	case api.SentBytes:
		r.s.SentBytes = n
	case api.BodySize:
		r.s.BodySize = n
	case api.HeadersSize:
		r.s.HeaderSize = n
	case api.AllThreads:
		r.s.AllThreads = int(n)
	case api.GroupThreads:
		r.s.GroupThreads = int(n)
	case api.SampleCount:
		r.s.SampleCount = int(n)
	case api.ErrorCount:
		r.s.ErrorCount = int(n)
	}
}

func (r result) Flag(f api.Flag) bool {
	switch f {
	case api.Successful:
		return r.s.Success
	case api.Ignore:
		return r.s.Ignore
	case api.StopThread:
		return r.t.Stopped()
	}
	return false
}

// SetFlag sets a switch; a request to stop is passed on at once and comes true
// after the sample.
func (r result) SetFlag(f api.Flag, on bool) {
	switch f {
	case api.Successful:
		r.s.Success = on
	case api.Ignore:
		r.s.Ignore = on
	case api.StopThread:
		if on {
			r.t.Stop()
		}
	case api.StopTest, api.StopTestNow:
		if on {
			thread{r.t}.StopTest(f == api.StopTestNow)
		}
	}
}

func (r result) Data() []byte { return r.s.Body }

// SetData replaces the body. Where the bytes received were no more than the body
// they follow it.
func (r result) SetData(b []byte) {
	follows := r.s.Bytes == int64(len(r.s.Body))
	r.s.Body = append(r.s.Body[:0], b...)
	if follows {
		r.s.Bytes = int64(len(b))
	}
}

func (r result) Mark(m api.Mark) {
	now := time.Now().UnixMilli()
	switch m {
	case api.Start:
		r.s.Start = now
	case api.End:
		r.SetNumber(api.EndTime, now)
	case api.LatencyEnd:
		r.s.Latency = now - r.s.Start - r.s.IdleTime
	case api.ConnectEnd:
		r.s.Connect = now - r.s.Start - r.s.IdleTime
	case api.Pause:
		r.s.IdleTime -= now
	case api.Resume:
		r.s.IdleTime += now
	}
}

func (r result) SetStampAndTime(stamp, elapsed int64) {
	if r.t.Run.Props.Bool("sampleresult.timestamp.start", true) {
		r.s.Start, r.s.End = stamp, stamp+elapsed
	} else {
		r.s.Start, r.s.End = stamp-elapsed, stamp
	}
	r.s.Elapsed = elapsed
}

func (r result) Subs() []api.Result {
	var out []api.Result
	for _, s := range r.s.Subs {
		out = append(out, result{r.t, s})
	}
	return out
}

// AddSub adds a part, which makes the sample last until its end and adds its bytes.
func (r result) AddSub(sub api.Result, rename bool) {
	x, ok := sub.(result)
	if !ok {
		return
	}
	x.s.ThreadName = r.s.ThreadName
	if x.s.End > r.s.End {
		r.SetNumber(api.EndTime, x.s.End)
	}
	r.s.Bytes += x.s.Bytes
	r.s.SentBytes += x.s.SentBytes
	r.s.HeaderSize += x.s.HeaderSize
	r.s.BodySize += x.s.BodySize
	if rename && !r.t.Run.Functional && !r.t.Run.Props.Bool("subresults.disable_renaming", false) {
		x.s.Label = r.s.Label + "-" + strconv.Itoa(len(r.s.Subs))
	}
	r.AddRawSub(sub)
}

func (r result) AddRawSub(sub api.Result) {
	if x, ok := sub.(result); ok {
		r.s.Subs = append(r.s.Subs, x.s)
	}
}

func (r result) RemoveSubs() { r.s.Subs = r.s.Subs[:0] }

// Parent is not known to a sample.
func (r result) Parent() api.Result { return nil }

func (r result) Assertions() []api.Judgement {
	var out []api.Judgement
	for _, a := range r.s.Assertions {
		out = append(out, api.Judgement{Name: a.Name, Failure: a.Failure, Error: a.Error, Message: a.Message, HasMessage: a.HasMessage})
	}
	return out
}

func (r result) AddAssertion(j api.Judgement) {
	r.s.Assertions = append(r.s.Assertions, jtl.Assertion{Name: j.Name, Failure: j.Failure, Error: j.Error, Message: j.Message, HasMessage: j.HasMessage})
}

var _ api.NewResulter = result{}
