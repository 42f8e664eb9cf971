package java

import "fmt"

// Field is a part of a date or time that a pattern can write or read: java.time's ChronoField, with
// the quarter, the Julian day and the week fields of a locale.
type Field uint8

// The fields, named as in java.time.
const (
	Era Field = iota
	YearOfEra
	Year
	QuarterOfYear
	MonthOfYear
	DayOfMonth
	DayOfYear
	AlignedDayOfWeekInMonth
	DayOfWeek
	ModifiedJulianDay
	LocalDayOfWeek
	WeekOfMonth
	WeekOfWeekBasedYear
	WeekBasedYear
	AmPmOfDay
	HourOfDay
	ClockHourOfDay
	HourOfAmPm
	ClockHourOfAmPm
	MinuteOfHour
	SecondOfMinute
	SecondOfDay
	MilliOfSecond
	MilliOfDay
	NanoOfSecond
	NanoOfDay
	OffsetSeconds
	InstantSeconds
	numFields
)

// fieldInfo is a field's name in messages and its range; text is the range as Java prints it.
var fieldInfo = [numFields]struct {
	name     string
	min, max int64
	text     string
}{
	Era:                     {"Era", 0, 1, "0 - 1"},
	YearOfEra:               {"YearOfEra", 1, 1000000000, "1 - 999999999/1000000000"},
	Year:                    {"Year", -999999999, 999999999, "-999999999 - 999999999"},
	QuarterOfYear:           {"QuarterOfYear", 1, 4, "1 - 4"},
	MonthOfYear:             {"MonthOfYear", 1, 12, "1 - 12"},
	DayOfMonth:              {"DayOfMonth", 1, 31, "1 - 28/31"},
	DayOfYear:               {"DayOfYear", 1, 366, "1 - 365/366"},
	AlignedDayOfWeekInMonth: {"AlignedDayOfWeekInMonth", 1, 7, "1 - 7"},
	DayOfWeek:               {"DayOfWeek", 1, 7, "1 - 7"},
	ModifiedJulianDay:       {"ModifiedJulianDay", -365243219162, 365241780471, "-365202261162 - 365241820471"},
	LocalDayOfWeek:          {"DayOfWeek", 1, 7, "1 - 7"},
	WeekOfMonth:             {"WeekOfMonth", 0, 6, "0 - 1 - 4 - 6"},
	WeekOfWeekBasedYear:     {"WeekOfWeekBasedYear", 1, 54, "1 - 52/54"},
	WeekBasedYear:           {"WeekBasedYear", -999999999, 999999999, "-999999999 - 999999999"},
	AmPmOfDay:               {"AmPmOfDay", 0, 1, "0 - 1"},
	HourOfDay:               {"HourOfDay", 0, 23, "0 - 23"},
	ClockHourOfDay:          {"ClockHourOfDay", 1, 24, "1 - 24"},
	HourOfAmPm:              {"HourOfAmPm", 0, 11, "0 - 11"},
	ClockHourOfAmPm:         {"ClockHourOfAmPm", 1, 12, "1 - 12"},
	MinuteOfHour:            {"MinuteOfHour", 0, 59, "0 - 59"},
	SecondOfMinute:          {"SecondOfMinute", 0, 59, "0 - 59"},
	SecondOfDay:             {"SecondOfDay", 0, 86399, "0 - 86399"},
	MilliOfSecond:           {"MilliOfSecond", 0, 999, "0 - 999"},
	MilliOfDay:              {"MilliOfDay", 0, 86399999, "0 - 86399999"},
	NanoOfSecond:            {"NanoOfSecond", 0, 999999999, "0 - 999999999"},
	NanoOfDay:               {"NanoOfDay", 0, 86399999999999, "0 - 86399999999999"},
	OffsetSeconds:           {"OffsetSeconds", -64800, 64800, "-64800 - 64800"},
	InstantSeconds:          {"InstantSeconds", -1 << 63, 1<<63 - 1, "-9223372036854775808 - 9223372036854775807"},
}

func (f Field) String() string {
	if f < numFields {
		return fieldInfo[f].name
	}
	return "unknown field"
}

// timeBased tells the fields of a day's clock from those of the calendar.
func (f Field) timeBased() bool { return f >= AmPmOfDay && f <= NanoOfDay }

func (f Field) check(v int64) error {
	i := &fieldInfo[f]
	if v < i.min || v > i.max {
		return fmt.Errorf("Invalid value for %s (valid values %s): %d", i.name, i.text, v)
	}
	return nil
}
