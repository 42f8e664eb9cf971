package jtl

import "testing"

// A user does not hold on to the memory of one long body.
func TestResetKeepsMemoryOfUsualBodies(t *testing.T) {
	for size, want := range map[int]int{100 << 10: 100 << 10, 64 << 20: 0} {
		s := Sample{Body: make([]byte, size)}
		if s.Reset(); cap(s.Body) != want {
			t.Errorf("after %d bytes %d are kept, want %d", size, cap(s.Body), want)
		}
	}
}
