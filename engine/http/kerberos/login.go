// Package kerberos logs users in as Java's Krb5LoginModule does and makes the
// tokens that show a web server who they are. Beneath is gokrb5.
package kerberos

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jcmturner/gokrb5/v8/client"
	"github.com/jcmturner/gokrb5/v8/config"
	"github.com/jcmturner/gokrb5/v8/iana/nametype"
	"github.com/jcmturner/gokrb5/v8/keytab"
	"github.com/jcmturner/gokrb5/v8/messages"
	"github.com/jcmturner/gokrb5/v8/types"
)

// Settings say how to log in. They may be used by several goroutines.
type Settings struct {
	application string
	system      func(name string) (string, bool)
	files       func() (files, error)
}

// files are what is in them.
type files struct {
	conf   string // krb5.conf
	module loginModule
}

// NewSettings returns those of the application in the login configuration that
// the system property java.security.auth.login.config names, with the realms of
// java.security.krb5.conf or /etc/krb5.conf, or of java.security.krb5.realm and
// java.security.krb5.kdc. The files are read at the first login.
func NewSettings(application string, system func(name string) (value string, ok bool)) *Settings {
	s := &Settings{application: application, system: system}
	s.files = sync.OnceValues(s.read)
	return s
}

// read reads the files.
func (k *Settings) read() (f files, err error) {
	path, ok := k.system("java.security.auth.login.config")
	if !ok || path == "" {
		return f, errors.New("unable to locate a login configuration file: java.security.auth.login.config is not set")
	}
	text, err := os.ReadFile(strings.TrimPrefix(path, "file:"))
	if err != nil {
		return f, err
	}
	modules, err := readLoginModules(string(text), k.application, k.system)
	if err != nil {
		return f, fmt.Errorf("%s: %w", path, err)
	}
	if f.module = modules[0]; f.module.class != "com.sun.security.auth.module.Krb5LoginModule" || len(modules) > 1 {
		return f, fmt.Errorf("%s: only one com.sun.security.auth.module.Krb5LoginModule is supported for %s", path, k.application)
	}
	realm, _ := k.system("java.security.krb5.realm")
	kdc, _ := k.system("java.security.krb5.kdc")
	if realm != "" && kdc != "" {
		f.conf = "[libdefaults]\ndefault_realm = " + realm + "\n[realms]\n" + realm + " = {\n"
		for _, host := range strings.FieldsFunc(kdc, func(r rune) bool { return r == ':' || r == ' ' }) {
			f.conf += "kdc = " + host + "\n"
		}
		f.conf += "}\n"
		return f, nil
	}
	if path, ok = k.system("java.security.krb5.conf"); !ok || path == "" {
		path = "/etc/krb5.conf"
	}
	if text, err = os.ReadFile(path); err != nil {
		return f, err
	}
	f.conf = string(text)
	return f, nil
}

// Login is a user with his tickets. It may be used by several goroutines. Nothing renews them: as in Java they
// are good for as long as the KDC has said.
type Login struct {
	client *client.Client
	tgt    ticket

	mu       sync.Mutex
	services map[string]ticket // by name of the service
	hosts    map[string]string // canonical names
}

// Close forgets all.
func (l *Login) Close() { l.client.Destroy() }

// ticket is one with the key that goes with it.
type ticket struct {
	ticket      messages.Ticket
	key         types.EncryptionKey
	end         time.Time
	forwardable bool
}

// Login gets a ticket for a user as Java's Krb5LoginModule does: from the ticket
// cache or with the keytab where the module says so, else with the password.
func (k *Settings) Login(name, password string) (*Login, error) {
	found, err := k.files()
	if err != nil {
		return nil, err
	}
	// Not shared: the client shuffles the KDCs in it.
	conf, err := config.NewFromString(found.conf)
	if _, partly := err.(config.UnsupportedDirective); err != nil && !partly {
		return nil, fmt.Errorf("krb5.conf: %w", err)
	}
	m := found.module
	is := func(option string) bool { return strings.EqualFold(m.options[option], "true") }
	principal := m.options["principal"]
	if is("useTicketCache") {
		if login, err := cachedLogin(m.options["ticketCache"], principal, conf); login != nil || is("doNotPrompt") && !is("useKeyTab") {
			return login, err
		}
	}
	if principal == "" || principal == "*" {
		if principal = name; is("doNotPrompt") {
			return nil, errors.New("Unable to obtain Principal Name for authentication")
		}
		if principal == "" {
			if u, err := user.Current(); err == nil {
				principal = u.Username
			}
		}
	}
	names, realm, _ := strings.Cut(principal, "@")
	if realm == "" {
		realm = conf.LibDefaults.DefaultRealm
	}
	var c *client.Client
	if is("useKeyTab") {
		path := strings.TrimPrefix(m.options["keyTab"], "file:")
		if path == "" {
			path = strings.TrimPrefix(conf.LibDefaults.DefaultKeytabName, "FILE:")
		}
		if keys, err := keytab.Load(path); err == nil && hasKey(keys, names, realm, conf) {
			c = client.NewWithKeytab(names, realm, keys, conf, client.DisablePAFXFAST(true))
		}
	}
	if c == nil {
		if is("doNotPrompt") {
			return nil, errors.New("Unable to obtain password from user")
		}
		c = client.NewWithPassword(names, realm, password, conf, client.DisablePAFXFAST(true))
	}
	ask, err := messages.NewASReqForTGT(realm, conf, c.Credentials.CName())
	if err != nil {
		return nil, err
	}
	ask.ReqBody.Till = forever
	got, err := c.ASExchange(realm, ask, 0)
	if err != nil {
		return nil, err
	}
	return &Login{client: c, tgt: newTicket(got.KDCRepFields)}, nil
}

// forever is how long Java wants a ticket; the KDC cuts it down.
var forever = time.Unix(0, 0).UTC()

// hasKey says whether a keytab has a key of a principal that may be used.
func hasKey(keys *keytab.Keytab, names, realm string, conf *config.Config) bool {
	for _, e := range conf.LibDefaults.DefaultTktEnctypeIDs {
		if _, _, err := keys.GetEncryptionKey(types.NewPrincipalName(nametype.KRB_NT_PRINCIPAL, names), realm, 0, e); err == nil {
			return true
		}
	}
	return false
}

// cachedLogin is the user of a ticket cache that kinit has filled.
func cachedLogin(path, principal string, conf *config.Config) (login *Login, err error) {
	if path == "" {
		if path = os.Getenv("KRB5CCNAME"); path == "" {
			path = os.TempDir() + "/krb5cc_" + strconv.Itoa(os.Getuid())
		}
	}
	b, err := os.ReadFile(strings.TrimPrefix(path, "FILE:"))
	if err != nil {
		return nil, err
	}
	cache, err := readCache(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	owner := cache.owner
	if have := owner.name.PrincipalNameString(); principal != "" && principal != have && principal != have+"@"+owner.realm {
		return nil, errors.New("the ticket cache is another principal's: " + have + "@" + owner.realm)
	}
	entry, ok := cache.ticket("krbtgt", owner.realm)
	if !ok || time.Now().After(entry.end) {
		return nil, errors.New("no valid ticket-granting ticket in the ticket cache")
	}
	tgt := ticket{key: entry.key, end: entry.end, forwardable: types.IsFlagSet(&entry.flags, flagForwardable)}
	if err := tgt.ticket.Unmarshal(entry.ticket); err != nil {
		return nil, err
	}
	c := client.NewWithPassword("", owner.realm, "", conf)
	c.Credentials.SetCName(owner.name)
	return &Login{client: c, tgt: tgt}, nil
}

const flagForwardable = 1

func newTicket(r messages.KDCRepFields) ticket {
	d := &r.DecryptedEncPart
	return ticket{r.Ticket, d.Key, d.EndTime, types.IsFlagSet(&d.Flags, flagForwardable)}
}

// service returns a ticket for HTTP on a host, and keeps it while it is valid.
func (l *Login) service(host string) (ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t, ok := l.services[host]; ok && time.Now().Before(t.end) {
		return t, nil
	}
	c := l.client
	home := c.Credentials.Domain()
	bare, _, _ := strings.Cut(host, ":")
	realm := c.Config.ResolveRealm(bare)
	if realm == "" {
		realm = c.Config.LibDefaults.DefaultRealm
	}
	tgt := l.tgt
	if realm != home {
		krbtgt := types.PrincipalName{NameType: nametype.KRB_NT_SRV_INST, NameString: []string{"krbtgt", realm}}
		_, got, err := c.TGSREQGenerateAndExchange(krbtgt, home, tgt.ticket, tgt.key, false)
		if err != nil {
			return ticket{}, err
		}
		tgt = newTicket(got.KDCRepFields)
	}
	name := types.PrincipalName{NameType: nametype.KRB_NT_UNKNOWN, NameString: []string{"HTTP", host}}
	_, got, err := c.TGSREQGenerateAndExchange(name, realm, tgt.ticket, tgt.key, false)
	if err != nil {
		return ticket{}, err
	}
	t := newTicket(got.KDCRepFields)
	if l.services == nil {
		l.services = map[string]ticket{}
	}
	l.services[host] = t
	return t, nil
}
