package xml

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Error is a document that is not well-formed, in the parser's words; the place
// counts from 1 and is where the parser noticed.
type Error struct {
	Text         string
	Line, Column int
}

func (e *Error) Error() string { return e.Text }

// maxDepth bounds nesting, so that no document can exhaust the stack of those who
// walk it; maxEntities bounds what entities may grow to (the JDK's own limits are of
// the same kind).
const (
	maxDepth    = 10_000
	maxEntities = 1 << 20
)

// Parse reads a document. Its encoding is that of a byte order mark, else of the
// declaration, else UTF-8. Without namespaces a colon is a letter like others.
// Declarations of entities are known in the document itself only; nothing else is
// ever fetched. The error is an *Error.
func Parse(data []byte, namespaces bool) (doc *Node, err error) {
	text, err := decode(data)
	if err != nil {
		return nil, err
	}
	return parse(text, namespaces, false)
}

func parse(text string, namespaces, noDoctype bool) (*Node, error) {
	p := &parser{src: text, namespaces: namespaces, noDoctype: noDoctype, doc: &Node{Kind: Document}}
	if err := p.document(); err != nil {
		return nil, err
	}
	return p.doc, nil
}

type parser struct {
	src        string
	at         int
	namespaces bool
	noDoctype  bool
	doc        *Node
	order      int
	depth      int
	entities   map[string]string
	grown      int // bytes that entities became
}

const (
	msgEnd       = "XML document structures must start and end within the same entity."
	msgDoctype   = `DOCTYPE is disallowed when the feature "http://apache.org/xml/features/disallow-doctype-decl" set to true.`
	msgPreceding = "The markup in the document preceding the root element must be well-formed."
)

func (p *parser) fail(format string, args ...any) error {
	at := min(p.at, len(p.src))
	line := strings.Count(p.src[:at], "\n") + 1
	column := utf8.RuneCountInString(p.src[strings.LastIndexByte(p.src[:at], '\n')+1:at]) + 1
	return &Error{fmt.Sprintf(format, args...), line, column}
}

func (p *parser) has(s string) bool { return strings.HasPrefix(p.src[p.at:], s) }

func (p *parser) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func (p *parser) skipSpace() {
	for p.at < len(p.src) && isSpace(p.src[p.at]) {
		p.at++
	}
}

func (p *parser) add(parent, n *Node) *Node {
	p.order++
	n.Order, n.Parent = p.order, parent
	parent.Children = append(parent.Children, n)
	return n
}

func (p *parser) document() error {
	if err := p.declaration(); err != nil {
		return err
	}
	seen := false
	for {
		p.skipSpace()
		switch {
		case p.at >= len(p.src) && !seen:
			return p.fail("Premature end of file.")
		case p.at >= len(p.src):
			return nil
		case p.has("<!--"), p.has("<?"):
			if err := p.misc(p.doc); err != nil {
				return err
			}
		case p.has("<!DOCTYPE") && !seen:
			if err := p.doctype(); err != nil {
				return err
			}
		case p.peek() != '<' && seen:
			return p.fail("Content is not allowed in trailing section.")
		case p.peek() != '<':
			return p.fail("Content is not allowed in prolog.")
		case seen:
			p.at++
			return p.fail("The markup in the document following the root element must be well-formed.")
		default:
			if r, _ := utf8.DecodeRuneInString(p.src[p.at+1:]); !isNameStart(r) {
				p.at++
				return p.fail(msgPreceding)
			}
			seen = true
			if err := p.element(p.doc); err != nil {
				return err
			}
		}
	}
}

// declaration passes <?xml ...?>.
func (p *parser) declaration() error {
	if !p.has("<?xml") || len(p.src) < 6 || !isSpace(p.src[5]) {
		return nil
	}
	end := strings.Index(p.src, "?>")
	if end < 0 {
		p.at = len(p.src)
		return p.fail(msgEnd)
	}
	text := p.src[5:end]
	p.at = end + 2
	_, rest, ok := strings.Cut(text, "version")
	if !ok {
		return p.fail("The version is required in the XML declaration.")
	}
	rest = strings.TrimLeft(rest, " \t\n=")
	if len(rest) > 1 {
		if version, _, _ := strings.Cut(rest[1:], rest[:1]); version != "1.0" && version != "1.1" {
			return p.fail("XML version \"%s\" is not supported, only XML 1.0 is supported.", version)
		}
	}
	return nil
}

// misc reads a comment or an instruction.
func (p *parser) misc(parent *Node) error {
	if p.has("<!--") {
		p.at += 4
		end := strings.Index(p.src[p.at:], "--")
		if end < 0 {
			p.at = len(p.src)
			return p.fail(msgEnd)
		}
		text := p.src[p.at : p.at+end]
		p.at += end + 2
		if p.peek() != '>' {
			return p.fail("The string \"--\" is not permitted within comments.")
		}
		p.at++
		p.add(parent, &Node{Kind: Comment, Value: text})
		return nil
	}
	p.at += 2
	name := p.name()
	if strings.EqualFold(name, "xml") {
		return p.fail("The processing instruction target matching \"[xX][mM][lL]\" is not allowed.")
	}
	end := strings.Index(p.src[p.at:], "?>")
	if end < 0 {
		p.at = len(p.src)
		return p.fail(msgEnd)
	}
	text := strings.TrimLeft(p.src[p.at:p.at+end], " \t\n")
	p.at += end + 2
	p.add(parent, &Node{Kind: Instruction, Name: name, Local: name, Value: text})
	return nil
}

// doctype passes a document type and keeps the entities it declares.
func (p *parser) doctype() error {
	if p.noDoctype {
		return p.fail(msgDoctype)
	}
	p.at += len("<!DOCTYPE")
	p.entities = map[string]string{}
	inside := false
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '"' || c == '\'':
			end := strings.IndexByte(p.src[p.at+1:], c)
			if end < 0 {
				p.at = len(p.src)
				return p.fail(msgEnd)
			}
			p.at += end + 2
			continue
		case p.has("<!--"):
			end := strings.Index(p.src[p.at:], "-->")
			if end < 0 {
				p.at = len(p.src)
				return p.fail(msgEnd)
			}
			p.at += end + 3
			continue
		case p.has("<!ENTITY"):
			p.entity()
			continue
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case c == '>' && !inside:
			p.at++
			return nil
		}
		p.at++
	}
	return p.fail(msgEnd)
}

func isNameStart(r rune) bool {
	return r == ':' || r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' ||
		r >= 0xc0 && r != 0xd7 && r != 0xf7 && r != utf8.RuneError && (r < 0x2000 || r > 0x206f || r == 0x200c || r == 0x200d)
}

func isNameChar(r rune) bool {
	return isNameStart(r) || r == '-' || r == '.' || r >= '0' && r <= '9' || r == 0xb7
}

func (p *parser) name() string {
	start := p.at
	for p.at < len(p.src) {
		r, n := rune(p.src[p.at]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(p.src[p.at:])
		}
		if p.at == start && !isNameStart(r) || !isNameChar(r) {
			break
		}
		p.at += n
	}
	return p.src[start:p.at]
}

func (p *parser) element(parent *Node) error {
	if p.depth++; p.depth > maxDepth {
		return p.fail("The document is nested too deeply.")
	}
	defer func() { p.depth-- }()
	p.at++
	n := p.add(parent, &Node{Kind: Element, Name: p.name()})
	closed, err := p.attributes(n)
	if err != nil || closed {
		return err
	}
	if err := p.content(n); err != nil {
		return err
	}
	// content stops at </
	p.at += 2
	if name := p.name(); name != n.Name {
		return p.fail("The element type \"%s\" must be terminated by the matching end-tag \"</%s>\".", n.Name, n.Name)
	}
	p.skipSpace()
	if p.peek() != '>' {
		if p.at >= len(p.src) {
			return p.fail(msgEnd)
		}
		return p.fail("The end-tag for element type \"%s\" must end with a '>' delimiter.", n.Name)
	}
	p.at++
	return nil
}

// attributes reads a start tag behind its name, and reports whether it was empty.
func (p *parser) attributes(n *Node) (closed bool, err error) {
	for {
		before := p.at
		p.skipSpace()
		switch {
		case p.at >= len(p.src):
			return false, p.fail(msgEnd)
		case p.peek() == '>':
			p.at++
			return false, p.finish(n)
		case p.has("/>"):
			p.at += 2
			return true, p.finish(n)
		}
		name := ""
		if p.at > before {
			name = p.name()
		}
		if name == "" {
			return false, p.fail("Element type \"%s\" must be followed by either attribute specifications, \">\" or \"/>\".", n.Name)
		}
		value, err := p.attribute(n.Name, name)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(n.Attrs, func(a *Node) bool { return a.Name == name }) {
			return false, p.fail("Attribute \"%s\" was already specified for element \"%s\".", name, n.Name)
		}
		n.Attrs = append(n.Attrs, &Node{Kind: Attribute, Name: name, Value: value, Parent: n})
	}
}

func (p *parser) attribute(element, name string) (string, error) {
	p.skipSpace()
	if p.peek() != '=' {
		if p.at >= len(p.src) {
			return "", p.fail(msgEnd)
		}
		return "", p.fail("Attribute name \"%s\" associated with an element type \"%s\" must be followed by the ' = ' character.", name, element)
	}
	p.at++
	p.skipSpace()
	quote := p.peek()
	if quote != '"' && quote != '\'' {
		if p.at >= len(p.src) {
			return "", p.fail(msgEnd)
		}
		return "", p.fail("Open quote is expected for attribute \"%s\" associated with an  element type  \"%s\".", name, element)
	}
	p.at++
	var b strings.Builder
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == quote:
			p.at++
			return b.String(), nil
		case c == '<':
			return "", p.fail("The value of attribute \"%s\" associated with an element type \"%s\" must not contain the '<' character.", name, element)
		case c == '&':
			text, err := p.reference(0)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		case c == '\n' || c == '\t':
			b.WriteByte(' ')
			p.at++
		default:
			r, n, err := p.char("in the value of attribute \"" + name + "\" and element is \"" + element + "\"")
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
			p.at += n
		}
	}
	return "", p.fail(msgEnd)
}

// char decodes a character and refuses those XML has not.
func (p *parser) char(where string) (rune, int, error) {
	r, n := utf8.DecodeRuneInString(p.src[p.at:])
	if r == utf8.RuneError && n == 1 {
		return r, n, p.fail("Invalid byte 1 of 1-byte UTF-8 sequence.")
	}
	if !isChar(r) {
		return r, n, p.fail("An invalid XML character (Unicode: 0x%x) was found %s.", r, where)
	}
	return r, n, nil
}

func isChar(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= 0x10ffff
}

// content reads what an element holds, to the </ of an end tag.
func (p *parser) content(parent *Node) error {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			p.add(parent, &Node{Kind: Text, Value: b.String()})
			b.Reset()
		}
	}
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case c == '&':
			text, err := p.reference(0)
			if err != nil {
				return err
			}
			b.WriteString(text)
		case p.has("</"):
			flush()
			return nil
		case p.has("<![CDATA["):
			p.at += len("<![CDATA[")
			end := strings.Index(p.src[p.at:], "]]>")
			if end < 0 {
				p.at = len(p.src)
				return p.fail(msgEnd)
			}
			b.WriteString(p.src[p.at : p.at+end])
			p.at += end + 3
		case p.has("<!--"), p.has("<?"):
			flush()
			if err := p.misc(parent); err != nil {
				return err
			}
		case c == '<':
			flush()
			if r, _ := utf8.DecodeRuneInString(p.src[p.at+1:]); !isNameStart(r) {
				if p.at+1 >= len(p.src) {
					break
				}
				p.at++
				return p.fail("The content of elements must consist of well-formed character data or markup.")
			}
			if err := p.element(parent); err != nil {
				return err
			}
			continue
		case p.has("]]>"):
			return p.fail("The character sequence \"]]>\" must not appear in content unless used to mark the end of a CDATA section.")
		default:
			start := p.at
			for p.at < len(p.src) && p.src[p.at] >= ' ' && p.src[p.at] < utf8.RuneSelf && p.src[p.at] != '<' && p.src[p.at] != '&' && p.src[p.at] != ']' {
				p.at++
			}
			b.WriteString(p.src[start:p.at])
			if p.at == start {
				r, n, err := p.char("in the element content of the document")
				if err != nil {
					return err
				}
				b.WriteRune(r)
				p.at += n
			}
		}
		if p.at+1 >= len(p.src) && p.peek() == '<' {
			break
		}
	}
	p.at = len(p.src)
	return p.fail(msgEnd)
}

// finish takes the declarations of namespaces out of the attributes, sorts the rest
// and names them and the element.
func (p *parser) finish(n *Node) error {
	kept := n.Attrs[:0]
	for _, a := range n.Attrs {
		prefix, isDeclaration := strings.CutPrefix(a.Name, "xmlns:")
		switch {
		case a.Name == "xmlns":
			n.Spaces = append(n.Spaces, Space{"", a.Value})
		case isDeclaration:
			n.Spaces = append(n.Spaces, Space{prefix, a.Value})
		default:
			kept = append(kept, a)
		}
	}
	n.Attrs = kept
	slices.SortFunc(n.Attrs, func(a, b *Node) int { return strings.Compare(a.Name, b.Name) })
	n.Local = n.Name
	if p.namespaces {
		if err := p.resolve(n, true); err != nil {
			return err
		}
	}
	for _, a := range n.Attrs {
		p.order++
		a.Order = p.order
		_, a.Local, _ = strings.Cut(a.Name, ":")
		if a.Local == "" {
			a.Local = a.Name
		}
		if p.namespaces && a.Local != a.Name {
			if err := p.resolve(a, false); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *parser) resolve(n *Node, useDefault bool) error {
	prefix, local, ok := strings.Cut(n.Name, ":")
	if !ok {
		prefix, local = "", n.Name
		if !useDefault {
			return nil
		}
	}
	at := n
	if n.Kind == Attribute {
		at = n.Parent
	}
	uri, known := at.Lookup(prefix)
	if !known && n.Kind == Attribute {
		return p.fail("The prefix \"%s\" for attribute \"%s\" associated with an element type \"%s\" is not bound.", prefix, n.Name, n.Parent.Name)
	}
	if !known {
		return p.fail("The prefix \"%s\" for element \"%s\" is not bound.", prefix, n.Name)
	}
	n.Local, n.Space = local, uri
	return nil
}
