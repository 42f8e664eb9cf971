package css

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/gojm/gojm/engine/query/regex"
)

// matcher tells whether element n meets a condition; root is where the search
// began.
type matcher interface {
	match(root, n *html.Node) bool
}

type all []matcher

func (m all) match(root, n *html.Node) bool {
	for _, x := range m {
		if !x.match(root, n) {
			return false
		}
	}
	return true
}

type either struct{ list []matcher }

func (m *either) match(root, n *html.Node) bool {
	for _, x := range m.list {
		if x.match(root, n) {
			return true
		}
	}
	return false
}

type (
	anything struct{}
	isRoot   struct{} // where the search began
	isTop    struct{} // the outermost element
	isEmpty  struct{}
	hasTag   string
	tagEnds  string
	hasID    string
	hasClass string
	hasAttr  string
	// attrPrefix is met by an attribute with a name that begins so.
	attrPrefix string
)

func (anything) match(_, _ *html.Node) bool   { return true }
func (isRoot) match(root, n *html.Node) bool  { return n == root }
func (m hasTag) match(_, n *html.Node) bool   { return tagName(n) == string(m) }
func (m tagEnds) match(_, n *html.Node) bool  { return strings.HasSuffix(tagName(n), string(m)) }
func (m hasID) match(_, n *html.Node) bool    { return Attr(n, "id") == string(m) }
func (m hasAttr) match(_, n *html.Node) bool  { _, ok := attr(n, string(m)); return ok }
func (m hasClass) match(_, n *html.Node) bool { return classes(Attr(n, "class"), string(m)) }

func (isTop) match(root, n *html.Node) bool {
	if root.Type == html.DocumentNode {
		for c := root.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode {
				return c == n
			}
		}
		return false
	}
	return n == root
}

func (isEmpty) match(_, n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.CommentNode, html.DoctypeNode:
		case html.TextNode:
			return strings.TrimFunc(c.Data, isBlank) == "" // whatever follows
		default:
			return false
		}
	}
	return true
}

func (m attrPrefix) match(_, n *html.Node) bool {
	for _, a := range n.Attr {
		if strings.HasPrefix(strings.ToLower(a.Key), string(m)) {
			return true
		}
	}
	return false
}

// classes tells whether class is among the names, in any case.
func classes(names, class string) bool {
	for _, name := range strings.FieldsFunc(names, isBlank) {
		if strings.EqualFold(name, class) {
			return true
		}
	}
	return false
}

// attrTest compares the value of an attribute, in any case.
type attrTest struct {
	key, op, value string
	re             *regex.Regexp
}

func newAttrTest(key, op, value string) (matcher, error) {
	if op == "~=" {
		re, err := regex.Compile(value, regex.Java)
		if err != nil {
			return nil, err
		}
		return attrTest{key: key, op: op, re: re}, nil
	}
	if key == "" || value == "" {
		return nil, fmt.Errorf("String must not be empty")
	}
	quoted := len(value) > 1 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0]
	if quoted {
		value = value[1 : len(value)-1]
	}
	value = strings.ToLower(value)
	if !quoted || op == "=" || op == "!=" || op == "*=" {
		value = strings.TrimFunc(value, isControlOrSpace)
	}
	return attrTest{key: key, op: op, value: value}, nil
}

func (m attrTest) match(_, n *html.Node) bool {
	value, ok := attr(n, m.key)
	switch m.op {
	case "=":
		return ok && strings.EqualFold(m.value, strings.TrimFunc(value, isControlOrSpace))
	case "!=":
		return !strings.EqualFold(m.value, value)
	case "^=":
		return ok && strings.HasPrefix(strings.ToLower(value), m.value)
	case "$=":
		return ok && strings.HasSuffix(strings.ToLower(value), m.value)
	case "*=":
		return ok && strings.Contains(strings.ToLower(value), m.value)
	}
	return ok && m.re.ContainsString(value)
}

// What stands around an element.
type (
	ancestor struct{ of matcher }
	parent   struct{ of matcher }
	previous struct{ of matcher } // the sibling before
	earlier  struct{ of matcher } // any sibling before
	has      struct{ below matcher }
	not      struct{ m matcher }
)

func (m ancestor) match(root, n *html.Node) bool {
	for n != root && n.Parent != nil {
		if n = n.Parent; m.of.match(root, n) {
			return true
		}
	}
	return false
}

func (m parent) match(root, n *html.Node) bool {
	return n != root && n.Parent != nil && m.of.match(root, n.Parent)
}

func (m previous) match(root, n *html.Node) bool {
	if n == root {
		return false
	}
	p := before(n)
	return p != nil && m.of.match(root, p)
}

func (m earlier) match(root, n *html.Node) bool {
	if n == root {
		return false
	}
	for p := before(n); p != nil; p = before(p) {
		if m.of.match(root, p) {
			return true
		}
	}
	return false
}

func (m has) match(_, n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && m.below.match(n, d) {
			return true
		}
	}
	return false
}

func (m not) match(root, n *html.Node) bool { return !m.m.match(root, n) }

// before is the element before n, after the one behind.
func before(n *html.Node) *html.Node {
	for n = n.PrevSibling; n != nil && n.Type != html.ElementNode; n = n.PrevSibling {
	}
	return n
}

func after(n *html.Node) *html.Node {
	for n = n.NextSibling; n != nil && n.Type != html.ElementNode; n = n.NextSibling {
	}
	return n
}

// sibling compares the place among the parent's elements, from 0.
type sibling struct {
	op string
	n  int
}

func (m sibling) match(root, n *html.Node) bool {
	i := 0
	for p := before(n); p != nil; p = before(p) {
		i++
	}
	switch m.op {
	case "lt":
		return n != root && i < m.n
	case "gt":
		return i > m.n
	}
	return i == m.n
}

// nth is the an+b-th of its parent's elements, or of those of its name.
type nth struct {
	a, b         int
	last, ofType bool
}

func (m nth) match(_, n *html.Node) bool {
	if n.Parent == nil || n.Parent.Type == html.DocumentNode {
		return false
	}
	pos, next := 1, before
	if m.last {
		next = after
	}
	for p := next(n); p != nil; p = next(p) {
		if !m.ofType || tagName(p) == tagName(n) {
			pos++
		}
	}
	if m.a == 0 {
		return pos == m.b
	}
	return (pos-m.b)*m.a >= 0 && (pos-m.b)%m.a == 0
}

// containing looks for a text in a part of the element.
type containing struct{ part, text string }

func (m containing) match(_, n *html.Node) bool {
	switch m.part {
	case "Own":
		return strings.Contains(strings.ToLower(ownText(n)), m.text)
	case "WholeText":
		return strings.Contains(wholeText(n), m.text)
	case "WholeOwnText":
		return strings.Contains(wholeOwnText(n), m.text)
	case "Data":
		return strings.Contains(strings.ToLower(data(n)), m.text)
	}
	return strings.Contains(strings.ToLower(Text(n)), m.text)
}

// matching looks for a match in a part of the element.
type matching struct {
	part string
	re   *regex.Regexp
}

func (m matching) match(_, n *html.Node) bool {
	switch m.part {
	case "Own":
		return m.re.ContainsString(ownText(n))
	case "WholeText":
		return m.re.ContainsString(wholeText(n))
	case "WholeOwnText":
		return m.re.ContainsString(wholeOwnText(n))
	}
	return m.re.ContainsString(Text(n))
}
