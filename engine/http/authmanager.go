package http

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[authManager](elem.Spec{Class: "AuthManager", Title: "HTTP Authorization Manager", Kind: elem.KindConfig, Status: elem.Partial,
		Note: "Basic, Digest and NTLM; Kerberos is refused"})
}

// authManager holds credentials by the start of the URL they are for.
type authManager struct {
	rows []authorization
	slot vu.Slot[authStore]
}

// authStore are the credentials a thread has used, by server and realm: like
// HttpClient's, it remembers those of one row when another one is due, and
// forgets all once a request has no row.
type authStore struct {
	servers map[string]map[string]credentials
	last    credentials // whose header is
	header  string
}

type authorization struct {
	url, user, password, domain, realm expr.Text
	digest                             bool
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
		switch mechanism := row.Raw("Authorization.mechanism", "BASIC", "BASIC, DIGEST or KERBEROS"); mechanism {
		case "", "BASIC", "BASIC_DIGEST":
		case "DIGEST":
			a.digest = true
		case "KERBEROS":
			p.Refuse("property", "Authorization.mechanism", "Kerberos is not supported")
		default:
			p.Wrong("Authorization.mechanism", "no such mechanism: %s", mechanism)
		}
		m.rows = append(m.rows, a)
	})
	m.slot = elem.SlotOf[authStore](p)
	p.Ignore("AuthManager.clearEachIteration", "AuthManager.controlledByThreadGroup") // of Kerberos tickets
}

// credentials are those of one row for a thread.
type credentials struct{ user, password, domain, realm string }

// principal is the user as Basic and Digest name it.
func (c *credentials) principal() string {
	if c.domain != "" {
		return strings.ToUpper(c.domain) + `\` + c.user
	}
	return c.user
}

func (a *authorization) eval(t *vu.Thread) credentials {
	return credentials{a.user.Eval(t), a.password.Eval(t), a.domain.Eval(t), a.realm.Eval(t)}
}

// find returns the first row whose URL begins that of a request, with or
// without the default port.
func (m *authManager) find(t *vu.Thread, to *address) *authorization {
	other := ""
	switch to.port {
	case -1:
		if other = to.scheme + "://" + to.host + ":80" + to.path(); to.scheme == "https" {
			other = to.scheme + "://" + to.host + ":443" + to.path()
		}
	case to.defaultPort():
		other = to.scheme + "://" + to.host + to.path()
	}
	for i := range m.rows {
		url := m.rows[i].url.Eval(t)
		if strings.HasPrefix(to.text, url) || other != "" && strings.HasPrefix(other, url) {
			return &m.rows[i]
		}
	}
	return nil
}

// server names what HttpClient keeps credentials for.
func server(to *address) string { return to.scheme + "://" + to.authority() }

// preemptive is the Authorization that is sent unasked, "" for none.
func (m *authManager) preemptive(sh *shared, t *vu.Thread, to *address) string {
	if !sh.preemptive {
		return ""
	}
	st := m.slot.Of(t)
	a := m.find(t, to)
	if a == nil {
		if len(st.servers) > 0 {
			delete(st.servers, server(to))
		}
		return ""
	}
	c := a.eval(t)
	realms := st.servers[server(to)]
	if realms == nil {
		realms = map[string]credentials{}
		if st.servers == nil {
			st.servers = map[string]map[string]credentials{}
		}
		st.servers[server(to)] = realms
	}
	if known, ok := realms[c.realm]; !ok || known != c {
		realms[c.realm] = c
	}
	if a.digest {
		return ""
	}
	if any, ok := realms[""]; ok {
		c = any
	}
	if c != st.last || st.header == "" {
		st.last, st.header = c, c.basic()
	}
	return st.header
}

// basic is the value of the header (RFC 7617), in ASCII as HttpClient has it.
func (c *credentials) basic() string {
	return "Basic " + base64.StdEncoding.EncodeToString(appendASCII(nil, c.principal()+":"+c.password))
}

func appendASCII(dst []byte, s string) []byte {
	for _, r := range s {
		if r >= utf8.RuneSelf {
			r = '?'
		}
		dst = append(dst, byte(r))
	}
	return dst
}

// forRealm returns the credentials that answer a challenge. Where nothing is
// sent unasked, JMeter goes by host and realm and not by URL.
func (m *authManager) forRealm(sh *shared, t *vu.Thread, to *address, realm string) (credentials, bool) {
	if sh.preemptive {
		realms := m.slot.Of(t).servers[server(to)]
		c, ok := realms[realm]
		if !ok {
			c, ok = realms[""]
		}
		return c, ok
	}
	for i := range m.rows {
		a := &m.rows[i]
		c := a.eval(t)
		if c.realm != realm {
			continue
		}
		if of, err := parseAddress(a.url.Eval(t), false); err == nil && of.host == to.host && of.realPort() == to.realPort() {
			c.domain = ""
			return c, true
		}
	}
	return credentials{}, false
}
