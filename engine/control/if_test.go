package control_test

import (
	"strings"
	"testing"

	. "github.com/gojm/gojm/engine/plantest"
	_ "github.com/gojm/gojm/engine/std"
)

func ifc(condition string, props ...string) Node {
	return E("IfController", "if", append(props, S("IfController.condition", condition))...)
}

var text = B("IfController.useExpression", true)

func TestIfConditions(t *testing.T) {
	for _, tc := range []struct {
		condition string
		text      bool
		holds     bool
	}{
		{"true", true, true},
		{" TRUE\n", true, true},
		{"yes", true, false},
		{"", true, false},
		{"1 == 1", true, false},
		{"${JMeterThread.last_sample_ok}", true, true},

		{"1 == 1", false, true},
		{` "a" != "a" `, false, false},
		{`"${JMeterThread.last_sample_ok}" == "true"`, false, true},
		{"${missing} < 5", false, false}, // no JavaScript
		{"TRUE", false, false},
		{"1", false, false}, // neither true nor false
		{"", false, false},
		{`"x,y".split(",").length === 2 && /^a+$/.test("aa")`, false, true},
		{`var a = 1; a + 1 > 1`, false, true},
	} {
		var props []string
		if tc.text {
			props = append(props, text)
		}
		r := Run(t, Users(1, 1, ifc(tc.condition, props...).With(Sampler("in")), Sampler("out")))
		want := "out"
		if tc.holds {
			want = "in out"
		}
		if r.Labels() != want || r.Err != nil {
			t.Errorf("%q: %s, %v; want %s", tc.condition, r.Labels(), r.Err, want)
		}
		if bad := strings.Contains(r.Log, "error while processing"); bad != (!tc.text && !tc.holds && !strings.Contains(tc.condition, "!=")) {
			t.Errorf("%q: log %s", tc.condition, r.Log)
		}
	}
}

func TestIfEvaluateAll(t *testing.T) {
	cond := "${JMeterThread.last_sample_ok}"
	for _, tc := range []struct {
		all  bool
		want string
	}{{false, "a b c"}, {true, "a c"}} {
		r := Run(t, Users(1, 1, ifc(cond, text, B("IfController.evaluateAll", tc.all)).With(Failing("a"), Sampler("b")), Sampler("c")))
		if r.Labels() != tc.want {
			t.Errorf("evaluateAll %v: %s, want %s", tc.all, r.Labels(), tc.want)
		}
	}
}

// A false condition arms what is once only below it again.
func TestIfResetsWhatIsBelow(t *testing.T) {
	counter := E("CounterConfig", "n", S("CounterConfig.start", 0), S("CounterConfig.end", 1), S("CounterConfig.incr", 1), S("CounterConfig.name", "n"))
	once := E("OnceOnlyController", "once").With(Sampler("once"))
	r := Run(t, Users(1, 5, counter, ifc("${n} == 0").With(once, Sampler("in"))))
	if r.Labels() != "once in once in once in" {
		t.Error(r.Labels())
	}
}
