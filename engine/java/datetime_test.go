package java

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

// rows reads a recorded table: lines of columns apart by tabs, comments beginning with #.
func rows(t *testing.T, name string, columns int) [][]string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		if strings.HasPrefix(line, "# ") {
			continue
		}
		c := strings.SplitN(line, "\t", columns)
		for len(c) < columns {
			c = append(c, "")
		}
		out = append(out, c)
	}
	if len(out) < 5 {
		t.Fatalf("%s holds only %d rows", name, len(out))
	}
	return out
}

func locale(t *testing.T, s string) Locale {
	t.Helper()
	l, err := ParseLocale(s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func zone(t *testing.T, id string) *time.Location {
	t.Helper()
	if strings.HasPrefix(id, "-") || strings.HasPrefix(id, "+") {
		r := &reader{text: id}
		sec, _, ok := r.readOffset(0, offsetHHxMMxss)
		if !ok {
			t.Fatalf("bad offset %q", id)
		}
		return OffsetZone(sec)
	}
	l, ok := loadZone(id)
	if !ok {
		t.Fatalf("no zone %q", id)
	}
	return l
}

func TestDateFormat(t *testing.T) {
	for _, r := range rows(t, "dateformat.tsv", 6) {
		sec, _ := strconv.ParseInt(r[3], 10, 64)
		nano, _ := strconv.ParseInt(r[4], 10, 64)
		p, err := ParsePattern(r[0])
		if strings.HasPrefix(r[5], "!") && err != nil {
			if strings.Contains(r[5], "class java.time") { // Java's own accident, a ClassCastException
				continue
			}
			if got := "!" + err.Error(); got != r[5] {
				t.Errorf("ParsePattern(%q)\n got %s\nwant %s", r[0], got, r[5])
			}
			continue
		}
		if err != nil {
			t.Errorf("ParsePattern(%q): %v, want %q", r[0], err, r[5])
			continue
		}
		tm := time.Unix(sec, nano).In(zone(t, r[2]))
		want := r[5]
		if strings.HasPrefix(want, "!Cannot print") { // where Java throws, Append leaves out
			want = ""
		}
		if got := string(p.Append(nil, tm, locale(t, r[1]))); got != want {
			t.Errorf("%q %s %s %s.%s\n got %q\nwant %q", r[0], r[1], r[2], r[3], r[4], got, r[5])
		}
	}
}

func TestDateParse(t *testing.T) {
	defaults := []Default{{NanoOfSecond, 0}, {MilliOfSecond, 0}, {SecondOfMinute, 0}, {MinuteOfHour, 0},
		{HourOfDay, 0}, {DayOfMonth, 1}, {MonthOfYear, 1}, {YearOfEra, 2026}, {OffsetSeconds, 3600}}
	for _, r := range rows(t, "dateparse.tsv", 5) {
		p, err := ParsePattern(r[0])
		if err != nil {
			t.Errorf("ParsePattern(%q): %v", r[0], err)
			continue
		}
		var d []Default
		if r[2] == "1" {
			d = defaults
		}
		f, err := p.Parse(r[3], locale(t, r[1]), d...)
		got := describe(f, err)
		if got != r[4] {
			t.Errorf("%q %s %s %q\n got %s\nwant %s", r[0], r[1], r[2], r[3], got, r[4])
		}
	}
}

func describe(f *Parsed, err error) string {
	if err != nil {
		return "!" + err.Error()
	}
	c := []string{"null", "null", "null", "-"}
	if f.hasDate {
		c[0] = f.date.String()
	}
	if f.hasTime {
		c[1] = clockText(f.nanos)
	}
	if l := f.Location(); l != nil {
		c[2] = ZoneID(l)
	}
	if z, err := f.Zoned(); err == nil {
		_, off := z.Zone()
		iso, _ := ParsePattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS")
		s := string(iso.Append(nil, z.UTC(), JMeter))
		s = strings.TrimSuffix(s, ".000000000")
		s = strings.TrimSuffix(s, "000000")
		if len(s) > 23 {
			s = strings.TrimSuffix(s, "000")
		}
		c[3] = s + "Z " + offsetID(off)
	}
	return strings.Join(c, "\t")
}

// Java translates long zone names; here they are English in every language.
func TestLongZoneNamesAreEnglish(t *testing.T) {
	p, err := ParsePattern("zzzz")
	if err != nil {
		t.Fatal(err)
	}
	tm := time.Unix(1704067199, 0).In(zone(t, "Asia/Kolkata"))
	if got := string(p.Append(nil, tm, Locale{"de", "DE"})); got != "India Standard Time" {
		t.Errorf("got %q", got)
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	p, err := ParsePattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]byte, 0, 64)
	now := time.Date(2024, 3, 5, 7, 8, 9, 0, time.UTC)
	if n := testing.AllocsPerRun(100, func() { dst = p.Append(dst[:0], now, JMeter) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if string(dst) != "2024-03-05T07:08:09.000Z" {
		t.Errorf("got %s", dst)
	}
}
