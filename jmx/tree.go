package jmx

import (
	"slices"
	"strings"
)

// Tree is one .jmx document.
type Tree struct {
	Path string // file it was read from, "" when it came from a reader

	// Attributes of jmeterTestPlan. Only Version matters: names and texts of a
	// "1.0" file are form-encoded, on reading and on writing.
	Version, Properties, JMeter string

	Roots []*Node // the top-level elements: TestPlan, in old files also WorkBench

	kept *kept // what only a lossless write needs
}

// Node is one element of the tree with its children, those of the hashTree that
// follows it in the file. Nodes may be built and changed by hand; a Tree of such
// nodes is written as JMeter would write it. Not safe for concurrent changes.
type Node struct {
	Tag     string // tag in the file; "" lets the writer use Class
	Class   string // JMeter's alias where there is one ("ThreadGroup"), else the full class; renames applied
	GUI     string // guiclass, as Class, and the last part of the name for every class JMeter ships ("HttpDefaultsGui")
	Name    string // testname, raw text
	Enabled bool   // an absent attribute means true; anything but "true" (any case) means false
	Line    int    // line of the start tag, from 1; 0 when built by hand

	Props    []*Prop
	Children []*Node
	Parent   *Node // nil for a root

	kept *kept
}

// Kind is the type of a property.
type Kind uint8

// The kinds of property, with their tags in the file.
const (
	String     Kind = iota // stringProp
	Bool                   // boolProp
	Int                    // intProp
	Long                   // longProp
	Double                 // doubleProp
	Float                  // FloatProperty
	Collection             // collectionProp
	Map                    // mapProp
	Element                // elementProp
	Object                 // objProp
)

// Prop is one property of a node, or a member of such a property.
type Prop struct {
	Kind  Kind
	Name  string
	Value string // text of the simple kinds, as in the file

	// Props holds the members of a Collection, Map or Element. For an Object
	// they are the children of its value, String properties named after their
	// tags (Object ones where they have children themselves).
	Props []*Prop

	// Class is the canonical class of an Element (its elementType) and of an
	// Object's value. GUI, TestName and Enabled belong to an Element.
	Class, GUI, TestName string
	Enabled              bool

	Line int // line of the start tag, from 1; 0 when built by hand

	kept *kept
}

// Prop returns the property of that name. When the name occurs more than once
// the last one counts, as in JMeter. It returns nil when there is none.
func (n *Node) Prop(name string) *Prop { return last(n.Props, name) }

// Text returns the text of a simple property, "" when it is absent.
func (n *Node) Text(name string) string {
	if p := n.Prop(name); p != nil {
		return p.Value
	}
	return ""
}

// Prop returns the member of that name, as [Node.Prop] does.
func (p *Prop) Prop(name string) *Prop { return last(p.Props, name) }

// Text returns the text of a simple member, "" when it is absent.
func (p *Prop) Text(name string) string {
	if m := p.Prop(name); m != nil {
		return m.Value
	}
	return ""
}

func last(props []*Prop, name string) *Prop {
	for i := len(props) - 1; i >= 0; i-- {
		if props[i].Name == name {
			return props[i]
		}
	}
	return nil
}

// Path names the place of the node in its tree, for messages to people:
// the names from the root down, the node's own in quotes.
//
//	Test Plan > Users > "Login"
func (n *Node) Path() string {
	var names []string
	for ; n != nil; n = n.Parent {
		names = append(names, label(n.Name, n.Class))
	}
	slices.Reverse(names)
	return quoteLast(names)
}

// quoteLast joins the names of a place, the last one in quotes.
func quoteLast(names []string) string {
	n := len(names) - 1
	return join(append(names[:n:n], `"`+names[n]+`"`))
}

// join joins the names of a place; the middle of a very deep one is left out.
func join(names []string) string {
	if n := len(names); n > 16 {
		names = slices.Concat(names[:4], []string{"..."}, names[n-4:])
	}
	return strings.Join(names, " > ")
}

// label is a name on one line, or the class where there is no name.
func label(name, class string) string {
	if name = strings.Join(strings.Fields(name), " "); name != "" {
		return name
	}
	return class
}

// Append adds children at the end and makes n their parent.
func (n *Node) Append(children ...*Node) {
	for _, c := range children {
		c.Parent = n
	}
	n.Children = append(n.Children, children...)
}

// Clone returns a deep copy of the node and all below it. The copy has no
// parent; within it every Parent is set.
func (n *Node) Clone() *Node {
	c := *n
	c.Parent = nil
	c.Props = cloneProps(n.Props)
	c.Children = nil
	for _, child := range n.Children {
		c.Append(child.Clone())
	}
	return &c
}

// Clone returns a deep copy of the property.
func (p *Prop) Clone() *Prop {
	c := *p
	c.Props = cloneProps(p.Props)
	return &c
}

func cloneProps(props []*Prop) []*Prop {
	if props == nil {
		return nil
	}
	out := make([]*Prop, len(props))
	for i, p := range props {
		out[i] = p.Clone()
	}
	return out
}
