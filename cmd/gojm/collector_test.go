package main

import "testing"

// A small heap may hold four times as much garbage, a large one a third of it.
func TestGarbagePercent(t *testing.T) {
	const mb = 1 << 20
	for alive, want := range map[uint64]int{
		0: 400, 1: 400, 10 * mb: 400, 16 * mb: 400, 32 * mb: 200, 64 * mb: 100, 128 * mb: 50, 500 * mb: 35, 1 << 50: 35,
	} {
		if got := garbagePercent(alive); got != want {
			t.Errorf("%d MB: %d%%, want %d%%", alive/mb, got, want)
		}
	}
}
