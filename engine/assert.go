package engine

import (
	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jtl"
)

// subLevels is how deep below a sample its assertions look.
const subLevels = 3

// check runs all assertions; each that fails fails the sample.
func (t *thread) check(as []elem.Assertion, s *jtl.Sample) {
	for _, a := range as {
		main, children := true, false
		if sc, ok := a.(elem.Scoped); ok {
			main, children = sc.Scope()
		}
		if main {
			t.assert(a, s)
		}
		if children {
			t.assertSubs(a, s, subLevels)
		}
	}
	t.setLastOK(t.g.r.plan, s.Success)
}

func (t *thread) assert(a elem.Assertion, s *jtl.Sample) {
	var res jtl.Assertion
	if err := vu.Try(func() { res = a.Check(t.Thread, s) }); err != nil {
		if vu.IsStop(err) {
			vu.Throw(err)
		}
		t.Log().Error("Exception processing Assertion.", "logger", logThread, "err", err)
		res = jtl.Assertion{Name: "Assertion failed! See log file.", Error: true, Message: err.Error(), HasMessage: true}
	}
	if res.Failure || res.Error {
		s.Success = false
	}
	s.Assertions = append(s.Assertions, res)
}

func (t *thread) assertSubs(a elem.Assertion, s *jtl.Sample, level int) {
	if level < 0 {
		return
	}
	failed := false
	for _, sub := range s.Subs {
		t.assert(a, sub)
		t.assertSubs(a, sub, level-1)
		failed = failed || !sub.Success
	}
	if failed && s.Success {
		res := jtl.Assertion{Failure: true, Message: "One or more sub-samples failed", HasMessage: true}
		if n, ok := a.(vu.Named); ok {
			res.Name = n.Name(t.Thread)
		}
		s.Assertions = append(s.Assertions, res)
		s.Success = false
	}
}
