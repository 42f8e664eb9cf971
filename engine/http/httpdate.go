package http

import (
	"strings"
	"time"

	"github.com/gojm/gojm/engine/java"
)

// The formats in which HttpClient reads dates: those of RFC 9110, section 5.6.7,
// and that of Netscape's draft about cookies. Years of two digits are of this century.
var (
	httpDates    = []*java.SimplePattern{datePattern("EEE, dd MMM yyyy HH:mm:ss zzz"), datePattern("EEE, dd-MMM-yy HH:mm:ss zzz"), datePattern("EEE MMM d HH:mm:ss yyyy")}
	netscapeDate = datePattern("EEE, dd-MMM-yy HH:mm:ss z")
)

func datePattern(s string) *java.SimplePattern {
	p, err := java.ParseSimplePattern(s)
	if err != nil {
		panic(err)
	}
	return p.YearsFrom(2000)
}

// httpDate reads a date in the first of the formats that fits. Like Java it is
// lenient about what numbers say and about what follows the date.
func httpDate(s string, formats ...*java.SimplePattern) (time.Time, bool) {
	if len(s) > 1 && strings.HasPrefix(s, "'") && strings.HasSuffix(s, "'") {
		s = s[1 : len(s)-1]
	}
	for _, f := range formats {
		if t, err := f.Parse(s, java.Locale{Language: "en", Country: "US"}, time.UTC); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
