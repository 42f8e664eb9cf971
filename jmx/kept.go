package jmx

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/beevik/etree"
)

// kept holds what no field of a Tree, Node or Prop tells and a lossless write
// needs. It is nil for what JMeter itself would write, and is not changed after
// reading, so that clones may share it.
type kept struct {
	attrs []attr  // all attributes, if the fields do not tell them; else nil
	lead  []aside // before the start tag; of a Tree: before the root
	tail  []aside // before the end tag; of a Tree: after the root
	inner []aside // inside the text of a simple property

	// body is the container inside: the hashTree of a Node or Tree, the <value>
	// of an Object.
	body body

	// rest are elements that mean nothing to JMeter: below a simple property,
	// after the hashTree of the root, and the savedValue of a Double, Float or
	// Object where it is not the usual one.
	rest []*etree.Element
}

type body struct {
	attrs      []attr
	lead, tail []aside
}

// detached copies an element. etree's Copy leaves the attributes tied to the
// document the element was in, which then stays in memory.
func detached(e *etree.Element) *etree.Element {
	c := etree.NewElement(e.FullTag())
	for _, a := range e.Attr {
		c.Attr = append(c.Attr, etree.Attr{Space: a.Space, Key: a.Key, Value: a.Value})
	}
	for _, t := range e.Child {
		switch t := t.(type) {
		case *etree.Element:
			c.AddChild(detached(t))
		case *etree.CharData:
			c.CreateText(t.Data)
		case *etree.Comment:
			c.CreateComment(t.Data)
		case *etree.ProcInst:
			c.CreateProcInst(t.Target, t.Inst)
		}
	}
	return c
}

// attr is an attribute as in the file, its value decoded.
type attr struct{ name, value string }

// aside is a comment or a processing instruction.
type aside struct {
	target string // of an instruction; "" for a comment
	text   string
	at     int // offset in the text it interrupts
}

// orNil is k, or nil if it holds nothing.
func (k *kept) orNil() *kept {
	if k.attrs == nil && k.lead == nil && k.tail == nil && k.inner == nil && k.rest == nil &&
		k.body.attrs == nil && k.body.lead == nil && k.body.tail == nil {
		return nil
	}
	return k
}

// form is how a file writes names and texts: plainly, or in a file of version
// 1.0 form-encoded (ConversionHelp.decode of JMeter: URLDecoder, UTF-8).
type form bool

const formVersion = "1.0"

func (f form) decode(s string) (string, error) {
	if !f || strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s, nil
	}
	s, err := url.QueryUnescape(s)
	return strings.ToValidUTF8(s, "\uFFFD"), err
}

func (f form) encode(s string) string {
	if f {
		return url.QueryEscape(s)
	}
	return s
}

// nodeAttrs are the attributes that the fields of a node ask for.
func (f form) nodeAttrs(n *Node) []attr {
	return state([]attr{{"guiclass", n.GUI}, {"testclass", n.Class}, {"testname", f.encode(n.Name)}}, n.Enabled)
}

// propAttrs are those of a property.
func (f form) propAttrs(p *Prop) []attr {
	switch p.Kind {
	case Double, Float, Object:
		return nil
	case Element:
		attrs := []attr{{"name", f.encode(p.Name)}, {"elementType", p.Class}}
		if p.GUI != "" {
			attrs = append(attrs, attr{"guiclass", p.GUI}, attr{"testclass", p.Class}, attr{"testname", f.encode(p.TestName)})
		} else if p.TestName != "" {
			attrs = append(attrs, attr{"testname", f.encode(p.TestName)})
		}
		return state(attrs, p.Enabled)
	}
	return []attr{{"name", f.encode(p.Name)}}
}

// valueAttrs are those of the <value> of an Object.
func valueAttrs(p *Prop) []attr {
	if p.Class == "" {
		return nil
	}
	return []attr{{"class", p.Class}}
}

// attrs are those of the root.
func (t *Tree) attrs() []attr {
	return []attr{{"version", t.Version}, {"properties", t.Properties}, {"jmeter", t.JMeter}}
}

// state adds the enabled attribute as JMeter does since 5.6: only where false.
func state(attrs []attr, enabled bool) []attr {
	if !enabled {
		attrs = append(attrs, attr{"enabled", "false"})
	}
	return attrs
}

// reconcile gives the attributes to write: those of the file, with the value the
// fields ask for where the two differ in meaning. Asked ones that the file lacks
// are added when they say something. sameClass tells that the class is still the
// one of the file, and testclass, which nobody reads, is left alone.
func (f form) reconcile(file, want []attr, sameClass bool) []attr {
	out := make([]attr, 0, len(file))
	for _, a := range file {
		w, ok := getAttr(want, a.name)
		switch a.name {
		case "version", "properties", "jmeter":
			a.value = w
		case "name", "testname":
			was, _ := f.decode(a.value)
			is, _ := f.decode(w)
			if was != is && (ok || a.name != "name") {
				a.value = w
			}
		case "guiclass", "elementType":
			if canonical(a.value) != w {
				a.value = w
			}
		case "testclass":
			if !sameClass {
				a.value = w
			}
		case "enabled":
			if isTrue(a.value) == ok {
				a.value = strconv.FormatBool(!ok)
			}
		case "class":
			if ok && canonical(a.value) != w {
				a.value = w
			}
			if !ok && !sameClass {
				continue
			}
		}
		out = append(out, a)
	}
	for _, w := range want {
		if _, ok := getAttr(file, w.name); !ok && w.value != "" && w.name != "testclass" {
			out = append(out, w)
		}
	}
	return out
}

func getAttr(attrs []attr, name string) (string, bool) {
	for _, a := range attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// isTrue is Java's Boolean.parseBoolean.
func isTrue(s string) bool { return strings.EqualFold(s, "true") }
