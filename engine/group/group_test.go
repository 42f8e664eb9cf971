package group_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/gojm/gojm/engine/plantest"
	_ "github.com/gojm/gojm/engine/std"
)

func forever() string {
	return Elem("ThreadGroup.main_controller", "LoopController", B("LoopController.continue_forever", false), S("LoopController.loops", -1))
}

// life tells when each thread took its first and its last sample, in seconds.
func life(r *Result) map[string][2]float64 {
	m := map[string][2]float64{}
	for i, s := range r.Samples {
		at := r.Started[i].Seconds()
		x, ok := m[s.ThreadName]
		if !ok {
			x[0] = at
		}
		x[1] = max(x[1], at+float64(s.Elapsed)/1000)
		m[s.ThreadName] = x
	}
	return m
}

func lives(r *Result) string {
	var out []string
	for name, x := range life(r) {
		out = append(out, fmt.Sprintf("%s %.1f-%.1f", name[strings.LastIndexByte(name, ' ')+1:], x[0], x[1]))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// A number that is none counts as 0, as in JMeter, and is told.
func TestNoNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := Users(0, 1, Slow("a", 100*time.Millisecond))
		g.Props = append(g.Props, S("ThreadGroup.num_threads", " 2"))
		r := Run(t, g)
		if got := lives(r); got != "" || r.Err == nil || !strings.Contains(r.Err.Error(), `": ThreadGroup.num_threads: " 2" is not a number, taken as 0`) {
			t.Errorf("%s, %v", got, r.Err)
		}
	})
}

func TestThreadGroup(t *testing.T) {
	scheduler := B("ThreadGroup.scheduler", true)
	for _, tc := range []struct {
		name    string
		threads int
		loops   int
		props   []string
		want    string
	}{
		{"ramp-up", 4, 2, []string{S("ThreadGroup.ramp_time", 2)}, "1-1 0.0-0.2, 1-2 0.5-0.7, 1-3 1.0-1.2, 1-4 1.5-1.7"},
		{"schedule", 2, -1, []string{scheduler, S("ThreadGroup.delay", 1), S("ThreadGroup.duration", 2), S("ThreadGroup.ramp_time", 2)}, "1-1 1.0-3.0, 1-2 2.0-3.0"},
		{"delayed start", 3, 1, []string{B("ThreadGroup.delayedStart", true), S("ThreadGroup.ramp_time", 3)}, "1-1 0.0-0.1, 1-2 1.5-1.6, 1-3 3.0-3.1"},
		{"delayed start, schedule", 4, -1, []string{B("ThreadGroup.delayedStart", true), S("ThreadGroup.ramp_time", 4), scheduler, S("ThreadGroup.duration", 2)}, "1-1 0.0-2.0, 1-2 1.3-2.0"},
		{"no loops", 2, 0, nil, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := Users(tc.threads, tc.loops, Slow("a", 100*time.Millisecond))
			g.Props = append(g.Props, tc.props...)
			r := Run(t, g)
			if got := lives(r); got != tc.want || r.Err != nil {
				t.Errorf("%s: %s, %v; want %s", tc.name, got, r.Err, tc.want)
			}
		})
	}
	for _, props := range [][]string{{scheduler}, {scheduler, S("ThreadGroup.duration", 1), S("ThreadGroup.delay", -1)}} {
		g := Users(1, 1, Sampler("a"))
		g.Props = append(g.Props, props...)
		r := Run(t, g, Users(1, 1, Sampler("b")))
		if r.Err == nil || !strings.Contains(r.Err.Error(), "Invalid d") || r.Labels() != "b" {
			t.Errorf("%v: %s, %v", props, r.Labels(), r.Err)
		}
	}
}

func TestPhases(t *testing.T) {
	phase := func(class string, below ...Node) Node {
		g := Users(1, 1, below...)
		g.Class, g.Name = class, class
		return g
	}
	after, before := phase("PostThreadGroup", Sampler("after")), phase("SetupThreadGroup", Sampler("before"))
	r := Run(t, after, Users(1, 1, Sampler("a")), before)
	if r.Labels() != "before a after" {
		t.Error(r.Labels())
	}
	stop := E("TestAction", "stop", S("ActionProcessor.action", 0), S("ActionProcessor.target", 2))
	if r := Run(t, after, Users(1, 1, stop, Sampler("a")), before); r.Labels() != "before" {
		t.Errorf("stopped: %s", r.Labels())
	}
	if r := Run(t, after, Users(1, 1, Sampler("a")), phase("SetupThreadGroup", stop, Sampler("before"))); r.Labels() != "" {
		t.Errorf("stopped in set-up: %s", r.Labels())
	}
}

func TestOnError(t *testing.T) {
	for _, tc := range []struct{ choice, want string }{
		{"continue", "a bad b a bad b"}, {"startnextloop", "a bad a bad"}, {"StopThread", "a bad"}, {"stoptest", "a bad"}, {"stoptestnow", "a bad"},
	} {
		g := Users(1, 2, Sampler("a"), Failing("bad"), Sampler("b"))
		g.Props = append(g.Props, S("ThreadGroup.on_sample_error", tc.choice))
		if r := Run(t, g); r.Labels() != tc.want {
			t.Errorf("%s: %s, want %s", tc.choice, r.Labels(), tc.want)
		}
	}
}

func TestOpenModel(t *testing.T) {
	open := func(schedule string, below ...Node) Node {
		return E("OpenModelThreadGroup", "Open", S("OpenModelThreadGroup.schedule", schedule), Elem("ThreadGroup.main_controller", "OpenModelThreadGroupController")).With(below...)
	}
	synctest.Test(t, func(t *testing.T) {
		r := Run(t, open("rate(2/s) even_arrivals(2 s) pause(1 s)", Slow("a", 100*time.Millisecond), Slow("b", 100*time.Millisecond)))
		if got := lives(r); got != "1-1 0.0-0.2, 1-2 0.5-0.7, 1-3 1.0-1.2, 1-4 1.5-1.7" || r.Err != nil {
			t.Errorf("%s, %v", got, r.Err)
		}
	})
	synctest.Test(t, func(t *testing.T) { // the end cuts samples short
		begin := time.Now()
		r := Run(t, open("rate(1/s) even_arrivals(2 s)", Slow("a", 10*time.Second)))
		if d := time.Since(begin); d != 2*time.Second || len(r.Samples) != 2 || r.Samples[1].Success {
			t.Errorf("%v after %v", r.Samples, d)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		r := Run(t, open("rate(5/s", Sampler("a")))
		if r.Err == nil || !strings.Contains(r.Err.Error(), "Unexpected input. Expected ) got null at position 0") {
			t.Errorf("%v", r.Err)
		}
	})
}

func TestUltimate(t *testing.T) {
	rows := Table("ultimatethreadgroupdata", []string{"2", "1", "2", "3", "2"}, []string{"1", "0", "0", "1", "0"})
	for _, tc := range []struct {
		name  string
		props map[string]string
		want  string
	}{
		{"table", nil, "1-1 3.0-8.0, 1-2 2.0-7.0, 1-3 0.0-1.0"},
		{"property", map[string]string{"threads_schedule": "spawn(1, 1s, 0, 1m, 0) spawn(1,0,0,2,0)"}, "1-1 1.0-61.0, 1-2 0.0-2.0"},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := E("kg.apc.jmeter.threads.UltimateThreadGroup", "U", forever(), rows).With(Slow("a", 100*time.Millisecond))
			r := Plan{Props: tc.props}.Run(t, g)
			if got := lives(r); got != tc.want || r.Err != nil {
				t.Errorf("%s: %s, %v; want %s", tc.name, got, r.Err, tc.want)
			}
		})
	}
	for _, s := range []string{"spawn(1,2,3)", "fly(1,0,0,1,0)", "spawn(a,0,0,1,0)", "spawn(1,0,0,1w,0)"} {
		g := E("kg.apc.jmeter.threads.UltimateThreadGroup", "U", forever()).With(Sampler("a"))
		if r := (Plan{Props: map[string]string{"threads_schedule": s}}).Run(t, g); r.Err == nil {
			t.Errorf("%s is taken", s)
		}
	}
}

func TestStepping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// 5 threads: 1 after 1 s, then 2 every 3 s, each pair within 2 s; 4 s together; 2 end every second
		g := E("kg.apc.jmeter.threads.SteppingThreadGroup", "S", forever(),
			S("ThreadGroup.num_threads", 5), S("Threads initial delay", 1), S("Start users count burst", 1), S("Start users count", 2),
			S("Start users period", 1), S("rampUp", 2), S("flighttime", 4), S("Stop users count", 2), S("Stop users period", 1),
		).With(Slow("a", 100*time.Millisecond))
		r := Run(t, g)
		want := "1-1 1.0-13.0, 1-2 4.0-13.0, 1-3 5.0-14.0, 1-4 7.0-14.0, 1-5 8.0-15.0"
		if got := lives(r); got != want || r.Err != nil {
			t.Errorf("%s, %v; want %s", got, r.Err, want)
		}
	})
}

func bzm(class string, props ...string) Node {
	return E("com.blazemeter.jmeter.threads."+class, "C", append(props, Elem("ThreadGroup.main_controller", "com.blazemeter.jmeter.control.VirtualUserController"))...)
}

func TestConcurrency(t *testing.T) {
	const class = "concurrency.ConcurrencyThreadGroup"
	for _, tc := range []struct {
		name   string
		props  []string
		sample time.Duration
		most   map[int]int // second -> threads at work in its middle
		end    time.Duration
	}{
		{"at once", []string{S("TargetLevel", 3), S("Hold", 2)}, 300 * time.Millisecond, map[int]int{0: 3, 1: 3}, 2100 * time.Millisecond},
		{"line", []string{S("TargetLevel", 4), S("RampUp", 4), S("Hold", 2), S("Unit", "S")}, 130 * time.Millisecond, map[int]int{0: 1, 1: 2, 2: 3, 3: 4, 5: 4}, 6620 * time.Millisecond},
		{"steps", []string{S("TargetLevel", 4), S("RampUp", 4), S("Steps", 2), S("Hold", 2)}, 170 * time.Millisecond, map[int]int{0: 2, 1: 2, 2: 4, 3: 4, 5: 4}, 6120 * time.Millisecond},
		{"minutes", []string{S("TargetLevel", 1), S("Unit", "M")}, 700 * time.Millisecond, map[int]int{30: 1, 59: 1}, 60200 * time.Millisecond},
		{"threads that end are replaced", []string{S("TargetLevel", 2), S("Hold", 5), S("Iterations", 1)}, 300 * time.Millisecond, map[int]int{0: 2, 2: 2, 4: 2}, 5100 * time.Millisecond},
		{"none", []string{S("TargetLevel", 0)}, time.Second, nil, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()
			r := Run(t, bzm(class, tc.props...).With(Slow("a", tc.sample)))
			end := time.Since(begin)
			for second, want := range tc.most {
				n := 0
				at := time.Duration(second)*time.Second + 650*time.Millisecond
				for i, s := range r.Samples {
					if r.Started[i] <= at && r.Started[i]+time.Duration(s.Elapsed)*time.Millisecond > at {
						n++
					}
				}
				if n != want {
					t.Errorf("%s: %d threads in second %d, want %d", tc.name, n, second, want)
				}
			}
			if end != tc.end || r.Err != nil {
				t.Errorf("%s: ends after %v, %v; want %v", tc.name, end, r.Err, tc.end)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // the end comes after the sample at hand, not the iteration
		r := Run(t, bzm(class, S("Hold", 1)).With(Slow("a", 700*time.Millisecond), Slow("b", 700*time.Millisecond), Slow("c", 700*time.Millisecond)))
		if r.Labels() != "a b" || r.Samples[0].ThreadName != "C-ThreadStarter 1-1" {
			t.Errorf("%s of %s", r.Labels(), r.Samples[0].ThreadName)
		}
	})
	synctest.Test(t, func(t *testing.T) { // fewer are wanted: __P is read anew
		lower := E("kg.apc.jmeter.control.sampler.SetVariablesAction", "set", Args("SetVariablesAction", "x", "${__setProperty(users,1)}"))
		r := Plan{Props: map[string]string{"users": "3"}}.Run(t,
			bzm(class, S("TargetLevel", "${__P(users)}"), S("Hold", 10)).With(Slow("a", 100*time.Millisecond)),
			Users(1, 1, Slow("b", 3*time.Second), lower))
		short, long := 0, 0
		for name, x := range life(r) {
			switch {
			case strings.HasPrefix(name, "Users"):
			case x[1] >= 3 && x[1] < 3.2:
				short++
			case x[1] >= 10:
				long++
			}
		}
		if short != 2 || long != 1 {
			t.Error(lives(r))
		}
	})
	if r := Run(t, bzm(class, S("RampUp", "soon")).With(Sampler("a"))); r.Err == nil || !strings.Contains(r.Err.Error(), `RampUp: "soon" is not a number`) {
		t.Errorf("%v", r.Err)
	}
}

func TestArrivals(t *testing.T) {
	const class, free = "arrivals.ArrivalsThreadGroup", "arrivals.FreeFormArrivalsThreadGroup"
	for _, tc := range []struct {
		name    string
		node    Node
		sample  time.Duration
		want    []int // arrivals in each second
		threads int
	}{
		{"even", bzm(class, S("TargetLevel", 4), S("Hold", 3)), 10 * time.Millisecond, []int{4, 4, 4}, 1},
		{"a minute", bzm(class, S("TargetLevel", 60), S("Hold", "0.05"), S("Unit", "M")), 10 * time.Millisecond, []int{1, 1, 1}, 1},
		{"slow samples", bzm(class, S("TargetLevel", 4), S("Hold", 2)), 900 * time.Millisecond, []int{4, 4}, 4},
		{"a limit of threads", bzm(class, S("TargetLevel", 10), S("Hold", 2), S("ConcurrencyLimit", 2)), 350 * time.Millisecond, []int{6, 4}, 2},
		{"a limit of arrivals", bzm(class, S("TargetLevel", 4), S("Hold", 9), S("ArrivalsLimit", 6)), 10 * time.Millisecond, []int{4, 2}, 1},
		{"line", bzm(class, S("TargetLevel", 5), S("RampUp", 3), S("Hold", 2)), 10 * time.Millisecond, []int{1, 3, 4, 5, 5}, 1},
		{"steps", bzm(class, S("TargetLevel", 8), S("RampUp", 2), S("Steps", 2), S("Hold", 1)), 10 * time.Millisecond, []int{4, 8, 8}, 1},
		{"free form", bzm(free, Table("Schedule", []string{"4", "4", "2"}, []string{"8", "8", "1"})), 10 * time.Millisecond, []int{4, 4, 7, 1}, 1},
		{"free form, a pause", bzm(free, Table("Schedule", []string{"2", "2", "1"}, []string{"0", "0", "2"}, []string{"2", "2", "1"})), 10 * time.Millisecond, []int{2, 1, 0, 2}, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := Run(t, tc.node.With(Slow("a", tc.sample)))
			got := make([]int, len(tc.want))
			for _, at := range r.Started {
				s := int(at / time.Second)
				for s >= len(got) {
					got = append(got, 0)
				}
				got[s]++
			}
			if n := len(life(r)); !slices.Equal(got, tc.want) || n != tc.threads || r.Err != nil {
				t.Errorf("%s: %v on %d threads, %v; want %v on %d", tc.name, got, n, r.Err, tc.want, tc.threads)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // a stop ends threads that wait for arrivals
		stop := E("TestAction", "stop", S("ActionProcessor.action", 0), S("ActionProcessor.target", 2))
		begin := time.Now()
		r := Run(t, bzm(class, S("TargetLevel", 2), S("Hold", 100)).With(Slow("a", 10*time.Millisecond)), Users(1, 1, Slow("b", 2700*time.Millisecond), stop))
		if d := time.Since(begin); d != 2700*time.Millisecond || strings.Count(r.Labels(), "a") != 6 {
			t.Errorf("%s, %v after %v", r.Labels(), r.Err, d)
		}
	})
}
