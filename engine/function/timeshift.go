package function

import (
	"strconv"
	"sync"
	"time"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__timeShift", Title: "a date, moved by a duration", Args: "pattern, date, shift, locale?, var",
		Min: 4, Max: 5, Compile: compileTimeShift,
	})
}

// locale is JMeter's own locale: the property language, else that of its launcher.
func locale(c *expr.Call) java.Locale {
	if name, ok := c.Engine.Run.Props.LookupOwn("language"); ok {
		if l, err := java.ParseLocale(java.Trim(name)); err == nil {
			return l
		}
	}
	return java.JMeter
}

// timeShift is one occurrence of the function. Pattern, locale and variable are
// evaluated while the plan is compiled and never again, as in JMeter.
type timeShift struct {
	pattern     *java.Pattern // nil: both ends are epoch ms
	locale      java.Locale
	date, shift expr.Text
	variable    target
	// defaults are those of the moment of the first use.
	defaults func() []java.Default
}

func compileTimeShift(c *expr.Call) (expr.Eval, error) {
	s := &timeShift{date: c.Arg(1), shift: c.Arg(2), locale: locale(c), defaults: sync.OnceValue(dateDefaults)}
	now := func(i int) string { return java.Trim(c.Arg(i).Eval(c.Engine)) }
	format := now(0)
	if len(c.Args) == 5 {
		if name := now(3); name != "" {
			l, err := java.ParseLocale(name)
			if err != nil {
				return nil, err
			}
			s.locale = l
		}
	}
	s.variable = constTarget(c, now(len(c.Args)-1), trimmed)
	if format != "" {
		var err error
		if s.pattern, err = java.ParsePattern(format); err != nil {
			return func(dst []byte, t *vu.Thread) []byte {
				errorf(t, "TimeShift", "Format date pattern '%s' is invalid: %v", format, err)
				return dst
			}, nil
		}
	}
	return s.eval, nil
}

// dateDefaults are the parts of a date that a pattern need not have.
func dateDefaults() []java.Default {
	now := time.Now()
	_, offset := now.Zone()
	return []java.Default{
		{Field: java.NanoOfSecond}, {Field: java.MilliOfSecond}, {Field: java.SecondOfMinute},
		{Field: java.MinuteOfHour}, {Field: java.HourOfDay},
		{Field: java.DayOfMonth, Value: 1}, {Field: java.MonthOfYear, Value: 1},
		{Field: java.YearOfEra, Value: int64(now.Year())}, {Field: java.OffsetSeconds, Value: int64(offset)},
	}
}

func (s *timeShift) eval(dst []byte, t *vu.Thread) []byte {
	shift := java.Trim(s.shift.Eval(t))
	when := s.start(t, java.Trim(s.date.Eval(t)))
	if shift != "" {
		if d, err := java.ParseDuration(shift); err == nil {
			when = d.After(when)
		} else {
			errorf(t, "TimeShift", "Failed to parse the amount duration '%s' to shift: %v", shift, err)
		}
	}
	from := len(dst)
	if s.pattern != nil {
		dst = s.pattern.Append(dst, when, s.locale)
	} else {
		dst = strconv.AppendInt(dst, when.UnixMilli(), 10)
	}
	return s.variable.keep(dst, from, t)
}

// start is the date to shift; one that cannot be read is now.
func (s *timeShift) start(t *vu.Thread, date string) time.Time {
	if date == "" {
		return time.Now()
	}
	var when time.Time
	var err error
	if s.pattern == nil {
		var ms int64
		ms, err = java.ParseLong(date, 10)
		when = time.UnixMilli(ms)
	} else {
		var p *java.Parsed
		if p, err = s.pattern.Parse(date, s.locale, s.defaults()...); err == nil {
			when, err = p.Zoned()
		}
	}
	if err != nil {
		errorf(t, "TimeShift", "Failed to parse the date '%s' to shift with formatter '%v': %v", date, s.pattern, err)
		return time.Now()
	}
	return when
}
