package jmx

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// dump prints a tree in the way of the script that recorded testdata/*/*.dump
// from JMeter 5.6.3: what SaveService.loadTree made of the plan.
func dump(t *Tree) string {
	var b strings.Builder
	for _, n := range t.Roots {
		dumpNode(&b, n, "")
	}
	return b.String()
}

func dumpNode(b *strings.Builder, n *Node, indent string) {
	fmt.Fprintf(b, "%s%s gui=%s name=%s enabled=%t\n", indent, fullName(n.Class), quote(fullName(n.GUI)), quote(n.Name), n.Enabled)
	dumpMembers(b, n.Props, indent+". ")
	for _, c := range n.Children {
		dumpNode(b, c, indent+"  ")
	}
}

func dumpMembers(b *strings.Builder, props []*Prop, indent string) {
	byName := map[string]*Prop{}
	var names []string
	for _, p := range props {
		if byName[p.Name] == nil {
			names = append(names, p.Name)
		}
		byName[p.Name] = p
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b))) })
	for _, name := range names {
		dumpProp(b, byName[name], indent)
	}
}

func dumpProp(b *strings.Builder, p *Prop, indent string) {
	fmt.Fprintf(b, "%s%s %s", indent, kindClasses[p.Kind], quote(p.Name))
	switch p.Kind {
	case Element:
		fmt.Fprintf(b, " %s gui=%s name=%s\n", fullName(p.Class), quote(fullName(p.GUI)), quote(p.TestName))
		dumpMembers(b, p.Props, indent+". ")
	case Collection, Map:
		b.WriteByte('\n')
		for _, m := range p.Props {
			dumpProp(b, m, indent+"- ")
		}
	case Object:
		fmt.Fprintf(b, " %s\n", fullName(p.Class))
	case Bool:
		fmt.Fprintf(b, " %q\n", fmt.Sprint(isTrue(p.Value)))
	default:
		fmt.Fprintf(b, " %s\n", quote(p.Value))
	}
}

func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range utf16.Encode([]rune(s)) {
		switch {
		case u == '"', u == '\\':
			b.WriteByte('\\')
			b.WriteByte(byte(u))
		case u < 32, u > 126:
			fmt.Fprintf(&b, "\\u%04x", u)
		default:
			b.WriteByte(byte(u))
		}
	}
	b.WriteByte('"')
	return b.String()
}
