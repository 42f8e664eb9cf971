package jmx

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

const (
	rootTag   = "jmeterTestPlan"
	rootClass = core + "save.ScriptWrapper"
	treeTag   = "hashTree"
)

// isTree reports whether a tag is that of a hashTree.
func isTree(tag string) bool {
	switch tag {
	case treeTag, "org.apache.jorphan.collections.ListedHashTree", "org.apache.jorphan.collections.HashTree":
		return true
	}
	return false
}

// decoder turns a document into a Tree. It visits every element once and in
// their order, because the lines are in that order.
type decoder struct {
	form
	file  string
	lines []int32 // of the elements that are still to come
	line  int     // of the element at hand

	node  *Node    // the node at hand, for errors and renames
	trail []string // names of the properties at hand

	names map[string]string // every property name once
}

// enter takes the next line.
func (d *decoder) enter() int {
	if len(d.lines) > 0 {
		d.line, d.lines = int(d.lines[0]), d.lines[1:]
	}
	return d.line
}

// ignore takes the lines of an element that means nothing to JMeter, and returns
// the element for the writer.
func (d *decoder) ignore(e *etree.Element) *etree.Element {
	d.enter()
	d.skip(e)
	return detached(e)
}

// skip takes the lines of what is inside an element.
func (d *decoder) skip(e *etree.Element) {
	for _, c := range e.Child {
		if c, ok := c.(*etree.Element); ok {
			d.enter()
			d.skip(c)
		}
	}
}

func (d *decoder) fail(format string, args ...any) error {
	e := &Error{File: d.file, Line: d.line, Msg: fmt.Sprintf(format, args...)}
	if d.node != nil {
		e.Where = d.node.Path()
	}
	if len(d.trail) > 0 {
		e.Where += ": " + join(d.trail)
	}
	return e
}

// document reads the whole. JMeter reads the first element of the root only.
func (d *decoder) document(doc *etree.Document) (*Tree, error) {
	var t *Tree
	var lead []aside
	for _, c := range doc.Child {
		switch c := c.(type) {
		case *etree.Element:
			var err error
			if t, err = d.root(c, lead); err != nil {
				return nil, err
			}
			lead = nil
		default:
			lead = appendAside(lead, c)
		}
	}
	if t == nil {
		return nil, d.fail("no <%s>", rootTag)
	}
	t.kept.tail = lead
	t.kept = t.kept.orNil()
	return t, nil
}

func (d *decoder) root(root *etree.Element, lead []aside) (*Tree, error) {
	t := &Tree{kept: &kept{lead: lead}}
	d.enter()
	attrs := attrsOf(root)
	t.Version, _ = getAttr(attrs, "version")
	t.Properties, _ = getAttr(attrs, "properties")
	t.JMeter, _ = getAttr(attrs, "jmeter")
	d.form = t.Version == formVersion
	if t.kept.attrs = d.keptAttrs(attrs, t.attrs()); t.Version == "" {
		t.kept.attrs = append([]attr{}, attrs...) // the writer would take a new tree's
	}

	var tree *etree.Element
	for _, c := range root.Child {
		e, ok := c.(*etree.Element)
		switch {
		case !ok:
			if tree == nil {
				t.kept.body.lead = appendAside(t.kept.body.lead, c)
			}
		case tree != nil:
			t.kept.rest = append(t.kept.rest, d.ignore(e))
		case !isTree(e.FullTag()):
			d.enter()
			return nil, d.fail("<%s> where the <%s> of the plan should be", e.FullTag(), treeTag)
		default:
			d.enter()
			tree = e
			var err error
			if t.Roots, t.kept.body, err = d.nodes(e, nil, t.kept.body); err != nil {
				return nil, err
			}
		}
	}
	if tree == nil {
		return nil, d.fail("<%s> holds no <%s>, so there is no plan", rootTag, treeTag)
	}
	return t, nil
}

// nodes reads the content of a hashTree: elements, each followed by its own
// hashTree, which only the last may lack.
func (d *decoder) nodes(tree *etree.Element, parent *Node, b body) ([]*Node, body, error) {
	var nodes []*Node
	var lead []aside
	var open *Node // waits for its hashTree
	if attrs := attrsOf(tree); len(attrs) > 0 {
		b.attrs = attrs
	}
	for _, c := range tree.Child {
		e, ok := c.(*etree.Element)
		if !ok {
			lead = appendAside(lead, c)
			continue
		}
		d.enter()
		d.node = parent
		switch {
		case open == nil:
			n, err := d.element(e, parent)
			if err != nil {
				return nil, b, err
			}
			n.kept.lead, lead = lead, nil
			nodes, open = append(nodes, n), n
		case !isTree(e.FullTag()):
			return nil, b, d.fail("<%s> where the <%s> of %q should be", e.FullTag(), treeTag, label(open.Name, open.Class))
		default:
			d.node = open
			inside := body{lead: lead}
			lead = nil
			var err error
			if open.Children, open.kept.body, err = d.nodes(e, open, inside); err != nil {
				return nil, b, err
			}
			open = nil
		}
		e.Child = nil // no longer needed: let the memory go
	}
	for _, n := range nodes {
		n.kept = n.kept.orNil()
	}
	d.node = parent
	b.tail = lead
	return nodes, b, nil
}

// element reads one element without its hashTree.
func (d *decoder) element(e *etree.Element, parent *Node) (*Node, error) {
	n := &Node{Tag: e.FullTag(), Line: d.line, Parent: parent, Enabled: true, kept: &kept{}}
	if isTree(n.Tag) {
		return nil, d.fail("a <%s> that belongs to no element", n.Tag)
	}
	if _, ok := kinds[n.Tag]; ok {
		return nil, d.fail("a <%s> outside any element", n.Tag)
	}
	attrs := attrsOf(e)
	gui, ok := getAttr(attrs, "guiclass")
	n.Class, n.GUI = classOf(n.Tag, attrs), canonical(gui)
	d.node = n
	var err error
	if n.Name, err = d.attr(attrs, "testname"); err != nil {
		return nil, err
	}
	if !ok {
		return nil, d.fail("<%s> has no guiclass attribute", n.Tag)
	}
	if enabled, ok := getAttr(attrs, "enabled"); ok {
		n.Enabled = isTrue(enabled)
	}
	if n.Props, n.kept.tail, err = d.props(e); err != nil {
		return nil, err
	}
	n.Props = special(n.Props, &n.Name, &n.GUI, &n.Enabled)
	n.kept.attrs = d.keptAttrs(attrs, d.nodeAttrs(n))
	if n.tag() != n.Tag { // the GUI that decided on the class is gone
		n.Tag = n.tag()
		n.kept.attrs = d.reconcile(attrs, d.nodeAttrs(n), false)
	}
	return n, nil
}

// special takes out the properties that are fields: JMeter keeps name, guiclass
// and enabled as properties too, so that one in the file outdoes the attribute.
func special(props []*Prop, name, gui *string, enabled *bool) []*Prop {
	rest := props[:0]
	for _, p := range props {
		switch {
		case p.Kind != String && p.Kind != Bool:
			rest = append(rest, p)
		case p.Name == "TestElement.name":
			*name = p.Value
		case p.Name == "TestElement.gui_class":
			*gui = canonical(p.Value)
		case p.Name == "TestElement.enabled":
			*enabled = isTrue(p.Value)
		default:
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return rest
}

// attr is an attribute in its decoded form, "" if absent.
func (d *decoder) attr(attrs []attr, name string) (string, error) {
	raw, _ := getAttr(attrs, name)
	value, err := d.decode(raw)
	if err != nil {
		return "", d.fail("%s: %v", name, err)
	}
	return value, nil
}

// once returns a string equal to s, the same for all.
func (d *decoder) once(s string) string {
	if known, ok := d.names[s]; ok {
		return known
	}
	d.names[s] = s
	return s
}

// keptAttrs are the attributes of the file, nil if the fields tell them.
func (d *decoder) keptAttrs(file, want []attr) []attr {
	if file = d.reconcile(file, want, true); slices.Equal(file, want) {
		return nil
	}
	return file
}

// classOf is the canonical class of a node: that of its class attribute if it
// has one, else that of its tag. XStream writes _ in a tag as __, and $ as _-.
func classOf(tag string, attrs []attr) string {
	gui, _ := getAttr(attrs, "guiclass")
	name, ok := getAttr(attrs, "class")
	if !ok {
		name = tagClass.Replace(tag)
	}
	return canonicalClass(name, gui)
}

var (
	tagClass = strings.NewReplacer("__", "_", "_-", "$")
	classTag = strings.NewReplacer("_", "__", "$", "_-")
)

func attrsOf(e *etree.Element) []attr {
	if len(e.Attr) == 0 {
		return nil
	}
	attrs := make([]attr, len(e.Attr))
	for i, a := range e.Attr {
		attrs[i] = attr{a.FullKey(), plainAttr(a.Value)}
	}
	return attrs
}

// appendAside appends a comment or processing instruction, nothing else.
func appendAside(to []aside, t etree.Token) []aside {
	switch t := t.(type) {
	case *etree.Comment:
		return append(to, aside{text: lineFeeds.Replace(plain(t.Data))})
	case *etree.ProcInst:
		return append(to, aside{target: t.Target, text: lineFeeds.Replace(plain(t.Inst))})
	}
	return to
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")
