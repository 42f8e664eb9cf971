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

// ParseSeconds reads a duration as the jp@gc plug-ins write it: 1h2m3s, or a
// number of seconds.
func ParseSeconds(s string) (int, bool) {
	total, number := 0, -1
	for _, r := range strings.TrimSpace(s) {
		unit := 0
		switch r {
		case 's', 'S':
			unit = 1
		case 'm', 'M':
			unit = 60
		case 'h', 'H':
			unit = 60 * 60
		case 'd', 'D':
			unit = 24 * 60 * 60
		default:
			if r < '0' || r > '9' || number > 1e8 {
				return 0, false
			}
			number = max(number, 0)*10 + int(r-'0')
			continue
		}
		if number < 0 {
			return 0, false
		}
		total += number * unit
		number = -1
	}
	return total + max(number, 0), true
}
