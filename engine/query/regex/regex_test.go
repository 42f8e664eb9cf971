package regex

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

func mustCompile(t testing.TB, pattern string, d Dialect) *Regexp {
	t.Helper()
	re, err := Compile(pattern, d)
	if err != nil {
		t.Fatal(err)
	}
	return re
}

func TestFindAllReturnsFlatOffsets(t *testing.T) {
	re := mustCompile(t, `<a href="([^"]+)"( x)?>`, ORO)
	got := re.FindAll(nil, []byte(`<a href="/1"><a href="/2" x>`), -1)
	want := []int{0, 13, 9, 11, -1, -1, 13, 28, 22, 24, 25, 27}
	if !slices.Equal(got, want) || re.Groups() != 2 || re.Stride() != 6 {
		t.Errorf("FindAll = %v, want %v", got, want)
	}
	if got := re.FindAll(nil, []byte(`<a href="/1"><a href="/2" x>`), 1); !slices.Equal(got, want[:6]) {
		t.Errorf("FindAll of 1 = %v, want %v", got, want[:6])
	}
}

// Offsets are in bytes, and count what is not UTF-8 as one character a byte.
func TestOffsetsAreBytes(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          []int
	}{
		{`ü(.)`, "größe grüße", []int{10, 14, 12, 14}},
		{`.`, "\xff", []int{0, 1}},
		{`a..b`, "a\xe2\x82b", []int{0, 4}},
		{`[^a]+b`, "a\xe2\x82b", []int{1, 4}},
		{`[^x]*€`, "a€€b", []int{0, 7}},
		{`\x{1F600}`, "a😀", []int{1, 5}},
		{`[😀-😂]+`, "a😀😁", []int{1, 9}},
	} {
		d := ORO
		if strings.Contains(c.pattern, "x{") {
			d = Java
		}
		if got := mustCompile(t, c.pattern, d).FindString(nil, c.text, 0); !slices.Equal(got, c.want) {
			t.Errorf("%s on %q = %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
}

func TestFindFromSeesWhatIsBefore(t *testing.T) {
	for _, c := range []struct {
		pattern string
		from    int
		want    []int
	}{
		{`b`, 1, []int{1, 2}},
		{`\bb`, 1, nil},
		{`^b`, 1, nil},
		{`(?<=a)b`, 1, []int{1, 2}},
		{`\Gb`, 1, []int{1, 2}},
		{`b`, 2, nil},
		{`$`, 2, []int{2, 2}},
		{`$`, 3, nil},
	} {
		if got := mustCompile(t, c.pattern, Java).FindString(nil, "ab", c.from); !slices.Equal(got, c.want) {
			t.Errorf("%s from %d = %v, want %v", c.pattern, c.from, got, c.want)
		}
	}
}

// JMeter 5.6.3, Response Assertion of type Matches: foo|foot does not match foot.
func TestMatchesTakesTheFirstWayInORO(t *testing.T) {
	for _, c := range []struct {
		pattern   string
		oro, java bool
	}{
		{`foo|foot`, false, true},
		{`foot|foo`, true, true},
		{`(?:foo|foot)$`, true, true},
		{`.*?`, false, true},
		{`fo*t`, true, true},
		{`oot`, false, false},
	} {
		if got := mustCompile(t, c.pattern, ORO).MatchesString("foot"); got != c.oro {
			t.Errorf("ORO %s matches foot: %v", c.pattern, got)
		}
		if got := mustCompile(t, c.pattern, Java).MatchesString("foot"); got != c.java {
			t.Errorf("Java %s matches foot: %v", c.pattern, got)
		}
	}
}

func TestNamedGroups(t *testing.T) {
	re := mustCompile(t, `(?<user>\w+)@(?<host>\w+)`, Java)
	if re.GroupIndex("user") != 1 || re.GroupIndex("host") != 2 || re.GroupIndex("x") != -1 {
		t.Errorf("GroupIndex: %d %d %d", re.GroupIndex("user"), re.GroupIndex("host"), re.GroupIndex("x"))
	}
}

func TestErrorText(t *testing.T) {
	for _, c := range []struct {
		pattern string
		d       Dialect
		want    string
	}{
		{`(a`, ORO, "Invalid expression: (a\nUnmatched parentheses."},
		{`(?<=a)b`, ORO, "Invalid expression: (?<=a)b\nSequence (?<...) not recognized"},
		{`*a`, Java, "Dangling meta character '*' near index 0\n*a\n^"},
	} {
		_, err := Compile(c.pattern, c.d)
		var e *Error
		if !errors.As(err, &e) || err.Error() != c.want {
			t.Errorf("Compile(%q) = %q, want %q", c.pattern, err, c.want)
		}
	}
}

// Patterns that keep a plain backtracking engine busy for ever, or overflow its
// stack: all but the last are answered, and that one is given up and says so.
func TestSearchesAreBounded(t *testing.T) {
	long := strings.Repeat("a", 30_000)
	lines := strings.Repeat("0123456789 abcdefghijk\n", 15_000)
	for _, c := range []struct {
		pattern, text string
		matches, gave bool
		linear        bool
	}{
		{`(a+)+$`, long + "!", false, false, true},
		{`(?:a|aa)+b`, long, false, false, true},
		{`(x+x+)+y`, strings.Repeat("x", 3000), false, false, true},
		{`\w+@\w+`, long, false, false, true},
		{`(.|\n)*z`, lines, false, false, true},
		{`(.|\n)*?z`, lines, false, false, true},
		{`(?:.|\n)*k`, lines, true, false, true},
		{`(?:[^<]|<(?!x))*k`, lines, true, false, true},
		{`.*.*.*=.*`, long[:3000], false, false, true},
		{`(a*)*\1b`, long[:40], false, true, false},
	} {
		re := mustCompile(t, c.pattern, ORO)
		if got := re.ContainsString(c.text); got != c.matches {
			t.Errorf("%s: %v", c.pattern, got)
		}
		if re.Exhausted() != c.gave {
			t.Errorf("%s: exhausted %v", c.pattern, re.Exhausted())
		}
		if re.Linear() != c.linear {
			t.Errorf("%s: linear %v", c.pattern, re.Linear())
		}
	}
}

// The forms that plans use (census of public plans) are linear, and a search that
// reuses its slice allocates nothing.
func TestUsualPatternsAreLinearAndAllocateNothing(t *testing.T) {
	body := []byte(strings.Repeat("<li class=\"x\"><a href=\"/item/17?s=abc\">Item</a></li>\n", 40) +
		`<input type="hidden" name="token" value="f00-ba4" />`)
	for _, pattern := range []string{
		`name="token" value="(.+?)"`,
		`name="token"\s+value="([^"]*)"`,
		`(?s)<li class="x">(.*?)</li>`,
		`(?i)NAME="(\w+)"`,
		`"access_token"\s*:\s*"([^"]+)"`,
		`href="/item/(\d+)\?s=([a-z]+)"`,
		`jsessionid=([A-Z0-9]+)`,
		`(\d{4})-(\d{2})`,
		`value="(.*)" />`,
	} {
		re := mustCompile(t, pattern, ORO)
		if !re.Linear() {
			t.Errorf("%s is not linear", pattern)
		}
		m := re.Find(make([]int, 0, re.Stride()), body, 0)
		if n := testing.AllocsPerRun(20, func() { m = re.Find(m, body, 0) }); n > 0 && !raceEnabled {
			t.Errorf("%s: %v allocations", pattern, n)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, p := range []string{`a(b|c)*?\1[[:alpha:]^-\d]{2,3}(?=x)(?i)`, `(?<n>a)++(?<=b{1,3})[a-c&&[^b]]\p{Lu}\Qx\E`, `(?x) a # b`} {
		f.Add(p, "aabcxX\n", true)
		f.Add(p, "é\xff", false)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, oro bool) {
		d := Java
		if oro {
			d = ORO
		}
		if len(pattern) > 200 || len(text) > 200 {
			return
		}
		re, err := Compile(pattern, d)
		if err != nil {
			return
		}
		b := []byte(text)
		all := re.FindAll(nil, b, 50)
		if len(all)%re.Stride() != 0 {
			t.Fatalf("%d offsets, stride %d", len(all), re.Stride())
		}
		for i := 0; i < len(all); i += 2 {
			lo, hi := all[i], all[i+1]
			if (lo < 0) != (hi < 0) || lo > hi || hi > len(b) {
				t.Fatalf("%q on %q: bad pair %d,%d", pattern, text, lo, hi)
			}
		}
		if re.Contains(b) != (len(all) > 0) && !re.Exhausted() {
			t.Fatalf("%q on %q: Contains and FindAll disagree", pattern, text)
		}
		re.Matches(b)
	})
}

func BenchmarkFind(b *testing.B) {
	page := bytes.Repeat([]byte("<li class=\"item\"><a href=\"/item/17?s=abc\">Item number 17</a> costs 12.50</li>\n"), 256) // 20 KB
	page = append(page, `<input type="hidden" name="token" value="f00-ba4" /></html>`...)
	for name, pattern := range map[string]string{
		"literal":   `name="token" value="(.+?)"`,
		"class":     `value="([^"]+)" />`,
		"fold":      `(?i)NAME="(\w+)"`,
		"lazy-line": `(?s)number 17(.*?)token`,
		"backtrack": `(\w+) (\w+)="token"`,
		"none":      `"access_token"\s*:\s*"([^"]+)"`,
		"star-head": `.*name="(.*?)"`,
	} {
		b.Run(name, func(b *testing.B) {
			re := mustCompile(b, pattern, ORO)
			m := make([]int, 0, re.Stride())
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			for b.Loop() {
				m = re.Find(m, page, 0)
			}
		})
	}
}
