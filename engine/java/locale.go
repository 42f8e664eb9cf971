package java

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// Locale names a language and a country, as java.util.Locale does. The zero value is Java's root
// locale; text then comes out in English.
type Locale struct {
	Language string // lower case, "en"
	Country  string // upper case, "US", or empty
}

// JMeter is the locale of JMeter's stock launcher, which forces en_EN: English names, and, as no
// country has the code EN, the world's week rules (Monday first) instead of the American ones.
var JMeter = Locale{"en", "EN"}

// ParseLocale reads the forms that __timeShift and __RandomDate accept: "fr", "fr_FR", "fr_FR_POSIX"
// (the variant is dropped), "_FR", and the empty text. Errors are worded as commons-lang3 words them.
func ParseLocale(s string) (Locale, error) {
	bad := func() (Locale, error) { return Locale{}, fmt.Errorf("Invalid locale format: %s", s) }
	if s == "" {
		return Locale{}, nil
	}
	if strings.Contains(s, "#") {
		return bad()
	}
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' })
	if s[0] == '_' || s[0] == '-' {
		if len(s) < 3 || len(parts) == 0 || !isUpper(parts[0]) || len(parts[0]) != 2 {
			return bad()
		}
		return Locale{"", parts[0]}, nil
	}
	if last := s[len(s)-1]; last == '_' || last == '-' {
		return bad()
	}
	if len(parts) == 0 || len(parts) > 3 || !isLower(parts[0]) || len(parts[0]) < 2 || len(parts[0]) > 3 {
		return bad()
	}
	loc := Locale{Language: parts[0]}
	if len(parts) > 1 {
		c := parts[1]
		if !(len(c) == 2 && isUpper(c)) && !(len(c) == 3 && isDigits(c)) {
			if strings.Contains(s, "__") && len(parts) == 2 { // language, no country, variant
				return loc, nil
			}
			return bad()
		}
		loc.Country = c
	}
	return loc, nil
}

func (l Locale) String() string {
	if l.Country == "" {
		return l.Language
	}
	return l.Language + "_" + l.Country
}

func isUpper(s string) bool { return onlyIn(s, 'A', 'Z') }
func isLower(s string) bool { return onlyIn(s, 'a', 'z') }
func isDigits(s string) bool {
	return onlyIn(s, '0', '9')
}

func onlyIn(s string, lo, hi byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < lo || s[i] > hi {
			return false
		}
	}
	return s != ""
}

// textStyle picks one of the columns a field has in a names table.
type textStyle uint8

const (
	styleFull textStyle = iota
	styleShort
	styleNarrow
	styleFullStandalone
	styleShortStandalone
	styleNarrowStandalone
)

// names is one locale's calendar text, straight from one line of locales.txt.
type names struct {
	months, days, quarters [6][]string // by textStyle
	ampm                   []string
	eras                   [3][]string
	periods                [3]dayPeriods
}

// dayPeriods says which text a time of day has ("in the morning").
type dayPeriods struct {
	from           []int // hour at which text of the same index begins
	text           []string
	midnight, noon string
}

func (d *dayPeriods) at(minute int) string {
	switch minute {
	case 0:
		return d.midnight
	case 12 * 60:
		return d.noon
	}
	s := ""
	for i, h := range d.from {
		if minute >= h*60 {
			s = d.text[i]
		}
	}
	return s
}

//go:embed locales.txt
var localesText string

// allNames reads locales.txt once: a line a locale, columns apart by tabs, values by bars.
var allNames = sync.OnceValue(func() map[string]*names {
	m := make(map[string]*names)
	for line := range strings.Lines(localesText) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		n := &names{}
		for i := range 6 {
			n.months[i] = strings.Split(c[1+i], "|")
			n.days[i] = strings.Split(c[7+i], "|")
			n.quarters[i] = strings.Split(c[13+i], "|")
		}
		n.ampm = strings.Split(c[19], "|")
		for i := range 3 {
			n.eras[i] = strings.Split(c[20+i], "|")
			for _, p := range strings.Split(c[23+i], "|") {
				at, text, _ := strings.Cut(p, "=")
				switch at {
				case "m":
					n.periods[i].midnight = text
				case "n":
					n.periods[i].noon = text
				default:
					h := 0
					for _, d := range at {
						h = h*10 + int(d-'0')
					}
					n.periods[i].from = append(n.periods[i].from, h)
					n.periods[i].text = append(n.periods[i].text, text)
				}
			}
		}
		m[c[0]] = n
	}
	return m
})

// names returns the locale's own names, else its language's, else English.
func (l Locale) names() *names {
	all := allNames()
	if n := all[l.String()]; n != nil {
		return n
	}
	if n := all[l.Language]; n != nil {
		return n
	}
	return all["en"]
}

// weekRule is java.time.temporal.WeekFields: the first day of a week (1 is Monday) and how many
// days of a week must lie in a year for it to be that year's first.
type weekRule struct{ first, minDays int }

// Countries by week rule, from the Unicode locale data of Java 17. All others: Monday and one day.
const (
	weekMonday4   = " AD AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL RE RU SE SJ SK SM VA "
	weekSaturday1 = " AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY "
	weekSunday1   = " AG AS AU BD BR BS BT BW BZ CA CN CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW "
)

// weeks returns the locale's week rule. A locale without a country counts from Sunday.
func (l Locale) weeks() weekRule {
	c := " " + l.Country + " "
	switch {
	case l.Country == "", strings.Contains(weekSunday1, c):
		return weekRule{7, 1}
	case strings.Contains(weekMonday4, c):
		return weekRule{1, 4}
	case strings.Contains(weekSaturday1, c):
		return weekRule{6, 1}
	case l.Country == "PT":
		return weekRule{7, 4}
	case l.Country == "MV":
		return weekRule{5, 1}
	}
	return weekRule{1, 1}
}

// dayOfWeek turns the ISO number of a day (1 is Monday) into the locale's.
func (w weekRule) dayOfWeek(iso int) int { return floorMod(iso-w.first, 7) + 1 }

// offset is how far the first full week lies from the day before the period's first.
func (w weekRule) offset(day, dow int) int {
	start := floorMod(day-dow, 7)
	if start+1 > w.minDays {
		return 7 - start
	}
	return -start
}

func (w weekRule) week(offset, day int) int { return (7 + offset + day - 1) / 7 }

func (w weekRule) weekOfMonth(d date) int {
	return w.week(w.offset(d.day, w.dayOfWeek(d.weekday())), d.day)
}

// yearWeek gives the week-based year and the week in it.
func (w weekRule) yearWeek(d date) (year, week int) {
	doy := d.yearDay()
	off := w.offset(doy, w.dayOfWeek(d.weekday()))
	week = w.week(off, doy)
	if week == 0 {
		last := date{d.year - 1, 12, 31}
		return w.yearWeek(last)
	}
	if next := w.week(off, yearLen(d.year)+w.minDays); week >= next {
		return d.year + 1, week - next + 1
	}
	return d.year, week
}

// dateOf finds the date of a day in a week of a week-based year.
func (w weekRule) dateOf(year, week, dow int) date {
	first := date{year, 1, 1}
	off := w.offset(1, w.dayOfWeek(first.weekday()))
	week = min(week, w.week(off, yearLen(year)+w.minDays)-1)
	return first.plusDays(-off + dow - 1 + (week-1)*7)
}

func floorMod(a, b int) int { return ((a % b) + b) % b }
