package htmlreport

import (
	"math/rand/v2"
	"testing"
)

// TestTimeline compares timelines that are filled in any order, merged and folded
// with a map.
func TestTimeline(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 200 {
		var parts [3]timeline[tally, *tally]
		want := map[int64]tally{}
		for range r.IntN(300) {
			at := r.Int64N(200)
			if round%2 == 0 { // nearly in order
				at = int64(len(want)) + r.Int64N(5)
			}
			n, _ := parts[r.IntN(3)].at(at)
			*n++
			want[at]++
		}
		const granularity = 7
		var folded timeline[tally, *tally]
		for i := range parts {
			folded.mergeFolded(&parts[i], granularity)
		}
		whole := &parts[0]
		whole.merge(&parts[1])
		whole.merge(&parts[2])
		check := func(tl *timeline[tally, *tally], granularity int64) {
			t.Helper()
			sums := map[int64]tally{}
			for at, n := range want {
				sums[bucket(at, granularity)] += n
			}
			last := int64(-1)
			for _, c := range tl.inOrder() {
				if c.at <= last || c.value != sums[c.at] {
					t.Fatalf("round %d: %d at %d after %d, want %d", round, c.value, c.at, last, sums[c.at])
				}
				last = c.at
			}
			if len(tl.cells) != len(sums) || !tl.has(granularity) {
				t.Fatalf("round %d: %d intervals, want %d", round, len(tl.cells), len(sums))
			}
		}
		check(&folded, granularity)
		check(whole, 1)
		if n, created := whole.at(1000); *n != 0 || !created {
			t.Fatalf("round %d: an interval beyond all others: %d, %v", round, *n, created)
		}
		whole.cells = whole.cells[:len(whole.cells)-1]
		whole.fold(granularity)
		check(whole, granularity)
	}
}
