package sampler_test

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/gojm/gojm/engine/plantest"
	_ "github.com/gojm/gojm/engine/std"
)

func TestDummy(t *testing.T) {
	const class = "kg.apc.jmeter.samplers.DummySampler"
	props := []string{
		B("SUCCESFULL", true), S("RESPONSE_CODE", "201"), S("RESPONSE_MESSAGE", "fine"), S("REQUEST_DATA", "in"), S("RESPONSE_DATA", "grün"),
		S("RESPONSE_TIME", "250"), S("LATENCY", "20"), S("CONNECT", "x"), S("URL", "http://a.example/b"),
	}
	for _, wait := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			r := Run(t, Users(1, 2, E(class, "dummy", append(props, B("WAITING", wait))...)))
			if r.Err != nil || len(r.Samples) != 2 {
				t.Fatalf("%v %v", r.Labels(), r.Err)
			}
			s := r.Samples[0]
			if !s.Success || s.Code != "201" || s.Message != "fine" || s.SamplerData != "in" || string(s.Body) != "grün" || s.Bytes != 5 ||
				s.Elapsed != 250 || s.Latency != 20 || s.Connect != 0 || s.URL != "http://a.example/b" || s.HTTP {
				t.Errorf("wait %v: %+v", wait, s)
			}
			if took := r.Started[1]; (took == 250*time.Millisecond) != wait {
				t.Errorf("wait %v: the second starts after %v", wait, took)
			}
		})
	}
	r := Run(t, Users(1, 1, E(class, "d", S("URL", "nowhere"), S("RESULT_CLASS", "org.apache.jmeter.protocol.http.sampler.HTTPSampleResult"))))
	if s := r.Samples[0]; s.URL != "" || !s.HTTP || s.Success || s.Elapsed != 0 {
		t.Errorf("%+v", s)
	}
	if r := Run(t, Users(1, 1, E(class, "d", S("RESULT_CLASS", "a.B")))); r.Err == nil {
		t.Error("a class of nobody's is taken")
	}
}

func TestSetVariables(t *testing.T) {
	r := Run(t, Users(1, 1, E("kg.apc.jmeter.control.sampler.SetVariablesAction", "set", Args("SetVariablesAction", "x", "1", "y", "${x}")), Sampler("${x} ${y}")))
	if r.Labels() != "1 ${x}" {
		t.Error(r.Labels())
	}
}

// A Sample Timeout wakes the samplers that only wait.
func TestWaitsAreCut(t *testing.T) {
	timeout := E("SampleTimeout", "timeout", S("InterruptTimer.timeout", 100))
	java := func(class string, args ...string) Node {
		return E("JavaSampler", "java", S("classname", "org.apache.jmeter.protocol.java.test."+class), Args("arguments", args...))
	}
	synctest.Test(t, func(t *testing.T) {
		r := Run(t, Users(1, 1, timeout,
			java("JavaTest", "Sleep_Time", "1000", "Sleep_Mask", "0"),
			java("SleepTest", "SleepTime", "1000", "SleepMask", "0"),
			E("TestAction", "pause", S("ActionProcessor.action", 1), S("ActionProcessor.duration", 1000)),
			java("JavaTest", "Sleep_Time", "50", "Sleep_Mask", "0")))
		if len(r.Samples) != 3 || r.Samples[0].Success || r.Samples[1].Success || !r.Samples[2].Success {
			t.Fatalf("%+v", r.Samples)
		}
		if got := r.Started; got[1] != 100*time.Millisecond || got[2] != 300*time.Millisecond {
			t.Errorf("samples start after %v", got)
		}
	})
}

func TestFlowControlPause(t *testing.T) {
	for _, tc := range []struct {
		duration string
		want     time.Duration
	}{{"1500", 1500 * time.Millisecond}, {"", 0}, {"x", 0}, {"-5", 0}} {
		synctest.Test(t, func(t *testing.T) {
			r := Run(t, Users(1, 1, E("TestAction", "pause", S("ActionProcessor.action", 1), S("ActionProcessor.duration", tc.duration)), Sampler("a")))
			if r.Labels() != "a" || r.Started[0] != tc.want {
				t.Errorf("%q: %s after %v", tc.duration, r.Labels(), r.Started)
			}
		})
	}
}
