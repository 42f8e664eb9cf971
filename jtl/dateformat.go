package jtl

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DateFormat is a date pattern of java.text.SimpleDateFormat in its English form,
// as jmeter.save.saveservice.timestamp_format and the dates of report filters
// use it. (Patterns of java.time, which look alike, differ in meaning.) Dates
// before 1583 differ from Java's, which are of the Julian calendar.
//
// A DateFormat is immutable and safe for concurrent use.
type DateFormat struct {
	pattern string
	loc     *time.Location
	parts   []datePart
}

// datePart is a pattern letter with its repeat count, or (letter 0) plain text.
type datePart struct {
	letter byte
	count  int
	text   string
	// abuts: a number directly followed by another, which ends its digits.
	abuts bool
}

const dateLetters = "GyYMLdDFEuwWaHkKhmsSzZX"

// NewDateFormat compiles a pattern. Dates without a zone of their own are in loc.
func NewDateFormat(pattern string, loc *time.Location) (*DateFormat, error) {
	f := &DateFormat{pattern: pattern, loc: loc}
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			f.parts = append(f.parts, datePart{text: text.String()})
			text.Reset()
		}
	}
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch {
		case c == '\'':
			n, err := unquoteDateText(&text, pattern[i:])
			if err != nil {
				return nil, fmt.Errorf("date pattern %q: %w", pattern, err)
			}
			i += n
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			if strings.IndexByte(dateLetters, c) < 0 {
				return nil, fmt.Errorf("date pattern %q: illegal letter '%c'", pattern, c)
			}
			n := 1
			for i+n < len(pattern) && pattern[i+n] == c {
				n++
			}
			if c == 'X' && n > 3 {
				return nil, fmt.Errorf("date pattern %q: at most three X", pattern)
			}
			flush()
			f.parts = append(f.parts, datePart{letter: c, count: n})
			i += n
		default:
			text.WriteByte(c)
			i++
		}
	}
	flush()
	for i := range f.parts {
		f.parts[i].abuts = f.parts[i].isNumber() && i+1 < len(f.parts) && f.parts[i+1].isNumber()
	}
	return f, nil
}

// unquoteDateText adds the quoted text at the start of s, of which it returns the
// length; ” is one quote, inside and outside.
func unquoteDateText(dst *strings.Builder, s string) (int, error) {
	if strings.HasPrefix(s, "''") {
		dst.WriteByte('\'')
		return 2, nil
	}
	for i := 1; i < len(s); i++ {
		if s[i] != '\'' {
			dst.WriteByte(s[i])
			continue
		}
		if i+1 == len(s) || s[i+1] != '\'' {
			return i + 1, nil
		}
		dst.WriteByte('\'')
		i++
	}
	return 0, fmt.Errorf("unterminated quote")
}

func (p datePart) isNumber() bool {
	switch p.letter {
	case 'M', 'L':
		return p.count < 3
	case 0, 'G', 'E', 'a', 'z', 'Z', 'X':
		return false
	}
	return true
}

// String is the pattern.
func (f *DateFormat) String() string { return f.pattern }

// Append adds the text of the moment ms, in epoch milliseconds.
func (f *DateFormat) Append(dst []byte, ms int64) []byte {
	t := time.UnixMilli(ms).In(f.loc)
	year, month, day := t.Date()
	hour, minute, sec := t.Clock()
	for _, p := range f.parts {
		switch p.letter {
		case 0:
			dst = append(dst, p.text...)
		case 'G':
			if year > 0 {
				dst = append(dst, "AD"...)
			} else {
				dst = append(dst, "BC"...)
			}
		case 'y', 'Y':
			y := year
			if p.letter == 'Y' {
				y, _ = weekOfYear(t)
			} else if y <= 0 {
				y = 1 - y
			}
			if p.count == 2 {
				y %= 100
			}
			dst = appendPadded(dst, y, p.count)
		case 'M', 'L':
			switch {
			case p.count >= 4:
				dst = append(dst, month.String()...)
			case p.count == 3:
				dst = append(dst, month.String()[:3]...)
			default:
				dst = appendPadded(dst, int(month), p.count)
			}
		case 'd':
			dst = appendPadded(dst, day, p.count)
		case 'D':
			dst = appendPadded(dst, t.YearDay(), p.count)
		case 'F':
			dst = appendPadded(dst, (day-1)/7+1, p.count)
		case 'E':
			if p.count >= 4 {
				dst = append(dst, t.Weekday().String()...)
			} else {
				dst = append(dst, t.Weekday().String()[:3]...)
			}
		case 'u':
			dst = appendPadded(dst, (int(t.Weekday())+6)%7+1, p.count)
		case 'w':
			_, w := weekOfYear(t)
			dst = appendPadded(dst, w, p.count)
		case 'W':
			first := int(t.AddDate(0, 0, 1-day).Weekday())
			dst = appendPadded(dst, (day-1+first)/7+1, p.count)
		case 'a':
			if hour < 12 {
				dst = append(dst, "AM"...)
			} else {
				dst = append(dst, "PM"...)
			}
		case 'H':
			dst = appendPadded(dst, hour, p.count)
		case 'k':
			dst = appendPadded(dst, (hour+23)%24+1, p.count)
		case 'K':
			dst = appendPadded(dst, hour%12, p.count)
		case 'h':
			dst = appendPadded(dst, (hour+11)%12+1, p.count)
		case 'm':
			dst = appendPadded(dst, minute, p.count)
		case 's':
			dst = appendPadded(dst, sec, p.count)
		case 'S':
			dst = appendPadded(dst, t.Nanosecond()/1e6, p.count)
		case 'z':
			dst = appendZoneName(dst, t, p.count)
		case 'Z':
			dst = appendZone(dst, t, 2, false)
		case 'X':
			dst = appendZone(dst, t, p.count, true)
		}
	}
	return dst
}

func appendPadded(dst []byte, n, width int) []byte {
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	digits := 1
	for m := n; m >= 10; m /= 10 {
		digits++
	}
	for ; digits < width; digits++ {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

// weekOfYear counts as Java's US locale: weeks begin on Sunday, and the week of
// January 1st is the first.
func weekOfYear(t time.Time) (year, week int) {
	year = t.Year()
	yday := t.YearDay()
	first := (int(t.Weekday()) - (yday - 1)) % 7 // weekday of January 1st
	if first < 0 {
		first += 7
	}
	week = (yday-1+first)/7 + 1
	length := 365
	if y := year; y%4 == 0 && (y%100 != 0 || y%400 == 0) {
		length = 366
	}
	if next := (first + length) % 7; yday > length-next {
		return year + 1, 1
	}
	return year, week
}

// appendZone adds the offset: parts 1 is +hh, 2 +hhmm and 3 +hh:mm; with z, UTC
// is the letter Z.
func appendZone(dst []byte, t time.Time, parts int, z bool) []byte {
	_, off := t.Zone()
	if off == 0 && z {
		return append(dst, 'Z')
	}
	sign := byte('+')
	if off < 0 {
		sign, off = '-', -off
	}
	dst = appendPadded(append(dst, sign), off/3600, 2)
	if parts == 1 {
		return dst
	}
	if parts == 3 {
		dst = append(dst, ':')
	}
	return appendPadded(dst, off/60%60, 2)
}

func appendZoneName(dst []byte, t time.Time, count int) []byte {
	name, off := t.Zone()
	switch {
	case count >= 4 && off == 0 && name == "UTC":
		return append(dst, "Coordinated Universal Time"...)
	case count < 4 && name != "" && name[0] != '+' && name[0] != '-':
		return append(dst, name...)
	}
	// As Java, when it knows no name.
	return appendZone(append(dst, "GMT"...), t, 3, false)
}
