package jmx

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/beevik/etree"
)

// What JMeter 5.6.3 writes in the attributes of the root.
const (
	version    = "1.2"
	properties = "5.0"
	jmeter     = "5.6.3"
)

// Encode writes the plan in the form of JMeter's own files: UTF-8, two spaces a
// level, an element a line. A file that JMeter 5.6.3 saved comes out as it was,
// byte for byte. A tree built by hand without Version gets those of 5.6.3.
func (t *Tree) Encode(w io.Writer) error {
	enc := &encoder{form: t.Version == formVersion}
	doc := etree.NewDocument()
	doc.CreateProcInst("xml", `version="1.0" encoding="UTF-8"`)
	doc.CreateText("\n")
	enc.tree(doc, t)
	if enc.err != nil {
		return enc.err
	}
	b := bufio.NewWriter(w)
	if _, err := doc.WriteTo(&unescaper{w: b}); err != nil {
		return err
	}
	return b.Flush()
}

// Write writes the plan to a file as [Tree.Encode] does. The file is replaced
// only when all is written.
func (t *Tree) Write(path string) error {
	mode := os.FileMode(0o644)
	if old, err := os.Stat(path); err == nil {
		mode = old.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer os.Remove(f.Name()) // fails once it has the name of the plan
	err = t.Encode(f)
	if err == nil {
		err = f.Chmod(mode)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// encoder turns a Tree into a document.
type encoder struct {
	form
	node *Node // at hand, for errors
	err  error // the first one
}

func (enc *encoder) tree(doc *etree.Document, t *Tree) {
	k := keptOf(t.kept)
	for _, a := range k.lead {
		addAside(&doc.Element, a)
		doc.CreateText("\n")
	}
	full := *t
	if k.attrs == nil && t.Version == "" {
		full.Version, full.Properties, full.JMeter = version, properties, jmeter
	}
	root := enc.element(&doc.Element, rootTag, enc.attrs(k.attrs, full.attrs(), true))
	enc.asides(root, 1, k.body.lead)
	enc.nodes(root, 1, t.Roots, k.body)
	enc.others(root, 1, k.rest)
	enc.line(root, 0)
	doc.CreateText("\n")
	for _, a := range k.tail {
		addAside(&doc.Element, a)
		doc.CreateText("\n")
	}
}

// nodes writes a hashTree.
func (enc *encoder) nodes(parent *etree.Element, depth int, nodes []*Node, b body) {
	enc.line(parent, depth)
	tree := enc.element(parent, treeTag, b.attrs)
	for _, n := range nodes {
		k := keptOf(n.kept)
		enc.node = n
		enc.asides(tree, depth+1, k.lead)
		enc.line(tree, depth+1)
		tag := n.tag()
		e := enc.element(tree, tag, enc.attrs(k.attrs, enc.nodeAttrs(n), tag == n.Tag))
		enc.props(e, depth+1, n.Props, k.tail)
		enc.asides(tree, depth+1, k.body.lead)
		enc.nodes(tree, depth+1, n.Children, k.body)
	}
	enc.end(tree, depth, b.tail)
}

// tag is the one of the file while that still means the class of the node.
func (n *Node) tag() string {
	attrs := keptOf(n.kept).attrs
	gui, ok := getAttr(attrs, "guiclass")
	if !ok || canonical(gui) != n.GUI {
		gui = n.GUI
	}
	if n.Tag != "" && classOf(n.Tag, append([]attr{{"guiclass", gui}}, attrs...)) == n.Class {
		return n.Tag
	}
	return classTag.Replace(n.Class)
}

func (enc *encoder) props(e *etree.Element, depth int, props []*Prop, tail []aside) {
	for _, p := range props {
		enc.prop(e, depth+1, p)
	}
	enc.end(e, depth, tail)
}

func (enc *encoder) prop(parent *etree.Element, depth int, p *Prop) {
	k := keptOf(p.kept)
	enc.asides(parent, depth, k.lead)
	enc.line(parent, depth)
	if int(p.Kind) >= len(tags) {
		enc.fail("property %q has no kind", p.Name)
		return
	}
	e := enc.element(parent, tags[p.Kind], enc.attrs(k.attrs, enc.propAttrs(p), true))
	switch p.Kind {
	case Collection, Map, Element:
		enc.props(e, depth, p.Props, k.tail)
	case Double, Float:
		enc.leaf(e, depth+1, "name", p.Name)
		enc.asides(e, depth+1, k.body.lead)
		enc.leaf(e, depth+1, "value", cmp.Or(p.Value, zero))
		if k.rest == nil {
			enc.leaf(e, depth+1, "savedValue", zero)
		}
		enc.others(e, depth+1, k.rest)
		enc.end(e, depth, k.tail)
	case Object:
		enc.leaf(e, depth+1, "name", p.Name)
		enc.asides(e, depth+1, k.body.lead)
		if p.Class != "" || p.Value != "" || p.Props != nil || k.body.attrs != nil {
			enc.line(e, depth+1)
			v := enc.element(e, "value", enc.attrs(k.body.attrs, valueAttrs(p), true))
			enc.members(v, depth+1, p, k.body.tail)
		}
		enc.others(e, depth+1, k.rest)
		enc.end(e, depth, k.tail)
	case String:
		enc.text(e, p.Value, k.inner)
		enc.others(e, -1, k.rest)
	default:
		plain := encoder{}
		plain.text(e, p.Value, k.inner)
		enc.others(e, -1, k.rest)
	}
}

// members writes what is inside the value of an object.
func (enc *encoder) members(e *etree.Element, depth int, p *Prop, tail []aside) {
	if len(p.Props) == 0 {
		if p.Value != "" {
			e.CreateText(escape(p.Value, inText))
		}
		for _, a := range tail {
			addAside(e, a)
		}
		return
	}
	for _, m := range p.Props {
		k := keptOf(m.kept)
		enc.asides(e, depth+1, k.lead)
		enc.line(e, depth+1)
		enc.members(enc.element(e, m.Name, k.attrs), depth+1, m, k.tail)
	}
	enc.end(e, depth, tail)
}

// text writes a text, which asides may interrupt.
func (enc *encoder) text(e *etree.Element, s string, inner []aside) {
	from := 0
	for _, a := range inner {
		if at := max(from, cutAt(s, a.at)); at > from {
			e.CreateText(escape(enc.encode(s[from:at]), inText))
			from = at
		}
		addAside(e, a)
	}
	// An empty text too: JMeter writes an end tag for it.
	e.CreateText(escape(enc.encode(s[from:]), inText))
}

func (enc *encoder) leaf(parent *etree.Element, depth int, tag, text string) {
	enc.line(parent, depth)
	enc.element(parent, tag, nil).CreateText(escape(text, inText))
}

// others writes elements kept as they were, in a line each if depth says so.
func (enc *encoder) others(parent *etree.Element, depth int, elements []*etree.Element) {
	for _, e := range elements {
		if depth >= 0 {
			enc.line(parent, depth)
		}
		parent.AddChild(detached(e))
	}
}

func (enc *encoder) attrs(file, want []attr, same bool) []attr {
	if file == nil {
		return want
	}
	return enc.reconcile(file, want, same)
}

// element adds an element. The attributes go in directly: etree's own way looks
// for each among those there.
func (enc *encoder) element(parent *etree.Element, tag string, attrs []attr) *etree.Element {
	if !isTag(tag) {
		enc.fail("%q cannot be a tag", tag)
	}
	e := parent.CreateElement(tag)
	for _, a := range attrs {
		e.Attr = append(e.Attr, etree.Attr{Key: a.name, Value: escape(a.value, inAttr)})
	}
	return e
}

// isTag reports whether a name is one, roughly: names of files were checked when
// they were read.
func isTag(s string) bool {
	if s == "" || s[0] < 'A' || strings.ContainsRune("[\\]^`{|}~", rune(s[0])) {
		return s != "" && s[0] == ':'
	}
	for i := range len(s) {
		if !isName(s[i]) || strings.IndexByte("!?#$%()*+,;@[\\]^`{|}~", s[i]) >= 0 {
			return false
		}
	}
	return true
}

func (enc *encoder) asides(parent *etree.Element, depth int, list []aside) {
	for _, a := range list {
		enc.line(parent, depth)
		addAside(parent, a)
	}
}

func addAside(parent *etree.Element, a aside) {
	if text := escape(a.text, inComment); a.target == "" {
		parent.CreateComment(text)
	} else {
		parent.CreateProcInst(a.target, text)
	}
}

// end writes the last asides of a container, and the line of its end tag.
func (enc *encoder) end(e *etree.Element, depth int, tail []aside) {
	enc.asides(e, depth+1, tail)
	if len(e.Child) > 0 {
		enc.line(e, depth)
	}
}

// line starts a line.
func (enc *encoder) line(parent *etree.Element, depth int) {
	parent.CreateText("\n" + strings.Repeat("  ", depth))
}

func (enc *encoder) fail(format string, args ...any) {
	if enc.err != nil {
		return
	}
	err := fmt.Errorf(format, args...)
	if enc.node != nil {
		err = fmt.Errorf("%s: %w", enc.node.Path(), err)
	}
	enc.err = err
}

// keptOf is k, or an empty one.
func keptOf(k *kept) kept {
	if k == nil {
		return kept{}
	}
	return *k
}
