package http

import (
	"strings"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[cookieManager](elem.Spec{Class: "CookieManager", Title: "HTTP Cookie Manager", Kind: elem.KindConfig, Status: elem.Full})
}

// cookieManager keeps a jar for each thread (JMeter manual, HTTP Cookie Manager).
type cookieManager struct {
	initial []cookie
	clear   expr.Bool
	byGroup expr.Bool
	policy  cookiePolicy
	slot    vu.Slot[jar]

	deleteEmpty, evaluate, check, save bool
	prefix                             string
}

func (m *cookieManager) Props(p *elem.Props) {
	m.initial = nil
	p.Each("CookieManager.cookies", "cookies that are there from the start", func(row *elem.Props) {
		var c cookie
		row.MemberName(&c.name)
		row.Text(&c.value, "Cookie.value", "", "value")
		row.Text(&c.domain, "Cookie.domain", "", "domain")
		row.Text(&c.path, "Cookie.path", "", "path")
		row.Bool(&c.secure, "Cookie.secure", false, "only for https")
		var expires expr.Long
		row.Long(&expires, "Cookie.expires", "0", "in seconds since 1970; JMeter ignores it")
		row.Flag(&c.pathSet, "Cookie.path_specified", false, "path is a condition")
		row.Flag(&c.domainSet, "Cookie.domain_specified", false, "hosts below the domain are meant, too")
		var version expr.Int
		row.Int(&version, "Cookie.version", "1", "of the old cookie standards")
		c.version = version.Eval(nil)
		m.initial = append(m.initial, c)
	})
	p.Bool(&m.clear, "CookieManager.clearEachIteration", false, "start each iteration with the cookies of the list")
	p.Bool(&m.byGroup, "CookieManager.controlledByThreadGroup", false, "do so when the thread group makes each iteration a new user")
	policy := p.Raw("CookieManager.policy", "standard", "which cookies are taken and how they are sent")
	if impl := p.Raw("CookieManager.implementation", "", "class that handles cookies"); impl != "" && !strings.HasSuffix(impl, ".HC4CookieHandler") && !strings.HasSuffix(impl, ".HC3CookieHandler") {
		p.Refuse("property", "CookieManager.implementation", "classes of the user are not loaded: %s", impl)
	}
	var ok bool
	if m.policy, ok = policies[strings.ToLower(policy)]; !ok && p.Run() != nil {
		p.Wrong("CookieManager.policy", "no such policy: %s", policy)
	}
	m.slot = elem.SlotOf[jar](p)
	m.read(p)
}

// read reads the properties that all cookie managers heed.
func (m *cookieManager) read(p *elem.Props) {
	if r := p.Run(); r != nil {
		m.deleteEmpty = r.Props.Bool("CookieManager.delete_null_cookies", true)
		m.evaluate = r.Props.Bool("CookieManager.allow_variable_cookies", true)
		m.check = r.Props.Bool("CookieManager.check.cookies", true)
		m.save = r.Props.Bool("CookieManager.save.cookies", false)
		m.prefix = r.Props.Get("CookieManager.name.prefix", "COOKIE_")
	}
}

// IterationStart empties the jar where that is asked for.
func (m *cookieManager) IterationStart(t *vu.Thread) {
	if byGroup := m.byGroup.Eval(t); byGroup && !t.SameUser || !byGroup && m.clear.Eval(t) {
		m.slot.Of(t).filled = false
	}
}

// jar returns the thread's cookies.
func (m *cookieManager) jar(t *vu.Thread) *jar {
	j := m.slot.Of(t)
	j.m, j.t = m, t
	if !j.filled {
		j.cookies = append(j.cookies[:0], m.initial...)
		j.filled = true
	}
	return j
}

var _ elem.IterationStarter = (*cookieManager)(nil)
