package xpath

import (
	"math"
	"slices"
	"strings"

	"github.com/gojm/gojm/engine/query/xml"
)

// A Resolver says which URI a prefix of an expression stands for.
type Resolver func(prefix string) (uri string, ok bool)

// RootResolver resolves prefixes by the declarations on the document's root element,
// as JMeter does.
func RootResolver(doc *xml.Node) Resolver {
	return func(prefix string) (string, bool) {
		if root := doc.Root(); root != nil {
			return root.Lookup(prefix)
		}
		return "", false
	}
}

// Eval evaluates the expression with a node as its context.
func (e *Expression) Eval(n *xml.Node, resolve Resolver) (Value, error) {
	// At the top the processor has no list of nodes to count in.
	return e.root.eval(&context{node: n, position: -1, size: 0, resolve: resolve})
}

type context struct {
	node           *xml.Node
	position, size int
	resolve        Resolver
}

func (e *expr) eval(c *context) (Value, error) {
	switch e.kind {
	case literalExpr:
		return e.value, nil
	case negateExpr:
		v, err := e.left.eval(c)
		return number64(-v.Num()), err
	case binaryExpr:
		return e.binary(c)
	case functionExpr:
		args := make([]Value, len(e.args))
		for i, a := range e.args {
			var err error
			if args[i], err = a.eval(c); err != nil {
				return Value{}, err
			}
		}
		return e.fn(c, args)
	}
	return e.path(c)
}

func (e *expr) binary(c *context) (Value, error) {
	left, err := e.left.eval(c)
	if err != nil {
		return Value{}, err
	}
	if e.op == "and" || e.op == "or" {
		if left.Bool() == (e.op == "or") {
			return boolean(left.Bool()), nil
		}
		right, err := e.right.eval(c)
		return boolean(right.Bool()), err
	}
	right, err := e.right.eval(c)
	if err != nil {
		return Value{}, err
	}
	switch e.op {
	case "|":
		if left.Kind != NodeSet || right.Kind != NodeSet {
			return Value{}, fail("Can not convert to a NodeList!")
		}
		return Value{Kind: NodeSet, Nodes: ordered(append(slices.Clone(left.Nodes), right.Nodes...))}, nil
	case "+":
		return number64(left.Num() + right.Num()), nil
	case "-":
		return number64(left.Num() - right.Num()), nil
	case "*":
		return number64(left.Num() * right.Num()), nil
	case "div":
		return number64(left.Num() / right.Num()), nil
	case "mod":
		return number64(math.Mod(left.Num(), right.Num())), nil
	}
	return boolean(compare(e.op, left, right)), nil
}

// ordered sorts nodes into document order and drops repetitions.
func ordered(nodes []*xml.Node) []*xml.Node {
	byOrder := func(a, b *xml.Node) int { return a.Order - b.Order }
	if !slices.IsSortedFunc(nodes, byOrder) {
		slices.SortStableFunc(nodes, byOrder)
	}
	return slices.Compact(nodes)
}

func (e *expr) path(c *context) (Value, error) {
	nodes := []*xml.Node{c.node}
	switch {
	case e.from != nil:
		v, err := e.from.eval(c)
		if err != nil {
			return Value{}, err
		}
		if v.Kind != NodeSet {
			return Value{}, fail("Can not convert %s to a NodeList!", v.Kind)
		}
		if nodes, err = filter(v.Nodes, e.filters, c); err != nil {
			return Value{}, err
		}
	case e.absolute:
		nodes = []*xml.Node{top(c.node)}
	}
	for i := range e.steps {
		s := &e.steps[i]
		uri, err := s.test.space(c)
		if err != nil {
			return Value{}, err
		}
		var out []*xml.Node
		for _, n := range nodes {
			found, err := filter(s.take(n, uri), s.preds, c)
			if err != nil {
				return Value{}, err
			}
			out = append(out, found...)
		}
		nodes = ordered(out)
	}
	return Value{Kind: NodeSet, Nodes: nodes}, nil
}

func top(n *xml.Node) *xml.Node {
	for n.Parent != nil {
		n = n.Parent
	}
	return n
}

// filter keeps the nodes, in the order of their axis, that satisfy all predicates.
func filter(nodes []*xml.Node, preds []*expr, c *context) ([]*xml.Node, error) {
	for _, p := range preds {
		kept := make([]*xml.Node, 0, len(nodes))
		inner := context{size: len(nodes), resolve: c.resolve}
		for i, n := range nodes {
			inner.node, inner.position = n, i+1
			v, err := p.eval(&inner)
			if err != nil {
				return nil, err
			}
			if v.Kind == Number && v.Number == float64(i+1) || v.Kind != Number && v.Bool() {
				kept = append(kept, n)
			}
		}
		nodes = kept
	}
	return nodes, nil
}

// space resolves the prefix of a name test.
func (t *nodeTest) space(c *context) (string, error) {
	if t.prefix == "" {
		return "", nil
	}
	uri, ok := c.resolve(t.prefix)
	if !ok {
		return "", fail("Prefix must resolve to a namespace: %s", t.prefix)
	}
	return uri, nil
}

func (t *nodeTest) matches(n *xml.Node, axis, uri string) bool {
	switch t.kind {
	case anyNode:
		return true
	case textTest:
		return n.Kind == xml.Text
	case commentTest:
		return n.Kind == xml.Comment
	case instructionTest:
		return n.Kind == xml.Instruction && (t.local == "" || t.local == n.Name)
	}
	want := xml.Element
	if axis == "attribute" || axis == "namespace" {
		want = xml.Attribute
	}
	switch {
	case n.Kind != want:
		return false
	case t.local == "*":
		return t.prefix == "" || n.Space == uri
	}
	return n.Local == t.local && n.Space == uri
}

// take returns the nodes of the step's axis that pass its test, nearest first.
func (s *step) take(n *xml.Node, uri string) []*xml.Node {
	var out []*xml.Node
	add := func(x *xml.Node) {
		if s.test.matches(x, s.axis, uri) {
			out = append(out, x)
		}
	}
	switch s.axis {
	case "self":
		add(n)
	case "child":
		for _, c := range n.Children {
			add(c)
		}
	case "parent":
		if n.Parent != nil {
			add(n.Parent)
		}
	case "attribute":
		for _, a := range n.Attrs {
			add(a)
		}
	case "namespace":
		for _, x := range namespaces(n) {
			add(x)
		}
	case "descendant":
		descend(n, add)
	case "descendant-or-self":
		add(n)
		descend(n, add)
	case "ancestor", "ancestor-or-self":
		if s.axis == "ancestor-or-self" {
			add(n)
		}
		for p := n.Parent; p != nil; p = p.Parent {
			add(p)
		}
	case "following-sibling":
		for _, x := range siblings(n, true) {
			add(x)
		}
	case "preceding-sibling":
		for _, x := range siblings(n, false) {
			add(x)
		}
	case "following":
		if n.Kind == xml.Attribute {
			descend(n.Parent, add)
			n = n.Parent
		}
		for ; n != nil; n = n.Parent {
			for _, x := range siblings(n, true) {
				add(x)
				descend(x, add)
			}
		}
	case "preceding":
		for ; n != nil; n = n.Parent {
			for _, x := range siblings(n, false) {
				ascend(x, add)
			}
		}
	}
	return out
}

func descend(n *xml.Node, visit func(*xml.Node)) {
	for _, c := range n.Children {
		visit(c)
		descend(c, visit)
	}
}

// ascend visits n and what is in it, the last first.
func ascend(n *xml.Node, visit func(*xml.Node)) {
	for _, c := range slices.Backward(n.Children) {
		ascend(c, visit)
	}
	visit(n)
}

// siblings returns those after n, or those before it, the nearest first.
func siblings(n *xml.Node, after bool) []*xml.Node {
	if n.Parent == nil || n.Kind == xml.Attribute {
		return nil
	}
	all := n.Parent.Children
	i, _ := slices.BinarySearchFunc(all, n, func(a, b *xml.Node) int { return a.Order - b.Order })
	if after {
		return all[i+1:]
	}
	before := slices.Clone(all[:i])
	slices.Reverse(before)
	return before
}

// namespaces makes the nodes of the namespace axis.
func namespaces(n *xml.Node) []*xml.Node {
	if n.Kind != xml.Element {
		return nil
	}
	seen := map[string]bool{}
	var out []*xml.Node
	for p := n; p != nil; p = p.Parent {
		for _, s := range p.Spaces {
			if !seen[s.Prefix] {
				seen[s.Prefix] = true
				out = append(out, &xml.Node{Kind: xml.Attribute, Name: s.Prefix, Local: s.Prefix, Value: s.URI, Parent: n, Order: n.Order})
			}
		}
	}
	uri, _ := n.Lookup("xml")
	return append(out, &xml.Node{Kind: xml.Attribute, Name: "xml", Local: "xml", Value: uri, Parent: n, Order: n.Order})
}

// compare is XPath 1.0, section 3.4.
func compare(op string, a, b Value) bool {
	switch {
	case a.Kind == NodeSet && b.Kind == NodeSet:
		for _, x := range a.Nodes {
			for _, y := range b.Nodes {
				if compareText(op, x.StringValue(), y.StringValue()) {
					return true
				}
			}
		}
		return false
	case a.Kind == NodeSet:
		return compareNodes(op, a, b, false)
	case b.Kind == NodeSet:
		return compareNodes(op, b, a, true)
	}
	return compareSimple(op, a, b)
}

func compareNodes(op string, set, other Value, swapped bool) bool {
	if other.Kind == Boolean {
		set = boolean(set.Bool())
		if swapped {
			return compareSimple(op, other, set)
		}
		return compareSimple(op, set, other)
	}
	for _, n := range set.Nodes {
		v := Value{Kind: String, Text: n.StringValue()}
		if swapped && compareSimple(op, other, v) || !swapped && compareSimple(op, v, other) {
			return true
		}
	}
	return false
}

func compareText(op, a, b string) bool {
	return compareSimple(op, Value{Kind: String, Text: a}, Value{Kind: String, Text: b})
}

func compareSimple(op string, a, b Value) bool {
	if op == "=" || op == "!=" {
		equal := false
		switch {
		case a.Kind == Boolean || b.Kind == Boolean:
			equal = a.Bool() == b.Bool()
		case a.Kind == Number || b.Kind == Number:
			equal = a.Num() == b.Num()
		default:
			equal = a.String() == b.String()
		}
		return equal == (op == "=")
	}
	x, y := a.Num(), b.Num()
	switch op {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	}
	return x >= y
}

func trimSpace(s string) string { return strings.Trim(s, " \t\r\n") }
