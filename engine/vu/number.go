package vu

import (
	"strconv"
	"strings"
)

// ParseLong reads a number as Java's Long.parseLong does: an optional sign and
// digits, nothing else, no blanks.
func ParseLong(s string) (int64, bool) {
	if s == "" || s[0] == '_' {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < '0' || c > '9') && !(i == 0 && len(s) > 1 && (c == '-' || c == '+')) {
			return 0, false
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// ParseInt is ParseLong for Java's 32-bit int.
func ParseInt(s string) (int32, bool) {
	n, ok := ParseLong(s)
	if !ok || n != int64(int32(n)) {
		return 0, false
	}
	return int32(n), true
}

// ParseFloat reads a number as Java's Double.parseDouble does, blanks around it
// included.
func ParseFloat(s string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return f, err == nil
}
