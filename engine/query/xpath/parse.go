// Package xpath evaluates XPath 1.0 as the processor under JMeter's XPath Extractor
// and XPath Assertion does, on documents of package xml.
package xpath

import (
	"fmt"
	"strings"
)

// An Error is an expression that cannot be compiled or evaluated, in the processor's
// words where those are known.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

func fail(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

type exprKind uint8

const (
	pathExpr     exprKind = iota // steps, from a filter expression if there is one
	binaryExpr                   // op
	negateExpr                   // -left
	literalExpr                  // value
	functionExpr                 // fn
)

type expr struct {
	kind        exprKind
	op          string
	left, right *expr
	value       Value
	fn          function
	args        []*expr

	// pathExpr
	absolute bool
	from     *expr
	filters  []*expr // predicates of from
	steps    []step
}

type step struct {
	axis  string
	test  nodeTest
	preds []*expr
}

type testKind uint8

const (
	nameTest testKind = iota
	anyNode           // node()
	textTest
	commentTest
	instructionTest
)

type nodeTest struct {
	kind          testKind
	prefix, local string // local * is any; the target of an instruction
}

// An Expression is compiled, immutable and safe for concurrent use.
type Expression struct {
	text string
	root *expr
}

// String returns the expression as it was given.
func (e *Expression) String() string { return e.text }

// Compile reads an expression. The error is an *Error.
func Compile(text string) (*Expression, error) {
	lexemes, err := lex(text)
	if err != nil {
		return nil, err
	}
	p := &parser{lexemes: lexemes}
	root, err := p.or()
	if err != nil {
		return nil, err
	}
	if l := p.peek(); l.kind != end {
		rest := ""
		for _, l := range p.lexemes[p.at : len(p.lexemes)-1] {
			if rest != "" {
				rest += ", "
			}
			rest += "'" + l.text + "'"
		}
		return nil, fail("Extra illegal tokens: %s", rest)
	}
	return &Expression{text, root}, nil
}

type parser struct {
	lexemes []lexeme
	at      int
	depth   int
}

// maxDepth bounds nesting, so that no expression can exhaust the stack.
const maxDepth = 500

func (p *parser) peek() lexeme { return p.lexemes[p.at] }

func (p *parser) accept(sign string) bool {
	if p.peek().is(sign) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(sign string) error {
	if p.accept(sign) {
		return nil
	}
	if p.peek().kind == end {
		return fail("Expected %s, but found: %s", sign, "")
	}
	return fail("Expected %s, but found: %s", sign, p.peek().text)
}

// levels are the binary operators, the loosest first.
var levels = [][]string{{"or"}, {"and"}, {"=", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "div", "mod"}}

func (p *parser) or() (*expr, error) { return p.binary(0) }

func (p *parser) binary(level int) (*expr, error) {
	if level == len(levels) {
		return p.unary()
	}
	if p.depth++; p.depth > maxDepth*len(levels) {
		return nil, fail("Expression is nested too deeply")
	}
	defer func() { p.depth-- }()
	left, err := p.binary(level + 1)
	for err == nil {
		op := p.peek()
		if op.kind != operator || !contains(levels[level], op.text) {
			return left, nil
		}
		p.at++
		var right *expr
		if right, err = p.binary(level + 1); err == nil {
			left = &expr{kind: binaryExpr, op: op.text, left: left, right: right}
		}
	}
	return nil, err
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// unary reads one minus at most, as the processor does.
func (p *parser) unary() (*expr, error) {
	if p.accept("-") {
		e, err := p.union()
		return &expr{kind: negateExpr, left: e}, err
	}
	return p.union()
}

func (p *parser) union() (*expr, error) {
	left, err := p.path()
	for err == nil && p.accept("|") {
		var right *expr
		if right, err = p.path(); err == nil {
			left = &expr{kind: binaryExpr, op: "|", left: left, right: right}
		}
	}
	return left, err
}

func (p *parser) path() (*expr, error) {
	e := &expr{kind: pathExpr}
	l := p.peek()
	switch {
	case l.is("/"):
		p.at++
		e.absolute = true
		if !p.startsStep() {
			return e, nil
		}
		return e, p.steps(e)
	case l.is("//"):
		e.absolute = true
		return e, p.more(e)
	case p.startsPrimary():
		primary, err := p.primary()
		if err != nil {
			return nil, err
		}
		e.from = primary
		for p.peek().is("[") {
			if err := p.predicate(&e.filters); err != nil {
				return nil, err
			}
		}
		if p.peek().is("/") || p.peek().is("//") {
			return e, p.more(e)
		}
		if len(e.filters) == 0 {
			return primary, nil
		}
		return e, nil
	}
	return e, p.steps(e)
}

func (p *parser) startsPrimary() bool {
	l := p.peek()
	switch l.kind {
	case literal, number:
		return true
	case operator:
		return l.text == "(" || l.text == "$"
	case name:
		if !p.lexemes[p.at+1].is("(") {
			return false
		}
		switch l.text {
		case "node", "text", "comment", "processing-instruction":
			return false
		}
		return true
	}
	return false
}

func (p *parser) startsStep() bool {
	l := p.peek()
	return l.kind == name || l.is("@") || l.is(".") || l.is("..")
}

func (p *parser) primary() (*expr, error) {
	l := p.peek()
	p.at++
	switch {
	case l.kind == literal:
		return &expr{kind: literalExpr, value: Value{Kind: String, Text: l.text}}, nil
	case l.kind == number:
		return &expr{kind: literalExpr, value: Value{Kind: Number, Number: l.num}}, nil
	case l.is("$"):
		return nil, fail("Variable not resolvable: %s", p.peek().text)
	case l.is("("):
		e, err := p.or()
		if err != nil {
			return nil, err
		}
		// The group stands alone: [1] behind it counts all of it.
		return e, p.expect(")")
	}
	return p.call(l.text)
}

func (p *parser) call(fname string) (*expr, error) {
	e := &expr{kind: functionExpr, op: fname}
	f, ok := functionNamed(fname)
	if !ok {
		return nil, fail("Could not find function: %s", fname)
	}
	p.at++ // the parenthesis
	for !p.accept(")") {
		if len(e.args) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		arg, err := p.or()
		if err != nil {
			return nil, err
		}
		e.args = append(e.args, arg)
	}
	if n := len(e.args); n < f.min || n > f.max {
		return nil, fail("%s() has an incorrect number of arguments", fname)
	}
	e.fn = f.do
	return e, nil
}

// more reads steps behind / or //.
func (p *parser) more(e *expr) error {
	for {
		switch {
		case p.accept("//"):
			e.steps = append(e.steps, step{axis: "descendant-or-self", test: nodeTest{kind: anyNode}})
		case p.accept("/"):
		default:
			return nil
		}
		if !p.startsStep() {
			return fail("A location step was expected following the '/' or '//' token.")
		}
		if err := p.step(e); err != nil {
			return err
		}
	}
}

func (p *parser) steps(e *expr) error {
	if err := p.step(e); err != nil {
		return err
	}
	return p.more(e)
}

var axes = []string{"ancestor", "ancestor-or-self", "attribute", "child", "descendant", "descendant-or-self", "following",
	"following-sibling", "namespace", "parent", "preceding", "preceding-sibling", "self"}

func (p *parser) step(e *expr) error {
	s := step{axis: "child"}
	l := p.peek()
	switch {
	case l.is("."), l.is(".."):
		p.at++
		s.axis, s.test.kind = "self", anyNode
		if l.text == ".." {
			s.axis = "parent"
		}
		e.steps = append(e.steps, s)
		return nil
	case l.is("@"):
		p.at++
		s.axis = "attribute"
	case l.kind == name && p.lexemes[p.at+1].is("::"):
		if !contains(axes, l.text) {
			return fail("illegal axis name: %s", l.text)
		}
		p.at += 2
		s.axis = l.text
	}
	if p.peek().kind != name && p.at > 0 && (p.lexemes[p.at-1].is("@") || p.lexemes[p.at-1].is("::")) {
		return fail("A node test that matches either NCName:* or QName was expected.")
	}
	if err := p.nodeTest(&s.test); err != nil {
		return err
	}
	for p.peek().is("[") {
		if err := p.predicate(&s.preds); err != nil {
			return err
		}
	}
	e.steps = append(e.steps, s)
	return nil
}

func (p *parser) nodeTest(t *nodeTest) error {
	l := p.peek()
	if l.kind != name {
		if l.kind == end {
			return fail("A location path was expected, but the end of the XPath expression was found instead.")
		}
		return fail("A location path was expected, but the following token was encountered:  %s", l.text)
	}
	p.at++
	if !p.peek().is("(") {
		prefix, local, ok := strings.Cut(l.text, ":")
		if !ok {
			prefix, local = "", l.text
		}
		t.prefix, t.local = prefix, local
		return nil
	}
	switch l.text {
	case "node":
		t.kind = anyNode
	case "text":
		t.kind = textTest
	case "comment":
		t.kind = commentTest
	case "processing-instruction":
		t.kind = instructionTest
	default:
		return fail("Unknown nodetype: %s", l.text)
	}
	p.at++
	if a := p.peek(); t.kind == instructionTest && a.kind == literal {
		t.local = a.text
		p.at++
	}
	return p.expect(")")
}

func (p *parser) predicate(into *[]*expr) error {
	p.at++
	e, err := p.or()
	if err != nil {
		return err
	}
	*into = append(*into, e)
	return p.expect("]")
}
