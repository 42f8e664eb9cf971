// Package xml reads XML documents into a tree as the parser under JMeter's XML and
// XPath elements does: well-formedness with that parser's messages, no validation,
// and namespaces looked at or not, as the element asks.
package xml

import (
	"slices"
	"strings"
)

// Kind is the type of a Node.
type Kind uint8

const (
	Document Kind = iota
	Element
	Attribute
	Text // CDATA sections too
	Comment
	Instruction
)

// A Node is a part of a document. It is not changed after the document was read.
type Node struct {
	Kind     Kind
	Name     string // as written, prefix included; the target of an Instruction
	Local    string // without prefix; without namespaces an element's is its Name
	Space    string // the namespace's URI
	Value    string // of all but documents and elements
	Parent   *Node
	Children []*Node
	Attrs    []*Node // sorted by name, as the DOM has them; no declarations of namespaces
	Spaces   []Space // the namespaces declared here
	Order    int     // rises in document order
}

// A Space is a declaration of a namespace; the prefix of the default one is empty.
type Space struct{ Prefix, URI string }

// Root returns the document element.
func (n *Node) Root() *Node {
	for _, c := range n.Children {
		if c.Kind == Element {
			return c
		}
	}
	return nil
}

// Lookup returns the URI a prefix stands for at n.
func (n *Node) Lookup(prefix string) (uri string, ok bool) {
	if prefix == "xml" {
		return xmlSpace, true
	}
	for ; n != nil; n = n.Parent {
		for _, s := range n.Spaces {
			if s.Prefix == prefix {
				return s.URI, true
			}
		}
	}
	return "", prefix == ""
}

const xmlSpace = "http://www.w3.org/XML/1998/namespace"

// StringValue is the text of n in the sense of XPath 1.0, section 5.
func (n *Node) StringValue() string {
	if n.Kind != Document && n.Kind != Element {
		return n.Value
	}
	var b strings.Builder
	n.collect(&b)
	return b.String()
}

func (n *Node) collect(b *strings.Builder) {
	for _, c := range n.Children {
		switch c.Kind {
		case Text:
			b.WriteString(c.Value)
		case Element:
			c.collect(b)
		}
	}
}

// inScope lists the namespaces that hold at n, the default one first.
func (n *Node) inScope() []Space {
	var out []Space
	for ; n != nil; n = n.Parent {
		for _, s := range n.Spaces {
			if !slices.ContainsFunc(out, func(o Space) bool { return o.Prefix == s.Prefix }) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b Space) int { return strings.Compare(a.Prefix, b.Prefix) })
	return out
}

// AppendXML appends n as JMeter's extractors write a fragment: the namespaces in
// scope on the outermost element, attributes sorted, no declaration.
func (n *Node) AppendXML(dst []byte) []byte { return n.appendXML(dst, n.inScope()) }

func (n *Node) appendXML(dst []byte, spaces []Space) []byte {
	switch n.Kind {
	case Document:
		for _, c := range n.Children {
			dst = c.appendXML(dst, c.Spaces)
		}
		return dst
	case Text:
		return escape(dst, n.Value, false)
	case Comment:
		return append(append(append(dst, "<!--"...), n.Value...), "-->"...)
	case Instruction:
		dst = append(append(dst, "<?"...), n.Name...)
		if n.Value != "" {
			dst = append(append(dst, ' '), n.Value...)
		}
		return append(dst, "?>"...)
	case Attribute:
		return append(dst, n.Value...)
	}
	dst = append(append(dst, '<'), n.Name...)
	for _, s := range spaces {
		name := "xmlns"
		if s.Prefix != "" {
			name += ":" + s.Prefix
		}
		dst = appendAttr(dst, name, s.URI)
	}
	for _, a := range n.Attrs {
		dst = appendAttr(dst, a.Name, a.Value)
	}
	if len(n.Children) == 0 {
		return append(dst, "/>"...)
	}
	dst = append(dst, '>')
	for _, c := range n.Children {
		dst = c.appendXML(dst, c.Spaces)
	}
	return append(append(append(dst, "</"...), n.Name...), '>')
}

func appendAttr(dst []byte, name, value string) []byte {
	dst = append(append(dst, ' '), name...)
	dst = append(dst, `="`...)
	return append(escape(dst, value, true), '"')
}

func escape(dst []byte, s string, attr bool) []byte {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '&':
			dst = append(dst, "&amp;"...)
		case c == '<':
			dst = append(dst, "&lt;"...)
		case c == '>':
			dst = append(dst, "&gt;"...)
		case c == '"' && attr:
			dst = append(dst, "&quot;"...)
		case c == '\n' && attr:
			dst = append(dst, "&#10;"...)
		case c == '\r':
			dst = append(dst, "&#13;"...)
		case c == '\t' && attr:
			dst = append(dst, "&#9;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
