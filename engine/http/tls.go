package http

import (
	"crypto/tls"
	"slices"
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/http/wire"
)

// tlsVersions are Java's names.
var tlsVersions = map[string]uint16{"TLSv1": tls.VersionTLS10, "TLSv1.1": tls.VersionTLS11, "TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}

// tlsContexts are Java's names of contexts (https.default.protocol) with the
// versions that each enables by default.
var tlsContexts = map[string][]string{
	"TLS": nil, "SSL": nil, "DEFAULT": nil, "TLSV1.3": nil,
	"TLSV1.2": {"TLSv1.2"},
	"TLSV1.1": {"TLSv1", "TLSv1.1"},
	"TLSV1":   {"TLSv1"},
}

// sharedSessions is how many sessions Java keeps in a context.
const sharedSessions = 20480

// readTLS reads what JMeter's properties say about TLS; nil is the default.
func readTLS(p *elem.Props) *wire.TLS {
	var t wire.TLS
	unknown := append(readTLSVersions(p, &t), readCipherSuites(p, &t)...)
	if len(unknown) > 0 {
		p.Run().Log.Warn("TLS protocols or cipher suites that are not known are left out: "+strings.Join(unknown, " "), "logger", logSampler)
	}
	if p.Run().Props.Bool("https.sessioncontext.shared", false) {
		t.Sessions = tls.NewLRUClientSessionCache(sharedSessions)
	}
	if t.MinVersion == 0 && t.MaxVersion == 0 && t.CipherSuites == nil && t.Sessions == nil {
		return nil
	}
	return &t
}

// names are the words of a list as JMeter's properties have them.
func names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' })
}

// readTLSVersions sets the oldest and the newest version, and returns names that
// are not known.
func readTLSVersions(p *elem.Props, t *wire.TLS) (unknown []string) {
	props := p.Run().Props
	context := props.Get("https.default.protocol", "TLS")
	protocols, known := tlsContexts[strings.ToUpper(context)]
	if !known {
		p.Wrong("https.default.protocol", "%q is no protocol that Java knows", context)
	}
	if own := names(props.Get("https.socket.protocols", "")); len(own) > 0 {
		// Java has given up SSL as well.
		protocols = slices.DeleteFunc(own, func(name string) bool { return strings.HasPrefix(name, "SSL") })
		if len(protocols) == 0 {
			p.Refuse("property", "https.socket.protocols", "SSL is not supported")
		}
	}
	for _, name := range protocols {
		v, ok := tlsVersions[name]
		switch {
		case !ok:
			unknown = append(unknown, name)
		case t.MaxVersion == 0:
			t.MinVersion, t.MaxVersion = v, v
		default:
			t.MinVersion, t.MaxVersion = min(t.MinVersion, v), max(t.MaxVersion, v)
		}
	}
	if len(protocols) > 0 && t.MaxVersion == 0 {
		p.Refuse("property", "https.socket.protocols", "none of %s is known", strings.Join(protocols, " "))
	}
	return unknown
}

// readCipherSuites sets the cipher suites, which can leave only one version, and
// returns names that are not known.
func readCipherSuites(p *elem.Props, t *wire.TLS) (unknown []string) {
	props := p.Run().Props
	wanted := names(props.Get("https.cipherSuites", props.Get("https.socket.ciphers", "")))
	newest := false // one of TLS 1.3, whose suites cannot be chosen
	for _, name := range wanted {
		id, ok := cipherSuite(name)
		switch {
		case !ok:
			unknown = append(unknown, name)
		case id>>8 == 0x13:
			newest = true
		default:
			t.CipherSuites = append(t.CipherSuites, id)
		}
	}
	switch {
	case len(wanted) == 0:
	case len(t.CipherSuites) == 0 && !newest:
		p.Refuse("property", "https.cipherSuites", "none of %s is supported", strings.Join(wanted, " "))
	case len(t.CipherSuites) == 0:
		t.MinVersion = tls.VersionTLS13
	case !newest && (t.MaxVersion == 0 || t.MaxVersion == tls.VersionTLS13):
		t.MaxVersion = tls.VersionTLS12
	}
	return unknown
}

// cipherSuite finds a suite by Java's name.
func cipherSuite(name string) (uint16, bool) {
	if rest, old := strings.CutPrefix(name, "SSL_"); old {
		name = "TLS_" + rest
	}
	for _, list := range [][]*tls.CipherSuite{tls.CipherSuites(), tls.InsecureCipherSuites()} {
		for _, c := range list {
			if c.Name == name || c.Name == name+"_SHA256" {
				return c.ID, true
			}
		}
	}
	return 0, false
}
