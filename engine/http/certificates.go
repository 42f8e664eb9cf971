package http

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/http/keystore"
	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
)

// The Java system properties of client certificates.
const (
	keyStore         = "javax.net.ssl.keyStore"
	keyStorePassword = "javax.net.ssl.keyStorePassword"
	keyStoreType     = "javax.net.ssl.keyStoreType"
)

// certificates are what all threads of a run present to servers that ask for a
// client certificate, as JMeter's JmeterKeyStore does.
type certificates struct {
	store *keystore.Store // nil without a key store
	file  string

	// Of a Keystore Configuration; without one JMeter takes the first only.
	first, last int // last is -1 for all
	variable    string
	preloaded   bool

	once    sync.Once
	err     error
	inTurn  []*tls.Certificate
	byAlias map[string]*tls.Certificate
	turn    atomic.Uint64
}

// readCertificates opens the key store that the system properties name. Unlike
// JMeter, which then presents none, it refuses one that cannot be read.
func readCertificates(p *elem.Props) *certificates {
	c := new(certificates)
	props := p.Run().Props
	name, _ := props.System(keyStore)
	if name == "" {
		return c
	}
	kind, _ := props.System(keyStoreType)
	switch strings.ToUpper(kind) {
	case "", "JKS", "JCEKS", "PKCS12":
	default:
		p.Refuse("property", keyStoreType, "%s is not supported, only PKCS12, JKS and JCEKS", kind)
		return c
	}
	password, set := props.System(keyStorePassword)
	store, err := keystore.Open(name, password)
	switch {
	case err == nil:
		c.store, c.file = store, name
	case !set:
		p.Refuse("property", keyStore, "%s: %v (%s is not set)", name, err, keyStorePassword)
	default:
		p.Refuse("property", keyStore, "%s: %v", name, err)
	}
	return c
}

// configure is told what a Keystore Configuration says. The last one counts,
// but one that reads the key store at once keeps what it read.
func (c *certificates) configure(preload bool, first, last int, variable string) {
	if c.preloaded {
		return
	}
	c.first, c.last, c.variable, c.preloaded = first, last, variable, preload
}

const logKeys = "o.a.j.u.SSLManager"

// load reads the keys in the range, the first time it is called.
func (c *certificates) load(log *slog.Logger) error {
	c.once.Do(func() { c.err = c.read(log) })
	return c.err
}

func (c *certificates) read(log *slog.Logger) error {
	c.byAlias = map[string]*tls.Certificate{}
	if c.store == nil {
		return nil
	}
	n := c.store.Len()
	end := n
	if c.last != -1 {
		end = min(n, c.last+1)
	}
	for i := c.first; i < end; i++ {
		cert, err := c.store.Certificate(i)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", keyStore, c.file, err)
		}
		c.inTurn = append(c.inTurn, cert)
		c.byAlias[c.store.Alias(i)] = cert
	}
	if len(c.inTurn) == 0 {
		return fmt.Errorf("%s: %s: no key from number %d on, it has %d", keyStore, c.file, c.first, n)
	}
	if c.last != -1 && n <= c.last-c.first {
		log.Warn(fmt.Sprintf("Did not find as much aliases as configured in indexes Start=%d, end=%d, found=%d", c.first, c.last, len(c.inTurn)), "logger", logKeys)
	}
	log.Info(fmt.Sprintf("Total of %d aliases loaded OK from keystore %s", len(c.inTurn), c.file), "logger", logKeys)
	return nil
}

// none says that there is nothing to present, and no reason to look.
func (c *certificates) none() bool { return c.store == nil && c.variable == "" }

// choose is what thread t presents. What Java throws on the way ends the
// handshake.
func (c *certificates) choose(t *vu.Thread, asked *tls.CertificateRequestInfo) (*tls.Certificate, error) {
	var cert *tls.Certificate
	switch {
	case c.variable != "":
		alias, _ := t.Vars.Get(c.variable)
		if alias == "" {
			t.Log().Error("No var called '"+c.variable+"' found", "logger", "o.a.j.u.k.JmeterKeyStore")
			return nil, handshakeError("No var called '" + c.variable + "' found")
		}
		if cert = c.byAlias[alias]; cert == nil {
			return nil, handshakeError("No PrivateKey found for alias:'" + alias + "'")
		}
	case len(c.inTurn) > 0:
		cert = c.inTurn[(c.turn.Add(1)-1)%uint64(len(c.inTurn))]
	}
	// Like Java, look at the kind of key, and not at who issued the certificate.
	kinds := *asked
	kinds.AcceptableCAs = nil
	if cert == nil || kinds.SupportsCertificate(cert) != nil {
		return new(tls.Certificate), nil
	}
	return cert, nil
}

func handshakeError(message string) error {
	return &wire.Error{Class: "javax.net.ssl.SSLException", Message: message}
}
