package timer_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/gojm/gojm/engine/plantest"
	_ "github.com/gojm/gojm/engine/std"
)

// starts are when samples begin, in ms, sorted.
func starts(r *Result) []int64 {
	var out []int64
	for _, d := range r.Started {
		out = append(out, d.Milliseconds())
	}
	slices.Sort(out)
	return out
}

func TestConstantTimer(t *testing.T) {
	for _, tc := range []struct {
		delay string
		want  []int64
	}{
		{"100", []int64{100, 200}}, {"${__P(wait)}", []int64{30, 60}}, {"x", []int64{0, 0}}, {"100.0", []int64{0, 0}}, {" 5", []int64{0, 0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := Plan{Props: map[string]string{"wait": "30"}}.Run(t, Users(1, 2, Sampler("a"), E("ConstantTimer", "wait", S("ConstantTimer.delay", tc.delay))))
			if got := starts(r); !slices.Equal(got, tc.want) {
				t.Errorf("%s: %v, want %v", tc.delay, got, tc.want)
			}
		})
	}
}

// The random timers: their mean, and what timer.factor does. The bounds are six
// standard errors away at least: chance does not fail the test.
func TestRandomTimers(t *testing.T) {
	for _, tc := range []struct {
		class    string
		low, top float64 // of the mean
	}{{"UniformRandomTimer", 140, 160}, {"GaussianRandomTimer", 111.5, 121.5}, {"PoissonRandomTimer", 190, 210}} {
		for _, factor := range []float64{1, 3} {
			synctest.Test(t, func(t *testing.T) {
				const n = 10000
				r := Plan{Props: map[string]string{"timer.factor": S0(factor)}}.Run(t, Users(1, n, Sampler("a"),
					E(tc.class, "wait", S("ConstantTimer.delay", 100), S("RandomTimer.range", 100))))
				got := starts(r)
				mean := float64(got[len(got)-1]) / n / factor
				if len(got) != n || mean < tc.low || mean > tc.top {
					t.Errorf("%s by %v: a mean of %v ms of %d, want %v to %v", tc.class, factor, mean, len(got), tc.low, tc.top)
				}
			})
		}
	}
}

// S0 prints a number as properties hold it.
func S0(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(time.Duration(x*1e9).String(), "s"), ".")
}

func TestConstantThroughput(t *testing.T) {
	timer := func(mode string) Node {
		return E("ConstantThroughputTimer", "ctt", S("throughput", "600"), S("calcMode", mode))
	}
	for _, tc := range []struct {
		mode    string
		threads int
		want    []int64
	}{
		{"0", 1, []int64{0, 100, 200, 300}},
		{"this thread only", 1, []int64{0, 100, 200, 300}},
		{"0", 2, []int64{0, 0, 100, 100, 200, 200, 300, 300}},
		{"1", 2, []int64{0, 0, 200, 200, 400, 400, 600, 600}},
		{"all active threads in current thread group", 2, []int64{0, 0, 200, 200, 400, 400, 600, 600}},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := Run(t, Users(tc.threads, 4, Slow("a", 10*time.Millisecond), timer(tc.mode)))
			if got := starts(r); !slices.Equal(got, tc.want) {
				t.Errorf("mode %s, %d threads: %v, want %v", tc.mode, tc.threads, got, tc.want)
			}
		})
	}
	for _, mode := range []string{"3", "4"} {
		synctest.Test(t, func(t *testing.T) {
			r := Run(t, Users(3, 20, Sampler("a"), timer(mode)))
			got := starts(r)
			if len(got) != 60 || got[59] < 5700 || got[59] > 6300 {
				t.Errorf("mode %s: 60 samples end after %v ms, want about 5900", mode, got[len(got)-1])
			}
		})
	}
}

func TestPreciseThroughput(t *testing.T) {
	timer := func(props ...string) Node {
		return E("PreciseThroughputTimer", "ptt", append([]string{S("throughput", "60"), S("throughputPeriod", "60"), S("duration", "20"), S("batchSize", "1")}, props...)...)
	}
	synctest.Test(t, func(t *testing.T) {
		r := Run(t, Users(4, 10, Sampler("a"), timer()))
		got := starts(r)
		// exactly 20 in each 20 s, at random times
		first := slices.IndexFunc(got, func(ms int64) bool { return ms >= 20000 })
		if len(got) != 40 || first != 20 || got[39] > 40000 {
			t.Errorf("%d in the first 20 s of %v", first, got)
		}
		even := true
		for i, ms := range got {
			even = even && math.Abs(float64(ms)-float64(i)*1000) < 100
		}
		if even {
			t.Errorf("the arrivals are not random: %v", got)
		}
	})
	// the times of a seed are those of JMeter: sorted java.util.Random(1) doubles * duration
	synctest.Test(t, func(t *testing.T) {
		r := Run(t, Users(1, 3, Sampler("a"), timer(S("throughput", "9"), S("randomSeed", "1"))))
		if got := starts(r); !slices.Equal(got, []int64{4154, 8201, 14617}) {
			t.Errorf("seed 1: %v", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := Run(t, Users(3, 1, Sampler("a"), timer(S("batchSize", "3"))))
		if got := starts(r); got[0] != got[2] {
			t.Errorf("a batch of 3 goes at %v", got)
		}
	})
	if r := Run(t, Users(1, 1, Sampler("a"), timer(S("throughput", "0")))); r.Labels() != "" || r.Err != nil {
		t.Errorf("no throughput: %s, %v", r.Labels(), r.Err)
	}
	if r := Run(t, Users(1, 1, Sampler("a"), timer(S("throughputPeriod", "0")))); r.Labels() != "" || r.Err == nil {
		t.Errorf("no period: %s, %v", r.Labels(), r.Err)
	}
}

// The timer ends a thread whose next sample would be too late.
func TestPreciseThroughputEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		group := Users(1, -1, Sampler("a"), E("PreciseThroughputTimer", "ptt", S("throughput", "1"), S("throughputPeriod", "1"), S("duration", "100"), S("batchSize", "1")))
		group.Props = append(group.Props, B("ThreadGroup.scheduler", true), S("ThreadGroup.duration", 10))
		begin := time.Now()
		r := Run(t, group)
		if n := len(r.Samples); n < 2 || n > 25 || time.Since(begin) > 10*time.Second {
			t.Errorf("%d samples in %v", n, time.Since(begin))
		}
	})
}

func TestSyncTimer(t *testing.T) {
	sync := func(size, timeout int) Node {
		return E("SyncTimer", "sync", S("groupSize", size), S("timeoutInMs", timeout))
	}
	// threads that come 100 ms apart
	group := func(n, loops int, below ...Node) Node {
		g := Users(n, loops, below...)
		g.Props = append(g.Props, S("ThreadGroup.ramp_time", n/10))
		return g
	}
	for _, tc := range []struct {
		name string
		plan []Node
		want []int64
	}{
		{"all of the group", []Node{group(10, 2, Sampler("a"), sync(0, 0))}, times(10, 900, 900)},
		{"by fives", []Node{group(10, 1, Sampler("a"), sync(5, 0))}, times(5, 400, 900)},
		{"timeout", []Node{group(10, 1, Sampler("a"), sync(7, 250))}, []int64{250, 250, 250, 550, 550, 550, 850, 850, 850, 1150}},
		{"none", []Node{group(10, 1, Sampler("a"), sync(-1, 0))}, []int64{0, 100, 200, 300, 400, 500, 600, 700, 800, 900}},
		{"one for two groups", []Node{Users(2, 1, Sampler("a")), Users(2, 1, Slow("b", 100*time.Millisecond)), sync(4, 0)}, []int64{0, 0, 0, 0}},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := Run(t, tc.plan...)
			if got := starts(r); !slices.Equal(got, tc.want) || r.Err != nil {
				t.Errorf("%s: %v, %v; want %v", tc.name, got, r.Err, tc.want)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // nobody else comes: the schedule ends the wait, and the thread
		g := Users(1, 1, Sampler("a"), sync(2, 0))
		g.Props = append(g.Props, B("ThreadGroup.scheduler", true), S("ThreadGroup.duration", 3))
		begin := time.Now()
		Run(t, g)
		if d := time.Since(begin); d != 3*time.Second {
			t.Errorf("waits %v", d)
		}
	})
	synctest.Test(t, func(t *testing.T) { // a stop ends the wait
		stop := E("TestAction", "stop", S("ActionProcessor.action", 0), S("ActionProcessor.target", 2))
		begin := time.Now()
		r := Run(t, Users(1, 1, Sampler("never"), sync(2, 0)), Users(1, 1, Slow("b", 300*time.Millisecond), stop))
		if d := time.Since(begin); r.Labels() != "b" || d > 2*time.Second {
			t.Errorf("%s after %v", r.Labels(), d)
		}
	})
}

// times are n times each of some.
func times(n int, ms ...int64) []int64 {
	var out []int64
	for _, x := range ms {
		out = append(out, slices.Repeat([]int64{x}, n)...)
	}
	return out
}
