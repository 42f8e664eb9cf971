package api

import (
	"bytes"
	"time"

	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/script"
)

// Text names a text of a result.
type Text uint8

// The texts of a result, with the methods of SampleResult that read and write them.
const (
	Label   Text = iota // SampleLabel
	Code                // ResponseCode
	Message             // ResponseMessage
	RequestHeaders
	ResponseHeaders
	SamplerData
	DataType
	DataEncoding
	ContentType
	MediaType
	ThreadName
	URL // UrlAsString
	Method
	QueryString
	Cookies
	ResultFileName
)

// Number names a number of a result. Times are epoch milliseconds, durations milliseconds.
type Number uint8

// The numbers of a result.
const (
	Time Number = iota
	Latency
	ConnectTime
	IdleTime
	StartTime
	EndTime
	TimeStamp
	Bytes
	SentBytes
	BodySize
	HeadersSize
	AllThreads
	GroupThreads
	SampleCount
	ErrorCount
)

// Flag names a switch of a result.
type Flag uint8

// The switches of a result.
const (
	Successful Flag = iota
	Ignore
	StopThread
	StopTest
	StopTestNow
)

// Mark is a moment that a script marks while it makes a result.
type Mark uint8

// The moments.
const (
	Start Mark = iota
	End
	Pause
	Resume
	LatencyEnd
	ConnectEnd
)

// Result is a SampleResult. ok is false for a text that is null.
type Result interface {
	Text(Text) (s string, ok bool)
	SetText(Text, string)
	Number(Number) int64
	SetNumber(Number, int64)
	Flag(Flag) bool
	SetFlag(Flag, bool)
	Data() []byte
	SetData([]byte)
	Mark(Mark)
	SetStampAndTime(stamp, elapsed int64)
	Subs() []Result
	AddSub(sub Result, rename bool)
	AddRawSub(sub Result)
	RemoveSubs()
	Parent() Result // nil for a top one
	// Assertions are the assertion results so far.
	Assertions() []Judgement
	AddAssertion(Judgement)
}

// Judgement is an AssertionResult by value.
type Judgement struct {
	Name           string
	Failure, Error bool
	Message        string
	HasMessage     bool
}

// NewResulter is a Result that makes others: what new SampleResult() in a script gives. Results that
// are not leave scripts without it.
type NewResulter interface{ NewResult() Result }

var (
	resultClass     = script.NewClass("org.apache.jmeter.samplers.SampleResult", script.ObjectClass())
	httpResultClass = script.NewClass("org.apache.jmeter.protocol.http.sampler.HTTPSampleResult", resultClass)
	assertionClass  = script.NewClass("org.apache.jmeter.assertions.AssertionResult", script.ObjectClass())
)

// result wraps a Result for scripts.
type result struct{ r Result }

func (*result) JavaClass() *script.Class { return resultClass }

// String is the label, as in JMeter.
func (r *result) String() string { s, _ := r.r.Text(Label); return s }

// Equal makes prev and sampleResult of one sample equal.
func (r *result) Equal(v script.Value) bool {
	o, ok := v.(*result)
	return ok && o.r == r.r
}

// Same makes them the same object, too.
func (r *result) Same(v script.Value) bool { return r.Equal(v) }

// ResultValue is a result as scripts see it, for names of one's own.
func ResultValue(r Result) script.Value { return &result{r} }

// ResultOf returns the result behind a script's value, for values handed back by scripts.
func ResultOf(v script.Value) (Result, bool) {
	if r, ok := v.(*result); ok {
		return r.r, true
	}
	return nil, false
}

// Assertion is the AssertionResult of an assertion script; the program reads it after the run.
type Assertion struct{ Judgement }

// JavaClass is AssertionResult.
func (*Assertion) JavaClass() *script.Class { return assertionClass }

var texts = map[string]Text{"SampleLabel": Label, "ResponseCode": Code, "ResponseMessage": Message, "RequestHeaders": RequestHeaders,
	"ResponseHeaders": ResponseHeaders, "SamplerData": SamplerData, "DataType": DataType, "DataEncoding": DataEncoding, "ContentType": ContentType,
	"MediaType": MediaType, "ThreadName": ThreadName, "UrlAsString": URL, "HTTPMethod": Method, "QueryString": QueryString, "Cookies": Cookies, "ResultFileName": ResultFileName}

var numbers = map[string]Number{"Time": Time, "Latency": Latency, "ConnectTime": ConnectTime, "IdleTime": IdleTime, "StartTime": StartTime, "EndTime": EndTime,
	"TimeStamp": TimeStamp, "BytesAsLong": Bytes, "SentBytes": SentBytes, "BodySizeAsLong": BodySize}

// counts are the numbers that Java has as int.
var counts = map[string]Number{"Bytes": Bytes, "BodySize": BodySize, "HeadersSize": HeadersSize, "AllThreads": AllThreads, "GroupThreads": GroupThreads,
	"SampleCount": SampleCount, "ErrorCount": ErrorCount}

var marks = map[string]Mark{"sampleStart": Start, "sampleEnd": End, "samplePause": Pause, "sampleResume": Resume, "latencyEnd": LatencyEnd, "connectEnd": ConnectEnd}

func init() {
	r := func(c *script.Call) Result { return c.Self.(*result).r }
	m := script.Methods{}
	text := func(c *script.Call, f Text) script.Value {
		if s, ok := r(c).Text(f); ok {
			return s
		}
		return nil
	}
	for n, f := range texts {
		m["get"+n] = get(func(c *script.Call) script.Value { return text(c, f) })
		m["set"+n] = script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			s, _ := script.ToString(c.Args[0])
			if c.Args[0] != nil {
				if v, err := textArg(c, "set"+n, 0); err != nil {
					return nil, err
				} else {
					s = v
				}
			}
			r(c).SetText(f, s)
			return nil, nil
		})
	}
	m["getURL"] = get(func(c *script.Call) script.Value {
		if s, ok := r(c).Text(URL); ok && s != "" {
			return script.NewURL(s)
		}
		return nil
	})
	m["setURL"] = script.NewMethod(1, 1, none(func(c *script.Call) { r(c).SetText(URL, textOf(c, 0)) }))
	delete(m, "setUrlAsString") // JMeter has none
	m["getResponseMessageNoHeaders"] = m["getResponseMessage"]
	for n, f := range numbers {
		m["get"+n] = get(func(c *script.Call) script.Value { return r(c).Number(f) })
		m["set"+n] = script.NewMethod(1, 1, setNumber(r, f))
	}
	for n, f := range counts {
		m["get"+n] = get(func(c *script.Call) script.Value { return int32(r(c).Number(f)) })
		m["set"+n] = script.NewMethod(1, 1, setNumber(r, f))
	}
	for n, f := range marks {
		m[n] = get(func(c *script.Call) script.Value { r(c).Mark(f); return nil })
	}
	flag := func(f Flag) *script.Method {
		return script.NewMethod(0, 1, func(c *script.Call) (script.Value, error) {
			on := true
			if c.N() == 1 {
				on = c.Bool(0)
			}
			if err := c.Err(); err != nil {
				return nil, err
			}
			r(c).SetFlag(f, on)
			return nil, nil
		})
	}
	m["setSuccessful"], m["setIgnore"] = flag(Successful), flag(Ignore)
	m["setStopThread"], m["setStopTest"], m["setStopTestNow"] = flag(StopThread), flag(StopTest), flag(StopTestNow)
	for n, f := range map[string]Flag{"isSuccessful": Successful, "isIgnore": Ignore, "isStopThread": StopThread, "isStopTest": StopTest, "isStopTestNow": StopTestNow} {
		m[n] = get(func(c *script.Call) script.Value { return r(c).Flag(f) })
	}
	m["isResponseCodeOK"] = get(func(c *script.Call) script.Value { s, _ := r(c).Text(Code); return s == "200" })
	m["setResponseOK"] = script.NewMethod(0, 0, none(func(c *script.Call) {
		r(c).SetText(Code, "200")
		r(c).SetText(Message, "OK")
		r(c).SetFlag(Successful, true)
	}))
	m["setResponseCodeOK"] = script.NewMethod(0, 0, none(func(c *script.Call) { r(c).SetText(Code, "200") }))
	m["setStampAndTime"] = script.NewMethod(2, 2, func(c *script.Call) (script.Value, error) {
		stamp, elapsed := c.Long(0), c.Long(1)
		if err := c.Err(); err != nil {
			return nil, err
		}
		if r(c).Number(StartTime) != 0 || r(c).Number(EndTime) != 0 {
			return nil, script.Throw("java.lang.IllegalStateException", "Calling setStampAndTime() after start/end times have been set")
		}
		r(c).SetStampAndTime(stamp, elapsed)
		return nil, nil
	})
	m["getResponseData"] = get(func(c *script.Call) script.Value { return &script.Bytes{B: bytes.Clone(r(c).Data())} })
	m["getResponseDataAsString"] = get(func(c *script.Call) script.Value { return body(r(c)) })
	m["setResponseData"] = script.NewMethod(1, 2, setData)
	m["getSubResults"] = get(func(c *script.Call) script.Value {
		a := &script.Array{Elem: "org.apache.jmeter.samplers.SampleResult"}
		for _, s := range r(c).Subs() {
			a.Items = append(a.Items, &result{s})
		}
		return a
	})
	add := func(do func(c *script.Call, sub Result)) *script.Method {
		return script.NewMethod(1, 2, func(c *script.Call) (script.Value, error) {
			sub, ok := ResultOf(c.Args[0])
			if !ok {
				return nil, script.MissingMethod(c.Self, "addSubResult", c.Args)
			}
			do(c, sub)
			return nil, nil
		})
	}
	m["addSubResult"] = add(func(c *script.Call, sub Result) { r(c).AddSub(sub, c.N() == 1 || c.Bool(1)) })
	m["addRawSubResult"] = add(func(c *script.Call, sub Result) { r(c).AddRawSub(sub) })
	m["storeSubResult"] = m["addSubResult"]
	m["removeSubResults"] = script.NewMethod(0, 0, none(func(c *script.Call) { r(c).RemoveSubs() }))
	m["getParent"] = get(func(c *script.Call) script.Value {
		if p := r(c).Parent(); p != nil {
			return &result{p}
		}
		return nil
	})
	m["getAssertionResults"] = get(func(c *script.Call) script.Value {
		a := &script.Array{Elem: "org.apache.jmeter.assertions.AssertionResult"}
		for _, j := range r(c).Assertions() {
			a.Items = append(a.Items, &Assertion{j})
		}
		return a
	})
	m["addAssertionResult"] = script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
		a, ok := c.Args[0].(*Assertion)
		if !ok {
			return nil, script.MissingMethod(c.Self, "addAssertionResult", c.Args)
		}
		r(c).AddAssertion(a.Judgement)
		return nil, nil
	})
	m["getFirstAssertionFailureMessage"] = get(func(c *script.Call) script.Value {
		for _, j := range r(c).Assertions() {
			if j.HasMessage {
				return j.Message
			}
		}
		return nil
	})
	m["setTestLogicalAction"] = script.NewMethod(1, 1, setAction)
	resultClass.Methods = m
	resultClass.Fields = map[string]script.Value{"TEXT": "text", "BINARY": "bin"}
	make := func(c *script.Call) (script.Value, error) {
		if f, ok := hostOf(c).Result.(NewResulter); ok {
			return &result{f.NewResult()}, nil
		}
		if f, ok := hostOf(c).Prev.(NewResulter); ok {
			return &result{f.NewResult()}, nil
		}
		return nil, script.Throw("java.lang.UnsupportedOperationException", "new SampleResult()")
	}
	resultClass.New = script.NewMethod(0, 0, make)
	httpResultClass.New = resultClass.New
	resultClass.Static = script.Methods{"createTestSample": script.NewMethod(1, 2, func(c *script.Call) (script.Value, error) {
		v, err := make(c)
		if err != nil {
			return nil, err
		}
		start, end := time.Now().UnixMilli(), c.Long(c.N()-1)
		if c.N() == 2 {
			start = c.Long(0)
		} else {
			end += start
		}
		if err := c.Err(); err != nil {
			return nil, err
		}
		v.(*result).r.SetNumber(StartTime, start)
		v.(*result).r.SetNumber(EndTime, end)
		return v, nil
	})}
	initAssertion()
}

func setNumber(r func(c *script.Call) Result, f Number) func(c *script.Call) (script.Value, error) {
	return func(c *script.Call) (script.Value, error) {
		n := c.Long(0)
		if err := c.Err(); err != nil {
			return nil, err
		}
		r(c).SetNumber(f, n)
		return nil, nil
	}
}

// body is the response as text, in its charset or UTF-8.
func body(r Result) string {
	cs := java.UTF8
	if n, ok := r.Text(DataEncoding); ok && n != "" {
		if c, ok := java.LookupCharset(n); ok {
			cs = c
		}
	}
	return cs.Decode(r.Data())
}

// setData is setResponseData(bytes), (text) and (text, charset), which also sets the encoding.
func setData(c *script.Call) (script.Value, error) {
	r := c.Self.(*result).r
	if b, ok := c.Args[0].(*script.Bytes); ok {
		r.SetData(append([]byte(nil), b.B...))
		return nil, nil
	}
	s := ""
	if c.Args[0] != nil {
		s = c.Str(0)
	}
	cs, enc := java.UTF8, ""
	if c.N() == 2 && c.Args[1] != nil {
		enc = c.Str(1)
		k, ok := java.LookupCharset(enc)
		if !ok {
			r.SetText(DataEncoding, enc)
			return nil, nil // JMeter logs it and keeps the old data
		}
		cs = k
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	r.SetData(cs.Encode(s))
	if c.N() == 2 {
		if enc == "" {
			enc = cs.Name()
		}
		r.SetText(DataEncoding, enc)
	}
	return nil, nil
}

func initAssertion() {
	a := func(c *script.Call) *Assertion { return c.Self.(*Assertion) }
	assertionClass.New = script.NewMethod(0, 1, func(c *script.Call) (script.Value, error) {
		j := &Assertion{}
		if c.N() == 1 {
			j.Name = c.Str(0)
		}
		return j, nil
	})
	flag := func(field func(*Assertion) *bool) *script.Method {
		return script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			on := c.Bool(0)
			if err := c.Err(); err != nil {
				return nil, err
			}
			*field(a(c)) = on
			return nil, nil
		})
	}
	text := func(failure bool) *script.Method {
		return script.NewMethod(1, 1, func(c *script.Call) (script.Value, error) {
			s := ""
			if c.Args[0] != nil {
				s = c.Str(0)
			}
			if err := c.Err(); err != nil {
				return nil, err
			}
			a(c).Message, a(c).HasMessage = s, c.Args[0] != nil
			if failure {
				a(c).Failure = true
			}
			return nil, nil
		})
	}
	assertionClass.Methods = script.Methods{
		"setFailure": flag(func(a *Assertion) *bool { return &a.Failure }), "setError": flag(func(a *Assertion) *bool { return &a.Error }),
		"setFailureMessage": text(false), "setResultForFailure": text(true),
		"isFailure": get(func(c *script.Call) script.Value { return a(c).Failure }),
		"isError":   get(func(c *script.Call) script.Value { return a(c).Error }),
		"getName":   get(func(c *script.Call) script.Value { return a(c).Name }),
		"setName":   script.NewMethod(1, 1, none(func(c *script.Call) { a(c).Name = c.Str(0) })),
		"getFailureMessage": get(func(c *script.Call) script.Value {
			if a(c).HasMessage {
				return a(c).Message
			}
			return nil
		}),
	}
}
