package java

import (
	"strings"
	"time"
)

// SimplePattern is a compiled java.text.SimpleDateFormat pattern, whose letters are not those of Pattern:
// SSS counts milliseconds, u is the day of the week. It is immutable and safe for concurrent use.
type SimplePattern struct {
	text  string
	items []simpleItem
	first int // year with which the century of years of two digits begins; 0: 80 years ago
}

type simpleItem struct {
	letter byte // 0: literal
	n      int
	text   string
	obeys  bool // parsing takes exactly n digits, because a number follows at once
}

// ParseSimplePattern compiles a pattern. Errors are Java's IllegalArgumentExceptions.
func ParseSimplePattern(s string) (*SimplePattern, error) {
	p := &SimplePattern{text: s}
	literal := func(t string) {
		if n := len(p.items); n > 0 && p.items[n-1].letter == 0 {
			p.items[n-1].text += t
			return
		}
		p.items = append(p.items, simpleItem{text: t})
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\'':
			text, end, ok := quoted(s, i)
			if !ok {
				return nil, throw("java.lang.IllegalArgumentException", "Unterminated quote")
			}
			literal(text)
			i = end
		case isLetter(c):
			if !strings.ContainsRune("GyMwWDdFEaHkKhmsSzZXYuL", rune(c)) {
				return nil, throw("java.lang.IllegalArgumentException", "Illegal pattern character '%c'", c)
			}
			n := run(s, i)
			if c == 'X' && n > 3 {
				return nil, throw("java.lang.IllegalArgumentException", "invalid ISO 8601 format: length=%d", n)
			}
			p.items = append(p.items, simpleItem{letter: c, n: n})
			i += n
		default:
			literal(s[i : i+1])
			i++
		}
	}
	for i := 0; i+1 < len(p.items); i++ {
		a, b := &p.items[i], &p.items[i+1]
		a.obeys = a.isNumber() && b.isNumber()
	}
	return p, nil
}

// YearsFrom is p with years of two digits in the century that begins with that year
// (set2DigitYearStart).
func (p *SimplePattern) YearsFrom(year int) *SimplePattern {
	q := *p
	q.first = year
	return &q
}

func (it *simpleItem) isNumber() bool {
	switch it.letter {
	case 0, 'G', 'E', 'a', 'z', 'Z', 'X':
		return false
	case 'M', 'L':
		return it.n < 3
	}
	return true
}

func (p *SimplePattern) String() string { return p.text }

// Append writes t in its own location.
func (p *SimplePattern) Append(dst []byte, t time.Time, loc Locale) []byte {
	d := dateFrom(t)
	hour, minute, second := t.Clock()
	for i := range p.items {
		it := &p.items[i]
		num := func(v int) { dst = appendPadded(dst, int64(v), it.n) }
		switch it.letter {
		case 0:
			dst = append(dst, it.text...)
		case 'G':
			dst = append(dst, loc.names().eras[1][min(max(d.year, 0), 1)]...)
		case 'y', 'Y':
			year := d.year
			if it.letter == 'Y' {
				year, _ = loc.weeks().yearWeek(d)
			}
			if year <= 0 {
				year = 1 - year
			}
			if it.n == 2 {
				dst = appendPadded(dst, int64(year%100), 2)
			} else {
				num(year)
			}
		case 'M', 'L':
			style := styleShort
			switch {
			case it.n < 3:
				num(d.month)
				continue
			case it.n > 3:
				style = styleFull
			}
			if it.letter == 'L' || len(p.items) == 1 {
				style += styleFullStandalone
			}
			dst = append(dst, loc.names().months[style][d.month-1]...)
		case 'E':
			dst = append(dst, loc.names().days[fullIf(it.n >= 4)][d.weekday()-1]...)
		case 'u':
			num(d.weekday())
		case 'w':
			_, w := loc.weeks().yearWeek(d)
			num(w)
		case 'W':
			num(loc.weeks().weekOfMonth(d))
		case 'D':
			num(d.yearDay())
		case 'd':
			num(d.day)
		case 'F':
			num((d.day-1)/7 + 1)
		case 'a':
			dst = append(dst, loc.names().ampm[hour/12]...)
		case 'H':
			num(hour)
		case 'k':
			num((hour+23)%24 + 1)
		case 'K':
			num(hour % 12)
		case 'h':
			num((hour+11)%12 + 1)
		case 'm':
			num(minute)
		case 's':
			num(second)
		case 'S':
			num(t.Nanosecond() / 1e6)
		default:
			dst = it.appendZone(dst, t)
		}
	}
	return dst
}

func (it *simpleItem) appendZone(dst []byte, t time.Time) []byte {
	short, off := t.Zone()
	switch it.letter {
	case 'z':
		id := ZoneID(t.Location())
		n := zoneNamesTable().byID[id]
		switch {
		case n == nil && (id == "Z" || strings.HasPrefix(id, "+") || strings.HasPrefix(id, "-")):
			return appendOffset(append(dst, "GMT"...), off, offsetHHxMM, "")
		case n == nil:
			return append(dst, short...)
		}
		which := 0
		if t.IsDST() {
			which = 1
		}
		if it.n >= 4 {
			return append(dst, n.long[which]...)
		}
		return append(dst, n.short[which]...)
	case 'Z':
		return appendOffset(dst, off, offsetHHMM, "+0000")
	}
	if off == 0 {
		return append(dst, 'Z')
	}
	s := off
	sign := byte('+')
	if s < 0 {
		sign, s = '-', -s
	}
	dst = appendPadded(append(dst, sign), int64(s/3600), 2)
	if it.n == 1 {
		return dst
	}
	if it.n == 3 {
		dst = append(dst, ':')
	}
	return appendPadded(dst, int64(s/60%60), 2)
}

// simpleParsed are the fields of a text; a value of -1 is not given.
type simpleParsed struct {
	year, month, day, yearDay, weekday int
	hour, minute, second, milli, ampm  int
	century                            int // first of the years of two digits
	zone                               *time.Location
	bc                                 bool
}

// Parse reads a text from its start, as leniently as Java does: the 32nd of January is the 1st of
// February, and what follows the date is not looked at. zone is that of a text without one. Dates before
// 1582 are Gregorian too, where Java counts them in the Julian calendar.
func (p *SimplePattern) Parse(text string, loc Locale, zone *time.Location) (time.Time, error) {
	f := simpleParsed{year: 1970, month: 1, day: 1, yearDay: -1, weekday: -1, ampm: -1}
	if f.century = p.first; f.century == 0 {
		f.century = time.Now().Year() - 80
	}
	r := &reader{text: text, loc: loc}
	pos := 0
	for i := range p.items {
		it := &p.items[i]
		next := it.parse(r, pos, &f, i+1 < len(p.items))
		if next < 0 {
			return time.Time{}, throw("java.text.ParseException", "Unparseable date: \"%s\"", text)
		}
		pos = next
	}
	if f.zone != nil {
		zone = f.zone
	}
	if f.ampm >= 0 {
		f.hour = f.hour%12 + 12*f.ampm
	}
	if f.bc {
		f.year = 1 - f.year
	}
	if f.yearDay >= 0 {
		f.month, f.day = 1, f.yearDay
	}
	return time.Date(f.year, time.Month(f.month), f.day, f.hour, f.minute, f.second, f.milli*1e6, zone), nil
}

func (it *simpleItem) parse(r *reader, pos int, f *simpleParsed, more bool) int {
	if it.letter == 0 {
		if !strings.HasPrefix(r.text[pos:], it.text) {
			return -1
		}
		return pos + len(it.text)
	}
	for pos < len(r.text) && (r.text[pos] == ' ' || r.text[pos] == '\t') && it.letter != 'Z' && it.letter != 'X' {
		pos++ // blanks before a field
	}
	words := func(lists ...[]string) (int, int) {
		best, end := -1, -1
		for _, list := range lists {
			for i, w := range list {
				if len(r.text)-pos >= len(w) && strings.EqualFold(r.text[pos:pos+len(w)], w) && w != "" && pos+len(w) > end {
					best, end = i, pos+len(w)
				}
			}
		}
		return best, end
	}
	n := r.loc.names()
	switch it.letter {
	case 'G':
		i, end := words(n.eras[1])
		f.bc = i == 0
		return end
	case 'E':
		_, end := words(n.days[styleFull], n.days[styleShort])
		return end
	case 'a':
		i, end := words(n.ampm)
		f.ampm = i
		return end
	case 'M', 'L':
		if it.n >= 3 {
			i, end := words(n.months[styleFull], n.months[styleShort], n.months[styleFullStandalone], n.months[styleShortStandalone])
			f.month = i + 1
			return end
		}
	case 'z', 'Z', 'X':
		return it.parseZone(r, pos, f)
	}
	end := pos
	neg := end < len(r.text) && r.text[end] == '-'
	if neg {
		end++
	}
	first := end
	v := 0
	for end < len(r.text) && isDigit(r.text[end]) && (!it.obeys || end-first < it.n) && end-first < 9 {
		v = v*10 + int(r.text[end]-'0')
		end++
	}
	if end == first {
		return -1
	}
	if neg {
		v = -v
	}
	switch it.letter {
	case 'y', 'Y':
		if it.n <= 2 && end-first == 2 && !neg {
			v += f.century / 100 * 100
			if v < f.century {
				v += 100
			}
		}
		f.year = v
	case 'M', 'L':
		f.month = v
	case 'd':
		f.day = v
	case 'D':
		f.yearDay = v
	case 'H', 'K':
		f.hour = v
	case 'k':
		f.hour = v % 24
	case 'h':
		f.hour = v % 12
	case 'm':
		f.minute = v
	case 's':
		f.second = v
	case 'S':
		f.milli = v
	}
	return end
}

func (it *simpleItem) parseZone(r *reader, pos int, f *simpleParsed) int {
	at := pos
	if it.letter == 'X' {
		if strings.HasPrefix(r.text[at:], "Z") {
			f.zone = OffsetZone(0)
			return at + 1
		}
	} else if len(r.text)-at >= 3 && (strings.EqualFold(r.text[at:at+3], "GMT") || strings.EqualFold(r.text[at:at+3], "UTC")) {
		at += 3
		if at == len(r.text) || r.text[at] != '+' && r.text[at] != '-' {
			f.zone = OffsetZone(0)
			return at
		}
	}
	if at < len(r.text) && (r.text[at] == '+' || r.text[at] == '-') {
		form := offsetHHmm
		if at+3 < len(r.text) && r.text[at+3] == ':' {
			form = offsetHHxMM
		}
		sec, end, ok := r.readOffset(at, form)
		if !ok || r.failure != nil {
			return -1
		}
		f.zone = OffsetZone(sec)
		return end
	}
	if it.letter == 'X' {
		return -1
	}
	end := r.zoneID(pos, true)
	if end < 0 {
		return -1
	}
	f.zone = r.fields.zone
	return end
}
