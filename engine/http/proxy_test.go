package http

import (
	"testing"

	"github.com/gojm/gojm/engine/vu"
)

// Java's sockets go through the SOCKS proxy of its system properties, but for the
// hosts that are left out.
func TestSocksProxyOfJava(t *testing.T) {
	p := vu.NewProperties()
	p.SetSystem("socksProxyHost", "proxy.test")
	p.SetSystem("user.name", "me")
	s := readProxySettings(p)
	if s.scheme != "socks5" || s.host != "proxy.test" || s.port != 1080 || s.user != "me" {
		t.Errorf("%+v", s)
	}
	for host, want := range map[string]bool{"a.test": true, "10.0.0.1": true, "127.0.0.1": false, "localhost": false, "::1": false} {
		if s.applies(host) != want {
			t.Errorf("%s goes through it: %t", host, !want)
		}
	}
	p.SetSystem("socksNonProxyHosts", "*.test|10.*")
	p.SetSystem("socksProxyPort", "9")
	if s = readProxySettings(p); s.port != 9 || s.applies("a.test") || s.applies("10.0.0.1") || s.applies("127.0.0.1") || !s.applies("b.example") {
		t.Errorf("%+v", s)
	}
	p.SetSystem("http.proxyHost", "first.test")
	if s = readProxySettings(p); s.host != "first.test" || s.scheme != "http" {
		t.Errorf("%+v", s)
	}
}
