package jtl

import (
	"fmt"
	"strings"
	"time"
)

// dateFields is what a text says of a moment; -1 is unsaid.
type dateFields struct {
	year, month, day, yearDay, hour, hour12, minute, sec, milli int
	pm, bc                                                      bool
	zone                                                        bool
	offset                                                      int // seconds east of UTC
}

// Parse reads a date from the beginning of text, in epoch milliseconds, and
// ignores what follows it, as SimpleDateFormat.parse(String) does. Lenient lets
// numbers roll over (month 13 is January of the next year); otherwise they are
// errors. Fields of weeks (w W F u E Y) are checked for form only.
func (f *DateFormat) Parse(text []byte, lenient bool) (int64, error) {
	d := dateFields{year: 1970, month: 1, day: 1, yearDay: -1, hour: -1, hour12: -1}
	pos := 0
	for i := 0; i < len(f.parts); i++ {
		p := &f.parts[i]
		if p.letter == 0 {
			if len(text)-pos < len(p.text) || string(text[pos:pos+len(p.text)]) != p.text {
				return 0, f.mismatch(text)
			}
			pos += len(p.text)
			continue
		}
		n, ok := d.parsePart(p, text[pos:], f.loc)
		if !ok {
			return 0, f.mismatch(text)
		}
		pos += n
	}
	ms, ok := d.millis(f.loc, lenient)
	if !ok {
		return 0, f.mismatch(text)
	}
	return ms, nil
}

func (f *DateFormat) mismatch(text []byte) error {
	return fmt.Errorf("unparseable date: %q is not of the form %s", text, f.pattern)
}

// parsePart reads one field and returns its length, blanks before it included.
func (d *dateFields) parsePart(p *datePart, s []byte, loc *time.Location) (int, bool) {
	lead := 0
	for lead < len(s) && (s[lead] == ' ' || s[lead] == '\t') {
		lead++
	}
	s = s[lead:]
	var n int
	ok := true
	if p.isNumber() {
		var v int
		v, n = dateNumber(s, p)
		if n == 0 {
			return 0, false
		}
		d.setNumber(p, v, n)
		return lead + n, true
	}
	switch p.letter {
	case 'G':
		var v int
		v, n = datePrefix(s, []string{"AD", "BC"}, 0)
		d.bc = v == 1
	case 'a':
		var v int
		v, n = datePrefix(s, []string{"AM", "PM"}, 0)
		d.pm = v == 1
	case 'M', 'L':
		var v int
		v, n = datePrefix(s, monthNames, 3)
		d.month = v + 1
	case 'E':
		_, n = datePrefix(s, dayNames, 3)
	case 'z', 'Z', 'X':
		n, ok = d.parseZone(s, loc)
	}
	return lead + n, ok && n > 0
}

var (
	monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September",
		"October", "November", "December"}
	dayNames = []string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
)

// datePrefix finds which name s begins with, in any case, first as a whole, then
// (short > 0) by its first letters.
func datePrefix(s []byte, names []string, short int) (index, length int) {
	has := func(name string) bool { return len(s) >= len(name) && strings.EqualFold(string(s[:len(name)]), name) }
	for i, name := range names {
		if has(name) {
			return i, len(name)
		}
	}
	for i, name := range names {
		if short > 0 && has(name[:short]) {
			return i, short
		}
	}
	return 0, 0
}

// dateNumber reads digits; of a number that abuts the next only as many as the
// pattern has letters.
func dateNumber(s []byte, p *datePart) (value, length int) {
	for length < len(s) && s[length] >= '0' && s[length] <= '9' {
		if p.abuts && length == p.count || length == 9 {
			break
		}
		value = value*10 + int(s[length]-'0')
		length++
	}
	return value, length
}

func (d *dateFields) setNumber(p *datePart, v, digits int) {
	switch p.letter {
	case 'y', 'Y':
		if p.count <= 2 && digits == 2 {
			v = fullYear(v, time.Now().Year())
		}
		d.year = v
	case 'M', 'L':
		d.month = v
	case 'd':
		d.day = v
	case 'D':
		d.yearDay = v
	case 'H':
		d.hour = v
	case 'k':
		d.hour = v
		if v == 24 {
			d.hour = 0
		}
	case 'K':
		d.hour12 = v
	case 'h':
		d.hour12 = v
		if v == 12 {
			d.hour12 = 0
		}
	case 'm':
		d.minute = v
	case 's':
		d.sec = v
	case 'S':
		d.milli = v
	}
}

// fullYear puts two digits within 80 years before and 20 after now.
func fullYear(v, now int) int {
	y := now/100*100 + v
	switch {
	case y > now+20:
		y -= 100
	case y < now-80:
		y += 100
	}
	return y
}

// parseZone reads Z, +hh, +hhmm, +hh:mm, GMT+hh:mm, or the short name of a zone.
func (d *dateFields) parseZone(s []byte, loc *time.Location) (int, bool) {
	n := 0
	for n < len(s) && (s[n] >= 'A' && s[n] <= 'Z' || s[n] >= 'a' && s[n] <= 'z') {
		n++
	}
	name := string(s[:n])
	utc := name == "" || name == "Z" || strings.EqualFold(name, "UTC") || strings.EqualFold(name, "GMT")
	if !utc {
		if off, ok := zoneByName(name, loc); ok {
			d.zone, d.offset = true, off
			return n, true
		}
		return 0, false
	}
	d.zone, d.offset = true, 0
	if n == len(s) || s[n] != '+' && s[n] != '-' {
		return n, n > 0
	}
	sign := 1
	if s[n] == '-' {
		sign = -1
	}
	n++
	digits := func() (int, bool) {
		if n+2 > len(s) || s[n] < '0' || s[n] > '9' || s[n+1] < '0' || s[n+1] > '9' {
			return 0, false
		}
		n += 2
		return int(s[n-2]-'0')*10 + int(s[n-1]-'0'), true
	}
	hours, ok := digits()
	if !ok {
		return 0, false
	}
	if n < len(s) && s[n] == ':' {
		n++
	}
	minutes, _ := digits()
	d.offset = sign * (hours*3600 + minutes*60)
	return n, true
}

// zoneByName knows the two short names of loc's own year, and those of the USA
// that every Java knows.
func zoneByName(name string, loc *time.Location) (int, bool) {
	now := time.Now()
	for _, month := range []time.Month{time.January, time.July} {
		if n, off := time.Date(now.Year(), month, 1, 0, 0, 0, 0, loc).Zone(); n == name {
			return off, true
		}
	}
	hours, ok := map[string]int{"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
		"CET": 1, "CEST": 2, "WET": 0, "WEST": 1, "EET": 2, "EEST": 3, "BST": 1, "IST": 5, "JST": 9}[name]
	if name == "IST" {
		return 19800, true
	}
	return hours * 3600, ok
}

func (d *dateFields) millis(loc *time.Location, lenient bool) (int64, bool) {
	hour := d.hour
	if hour < 0 {
		hour = max(d.hour12, 0)
		if d.pm {
			hour += 12
		}
	}
	year, month, day := d.year, d.month, d.day
	if d.bc {
		year = 1 - year
	}
	if d.yearDay >= 0 {
		month, day = 1, d.yearDay
	}
	if !lenient {
		if month < 1 || month > 12 || hour > 23 || d.hour12 > 11 || d.minute > 59 || d.sec > 59 || d.milli > 999 || day < 1 ||
			d.yearDay < 0 && day > time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() || d.yearDay > 366 {
			return 0, false
		}
	}
	if d.zone {
		loc = time.UTC
	}
	t := time.Date(year, time.Month(month), day, hour, d.minute, d.sec, 0, loc)
	if !lenient && t.Hour() != hour { // the hour that summer time leaves out
		return 0, false
	}
	if loc != time.UTC {
		t = inStandardTime(t, time.Date(year, time.Month(month), day, hour, d.minute, d.sec, 0, time.UTC))
	}
	return t.UnixMilli() + int64(d.milli) - int64(d.offset)*1000, true
}

// inStandardTime is t, which a clock at its place shows as wall, by the offset that
// Java takes where two would do, or none: the smaller one, that of standard time.
func inStandardTime(t, wall time.Time) time.Time {
	_, mine := t.Zone()
	start, end := t.ZoneBounds()
	never := wall.Sub(t) != time.Duration(mine)*time.Second
	for _, near := range []time.Time{start.Add(-1), end} {
		_, offset := near.Zone()
		if near.Sub(t).Abs() > 24*time.Hour || offset >= mine && !never {
			continue
		}
		other := wall.Add(-time.Duration(min(offset, mine)) * time.Second)
		if _, there := other.In(t.Location()).Zone(); there == offset || never {
			return other
		}
	}
	return t
}
