package http

import (
	"cmp"
	"crypto/md5"
	"errors"
	"fmt"
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
		{`realm="\a\\"; more="x, y", nonce=b`, "realm", `\a\`},
		{`realm="\a\\"; more="x, y", nonce=b`, "nonce", "b"},
		{`realm= two  words , x`, "realm", "two words"},
	} {
		if got := authParams(c.in)[c.name]; got != c.want {
			t.Errorf("%s: %s=%q, want %q", c.in, c.name, got, c.want)
		}
	}
}

// answers is what a scheme says to a challenge.
func answers(s authScheme, challenge string, c claim) (string, error) {
	if err := s.challenge(challenge); err != nil {
		return "", err
	}
	return s.answer(&c)
}

// The example of RFC 2617, section 3.5, without qop as RFC 2069 has it.
func TestDigestWithoutQop(t *testing.T) {
	got, err := answers(&digestScheme{}, `realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"`,
		claim{who: credentials{user: "Mufasa", password: "CircleOfLife"}, method: "GET", target: "/dir/index.html"})
	want := `Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", response="1949323746fe6a43ef61f9606e7febea", algorithm=MD5, opaque="5ccc069c403ebaf9f0171e9517f40e41"`
	if got != want || err != nil {
		t.Errorf("got\n%s\nwant\n%s (%v)", got, want, err)
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
		{`realm="r", nonce="n", qop="auth", algorithm="SHA-512/256"`, "GET", "", "auth"},
	} {
		params := authParams(c.ask)
		who := claim{who: credentials{user: "u", password: "p"}, method: c.method, target: "/x", body: c.body != "", content: &content{body: []byte(c.body)}}
		value, err := answers(&digestScheme{}, c.ask, who)
		if err != nil {
			t.Errorf("%s: %v", c.ask, err)
		}
		got := authParams(strings.TrimPrefix(value, "Digest "))
		newHash := digestHashes[strings.ToUpper(params["algorithm"])]
		if newHash == nil {
			newHash = md5.New
		}
		sum := summer(newHash, "")
		h1 := sum("u", "r", "p")
		if strings.HasSuffix(params["algorithm"], "-sess") {
			h1 = sum(h1, "n", got["cnonce"])
		}
		h2 := sum(c.method, "/x")
		if c.qop == "auth-int" {
			h2 = sum(c.method, "/x", sum(c.body))
		}
		if want := sum(h1, "n", "00000001", got["cnonce"], c.qop, h2); got["qop"] != c.qop || got["response"] != want || got["nc"] != "00000001" || got["algorithm"] != cmp.Or(params["algorithm"], "MD5") {
			t.Errorf("%s: %v, want %s", c.ask, got, want)
		}
	}
	for _, ask := range []string{`realm="r", nonce="n", qop="secret"`, `realm="r", nonce="n", qop="auth-int"`, `realm="r", nonce="n", algorithm=WHIRLPOOL`,
		`realm="r", nonce="n", algorithm=SHA-256-sess`, `realm="r"`, `nonce="n"`, ``} {
		if got, err := answers(&digestScheme{}, ask, claim{who: credentials{user: "u"}, method: "GET", target: "/"}); got != "" || err == nil {
			t.Errorf("%s: %s", ask, got)
		}
	}
}

// The same nonce is counted on, another one begins anew.
func TestDigestCount(t *testing.T) {
	var d digestScheme
	who := claim{who: credentials{user: "u", password: "p"}, method: "GET", target: "/"}
	var last map[string]string
	for _, step := range []struct{ nonce, count string }{{"a", "00000001"}, {"a", "00000002"}, {"b", "00000001"}} {
		value, err := answers(&d, `realm="r", qop="auth", stale=true, nonce="`+step.nonce+`"`, who)
		got := authParams(strings.TrimPrefix(value, "Digest "))
		if err != nil || got["nc"] != step.count || last != nil && (got["cnonce"] == last["cnonce"]) != (step.count != "00000001") {
			t.Errorf("%v: %v %v", step, got, err)
		}
		last = got
	}
}

// What header and hash have of a name beyond ASCII is HttpClient's.
func TestDigestCharset(t *testing.T) {
	who := claim{who: credentials{user: `Jä"ß€`, password: "p"}, method: "GET", target: "/"}
	for _, c := range []struct{ charset, hashed string }{{"", `J?"??`}, {", charset=UTF-8", `Jä"ß€`}, {", charset=no-such", `Jä"ß€`}} {
		value, err := answers(&digestScheme{}, `realm="r", nonce="n"`+c.charset, who)
		if err != nil || !strings.Contains(value, "Digest username=\"J\xe4\\\"\xdf?\", ") {
			t.Errorf("%s: %q %v", c.charset, value, err)
		}
		hash := func(s string) string { return fmt.Sprintf("%x", md5.Sum([]byte(s))) }
		if want := hash(hash(c.hashed+":r:p") + ":n:" + hash("GET:/")); authParams(value)["response"] != want {
			t.Errorf("%s: %s, want response %s", c.charset, value, want)
		}
	}
}

// step is a response and what HttpClient 4.5 makes of it.
type step struct {
	asked string // challenges parted by |, "" for a response that asks nothing
	again bool
	sends string // start of the header
}

// The talk goes as HttpClient's: which scheme, how often, when it ends.
func TestAuthState(t *testing.T) {
	secret := credentials{user: "u", password: "p"}
	for _, c := range []struct {
		name  string
		first authScheme // of what is sent unasked
		steps []step
	}{
		{"refused unasked", &basicScheme{}, []step{{`Basic realm="x"`, false, ""}}},
		{"refused unasked, though something better is offered", &basicScheme{}, []step{{`Digest realm="x", nonce="n"|Basic realm="x"`, false, ""}}},
		{"another scheme", &basicScheme{}, []step{{`Digest realm="x", nonce="n"`, true, "Digest "}, {`Digest realm="x", nonce="n"`, false, ""}}},
		{"basic", nil, []step{{`Basic realm="x"`, true, "Basic "}, {`Basic realm="x"`, false, ""}}},
		{"best first", nil, []step{{`Basic realm="x"|NTLM|Digest realm="x", nonce="n"`, true, "NTLM "}}},
		{"the next where one cannot be answered", nil, []step{{`Digest realm="x", nonce="n", algorithm=X|Basic realm="x"`, true, "Basic "}}},
		{"none can be answered", nil, []step{{`Digest realm="x", nonce="n", algorithm=X`, true, ""}, {`Digest realm="x", nonce="n", algorithm=X`, false, ""}}},
		{"Kerberos without a login", nil, []step{{"Negotiate", true, ""}, {"Negotiate", false, ""}}},
		{"Kerberos without a login, or Basic", nil, []step{{`Negotiate|Basic realm="x"`, true, "Basic "}}},
		{"stale", nil, []step{{`Digest realm="x", nonce="n"`, true, "Digest "}, {`Digest realm="x", nonce="m", stale=true`, true, "Digest "}, {"", false, "Digest "}}},
		{"no sense", nil, []step{{`Digest`, false, ""}}},
		{"no challenge", nil, []step{{"-", false, ""}}},
		{"NTLM out of turn", nil, []step{{"NTLM TlRMTVNTUAAC", false, ""}}},
		{"accepted, then asked", nil, []step{{`Basic realm="x"`, true, "Basic "}, {"", false, "Basic "}, {`Basic realm="x"`, true, "Basic "}}},
		{"NTLM, accepted", nil, []step{{`NTLM`, true, "NTLM "}, {"", false, ""}, {"NTLM", true, "NTLM "}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := authState{scheme: c.first, who: secret}
			for i, s := range c.steps {
				again := false
				if s.asked == "" {
					a.settle()
				} else {
					asked := map[string]string{}
					for one := range strings.SplitSeq(s.asked, "|") {
						name, rest, _ := strings.Cut(one, " ")
						if name != "-" {
							asked[strings.ToLower(name)] = rest
						}
					}
					var err error
					again, err = a.heed(asked, func(name string) authScheme {
						return map[string]authScheme{"basic": &basicScheme{}, "digest": &digestScheme{}, "ntlm": &ntlmScheme{}, "negotiate": &negotiateScheme{}}[name]
					}, func(string, bool) (credentials, bool, error) { return secret, true, nil })
					if err != nil {
						t.Fatal(err)
					}
				}
				value, err := a.header(claim{method: "GET", target: "/"}, func(authScheme, error) {})
				if again != s.again || !strings.HasPrefix(value, s.sends) || s.sends == "" && value != "" || err != nil {
					t.Errorf("step %d: again %t, sends %q (%v), want %+v", i, again, value, err, s)
				}
			}
		})
	}
}

// Of a row for Kerberos there is no name that another scheme could send.
func TestTicketOnly(t *testing.T) {
	for _, s := range []authScheme{&basicScheme{}, &digestScheme{}} {
		_, err := answers(s, `realm="x", nonce="n"`, claim{who: credentials{kind: ticketOnly}})
		var e *wire.Error
		if !errors.As(err, &e) || e.Class != "java.lang.NullPointerException" {
			t.Errorf("%s: %v", s.name(), err)
		}
	}
	if _, err := answers(&ntlmScheme{}, "", claim{who: credentials{kind: ticketOnly}}); err == nil {
		t.Error("NTLM: no error")
	}
}

func FuzzChallenge(f *testing.F) {
	f.Add(`realm="a", nonce=b, qop="auth"`)
	f.Add(`realm="a\`)
	f.Add(`,=,"`)
	f.Fuzz(func(t *testing.T, s string) {
		p := authParams(s)
		for name := range p {
			if strings.ContainsAny(name, ",=;") {
				t.Fatalf("%q: name %q", s, name)
			}
		}
		answers(&digestScheme{}, s, claim{who: credentials{user: "u"}, method: "GET", target: "/"})
	})
}
