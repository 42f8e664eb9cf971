package function

import (
	"errors"
	"time"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__RandomDate", Title: "a day from the first to the day before the last",
		Args: "pattern=yyyy-MM-dd, first=today, last, locale?, var?",
		Min:  3, Max: 5, Compile: compileRandomDate,
	})
}

func compileRandomDate(c *expr.Call) (expr.Eval, error) {
	format, first, last, lang, variable := c.Arg(0), c.Arg(1), c.Arg(2), c.Arg(3), newTarget(c, 4, trimmed)
	def := locale(c)
	iso, err := java.ParsePattern("uuuu-MM-dd")
	if err != nil {
		return nil, err
	}
	return func(dst []byte, t *vu.Thread) []byte {
		loc := def
		if name := java.Trim(lang.Eval(t)); name != "" {
			var err error
			if loc, err = java.ParseLocale(name); err != nil {
				throwArgument("%v", err)
			}
		}
		f := java.Trim(format.Eval(t))
		if f == "" {
			f = "yyyy-MM-dd"
		}
		pattern, err := java.ParsePattern(f)
		if err != nil {
			errorf(t, "RandomDate", "Format date pattern '%s' is invalid: %v", f, err)
			return dst
		}
		day := func(text, which string) int64 {
			n, err := epochDay(pattern, text, loc)
			if err != nil {
				errorf(t, "RandomDate", "Failed to parse %s '%s': %v", which, text, err)
			}
			return n
		}
		from := epochDayOf(time.Now())
		if s := java.Trim(first.Eval(t)); s != "" {
			from = day(s, "Start Date")
		}
		s := java.Trim(last.Eval(t))
		to := day(s, "End date")
		switch {
		case to < from:
			errorf(t, "RandomDate", "End Date '%s' must be greater than Start Date", s)
			return dst
		case to == from:
			throwArgument("bound must be greater than origin")
		}
		at := len(dst)
		dst, err = appendDay(dst, iso, pattern, from+t.Rand.Int64N(to-from), loc)
		if err != nil {
			throw("java.time.temporal.UnsupportedTemporalTypeException", "%v", err)
		}
		return variable.keep(dst, at, t)
	}, nil
}

func epochDayOf(t time.Time) int64 {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400
}

// epochDay reads a day, 0 when it cannot.
func epochDay(p *java.Pattern, text string, loc java.Locale) (int64, error) {
	f, err := p.Parse(text, loc, java.Default{Field: java.DayOfMonth, Value: 1},
		java.Default{Field: java.MonthOfYear, Value: 1},
		java.Default{Field: java.YearOfEra, Value: int64(time.Now().Year())})
	if err != nil {
		return 0, err
	}
	y, m, d, ok := f.Date()
	if !ok {
		return 0, errors.New("no date in the text")
	}
	return time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).Unix() / 86400, nil
}

// appendDay writes a day by a pattern, which must not ask for more. iso carries the
// day into fields without a time.
func appendDay(dst []byte, iso, p *java.Pattern, day int64, loc java.Locale) ([]byte, error) {
	f, err := iso.Parse(string(iso.Append(nil, time.Unix(day*86400, 0).UTC(), loc)), loc)
	if err != nil {
		return dst, err
	}
	return p.AppendParsed(dst, f, loc)
}
