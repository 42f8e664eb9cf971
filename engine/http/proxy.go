package http

import (
	"strings"

	"github.com/gojm/gojm/engine/http/wire"
	"github.com/gojm/gojm/engine/vu"
)

// proxySettings are those of the command line (-H, -P, -N, -u, -a, -E), which
// samplers without a proxy of their own use.
type proxySettings struct {
	scheme, host   string
	port           int
	user, password string
	domain         string          // of NTLM
	exact          map[string]bool // hosts asked directly
	suffixes       []string
	prefixes       []string // of Java's own
	java           bool     // of Java's sockets
}

func readProxySettings(p *vu.Properties) proxySettings {
	system := func(name, def string) string {
		if v, ok := p.System(name); ok {
			return v
		}
		return def
	}
	s := proxySettings{
		scheme:   p.Get("http.proxyScheme", "http"),
		host:     system("http.proxyHost", ""),
		user:     p.Get("http.proxyUser", ""),
		password: p.Get("http.proxyPass", ""),
		domain:   p.Get("http.proxyDomain", ""),
		exact:    map[string]bool{},
	}
	if n, ok := vu.ParseInt(system("http.proxyPort", "0")); ok {
		s.port = int(n)
	}
	for host := range strings.SplitSeq(system("http.nonProxyHosts", ""), "|") {
		if suffix, ok := strings.CutPrefix(host, "*"); ok {
			s.suffixes = append(s.suffixes, suffix)
		} else if host != "" {
			s.exact[host] = true
		}
	}
	if s.host == "" {
		s.socks(system)
	}
	return s
}

// readJavaProxies reads the proxies of the Java implementation, by the scheme of
// the URL. They know no login.
func readJavaProxies(p *vu.Properties) map[string]*proxySettings {
	all := map[string]*proxySettings{}
	for scheme, port := range map[string]int{"http": 80, "https": 443} {
		s := &proxySettings{scheme: "http", port: port}
		s.host, _ = p.System(scheme + ".proxyHost")
		if text, ok := p.System(scheme + ".proxyPort"); ok {
			if n, ok := vu.ParseInt(text); ok {
				s.port = int(n)
			}
		}
		hosts, ok := p.System("http.nonProxyHosts")
		if !ok || hosts != "" {
			hosts += "|" + javaDirect
		}
		if s.except(hosts); s.host != "" {
			all[scheme] = s
		}
	}
	return all
}

// javaDirect are the hosts that Java never asks a proxy for, unless told that there
// are none.
const javaDirect = "localhost|127.*|[::1]|0.0.0.0|[::0]"

// except sets the hosts asked directly, in Java's notation.
func (s *proxySettings) except(hosts string) {
	s.exact, s.suffixes, s.prefixes = map[string]bool{}, nil, nil
	for host := range strings.SplitSeq(hosts, "|") {
		if suffix, ok := strings.CutPrefix(host, "*"); ok {
			s.suffixes = append(s.suffixes, suffix)
		} else if prefix, ok := strings.CutSuffix(host, "*"); ok {
			s.prefixes = append(s.prefixes, prefix)
		} else if host != "" {
			s.exact[strings.Trim(host, "[]")] = true
		}
	}
}

// socks reads the SOCKS proxy that Java has for all of its sockets: its system
// properties socksProxyHost, socksProxyPort, socksNonProxyHosts, which adds to the
// hosts never asked a proxy for, and java.net.socks.username, which is the user's
// where it is not given, and password.
func (s *proxySettings) socks(system func(name, def string) string) {
	if s.host = system("socksProxyHost", ""); s.host == "" {
		return
	}
	s.scheme, s.java = "socks5", true
	s.user, s.password = system("java.net.socks.username", system("user.name", "")), system("java.net.socks.password", "")
	s.port = 1080
	if n, ok := vu.ParseInt(system("socksProxyPort", "1080")); ok {
		s.port = int(n)
	}
	s.except(system("socksNonProxyHosts", "") + "|" + javaDirect)
}

// applies says whether requests to host go through the proxy.
func (s *proxySettings) applies(host string) bool {
	if s.exact[host] {
		return false
	}
	for _, suffix := range s.suffixes {
		if strings.HasSuffix(host, suffix) {
			return false
		}
	}
	for _, prefix := range s.prefixes {
		if strings.HasPrefix(host, prefix) {
			return false
		}
	}
	return true
}

// proxySchemes are those by which a proxy can be asked.
var proxySchemes = []string{"http", "https", "socks5"}

// connectHeader is what JMeter adds to a CONNECT.
func (s *settings) connectHeader() string {
	if s.userAgent == "" {
		return ""
	}
	return "User-Agent: " + s.userAgent + "\r\n"
}

// static is the proxy of the command line, nil for none.
func (s *settings) static() *wire.Proxy {
	p := &s.proxy
	if p.host == "" || p.port <= 0 {
		return nil
	}
	proxy := s.newProxy(p.scheme, p.host, p.port, p.user, p.password)
	if proxy != nil {
		proxy.Java = p.java
	}
	return proxy
}

// newProxy returns the proxy of a sampler, nil where it has none.
func (s *settings) newProxy(scheme, host string, port int, user, password string) *wire.Proxy {
	if strings.TrimSpace(host) == "" || port <= 0 {
		return nil
	}
	if scheme == "" {
		scheme = "http"
	}
	return &wire.Proxy{Scheme: strings.ToLower(scheme), Host: host, Port: port, User: user, Password: password, ConnectHeader: s.connectHeader()}
}

// javaProxy is the same proxy as the Java implementation asks it.
func javaProxy(host string, port int) *wire.Proxy {
	if host == "" || port <= 0 {
		return nil
	}
	return &wire.Proxy{Scheme: "http", Host: host, Port: port,
		ConnectHeader: "User-Agent: " + javaAgent + "\r\nAccept: " + javaAccept + "\r\nProxy-Connection: keep-alive\r\n"}
}

// proxyFor is the proxy of a request: the sampler's own, else the command
// line's for hosts that go through it.
func (c *call) proxyFor(to *address) *wire.Proxy {
	sh := c.s.sh
	switch java := sh.javaProxies[to.scheme]; {
	case c.proxy != nil:
		return c.proxy
	case c.java && java != nil:
		if java.applies(to.bareHost()) {
			return javaProxy(java.host, java.port)
		}
	case c.java && sh.proxy.scheme != "socks5":
	case sh.staticProxy != nil && sh.proxy.applies(to.bareHost()):
		return sh.staticProxy
	}
	return nil
}
