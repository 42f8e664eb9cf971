package http

import (
	"strings"
	"testing"

	"github.com/gojm/gojm/engine/http/wire"
)

func TestAuthParams(t *testing.T) {
	for _, c := range []struct{ in, name, want string }{
		{`realm="a, \"b\"", nonce=x , qop="auth,auth-int"`, "realm", `a, "b"`},
		{`realm="a, \"b\"", nonce=x , qop="auth,auth-int"`, "nonce", "x"},
		{`realm="a, \"b\"", nonce=x , qop="auth,auth-int"`, "qop", "auth,auth-int"},
		{`,,Realm = a`, "realm", "a"},
		{`realm="open`, "realm", "open"},
		{`token, realm=a`, "realm", "a"},
	} {
		if got := authParams(c.in)[c.name]; got != c.want {
			t.Errorf("%s: %s=%q, want %q", c.in, c.name, got, c.want)
		}
	}
}

// The example of RFC 2617, section 3.5, without qop as RFC 2069 has it.
func TestDigestWithoutQop(t *testing.T) {
	c := credentials{user: "Mufasa", password: "CircleOfLife"}
	got := c.digest(&challenge{params: authParams(`realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"`)},
		&wire.Request{Method: "GET", Target: "/dir/index.html"})
	want := `Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", response="1949323746fe6a43ef61f9606e7febea", algorithm=MD5, opaque="5ccc069c403ebaf9f0171e9517f40e41"`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// With qop the answer is checked as a server does (RFC 7616, section 3.4.1).
func TestDigestWithQop(t *testing.T) {
	for _, c := range []struct{ ask, method, body, qop string }{
		{`realm="r", nonce="n", qop="auth"`, "GET", "", "auth"},
		{`realm="r", nonce="n", qop="auth,auth-int"`, "POST", "a=1", "auth-int"},
		{`realm="r", nonce="n", qop="auth-int, auth"`, "GET", "", "auth"},
		{`realm="r", nonce="n", qop="auth", algorithm=MD5-sess`, "GET", "", "auth"},
		{`realm="r", nonce="n", qop="auth", algorithm=SHA-256`, "GET", "", "auth"},
	} {
		who := credentials{user: "u", password: "p"}
		ch := challenge{params: authParams(c.ask)}
		got := authParams(strings.TrimPrefix(who.digest(&ch, &wire.Request{Method: c.method, Target: "/x", Body: []byte(c.body)}), "Digest "))
		sum := summer(hashOf(ch.params["algorithm"]))
		h1 := sum("u", "r", "p")
		if strings.HasSuffix(ch.params["algorithm"], "-sess") {
			h1 = sum(h1, "n", got["cnonce"])
		}
		h2 := sum(c.method, "/x")
		if c.qop == "auth-int" {
			h2 = sum(c.method, "/x", sum(c.body))
		}
		if want := sum(h1, "n", "00000001", got["cnonce"], c.qop, h2); got["qop"] != c.qop || got["response"] != want || got["nc"] != "00000001" {
			t.Errorf("%s: %v, want %s", c.ask, got, want)
		}
	}
	for _, ask := range []string{`realm="r", nonce="n", qop="secret"`, `realm="r", nonce="n", algorithm=WHIRLPOOL`} {
		if got := (&credentials{user: "u"}).digest(&challenge{params: authParams(ask)}, &wire.Request{Method: "GET", Target: "/"}); got != "" {
			t.Errorf("%s: %s", ask, got)
		}
	}
}

// A server that is never content is asked a bounded number of times.
func TestDialogueEnds(t *testing.T) {
	of := func(string) (credentials, bool) { return credentials{user: "u", password: "p"}, true }
	for _, list := range [][]challenge{
		{{scheme: "basic", params: map[string]string{}}},
		{{scheme: "digest", params: map[string]string{"nonce": "n", "stale": "true"}}},
		{{scheme: "ntlm", token: "!!"}},
		{{scheme: "negotiate"}},
		nil,
	} {
		var d dialogue
		n := 0
		for d.answer(list, of, &wire.Request{Method: "GET", Target: "/"}) != "" {
			if n++; n > maxSteps {
				t.Fatalf("%v: no end", list)
			}
		}
	}
}

func FuzzChallenge(f *testing.F) {
	f.Add(`realm="a", nonce=b, qop="auth"`)
	f.Add(`realm="a\`)
	f.Add(`,=,"`)
	f.Fuzz(func(t *testing.T, s string) {
		p := authParams(s)
		for name := range p {
			if strings.ContainsAny(name, ",=") {
				t.Fatalf("%q: name %q", s, name)
			}
		}
		(&credentials{user: "u"}).digest(&challenge{params: p}, &wire.Request{Method: "GET", Target: "/"})
	})
}
