package jmespath

import (
	"strconv"

	"github.com/gojm/gojm/engine/query/json"
)

type nodeKind uint8

const (
	currentNode nodeKind = iota
	literalNode
	fieldNode
	indexNode
	chainNode      // right on the result of left
	pipeNode       // the same, and the end of a projection
	listProjection // right on every element of left
	slicedProjection
	flatProjection
	filterProjection
	objectProjection // right on every member's value of left
	notNode
	andNode
	orNode
	compareNode
	multiList
	multiObject
	callNode
	referenceNode // &expression
)

type node struct {
	kind        nodeKind
	text        string // field, operator, function
	value       *json.Value
	index       int
	slice       *slice
	left, right *node
	cond        *node
	subs        []*node
	keys        []string
	call        *function
}

type slice struct {
	from, to, step int
	hasFrom, hasTo bool
}

// An Expression is compiled, immutable and safe for concurrent use.
type Expression struct {
	text string
	root *node
}

// Compile reads an expression. The error is a *ParseError.
func Compile(expression string) (*Expression, error) {
	lexemes, err := lex(expression)
	if err != nil {
		return nil, err
	}
	p := &parser{src: expression, lexemes: lexemes}
	root, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	if p.peek().kind != end {
		return nil, p.unexpected("<EOF>")
	}
	return &Expression{expression, root}, nil
}

// String returns the expression as it was given.
func (e *Expression) String() string { return e.text }

type parser struct {
	src     string
	lexemes []lexeme
	at      int
	depth   int
}

// maxDepth bounds nesting, so that no expression can exhaust the stack.
const maxDepth = 500

// Binding powers, from loose to tight. A projection goes on with what binds
// tighter than projected.
const (
	bindPipe = iota + 1
	bindOr
	bindAnd
	bindCompare
	bindNot
	projected
	bindDot
)

func (p *parser) peek() lexeme { return p.lexemes[p.at] }

func (p *parser) take() lexeme {
	l := p.lexemes[p.at]
	if l.kind != end {
		p.at++
	}
	return l
}

func (p *parser) accept(sign string) bool {
	if p.peek().is(sign) {
		p.at++
		return true
	}
	return false
}

func (p *parser) unexpected(wanted string) error {
	l := p.peek()
	return parseError(p.src, l.at, "syntax error mismatched input '%s' expecting %s", l, wanted)
}

func (p *parser) expect(sign string) error {
	if !p.accept(sign) {
		return p.unexpected("'" + sign + "'")
	}
	return nil
}

func (p *parser) expression(bind int) (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, parseError(p.src, p.peek().at, "expression nested too deeply")
	}
	defer func() { p.depth-- }()
	left, err := p.prefix()
	for err == nil {
		l := p.peek()
		if l.kind != punctuate {
			return left, nil
		}
		switch l.text {
		case "|", "||", "&&", "==", "!=", "<", "<=", ">", ">=":
			power := binding(l.text)
			if power <= bind {
				return left, nil
			}
			p.at++
			var right *node
			if right, err = p.expression(power); err == nil {
				left = &node{kind: binaryKind(l.text), text: l.text, left: left, right: right}
			}
		case ".":
			if bindDot <= bind {
				return left, nil
			}
			p.at++
			left, err = p.afterDot(left)
		case "[", "[?":
			if bindDot <= bind {
				return left, nil
			}
			left, err = p.bracket(left)
		default:
			return left, nil
		}
	}
	return nil, err
}

func binding(sign string) int {
	switch sign {
	case "|":
		return bindPipe
	case "||":
		return bindOr
	case "&&":
		return bindAnd
	}
	return bindCompare
}

func binaryKind(sign string) nodeKind {
	switch sign {
	case "|":
		return pipeNode
	case "||":
		return orNode
	case "&&":
		return andNode
	}
	return compareNode
}

const wantedStart = "{'!', '(', '*', '[', '{', '[?', '@', '`', RAW_STRING, JSON_CONSTANT, NAME, STRING}"

func (p *parser) prefix() (*node, error) {
	l := p.peek()
	switch l.kind {
	case literal:
		p.at++
		return &node{kind: literalNode, value: l.value}, nil
	case name:
		p.at++
		if p.peek().is("(") {
			return p.call(l)
		}
		return &node{kind: fieldNode, text: l.text}, nil
	case punctuate:
	default:
		return nil, p.unexpected(wantedStart)
	}
	switch l.text {
	case "@":
		p.at++
		return &node{}, nil
	case "!":
		p.at++
		sub, err := p.expression(bindNot)
		return &node{kind: notNode, left: sub}, err
	case "(":
		p.at++
		sub, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		// A pipe from a group keeps what follows out of its projections.
		return &node{kind: chainNode, left: sub, right: &node{}}, p.expect(")")
	case "*":
		return p.objectProjection(&node{})
	case "{":
		return p.multiObject()
	case "[", "[?":
		if l.text == "[" && !p.isBracketSpecifier() {
			return p.multiList()
		}
		return p.bracket(&node{})
	}
	return nil, p.unexpected(wantedStart)
}

// isBracketSpecifier tells [0], [*], [] and [1:2] from a list of expressions.
func (p *parser) isBracketSpecifier() bool {
	l := p.lexemes[p.at+1]
	if l.kind == number || l.is(":") || l.is("]") {
		return true
	}
	return l.is("*") && p.lexemes[p.at+2].is("]")
}

func (p *parser) afterDot(left *node) (*node, error) {
	l := p.peek()
	switch {
	case l.kind == name:
		p.at++
		right := &node{kind: fieldNode, text: l.text}
		if p.peek().is("(") {
			var err error
			if right, err = p.call(l); err != nil {
				return nil, err
			}
		}
		return &node{kind: chainNode, left: left, right: right}, nil
	case l.is("*"):
		return p.objectProjection(left)
	case l.is("{"):
		right, err := p.multiObject()
		return &node{kind: chainNode, left: left, right: right}, err
	case l.is("["):
		right, err := p.multiList()
		return &node{kind: chainNode, left: left, right: right}, err
	}
	return nil, p.unexpected("{'*', '[', '{', JSON_CONSTANT, NAME, STRING}")
}

func (p *parser) objectProjection(left *node) (*node, error) {
	p.at++
	right, err := p.rest()
	return &node{kind: objectProjection, left: left, right: right}, err
}

// rest reads what a projection applies to each of its values.
func (p *parser) rest() (*node, error) {
	left := &node{}
	var err error
	for err == nil {
		switch l := p.peek(); {
		case l.is("."):
			p.at++
			left, err = p.afterDot(left)
		case l.is("[") && p.lexemes[p.at+1].is("]"):
			return left, nil // a flattening takes the projection's result
		case l.is("["), l.is("[?"):
			left, err = p.bracket(left)
		default:
			return left, nil
		}
	}
	return nil, err
}

func (p *parser) bracket(left *node) (*node, error) {
	open := p.take()
	if open.text == "[?" {
		cond, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		if err := p.expect("]"); err != nil {
			return nil, err
		}
		return p.project(&node{kind: filterProjection, left: left, cond: cond})
	}
	l := p.peek()
	switch {
	case l.is("*"):
		p.at++
		if err := p.expect("]"); err != nil {
			return nil, err
		}
		return p.project(&node{kind: listProjection, left: left})
	case l.is("]"):
		p.at++
		return p.project(&node{kind: flatProjection, left: left})
	case l.kind == number || l.is(":"):
		return p.indexOrSlice(left)
	}
	return nil, parseError(p.src, l.at, "syntax error no viable alternative at input '[%s'", l)
}

func (p *parser) project(n *node) (*node, error) {
	var err error
	n.right, err = p.rest()
	return n, err
}

func (p *parser) indexOrSlice(left *node) (*node, error) {
	var parts [3]*int
	count, at := 0, p.peek().at
	for {
		l := p.peek()
		switch {
		case l.kind == number:
			n, err := strconv.ParseInt(l.text, 10, 32)
			if err != nil {
				return nil, parseError(p.src, l.at, "syntax error: %s is not an index", l.text)
			}
			p.at++
			i := int(n)
			parts[count] = &i
			if next := p.peek(); !next.is(":") && !next.is("]") {
				return nil, p.unexpected("']'")
			}
		case l.is(":") && count < 2:
			p.at++
			count++
		case l.is("]"):
			p.at++
			if count == 0 {
				return &node{kind: chainNode, left: left, right: &node{kind: indexNode, index: *parts[0]}}, nil
			}
			s, ok := newSlice(parts)
			if !ok {
				return nil, parseError(p.src, at+2, "invalid value 0 for step size")
			}
			return p.project(&node{kind: slicedProjection, left: left, slice: s})
		default:
			return nil, p.unexpected("']'")
		}
	}
}

func newSlice(parts [3]*int) (*slice, bool) {
	s := &slice{step: 1}
	if parts[0] != nil {
		s.from, s.hasFrom = *parts[0], true
	}
	if parts[1] != nil {
		s.to, s.hasTo = *parts[1], true
	}
	if parts[2] != nil {
		s.step = *parts[2]
	}
	return s, s.step != 0
}

func (p *parser) multiList() (*node, error) {
	p.at++
	n := &node{kind: multiList}
	for {
		sub, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		n.subs = append(n.subs, sub)
		if p.accept("]") {
			return n, nil
		}
		if !p.accept(",") {
			return nil, p.unexpected("{',', ']'}")
		}
	}
}

func (p *parser) multiObject() (*node, error) {
	p.at++
	n := &node{kind: multiObject}
	for {
		key := p.peek()
		if key.kind != name {
			return nil, p.unexpected("{JSON_CONSTANT, NAME, STRING}")
		}
		p.at++
		if err := p.expect(":"); err != nil {
			return nil, err
		}
		sub, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		n.keys = append(n.keys, key.text)
		n.subs = append(n.subs, sub)
		if p.accept("}") {
			return n, nil
		}
		if !p.accept(",") {
			return nil, p.unexpected("{',', '}'}")
		}
	}
}

func (p *parser) call(l lexeme) (*node, error) {
	n := &node{kind: callNode, text: l.text}
	p.at++
	for !p.accept(")") {
		if len(n.subs) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		reference := p.accept("&")
		sub, err := p.expression(0)
		if err != nil {
			return nil, err
		}
		if reference {
			sub = &node{kind: referenceNode, left: sub}
		}
		n.subs = append(n.subs, sub)
	}
	n.call = functionNamed(l.text)
	if n.call == nil {
		return nil, parseError(p.src, l.at, "unknown function \"%s\"", l.text)
	}
	if wanted := n.call.arity(len(n.subs)); wanted != "" {
		return nil, parseError(p.src, l.at, "invalid arity calling \"%s\" (expected %s but was %d)", l.text, wanted, len(n.subs))
	}
	return n, nil
}
