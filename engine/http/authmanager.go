package http

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/http/kerberos"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[authManager](elem.Spec{Class: "AuthManager", Title: "HTTP Authorization Manager", Kind: elem.KindConfig, Status: elem.Full})
}

// authManager holds credentials by the start of the URL they are for (JMeter
// manual, HTTP Authorization Manager).
type authManager struct {
	rows           []authorization
	clear, byGroup expr.Bool // of Kerberos logins
	slot           vu.Slot[authStore]
}

// mechanism decides what is sent unasked. What a challenge is answered with the
// server decides.
type mechanism uint8

const (
	basicMechanism mechanism = iota
	digestMechanism
	kerberosMechanism
)

type authorization struct {
	url, user, password, domain, realm expr.Text
	mechanism                          mechanism
}

func (m *authManager) Props(p *elem.Props) {
	m.rows = nil
	p.Each("AuthManager.auth_list", "rows of URL, user and password", func(row *elem.Props) {
		var a authorization
		row.Text(&a.url, "Authorization.url", "", "start of the URLs it is for")
		row.Text(&a.user, "Authorization.username", "", "user")
		row.Text(&a.password, "Authorization.password", "", "password")
		row.Text(&a.domain, "Authorization.domain", "", "domain, for NTLM")
		row.Text(&a.realm, "Authorization.realm", "", "realm; empty is any")
		switch name := row.Raw("Authorization.mechanism", "BASIC", "BASIC, DIGEST or KERBEROS"); name {
		case "", "BASIC", "BASIC_DIGEST":
		case "DIGEST":
			a.mechanism = digestMechanism
		case "KERBEROS":
			a.mechanism = kerberosMechanism
		default:
			p.Wrong("Authorization.mechanism", "no such mechanism: %s", name)
		}
		m.rows = append(m.rows, a)
	})
	m.slot = elem.SlotOf[authStore](p)
	p.Bool(&m.clear, "AuthManager.clearEachIteration", false, "log in to Kerberos anew in each iteration")
	p.Bool(&m.byGroup, "AuthManager.controlledByThreadGroup", false, "do so when the thread group makes each iteration a new user")
}

// IterationStart forgets Kerberos tickets where that is asked for.
func (m *authManager) IterationStart(t *vu.Thread) {
	if byGroup := m.byGroup.Eval(t); byGroup && !t.SameUser || !byGroup && m.clear.Eval(t) {
		m.slot.Of(t).logins.clear()
	}
}

// ThreadEnd forgets them.
func (m *authManager) ThreadEnd(t *vu.Thread) { m.slot.Of(t).logins.clear() }

var (
	_ elem.IterationStarter = (*authManager)(nil)
	_ elem.ThreadEnder      = (*authManager)(nil)
)

// credentials are those of one row for a thread.
type credentials struct {
	user, password, domain, realm string
	kind                          credentialsKind
}

// credentialsKind says what credentials are good for in HttpClient.
type credentialsKind uint8

const (
	windows    credentialsKind = iota // every scheme
	plain                             // all but NTLM
	ticketOnly                        // Kerberos only
)

// principal is the user as Basic and Digest name it.
func (c *credentials) principal() string {
	if c.domain != "" {
		return strings.ToUpper(c.domain) + `\` + c.user
	}
	return c.user
}

func (a *authorization) eval(t *vu.Thread) credentials {
	if a.mechanism == kerberosMechanism {
		return credentials{kind: ticketOnly}
	}
	return credentials{user: a.user.Eval(t), password: a.password.Eval(t), domain: a.domain.Eval(t), realm: a.realm.Eval(t)}
}

// find returns the first row whose URL begins that of a request, with or
// without the default port. HttpClient's URL ends before the query and has its
// path decoded, unless the request line has all of it.
func (m *authManager) find(t *vu.Thread, to *address, whole bool) *authorization {
	path := to.path()
	one := to.text
	if !whole && (len(path) != len(to.file) || strings.Contains(path, "%") || strings.Contains(to.text, "#")) {
		if decoded, err := url.PathUnescape(path); err == nil {
			path = decoded
		}
		one = to.scheme + "://" + to.host
		if to.port >= 0 {
			one += ":" + strconv.Itoa(to.port)
		}
		one += path
	}
	other := ""
	switch to.port {
	case -1:
		other = to.scheme + "://" + to.host + ":" + strconv.Itoa(to.defaultPort()) + path
	case to.defaultPort():
		other = to.scheme + "://" + to.host + path
	}
	for i := range m.rows {
		url := m.rows[i].url.Eval(t)
		if strings.HasPrefix(one, url) || other != "" && strings.HasPrefix(other, url) {
			return &m.rows[i]
		}
	}
	return nil
}

// authStore is what a thread has used: its Kerberos logins, and the credentials
// by server and realm. Like HttpClient's, it remembers those of one row when
// another one is due, and forgets all once a request has no row.
type authStore struct {
	logins  kerberosLogins
	servers map[string]*serverCredentials
	last    credentials // whose Basic header is
	header  string
}

type serverCredentials struct {
	realms map[string]credentials
	recent credentials
	ticket bool // there was a row for Kerberos, which is good for everything
}

// server names what HttpClient keeps credentials for.
func server(to *address) string { return to.scheme + "://" + to.authority() }

// offer remembers the credentials for a request and returns them; false where no
// row is for it.
func (m *authManager) offer(t *vu.Thread, to *address, whole bool) (who credentials, how mechanism, ok bool) {
	st := m.slot.Of(t)
	a := m.find(t, to, whole)
	if a == nil {
		delete(st.servers, server(to))
		return who, how, false
	}
	s := st.servers[server(to)]
	if s == nil {
		s = &serverCredentials{realms: map[string]credentials{}}
		if st.servers == nil {
			st.servers = map[string]*serverCredentials{}
		}
		st.servers[server(to)] = s
	}
	c := a.eval(t)
	if a.mechanism == kerberosMechanism {
		s.ticket = true
	} else {
		if known, ok := s.realms[c.realm]; !ok || known != c {
			s.realms[c.realm] = c
		}
		s.recent = c
	}
	who, _ = s.find("", false)
	return who, a.mechanism, true
}

// find returns what is kept for a realm, or for whatever realm.
func (s *serverCredentials) find(realm string, named bool) (credentials, bool) {
	if named {
		if c, ok := s.realms[realm]; ok {
			return c, true
		}
	}
	if c, ok := s.realms[""]; ok {
		return c, true
	}
	if !named && len(s.realms) > 0 {
		return s.recent, true
	}
	return credentials{kind: ticketOnly}, s.ticket
}

// basicHeader is the value for who, made once as long as it is the same.
func (st *authStore) basicHeader(who credentials) string {
	if who != st.last || st.header == "" {
		st.last, st.header = who, who.basic()
	}
	return st.header
}

// basic is the value of the header (RFC 7617), in ASCII as HttpClient has it.
func (c *credentials) basic() string {
	return "Basic " + base64.StdEncoding.EncodeToString(wire.AppendASCII(nil, c.principal()+":"+c.password))
}

// javaHeader is what the Java implementation sends, "" for none: Basic always,
// in UTF-8 and without the domain.
func (m *authManager) javaHeader(t *vu.Thread, to *address) string {
	a := m.find(t, to, true)
	if a == nil {
		return ""
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(a.user.Eval(t)+":"+a.password.Eval(t)))
}

// stored finds the credentials that answer a challenge of a server.
func (m *authManager) stored(t *vu.Thread, to *address, realm string, named bool) (credentials, bool) {
	s := m.slot.Of(t).servers[server(to)]
	if s == nil {
		return credentials{}, false
	}
	return s.find(realm, named)
}

// managed finds them where nothing is sent unasked. JMeter then goes by host and
// realm and not by URL, and stumbles over a scheme that knows no realms.
func (m *authManager) managed(t *vu.Thread, host string, port int, realm string, named bool) (credentials, bool, error) {
	if len(m.rows) > 0 && !named {
		return credentials{}, false, errNoRealm
	}
	for i := range m.rows {
		a := &m.rows[i]
		if a.realm.Eval(t) != realm {
			continue
		}
		if of, err := parseAddress(a.url.Eval(t), false); err == nil && of.host == host && of.realPort() == port {
			return credentials{user: a.user.Eval(t), password: a.password.Eval(t), kind: plain}, true, nil
		}
	}
	return credentials{}, false, nil
}

var errNoRealm = &wire.Error{Class: "java.lang.NullPointerException",
	Message: `Cannot invoke "String.equals(Object)" because the return value of "org.apache.http.auth.AuthScope.getRealm()" is null`}

// login is the Kerberos user that a sample runs as, nil for none.
func (m *authManager) login(k *kerberosSettings, t *vu.Thread, to *address) *kerberos.Login {
	if a := m.find(t, to, true); a != nil && a.mechanism == kerberosMechanism {
		return m.slot.Of(t).logins.of(k, t, a.user.Eval(t), a.password.Eval(t))
	}
	return nil
}
