package xpath

import (
	"math"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/query/xml"
)

// Kind is the type of a Value.
type Kind uint8

const (
	NodeSet Kind = iota
	Boolean
	Number
	String
)

func (k Kind) String() string {
	return [...]string{"#NODESET", "#BOOLEAN", "#NUMBER", "#STRING"}[k]
}

// A Value is the result of an expression.
type Value struct {
	Kind   Kind
	Nodes  []*xml.Node // in document order
	Number float64
	Text   string
	True   bool
}

func boolean(b bool) Value     { return Value{Kind: Boolean, True: b} }
func number64(f float64) Value { return Value{Kind: Number, Number: f} }
func text(s string) Value      { return Value{Kind: String, Text: s} }

// Bool is the function boolean().
func (v Value) Bool() bool {
	switch v.Kind {
	case Boolean:
		return v.True
	case Number:
		return v.Number != 0 && !math.IsNaN(v.Number)
	case String:
		return v.Text != ""
	}
	return len(v.Nodes) > 0
}

// Num is the function number().
func (v Value) Num() float64 {
	switch v.Kind {
	case Number:
		return v.Number
	case Boolean:
		if v.True {
			return 1
		}
		return 0
	}
	s := trimSpace(v.String())
	if s == "" || strings.Trim(s, "-.0123456789") != "" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 0) {
		return math.NaN()
	}
	return f
}

// String is the function string().
func (v Value) String() string {
	switch v.Kind {
	case Boolean:
		return strconv.FormatBool(v.True)
	case Number:
		return formatNumber(v.Number)
	case String:
		return v.Text
	}
	if len(v.Nodes) == 0 {
		return ""
	}
	return v.Nodes[0].StringValue()
}

func formatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0:
		return "0"
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// A Match is one result as JMeter's XPath Extractor stores it.
type Match struct {
	Text string
	Null bool // there is no text: an element that does not begin with one
}

// Matches lists the results: of a node set one for each node, else one. An element
// gives only its first child's own text, as JMeter does, or with fragment its XML.
func (v Value) Matches(fragment bool) []Match {
	if v.Kind != NodeSet {
		return []Match{{Text: v.String()}}
	}
	out := make([]Match, len(v.Nodes))
	for i, n := range v.Nodes {
		switch {
		case n.Kind == xml.Document:
			out[i].Null = true
		case n.Kind != xml.Element:
			out[i].Text = n.Value
		case fragment:
			out[i].Text = string(n.AppendXML(nil))
		case len(n.Children) == 0 || n.Children[0].Kind == xml.Element:
			out[i].Null = true
		default:
			out[i].Text = n.Children[0].Value
		}
	}
	return out
}
