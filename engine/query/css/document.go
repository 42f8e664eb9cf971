package css

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Parse reads a page, however broken; only one that is nested beyond all measure is
// an error. Scripts do not run, so that what stands inside noscript are elements.
func Parse(text string) (*html.Node, error) {
	return html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
}

// Select returns the elements of doc that meet the query, in their order.
func (s *Selector) Select(doc *html.Node) []*html.Node {
	var out []*html.Node
	if s.test.match(doc, doc) {
		out = append(out, doc)
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && s.test.match(doc, n) {
			out = append(out, n)
		}
	}
	return out
}

func tagName(n *html.Node) string {
	if n.Type != html.ElementNode {
		return "#root"
	}
	return strings.ToLower(n.Data)
}

// Attr returns the value of an attribute, "" where there is none; letters of
// either case name it. abs:name is the whole address that the attribute stands for.
func Attr(n *html.Node, name string) string {
	value, _ := attr(n, name)
	if rest, ok := strings.CutPrefix(name, "abs:"); ok && value == "" {
		if value, ok = attr(n, rest); ok {
			return absolute(n, value)
		}
	}
	return value
}

// absolute is the address that ref means in the page of n.
func absolute(n *html.Node, ref string) string {
	for n.Parent != nil {
		n = n.Parent
	}
	u, err := url.Parse(ref)
	if err != nil {
		return ""
	}
	for d := range n.Descendants() {
		if href, ok := attr(d, "href"); ok && d.Type == html.ElementNode && d.Data == "base" {
			if base, err := url.Parse(href); err == nil && base.IsAbs() {
				return base.ResolveReference(u).String()
			}
			break
		}
	}
	if u.IsAbs() {
		return ref
	}
	return ""
}

func attr(n *html.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		key := a.Key
		if a.Namespace != "" {
			key = a.Namespace + ":" + key
		}
		if strings.EqualFold(key, name) {
			return a.Val, true
		}
	}
	return "", false
}
