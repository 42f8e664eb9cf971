package jmx

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// props reads the properties in an element and what stands after the last.
func (d *decoder) props(e *etree.Element) (props []*Prop, tail []aside, err error) {
	for _, c := range e.Child {
		child, ok := c.(*etree.Element)
		if !ok {
			tail = appendAside(tail, c)
			continue
		}
		p, err := d.prop(child, tail)
		if err != nil {
			return nil, nil, err
		}
		if p != nil {
			props, tail = append(props, p), nil
		}
		child.Child = nil
	}
	return props, tail, nil
}

// prop reads one property; nil means that JMeter drops it.
func (d *decoder) prop(e *etree.Element, lead []aside) (*Prop, error) {
	kind, ok := kinds[e.FullTag()]
	p, k := &Prop{Kind: kind, Line: d.enter()}, &kept{lead: lead}
	attrs := attrsOf(e)
	name, named := getAttr(attrs, "name")
	if !named {
		name = "<" + e.FullTag() + ">"
	}
	d.trail = append(d.trail, name)
	defer func() { d.trail = d.trail[:len(d.trail)-1] }()
	if !ok {
		return nil, d.fail("<%s> is no property", e.FullTag())
	}

	var err error
	switch kind {
	case Double, Float, Object:
		err = d.fields(p, k, e)
	default:
		if !named {
			return nil, d.fail("no name attribute")
		}
		if name, err = d.attr(attrs, "name"); err != nil {
			return nil, err
		}
		if now, ok := renamedProps[d.node.Class][name]; ok {
			if name = now; name == "" {
				d.skip(e)
				return nil, nil
			}
		}
		p.Name = d.once(name)
		d.trail[len(d.trail)-1] = name
		switch kind {
		case Element:
			err = d.elementProp(p, k, e, attrs)
		case Collection, Map:
			p.Props, k.tail, err = d.props(e)
		default:
			err = d.simple(p, k, e)
		}
	}
	if err != nil {
		return nil, err
	}
	k.attrs = d.keptAttrs(attrs, d.propAttrs(p))
	p.kept = k.orNil()
	return p, nil
}

// simple reads a property that is a text.
func (d *decoder) simple(p *Prop, k *kept, e *etree.Element) error {
	raw, inner, rest := d.text(e)
	p.Value, k.inner, k.rest = raw, inner, rest
	var err error
	switch p.Kind {
	case String:
		if p.Value, err = d.decode(raw); err != nil {
			return d.fail("%v", err)
		}
		for i := range inner {
			before, _ := d.decode(raw[:inner[i].at])
			inner[i].at = cutAt(p.Value, len(before))
		}
	case Int:
		if _, err = strconv.ParseInt(p.Value, 10, 32); err != nil {
			return d.fail("%q is not an integer of 32 bits", p.Value)
		}
	case Long:
		if _, err = strconv.ParseInt(p.Value, 10, 64); err != nil {
			return d.fail("%q is not an integer of 64 bits", p.Value)
		}
	}
	return nil
}

// cutAt is the offset, or the nearest one before it, where s may be cut.
func cutAt(s string, at int) int {
	at = min(at, len(s))
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// text is the text of an element up to its first child, with what else is there.
func (d *decoder) text(e *etree.Element) (text string, inner []aside, rest []*etree.Element) {
	for _, c := range e.Child {
		switch c := c.(type) {
		case *etree.Element:
			rest = append(rest, d.ignore(c))
		case *etree.CharData:
			if rest == nil {
				text += plain(c.Data)
			}
		default:
			if inner = appendAside(inner, c); rest == nil && inner != nil {
				inner[len(inner)-1].at = len(text)
			}
		}
	}
	return text, inner, rest
}

func (d *decoder) elementProp(p *Prop, k *kept, e *etree.Element, attrs []attr) error {
	class, ok := getAttr(attrs, "elementType")
	if !ok {
		return d.fail("no elementType attribute")
	}
	gui, _ := getAttr(attrs, "guiclass")
	p.Class, p.GUI, p.Enabled = canonical(class), canonical(gui), true
	var err error
	if p.TestName, err = d.attr(attrs, "testname"); err != nil {
		return err
	}
	if enabled, ok := getAttr(attrs, "enabled"); ok {
		p.Enabled = isTrue(enabled)
	}
	if p.Props, k.tail, err = d.props(e); err != nil {
		return err
	}
	if class == fullName("Header") {
		// The rename of 1.0 files; JMeter makes it for the full name only.
		for _, m := range p.Props {
			if m.Name == "TestElement.name" {
				m.Name = "Header.name"
			}
		}
	}
	p.Props = special(p.Props, &p.TestName, &p.GUI, &p.Enabled)
	return nil
}

// javaDouble is what Java's Double.valueOf reads, hexadecimal aside.
var javaDouble = regexp.MustCompile(`^([+-]?(?:NaN|Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))[fFdD]?$`)

// fields reads the properties that XStream writes field by field.
func (d *decoder) fields(p *Prop, k *kept, e *etree.Element) error {
	if p.Kind != Object {
		p.Value = zero // where <value> is missing
	}
	var lead []aside
	for _, c := range e.Child {
		f, ok := c.(*etree.Element)
		if !ok {
			lead = appendAside(lead, c)
			continue
		}
		switch f.FullTag() {
		case "name":
			d.enter()
			name, _, _ := d.text(f)
			p.Name = d.once(name)
			d.trail[len(d.trail)-1] = name
		case "value":
			d.enter()
			k.body.lead, lead = lead, nil
			if p.Kind == Object {
				d.object(p, k, f)
				break
			}
			value, _, _ := d.text(f)
			m := javaDouble.FindStringSubmatch(strings.Trim(value, " \t\r\n"))
			if m == nil {
				return d.fail("%q is not a number", value)
			}
			p.Value = m[1]
		case "savedValue":
			saved := d.ignore(f)
			if p.Kind == Object || saved.Text() != zero || len(saved.Attr) > 0 || len(saved.Child) > 1 {
				k.rest = append(k.rest, saved)
			}
		default:
			d.enter()
			return d.fail("unknown field <%s>", f.FullTag())
		}
	}
	k.tail = lead
	return nil
}

// zero is also the savedValue that JMeter writes for every number.
const zero = "0.0"

// object reads the value of an objProp.
func (d *decoder) object(p *Prop, k *kept, e *etree.Element) {
	attrs := attrsOf(e)
	class, _ := getAttr(attrs, "class")
	p.Class = canonical(class)
	if k.body.attrs = d.keptAttrs(attrs, valueAttrs(p)); attrs == nil {
		k.body.attrs = []attr{} // there is a value, all the same
	}
	p.Props, p.Value, k.body.tail = d.members(e)
}

// members reads the children of an object's value; a value without children is
// a text.
func (d *decoder) members(e *etree.Element) (props []*Prop, text string, tail []aside) {
	for _, c := range e.Child {
		switch c := c.(type) {
		case *etree.Element:
			m, k := &Prop{Name: d.once(c.FullTag()), Line: d.enter()}, &kept{lead: tail}
			if m.Props, m.Value, k.tail = d.members(c); len(m.Props) > 0 {
				m.Kind = Object
			}
			if attrs := attrsOf(c); len(attrs) > 0 {
				k.attrs = attrs
			}
			m.kept = k.orNil()
			props, tail = append(props, m), nil
		case *etree.CharData:
			text += plain(c.Data)
		default:
			tail = appendAside(tail, c)
		}
	}
	if len(props) > 0 {
		text = ""
	}
	return props, text, tail
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
