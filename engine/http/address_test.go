package http

import (
	"errors"
	"testing"

	"github.com/gojm/gojm/engine/http/wire"
)

// What java.net.URL makes of a Location on a page.
func TestResolveAddress(t *testing.T) {
	const page = "http://shop.test:8080/a/b/page?x=1#top"
	for _, c := range []struct{ location, want string }{
		{"/c", "http://shop.test:8080/c"},
		{"c", "http://shop.test:8080/a/b/c"},
		{"c/./d", "http://shop.test:8080/a/b/c/d"},
		{"../c", "http://shop.test:8080/a/c"},
		{"../../../c", "http://shop.test:8080/c"},
		{"/../c", "http://shop.test:8080/../c"},
		{"?y=2", "http://shop.test:8080/a/b/?y=2"},
		{"#end", "http://shop.test:8080/a/b/page?x=1#end"},
		{"", "http://shop.test:8080/a/b/page?x=1#top"},
		{"//other.test/x", "http://other.test/x"},
		{"http://other.test", "http://other.test"},
		{"http:/c", "http://shop.test:8080/c"},
		{"HTTPS://Other.test:8443/x?q", "https://Other.test:8443/x?q"},
		{" /blank ", "http://shop.test:8080/blank"},
		{"/a/b/..", "http://shop.test:8080/a"},
		{"/a/.", "http://shop.test:8080/a/."},
		{"/a/./b", "http://shop.test:8080/a/./b"},
		{"http://shop.test:8080/a/./b", "http://shop.test:8080/a/./b"},
		{"/x?u=http://a/../b", "http://shop.test:8080/x?u=http://a/../b"},
		{"http://[::1]:81/x", "http://[::1]:81/x"},
	} {
		base, err := parseAddress(page, true)
		if err != nil {
			t.Fatal(err)
		}
		x := exchange{s: &sampler{sh: &shared{settings: settings{slashDotDot: true}}}}
		to, err := x.target(base, c.location)
		if err != nil || to.text != c.want {
			t.Errorf("%q: %v, %v, want %s", c.location, to, err, c.want)
		}
	}
}

// Where HttpClient 4.5.13 goes by itself, as seen on the wire.
func TestFollowed(t *testing.T) {
	const page = "http://shop.test:8080/a/b/page?x=1"
	for _, c := range []struct{ location, want string }{
		{"/c", "http://shop.test:8080/c"},
		{"c/./d/../e", "http://shop.test:8080/a/b/c/e"},
		{"../../../c", "http://shop.test:8080/c"},
		{"/a/.", "http://shop.test:8080/a"},
		{".", "http://shop.test:8080/a/b/"},
		{"/c/%2e%2e/d", "http://shop.test:8080/d"},
		{"/%7e%41/%2F%c3%a9", "http://shop.test:8080/~A/%2F%C3%A9"},
		{"?y=2", "http://shop.test:8080/a/b/page?y=2"},
		{"", "http://shop.test:8080/a/b/page?x=1"},
		{"#end", "http://shop.test:8080/a/b/page?x=1#end"},
		{"HTTP://Other.Test/X?Y", "http://other.test/X?Y"},
		{"//Other.test", "http://other.test/"},
		{"http:/c", ""},
		{"mailto:a@b", ""},
		{"/a b", ""},
	} {
		from, err := parseAddress(page, true)
		if err != nil {
			t.Fatal(err)
		}
		to, err := followed(from, c.location)
		if got := ""; err == nil {
			if got = to.text; got != c.want {
				t.Errorf("%q: %s, want %s", c.location, got, c.want)
			}
		} else if c.want != "" {
			t.Errorf("%q: %v, want %s", c.location, err, c.want)
		}
	}
}

func TestAddressParts(t *testing.T) {
	for _, c := range []struct{ url, host, target, header string }{
		{"http://a.test", "a.test", "/", "a.test"},
		{"http://a.test:8080/x", "a.test", "/x", "a.test:8080"},
		{"http://a.test:80/x", "a.test", "/x", "a.test:80"},
		{"https://a.test/x#f?y", "a.test", "/x", "a.test"},
		{"http://user:secret@a.test/x", "a.test", "/x", "a.test"},
		{"http://a.test?q=1", "a.test", "/?q=1", "a.test"},
		{"http://a.test//x///y?u=//z", "a.test", "/x/y?u=//z", "a.test"},
		{"http://a.test/caf\u00e9?\u4f60", "a.test", "/caf%C3%A9?%E4%BD%A0", "a.test"},
		{"http://[::1]:81/", "[::1]", "/", "[::1]:81"},
		{"http://a.test/%7e%7E", "a.test", "/%7e%7E", "a.test"},
	} {
		a, err := parseAddress(c.url, true)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		if a.bad != nil || a.host != c.host || a.target != c.target || string(a.appendHostHeader(nil)) != c.header {
			t.Errorf("%s: %q %q %q %v, want %q %q %q", c.url, a.host, a.target, a.appendHostHeader(nil), a.bad, c.host, c.target, c.header)
		}
	}
}

// What JMeter reports of addresses that lead nowhere.
func TestBadAddresses(t *testing.T) {
	for _, c := range []struct{ url, class, message string }{
		{"nosuch://x", classMalformed, "unknown protocol: nosuch"},
		{"/path", classMalformed, "no protocol: /path"},
		{"http://a:b/", classMalformed, `Error at index 0 in: "b"`},
		{"http://a:-5/", classMalformed, "Invalid port number :-5"},
		{"http://a/x y", classSyntax, "Illegal character in path at index 10: http://a/x y"},
		{"http://a/?q=|", classSyntax, "Illegal character in query at index 12: http://a/?q=|"},
		{"http://a/%zz", classSyntax, "Malformed escape pair at index 9: http://a/%zz"},
		{"http://:80/", classProtocol, "URI does not specify a valid host name: http://:80/"},
		{"ftp://a:21/", classScheme, "ftp protocol is not supported"},
	} {
		a, err := parseAddress(c.url, true)
		if err == nil {
			err = a.bad
		}
		var e *wire.Error
		if !errors.As(err, &e) || e.Class != c.class || e.Message != c.message {
			t.Errorf("%s: %v, want %s: %s", c.url, err, c.class, c.message)
		}
	}
}

func TestSanitize(t *testing.T) {
	for in, want := range map[string]string{
		"http://a/x y?q=a b#c d": "http://a/x%20y?q=a%20b#c%20d",
		"http://a/fine":          "http://a/fine",
		"http://a/%zz|":          "http://a/%25zz%7C",
		"http://a/\u00e9 ":       "http://a/\u00e9",
		"http://a/{id}":          "http://a/%7Bid%7D",
	} {
		a, err := parseAddress(in, true)
		if err != nil {
			t.Fatal(err)
		}
		b, err := sanitize(a, true)
		if err != nil || b.text != want || b.bad != nil {
			t.Errorf("%s: %v, %v, want %s", in, b, err, want)
		}
	}
}

func TestNormalized(t *testing.T) {
	for in, want := range map[string]string{
		"http://a/x/../y":    "http://a/y",
		"http://a//x/./y/?q": "http://a/x/y/?q",
		"http://a/x/..":      "http://a/",
		"http://a/x?u=../z":  "http://a/x?u=../z",
	} {
		a, err := newAddress("http", "a", in[len("http://a"):], true)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := a.normalized(); err != nil || b.text != want {
			t.Errorf("%s: %v, %v, want %s", in, b, err, want)
		}
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"http://a.test:80/x/../y?q#f", "//b", "?x", "http:c", "https://[::1]:1/", "http://u@h/ a", "file:/x", "http://a/\u00e9%zz"} {
		f.Add(s)
	}
	base, err := parseAddress("http://shop.test/a/b?c", true)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := resolveAddress(base, s, true)
		if err != nil {
			return
		}
		if a.scheme != "file" && a.bad == nil {
			for i := range len(a.target) {
				if c := a.target[i]; c <= ' ' || c > '~' {
					t.Fatalf("%q: target %q", s, a.target)
				}
			}
			if a.host == "" || a.target == "" {
				t.Fatalf("%q: %+v", s, a)
			}
		}
		if b, err := sanitize(a, false); err == nil && b.syntax {
			t.Fatalf("%q: not sane: %q", s, b.text)
		}
		if n, err := a.normalized(); err == nil && n == nil {
			t.Fatalf("%q: nothing", s)
		}
	})
}
