package engine

import (
	"slices"

	"github.com/gojm/gojm/engine/elem"
	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/jmx"
)

// simpleConfig is the one config element that every sampler takes.
const simpleConfig = "SimpleConfigGui"

// merged returns the properties of n after the config elements in scope were
// merged in. JMeter merges before each sample; the outcome is the same each
// time, so it is done once. A property is taken over where the sampler lacks it
// or holds an empty text; collections are appended. Nearest elements come first.
func (c *compiler) merged(n *jmx.Node, s *elem.Spec) []*jmx.Prop {
	if s.Kind != elem.KindSampler {
		return n.Props
	}
	props := n.Props
	for _, cfg := range c.configs(n, s) {
		for _, p := range cfg.Props {
			props = mergeProp(props, p)
		}
	}
	return props
}

// configs are the nodes in scope of n that sampler s takes properties from.
func (c *compiler) configs(n *jmx.Node, s *elem.Spec) []*jmx.Node {
	var out []*jmx.Node
	for _, level := range c.levels(n) {
		for _, k := range level {
			switch k.Class {
			case "ConfigTestElement", "JavaConfig", "LoginConfig":
				if k.GUI == simpleConfig || slices.Contains(s.Merge, k.GUI) {
					out = append(out, k)
				}
			}
		}
	}
	return out
}

// inheritedName is the name of a sampler that has none: that of the first
// config element merged into it.
func (c *compiler) inheritedName(n *jmx.Node) expr.Text {
	for _, k := range c.configs(n, c.spec[n]) {
		if k.Name != "" {
			return elem.NewProps(c.env, k, nil, c.place(k)).Name()
		}
	}
	return expr.Text{}
}

func mergeProp(props []*jmx.Prop, p *jmx.Prop) []*jmx.Prop {
	for i, q := range props {
		if q.Name != p.Name {
			continue
		}
		merged := q
		switch {
		case q.Kind == jmx.String && q.Value == "" && p.Kind < jmx.Collection:
			merged = p
		case q.Kind == jmx.Collection && p.Kind == jmx.Collection:
			m := *q
			m.Props = append(slices.Clone(q.Props), p.Props...)
			merged = &m
		case q.Kind == jmx.Element && p.Kind == jmx.Element:
			m := *q
			m.Props = slices.Clone(q.Props)
			for _, inner := range p.Props {
				m.Props = mergeProp(m.Props, inner)
			}
			merged = &m
		}
		if merged == q {
			return props
		}
		props = slices.Clone(props)
		props[i] = merged
		return props
	}
	return append(slices.Clone(props), p)
}
