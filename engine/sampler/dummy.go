package sampler

import (
	"net/url"
	"slices"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[dummy](elem.Spec{
		Class: "kg.apc.jmeter.samplers.DummySampler", Title: "jp@gc Dummy Sampler", Kind: elem.KindSampler, Status: elem.Partial,
		Note: "compared with the plug-in at work (dummy 0.4), not by recorded cases",
	})
}

// The classes that a dummy's result may have.
const (
	plainResult = "org.apache.jmeter.samplers.SampleResult"
	httpResult  = "org.apache.jmeter.protocol.http.sampler.HTTPSampleResult"
)

// dummy makes the sample that it is told to.
type dummy struct {
	success, wait             expr.Bool
	code, message             expr.Text
	request, response         expr.Text
	elapsed, latency, connect expr.Int
	address                   expr.Text
	http                      bool
}

func (c *dummy) Props(p *elem.Props) {
	p.Bool(&c.wait, "WAITING", false, "take the response time, not only claim it")
	p.Bool(&c.success, "SUCCESFULL", false, "the sample succeeds")
	p.Text(&c.code, "RESPONSE_CODE", "", "response code")
	p.Text(&c.message, "RESPONSE_MESSAGE", "", "response message")
	p.Text(&c.request, "REQUEST_DATA", "", "what was sent")
	p.Text(&c.response, "RESPONSE_DATA", "", "response")
	p.Int(&c.elapsed, "RESPONSE_TIME", "", "ms")
	p.Int(&c.latency, "LATENCY", "", "ms")
	p.Int(&c.connect, "CONNECT", "", "ms")
	p.Text(&c.address, "URL", "", "address")
	switch class := p.Raw("RESULT_CLASS", plainResult, "class of the result"); class {
	case "", plainResult:
	case httpResult:
		c.http = true
	default:
		p.Refuse("value", "RESULT_CLASS", "results are plain ones or those of HTTP, not %s", class)
	}
}

func (c *dummy) Sample(t *vu.Thread, s *jtl.Sample) bool {
	elapsed := c.elapsed.Eval(t)
	s.Restart()
	if c.wait.Eval(t) {
		t.SleepInSample(time.Duration(elapsed) * time.Millisecond)
		s.End = time.Now().UnixMilli()
	} else {
		s.End = s.Start + int64(elapsed)
	}
	s.HTTP = c.http
	s.Encoding, s.DataType = "UTF-8", "text"
	s.SamplerData, s.HasSamplerData = c.request.Eval(t), true
	s.Code, s.Message = c.code.Eval(t), c.message.Eval(t)
	s.Success = c.success.Eval(t)
	s.SetBody(c.response.Eval(t))
	s.Latency, s.Connect = int64(c.latency.Eval(t)), int64(c.connect.Eval(t))
	s.URL = javaURL(c.address.Eval(t))
	return true
}

// javaURL is the address if java.net.URL takes it, else empty.
func javaURL(s string) string {
	if u, err := url.Parse(s); err == nil && slices.Contains([]string{"http", "https", "ftp", "file", "jar", "mailto"}, u.Scheme) {
		return s
	}
	return ""
}

var _ elem.Sampler = (*dummy)(nil)
