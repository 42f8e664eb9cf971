package elem

import (
	"strings"

	"github.com/gojm/gojm/engine/expr"
	"github.com/gojm/gojm/engine/vu"
	"github.com/gojm/gojm/jmx"
)

// Setting is one property of a sampler as JMeter prints it.
type Setting struct {
	Name  string
	texts []expr.Text
}

// Value is the property for thread t.
func (s *Setting) Value(t *vu.Thread) string {
	var b []byte
	for _, x := range s.texts {
		b = x.Append(b, t)
	}
	return string(b)
}

// SettingsReader is an element that may show the properties of its sampler.
type SettingsReader interface{ ReadsSettings() bool }

// Settings are the properties of the element that p reads, in their order.
func (p *Props) Settings() []Setting {
	var out []Setting
	add := func(name string, texts ...expr.Text) { out = append(out, Setting{name, texts}) }
	add("TestElement.name", p.Name())
	add("TestElement.test_class", expr.Const(jmx.FullName(p.node.Class)))
	add("TestElement.gui_class", expr.Const(jmx.FullName(p.node.GUI)))
	add("TestElement.enabled", expr.Const("true")) // of what is disabled nothing is left
	for _, x := range p.props {
		add(x.Name, p.printed(x)...)
	}
	return out
}

// printed is what JMeter's getStringValue gives.
func (p *Props) printed(x *jmx.Prop) []expr.Text {
	switch {
	case x.Kind == jmx.Bool:
		if strings.EqualFold(x.Value, "true") {
			return []expr.Text{expr.Const("true")}
		}
		return []expr.Text{expr.Const("false")}
	case simple(x):
		return []expr.Text{p.compile(x, x.Name, x.Value)}
	case x.Kind == jmx.Element && x.Prop("Arguments.arguments") != nil:
		return p.printedArgs(x.Prop("Arguments.arguments"))
	case x.Kind == jmx.Collection || x.Kind == jmx.Map:
		texts := []expr.Text{expr.Const("[")}
		for i, m := range x.Props {
			if i > 0 {
				texts = append(texts, expr.Const(", "))
			}
			texts = append(texts, p.printed(m)...)
		}
		return append(texts, expr.Const("]"))
	}
	return []expr.Text{expr.Const(jmx.FullName(x.Class))}
}

// printedArgs is a=1(what a is)&b=2().
func (p *Props) printedArgs(rows *jmx.Prop) (texts []expr.Text) {
	for i, row := range rows.Props {
		if i > 0 {
			texts = append(texts, expr.Const("&"))
		}
		for _, name := range []string{"Argument.name", "Argument.metadata", "Argument.value", "Argument.desc"} {
			var text expr.Text
			if x := row.Prop(name); simple(x) {
				text = p.compile(x, name, x.Value)
			}
			if name == "Argument.desc" {
				texts = append(texts, expr.Const("("), text, expr.Const(")"))
			} else {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
