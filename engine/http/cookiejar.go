package http

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

// cookie is one of a jar. Those of the plan may hold expressions, which are
// evaluated when the cookie is sent.
type cookie struct {
	name, value, domain, path expr.Text
	secure                    expr.Bool
	pathSet, domainSet        bool // the server named them
	version                   int
}

// jar holds a thread's cookies in the order in which they came. A cookie's time
// is looked at when it comes in and never again, as in JMeter.
type jar struct {
	m       *cookieManager
	t       *vu.Thread
	filled  bool
	cookies []cookie
	fit     []sent // reused
	buf     []byte
	last    string // header
}

// sent is a cookie that goes out.
type sent struct {
	name, value, domain, path string
	pathSet, domainSet        bool
	version                   int
}

// header is the Cookie header for an address, "" for none.
func (j *jar) header(to *address) string {
	if len(j.cookies) == 0 || j.m.policy == ignoreCookies {
		return ""
	}
	j.fit = j.fit[:0]
	host, path := strings.ToLower(to.host), to.path()
	for i := range j.cookies {
		c := &j.cookies[i]
		s := sent{j.text(c.name), j.text(c.value), strings.ToLower(j.text(c.domain)), j.text(c.path), c.pathSet, c.domainSet, c.version}
		if c.secure.Eval(j.t) && to.scheme != "https" {
			continue
		}
		if j.m.policy.matches(&s, host, path) {
			j.fit = append(j.fit, s)
		}
	}
	if len(j.fit) == 0 {
		return ""
	}
	version := j.fit[0].version
	for i := range j.fit {
		version = min(version, j.fit[i].version)
	}
	j.m.policy.arrange(j.fit, version)
	j.buf = j.m.policy.format(j.buf[:0], j.fit, version)
	if text := bytes.Trim(j.buf, " \t\r\n"); string(text) != j.last {
		j.last = string(text)
	}
	return j.last
}

// text is a cookie's text as it is sent.
func (j *jar) text(x expr.Text) string {
	if j.m.evaluate {
		return x.Eval(j.t)
	}
	return x.Source()
}

// set takes in a Set-Cookie header.
func (j *jar) set(t *vu.Thread, header string, from *address) {
	p := j.m.policy
	if p == ignoreCookies {
		return
	}
	list, err := p.parse(header, from)
	if err != nil {
		t.Log().Error("Unable to add the cookie", "logger", "o.a.j.p.h.c.HC4CookieHandler", "err", err)
		return
	}
	for i := range list {
		r := &list[i]
		if j.m.check {
			if err := p.validate(r, from); err != nil {
				t.Log().Info("Not storing invalid cookie: <"+header+"> for URL "+from.text+" ("+err.Error()+")", "logger", "o.a.j.p.h.c.HC4CookieHandler")
				continue
			}
		}
		j.store(r)
	}
}

// store puts a received cookie into the jar. An expiry of exactly the epoch
// counts as none, as in JMeter.
func (j *jar) store(r *received) {
	c := cookie{
		name: expr.Const(r.name), value: expr.Const(r.value), domain: expr.Const(r.domain), path: expr.Const(r.path),
		pathSet: r.pathSet, domainSet: r.domainSet, version: r.version,
	}
	if r.secure {
		c.secure = expr.NewBool(expr.Const("true"))
	}
	if !r.expires.IsZero() && r.expires.UnixMilli() != 0 && r.expires.Before(time.Now()) {
		j.remove(c)
		return
	}
	j.add(c)
}

// add puts a cookie in place of one with the same name, path and domain.
func (j *jar) add(c cookie) {
	j.remove(c)
	value := c.value.Source()
	if j.m.deleteEmpty && value == "" {
		return
	}
	j.cookies = append(j.cookies, c)
	if j.m.save {
		j.t.Vars.Put(j.m.prefix+c.name.Source(), value)
	}
}

func (j *jar) remove(c cookie) {
	j.cookies = slices.DeleteFunc(j.cookies, func(o cookie) bool {
		return o.name.Source() == c.name.Source() && o.path.Source() == c.path.Source() && o.domain.Source() == c.domain.Source()
	})
}

// clone is a jar with the same cookies.
func (j *jar) clone() *jar {
	return &jar{m: j.m, t: j.t, filled: true, cookies: slices.Clone(j.cookies)}
}

// rooted is a path, "/" for an empty one.
func rooted(path string) string {
	if path == "" {
		return "/"
	}
	return path
}
