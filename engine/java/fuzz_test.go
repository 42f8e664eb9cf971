package java

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func FuzzPattern(f *testing.F) {
	f.Add("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2024-03-05T07:08:09.000Z", "en_EN")
	f.Add("[[yyyy]ppHH]B{", "x", "fr")
	f.Add("zzzz VV Y'w'w e", "Central European Standard Time Europe/Paris 2024w10 2", "de_DE")
	f.Fuzz(func(t *testing.T, pattern, text, loc string) {
		if len(pattern) > 200 || len(text) > 1000 {
			return
		}
		l, err := ParseLocale(loc)
		if err != nil {
			l = JMeter
		}
		p, err := ParsePattern(pattern)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a message")
			}
			return
		}
		out := string(p.Append(nil, time.Unix(1709618889, 5e8).UTC(), l))
		if utf8.ValidString(pattern) && !utf8.ValidString(out) {
			t.Errorf("%q wrote %q", pattern, out)
		}
		if fields, err := p.Parse(text, l); err == nil {
			if _, err := p.AppendParsed(nil, fields, l); err != nil && err.Error() == "" {
				t.Error("an error without a message")
			}
		}
	})
}

// What a pattern wrote it reads back as the same instant, when it holds a whole date, time, offset.
func TestWrittenDatesReadBack(t *testing.T) {
	for _, pattern := range []string{"yyyyMMddHHmmssSSSX", "yyyy-MM-dd'T'HH:mm:ss.SSSxxx", "d MMM uuuu h:mm:ss.SSS a Z", "DDD/yyyy k:m:s.SSSSSSSSS XXX"} {
		p, err := ParsePattern(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, sec := range []int64{0, 1709618889, 951782400, 1735689599, -1} {
			want := time.Unix(sec, 5e6).In(OffsetZone(5*3600 + 1800))
			f, err := p.Parse(string(p.Append(nil, want, JMeter)), JMeter)
			if err != nil {
				t.Errorf("%s: %v", pattern, err)
				continue
			}
			if got, err := f.Zoned(); err != nil || !got.Equal(want) {
				t.Errorf("%s: got %v %v, want %v", pattern, got, err, want)
			}
		}
	}
}

func FuzzNumberTexts(f *testing.F) {
	for _, s := range []string{"#,##0.00;(0)", "%08.2f|%,d", "-12.50E+3", "P1DT2.5S", "0x7f", "http://h/a?b= %zz", "a+%C3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 500 {
			return
		}
		if df, err := ParseDecimalFormat(s); err == nil {
			df.FormatDouble(-1234.5)
		}
		if _, err := Format(s, []any{int32(-5), 2.5, "x", nil, true, Char('c'), DecimalOf(7)}, nil); err != nil && err.Error() == "" && s == "" {
			t.Error("an empty format failed")
		}
		if d, err := ParseDecimal(s); err == nil && d.scale < 1000 && d.scale > -1000 {
			if back, err := ParseDecimal(d.String()); err != nil || !back.Equal(d) {
				t.Errorf("%q: %s does not read back: %s %v", s, d, back, err)
			}
		}
		if d, err := ParseDuration(s); err == nil {
			if back, err := ParseDuration(d.String()); err != nil || back != d {
				t.Errorf("%q: %s does not read back: %v %v", s, d, back, err)
			}
		}
		if v, err := ParseDouble(s); err == nil && v == v {
			if back, err := ParseDouble(FormatDouble(v)); err != nil || back != v {
				t.Errorf("%q: %v does not read back: %v %v", s, v, back, err)
			}
		}
		if utf8.ValidString(s) {
			if back, err := URLDecode(URLEncode(s, UTF8), UTF8); err != nil || back != s {
				t.Errorf("%q comes back as %q %v", s, back, err)
			}
		}
		for _, err := range []error{CheckURI(s), second(URLDecode(s, UTF8)), second(UnescapeJava(s)), second(UnescapeHTML(s)), second(Decode(s, 32))} {
			if err != nil && err.Error() == "" {
				t.Errorf("%q: an error without a message", s)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestSubstringAndIndexes(t *testing.T) {
	const s = "aé😀b"
	if n := Length(s); n != 5 {
		t.Errorf("length %d", n)
	}
	for _, c := range []struct {
		begin, end int
		want       string
		ok         bool
	}{{0, 5, s, true}, {1, 2, "é", true}, {2, 4, "😀", true}, {2, 3, "\uFFFD", true}, {4, 5, "b", true}, {5, 5, "", true},
		{0, 6, "", false}, {-1, 2, "", false}, {3, 2, "", false}} {
		if got, ok := Substring(s, c.begin, c.end); got != c.want || ok != c.ok {
			t.Errorf("Substring(%d, %d) = %q %v", c.begin, c.end, got, ok)
		}
	}
	if got := IndexOf(s, "b", 0); got != 4 {
		t.Errorf("IndexOf %d", got)
	}
	if got := IndexOf(s, "a", 1); got != -1 {
		t.Errorf("IndexOf from 1 %d", got)
	}
	if got := LastIndexOf("banana", "an", 2); got != 1 {
		t.Errorf("LastIndexOf %d", got)
	}
	if u, ok := CharAt(s, 2); !ok || u != 0xD83D {
		t.Errorf("CharAt %x %v", u, ok)
	}
	if u, ok := CharAt(s, 3); !ok || u != 0xDE00 {
		t.Errorf("CharAt %x %v", u, ok)
	}
	if _, ok := CharAt(s, 5); ok {
		t.Error("CharAt beyond the end")
	}
	if got := strings.ToUpper("x"); got != ToUpper("x") {
		t.Errorf("got %q", got)
	}
}
