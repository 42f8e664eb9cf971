package http

import (
	"crypto/tls"
	"strings"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
)

// tlsVersions are Java's names.
var tlsVersions = map[string]uint16{"TLSv1": tls.VersionTLS10, "TLSv1.1": tls.VersionTLS11, "TLSv1.2": tls.VersionTLS12, "TLSv1.3": tls.VersionTLS13}

// readTLS reads https.socket.protocols and https.socket.ciphers; nil is the
// default. Names that are not known are returned.
func readTLS(p *vu.Properties) (t *wire.TLS, unknown []string) {
	protocols, ciphers := p.Get("https.socket.protocols", ""), p.Get("https.socket.ciphers", "")
	if ciphers == "" {
		ciphers = p.Get("https.cipherSuites", "")
	}
	if ciphers == "" {
		ciphers, _ = p.System("https.cipherSuites")
	}
	split := func(r rune) bool { return r == ' ' || r == ',' }
	for name := range strings.FieldsFuncSeq(protocols, split) {
		v, ok := tlsVersions[name]
		switch {
		case !ok:
			if !strings.HasPrefix(name, "SSL") { // which Java has given up as well
				unknown = append(unknown, name)
			}
			continue
		case t == nil:
			t = &wire.TLS{MinVersion: v, MaxVersion: v}
		}
		t.MinVersion, t.MaxVersion = min(t.MinVersion, v), max(t.MaxVersion, v)
	}
	for name := range strings.FieldsFuncSeq(ciphers, split) {
		id, ok := cipherSuite(name)
		if !ok {
			unknown = append(unknown, name)
			continue
		}
		if t == nil {
			t = &wire.TLS{}
		}
		t.CipherSuites = append(t.CipherSuites, id)
	}
	return t, unknown
}

func cipherSuite(name string) (uint16, bool) {
	for _, list := range [][]*tls.CipherSuite{tls.CipherSuites(), tls.InsecureCipherSuites()} {
		for _, c := range list {
			if c.Name == name || c.Name == name+"_SHA256" {
				return c.ID, true
			}
		}
	}
	return 0, false
}
