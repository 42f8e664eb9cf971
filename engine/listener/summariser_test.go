package listener

import (
	"testing"
	"time"

	"github.com/gojm/gojm/jtl"
)

// The first line is one of JMeter's; what depends on the clock is not compared in
// recorded runs.
func TestSummaryLine(t *testing.T) {
	start := time.UnixMilli(1700000000000)
	for _, c := range []struct {
		elapsed time.Duration
		want    string
	}{
		{3700 * time.Millisecond, "summary =      2 in 00:00:04 =    0.5/s Avg:   300 Min:   120 Max:   480 Err:     1 (50.00%)"},
		{0, "summary =      2 in 00:00:00 = ******/s Avg:   300 Min:   120 Max:   480 Err:     1 (50.00%)"},
		{time.Millisecond, "summary =      2 in 00:00:00 = 2000.0/s Avg:   300 Min:   120 Max:   480 Err:     1 (50.00%)"},
		{100*time.Hour + time.Minute - time.Millisecond, "summary =      2 in 100:01:00 =    0.0/s Avg:   300 Min:   120 Max:   480 Err:     1 (50.00%)"},
	} {
		f := newFigures(start)
		f.add(&jtl.Sample{Elapsed: 120, Success: true}, start)
		f.add(&jtl.Sample{Elapsed: 480}, start.Add(c.elapsed))
		if got := f.line("summary", "="); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
