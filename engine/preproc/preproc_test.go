package preproc_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/gojm/gojm/engine/plantest"
	_ "github.com/gojm/gojm/engine/std"
)

func TestUserParameters(t *testing.T) {
	users := func(props ...string) Node {
		return E("UserParameters", "users", append(props, List("UserParameters.names", "a", "b", "c"),
			Table("UserParameters.thread_values", []string{"a1", "b1"}, []string{"a2", "b2"}))...)
	}
	r := Run(t, Users(3, 1, users(), Sampler("${a}${b}${c}")))
	got := strings.Fields(r.Labels())
	slices.Sort(got)
	if strings.Join(got, " ") != "a1b1${c} a1b1${c} a2b2${c}" {
		t.Errorf("%v", got)
	}
	count := E("UserParameters", "count", List("UserParameters.names", "n"), Table("UserParameters.thread_values", []string{"${__counter(TRUE,)}"}))
	if r := Run(t, Users(1, 2, count, Sampler("x${n}"), Sampler("y${n}"))); r.Labels() != "x1 y2 x3 y4" {
		t.Errorf("each sampler: %s", r.Labels())
	}
	count.Props = append(count.Props, B("UserParameters.per_iteration", true))
	if r := Run(t, Users(1, 2, count, Sampler("x${n}"), Sampler("y${n}"))); r.Labels() != "x1 y1 x2 y2" {
		t.Errorf("each iteration: %s", r.Labels())
	}
	if r := Run(t, Users(1, 1, E("UserParameters", "none"), Sampler("x"))); r.Labels() != "x" {
		t.Errorf("empty: %s", r.Labels())
	}
}

// A timeout cuts every sampler of its group, wherever it stands, and none of
// another one.
func TestSampleTimeout(t *testing.T) {
	inner := E("GenericController", "block").With(Slow("own", 300*time.Millisecond, E("SampleTimeout", "timeout", S("InterruptTimer.timeout", 100))))
	synctest.Test(t, func(t *testing.T) {
		r := Run(t,
			Users(1, 1, Slow("first", 500*time.Millisecond), inner, Slow("short", 50*time.Millisecond), Slow("last", time.Second)),
			Users(1, 1, Slow("other", 450*time.Millisecond)))
		took := map[string]int64{}
		for _, s := range r.Samples {
			took[s.Label] = s.Elapsed
		}
		want := map[string]int64{"first": 100, "own": 100, "short": 50, "last": 100, "other": 450}
		for label, ms := range want {
			if took[label] != ms {
				t.Errorf("%s took %d ms, want %d", label, took[label], ms)
			}
		}
	})
	for _, off := range []string{"0", "-1", "x", ""} {
		synctest.Test(t, func(t *testing.T) {
			r := Run(t, Users(1, 1, E("SampleTimeout", "timeout", S("InterruptTimer.timeout", off)), Slow("a", time.Hour)))
			if !r.Samples[0].Success {
				t.Errorf("a timeout of %q cuts", off)
			}
		})
	}
}
