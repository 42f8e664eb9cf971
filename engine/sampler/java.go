package sampler

import (
	"strconv"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

func init() {
	elem.Register[javaRequest](elem.Spec{
		Class: "JavaSampler", Title: "Java Request", Kind: elem.KindSampler, Status: elem.Partial,
		Note: "the classes JavaTest and SleepTest; classes of the user's jars are reported", Merge: []string{"JavaConfigGui"},
	})
	elem.Register[javaConfig](elem.Spec{
		Class: "JavaConfig", Title: "Java Request Defaults", Kind: elem.KindConfig, Status: elem.Full,
	})
}

const (
	javaTest  = "org.apache.jmeter.protocol.java.test.JavaTest"
	sleepTest = "org.apache.jmeter.protocol.java.test.SleepTest"
)

// javaConfig holds defaults that are merged into Java requests.
type javaConfig struct {
	class expr.Text
	args  []elem.Arg
}

func (c *javaConfig) Props(p *elem.Props) {
	p.Text(&c.class, "classname", "", "class of the request")
	p.Args(&c.args, "arguments", "parameters")
}

// javaRequest runs one of the two test classes that JMeter brings along.
type javaRequest struct {
	own   expr.Text // class: JMeter loads it before it merges defaults
	class expr.Text // with the defaults merged
	args  []elem.Arg
}

func (c *javaRequest) Props(p *elem.Props) {
	p.Text(&c.class, "classname", "", "class of the request")
	p.Own(&c.own, "classname")
	p.Args(&c.args, "arguments", "parameters")
	switch cls := strings.TrimSpace(c.own.Source()); {
	case p.Run() == nil || !c.own.IsConst():
	case cls == "":
		p.Note("value", "classname", "no class: JMeter does not take it from Java Request Defaults, each sample fails")
	case cls != javaTest && cls != sleepTest:
		p.Refuse("property", "classname", "Java classes are not run, but for JavaTest and SleepTest: %s", cls)
	}
}

func (c *javaRequest) Sample(t *vu.Thread, s *jtl.Sample) bool {
	switch strings.TrimSpace(c.own.Eval(t)) {
	case javaTest:
		c.javaTest(t, s)
	case sleepTest:
		c.sleepTest(t, s)
	default:
		class := c.class.Eval(t)
		s.Label = "ERROR: " + class
		s.SetBody("Class not found: " + class)
		s.Encoding = "UTF-8"
	}
	return true
}

// arg is the parameter of that name, def where it is absent; the first counts.
func (c *javaRequest) arg(t *vu.Thread, name, def string) string {
	for i := range c.args {
		if c.args[i].Name.Eval(t) == name {
			return c.args[i].Value.Eval(t)
		}
	}
	return def
}

// number reads a parameter as Java's Long.decode does.
func (c *javaRequest) number(t *vu.Thread, name string, def int64) int64 {
	s := c.arg(t, name, "")
	base := 10
	for _, prefix := range []string{"0x", "0X", "#"} {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			s, base = rest, 16
			break
		}
	}
	n, err := strconv.ParseInt(s, base, 64)
	if err != nil {
		return def
	}
	return n
}

// pause sleeps time + (now % mask) ms, as both classes do.
func (c *javaRequest) pause(t *vu.Thread, sleep, mask int64) (ms int64, whole bool) {
	if sleep > 0 && mask > 0 {
		sleep += time.Now().UnixMilli() % mask
	}
	return sleep, t.SleepInSample(time.Duration(sleep) * time.Millisecond)
}

func (c *javaRequest) javaTest(t *vu.Thread, s *jtl.Sample) {
	s.Code = c.arg(t, "ResponseCode", "")
	s.Message = c.arg(t, "ResponseMessage", "")
	ok := strings.EqualFold(c.arg(t, "Status", "OK"), "OK")
	if label := c.arg(t, "Label", ""); label != "" {
		s.Label = label
	}
	s.SamplerData = c.arg(t, "SamplerData", "")
	s.SentBytes = int64(len(s.SamplerData))
	if data := c.arg(t, "ResultData", ""); data != "" {
		s.SetBody(data)
		s.Encoding = "UTF-8"
	}
	s.DataType = "text"
	sleep, mask := c.number(t, "Sleep_Time", 100), c.number(t, "Sleep_Mask", 0xff)
	s.Restart()
	_, whole := c.pause(t, sleep, mask)
	s.Success = ok && whole
}

func (c *javaRequest) sleepTest(t *vu.Thread, s *jtl.Sample) {
	sleep, mask := c.number(t, "SleepTime", 1000), c.number(t, "SleepMask", 0x3ff)
	s.Restart()
	ms, whole := c.pause(t, sleep, mask)
	s.SamplerData = "Sleep Test: time = " + strconv.FormatInt(ms, 10)
	s.Success = whole
	if !whole {
		s.Message = "java.lang.InterruptedException: sleep interrupted"
	}
}

var _ elem.Sampler = (*javaRequest)(nil)
