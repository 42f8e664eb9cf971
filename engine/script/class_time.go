package script

import (
	"math"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/java"
)

// temporalKind is which class of java.time a temporal is of.
type temporalKind uint8

const (
	kindDate temporalKind = iota
	kindTime
	kindDateTime
	kindZoned
	kindOffsetDateTime
	kindInstant
)

// temporal is a LocalDate, LocalTime, LocalDateTime, ZonedDateTime, OffsetDateTime or Instant. The local
// ones keep their wall time in UTC; a LocalTime lies on 1 January 1970.
type temporal struct {
	kind temporalKind
	t    time.Time
}

var (
	temporalBase   = NewClass("java.time.temporal.Temporal", objectClass, "java.lang.Comparable")
	localDate      = NewClass("java.time.LocalDate", temporalBase)
	localTime      = NewClass("java.time.LocalTime", temporalBase)
	localDateTime  = NewClass("java.time.LocalDateTime", temporalBase)
	zonedDateTime  = NewClass("java.time.ZonedDateTime", temporalBase)
	offsetDateTime = NewClass("java.time.OffsetDateTime", temporalBase)
	instantClass   = NewClass("java.time.Instant", temporalBase)
	durationClass  = NewClass("java.time.Duration", objectClass, "java.lang.Comparable")
	zoneIDClass    = NewClass("java.time.ZoneId", objectClass)
	zoneOffset     = NewClass("java.time.ZoneOffset", zoneIDClass)
	formatterClass = NewClass("java.time.format.DateTimeFormatter", objectClass)
	chronoUnit     = NewClass("java.time.temporal.ChronoUnit", objectClass)
	dayOfWeekClass = NewClass("java.time.DayOfWeek", objectClass)
	monthClass     = NewClass("java.time.Month", objectClass)
	adjusters      = NewClass("java.time.temporal.TemporalAdjusters", objectClass)
	periodClass    = NewClass("java.time.Period", objectClass)
	yearClass      = NewClass("java.time.Year", objectClass)
	yearMonthClass = NewClass("java.time.YearMonth", objectClass)
	temporalKinds  = [...]*Class{localDate, localTime, localDateTime, zonedDateTime, offsetDateTime, instantClass}
)

// JavaClass is the class of its kind.
func (x *temporal) JavaClass() *Class { return temporalKinds[x.kind] }

// isoPatterns are the patterns of toString by kind, seconds and fraction left out where Java leaves them.
func (x *temporal) String() string {
	date := func() string { return formatted("uuuu-MM-dd", x.t) }
	clock := func(seconds bool) string {
		n := x.t.Nanosecond()
		switch {
		case n == 0 && x.t.Second() == 0 && !seconds:
			return formatted("HH:mm", x.t)
		case n == 0:
			return formatted("HH:mm:ss", x.t)
		case n%1e6 == 0:
			return formatted("HH:mm:ss.SSS", x.t)
		case n%1e3 == 0:
			return formatted("HH:mm:ss.SSSSSS", x.t)
		}
		return formatted("HH:mm:ss.SSSSSSSSS", x.t)
	}
	switch x.kind {
	case kindDate:
		return date()
	case kindTime:
		return clock(false)
	case kindDateTime:
		return date() + "T" + clock(false)
	case kindInstant:
		return date() + "T" + clock(true) + "Z"
	}
	s := date() + "T" + clock(false) + formatted("XXXXX", x.t)
	if id := java.ZoneID(x.t.Location()); x.kind == kindZoned && id != "Z" && !strings.HasPrefix(id, "+") && !strings.HasPrefix(id, "-") {
		s += "[" + id + "]"
	}
	return s
}

func formatted(pattern string, t time.Time) string {
	p, err := java.ParsePattern(pattern)
	if err != nil {
		return ""
	}
	return string(p.Append(nil, t, java.JMeter))
}

// Equal compares kind, time and zone.
func (x *temporal) Equal(v Value) bool {
	o, ok := v.(*temporal)
	return ok && o.kind == x.kind && o.String() == x.String()
}

// HashCode is one of the text.
func (x *temporal) HashCode() int32 { return java.HashCode(x.String()) }

// CompareTo orders by time.
func (x *temporal) CompareTo(v Value) (int, bool) {
	o, ok := v.(*temporal)
	if !ok || o.kind != x.kind {
		return 0, false
	}
	return x.t.Compare(o.t), true
}

// Next is n days on, for ranges of dates.
func (x *temporal) Next(n int) Value { return &temporal{x.kind, x.t.AddDate(0, 0, n)} }

// formatter is a DateTimeFormatter.
type formatter struct {
	p   *java.Pattern
	loc java.Locale
	// zone, when set, is what the time is shown in.
	zone *time.Location
}

func (*formatter) JavaClass() *Class { return formatterClass }

// wall keeps what a clock shows and forgets the zone.
func wall(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
}

// as turns an instant into a temporal of a kind, in the zone of t.
func as(kind temporalKind, t time.Time) *temporal {
	switch kind {
	case kindDate:
		return &temporal{kind, time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)}
	case kindTime:
		return &temporal{kind, time.Date(1970, 1, 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)}
	case kindDateTime:
		return &temporal{kind, wall(t)}
	case kindInstant:
		return &temporal{kind, t.UTC()}
	case kindOffsetDateTime:
		_, off := t.Zone()
		return &temporal{kind, t.In(java.OffsetZone(off))}
	}
	return &temporal{kind, t}
}

// parse reads a temporal of a kind with a formatter, or in ISO form.
func parseTemporal(kind temporalKind, s string, f *formatter) (Value, error) {
	patterns := []string{}
	loc := java.JMeter
	if f == nil {
		const date, clock = "uuuu-MM-dd", "HH:mm[:ss]"
		fraction := ""
		if i := strings.LastIndexByte(s, '.'); i >= 0 {
			n := 0
			for i+1+n < len(s) && isDigit(s[i+1+n]) {
				n++
			}
			if n > 0 && n <= 9 {
				fraction = "." + strings.Repeat("S", n)
			}
		}
		switch kind {
		case kindDate:
			patterns = append(patterns, date)
		case kindTime:
			patterns = append(patterns, clock+fraction)
		case kindDateTime:
			patterns = append(patterns, date+"'T'"+clock+fraction)
		case kindZoned:
			patterns = append(patterns, date+"'T'"+clock+fraction+"XXXXX['['VV']']")
		default:
			patterns = append(patterns, date+"'T'"+clock+fraction+"XXXXX")
		}
	} else {
		loc = f.loc
	}
	var p *java.Pattern
	var err error
	if f != nil {
		p = f.p
	} else if p, err = java.ParsePattern(patterns[0]); err != nil {
		return nil, err
	}
	fields, err := p.Parse(s, loc)
	if err != nil {
		return nil, throw("java.time.format.DateTimeParseException", "%s", err.Error())
	}
	if y, m, d, ok := fields.Date(); f == nil && ok && len(s) >= 10 && s[8:10] > formatted("dd", time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)) {
		why := "Invalid date '" + strings.ToUpper(time.Month(m).String()) + " " + strings.TrimLeft(s[8:10], "0") + "'"
		if m == 2 && s[8:10] == "29" {
			why = "Invalid date 'February 29' as '" + s[:4] + "' is not a leap year"
		}
		return nil, throw("java.time.format.DateTimeParseException", "Text '%s' could not be parsed: %s", s, why)
	}
	var t time.Time
	switch kind {
	case kindDate:
		y, m, d, ok := fields.Date()
		if !ok {
			return nil, cannotObtain(s, "LocalDate", fields)
		}
		t = time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	case kindTime:
		h, m, sec, n, ok := fields.Clock()
		if !ok {
			return nil, cannotObtain(s, "LocalTime", fields)
		}
		t = time.Date(1970, 1, 1, h, m, sec, n, time.UTC)
	case kindDateTime:
		if t, err = fields.In(time.UTC); err != nil {
			return nil, cannotObtain(s, "LocalDateTime", fields)
		}
	default:
		if t, err = fields.Zoned(); err != nil {
			return nil, throw("java.time.format.DateTimeParseException", "Text '%s' could not be parsed: %s", s, err.Error())
		}
	}
	return as(kind, t), nil
}

func cannotObtain(s, what string, f *java.Parsed) error {
	return throw("java.time.format.DateTimeParseException", "Text '%s' could not be parsed: Unable to obtain %s from TemporalAccessor: %s", s, what, f)
}

// amounts are the units of plus and minus.
var amounts = map[string]func(t time.Time, n int64) time.Time{
	"Years":   func(t time.Time, n int64) time.Time { return plusMonths(t, int(12*n)) },
	"Months":  func(t time.Time, n int64) time.Time { return plusMonths(t, int(n)) },
	"Weeks":   func(t time.Time, n int64) time.Time { return t.AddDate(0, 0, int(7*n)) },
	"Days":    func(t time.Time, n int64) time.Time { return t.AddDate(0, 0, int(n)) },
	"Hours":   func(t time.Time, n int64) time.Time { return t.Add(time.Duration(n) * time.Hour) },
	"Minutes": func(t time.Time, n int64) time.Time { return t.Add(time.Duration(n) * time.Minute) },
	"Seconds": func(t time.Time, n int64) time.Time { return java.Duration{Seconds: n}.After(t) },
	"Millis":  func(t time.Time, n int64) time.Time { return t.Add(time.Duration(n) * time.Millisecond) },
	"Nanos":   func(t time.Time, n int64) time.Time { return t.Add(time.Duration(n)) },
}

// unitOf names the amount of a ChronoUnit.
var unitOf = map[string]string{"YEARS": "Years", "MONTHS": "Months", "WEEKS": "Weeks", "DAYS": "Days", "HOURS": "Hours", "MINUTES": "Minutes",
	"SECONDS": "Seconds", "MILLIS": "Millis", "NANOS": "Nanos"}

func (x *temporal) plus(n int64, unit string) *temporal {
	t := amounts[unit](x.t, n)
	if x.kind == kindTime {
		return as(kindTime, t)
	}
	return &temporal{x.kind, t}
}

func initTemporal() {
	x := func(c *Call) *temporal { return c.Self.(*temporal) }
	m := Methods{
		"format": method(1, 1, func(c *Call) (Value, error) {
			f, ok := c.Args[0].(*formatter)
			if !ok {
				if !c.Run.isGroovy() {
					c.fail(0, "java.time.format.DateTimeFormatter")
					return nil, nil
				}
				p, err := java.ParsePattern(c.Str(0))
				if err != nil {
					return nil, throw("java.lang.IllegalArgumentException", "%s", err.Error())
				}
				f = &formatter{p: p, loc: java.JMeter}
			}
			return f.format(x(c))
		}),
		"isBefore":  method(1, 1, func(c *Call) (Value, error) { return x(c).t.Before(c.time(0)), nil }),
		"isAfter":   method(1, 1, func(c *Call) (Value, error) { return x(c).t.After(c.time(0)), nil }),
		"isEqual":   method(1, 1, func(c *Call) (Value, error) { return x(c).t.Equal(c.time(0)), nil }),
		"compareTo": method(1, 1, func(c *Call) (Value, error) { return int32(x(c).t.Compare(c.time(0))), nil }),
		"plus":      method(1, 2, func(c *Call) (Value, error) { return x(c).add(c, 1) }),
		"minus":     method(1, 2, func(c *Call) (Value, error) { return x(c).add(c, -1) }),
		"atStartOfDay": method(0, 1, func(c *Call) (Value, error) {
			if c.N() == 1 {
				t := x(c).t
				return &temporal{kindZoned, time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, c.zone(0))}, nil
			}
			return as(kindDateTime, x(c).t), nil
		}),
		"atZone": method(1, 1, func(c *Call) (Value, error) {
			t := x(c).t
			if x(c).kind == kindInstant {
				return &temporal{kindZoned, t.In(c.zone(0))}, nil
			}
			return &temporal{kindZoned, time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), c.zone(0))}, nil
		}),
		"withZoneSameInstant": method(1, 1, func(c *Call) (Value, error) { return &temporal{kindZoned, x(c).t.In(c.zone(0))}, nil }),
		"toLocalDate":         method(0, 0, func(c *Call) (Value, error) { return as(kindDate, x(c).t), nil }),
		"toLocalTime":         method(0, 0, func(c *Call) (Value, error) { return as(kindTime, x(c).t), nil }),
		"toLocalDateTime":     method(0, 0, func(c *Call) (Value, error) { return as(kindDateTime, x(c).t), nil }),
		"toOffsetDateTime":    method(0, 0, func(c *Call) (Value, error) { return as(kindOffsetDateTime, x(c).t), nil }),
		"toInstant":           method(0, 1, func(c *Call) (Value, error) { return as(kindInstant, x(c).t), nil }),
		"toEpochMilli":        method(0, 0, func(c *Call) (Value, error) { return x(c).t.UnixMilli(), nil }),
		"toEpochSecond":       method(0, 1, func(c *Call) (Value, error) { return x(c).t.Unix(), nil }),
		"getEpochSecond":      method(0, 0, func(c *Call) (Value, error) { return x(c).t.Unix(), nil }),
		"toEpochDay":          method(0, 0, func(c *Call) (Value, error) { return x(c).t.Unix() / 86400, nil }),
		"isLeapYear":          method(0, 0, func(c *Call) (Value, error) { y := x(c).t.Year(); return y%4 == 0 && (y%100 != 0 || y%400 == 0), nil }),
		"lengthOfMonth": method(0, 0, func(c *Call) (Value, error) {
			t := x(c).t
			return int32(time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()), nil
		}),
		"getDayOfWeek": method(0, 0, func(c *Call) (Value, error) {
			return dayOfWeekClass.Fields[strings.ToUpper(x(c).t.Weekday().String())], nil
		}),
		"getMonth": method(0, 0, func(c *Call) (Value, error) { return monthClass.Fields[strings.ToUpper(x(c).t.Month().String())], nil }),
		"getZone":  method(0, 0, func(c *Call) (Value, error) { return &zoneObject{x(c).t.Location(), zoneIDClass}, nil }),
		"getOffset": method(0, 0, func(c *Call) (Value, error) {
			_, off := x(c).t.Zone()
			return &zoneObject{java.OffsetZone(off), zoneOffset}, nil
		}),
		"truncatedTo": method(1, 1, func(c *Call) (Value, error) {
			u, ok := c.Args[0].(*enumValue)
			if !ok || u.unit == 0 || u.unit > 24*time.Hour {
				return nil, throw("java.time.temporal.UnsupportedTemporalTypeException", "Unit is too large to be used for truncation")
			}
			t := x(c).t
			day := time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second + time.Duration(t.Nanosecond())
			return &temporal{x(c).kind, t.Add(-(day % u.unit))}, nil
		}),
		"with": method(1, 1, func(c *Call) (Value, error) {
			if cl, ok := c.Args[0].(*Closure); ok {
				return cl.with(c.Self, true).Call(c.Run, c.Self)
			}
			if a, ok := c.Args[0].(adjuster); ok {
				return &temporal{x(c).kind, a(x(c).t)}, nil
			}
			return nil, throw("java.lang.UnsupportedOperationException", "%s.with", classOf(c.Self).Simple())
		}),
		"until": method(2, 2, func(c *Call) (Value, error) { return between(c.Args[1], x(c).t, c.time(0)) }),
	}
	for n, get := range map[string]func(t time.Time) int{
		"getYear": time.Time.Year, "getMonthValue": func(t time.Time) int { return int(t.Month()) }, "getDayOfMonth": time.Time.Day,
		"getDayOfYear": time.Time.YearDay, "getHour": time.Time.Hour, "getMinute": time.Time.Minute, "getSecond": time.Time.Second, "getNano": time.Time.Nanosecond,
	} {
		m[n] = method(0, 0, func(c *Call) (Value, error) { return int32(get(x(c).t)), nil })
	}
	for unit := range amounts {
		m["plus"+unit] = method(1, 1, func(c *Call) (Value, error) { return x(c).plus(c.Long(0), unit), c.Err() })
		m["minus"+unit] = method(1, 1, func(c *Call) (Value, error) { return x(c).plus(-c.Long(0), unit), c.Err() })
	}
	for n, part := range map[string]int{"withYear": 0, "withMonth": 1, "withDayOfMonth": 2, "withHour": 3, "withMinute": 4, "withSecond": 5, "withNano": 6} {
		m[n] = method(1, 1, func(c *Call) (Value, error) {
			t := x(c).t
			p := [7]int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond()}
			p[part] = c.Int(0)
			return checkedDate(x(c).kind, p, t.Location())
		})
	}
	temporalBase.Methods = m
	for kind, class := range temporalKinds {
		k := temporalKind(kind)
		class.Static = Methods{
			"now": method(0, 1, func(c *Call) (Value, error) {
				t := c.Run.now().In(time.Local)
				if c.N() == 1 {
					t = t.In(c.zone(0))
				}
				return as(k, t), nil
			}),
			"parse": method(1, 2, func(c *Call) (Value, error) {
				if c.N() == 1 {
					return parseTemporal(k, c.Str(0), nil)
				}
				f, ok := c.Args[1].(*formatter)
				s := c.Str(0)
				if !ok && c.Run.isGroovy() { // Groovy: text, pattern
					p, err := java.ParsePattern(c.Str(1))
					if err != nil {
						return nil, throw("java.lang.IllegalArgumentException", "%s", err.Error())
					}
					f, ok = &formatter{p: p, loc: java.JMeter}, true
				}
				if !ok {
					c.fail(1, "java.time.format.DateTimeFormatter")
					return nil, nil
				}
				return parseTemporal(k, s, f)
			}),
			"ofInstant": method(2, 2, func(c *Call) (Value, error) { return as(k, c.time(0).In(c.zone(1))), nil }),
		}
	}
	instantClass.Static["ofEpochMilli"] = method(1, 1, func(c *Call) (Value, error) { return as(kindInstant, time.UnixMilli(c.Long(0))), nil })
	instantClass.Static["ofEpochSecond"] = method(1, 2, func(c *Call) (Value, error) { return as(kindInstant, time.Unix(c.Long(0), 0)), nil })
	localDate.Static["ofEpochDay"] = method(1, 1, func(c *Call) (Value, error) { return as(kindDate, time.Unix(c.Long(0)*86400, 0).UTC()), nil })
	localDate.Static["of"] = dateParts(kindDate, 3, 3)
	localDateTime.Static["of"] = dateParts(kindDateTime, 2, 7)
	localTime.Static["of"] = method(2, 4, func(c *Call) (Value, error) {
		p := [7]int{1970, 1, 1}
		for i := range c.N() {
			p[3+i] = c.Int(i)
		}
		return checkedDate(kindTime, p, time.UTC)
	})
	zonedDateTime.Static["of"] = dateParts(kindZoned, 2, 8)
	offsetDateTime.Static["of"] = dateParts(kindOffsetDateTime, 2, 8)
	initDurations()
	initPeriods()
}

// checkedDate refuses parts out of range.
func checkedDate(kind temporalKind, p [7]int, loc *time.Location) (Value, error) {
	names := [...]string{"", "MonthOfYear (valid values 1 - 12)", "DayOfMonth (valid values 1 - 28/31)", "HourOfDay (valid values 0 - 23)",
		"MinuteOfHour (valid values 0 - 59)", "SecondOfMinute (valid values 0 - 59)", "NanoOfSecond (valid values 0 - 999999999)"}
	limits := [...][2]int{{}, {1, 12}, {1, 31}, {0, 23}, {0, 59}, {0, 59}, {0, 999999999}}
	for i := 1; i < 7; i++ {
		if p[i] < limits[i][0] || p[i] > limits[i][1] {
			return nil, throw("java.time.DateTimeException", "Invalid value for %s: %d", names[i], p[i])
		}
	}
	t := time.Date(p[0], time.Month(p[1]), p[2], p[3], p[4], p[5], p[6], loc)
	if t.Day() != p[2] && p[3] == t.Hour() {
		return nil, throw("java.time.DateTimeException", "Invalid date '%s %d'", strings.ToUpper(time.Month(p[1]).String()), p[2])
	}
	return &temporal{kind, t}, nil
}

// dateParts is of(year, month, day, ...), the last a zone for those that have one, or of(date, time).
func dateParts(kind temporalKind, least, most int) *Method {
	return method(least, most, func(c *Call) (Value, error) {
		args, loc := c.N(), time.UTC
		if kind == kindZoned || kind == kindOffsetDateTime {
			args--
			loc = c.zone(args)
		}
		if d, ok := c.Args[0].(*temporal); ok {
			t := d.t
			if args == 2 {
				clock := c.time(1)
				t = time.Date(t.Year(), t.Month(), t.Day(), clock.Hour(), clock.Minute(), clock.Second(), clock.Nanosecond(), loc)
			} else {
				t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), loc)
			}
			return &temporal{kind, t}, nil
		}
		p := [7]int{1970, 1, 1}
		for i := range min(args, 7) {
			if e, ok := c.Args[i].(*enumValue); ok {
				p[i] = e.ordinal + 1
				continue
			}
			p[i] = c.Int(i)
		}
		return checkedDate(kind, p, loc)
	})
}

// add is plus(n, unit), plus(duration), and of Groovy plus(n).
func (x *temporal) add(c *Call, sign int64) (Value, error) {
	if p, ok := c.Args[0].(*period); ok {
		t := plusMonths(x.t, int(sign)*(12*p.years+p.months)).AddDate(0, 0, int(sign)*p.days)
		return &temporal{x.kind, t}, nil
	}
	if d, ok := c.Args[0].(*durationValue); ok {
		s, n := d.d.Seconds*sign, int64(d.d.Nanos)*sign
		return &temporal{x.kind, x.t.Add(time.Duration(s)*time.Second + time.Duration(n))}, nil
	}
	if o, ok := c.Args[0].(*temporal); ok && sign < 0 { // Groovy: the days between
		return int64(math.Floor(x.t.Sub(o.t).Hours() / 24)), nil
	}
	unit := "Days"
	if x.kind != kindDate {
		unit = "Seconds"
	}
	if c.N() == 2 {
		e, ok := c.Args[1].(*enumValue)
		if !ok || unitOf[e.name] == "" {
			c.fail(1, "java.time.temporal.TemporalUnit")
			return nil, nil
		}
		unit = unitOf[e.name]
	}
	return x.plus(sign*c.Long(0), unit), nil
}

func (adjuster) JavaClass() *Class { return adjusters }

// between counts whole units from one time to another.
func between(unit Value, a, b time.Time) (Value, error) {
	e, ok := unit.(*enumValue)
	if !ok {
		return nil, throw("java.lang.IllegalArgumentException", "%s is no unit", javaString(unit))
	}
	if e.unit != 0 {
		return int64(b.Sub(a) / e.unit), nil
	}
	months := int64(b.Year()-a.Year())*12 + int64(b.Month()-a.Month())
	if months > 0 && plusMonths(a, int(months)).After(b) {
		months--
	} else if months < 0 && plusMonths(a, int(months)).Before(b) {
		months++
	}
	if e.name == "YEARS" {
		return months / 12, nil
	}
	return months, nil
}

func (f *formatter) format(x *temporal) (Value, error) {
	t := x.t
	if f.zone != nil {
		t = t.In(f.zone)
	}
	return string(f.p.Append(nil, t, f.loc)), nil
}
