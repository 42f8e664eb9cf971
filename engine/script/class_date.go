package script

import (
	"strings"
	"time"

	"github.com/gojm/gojm/engine/java"
)

// Date is java.util.Date.
type Date struct{ T time.Time }

var (
	dateClass     = NewClass("java.util.Date", objectClass, "java.lang.Comparable")
	sqlTimestamp  = NewClass("java.sql.Timestamp", dateClass)
	calendarClass = NewClass("java.util.Calendar", objectClass)
	gregorian     = NewClass("java.util.GregorianCalendar", calendarClass)
	timeZoneClass = NewClass("java.util.TimeZone", objectClass)
	simpleFormat  = NewClass("java.text.SimpleDateFormat", objectClass, "java.text.DateFormat")
	decimalFormat = NewClass("java.text.DecimalFormat", objectClass, "java.text.NumberFormat")
)

// JavaClass is Date.
func (*Date) JavaClass() *Class { return dateClass }

// dateText is the pattern of Date.toString.
var dateText = mustSimple("EEE MMM dd HH:mm:ss zzz yyyy")

func mustSimple(s string) *java.SimplePattern {
	p, err := java.ParseSimplePattern(s)
	if err != nil {
		panic(err)
	}
	return p
}

func (d *Date) String() string {
	return string(dateText.Append(nil, d.T.In(time.Local), java.Locale{Language: "en", Country: "US"}))
}

// Equal compares milliseconds.
func (d *Date) Equal(v Value) bool {
	o, ok := v.(*Date)
	return ok && d.T.UnixMilli() == o.T.UnixMilli()
}

// HashCode folds the milliseconds.
func (d *Date) HashCode() int32 { return hashCode(d.T.UnixMilli()) }

// CompareTo orders by time.
func (d *Date) CompareTo(v Value) (int, bool) {
	o, ok := v.(*Date)
	if !ok {
		return 0, false
	}
	return compareNumbers(d.T.UnixMilli(), o.T.UnixMilli()), true
}

// Next is the date n days on, for ranges.
func (d *Date) Next(n int) Value { return &Date{d.T.AddDate(0, 0, n)} }

// zoneObject is a TimeZone or ZoneId.
type zoneObject struct {
	loc   *time.Location
	class *Class
}

func (z *zoneObject) JavaClass() *Class { return z.class }
func (z *zoneObject) String() string    { return java.ZoneID(z.loc) }

// Equal compares names.
func (z *zoneObject) Equal(v Value) bool {
	o, ok := v.(*zoneObject)
	return ok && z.String() == o.String()
}

// dateFormat is a SimpleDateFormat.
type dateFormat struct {
	p       *java.SimplePattern
	loc     java.Locale
	zone    *time.Location
	lenient bool
}

func (*dateFormat) JavaClass() *Class { return simpleFormat }

// calendar is a Calendar.
type calendar struct{ t time.Time }

func (*calendar) JavaClass() *Class { return gregorian }

type numberFormat struct{ f *java.DecimalFormat }

func (*numberFormat) JavaClass() *Class { return decimalFormat }

// dateOf is an argument as an instant: a Date, Calendar, or milliseconds.
func (c *Call) time(i int) time.Time {
	switch x := c.Args[i].(type) {
	case *Date:
		return x.T
	case *calendar:
		return x.t
	case *temporal:
		return x.t
	}
	return time.UnixMilli(c.Long(i))
}

// locale is an argument that is a Locale, else JMeter's.
func (c *Call) locale(i int) java.Locale {
	if i < c.N() {
		if l, ok := c.Args[i].(*localeObject); ok {
			return l.l
		}
	}
	return java.JMeter
}

// zone is an argument that is a TimeZone or ZoneId, or the name of one.
func (c *Call) zone(i int) *time.Location {
	switch x := c.Args[i].(type) {
	case *zoneObject:
		return x.loc
	case string:
		if l, err := time.LoadLocation(x); err == nil && x != "" {
			return l
		}
		return time.UTC
	}
	c.fail(i, "java.util.TimeZone")
	return time.UTC
}

// gmtZone reads names of zones as TimeZone.getTimeZone does: GMT for what it does not know.
func gmtZone(id string) *time.Location {
	if rest, ok := strings.CutPrefix(id, "GMT"); ok && rest != "" {
		if p, err := java.ParsePattern("O"); err == nil {
			if f, err := p.Parse(id, java.JMeter); err == nil {
				return f.Location()
			}
		}
		if t, err := time.Parse("-0700", rest); err == nil {
			_, off := t.Zone()
			return java.OffsetZone(off)
		}
		return time.FixedZone("GMT", 0)
	}
	if l, err := time.LoadLocation(id); err == nil && id != "" {
		return l
	}
	if id == "EST" || id == "MST" || id == "HST" {
		return map[string]*time.Location{"EST": time.FixedZone("EST", -5*3600), "MST": time.FixedZone("MST", -7*3600), "HST": time.FixedZone("HST", -10*3600)}[id]
	}
	return time.FixedZone("GMT", 0)
}

func initDate() {
	dateClass.New = method(0, 6, func(c *Call) (Value, error) {
		switch c.N() {
		case 0:
			return &Date{c.Run.now()}, nil
		case 1:
			return &Date{c.time(0)}, nil
		}
		if c.N() < 3 {
			return nil, throw("groovy.lang.GroovyRuntimeException", "Could not find matching constructor for: java.util.Date(%s)", argTypes(c.Args))
		}
		n := [6]int{}
		for i := range c.N() {
			n[i] = c.Int(i)
		}
		return &Date{time.Date(n[0]+1900, time.Month(n[1]+1), n[2], n[3], n[4], n[5], 0, time.Local)}, nil
	})
	sqlTimestamp.New = method(1, 1, func(c *Call) (Value, error) { return &Date{c.time(0)}, nil })
	d := func(c *Call) time.Time { return c.Self.(*Date).T.In(time.Local) }
	part := func(get func(t time.Time) int) *Method {
		return method(0, 0, func(c *Call) (Value, error) { return int32(get(d(c))), nil })
	}
	dateClass.Methods = Methods{
		"getTime": method(0, 0, func(c *Call) (Value, error) { return d(c).UnixMilli(), nil }),
		"setTime": method(1, 1, func(c *Call) (Value, error) { c.Self.(*Date).T = time.UnixMilli(c.Long(0)); return nil, nil }),
		"before":  method(1, 1, func(c *Call) (Value, error) { return d(c).Before(c.time(0)), nil }),
		"after":   method(1, 1, func(c *Call) (Value, error) { return d(c).After(c.time(0)), nil }),
		"compareTo": method(1, 1, func(c *Call) (Value, error) {
			return int32(compareNumbers(d(c).UnixMilli(), c.time(0).UnixMilli())), nil
		}),
		"toInstant":  method(0, 0, func(c *Call) (Value, error) { return &temporal{kindInstant, d(c).UTC()}, nil }),
		"getYear":    part(func(t time.Time) int { return t.Year() - 1900 }),
		"getMonth":   part(func(t time.Time) int { return int(t.Month()) - 1 }),
		"getDate":    part(time.Time.Day),
		"getDay":     part(func(t time.Time) int { return int(t.Weekday()) }),
		"getHours":   part(time.Time.Hour),
		"getMinutes": part(time.Time.Minute),
		"getSeconds": part(time.Time.Second),
		"clone":      method(0, 0, func(c *Call) (Value, error) { return &Date{d(c)}, nil }),
	}
	days := func(sign int) *Method {
		return method(1, 1, func(c *Call) (Value, error) {
			if o, ok := c.Args[0].(*Date); ok && sign < 0 { // the days between two dates
				a, b := d(c), o.T.In(time.Local)
				day := func(t time.Time) int64 {
					return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400
				}
				return int32(day(a) - day(b)), nil
			}
			return &Date{d(c).AddDate(0, 0, sign*c.Int(0))}, nil
		})
	}
	dateClass.Groovy = Methods{
		"format": method(1, 2, func(c *Call) (Value, error) {
			p, err := java.ParseSimplePattern(c.Str(0))
			if err != nil {
				return nil, err
			}
			t := d(c)
			if c.N() == 2 {
				t = t.In(c.zone(1))
			}
			return string(p.Append(nil, t, java.JMeter)), nil
		}),
		"plus": days(1), "minus": days(-1),
		"next":     method(0, 0, func(c *Call) (Value, error) { return &Date{d(c).AddDate(0, 0, 1)}, nil }),
		"previous": method(0, 0, func(c *Call) (Value, error) { return &Date{d(c).AddDate(0, 0, -1)}, nil }),
		"clearTime": method(0, 0, func(c *Call) (Value, error) {
			t := d(c)
			c.Self.(*Date).T = time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.Local)
			return c.Self, nil
		}),
		"toCalendar": method(0, 0, func(c *Call) (Value, error) { return &calendar{d(c)}, nil }),
	}
	dateClass.Static = Methods{"parse": method(2, 3, func(c *Call) (Value, error) {
		p, err := java.ParseSimplePattern(c.Str(0))
		if err != nil {
			return nil, err
		}
		t, err := p.Parse(c.Str(1), java.JMeter, time.Local)
		return &Date{t}, err
	})}
	initCalendar()
	timeZoneClass.Static = Methods{
		"getTimeZone": method(1, 1, func(c *Call) (Value, error) {
			if z, ok := c.Args[0].(*zoneObject); ok {
				return &zoneObject{z.loc, timeZoneClass}, nil
			}
			return &zoneObject{gmtZone(c.Str(0)), timeZoneClass}, nil
		}),
		"getDefault": method(0, 0, func(c *Call) (Value, error) { return &zoneObject{time.Local, timeZoneClass}, nil }),
		"setDefault": method(1, 1, func(c *Call) (Value, error) {
			return nil, throw("java.lang.UnsupportedOperationException", "TimeZone.setDefault")
		}),
	}
	timeZoneClass.Methods = Methods{
		"getID":    method(0, 0, func(c *Call) (Value, error) { return c.Self.(*zoneObject).String(), nil }),
		"toZoneId": method(0, 0, func(c *Call) (Value, error) { return &zoneObject{c.Self.(*zoneObject).loc, zoneIDClass}, nil }),
		"getRawOffset": method(0, 0, func(c *Call) (Value, error) {
			_, off := time.Date(2024, 1, 1, 0, 0, 0, 0, c.Self.(*zoneObject).loc).Zone()
			return int32(off * 1000), nil
		}),
	}
	initFormats()
	initTemporal()
}

func initFormats() {
	simpleFormat.New = method(0, 2, func(c *Call) (Value, error) {
		pattern := "M/d/yy, h:mm a"
		if c.N() > 0 {
			pattern = c.Str(0)
		}
		p, err := java.ParseSimplePattern(pattern)
		if err != nil {
			return nil, err
		}
		return &dateFormat{p: p, loc: c.locale(1), zone: time.Local, lenient: true}, nil
	})
	f := func(c *Call) *dateFormat { return c.Self.(*dateFormat) }
	simpleFormat.Methods = Methods{
		"format": method(1, 1, func(c *Call) (Value, error) {
			return string(f(c).p.Append(nil, c.time(0).In(f(c).zone), f(c).loc)), nil
		}),
		"parse": method(1, 1, func(c *Call) (Value, error) {
			t, err := f(c).p.Parse(c.Str(0), f(c).loc, f(c).zone)
			if err != nil {
				return nil, err
			}
			if !f(c).lenient && string(f(c).p.Append(nil, t.In(f(c).zone), f(c).loc)) != c.Str(0) {
				return nil, throw("java.text.ParseException", "Unparseable date: \"%s\"", c.Str(0))
			}
			return &Date{t}, nil
		}),
		"setTimeZone": method(1, 1, func(c *Call) (Value, error) { f(c).zone = c.zone(0); return nil, nil }),
		"getTimeZone": method(0, 0, func(c *Call) (Value, error) { return &zoneObject{f(c).zone, timeZoneClass}, nil }),
		"setLenient":  method(1, 1, func(c *Call) (Value, error) { f(c).lenient = c.Bool(0); return nil, nil }),
		"toPattern":   method(0, 0, func(c *Call) (Value, error) { return f(c).p.String(), nil }),
		"applyPattern": method(1, 1, func(c *Call) (Value, error) {
			p, err := java.ParseSimplePattern(c.Str(0))
			if err == nil {
				f(c).p = p
			}
			return nil, err
		}),
	}
	decimalFormat.New = method(1, 2, func(c *Call) (Value, error) {
		p, err := java.ParseDecimalFormat(c.Str(0))
		if err != nil {
			return nil, err
		}
		return &numberFormat{p}, nil
	})
	decimalFormat.Methods = Methods{"format": method(1, 1, func(c *Call) (Value, error) {
		p := c.Self.(*numberFormat).f
		if isFloat(c.Args[0]) {
			return p.FormatDouble(c.Double(0)), nil
		}
		return p.FormatDecimal(c.decimal(0)), nil
	})}
}

// Calendar's fields by number.
const (
	calYear, calMonth, calWeekOfYear, calDate, calDayOfYear, calDayOfWeek = 1, 2, 3, 5, 6, 7
	calAmPm, calHour, calHourOfDay, calMinute, calSecond, calMilli        = 9, 10, 11, 12, 13, 14
)

func initCalendar() {
	calendarClass.Fields = map[string]Value{}
	for n, i := range map[string]int32{"YEAR": 1, "MONTH": 2, "WEEK_OF_YEAR": 3, "DATE": 5, "DAY_OF_MONTH": 5, "DAY_OF_YEAR": 6, "DAY_OF_WEEK": 7,
		"AM_PM": 9, "HOUR": 10, "HOUR_OF_DAY": 11, "MINUTE": 12, "SECOND": 13, "MILLISECOND": 14,
		"SUNDAY": 1, "MONDAY": 2, "TUESDAY": 3, "WEDNESDAY": 4, "THURSDAY": 5, "FRIDAY": 6, "SATURDAY": 7,
		"JANUARY": 0, "FEBRUARY": 1, "MARCH": 2, "APRIL": 3, "MAY": 4, "JUNE": 5, "JULY": 6, "AUGUST": 7, "SEPTEMBER": 8, "OCTOBER": 9, "NOVEMBER": 10, "DECEMBER": 11} {
		calendarClass.Fields[n] = i
	}
	now := method(0, 2, func(c *Call) (Value, error) {
		t := c.Run.now().In(time.Local)
		if c.N() > 0 {
			if z, ok := c.Args[0].(*zoneObject); ok {
				t = t.In(z.loc)
			}
		}
		return &calendar{t}, nil
	})
	calendarClass.Static, gregorian.New = Methods{"getInstance": now}, now
	cal := func(c *Call) *calendar { return c.Self.(*calendar) }
	calendarClass.Methods = Methods{
		"getTime":         method(0, 0, func(c *Call) (Value, error) { return &Date{cal(c).t}, nil }),
		"getTimeInMillis": method(0, 0, func(c *Call) (Value, error) { return cal(c).t.UnixMilli(), nil }),
		"setTime":         method(1, 1, func(c *Call) (Value, error) { cal(c).t = c.time(0).In(cal(c).t.Location()); return nil, nil }),
		"setTimeInMillis": method(1, 1, func(c *Call) (Value, error) { cal(c).t = c.time(0).In(cal(c).t.Location()); return nil, nil }),
		"setTimeZone":     method(1, 1, func(c *Call) (Value, error) { cal(c).t = cal(c).t.In(c.zone(0)); return nil, nil }),
		"toInstant":       method(0, 0, func(c *Call) (Value, error) { return &temporal{kindInstant, cal(c).t.UTC()}, nil }),
		"add":             method(2, 2, func(c *Call) (Value, error) { return nil, cal(c).add(c.Int(0), c.Int(1)) }),
		"roll":            method(2, 2, func(c *Call) (Value, error) { return nil, cal(c).add(c.Int(0), c.Int(1)) }),
		"get":             method(1, 1, func(c *Call) (Value, error) { return cal(c).get(c.Int(0)) }),
		"getActualMaximum": method(1, 1, func(c *Call) (Value, error) {
			t := cal(c).t
			if c.Int(0) == calDate {
				return int32(time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()), nil
			}
			return nil, throw("java.lang.UnsupportedOperationException", "getActualMaximum(%d)", c.Int(0))
		}),
		"set": method(2, 6, func(c *Call) (Value, error) {
			if c.N() == 2 {
				return nil, cal(c).set(c.Int(0), c.Int(1))
			}
			for i, field := range []int{calYear, calMonth, calDate, calHourOfDay, calMinute, calSecond}[:c.N()] {
				if err := cal(c).set(field, c.Int(i)); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}),
		"before": method(1, 1, func(c *Call) (Value, error) { return cal(c).t.Before(c.time(0)), nil }),
		"after":  method(1, 1, func(c *Call) (Value, error) { return cal(c).t.After(c.time(0)), nil }),
		"clone":  method(0, 0, func(c *Call) (Value, error) { return &calendar{cal(c).t}, nil }),
	}
	calendarClass.Groovy = Methods{
		"format": method(1, 1, func(c *Call) (Value, error) {
			p, err := java.ParseSimplePattern(c.Str(0))
			if err != nil {
				return nil, err
			}
			return string(p.Append(nil, cal(c).t, java.JMeter)), nil
		}),
	}
}

// plusMonths keeps the day within the month, as Java does.
func plusMonths(t time.Time, n int) time.Time {
	y, m, d := t.Date()
	first := time.Date(y, m+time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), t.Location())
	last := time.Date(first.Year(), first.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return first.AddDate(0, 0, min(d, last)-1)
}

func (k *calendar) add(field, n int) error {
	switch field {
	case calYear:
		k.t = plusMonths(k.t, 12*n)
	case calMonth:
		k.t = plusMonths(k.t, n)
	case calWeekOfYear, 4:
		k.t = k.t.AddDate(0, 0, 7*n)
	case calDate, calDayOfYear, calDayOfWeek:
		k.t = k.t.AddDate(0, 0, n)
	case calHour, calHourOfDay:
		k.t = k.t.Add(time.Duration(n) * time.Hour)
	case calMinute:
		k.t = k.t.Add(time.Duration(n) * time.Minute)
	case calSecond:
		k.t = k.t.Add(time.Duration(n) * time.Second)
	case calMilli:
		k.t = k.t.Add(time.Duration(n) * time.Millisecond)
	default:
		return throw("java.lang.IllegalArgumentException", "field %d", field)
	}
	return nil
}

func (k *calendar) get(field int) (Value, error) {
	t := k.t
	n := 0
	switch field {
	case calYear:
		n = t.Year()
	case calMonth:
		n = int(t.Month()) - 1
	case calDate:
		n = t.Day()
	case calDayOfYear:
		n = t.YearDay()
	case calDayOfWeek:
		n = int(t.Weekday()) + 1
	case calAmPm:
		n = t.Hour() / 12
	case calHour:
		n = t.Hour() % 12
	case calHourOfDay:
		n = t.Hour()
	case calMinute:
		n = t.Minute()
	case calSecond:
		n = t.Second()
	case calMilli:
		n = t.Nanosecond() / 1e6
	default:
		return nil, throw("java.lang.UnsupportedOperationException", "Calendar.get(%d)", field)
	}
	return int32(n), nil
}

func (k *calendar) set(field, n int) error {
	t := k.t
	y, m, d := t.Date()
	h, mi, s, ms := t.Hour(), t.Minute(), t.Second(), t.Nanosecond()/1e6
	switch field {
	case calYear:
		y = n
	case calMonth:
		m = time.Month(n + 1)
	case calDate:
		d = n
	case calDayOfYear:
		m, d = 1, n
	case calHourOfDay:
		h = n
	case calHour:
		h = h/12*12 + n
	case calAmPm:
		h = h%12 + 12*n
	case calMinute:
		mi = n
	case calSecond:
		s = n
	case calMilli:
		ms = n
	case calDayOfWeek:
		d += n - int(t.Weekday()) - 1
	default:
		return throw("java.lang.UnsupportedOperationException", "Calendar.set(%d)", field)
	}
	k.t = time.Date(y, m, d, h, mi, s, ms*1e6, t.Location())
	return nil
}
