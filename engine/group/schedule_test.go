package group

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/java"
)

func (s scheduleStep) String() string {
	switch s.kind {
	case evenArrivals:
		return fmt.Sprintf("even(%.4g)", s.duration)
	case randomArrivals:
		return fmt.Sprintf("random(%.4g)", s.duration)
	}
	return fmt.Sprintf("rate(%.4g)", s.rate)
}

func TestParseSchedule(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"", "[]"},
		{"rate(0/min)", "[rate(0)]"},
		{"rate(0)", "[rate(0)]"},
		{"RATE(36000 Per Hour)", "[rate(10)]"},
		{"rate(2/ms)", "[rate(2000)]"},
		{"rate(.5/s)", "[rate(0.5)]"},
		{"random_arrivals(0) /* 0 needs no unit */", "[random(0)]"},
		{"even_arrivals(2d 1m 30s) // the end", "[even(1.729e+05)]"},
		{"even_arrivals(1.5 seconds 2 minutely)", "[even(121.5)]"},
		{"rate(1/sec) random_arrivals(2 min) pause(3 min) random_arrivals(4 sec)",
			"[rate(1) random(120) rate(1) rate(0) even(180) rate(0) rate(1) random(4)]"},
		{"pause(1 s)", "[even(1) rate(0)]"},
		{"rate(50/min)\n/* then */even_arrivals(2 hour)rate(60/min)", "[rate(0.8333) even(7200) rate(1)]"},
		{"10", "[rate(10) even(1) rate(10) rate(0) even(3600)]"},
	} {
		got, err := parseSchedule(tc.src)
		if err != nil || fmt.Sprint([]scheduleStep(got)) != tc.want {
			t.Errorf("%q is %v, %v; want %s", tc.src, got, err, tc.want)
		}
	}
}

func TestParseScheduleErrors(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		{"rate(10)", "Unexpected input. Expected /, Identifier(per) got ) at position 7: ')' in 'rate(10)'"},
		{"hello", "Unexpected input (expecting rate, random_arrivals, even_arrivals, or pause) at position 0: 'hello' in 'hello'"},
		{"rate(1/s) %", "Unexpected input at position 10: '%' in 'rate(1/s) %'"},
		{"rate(1/week)", "Unexpected time unit week at position 11: ')' in 'rate(1/week)'"},
		{"rate 1/s", "Unexpected input. Expected ( got Number(1) at position 5: '1/s' in 'rate 1/s'"},
		{"pause(", "Unexpected input. Expected float number for duration got null at position 0: 'pause(' in 'pause('"},
	} {
		if _, err := parseSchedule(tc.src); err == nil || err.Error() != tc.want {
			t.Errorf("%q: %v; want %s", tc.src, err, tc.want)
		}
	}
}

// The times are those of JMeter 5.6.3 with java.util.Random(0).
func TestScheduleArrivals(t *testing.T) {
	for _, tc := range []struct {
		src      string
		duration float64
		want     string
	}{
		{`// 2 arrivals, at 0 and 1
		  rate(1/sec) even_arrivals(2 sec) rate(1/sec)
		  rate(2/sec) even_arrivals(3 sec) rate(2/sec)
		  even_arrivals(1 sec) rate(5/sec)
		  even_arrivals(2 sec) rate(3/sec)`, 8,
			"0 1 2 2.5 3 3.5 4 4.5 5 5.3874 5.6667 6 6.2042 6.4174 6.6411 6.8769 7.127 7.3944 7.6834"},
		{`rate(0) random_arrivals(2 sec) rate(2/sec)
		  random_arrivals(3 sec)
		  pause(10 sec)
		  random_arrivals(4 sec) rate(1/sec)`, 19,
			"0.9809 1.7099 2.9997 3.1556 3.6513 3.7926 3.9123 4.9545 15.5156 16.0998 17.4685 18.3902 18.5167 18.765"},
		{"rate(4/s) even_arrivals(1 s) rate(0/s)", 1, "0 0.2929"},
		{"even_arrivals(1 s)", 1, ""},
		{"3", 3601, "0 0.3333 0.6667"},
	} {
		s, err := parseSchedule(tc.src)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for at := range s.arrivals(java.NewRandom(0).Double) {
			got = append(got, strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", at), "0"), "."))
		}
		if g := strings.Join(got, " "); g != tc.want || s.duration() != tc.duration || int(s.count()) != len(got) {
			t.Errorf("%s\nmakes %s in %v s, count %v\nwant  %s in %v s", tc.src, g, s.duration(), s.count(), tc.want, tc.duration)
		}
	}
}

func FuzzParseSchedule(f *testing.F) {
	for _, s := range []string{"", "3", "rate(1/s) even_arrivals(1 min) pause(1 h)", "rate(0) /* x */ random_arrivals(1.5 ms) // y", "pause(0", "rate(1 per day"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		s, err := parseSchedule(src)
		if err != nil || s.count() > 1000 {
			return
		}
		last, n := -1.0, 0
		for at := range s.arrivals(java.NewRandom(1).Double) {
			if n++; at < last || at > s.duration()+1e-6 {
				t.Fatalf("%q: arrival at %v after %v in %v s", src, at, last, s.duration())
			}
			last = at
		}
	})
}
