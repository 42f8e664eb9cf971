package http

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/java"
	"github.com/gojm/gojm/engine/vu"
)

func init() {
	elem.Register[linkParser](elem.Spec{Class: "AnchorModifier", Title: "HTML Link Parser", Kind: elem.KindPre, Status: elem.Full})
}

// linkParser turns the sampler at hand, whose fields are patterns, into one of
// the links or forms of the last page that match it (JMeter manual, HTML Link
// Parser).
type linkParser struct{ sh *shared }

func (m *linkParser) Props(p *elem.Props) { m.sh = sharedOf(p) }

// Needs is the page.
func (m *linkParser) Needs() elem.Needs { return elem.NeedBody }

// link is a place a page leads to.
type link struct {
	to   *address
	post bool
	args []argument
}

// Before picks a link at random.
func (m *linkParser) Before(t *vu.Thread) {
	s := current(t)
	if s == nil || t.Prev == nil || !t.Prev.HTTP {
		t.Log().Info("Can't apply HTML Link Parser when the previous sampler run is not an HTTP Request.", "logger", "o.a.j.p.h.m.AnchorModifier")
		return
	}
	page, err := parseAddress(t.Prev.URL, false)
	if err != nil {
		return
	}
	root, err := html.Parse(strings.NewReader(bodyText(m.sh, t.Prev)))
	if err != nil {
		return
	}
	var fit []link
	for _, l := range pageTargets(root, page) {
		if m.fits(t, s, &l) {
			fit = append(fit, l)
		}
	}
	if len(fit) == 0 {
		return
	}
	l := &fit[t.Rand.IntN(len(fit))]
	e := s.edit(t)
	if l.post {
		e.setArguments(m.filled(t, s.arguments(e), l.args))
	} else {
		e.setArguments(l.args)
	}
	e.put(propDomain, l.to.host)
	e.put(propPath, l.to.path())
	e.put(propProtocol, l.to.scheme)
}

// fits says whether a link matches the sampler: protocol, domain and path as a
// whole, names of arguments anywhere in the query.
func (m *linkParser) fits(t *vu.Thread, s *sampler, l *link) bool {
	e := s.slot.Of(t).current(t)
	protocol := s.value(t, e, propProtocol)
	if protocol == "" {
		protocol = "http"
	}
	if !m.equalOrMatches(l.to.scheme, protocol) {
		return false
	}
	if domain := s.value(t, e, propDomain); domain != "" && !m.equalOrMatches(l.to.host, domain) {
		return false
	}
	path := strings.ReplaceAll(s.value(t, e, propPath), " ", "%20")
	if l.to.path() != path && !m.matches(l.to.path(), "[/]*"+path) {
		return false
	}
	query := string(appendQuery(nil, l.args, t, java.UTF8, '&'))
	if q, err := java.URLDecode(strings.TrimPrefix(query, "&"), java.UTF8); err == nil {
		query = q
	}
	for _, a := range s.arguments(e) {
		name := a.name.Eval(t)
		if strings.Contains(query, name+"=") {
			continue
		}
		re, err := m.sh.patterns.Get(name)
		if err != nil {
			vu.Throw(err)
		}
		if !re.ContainsString(query) {
			return false
		}
	}
	return true
}

func (m *linkParser) equalOrMatches(s, pattern string) bool {
	return s == pattern || m.matches(s, pattern)
}

func (m *linkParser) matches(s, pattern string) bool {
	re, err := m.sh.patterns.Get(pattern)
	if err != nil {
		vu.Throw(err)
	}
	return re.MatchesString(s)
}

// filled are the sampler's arguments with names and values of a form: each is
// replaced by one of the form's that matches it.
func (m *linkParser) filled(t *vu.Thread, args, form []argument) []argument {
	form = append([]argument(nil), form...)
	out := append([]argument(nil), args...)
	for i := range out {
		name, value := out[i].name.Eval(t), out[i].value.Eval(t)
		var fit []int
		for j := range form {
			if m.equalOrMatches(form[j].name.Source(), name) && m.equalOrMatches(form[j].value.Source(), value) {
				fit = append(fit, j)
			}
		}
		if len(fit) == 0 {
			continue
		}
		j := fit[t.Rand.IntN(len(fit))]
		out[i].name, out[i].value = form[j].name, form[j].value
		form = append(form[:j], form[j+1:]...)
	}
	return out
}

// pageTargets are the links, forms and frames of a page, in this order.
func pageTargets(root *html.Node, page *address) []link {
	base := page
	var links, forms, frames []link
	var form *link
	choice := ""
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "base" {
			if b, err := relative(page, attribute(n, "href"), false); err == nil {
				base = b
			}
			break
		}
	}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "a":
				if href, ok := attributeOf(n, "href"); ok && !strings.HasPrefix(href, "javascript:") {
					links = appendLink(links, base, href)
				}
			case "frame":
				if src, ok := attributeOf(n, "src"); ok {
					frames = appendLink(frames, base, src)
				}
			case "form":
				if action, ok := attributeOf(n, "action"); ok {
					before := len(forms)
					if forms = appendLink(forms, page, action); len(forms) > before {
						form = &forms[len(forms)-1]
						form.post = true
					}
				}
			}
			if form != nil {
				switch n.Data {
				case "input":
					form.args = append(form.args, newArgument(attribute(n, "name"), attribute(n, "value"), "=", true))
				case "textarea":
					form.args = append(form.args, newArgument(attribute(n, "name"), innerText(n), "=", true))
				case "select":
					choice = attribute(n, "name")
				case "option":
					value, ok := attributeOf(n, "value")
					if !ok {
						value = innerText(n)
					}
					form.args = append(form.args, newArgument(choice, value, "=", true))
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return append(append(links, forms...), frames...)
}

// appendLink adds the place a URL leads to; its query is taken as it stands.
func appendLink(list []link, base *address, url string) []link {
	to, err := relative(base, url, false)
	if err != nil {
		return list
	}
	l := link{to: to}
	if _, query, ok := strings.Cut(to.file, "?"); ok {
		for part := range strings.SplitSeq(query, "&") {
			if name, value, equals := strings.Cut(part, "="); name != "" {
				l.args = append(l.args, plainArgument(name, value, metadata(equals), false))
			}
		}
	}
	return append(list, l)
}

func attributeOf(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func attribute(n *html.Node, name string) string {
	v, _ := attributeOf(n, name)
	return v
}

func innerText(n *html.Node) string {
	if c := n.FirstChild; c != nil && c.Type == html.TextNode {
		return strings.TrimSpace(c.Data)
	}
	return ""
}

var _ elem.PreProcessor = (*linkParser)(nil)
