package java

import "fmt"

// resolve combines parsed fields into a date, a time and an instant, in the order in which
// java.time.format.Parsed does, so that contradictions are found in the same cases.
func (p *Parsed) resolve() error {
	for _, step := range []func() error{
		p.resolveDate, p.resolveClock, p.resolveWeeks, p.resolveClockLeniently, p.crossCheck,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if p.hasDate && p.hasTime && p.excess != 0 {
		p.date = p.date.plusDays(p.excess)
		p.excess = 0
	}
	p.resolveInstant()
	return nil
}

// put sets a field derived while resolving from; a different value already there is a conflict.
func (p *Parsed) put(from, f Field, v int64) error {
	if p.isSet(f) && p.val[f] != v {
		return fmt.Errorf("Conflict found: %s %d differs from %s %d while resolving  %s", f, p.val[f], f, v, from)
	}
	p.set(f, v)
	return nil
}

func (p *Parsed) setDate(d date) error {
	if p.hasDate && p.date != d {
		return fmt.Errorf("Conflict found: Fields resolved to two different dates: %s %s", p.date, d)
	}
	p.date, p.hasDate = d, true
	return nil
}

func (p *Parsed) resolveDate() error {
	if err := p.resolveEra(); err != nil || !p.isSet(Year) {
		return err
	}
	switch {
	case p.isSet(MonthOfYear) && p.isSet(DayOfMonth):
		d, err := p.yearMonthDay()
		if err != nil {
			return err
		}
		return p.setDate(d)
	case p.isSet(DayOfYear):
		y, doy := p.take(Year), p.take(DayOfYear)
		if err := Year.check(y); err != nil {
			return err
		}
		if err := DayOfYear.check(doy); err != nil {
			return err
		}
		if doy == 366 && !isLeap(int(y)) {
			return fmt.Errorf("Invalid date 'DayOfYear 366' as '%d' is not a leap year", y)
		}
		return p.setDate(date{int(y), 1, 1}.plusDays(int(doy) - 1))
	}
	return nil
}

// resolveEra turns a year of an era, by default the current one, into a year.
func (p *Parsed) resolveEra() error {
	if !p.isSet(YearOfEra) {
		if p.isSet(Era) {
			return Era.check(p.val[Era])
		}
		return nil
	}
	yoe := p.take(YearOfEra)
	if err := YearOfEra.check(yoe); err != nil {
		return err
	}
	year := yoe
	if p.isSet(Era) {
		if p.take(Era) == 0 {
			year = 1 - yoe
		}
	} else if p.isSet(Year) && p.val[Year] <= 0 {
		year = 1 - yoe
	}
	if p.isSet(Year) && p.val[Year] != year {
		return fmt.Errorf("Conflict found: Year %d differs from Year %d", p.val[Year], year)
	}
	p.set(Year, year)
	return nil
}

// yearMonthDay takes a date from its parts. A day after the month's last one is taken for the last.
func (p *Parsed) yearMonthDay() (date, error) {
	y, m, d := p.take(Year), p.take(MonthOfYear), p.take(DayOfMonth)
	if err := Year.check(y); err != nil {
		return date{}, err
	}
	if err := MonthOfYear.check(m); err != nil {
		return date{}, err
	}
	if err := DayOfMonth.check(d); err != nil {
		return date{}, err
	}
	return date{int(y), int(m), min(int(d), monthLen(int(y), int(m)))}, nil
}

// resolveWeeks resolves the fields that are no ChronoFields, then looks for a date once more.
func (p *Parsed) resolveWeeks() error {
	if p.isSet(ModifiedJulianDay) {
		v := p.take(ModifiedJulianDay)
		if err := ModifiedJulianDay.check(v); err != nil {
			return err
		}
		return p.setDate(date{1970, 1, 1}.plusDays(int(v - 40587)))
	}
	w := p.loc.weeks()
	if p.isSet(LocalDayOfWeek) {
		v := p.take(LocalDayOfWeek)
		if err := LocalDayOfWeek.check(v); err != nil {
			return err
		}
		if err := p.put(LocalDayOfWeek, DayOfWeek, int64(floorMod(w.first-1+int(v)-1, 7)+1)); err != nil {
			return err
		}
	}
	if p.isSet(DayOfWeek) && p.isSet(WeekBasedYear) && p.isSet(WeekOfWeekBasedYear) && !p.isSet(Year) {
		y, week, dow := p.val[WeekBasedYear], p.val[WeekOfWeekBasedYear], p.val[DayOfWeek]
		for f, v := range map[Field]int64{WeekBasedYear: y, WeekOfWeekBasedYear: week, DayOfWeek: dow} {
			if err := f.check(v); err != nil {
				return err
			}
		}
		p.take(WeekBasedYear)
		p.take(WeekOfWeekBasedYear)
		p.take(DayOfWeek)
		return p.setDate(w.dateOf(int(y), int(week), w.dayOfWeek(int(dow))))
	}
	return nil
}

func (p *Parsed) resolveClock() error {
	if p.isSet(ClockHourOfDay) {
		v := p.take(ClockHourOfDay)
		if v != 0 {
			if err := ClockHourOfDay.check(v); err != nil {
				return err
			}
		}
		if err := p.put(ClockHourOfDay, HourOfDay, v%24); err != nil {
			return err
		}
	}
	if p.isSet(ClockHourOfAmPm) {
		v := p.take(ClockHourOfAmPm)
		if v != 0 {
			if err := ClockHourOfAmPm.check(v); err != nil {
				return err
			}
		}
		if err := p.put(ClockHourOfAmPm, HourOfAmPm, v%12); err != nil {
			return err
		}
	}
	if p.isSet(AmPmOfDay) && p.isSet(HourOfAmPm) {
		ap, h := p.take(AmPmOfDay), p.take(HourOfAmPm)
		if err := HourOfAmPm.check(h); err != nil {
			return err
		}
		if err := p.put(AmPmOfDay, HourOfDay, ap*12+h); err != nil {
			return err
		}
	}
	if err := p.splitDay(NanoOfDay, 1e9, NanoOfSecond); err != nil {
		return err
	}
	if err := p.splitDay(MilliOfDay, 1e3, MilliOfSecond); err != nil {
		return err
	}
	if p.isSet(NanoOfSecond) {
		n := p.val[NanoOfSecond]
		if err := NanoOfSecond.check(n); err != nil {
			return err
		}
		if p.isSet(MilliOfSecond) {
			ms := p.take(MilliOfSecond)
			if err := MilliOfSecond.check(ms); err != nil {
				return err
			}
			if err := p.put(MilliOfSecond, NanoOfSecond, ms*1e6+n%1e6); err != nil {
				return err
			}
		}
	}
	if p.isSet(HourOfDay) && p.isSet(MinuteOfHour) && p.isSet(SecondOfMinute) && p.isSet(NanoOfSecond) {
		return p.setTime(p.take(HourOfDay), p.take(MinuteOfHour), p.take(SecondOfMinute), p.take(NanoOfSecond))
	}
	return nil
}

// splitDay takes a count of parts since midnight apart into hour, minute, second and rest.
func (p *Parsed) splitDay(f Field, perSecond int64, rest Field) error {
	if !p.isSet(f) {
		return nil
	}
	v := p.take(f)
	if err := f.check(v); err != nil {
		return err
	}
	s := v / perSecond
	if rest == MilliOfSecond { // the order decides which conflict is told
		if err := p.put(f, rest, v%perSecond); err != nil {
			return err
		}
	}
	for _, err := range []error{
		p.put(f, HourOfDay, s/3600), p.put(f, MinuteOfHour, s/60%60), p.put(f, SecondOfMinute, s%60),
	} {
		if err != nil {
			return err
		}
	}
	return p.put(f, rest, v%perSecond)
}

func (p *Parsed) setTime(h, m, s, n int64) error {
	if err := MinuteOfHour.check(m); err != nil {
		return err
	}
	if err := NanoOfSecond.check(n); err != nil {
		return err
	}
	nanos, excess := int64(0), 1 // 24:00 is the end of the day
	if h != 24 || m != 0 || s != 0 || n != 0 {
		if err := HourOfDay.check(h); err != nil {
			return err
		}
		if err := SecondOfMinute.check(s); err != nil {
			return err
		}
		nanos, excess = (h*3600+m*60+s)*1e9+n, 0
	}
	if p.hasTime && p.nanos != nanos {
		return fmt.Errorf("Conflict found: Fields resolved to different times: %s %s", clockText(p.nanos), clockText(nanos))
	}
	p.nanos, p.hasTime, p.excess = nanos, true, excess
	return nil
}

// resolveClockLeniently makes a time of an hour with or without what is smaller.
func (p *Parsed) resolveClockLeniently() error {
	if !p.hasTime {
		if p.isSet(MilliOfSecond) {
			p.set(NanoOfSecond, p.take(MilliOfSecond)*1e6)
		}
		if p.isSet(HourOfDay) {
			hasMin, hasSec, hasNano := p.isSet(MinuteOfHour), p.isSet(SecondOfMinute), p.isSet(NanoOfSecond)
			if (!hasMin && (hasSec || hasNano)) || (hasMin && !hasSec && hasNano) {
				return nil
			}
			part := func(f Field) int64 {
				if p.isSet(f) {
					return p.take(f)
				}
				return 0
			}
			if err := p.setTime(p.take(HourOfDay), part(MinuteOfHour), part(SecondOfMinute), part(NanoOfSecond)); err != nil {
				return err
			}
		} else if p.isSet(AmPmOfDay) && !p.isSet(MinuteOfHour) && !p.isSet(SecondOfMinute) && !p.isSet(NanoOfSecond) && !p.isSet(HourOfAmPm) {
			// Only the half of the day is known: its middle.
			if err := p.setTime(p.take(AmPmOfDay)*12+6, 0, 0, 0); err != nil {
				return err
			}
		}
	}
	for f := Field(0); f < numFields; f++ {
		if p.isSet(f) && f.timeBased() {
			if err := f.check(p.val[f]); err != nil {
				return err
			}
		}
	}
	return nil
}

// name is a field's name in a message; the fields of a week tell whose weeks.
func (p *Parsed) name(f Field) string {
	if f < LocalDayOfWeek || f > WeekBasedYear {
		return f.String()
	}
	w := p.loc.weeks()
	day := [...]string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"}[w.first-1]
	return fmt.Sprintf("%s[WeekFields[%s,%d]]", f, day, w.minDays)
}

// crossCheck compares the fields left over with the date and time, and drops those that agree.
func (p *Parsed) crossCheck() error {
	for f := Field(0); f < numFields; f++ {
		if !p.isSet(f) {
			continue
		}
		var v int64
		var ok bool
		from := ""
		if p.hasDate {
			v, ok = dateField(p.date, f, p.loc)
			from = p.date.String()
		}
		if !ok && p.hasTime {
			v, ok = timeField(p.nanos, f)
			from = clockText(p.nanos)
		}
		if !ok {
			continue
		}
		if v != p.val[f] {
			return fmt.Errorf("Conflict found: Field %s %d differs from %s %d derived from %s", p.name(f), v, p.name(f), p.val[f], from)
		}
		p.take(f)
	}
	return nil
}

// resolveInstant fixes the instant when date, time and an offset or zone are known.
func (p *Parsed) resolveInstant() {
	if !p.hasDate || !p.hasTime || p.isSet(InstantSeconds) {
		return
	}
	switch {
	case p.isSet(OffsetSeconds):
		p.set(InstantSeconds, p.date.epochDay()*86400+p.nanos/1e9-p.val[OffsetSeconds])
	case p.zone != nil:
		if t, err := p.In(p.zone); err == nil {
			p.set(InstantSeconds, t.Unix())
		}
	}
}
