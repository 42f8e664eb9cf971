package function_test

import (
	"testing"
	"testing/synctest"
	"time"
)

// The clock of a synctest bubble starts at 2000-01-01 00:00 UTC.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t).set("fmt", "yyyy")
		time.Sleep(7*time.Hour + 8*time.Minute + 9*time.Second + 123*time.Millisecond)
		b.run.Props.Set("time.USER2", "HH:mm")
		b.run.Props.Set("time.HMS", "ss")
		b.check(
			row{"${__time}", "946710489123"},
			row{"${__time()}${__time(,)}", "946710489123946710489123"},
			row{"${__time(/1000)}", "946710489"},
			row{"${__time(/1000, s )}${s}", "946710489946710489"},
			row{"${__time(YMD)}|${__time(HMS)}|${__time(YMDHMS)}", "20000101|09|20000101-070809"},
			row{"[${__time(USER1)}]${__time(USER2)}", "[]07:08"},
			row{"${__time( yyyy )}", " 2000 "},
			row{"${__time(EEE, d MMM)}${d MMM}", "SatSat"},
			row{`${__time(EEE\, d MMM yyyy HH:mm:ss.SSS)}`, "Sat, 1 Jan 2000 07:08:09.123"},
			row{"${__time('fixed')}", "fixed"},
			row{"${__time(yyyy)}${__TIME(yyyy)}", "2000${__TIME(yyyy)}"},
		)
		b.throws("java.lang.IllegalArgumentException: Unable to parse date format ${fmt}", "${__time(${fmt})}")
		b.throws("java.lang.ArithmeticException: / by zero", "${__time(/0)}")
		b.throws("java.lang.NumberFormatException", "${__time(/99999999999999999999)}")
		b.c.Engine.Vars.Put("fmt", "yyyy") // a variable of the Test Plan
		b.check(row{"${__time(${fmt})}", "2000"})
		b.refused("${__time('}", "${__time(a,b,c)}")
	})
}

func TestTimeShift(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.check(
			row{"${__timeShift( yyyy-MM-dd ,2024-02-28, p1dt1h ,)}", "2024-02-29"},
			row{"${__timeShift(yyyy-MM-dd'T'HH:mm:ssXXX,2024-02-28T10:00:00+05:00,PT1H,)}", "2024-02-28T11:00:00+05:00"},
			row{"${__timeShift(yyyy-MM-dd'T'HH:mm:ss VV,2024-02-28T10:00:00 Asia/Tokyo,PT1H,)}", "2024-02-28T20:00:00 Asia/Tokyo"},
			row{"${__timeShift(HH:mm,10:00,PT1H,)}", "11:00"},
			row{"${__timeShift(yyyy-MM-dd HH:mm:ss.SSS,2024-02-28 10:00:00.000,PT1H,)}", "2024-02-28 11:00:00.000"},
			row{"${__timeShift(yyyy,2024,PT1H,x)}${x}", "20242024"},
			row{"${__timeShift(,1700000000000,P1D,)}", "1700086400000"},
			row{"${__timeShift(,,P1D,)}", "946771200000"},
			row{"${__timeShift(yyyy-MM-dd,,,)}", "2000-01-01"},
			row{"${__timeShift(dd MMMM yyyy,21 janvier 2018,P11D,fr_FR, v )}${v}", "01 février 201801 février 2018"},
			row{"${__timeShift(yyyy-MM-dd HH:mm:ss.SSS,2024-02-28 10:00:00.123,PT1H,)}", "2000-01-01 01:00:00.000"}, // contradicts a default
			row{"${__timeShift(hh:mm a,03:00 PM,PT1H,)}", "01:00 AM"},                                               // likewise
		)
		b.log.Reset()
		b.check(row{"[${__timeShift(yyyy-bb,,PT1H,)}]", "[]"})
		b.logged("Unknown pattern letter: b")
		b.check(row{"${__timeShift(,abc,P1D,)}", "946771200000"})
		b.logged("Failed to parse the date 'abc' to shift")
		b.check(row{"${__timeShift(,1700000000000,P1M,)}", "1700000000000"})
		b.logged("Failed to parse the amount duration 'P1M' to shift")
		b.refused("${__timeShift(yyyy,,,)${", "${__timeShift(a,b,c)}", "${__timeShift(a,b,c,d,e,f)}", "${__timeShift(yyyy,2024,P1D,xx_bad!,)}")
		b.run.Props.Set("language", "de")
		b.check(row{"${__timeShift(MMMM,,,)}${__time(MMMM)}", "JanuarJanuary"})
	})
}

func TestRandomDate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.check(
			row{"${__RandomDate(yyyy-MM-dd,2024-02-29,2024-03-01,, v )}${v}", "2024-02-292024-02-29"},
			row{"${__RandomDate(,,2000-01-02)}", "2000-01-01"},
			row{"${__RandomDate(dd MMM yyyy,01 mars 2024,02 mars 2024,fr,)}", "01 mars 2024"},
			row{"${__RandomDate(yyyy-MM-dd,1969-12-31,x,,)}", "1969-12-31"}, // the end counts as 1970-01-01
			row{"[${__RandomDate(yyyy-MM-dd,2024-02-29,2024-02-28,,w)}]${w}", "[]${w}"},
			row{"[${__RandomDate(yyyy-bb,2024-02-29,2024-03-01,,)}]", "[]"},
			row{"${__RandomDate(dd,01,02)}", "01"},
		)
		b.throws("java.lang.IllegalArgumentException: bound must be greater than origin", "${__RandomDate(yyyy-MM-dd,2024-02-29,2024-02-29,,)}")
		b.throws("java.time.temporal.UnsupportedTemporalTypeException: Unsupported field: HourOfDay", "${__RandomDate(yyyy-MM-dd HH,2024-02-29 00,2024-03-01 00,,)}")
		b.throws("java.lang.IllegalArgumentException: Invalid locale format: xx_bad!", "${__RandomDate(yyyy-MM-dd,1969-12-31,x,xx_bad!,)}")
		seen := map[string]int{}
		for range 300 {
			seen[b.eval("${__RandomDate(yyyy-MM-dd,2023-12-31,2024-01-03)}")]++
		}
		if len(seen) != 3 || seen["2023-12-31"] == 0 || seen["2024-01-01"] == 0 || seen["2024-01-02"] == 0 {
			t.Errorf("got days %v", seen)
		}
	})
}

func TestDateTimeConvert(t *testing.T) {
	b := newBench(t)
	b.check(
		row{"${__dateTimeConvert(2018-02-30,yyyy-MM-dd,yyyy-MM-dd,)}", "2018-02-28"},
		row{"[${__dateTimeConvert(2018-02-30,yyyy-MM-dd,,)}]", "[]"},
		row{"${__dateTimeConvert(1PM,ha,HH, v )}${v}", "1313"},
		row{"${__dateTimeConvert(1526558400000,,dd/MM/yyyy XXX n)}", "17/05/2018 Z 0"},
		row{"${__dateTimeConvert(2024-02-29 13:05 +05:00,yyyy-MM-dd HH:mm XXX,yyyy-MM-dd HH:mm XXX,)}", "2024-02-29 13:05 +05:00"},
		row{"${__dateTimeConvert(2024-02-29 13:05 Asia/Tokyo,yyyy-MM-dd HH:mm VV,yyyy-MM-dd HH:mm XXX,)}", "2024-02-29 04:05 Z"},
	)
	for _, src := range []string{
		"${__dateTimeConvert(2018,yyyy,MM,w)}", "${__dateTimeConvert(2024-02-29,yyyy-MM-dd,yyyy HH,w)}",
		"${__dateTimeConvert(2024-02-29 13:05:09,yyyy-MM-dd HH:mm:ss,yyyy XXX,w)}",
		"${__dateTimeConvert( 1526558400000,,dd/MM/yyyy,w)}", "${__dateTimeConvert(1526558400000, ,dd/MM/yyyy,w)}",
		"${__dateTimeConvert(,yyyy,HH,w)}", "${__dateTimeConvert(2018,yyyy,bb,w)}", "${__dateTimeConvert(2018,bb,yyyy,w)}",
	} {
		b.log.Reset()
		b.check(row{"[" + src + "]${w}", "[]${w}"})
		b.logged("Error calling __dateTimeConvert")
	}
}
