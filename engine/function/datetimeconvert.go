package function

import (
	"time"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	expr.RegisterFunc(expr.Func{
		Name: "__dateTimeConvert", Title: "a date in another pattern", Args: "date, pattern (empty: epoch ms), new pattern, var?",
		Min: 3, Max: 4, Compile: compileDateTimeConvert,
	})
}

func compileDateTimeConvert(c *expr.Call) (expr.Eval, error) {
	date, source, to, variable := c.Arg(0), c.Arg(1), c.Arg(2), newTarget(c, 3, trimmed)
	return func(dst []byte, t *vu.Thread) []byte {
		from := len(dst)
		d, s, f := date.Eval(t), source.Eval(t), to.Eval(t)
		out, err := convertDate(dst, d, s, f)
		if err != nil {
			errorf(t, "DateTimeConvertFunction",
				"Error calling __dateTimeConvert function with value %s, source format %s, target format %s: %v", d, s, f, err)
			return dst
		}
		return variable.keep(out, from, t)
	}, nil
}

func convertDate(dst []byte, date, source, to string) ([]byte, error) {
	target, err := java.ParsePattern(to)
	if err != nil {
		return nil, err
	}
	if source == "" {
		ms, err := java.ParseLong(date, 10)
		if err != nil {
			return nil, err
		}
		return target.Append(dst, time.UnixMilli(ms), java.JMeter), nil
	}
	pattern, err := java.ParsePattern(source)
	if err != nil {
		return nil, err
	}
	f, err := pattern.Parse(date, java.JMeter)
	if err != nil {
		return nil, err
	}
	// A named zone is converted to the system's; an offset is not, and without
	// either the date stands as it is.
	if zone := f.Location(); zone != nil {
		offset, isOffset := f.Get(java.OffsetSeconds)
		named := !isOffset || java.ZoneID(zone) != java.ZoneID(java.OffsetZone(int(offset)))
		if named && java.ZoneID(zone) != java.ZoneID(time.Local) {
			if when, err := f.Zoned(); err == nil {
				return target.Append(dst, when.In(time.Local), java.JMeter), nil
			}
		}
	}
	return target.AppendParsed(dst, f, java.JMeter)
}
