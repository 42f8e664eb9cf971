package script

import (
	"strconv"
	"time"

	"github.com/gojm/gojm/engine/java"
)

// durationValue is a java.time.Duration.
type durationValue struct{ d java.Duration }

func (*durationValue) JavaClass() *Class { return durationClass }
func (d *durationValue) String() string  { return d.d.String() }

// Equal compares lengths.
func (d *durationValue) Equal(v Value) bool {
	o, ok := v.(*durationValue)
	return ok && d.d == o.d
}

// adjuster is a TemporalAdjuster.
type adjuster func(t time.Time) time.Time

// period is a java.time.Period.
type period struct{ years, months, days int }

func (*period) JavaClass() *Class { return periodClass }

// String is P10M3D.
func (p *period) String() string {
	s := "P"
	for _, part := range []struct {
		n int
		c string
	}{{p.years, "Y"}, {p.months, "M"}, {p.days, "D"}} {
		if part.n != 0 {
			s += strconv.Itoa(part.n) + part.c
		}
	}
	if s == "P" {
		return "P0D"
	}
	return s
}

// month is a Year or a YearMonth.
type month struct {
	t     time.Time
	class *Class
}

func (m *month) JavaClass() *Class { return m.class }
func (m *month) String() string {
	if m.class == yearClass {
		return formatted("u", m.t)
	}
	return formatted("uuuu-MM", m.t)
}

func initPeriods() {
	day := func(n int) func(t time.Time) time.Time {
		return func(t time.Time) time.Time { return t.AddDate(0, 0, n-t.Day()) }
	}
	adjusters.Static = Methods{}
	for n, a := range map[string]adjuster{
		"firstDayOfMonth": day(1), "lastDayOfMonth": func(t time.Time) time.Time { return plusMonths(day(1)(t), 1).AddDate(0, 0, -1) },
		"firstDayOfNextMonth": func(t time.Time) time.Time { return plusMonths(day(1)(t), 1) },
		"firstDayOfYear":      func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.YearDay()) },
		"lastDayOfYear":       func(t time.Time) time.Time { return t.AddDate(0, 0, 1-t.YearDay()).AddDate(1, 0, -1) },
	} {
		adjusters.Static[n] = method(0, 0, func(c *Call) (Value, error) { return a, nil })
	}
	for n, step := range map[string]int{"next": 1, "previous": -1} {
		adjusters.Static[n] = method(1, 1, func(c *Call) (Value, error) {
			d, ok := c.Args[0].(*enumValue)
			if !ok {
				c.fail(0, "java.time.DayOfWeek")
				return nil, nil
			}
			return adjuster(func(t time.Time) time.Time {
				for t = t.AddDate(0, 0, step); (int(t.Weekday())+6)%7 != d.ordinal; t = t.AddDate(0, 0, step) {
				}
				return t
			}), nil
		})
	}
	periodClass.Static = Methods{
		"between": method(2, 2, func(c *Call) (Value, error) {
			a, b := c.time(0), c.time(1)
			v, err := between(chronoUnit.Fields["MONTHS"], a, b)
			if err != nil {
				return nil, err
			}
			n := int(v.(int64))
			days := int(b.Sub(plusMonths(a, n)).Hours() / 24)
			return &period{n / 12, n % 12, days}, nil
		}),
	}
	for i, n := range []string{"ofYears", "ofMonths", "ofDays"} {
		periodClass.Static[n] = method(1, 1, func(c *Call) (Value, error) {
			p := [3]int{}
			p[i] = c.Int(0)
			return &period{p[0], p[1], p[2]}, nil
		})
	}
	part := func(get func(p *period) int) *Method {
		return method(0, 0, func(c *Call) (Value, error) { return int32(get(c.Self.(*period))), nil })
	}
	periodClass.Methods = Methods{"getYears": part(func(p *period) int { return p.years }), "getMonths": part(func(p *period) int { return p.months }),
		"getDays": part(func(p *period) int { return p.days })}
	now := func(class *Class) *Method {
		return method(0, 0, func(c *Call) (Value, error) { return &month{c.Run.now().In(time.Local), class}, nil })
	}
	yearClass.Static = Methods{"now": now(yearClass), "of": method(1, 1, func(c *Call) (Value, error) {
		return &month{time.Date(c.Int(0), 1, 1, 0, 0, 0, 0, time.UTC), yearClass}, nil
	})}
	yearMonthClass.Static = Methods{"now": now(yearMonthClass), "of": method(2, 2, func(c *Call) (Value, error) {
		v, err := checkedDate(kindDate, [7]int{c.Int(0), c.Int(1), 1}, time.UTC)
		if err != nil {
			return nil, err
		}
		return &month{v.(*temporal).t, yearMonthClass}, nil
	})}
	m := func(c *Call) time.Time { return c.Self.(*month).t }
	yearClass.Methods = Methods{
		"isLeap":   method(0, 0, func(c *Call) (Value, error) { y := m(c).Year(); return y%4 == 0 && (y%100 != 0 || y%400 == 0), nil }),
		"getValue": method(0, 0, func(c *Call) (Value, error) { return int32(m(c).Year()), nil }),
	}
	yearMonthClass.Methods = Methods{
		"atDay": method(1, 1, func(c *Call) (Value, error) {
			return checkedDate(kindDate, [7]int{m(c).Year(), int(m(c).Month()), c.Int(0)}, time.UTC)
		}),
		"atEndOfMonth":  method(0, 0, func(c *Call) (Value, error) { return as(kindDate, plusMonths(day(1)(m(c)), 1).AddDate(0, 0, -1)), nil }),
		"lengthOfMonth": method(0, 0, func(c *Call) (Value, error) { return int32(plusMonths(day(1)(m(c)), 1).AddDate(0, 0, -1).Day()), nil }),
		"getYear":       method(0, 0, func(c *Call) (Value, error) { return int32(m(c).Year()), nil }),
		"getMonthValue": method(0, 0, func(c *Call) (Value, error) { return int32(m(c).Month()), nil }),
	}
}

// initDurations fills Duration, ZoneId, DateTimeFormatter and the enums.
func initDurations() {
	for i, e := range defineEnum(chronoUnit, "NANOS", "MICROS", "MILLIS", "SECONDS", "MINUTES", "HOURS", "HALF_DAYS", "DAYS", "WEEKS", "MONTHS", "YEARS") {
		e.unit = [...]time.Duration{1, 1e3, 1e6, 1e9, 60e9, 3600e9, 12 * 3600e9, 24 * 3600e9, 7 * 24 * 3600e9, 0, 0}[i]
	}
	chronoUnit.Methods["between"] = method(2, 2, func(c *Call) (Value, error) { return between(c.Self, c.time(0), c.time(1)) })
	days := []string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"}
	cycle := func(class *Class, names []string) {
		all := defineEnum(class, names...)
		turn := func(sign int) *Method {
			return method(1, 1, func(c *Call) (Value, error) {
				n := len(all)
				return all[((c.Self.(*enumValue).ordinal+sign*c.Int(0))%n+n)%n], nil
			})
		}
		class.Methods["plus"], class.Methods["minus"] = turn(1), turn(-1)
		class.Methods["getValue"] = method(0, 0, func(c *Call) (Value, error) { return int32(c.Self.(*enumValue).ordinal + 1), nil })
	}
	cycle(dayOfWeekClass, days)
	cycle(monthClass, []string{"JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER"})
	zoneIDClass.Static = Methods{
		"of": method(1, 1, func(c *Call) (Value, error) {
			id := c.Str(0)
			if p, err := java.ParsePattern("VV"); err == nil {
				if f, err := p.Parse(id, java.JMeter); err == nil && f.Location() != nil {
					return &zoneObject{f.Location(), zoneIDClass}, nil
				}
			}
			return nil, throw("java.time.zone.ZoneRulesException", "Unknown time-zone ID: %s", id)
		}),
		"systemDefault": method(0, 0, func(c *Call) (Value, error) { return &zoneObject{time.Local, zoneIDClass}, nil }),
	}
	zoneIDClass.Methods = Methods{"getId": method(0, 0, func(c *Call) (Value, error) { return c.Self.(*zoneObject).String(), nil })}
	zoneOffset.Fields = map[string]Value{"UTC": &zoneObject{java.OffsetZone(0), zoneOffset}}
	zoneOffset.Static = Methods{
		"of":      zoneIDClass.Static["of"],
		"ofHours": method(1, 1, func(c *Call) (Value, error) { return &zoneObject{java.OffsetZone(c.Int(0) * 3600), zoneOffset}, nil }),
	}
	formatterClass.Static = Methods{"ofPattern": method(1, 2, func(c *Call) (Value, error) {
		p, err := java.ParsePattern(c.Str(0))
		if err != nil {
			return nil, throw("java.lang.IllegalArgumentException", "%s", err.Error())
		}
		return &formatter{p: p, loc: c.locale(1)}, nil
	})}
	formatterClass.Fields = map[string]Value{}
	for n, pattern := range map[string]string{"ISO_LOCAL_DATE": "uuuu-MM-dd", "ISO_DATE": "uuuu-MM-dd[XXX]", "BASIC_ISO_DATE": "uuuuMMdd", "ISO_LOCAL_TIME": "HH:mm:ss",
		"ISO_LOCAL_DATE_TIME": "uuuu-MM-dd'T'HH:mm:ss", "ISO_OFFSET_DATE_TIME": "uuuu-MM-dd'T'HH:mm:ssXXX", "RFC_1123_DATE_TIME": "EEE, d MMM yyyy HH:mm:ss z"} {
		if p, err := java.ParsePattern(pattern); err == nil {
			formatterClass.Fields[n] = &formatter{p: p, loc: java.JMeter}
		}
	}
	f := func(c *Call) *formatter { return c.Self.(*formatter) }
	formatterClass.Methods = Methods{
		"format": method(1, 1, func(c *Call) (Value, error) {
			t, ok := c.Args[0].(*temporal)
			if !ok {
				c.fail(0, "java.time.temporal.TemporalAccessor")
				return nil, nil
			}
			return f(c).format(t)
		}),
		"withZone":   method(1, 1, func(c *Call) (Value, error) { return &formatter{f(c).p, f(c).loc, c.zone(0)}, nil }),
		"withLocale": method(1, 1, func(c *Call) (Value, error) { return &formatter{f(c).p, c.locale(0), f(c).zone}, nil }),
	}
	durationClass.Static = Methods{
		"parse": method(1, 1, func(c *Call) (Value, error) {
			d, err := java.ParseDuration(c.Str(0))
			return &durationValue{d}, err
		}),
		"between": method(2, 2, func(c *Call) (Value, error) { return &durationValue{java.DurationOf(c.time(1).Sub(c.time(0)))}, nil }),
	}
	for n, unit := range map[string]time.Duration{"ofDays": 24 * time.Hour, "ofHours": time.Hour, "ofMinutes": time.Minute, "ofSeconds": time.Second, "ofMillis": time.Millisecond} {
		durationClass.Static[n] = method(1, 1, func(c *Call) (Value, error) {
			return &durationValue{java.DurationOf(time.Duration(c.Long(0)) * unit)}, nil
		})
	}
	durationClass.Methods = Methods{}
	total := func(c *Call) time.Duration {
		d := c.Self.(*durationValue).d
		return time.Duration(d.Seconds)*time.Second + time.Duration(d.Nanos)
	}
	for n, unit := range map[string]time.Duration{"toDays": 24 * time.Hour, "toHours": time.Hour, "toMinutes": time.Minute, "toSeconds": time.Second, "getSeconds": time.Second, "toMillis": time.Millisecond, "toNanos": 1} {
		durationClass.Methods[n] = method(0, 0, func(c *Call) (Value, error) { return int64(total(c) / unit), nil })
	}
}
