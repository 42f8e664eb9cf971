package java

import (
	"fmt"
	"time"
)

// Parsed holds fields of a date and time: what a text gave, or all fields of a time.Time. Callers
// ask it for the date, the clock, the zone, or a whole instant.
type Parsed struct {
	loc     Locale
	has     uint32 // bit set of the fields in val
	val     [numFields]int64
	date    date
	hasDate bool
	nanos   int64 // of the day
	hasTime bool
	excess  int // days to add, for 24:00
	zone    *time.Location
	zoneID  string
	dst     bool
	instant time.Time // of a time.Time, to name its zone
}

// fieldsOf spreads t over fields.
func fieldsOf(t time.Time, loc Locale) Parsed {
	h, m, s := t.Clock()
	_, off := t.Zone()
	p := Parsed{
		loc: loc, date: dateFrom(t), hasDate: true, hasTime: true,
		nanos: (int64(h)*3600+int64(m)*60+int64(s))*1e9 + int64(t.Nanosecond()),
		zone:  t.Location(), zoneID: ZoneID(t.Location()), dst: t.IsDST(), instant: t,
	}
	p.set(OffsetSeconds, int64(off))
	return p
}

func (p *Parsed) isSet(f Field) bool { return p.has&(1<<f) != 0 }

func (p *Parsed) set(f Field, v int64) {
	p.has |= 1 << f
	p.val[f] = v
}

// take removes a field and returns its value.
func (p *Parsed) take(f Field) int64 {
	p.has &^= 1 << f
	return p.val[f]
}

// Get returns the value of a field, parsed or derived from a complete date or time.
func (p *Parsed) Get(f Field) (int64, bool) {
	if p.isSet(f) {
		return p.val[f], true
	}
	if p.hasDate {
		if v, ok := dateField(p.date, f, p.loc); ok {
			return v, true
		}
	}
	if p.hasTime {
		return timeField(p.nanos, f)
	}
	return 0, false
}

func dateField(d date, f Field, loc Locale) (int64, bool) {
	switch f {
	case Era:
		if d.year > 0 {
			return 1, true
		}
		return 0, true
	case YearOfEra:
		if d.year > 0 {
			return int64(d.year), true
		}
		return int64(1 - d.year), true
	case Year:
		return int64(d.year), true
	case QuarterOfYear:
		return int64((d.month-1)/3 + 1), true
	case MonthOfYear:
		return int64(d.month), true
	case DayOfMonth:
		return int64(d.day), true
	case DayOfYear:
		return int64(d.yearDay()), true
	case AlignedDayOfWeekInMonth:
		return int64((d.day-1)%7 + 1), true
	case DayOfWeek:
		return int64(d.weekday()), true
	case ModifiedJulianDay:
		return d.epochDay() + 40587, true
	case LocalDayOfWeek:
		return int64(loc.weeks().dayOfWeek(d.weekday())), true
	case WeekOfMonth:
		return int64(loc.weeks().weekOfMonth(d)), true
	case WeekOfWeekBasedYear:
		_, w := loc.weeks().yearWeek(d)
		return int64(w), true
	case WeekBasedYear:
		y, _ := loc.weeks().yearWeek(d)
		return int64(y), true
	}
	return 0, false
}

func timeField(n int64, f Field) (int64, bool) {
	hour := n / 3600e9
	switch f {
	case AmPmOfDay:
		return hour / 12, true
	case HourOfDay:
		return hour, true
	case ClockHourOfDay:
		if hour == 0 {
			return 24, true
		}
		return hour, true
	case HourOfAmPm:
		return hour % 12, true
	case ClockHourOfAmPm:
		if hour%12 == 0 {
			return 12, true
		}
		return hour % 12, true
	case MinuteOfHour:
		return n / 60e9 % 60, true
	case SecondOfMinute:
		return n / 1e9 % 60, true
	case SecondOfDay:
		return n / 1e9, true
	case MilliOfSecond:
		return n / 1e6 % 1000, true
	case MilliOfDay:
		return n / 1e6, true
	case NanoOfSecond:
		return n % 1e9, true
	case NanoOfDay:
		return n, true
	}
	return 0, false
}

// Date returns the day, when the text gave a whole one (java.time.LocalDate.from).
func (p *Parsed) Date() (year, month, day int, ok bool) {
	return p.date.year, p.date.month, p.date.day, p.hasDate
}

// Clock returns the time of day, when the text gave one (java.time.LocalTime.from).
func (p *Parsed) Clock() (hour, minute, second, nano int, ok bool) {
	n := p.nanos
	return int(n / 3600e9), int(n / 60e9 % 60), int(n / 1e9 % 60), int(n % 1e9), p.hasTime
}

// Location returns the parsed zone, else the parsed offset as a zone, else nil.
func (p *Parsed) Location() *time.Location {
	if p.zone != nil {
		return p.zone
	}
	if p.isSet(OffsetSeconds) {
		return OffsetZone(int(p.val[OffsetSeconds]))
	}
	return nil
}

// In returns the wall time that was parsed, read in loc (LocalDateTime.from, atZone).
func (p *Parsed) In(loc *time.Location) (time.Time, error) {
	if !p.hasDate || !p.hasTime {
		return time.Time{}, fmt.Errorf("Unable to obtain LocalDateTime from TemporalAccessor: %s", p)
	}
	h, m, s, n, _ := p.Clock()
	return time.Date(p.date.year, time.Month(p.date.month), p.date.day, h, m, s, n, loc), nil
}

// Zoned returns the instant in the parsed zone or offset (ZonedDateTime.from). Where both were
// given, the offset decides the instant and the zone how it is shown.
func (p *Parsed) Zoned() (time.Time, error) {
	loc := p.Location()
	if loc == nil {
		return time.Time{}, fmt.Errorf("Unable to obtain ZonedDateTime from TemporalAccessor: %s", p)
	}
	if p.isSet(InstantSeconds) {
		nano := int64(0)
		if v, ok := p.Get(NanoOfSecond); ok {
			nano = v
		}
		return time.Unix(p.val[InstantSeconds], nano).In(loc), nil
	}
	t, err := p.In(loc)
	if err != nil {
		return t, fmt.Errorf("Unable to obtain ZonedDateTime from TemporalAccessor: %s", p)
	}
	return t, nil
}

// String shows what was parsed, much as Java does in its messages.
func (p *Parsed) String() string {
	s := "{"
	for f := Field(0); f < numFields; f++ {
		if p.isSet(f) {
			if len(s) > 1 {
				s += ", "
			}
			s += fmt.Sprintf("%s=%d", f, p.val[f])
		}
	}
	s += "},ISO"
	if p.zoneID != "" {
		s += "," + p.zoneID
	}
	switch {
	case p.hasDate && p.hasTime:
		s += " resolved to " + p.date.String() + "T" + clockText(p.nanos)
	case p.hasDate:
		s += " resolved to " + p.date.String()
	case p.hasTime:
		s += " resolved to " + clockText(p.nanos)
	}
	return s
}

// clockText is java.time.LocalTime.toString.
func clockText(n int64) string {
	b := appendPadded(nil, n/3600e9, 2)
	b = append(b, ':')
	b = appendPadded(b, n/60e9%60, 2)
	s, frac := n/1e9%60, n%1e9
	if s == 0 && frac == 0 {
		return string(b)
	}
	b = append(b, ':')
	b = appendPadded(b, s, 2)
	if frac == 0 {
		return string(b)
	}
	b = append(b, '.')
	switch {
	case frac%1e6 == 0:
		b = appendPadded(b, frac/1e6, 3)
	case frac%1e3 == 0:
		b = appendPadded(b, frac/1e3, 6)
	default:
		b = appendPadded(b, frac, 9)
	}
	return string(b)
}

// appendNodes writes the fields by the nodes of a pattern. A missing field in an optional section
// is no error: the section is left out.
func appendNodes(dst []byte, nodes []node, p *Parsed, loc Locale) ([]byte, error) {
	for i := range nodes {
		n := &nodes[i]
		if n.kind == kindOptional {
			out, err := appendNodes(dst, n.nodes, p, loc)
			switch {
			case err == nil:
				dst = out
			case !isMissing(err):
				return dst, err
			}
			continue
		}
		var err error
		if dst, err = n.append(dst, p, loc); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// missingError says that what a node should write is not there.
type missingError string

func (e missingError) Error() string { return string(e) }

func isMissing(err error) bool {
	_, ok := err.(missingError)
	return ok
}

func (n *node) append(dst []byte, p *Parsed, loc Locale) ([]byte, error) {
	var v int64
	switch n.kind {
	case kindNumber, kindReduced, kindFraction, kindText:
		var ok bool
		if v, ok = p.Get(n.field); !ok {
			return dst, missingError("Unsupported field: " + n.field.String())
		}
	}
	switch n.kind {
	case kindLiteral:
		return append(dst, n.text...), nil
	case kindNumber:
		return n.appendNumber(dst, v)
	case kindReduced:
		if v < 0 {
			v = -v
		}
		return appendPadded(dst, v%100, 2), nil
	case kindFraction:
		for w := 9; w > n.max; w-- {
			v /= 10
		}
		return appendPadded(dst, v, n.min), nil
	case kindText:
		return append(dst, loc.names().text(n.field, n.style, v)...), nil
	case kindPeriod:
		if !p.hasTime {
			return dst, missingError("Unsupported field: HourOfDay")
		}
		return append(dst, loc.names().periods[n.style].at(int(p.nanos/60e9))...), nil
	case kindPad:
		at := len(dst)
		out, err := n.nodes[0].append(dst, p, loc)
		if err != nil {
			return dst, err
		}
		w := utf16Len(string(out[at:]))
		if w > n.min {
			return dst, fmt.Errorf("Cannot print as output of %d characters exceeds pad width of %d", w, n.min)
		}
		text := string(out[at:])
		out = out[:at]
		for ; w < n.min; w++ {
			out = append(out, ' ')
		}
		return append(out, text...), nil
	}
	return n.appendZone(dst, p, loc)
}

// powers[i] is the smallest number with more than i digits.
var powers = [19]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18}

func (n *node) appendNumber(dst []byte, v int64) ([]byte, error) {
	abs := v
	if v < 0 {
		if n.sign == signNotNegative {
			return dst, fmt.Errorf("Field %s cannot be printed as the value %d cannot be negative according to the SignStyle", n.field, v)
		}
		abs = -v
	}
	if n.max < len(powers) && abs >= powers[n.max] {
		return dst, fmt.Errorf("Field %s cannot be printed as the value %d exceeds the maximum print width of %d", n.field, v, n.max)
	}
	switch {
	case v < 0:
		dst = append(dst, '-')
	case n.sign == signExceedsPad && n.min < 19 && abs >= powers[n.min]:
		dst = append(dst, '+')
	}
	return appendPadded(dst, abs, n.min), nil
}

// text returns a field's value in words, or the empty text when it has none.
func (n *names) text(f Field, style textStyle, v int64) string {
	list, base := n.list(f, style)
	if i := v - base; i >= 0 && i < int64(len(list)) {
		return list[i]
	}
	return ""
}

// list returns a field's words and the value of the first.
func (n *names) list(f Field, style textStyle) ([]string, int64) {
	switch f {
	case MonthOfYear:
		return n.months[style], 1
	case DayOfWeek:
		return n.days[style], 1
	case QuarterOfYear:
		return n.quarters[style], 1
	case AmPmOfDay:
		return n.ampm, 0
	}
	return n.eras[style%3], 0
}
