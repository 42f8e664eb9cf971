package java

import (
	"math/bits"
	"strconv"
	"time"
)

// Duration is java.time.Duration: seconds of either sign, and nanoseconds that are never negative.
type Duration struct {
	Seconds int64
	Nanos   int32
}

// ParseDuration is Duration.parse: ISO 8601 with days, hours, minutes and seconds, in any case
// ("PT15M", "-P1DT2.5S", "P-1D"). A day has 24 hours; years, months and weeks do not exist.
func ParseDuration(s string) (Duration, error) {
	bad := func() (Duration, error) {
		return Duration{}, throw("java.time.format.DateTimeParseException", "Text cannot be parsed to a Duration")
	}
	i, neg := 0, false
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		neg = s[i] == '-'
		i++
	}
	if i >= len(s) || s[i]|0x20 != 'p' {
		return bad()
	}
	i++
	var d Duration
	units := []struct {
		letter  byte
		seconds int64
		name    string
	}{{'d', 86400, "days"}, {'h', 3600, "hours"}, {'m', 60, "minutes"}, {'s', 1, "seconds"}}
	any, clock, afterT := false, false, false
	for i < len(s) {
		if s[i]|0x20 == 't' && !clock {
			clock, afterT = true, false
			if units[0].letter == 'd' {
				units = units[1:]
			}
			i++
			continue
		}
		start := i
		if s[i] == '+' || s[i] == '-' {
			i++
		}
		digits := i
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		if i == digits {
			return bad()
		}
		v, tooLong := strconv.ParseInt(s[start:i], 10, 64)
		fraction := -1
		if i < len(s) && (s[i] == '.' || s[i] == ',') {
			fraction = i + 1
			for i++; i < len(s) && isDigit(s[i]); i++ {
			}
		}
		if i >= len(s) {
			return bad()
		}
		for len(units) > 0 && units[0].letter != s[i]|0x20 {
			units = units[1:]
		}
		if len(units) == 0 || clock == (units[0].letter == 'd') {
			return bad()
		}
		u := units[0]
		units = units[1:]
		var ok bool
		if d.Seconds, ok = addProduct(d.Seconds, v, u.seconds); !ok || tooLong != nil {
			return Duration{}, throw("java.time.format.DateTimeParseException", "Text cannot be parsed to a Duration: %s", u.name)
		}
		if fraction >= 0 {
			if u.letter != 's' || i-fraction > 9 {
				return bad()
			}
			n := int32(0)
			for k := range 9 {
				n *= 10
				if fraction+k < i {
					n += int32(s[fraction+k] - '0')
				}
			}
			if s[start] == '-' {
				n = -n
			}
			d.Nanos = n
		}
		any, afterT = true, true
		i++
	}
	if !any || clock && !afterT {
		return bad()
	}
	if neg {
		d.Seconds, d.Nanos = -d.Seconds, -d.Nanos
	}
	if d.Nanos < 0 {
		d.Seconds--
		d.Nanos += 1e9
	}
	return d, nil
}

// addProduct is sum + a*b, unless that overflows.
func addProduct(sum, a, b int64) (int64, bool) {
	abs := uint64(a)
	if a < 0 {
		abs = -abs
	}
	hi, lo := bits.Mul64(abs, uint64(b))
	if hi != 0 || lo > 1<<63-1 {
		return 0, false
	}
	p := int64(lo)
	if a < 0 {
		p = -p
	}
	r := sum + p
	return r, (r > sum) == (p > 0)
}

// DurationOf converts a Go duration.
func DurationOf(d time.Duration) Duration {
	s, n := int64(d/time.Second), int32(d%time.Second)
	if n < 0 {
		s--
		n += 1e9
	}
	return Duration{s, n}
}

// After returns the instant a duration later than t, in t's location.
func (d Duration) After(t time.Time) time.Time {
	return time.Unix(t.Unix()+d.Seconds, int64(t.Nanosecond())+int64(d.Nanos)).In(t.Location())
}

// String is Duration.toString: "PT2H15M", "PT-0.5S", "PT0S".
func (d Duration) String() string {
	if d == (Duration{}) {
		return "PT0S"
	}
	eff := d.Seconds
	if d.Seconds < 0 && d.Nanos > 0 {
		eff++
	}
	h, m, s := eff/3600, eff%3600/60, eff%60
	b := []byte("PT")
	if h != 0 {
		b = append(strconv.AppendInt(b, h, 10), 'H')
	}
	if m != 0 {
		b = append(strconv.AppendInt(b, m, 10), 'M')
	}
	if s == 0 && d.Nanos == 0 {
		return string(b)
	}
	if d.Seconds < 0 && d.Nanos > 0 && s == 0 {
		b = append(b, "-0"...)
	} else {
		b = strconv.AppendInt(b, s, 10)
	}
	if d.Nanos > 0 {
		n := int64(d.Nanos)
		if d.Seconds < 0 {
			n = 1e9 - n
		}
		b = append(b, '.')
		b = appendPadded(b, n, 9)
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
	}
	return string(append(b, 'S'))
}
