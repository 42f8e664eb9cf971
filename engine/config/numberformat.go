package config

import (
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

// numberFormat shows numbers by a pattern of Java's DecimalFormat; an empty or
// broken one shows them plain.
type numberFormat struct {
	pattern expr.Text
	fixed   *java.DecimalFormat // of a pattern that never changes
}

func (f *numberFormat) props(p *elem.Props, name string) {
	p.Text(&f.pattern, name, "", "DecimalFormat pattern, 000 for three digits")
	f.fixed = nil
	if s := f.pattern.Source(); s != "" && f.pattern.IsConst() {
		var err error
		if f.fixed, err = java.ParseDecimalFormat(s); err != nil && strings.HasSuffix(err.Error(), "not supported") {
			p.Refuse("value", name, "%v: %s", err, s)
		}
	}
}

func (f *numberFormat) show(t *vu.Thread, n int64) string {
	if f.fixed != nil {
		return f.fixed.FormatLong(n)
	}
	if pattern := f.pattern.Eval(t); pattern != "" {
		if d, err := java.ParseDecimalFormat(pattern); err == nil {
			return d.FormatLong(n)
		}
		t.Log().Warn("Error formatting "+strconv.FormatInt(n, 10)+" at format "+pattern+", using default", "logger", "o.a.j.c.Format")
	}
	return strconv.FormatInt(n, 10)
}
