package http

import (
	"encoding/base64"
	"errors"
	"strconv"
	"sync"

	"github.com/gojm/gojm/engine/http/kerberos"
	"github.com/gojm/gojm/engine/vu"
)

// kerberosSettings are the properties of Kerberos (JMeter manual, Properties
// Reference).
type kerberosSettings struct {
	*kerberos.Settings
	stripPort     bool // kerberos.spnego.strip_port
	canonicalHost bool // kerberos.spnego.use_canonical_host_name
	delegate      bool // kerberos.spnego.delegate_cred
}

func readKerberos(p *vu.Properties) kerberosSettings {
	return kerberosSettings{
		Settings:      kerberos.NewSettings(p.Get("kerberos_jaas_application", "JMeter"), p.System),
		stripPort:     p.Bool("kerberos.spnego.strip_port", true),
		canonicalHost: p.Bool("kerberos.spnego.use_canonical_host_name", true),
		delegate:      p.Bool("kerberos.spnego.delegate_cred", false),
	}
}

// kerberosLogins are those of a thread, by user. One that failed is kept too, as
// in JMeter: it is not tried again. A thread's download workers share them.
type kerberosLogins struct {
	mu    sync.Mutex
	users map[string]*kerberos.Login
}

// of logs a user in, unless he is already; nil where that failed.
func (l *kerberosLogins) of(k *kerberosSettings, t *vu.Thread, name, password string) *kerberos.Login {
	l.mu.Lock()
	defer l.mu.Unlock()
	if login, ok := l.users[name]; ok {
		return login
	}
	login, err := k.Login(name, password)
	if err != nil {
		t.Log().Warn("Could not log in user "+name, "logger", "o.a.j.p.h.c.KerberosManager", "err", err)
		login = nil
	}
	if l.users == nil {
		l.users = map[string]*kerberos.Login{}
	}
	l.users[name] = login
	return login
}

// clear forgets all.
func (l *kerberosLogins) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, login := range l.users {
		if login != nil {
			login.Close()
		}
	}
	l.users = nil
}

// negotiateScheme is Negotiate (RFC 4559): a Kerberos token in SPNEGO's clothes,
// or with raw, which servers call Kerberos, without them. What the server answers
// to it is not looked at.
type negotiateScheme struct {
	raw      bool
	settings *kerberosSettings
	login    *kerberos.Login // nil without one
	host     string
	port     int
	strip    bool // the port is not part of the service's name
	phase    negotiatePhase
	token    string
}

type negotiatePhase uint8

const (
	negotiateNew negotiatePhase = iota
	negotiateAsked
	negotiateDone
	negotiateFailed
)

func (n *negotiateScheme) name() string {
	if n.raw {
		return "kerberos"
	}
	return "negotiate"
}

func (*negotiateScheme) realm() (string, bool) { return "", false }
func (*negotiateScheme) perConnection() bool   { return true }
func (n *negotiateScheme) complete() bool {
	return n.phase == negotiateDone || n.phase == negotiateFailed
}

func (n *negotiateScheme) challenge(string) error {
	if n.phase == negotiateNew {
		n.phase = negotiateAsked
	} else {
		n.phase = negotiateFailed
	}
	return nil
}

func (n *negotiateScheme) answer(*claim) (string, error) {
	switch n.phase {
	case negotiateNew:
		return "", nil
	case negotiateFailed:
		return "", errors.New("Negotiate authentication has failed")
	case negotiateAsked:
		token, err := n.newToken()
		if err != nil {
			n.phase = negotiateFailed
			return "", err
		}
		n.token, n.phase = "Negotiate "+base64.StdEncoding.EncodeToString(token), negotiateDone
	}
	return n.token, nil
}

// newToken makes the first token of a security context.
func (n *negotiateScheme) newToken() ([]byte, error) {
	if n.login == nil {
		return nil, errors.New("No valid credentials provided (Mechanism level: Failed to find any Kerberos tgt)")
	}
	k := n.settings
	canonical := k.canonicalHost
	if k.delegate {
		canonical = k.stripPort // so in JMeter
	}
	host := n.login.HostName(n.host, canonical)
	if !n.strip {
		host += ":" + strconv.Itoa(n.port)
	}
	token, err := n.login.Token(host, k.delegate)
	if err != nil || n.raw {
		return token, err
	}
	return n.login.SPNEGO(token, k.delegate)
}
