package jmx

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/beevik/etree"
)

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
