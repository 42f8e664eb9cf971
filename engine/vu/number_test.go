package vu

import "testing"

func TestParseInt(t *testing.T) {
	for _, tc := range []struct {
		s    string
		want int32
		ok   bool
	}{
		{"0", 0, true}, {"-12", -12, true}, {"+7", 7, true}, {"007", 7, true}, {"2147483647", 1<<31 - 1, true},
		{"", 0, false}, {" 5", 0, false}, {"5 ", 0, false}, {"5.0", 0, false}, {"2147483648", 0, false}, {"+", 0, false}, {"1_0", 0, false}, {"0x1", 0, false},
	} {
		if got, ok := ParseInt(tc.s); ok != tc.ok || ok && got != tc.want {
			t.Errorf("%q is %d, %v", tc.s, got, ok)
		}
	}
}

func TestParseSeconds(t *testing.T) {
	for _, tc := range []struct {
		s    string
		want int
		ok   bool
	}{
		{"90", 90, true}, {"1h2m3s", 3723, true}, {" 5M ", 300, true}, {"1d", 86400, true}, {"2m30", 150, true}, {"", 0, true},
		{"m", 0, false}, {"1w", 0, false}, {"1 m", 0, false}, {"-1", 0, false}, {"99999999999999", 0, false},
	} {
		if got, ok := ParseSeconds(tc.s); ok != tc.ok || ok && got != tc.want {
			t.Errorf("%q is %d, %v", tc.s, got, ok)
		}
	}
}
