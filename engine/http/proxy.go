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
	exact          map[string]bool // hosts asked directly
	suffixes       []string
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
	return s
}

// applies says whether requests to host go through the proxy.
func (s *proxySettings) applies(host string) bool {
	if s.host == "" || s.port <= 0 || s.exact[host] {
		return false
	}
	for _, suffix := range s.suffixes {
		if strings.HasSuffix(host, suffix) {
			return false
		}
	}
	return true
}

// connectHeader is what JMeter adds to a CONNECT.
func (s *settings) connectHeader() string {
	h := "Proxy-Connection: Keep-Alive\r\n"
	if s.userAgent != "" {
		h += "User-Agent: " + s.userAgent + "\r\n"
	}
	return h
}

// newProxy returns the proxy of a sampler, or the command line's for a host that
// goes through it; nil is none.
func (s *settings) newProxy(scheme, host string, port int, user, password string, target string) *wire.Proxy {
	if strings.TrimSpace(host) == "" || port <= 0 {
		p := &s.proxy
		if !p.applies(target) {
			return nil
		}
		scheme, host, port, user, password = p.scheme, p.host, p.port, p.user, p.password
	}
	if scheme == "" {
		scheme = "http"
	}
	return &wire.Proxy{Scheme: strings.ToLower(scheme), Host: host, Port: port, User: user, Password: password, ConnectHeader: s.connectHeader()}
}
