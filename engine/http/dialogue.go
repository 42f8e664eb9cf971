package http

import (
	"net"
	"strconv"

	"github.com/gojm/gojm/engine/http/kerberos"
	"github.com/gojm/gojm/engine/http/wire"
)

// dialogue is about the credentials of one request, with the server and with the
// proxy.
type dialogue struct {
	server authState
	basic  basicScheme     // sent to it unasked
	proxy  *proxyState     // nil without a login for the proxy
	login  *kerberos.Login // that the sample runs as
	rounds int
	failed error // of what was said to the proxy for CONNECT
}

// proxyState is where the talk with a proxy stands; it goes on from sample to
// sample.
type proxyState struct {
	authState
	lost bool // the password: JMeter drops it with those of the servers
}

// proxyState is that of a user's requests to one server. HttpClient has a client
// for each, and so each talks to the proxy on its own.
func (u *user) proxyState(to *address, p *wire.Proxy) *proxyState {
	key := server(to) + " " + p.Host + ":" + strconv.Itoa(p.Port) + " " + p.User
	s := u.proxies[key]
	if s == nil {
		s = &proxyState{}
		if u.proxies == nil {
			u.proxies = map[string]*proxyState{}
		}
		u.proxies[key] = s
	}
	return s
}

func hasLogin(p *wire.Proxy) bool { return p != nil && p.User != "" && p.Scheme != "socks5" }

// forwarded says that a request goes to a proxy as it is.
func (p *headParts) forwarded() bool {
	return p.proxy != nil && p.proxy.Scheme != "socks5" && p.to.scheme == "http"
}

// converse begins the dialogue of a sample. The error is one it fails with.
func (x *exchange) converse(w *worker, p *headParts, method string) error {
	p.authorize, p.proxyAuth, w.req.Connect = "", "", nil
	w.talk = dialogue{}
	if x.s.auth == nil && !hasLogin(p.proxy) {
		return nil
	}
	x.lock()
	defer x.unlock()
	if x.s.auth != nil && !x.c.java {
		w.talk.login = x.s.auth.login(&x.s.sh.kerberos, x.t, p.to)
	}
	return x.volunteer(w, p, method)
}

// volunteer sets what is sent before anybody asks. It is called again for each
// redirect that is part of the sample.
func (x *exchange) volunteer(w *worker, p *headParts, method string) error {
	d := &w.talk
	d.proxy, w.req.Connect = nil, nil
	if hasLogin(p.proxy) {
		d.proxy = x.u.proxyState(p.to, p.proxy)
		if !p.forwarded() {
			w.req.Connect = x.connecter(w, p)
		}
	}
	if x.s.auth != nil && !x.c.java && x.s.sh.preemptive {
		who, how, ok := x.s.auth.offer(x.t, p.to, p.forwarded())
		if !ok && d.proxy != nil {
			d.proxy.lost = true
		}
		if ok && d.server.phase == unchallenged {
			if d.server.scheme == nil && how == basicMechanism {
				d.server.scheme = &d.basic
			}
			if d.server.scheme == nil && how == kerberosMechanism {
				d.server.scheme = x.schemes(d, p)("kerberos")
			}
			d.server.who = who
		}
	}
	return x.authorize(w, p, method)
}

// authorize sets the headers that are due.
func (x *exchange) authorize(w *worker, p *headParts, method string) (err error) {
	d := &w.talk
	c := claim{method: method, target: p.to.target, body: p.body, content: p.content}
	if p.forwarded() {
		c.target = "http://" + string(p.to.appendHostHeader(nil)) + c.target
	}
	p.authorize, p.proxyAuth = "", ""
	switch {
	case x.s.auth == nil || x.c.lines.find("Authorization", 0) >= 0:
	case x.c.java:
		p.authorize = x.s.auth.javaHeader(x.t, p.to)
	default:
		if d.server.scheme == &d.basic && d.server.phase == unchallenged {
			p.authorize = x.s.auth.slot.Of(x.t).basicHeader(d.server.who)
		} else if p.authorize, err = d.server.header(c, x.unable); err != nil {
			return err
		}
	}
	if d.proxy != nil && p.forwarded() && x.c.lines.find("Proxy-Authorization", 0) < 0 {
		p.proxyAuth, err = d.proxy.header(c, x.unable)
	}
	return err
}

// unable logs that an answer could not be given.
func (x *exchange) unable(s authScheme, err error) {
	x.t.Log().Warn(s.name()+" authentication error: "+err.Error(), "logger", "o.a.h.i.a.HttpAuthenticator")
}

// heed looks at a response and says whether the request is to be sent again, with
// the headers that have then been set.
func (x *exchange) heed(w *worker, p *headParts, method string) (again bool, err error) {
	d, res := &w.talk, &w.res
	if d.failed != nil {
		return false, d.failed
	}
	if x.s.auth == nil && d.proxy == nil || res.FromProxy {
		return false, nil
	}
	x.lock()
	defer x.unlock()
	if res.Status != 401 {
		d.server.settle()
	}
	if res.Status != 407 && d.proxy != nil {
		d.proxy.settle()
	}
	switch {
	case res.Status == 401 && x.s.auth != nil && !x.c.java:
		again, err = d.server.heed(challenges(res, "WWW-Authenticate"), x.schemes(d, p), func(realm string, named bool) (credentials, bool, error) {
			if !x.s.sh.preemptive {
				return x.s.auth.managed(x.t, p.to.host, p.to.realPort(), realm, named)
			}
			who, ok := x.s.auth.stored(x.t, p.to, realm, named)
			return who, ok, nil
		})
	case res.Status == 407 && d.proxy != nil:
		again, err = x.heedProxy(w, p, res)
	}
	if d.rounds++; err != nil || !again || d.rounds > maxRounds {
		return false, err
	}
	return true, x.authorize(w, p, method)
}

// heedProxy is heed for a proxy's 407.
func (x *exchange) heedProxy(w *worker, p *headParts, res *wire.Response) (again bool, err error) {
	s, sh := w.talk.proxy, x.s.sh
	return s.heed(challenges(res, "Proxy-Authenticate"), x.schemes(&w.talk, p), func(realm string, named bool) (credentials, bool, error) {
		switch {
		case x.c.java || sh.preemptive:
			return credentials{user: p.proxy.User, password: p.proxy.Password, domain: sh.proxy.domain}, !s.lost, nil
		case x.s.auth == nil:
			return credentials{}, false, nil
		}
		return x.s.auth.managed(x.t, p.proxy.Host, p.proxy.Port, realm, named)
	})
}

// connecter answers the proxy that is asked for a connection.
func (x *exchange) connecter(w *worker, p *headParts) func(refusal *wire.Response) (string, bool) {
	return func(refusal *wire.Response) (string, bool) {
		x.lock()
		defer x.unlock()
		d := &w.talk
		if refusal != nil {
			d.rounds++
			again, err := x.heedProxy(w, p, refusal)
			if d.failed = err; err != nil || !again || d.rounds > maxRounds {
				return "", false
			}
		}
		target := net.JoinHostPort(p.to.bareHost(), strconv.Itoa(p.to.realPort()))
		value, err := d.proxy.header(claim{method: "CONNECT", target: target}, x.unable)
		d.failed = err
		return value, err == nil
	}
}

// redirected makes the dialogue ready for another address.
func (d *dialogue) redirected(from, to *address) {
	if from.scheme == to.scheme && from.host == to.host && from.realPort() == to.port {
		return
	}
	d.server, d.basic = authState{}, basicScheme{}
	if d.proxy != nil && d.proxy.scheme != nil && d.proxy.scheme.perConnection() {
		d.proxy.authState = authState{}
	}
}

// schemes makes those that a request can be answered with.
func (x *exchange) schemes(d *dialogue, p *headParts) func(name string) authScheme {
	return func(name string) authScheme {
		switch name {
		case "basic":
			return &basicScheme{}
		case "digest":
			return &digestScheme{}
		case "ntlm":
			return &ntlmScheme{}
		}
		k := &x.s.sh.kerberos
		return &negotiateScheme{
			raw: name == "kerberos", settings: k, login: d.login, host: p.to.bareHost(), port: p.to.realPort(),
			strip: k.stripPort || d.login != nil && (p.to.port == 80 || p.to.port == 443),
		}
	}
}
