package java

import "time"

// date is a day of the proleptic Gregorian calendar, as java.time.LocalDate.
type date struct{ year, month, day int }

func (d date) time() time.Time {
	return time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
}

func dateFrom(t time.Time) date {
	y, m, d := t.Date()
	return date{y, int(m), d}
}

// weekday is the ISO number of the day: Monday 1 to Sunday 7.
func (d date) weekday() int { return (int(d.time().Weekday())+6)%7 + 1 }

func (d date) yearDay() int { return d.time().YearDay() }

func (d date) plusDays(n int) date { return dateFrom(d.time().AddDate(0, 0, n)) }

// epochDay counts from 1970-01-01.
func (d date) epochDay() int64 {
	s := d.time().Unix()
	if s < 0 && s%86400 != 0 {
		return s/86400 - 1
	}
	return s / 86400
}

func (d date) String() string {
	return string(appendISODate(nil, d))
}

func appendISODate(dst []byte, d date) []byte {
	y := d.year
	switch {
	case y < 0:
		dst = append(dst, '-')
		y = -y
	case y > 9999:
		dst = append(dst, '+')
	}
	dst = appendPadded(dst, int64(y), 4)
	dst = append(dst, '-')
	dst = appendPadded(dst, int64(d.month), 2)
	dst = append(dst, '-')
	return appendPadded(dst, int64(d.day), 2)
}

func isLeap(y int) bool { return y%4 == 0 && (y%100 != 0 || y%400 == 0) }

func yearLen(y int) int {
	if isLeap(y) {
		return 366
	}
	return 365
}

func monthLen(y, m int) int {
	switch m {
	case 2:
		if isLeap(y) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// appendPadded writes v (not negative) with at least width digits.
func appendPadded(dst []byte, v int64, width int) []byte {
	var b [20]byte
	i := len(b)
	for v > 0 || i == len(b) {
		i--
		b[i] = byte('0' + v%10)
		v /= 10
	}
	for n := len(b) - i; n < width; n++ {
		dst = append(dst, '0')
	}
	return append(dst, b[i:]...)
}
