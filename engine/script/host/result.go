package host

import (
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/script/api"
	"github.com/gojm/gojm/jtl"
)

// result is a SampleResult on a sample of the run, or on one that a script makes. What
// JMeter's class keeps and a sample does not stands in it.
type result struct {
	s    *jtl.Sample
	st   *seated
	turn uint64 // of the thread when the sample was made: it uses samples again

	parent      *result
	index       int // of the next part's name
	pause       int64
	contentType string
}

func newResult(s *jtl.Sample, st *seated) *result {
	return &result{s: s, st: st, index: len(s.Subs)}
}

// NewResult is new SampleResult().
func (r *result) NewResult() api.Result { return newResult(&jtl.Sample{SampleCount: 1}, r.st) }

// Text is a text of the result; ok is false for null.
func (r *result) Text(f api.Text) (s string, ok bool) {
	if f == api.ThreadName && r.making() {
		return "", true
	}
	if p := r.text(f); p != nil {
		return *p, !(f == api.Message && r.s.NoMessage || f == api.DataEncoding && *p == "")
	}
	switch f {
	case api.SamplerData:
		return r.s.SentText(), r.s.HTTP || r.s.HasSamplerData || r.s.SamplerData != ""
	case api.ContentType:
		return r.content(), true
	case api.MediaType:
		kind, _, _ := strings.Cut(r.content(), ";")
		return strings.ToLower(strings.Trim(kind, " ")), true
	}
	return "", false
}

// making says that the sampler is at work on the sample: JMeter names its thread when
// it is done.
func (r *result) making() bool {
	return r.parent == nil && r.s.End == 0 && r.s != r.st.thread.t.Prev
}

// text is where a plain text stands.
func (r *result) text(f api.Text) *string {
	s := r.s
	switch f {
	case api.Label:
		return &s.Label
	case api.Code:
		return &s.Code
	case api.Message:
		return &s.Message
	case api.RequestHeaders:
		return &s.RequestHeaders
	case api.ResponseHeaders:
		return &s.ResponseHeaders
	case api.DataType:
		return &s.DataType
	case api.DataEncoding:
		return &s.Encoding
	case api.ThreadName:
		return &s.ThreadName
	case api.URL:
		return &s.URL
	case api.Method:
		return &s.Method
	case api.QueryString:
		return &s.QueryString
	case api.Cookies:
		return &s.Cookies
	case api.ResultFileName:
		return &s.FileName
	}
	return nil
}

// SetText sets one.
func (r *result) SetText(f api.Text, text string) {
	switch f {
	case api.Message:
		r.s.NoMessage = false
	case api.SamplerData:
		r.s.SamplerData, r.s.HasSamplerData = text, true
		return
	case api.ContentType:
		r.contentType = text
		return
	}
	if p := r.text(f); p != nil {
		*p = text
	}
}

// content is the content type: what a script has set, or the response's header.
func (r *result) content() string {
	if r.contentType != "" {
		return r.contentType
	}
	for rest := r.s.ResponseHeaders; rest != "" && r.s.HTTP; {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Content-Type") {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// Number is a number of the result.
func (r *result) Number(f api.Number) int64 {
	s := r.s
	switch f {
	case api.Time:
		return s.Elapsed
	case api.Latency:
		return s.Latency
	case api.ConnectTime:
		return s.Connect
	case api.IdleTime:
		return s.IdleTime
	case api.StartTime:
		return s.Start
	case api.EndTime:
		return s.End
	case api.TimeStamp:
		if r.stampsStart() {
			return s.Start
		}
		return s.End
	case api.Bytes:
		return s.Bytes
	case api.SentBytes:
		return s.SentBytes
	case api.BodySize:
		return s.BodySize
	case api.HeadersSize:
		return s.HeaderSize
	case api.AllThreads:
		return int64(s.AllThreads)
	case api.GroupThreads:
		return int64(s.GroupThreads)
	case api.SampleCount:
		return int64(s.SampleCount)
	case api.ErrorCount:
		if !s.Success {
			return 1
		}
	}
	return 0
}

// stampsStart tells whether the time stamp of a result is its start.
func (r *result) stampsStart() bool {
	return r.st.thread.t.Run.Props.Bool("sampleresult.timestamp.start", true)
}

// SetNumber sets one.
func (r *result) SetNumber(f api.Number, n int64) {
	s := r.s
	switch f {
	case api.Latency:
		s.Latency = n
	case api.ConnectTime:
		s.Connect = n
	case api.IdleTime:
		s.IdleTime = n
	case api.StartTime:
		s.Start = n
	case api.EndTime:
		r.end(n)
	case api.Bytes: // counts only where neither headers nor a body do
		if s.HeaderSize+s.BodySize == 0 {
			s.Bytes = n
		}
	case api.SentBytes:
		s.SentBytes = n
	case api.BodySize:
		if s.BodySize = n; n == 0 {
			s.BodySize = int64(len(s.Body))
		}
		s.Bytes = s.HeaderSize + s.BodySize
	case api.HeadersSize:
		s.HeaderSize = n
		s.Bytes = s.HeaderSize + s.BodySize
	case api.AllThreads:
		s.AllThreads = int(n)
	case api.GroupThreads:
		s.GroupThreads = int(n)
	case api.SampleCount:
		s.SampleCount = int(n)
	}
}

// end ends the sample; one that has not started keeps its duration.
func (r *result) end(at int64) {
	if r.s.End = at; r.s.Start != 0 {
		r.s.Elapsed = at - r.s.Start - r.s.IdleTime
	}
}

// Flag is a switch of the result. Those that stop something act at once.
func (r *result) Flag(f api.Flag) bool {
	switch f {
	case api.Successful:
		return r.s.Success
	case api.Ignore:
		return r.s.Ignore
	case api.StopThread:
		return r.st.thread.t.Stopped()
	}
	return false
}

// SetFlag sets one. The results of samples past stop nothing any more, as in JMeter,
// which looks at a result once, when all is done with it.
func (r *result) SetFlag(f api.Flag, on bool) {
	switch f {
	case api.Successful:
		r.s.Success = on
	case api.Ignore:
		r.s.Ignore = on
	default:
		if !on || r.parent != nil {
			return
		}
		t := &r.st.thread
		switch f {
		case api.StopThread:
			t.StopThread()
		case api.StopTest:
			t.StopThread()
			t.StopTest(false)
		case api.StopTestNow:
			t.StopThread()
			t.StopTest(true)
		}
	}
}

// Data is the body, which the caller must not change.
func (r *result) Data() []byte { return r.s.Body }

// SetData replaces the body. The size of one that came over the wire stays what it was.
func (r *result) SetData(b []byte) {
	s := r.s
	counted := s.BodySize == int64(len(s.Body)) && (!s.HTTP || s.BodySize == 0)
	s.Body = append(s.Body[:0], b...)
	if counted {
		s.BodySize = int64(len(b))
		s.Bytes = s.HeaderSize + s.BodySize
	}
}

// Mark notes the time. What is marked already stays, as JMeter has it.
func (r *result) Mark(m api.Mark) {
	s, now := r.s, time.Now().UnixMilli()
	switch m {
	case api.Start:
		if s.Start == 0 {
			s.Start = now
		}
	case api.End:
		if s.End == 0 {
			r.end(now)
		}
	case api.Pause:
		r.pause = now
	case api.Resume:
		if r.pause != 0 {
			s.IdleTime += now - r.pause
		}
		r.pause = 0
	case api.LatencyEnd:
		s.Latency = now - s.Start - s.IdleTime
	case api.ConnectEnd:
		s.Connect = now - s.Start - s.IdleTime
	}
}

// SetStampAndTime sets start and end by the time stamp.
func (r *result) SetStampAndTime(stamp, elapsed int64) {
	s := r.s
	if r.stampsStart() {
		s.Start, s.End = stamp, stamp+elapsed
	} else {
		s.Start, s.End = stamp-elapsed, stamp
	}
	s.Elapsed = elapsed
}

// Subs are the parts.
func (r *result) Subs() []api.Result {
	out := make([]api.Result, len(r.s.Subs))
	for i, s := range r.s.Subs {
		sub := newResult(s, r.st)
		sub.parent = r
		out[i] = sub
	}
	return out
}

// AddSub makes sub a part, with its sizes and its end.
func (r *result) AddSub(sub api.Result, rename bool) {
	x, ok := r.adopt(sub, rename)
	if !ok {
		return
	}
	s := r.s
	if s.ThreadName == "" {
		s.ThreadName = r.st.thread.t.Name
	}
	elapsed := s.End != 0
	s.AddSub(x)
	if elapsed {
		r.end(s.End)
	}
}

// AddRawSub makes sub a part and changes nothing else.
func (r *result) AddRawSub(sub api.Result) {
	if x, ok := r.adopt(sub, true); ok {
		r.s.Subs = append(r.s.Subs, x)
	}
}

// adopt readies sub as a part: one that the thread will use again is copied.
func (r *result) adopt(sub api.Result, rename bool) (*jtl.Sample, bool) {
	x, ok := sub.(*result)
	if !ok || x == r {
		return nil, false
	}
	if x.s == r.st.thread.t.Prev {
		x.s = x.s.Clone()
	}
	x.parent = r
	run := r.st.thread.t.Run
	if rename && !run.Functional && !run.Props.Bool("subresults.disable_renaming", false) {
		x.s.Label = r.s.Label + "-" + strconv.Itoa(r.index)
		r.index++
	}
	return x.s, true
}

// RemoveSubs forgets the parts.
func (r *result) RemoveSubs() { r.s.Subs = r.s.Subs[:0] }

// Parent is the result that this one is a part of.
func (r *result) Parent() api.Result {
	if r.parent == nil {
		return nil
	}
	return r.parent
}

// Assertions are what assertions have said so far.
func (r *result) Assertions() []api.Judgement {
	out := make([]api.Judgement, len(r.s.Assertions))
	for i, a := range r.s.Assertions {
		out[i] = api.Judgement{Name: a.Name, Failure: a.Failure, Error: a.Error, Message: a.Message, HasMessage: a.HasMessage}
	}
	return out
}

// AddAssertion adds what an assertion says; the result's success stays.
func (r *result) AddAssertion(j api.Judgement) { r.s.Assertions = append(r.s.Assertions, Assertion(j)) }

// Assertion is a script's judgement for the results.
func Assertion(j api.Judgement) jtl.Assertion {
	return jtl.Assertion{Name: j.Name, Failure: j.Failure, Error: j.Error, Message: j.Message, HasMessage: j.HasMessage}
}
