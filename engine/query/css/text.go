package css

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Text is the text below n as the library puts it together: white space made one
// blank, and one between blocks; nothing of scripts and styles.
func Text(n *html.Node) string {
	var b builder
	b.walk(n, n)
	return strings.TrimFunc(b.String(), isControlOrSpace)
}

// ownText is the text of n less that of elements inside.
func ownText(n *html.Node) string {
	var b builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case isText(c):
			b.text(c)
		case c.Type == html.ElementNode && c.Data == "br" && !b.endsBlank():
			b.WriteByte(' ')
		}
	}
	return strings.TrimFunc(b.String(), isControlOrSpace)
}

// wholeText is the text below n as it stands.
func wholeText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		b.WriteString(whole(d))
	}
	return b.String()
}

func wholeOwnText(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(whole(c))
	}
	return b.String()
}

func whole(n *html.Node) string {
	switch {
	case isText(n):
		return n.Data
	case n.Type == html.ElementNode && n.Data == "br":
		return "\n"
	}
	return ""
}

// data is what scripts, styles and comments below n hold.
func data(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.CommentNode, c.Type == html.TextNode && !isText(c):
			b.WriteString(c.Data)
		case c.Type == html.ElementNode:
			b.WriteString(data(c))
		}
	}
	return b.String()
}

// isText tells text from that of scripts and styles.
func isText(n *html.Node) bool {
	if n.Type != html.TextNode {
		return false
	}
	switch n.Parent.Data {
	case "script", "style":
		return n.Parent.Namespace != ""
	}
	return true
}

// builder joins texts.
type builder struct{ strings.Builder }

func (b *builder) walk(top, n *html.Node) {
	switch {
	case isText(n):
		b.text(n)
		return
	case n.Type == html.ElementNode && b.Len() > 0 && (blocks[n.Data] || n.Data == "br") && !b.endsBlank():
		b.WriteByte(' ')
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.walk(top, c)
	}
	if n == top || n.Type != html.ElementNode || !blocks[n.Data] || b.endsBlank() {
		return
	}
	// a block and the text or inline element behind it are apart
	if next := n.NextSibling; next != nil && (isText(next) || next.Type == html.ElementNode && (!blocks[next.Data] || inline[next.Data])) {
		b.WriteByte(' ')
	}
}

func (b *builder) endsBlank() bool {
	s := b.String()
	return s != "" && s[len(s)-1] == ' '
}

func (b *builder) text(n *html.Node) {
	if preserves(n.Parent) {
		b.WriteString(n.Data)
		return
	}
	b.normal(n.Data, b.endsBlank())
}

// normal appends s with white space made one blank, none at the front where strip.
func (b *builder) normal(s string, strip bool) {
	blank, reached := false, false
	for _, r := range s {
		switch {
		case isBlank(r) || r == 160:
			if strip && !reached || blank {
				continue
			}
			b.WriteByte(' ')
			blank = true
		case r == 0x200b || r == 0xad: // not to be seen
		default:
			b.WriteRune(r)
			blank, reached = false, true
		}
	}
}

func normalSpace(s string) string {
	var b builder
	b.normal(s, false)
	return b.String()
}

// isBlank is white space of HTML.
func isBlank(r rune) bool {
	return r < utf8.RuneSelf && isSpace(byte(r))
}

// preserves tells whether white space counts in n: in it or the elements around
// it, six levels in all.
func preserves(n *html.Node) bool {
	for i := 0; i < 6 && n != nil; i, n = i+1, n.Parent {
		switch n.Data {
		case "pre", "plaintext", "title", "textarea":
			return n.Type == html.ElementNode
		}
	}
	return false
}

func names(s string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(s) {
		m[name] = true
	}
	return m
}

// blocks are the elements that the library takes for blocks; inline are those of
// them that it lays out as if they were none.
var (
	blocks = names(`html head body frameset script noscript style meta link title frame noframes section nav aside hgroup
		header footer p h1 h2 h3 h4 h5 h6 ul ol pre div blockquote hr address figure figcaption form fieldset ins del dl dt dd li
		table caption thead tfoot tbody colgroup col tr th td video audio canvas details menu plaintext template article main
		center dir applet marquee listing`)
	inline = names("title a p h1 h2 h3 h4 h5 h6 pre address li th td script style ins del s button")
)
