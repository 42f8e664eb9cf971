package jtl

import "time"

// Sample is one result: from the sampler that makes it, over post-processors
// and assertions, to the file, the console and the charts.
//
// Times are in milliseconds; Start and End are epoch milliseconds. A Sample
// belongs to the thread that fills it, which reuses it: whoever keeps one, or
// a slice of one, beyond the call that hands it over, copies it.
type Sample struct {
	Label      string
	ThreadName string
	Code       string // response code, a number or a phrase
	Message    string // response message
	DataType   string // "text", "bin" or ""
	Encoding   string // charset of the response as told by the server, "" when unknown
	URL        string // "" is JMeter's null
	FileName   string // file that Save Responses wrote
	Hostname   string // generator; "" means this machine

	Start, End int64 // epoch ms
	Elapsed    int64 // End - Start - IdleTime
	Latency    int64 // to the first byte
	Connect    int64
	IdleTime   int64

	Bytes      int64 // headers and body received
	SentBytes  int64
	HeaderSize int64 // part of Bytes
	BodySize   int64 // part of Bytes

	GroupThreads, AllThreads int

	// SampleCount is 1 for a plain sample, whose success tells its errors; statistical
	// batches of distributed runs sum up several in one row.
	SampleCount, ErrorCount int

	Success bool
	HTTP    bool // written as httpSample in XML
	// Ignore asks that nothing be written: SampleResult.setIgnore() of scripts.
	Ignore bool
	// Transaction marks the row of a Transaction Controller.
	Transaction bool
	// NoMessage says that Message is JMeter's null, which CSV writes as "null".
	NoMessage bool

	Body            []byte
	SamplerData     string // what was sent, for samplers other than HTTP
	HasSamplerData  bool   // tells SamplerData "" from JMeter's null
	RequestHeaders  string
	ResponseHeaders string

	// HTTP only: XML writes them in place of SamplerData.
	Method, QueryString, Cookies, RedirectLocation string
	// Redirect says that there is a RedirectLocation, be it empty; files do not
	// keep the difference.
	Redirect bool

	Assertions []Assertion
	Subs       []*Sample

	// Vars holds the values of sample_variables in their order; a nil entry is
	// an undefined variable.
	Vars []*string

	written []*Writer // files that have it
}

// Assertion is what one assertion said of a sample.
type Assertion struct {
	Name    string
	Failure bool
	Error   bool
	// Message is JMeter's failureMessage; HasMessage tells "" from null.
	Message    string
	HasMessage bool
	// Compared are the two texts that a Compare Assertion found different; it is set,
	// if empty, for each result of one that compared. XML alone shows it.
	Compared *Compared
}

// Compared are two texts that differ, each behind what was sent for it.
type Compared struct{ Base, Secondary string }

// FailureMessage is the text of the CSV column failureMessage: that of the first
// assertion that failed (JMeter 5.6.3 takes the first that is not null, so that one
// which passed hides it: its issue 6231). Where none failed it is, as in JMeter,
// the first that is not null, and "" where there is none.
func (s *Sample) FailureMessage() string {
	for i := range s.Assertions {
		if a := &s.Assertions[i]; a.Failure || a.Error {
			return a.Message
		}
	}
	for i := range s.Assertions {
		if s.Assertions[i].HasMessage {
			return s.Assertions[i].Message
		}
	}
	return ""
}

// maxHeldBody is how much memory for a body a sample keeps from one use to the
// next.
const maxHeldBody = 1 << 20

// Reset empties s for its next use and keeps the memory of its slices, but not
// that of a very long body.
func (s *Sample) Reset() {
	body, assertions, subs, vars, written := s.Body, s.Assertions, s.Subs, s.Vars, s.written
	if cap(body) > maxHeldBody {
		body = nil
	}
	*s = Sample{SampleCount: 1} // in place: with the slices here it would go by way of the stack
	s.Body, s.Assertions, s.Subs, s.Vars, s.written = body[:0], assertions[:0], subs[:0], vars[:0], written[:0]
}

// Clone returns a copy that shares nothing with s and was not written anywhere.
func (s *Sample) Clone() *Sample {
	c := *s
	c.Body = append([]byte(nil), s.Body...)
	c.Assertions = append([]Assertion(nil), s.Assertions...)
	c.Vars = append([]*string(nil), s.Vars...)
	c.written = nil
	c.Subs = nil
	for _, sub := range s.Subs {
		c.Subs = append(c.Subs, sub.Clone())
	}
	return &c
}

// AddSub makes sub a part of s, as JMeter's addSubResult does: s ends with the
// last of its parts and sums up their bytes. The part keeps its label.
func (s *Sample) AddSub(sub *Sample) {
	if s.ThreadName != "" {
		sub.ThreadName = s.ThreadName
	}
	s.End = max(s.End, sub.End)
	s.Bytes += sub.Bytes
	s.SentBytes += sub.SentBytes
	s.HeaderSize += sub.HeaderSize
	s.BodySize += sub.BodySize
	s.Subs = append(s.Subs, sub)
}

// SetBody makes text the response, and its length the sample's bytes.
func (s *Sample) SetBody(text string) {
	s.Body = append(s.Body[:0], text...)
	s.BodySize = int64(len(text))
	s.Bytes = s.HeaderSize + s.BodySize
}

// Restart makes the sample start now.
func (s *Sample) Restart() { s.Start = time.Now().UnixMilli() }

// Errors is how many of the samples that s stands for have failed: for a plain
// sample its success decides.
func (s *Sample) Errors() int64 {
	switch {
	case s.SampleCount > 1:
		return int64(s.ErrorCount)
	case s.Success:
		return 0
	}
	return 1
}

// SentText is what JMeter calls the sampler data: for HTTP the request line's
// method and address with body and cookies, else SamplerData as it stands.
func (s *Sample) SentText() string {
	if !s.HTTP {
		return s.SamplerData
	}
	text := s.Method
	if s.URL != "" {
		text += " " + s.URL + "\n"
		switch s.Method {
		case "HEAD", "OPTIONS", "TRACE":
		default:
			text += "\n" + s.Method + " data:\n" + s.QueryString + "\n"
		}
		if s.Cookies != "" {
			text += "\nCookie Data:\n" + s.Cookies + "\n"
		} else {
			text += "\n[no cookies]\n"
		}
	}
	return text + s.SamplerData
}
