package http

import (
	"testing"
	"time"

	"github.com/gojm/gojm/engine/vu"
)

func newJar(policy string) *jar {
	m := &cookieManager{policy: policies[policy], deleteEmpty: true, check: true, evaluate: true}
	run := &vu.Run{Props: vu.NewProperties(), Log: discard()}
	t := vu.NewThread(&vu.Group{Run: run}, 0, "u", vu.NewVars(vu.NewNames()))
	return &jar{m: m, t: t, filled: true}
}

func at(t *testing.T, url string) *address {
	t.Helper()
	a, err := parseAddress(url, true)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Which cookies go where, by RFC 6265.
func TestCookiesGoWhereTheyBelong(t *testing.T) {
	for _, c := range []struct{ name, from, set, to, want string }{
		{"same page", "http://a.test/x", "k=v", "http://a.test/x", "k=v"},
		{"default path is the directory", "http://a.test/d/x", "k=v", "http://a.test/d/y", "k=v"},
		{"and not above", "http://a.test/d/x", "k=v", "http://a.test/y", ""},
		{"and not beside", "http://a.test/d/x", "k=v", "http://a.test/dd/y", ""},
		{"path", "http://a.test/", "k=v; Path=/d", "http://a.test/d/e", "k=v"},
		{"path with slash", "http://a.test/", "k=v; Path=/d/", "http://a.test/d/e", "k=v"},
		{"host only", "http://a.test/", "k=v", "http://www.a.test/", ""},
		{"domain", "http://www.a.test/", "k=v; Domain=a.test", "http://b.a.test/", "k=v"},
		{"domain with a dot", "http://www.a.test/", "k=v; Domain=.a.test", "http://a.test/", "k=v"},
		{"domain in capitals", "http://www.a.test/", "k=v; Domain=A.Test", "http://a.test/", "k=v"},
		{"foreign domain", "http://www.a.test/", "k=v; Domain=b.test", "http://b.test/", ""},
		{"not a suffix of a label", "http://www.a.test/", "k=v; Domain=a.test", "http://xa.test/", ""},
		{"address has no subdomains", "http://127.0.0.1/", "k=v; Domain=0.0.1", "http://127.0.0.1/", ""},
		{"secure to http", "https://a.test/", "k=v; Secure", "http://a.test/", ""},
		{"secure to https", "http://a.test/", "k=v; Secure", "https://a.test/", "k=v"},
		{"ports share cookies", "http://a.test:81/", "k=v", "http://a.test:82/", "k=v"},
		{"max-age 0", "http://a.test/", "k=v; Max-Age=0", "http://a.test/", ""},
		{"max-age beats expires", "http://a.test/", "k=v; Expires=Thu, 01 Jan 1970 00:00:10 GMT; Max-Age=60", "http://a.test/", "k=v"},
		{"bad max-age", "http://a.test/", "k=v; Max-Age=soon", "http://a.test/", "k=v"},
		{"bad expires", "http://a.test/", "k=v; Expires=soon", "http://a.test/", ""},
		{"the epoch is no time", "http://a.test/", "k=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "http://a.test/", "k=v"},
		{"empty value", "http://a.test/", "k=", "http://a.test/", ""},
		{"no value", "http://a.test/", "k; Path=/", "http://a.test/", ""},
		{"quoted", "http://a.test/", `k="v"`, "http://a.test/", "k=v"},
		{"blank inside", "http://a.test/", `k="v w"`, "http://a.test/", `k="v w"`},
		{"equals inside", "http://a.test/", `k=a=b`, "http://a.test/", `k=a=b`},
		{"blanks around", "http://a.test/", " k = v ; Path = / ", "http://a.test/", "k=v"},
		{"empty domain", "http://a.test/", "k=v; Domain=", "http://a.test/", ""},
		{"blank path", "http://a.test/d/x", "k=v; Path=", "http://a.test/y", "k=v"},
	} {
		j := newJar("standard")
		j.set(j.t, c.set, at(t, c.from))
		if got := j.header(at(t, c.to)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCookieOrderAndReplacement(t *testing.T) {
	j := newJar("standard")
	from := at(t, "http://a.test/d/x")
	for _, s := range []string{"a=1; Path=/", "b=2; Path=/d", "c=3; Path=/", "a=9; Path=/", "b=; Path=/d", "d=4; Path=/d"} {
		j.set(j.t, s, from)
	}
	if got, want := j.header(from), "d=4; c=3; a=9"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSavedCookies(t *testing.T) {
	j := newJar("standard")
	j.m.save, j.m.prefix = true, "COOKIE_"
	j.set(j.t, "id=42", at(t, "http://a.test/"))
	if v, _ := j.t.Vars.Get("COOKIE_id"); v != "42" {
		t.Errorf("COOKIE_id = %q", v)
	}
}

func TestCookieDates(t *testing.T) {
	want := time.Date(2098, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, s := range []string{"Thu, 02 Jan 2098 03:04:05 GMT", "Thu, 02-Jan-2098 03:04:05 GMT", "Thursday, 02-Jan-98 03:04:05 GMT", "Thu Jan  2 03:04:05 2098", "2 jan 2098 3:4:5"} {
		got, ok := cookieDate(s)
		if s[0] == 'T' && len(s) > 10 && s[3] == 'r' { // two digits: 1998
			if !ok || got.Year() != 1998 {
				t.Errorf("%s: %v %v", s, got, ok)
			}
			continue
		}
		if !ok || !got.Equal(want) {
			t.Errorf("%s: %v %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "soon", "Thu, 32 Jan 2098 03:04:05 GMT", "02 Jan 2098", "02 Jan 1500 03:04:05", "02 Foo 2098 03:04:05"} {
		if got, ok := cookieDate(s); ok {
			t.Errorf("%q: %v", s, got)
		}
	}
}

// What JMeter 5.6.3 sends back by the policy standard.
func TestQuotedCookieValues(t *testing.T) {
	for set, want := range map[string]string{
		`a="b"`:                        `a=b`,
		`q="a;b"`:                      `q="a;b"`,
		`q=a"b`:                        `q=ab`,
		`q="unterminated`:              `q=unterminated`,
		`z="a;b"; Path=/; Max-Age=100`: `z="a;b"`,
		`s=two  words ; Path=/`:        `s="two words"`,
		`e="a\"b"`:                     `e="a\"b"`,
		`b="x"y"z"`:                    `b=xyz`,
		`d=1; Expires=Wed, 21 Oct 2199 07:28:00 GMT; Secure=`: ``,
	} {
		j := newJar("standard")
		j.set(j.t, set, at(t, "http://a.test/"))
		if got := j.header(at(t, "http://a.test/")); got != want {
			t.Errorf("%s: %q, want %q", set, got, want)
		}
	}
}

func TestOldCookiePolicies(t *testing.T) {
	for _, c := range []struct{ policy, set, want string }{
		{"rfc2109", `k="v"; Version=1; Path="/"`, `$Version=1; k="v"; $Path="/"`},
		{"rfc2109", `k=v; Domain=a.test`, "$Version=0; k=v; $Domain=a.test"},
		{"rfc2109", `k=v; Domain=test`, ""},
		{"rfc2109", `k=v; Expires=Thu, 02 Jan 2098 03:04:05 GMT; Path=/`, "$Version=0; k=v"},
		{"rfc2109", `k=v; Max-Age=x`, ""},
		{"standard-strict", `k=v; Max-Age=x`, ""},
		{"standard-strict", `k=v; Max-Age=-1`, ""},
		{"standard-strict", `k=v w; Max-Age=9`, `k="v w"`},
		{"standard", `k=v; Max-Age=x`, "k=v"},
		{"netscape", `k="v"`, `k="v"`},
		{"netscape", `k=v; Expires=Thu, 02 Jan 2098 03:04:05 GMT`, ""},
		{"netscape", `k=v; Expires=Thu, 02-Jan-98 03:04:05 GMT`, "k=v"},
		{"netscape", `k=v; Domain=a.test`, ""}, // three parts are needed
		{"default", `k=v; Expires=Thu, 02-Jan-2098 03:04:05 GMT`, "k=v"},
		{"default", `k=v; Domain=com`, ""},
		{"ignorecookies", `k=v`, ""},
		{"rfc2965", `k=v`, ""},
	} {
		j, page := newJar(c.policy), at(t, "http://a.test/")
		if c.policy == "netscape" {
			page = at(t, "http://www.a.test/")
		}
		j.set(j.t, c.set, page)
		if got := j.header(page); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.policy, c.set, got, c.want)
		}
	}
}

// A plan's own cookies have version 1: what the policies make of two of them was
// recorded from JMeter 5.6.3.
func TestVersionedCookies(t *testing.T) {
	list := []sent{
		{name: "a", value: "x", domain: "a.test", path: "/", pathSet: true, domainSet: true, version: 1},
		{name: "b", value: "y z", domain: "a.test", pathSet: true, domainSet: true, version: 1},
	}
	for policy, want := range map[string]string{
		"rfc2109":       `$Version=1; a="x"; $Path="/"; $Domain="a.test"; b="y z"; $Path=""; $Domain="a.test"`,
		"rfc2965":       `$Version=1; a="x"; $Path="/"; $Domain="a.test"; b="y z"; $Path=""; $Domain="a.test"`,
		"compatibility": `$Version=1; a="x"; $Path="/"; $Domain="a.test"$Version=1; b="y z"; $Path=""; $Domain="a.test"`,
		"netscape":      `a=x; b=y z`,
		"standard":      `a=x; b="y z"`,
	} {
		if got := string(policies[policy].format(nil, list, 1)); got != want {
			t.Errorf("%s: %s, want %s", policy, got, want)
		}
	}
}

func FuzzSetCookie(f *testing.F) {
	for _, s := range []string{"a=b", "a=\"b c\"; Path=/; Domain=.a.test", "a=1, b=2; expires=Wed, 01-Jan-2098 00:00:00 GMT", "=x", ";", "a=b; Max-Age=99999999999", "a=b; Version=1; Secure"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for policy := range policies {
			j := newJar(policy)
			from := at(t, "http://www.a.test/d/x")
			j.set(j.t, s, from)
			for _, c := range j.cookies {
				if domain := c.domain.Source(); policy == "standard" && domain != "www.a.test" && domain != "a.test" && domain != "test" {
					t.Fatalf("%s %q: cookie for %q", policy, s, domain)
				}
			}
			if h := j.header(at(t, "http://evil.example/")); h != "" {
				t.Fatalf("%s %q: sent elsewhere: %q", policy, s, h)
			}
		}
	})
}
