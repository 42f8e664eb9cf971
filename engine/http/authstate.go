package http

import (
	"errors"
	"strings"

	"github.com/gojm/gojm/engine/http/wire"
)

// authScheme is one way to say who one is. A value lives as long as the talk
// about it with one server.
type authScheme interface {
	// name is that of challenges, in lower case.
	name() string
	// realm is that of the challenge; not every scheme has one.
	realm() (string, bool)
	// challenge takes what stands behind the name; an error says that it cannot
	// be made sense of.
	challenge(rest string) error
	// complete says that one more challenge is a refusal.
	complete() bool
	// perConnection says that the server remembers who a connection belongs to.
	perConnection() bool
	// answer is the value of the header. An error of type *wire.Error is one
	// that JMeter's sample fails with; after another one the next scheme is due.
	answer(c *claim) (string, error)
}

// claim is what an answer is made from.
type claim struct {
	who     credentials
	method  string
	target  string // as it stands on the request line
	body    bool   // the request may have one
	content *content
}

// authState is where the talk with one server or proxy stands. It is
// HttpClient 4.5's AuthState with its HttpAuthenticator, so that a server gets
// the same requests.
type authState struct {
	phase   authPhase
	scheme  authScheme
	who     credentials
	options []authOption
}

type authPhase uint8

const (
	unchallenged authPhase = iota
	challenged
	handshake
	refused
	accepted
)

// authOption is an answer that may be tried.
type authOption struct {
	scheme authScheme
	who    credentials
}

// finder finds the credentials for a realm; named is false for a scheme that
// knows no realms. The error is one that the sample fails with.
type finder func(realm string, named bool) (who credentials, ok bool, err error)

// maxRounds bounds how often a server may ask during a request; a JMeter goes on
// for ever.
const maxRounds = 10

// settle heeds a response that asks for nothing.
func (a *authState) settle() {
	switch a.phase {
	case challenged, handshake:
		a.phase = accepted
	case refused:
		a.phase = unchallenged
	}
}

// heed takes the challenges of a 401 or 407 and says whether the request is to be
// sent again.
func (a *authState) heed(asked map[string]string, create func(name string) authScheme, find finder) (again bool, err error) {
	if len(asked) == 0 || a.phase == refused {
		return false, nil
	}
	switch {
	case a.phase == accepted:
		*a = authState{}
	case a.scheme == nil && a.phase != unchallenged:
		*a = authState{phase: refused}
		return false, nil
	case a.scheme != nil:
		if rest, ok := asked[a.scheme.name()]; ok {
			if a.scheme.challenge(rest) != nil {
				*a = authState{}
				return false, nil
			}
			if a.scheme.complete() {
				*a = authState{phase: refused}
				return false, nil
			}
			a.phase = handshake
			return true, nil
		}
		*a = authState{}
	}
	var options []authOption
	for _, name := range [...]string{"negotiate", "kerberos", "ntlm", "digest", "basic"} {
		rest, ok := asked[name]
		if !ok {
			continue
		}
		s := create(name)
		if s == nil {
			continue
		}
		if s.challenge(rest) != nil {
			*a = authState{}
			return false, nil
		}
		realm, named := s.realm()
		who, ok, err := find(realm, named)
		if err != nil {
			return false, err
		}
		if ok {
			options = append(options, authOption{s, who})
		}
	}
	if len(options) == 0 {
		return false, nil
	}
	a.phase, a.options = challenged, options
	return true, nil
}

// header is the value to send, "" for none. The error is one that the sample
// fails with.
func (a *authState) header(c claim, warn func(scheme authScheme, err error)) (string, error) {
	var fatal *wire.Error
	answer := func() (string, error) {
		c.who = a.who
		value, err := a.scheme.answer(&c)
		if err != nil && !errors.As(err, &fatal) {
			warn(a.scheme, err)
			return "", nil
		}
		return value, err
	}
	switch a.phase {
	case refused:
		return "", nil
	case accepted:
		if a.scheme.perConnection() {
			return "", nil
		}
	case challenged:
		for len(a.options) > 0 {
			o := a.options[0]
			a.options = a.options[1:]
			a.scheme, a.who = o.scheme, o.who
			if value, err := answer(); value != "" || err != nil {
				a.options = nil
				return value, err
			}
		}
	}
	if a.scheme == nil || a.phase == challenged {
		return "", nil
	}
	return answer()
}

// challenges reads the headers of that name: what stands behind the name of each
// scheme. Of several for one scheme the last counts.
func challenges(res *wire.Response, name string) map[string]string {
	var out map[string]string
	res.Each(func(n, value []byte) bool {
		if equalFold(n, name) {
			if out == nil {
				out = map[string]string{}
			}
			text := strings.TrimLeft(latin1(value), " \t")
			i := strings.IndexAny(text, " \t")
			if i < 0 {
				i = len(text)
			}
			out[strings.ToLower(text[:i])] = strings.Trim(text[i:], " \t")
		}
		return true
	})
	return out
}

// authParams reads name=value parts as HttpClient does: what follows a semicolon
// is left out.
func authParams(s string) map[string]string {
	out := map[string]string{}
	for s != "" {
		var name, value string
		if i := strings.IndexAny(s, "=,;"); i < 0 {
			name, s = s, ""
		} else {
			name, s = s[:i], s[i:]
		}
		if strings.HasPrefix(s, "=") {
			value, s = paramValue(s[1:])
		}
		if strings.HasPrefix(s, ";") {
			for s != "" && s[0] != ',' {
				_, s = paramValue(s[1:])
			}
		}
		if name = strings.ToLower(strings.Trim(name, " \t")); name != "" || value != "" {
			out[name] = value
		}
		s = strings.TrimPrefix(s, ",")
	}
	return out
}

// paramValue reads up to a comma or semicolon outside quotes.
func paramValue(s string) (value, rest string) {
	var b strings.Builder
	quoted, space := false, 0 // space: unquoted blanks not yet written
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quoted && c == '\\' && i+1 < len(s):
			if i++; s[i] != '"' && s[i] != '\\' {
				b.WriteByte(c)
			}
			b.WriteByte(s[i])
		case c == '"':
			quoted = !quoted
		case quoted:
			b.WriteByte(c)
		case c == ',' || c == ';':
			return b.String(), s[i:]
		case c == ' ' || c == '\t':
			space++
		default:
			if space > 0 && b.Len() > 0 {
				b.WriteByte(' ')
			}
			space = 0
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// basicScheme is Basic (RFC 7617).
type basicScheme struct {
	params map[string]string
	asked  bool
}

func (*basicScheme) name() string { return "basic" }

func (b *basicScheme) realm() (string, bool) {
	realm, ok := b.params["realm"]
	return realm, ok
}

func (b *basicScheme) challenge(rest string) error {
	b.params, b.asked = authParams(rest), true
	return nil
}

func (b *basicScheme) complete() bool    { return b.asked }
func (*basicScheme) perConnection() bool { return false }

func (*basicScheme) answer(c *claim) (string, error) {
	if c.who.kind == ticketOnly {
		return "", errNoPrincipal
	}
	return c.who.basic(), nil
}

// errNoPrincipal is what Java says where a scheme needs a name and the row is one
// for Kerberos.
var errNoPrincipal = &wire.Error{Class: "java.lang.NullPointerException",
	Message: `Cannot invoke "java.security.Principal.getName()" because the return value of "org.apache.http.auth.Credentials.getUserPrincipal()" is null`}
