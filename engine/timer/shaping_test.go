package timer_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/gojm/gojm/engine/plantest"
)

const shaping = "kg.apc.jmeter.timers.VariableThroughputTimer"

// perSecond counts the samples of each second.
func perSecond(r *Result) string {
	var n []int
	for _, ms := range starts(r) {
		for int64(len(n)) <= ms/1000 {
			n = append(n, 0)
		}
		n[ms/1000]++
	}
	return fmt.Sprint(n)
}

func TestShaping(t *testing.T) {
	table := Table("load_profile", []string{"1", "10", "3"}, []string{"10", "10", "2"})
	for _, tc := range []struct {
		name  string
		props map[string]string
		want  string // the second in which a row ends is still its own
	}{
		{"table", nil, "[1 4 7 10 10 10]"},
		{"property", map[string]string{"load_profile": "const(4, 2s) line(10,20,1)"}, "[4 4 4 20]"},
		{"property of the timer", map[string]string{"load_profile": "const(4,9)", "shape.load_profile": "const(3,1)"}, "[3 3]"},
		{"steps", map[string]string{"load_profile": "step(5, 15, 5, 1) step(10,0,5,1)"}, "[5 5 10 15 10 5]"},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			r := Plan{Props: tc.props}.Run(t, Users(8, -1, Slow("a", 5*time.Millisecond), E(shaping, "shape", table)))
			got := perSecond(r)
			if got != tc.want || r.Err != nil {
				t.Errorf("%s: %s, %v; want %s", tc.name, got, r.Err, tc.want)
			}
			if d, seconds := time.Since(begin), strings.Count(tc.want, " ")+1; d > time.Duration(seconds+1)*time.Second {
				t.Errorf("%s: the group ends after %v", tc.name, d)
			}
		})
	}
}

// One group ends, the other goes on.
func TestShapingEndsItsGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := Run(t,
			Users(2, -1, Sampler("a"), E(shaping, "shape", Table("load_profile", []string{"2", "2", "1"}))),
			Users(1, 4, Slow("b", time.Second)))
		if r.Err != nil || r.Labels() != "a a b a a b b b" && len(r.Samples) != 8 {
			t.Errorf("%s, %v", r.Labels(), r.Err)
		}
		if v, _ := r.Run.Props.Lookup("shape_totalDuration"); v != "1" {
			t.Errorf("shape_totalDuration is %q", v)
		}
	})
}

func TestShapingBadProfile(t *testing.T) {
	for _, s := range []string{"const(4)", "line(1,2)", "jump(1,2,3)", "const(a,3)", "const(1,3x)", "step(1,5,0,3)", "const 1 2"} {
		r := Plan{Props: map[string]string{"load_profile": s}}.Run(t, Users(1, 1, Sampler("a"), E(shaping, "shape")))
		if r.Err == nil || len(r.Samples) > 0 {
			t.Errorf("%s: %s", s, r.Labels())
		}
	}
}
