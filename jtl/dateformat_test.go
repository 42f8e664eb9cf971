package jtl

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"
)

// testdata/jtl/dates.tsv holds what Java 17 makes of patterns and dates, in the
// English locale and Berlin's time zone.
func TestDatesAsJava(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("../testdata/jtl/dates.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(b), "\n"), "\n") {
		f := strings.Split(line, "\t")
		d, err := NewDateFormat(f[1], berlin)
		switch f[0] {
		case "C":
			if (err == nil) != (f[2] == "ok") {
				t.Errorf("pattern %q: %v, Java says %s", f[1], err, f[2])
			}
		case "F":
			if err != nil {
				t.Error(err)
				continue
			}
			ms, err := strconv.ParseInt(f[2], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(d.Append(nil, ms)); got != f[3] {
				t.Errorf("format %q of %d: %q, Java says %q", f[1], ms, got, f[3])
			}
		case "P":
			if err != nil {
				t.Error(err)
				continue
			}
			got := "error"
			if ms, err := d.Parse([]byte(f[2]), f[3] == "true"); err == nil {
				got = strconv.FormatInt(ms, 10)
			}
			if got != f[4] {
				t.Errorf("parse %q by %q, lenient %s: %s, Java says %s", f[2], f[1], f[3], got, f[4])
			}
		default:
			t.Fatalf("unknown line %q", line)
		}
	}
}

// testdata/jtl/summertime.tsv holds what Java 17 makes of dates around the hours
// that summer time repeats and leaves out.
func TestSummerTimeAsJava(t *testing.T) {
	b, err := os.ReadFile("../testdata/jtl/summertime.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(b), "\n"), "\n") {
		f := strings.Split(line, "\t")
		zone, err := time.LoadLocation(f[0])
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDateFormat("yyyy-MM-dd HH:mm:ss", zone)
		if err != nil {
			t.Fatal(err)
		}
		ms, err := d.Parse([]byte(f[1]), true)
		if err != nil || strconv.FormatInt(ms, 10) != f[2] {
			t.Errorf("%s in %s: %d %v, Java says %s", f[1], f[0], ms, err, f[2])
		}
	}
}
