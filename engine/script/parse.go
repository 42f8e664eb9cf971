package script

import (
	"fmt"
	"strings"
)

// parser reads Groovy, or with java set the Java of BeanShell, into a tree.
type parser struct {
	src   string
	toks  []token
	at    int
	java  bool
	depth int
	flat  int // open ( and [: line ends do not count in them
}

const maxNesting = 400

// parseSource parses a whole script. The error is a *SyntaxError.
func parseSource(source, scriptName string, java bool) (list []expr, err error) {
	defer func() {
		switch a := recover().(type) {
		case nil:
		case abort:
			a.err.Name = scriptName
			list, err = nil, a.err
		default:
			panic(a)
		}
	}()
	return parseAt(source, pos{1, 1}, java, 0), nil
}

// parseAt parses source that begins at a place of a larger one.
func parseAt(source string, at pos, java bool, depth int) []expr {
	l := &lexer{src: source, line: at.line, bol: 1 - at.col, java: java}
	p := &parser{src: source, java: java, depth: depth}
	p.toks = l.run()
	var list []expr
	for p.tok().kind != tokEnd {
		if p.accept(";") {
			continue
		}
		list = append(list, p.statement())
		p.endStatement()
	}
	return list
}

func (p *parser) tok() *token { return &p.toks[p.at] }

func (p *parser) peek(n int) *token {
	return &p.toks[min(p.at+n, len(p.toks)-1)]
}

func (p *parser) fail(at pos, format string, args ...any) {
	panic(abort{&SyntaxError{Line: at.line, Column: at.col, Text: fmt.Sprintf(format, args...)}})
}

func (p *parser) unexpected() {
	t := p.tok()
	if t.kind == tokEnd {
		p.fail(t.pos, "unexpected end of the script")
	}
	p.fail(t.pos, "unexpected token: %s", p.src[t.start:t.end])
}

func (t *token) op(s string) bool   { return t.kind == tokOp && t.text == s }
func (t *token) word(s string) bool { return t.kind == tokName && t.text == s }

func (p *parser) is(op string) bool { return p.tok().op(op) }

func (p *parser) accept(op string) bool {
	if p.is(op) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expect(op string) *token {
	t := p.tok()
	if !t.op(op) {
		if t.kind == tokOp && strings.HasPrefix(t.text, op) && op == ">" { // >> closes two lists of types
			rest := *t
			rest.text = t.text[1:]
			rest.start++
			p.toks[p.at] = rest
			return t
		}
		if t.kind == tokEnd {
			p.fail(t.pos, "unexpected end of the script, %s is missing", op)
		}
		p.fail(t.pos, "unexpected token: %s, expected %s", p.src[t.start:t.end], op)
	}
	p.at++
	return t
}

func (p *parser) acceptWord(w string) bool {
	if p.tok().word(w) {
		p.at++
		return true
	}
	return false
}

func (p *parser) ident() (string, pos) {
	t := p.tok()
	if t.kind != tokName || p.reserved(t.text) {
		p.unexpected()
	}
	p.at++
	return t.text, t.pos
}

var reservedWords = map[string]bool{
	"if": true, "else": true, "while": true, "for": true, "do": true, "switch": true, "case": true, "default": true, "return": true,
	"break": true, "continue": true, "throw": true, "try": true, "catch": true, "finally": true, "new": true, "instanceof": true,
	"import": true, "class": true, "interface": true, "enum": true, "null": true, "true": true, "false": true, "void": true,
	"int": true, "long": true, "double": true, "float": true, "boolean": true, "char": true, "byte": true, "short": true,
	"package": true, "extends": true, "implements": true, "throws": true, "super": true, "static": true, "final": true,
	"public": true, "private": true, "protected": true, "synchronized": true, "abstract": true, "assert": true,
}

func (p *parser) reserved(w string) bool {
	return reservedWords[w] || !p.java && (w == "def" || w == "in" || w == "as")
}

// newline says that a line ended before the token, where line ends count.
func (p *parser) newline() bool { return p.flat == 0 && p.tok().nl }

// endStatement wants the end of a statement.
func (p *parser) endStatement() {
	t := p.tok()
	switch {
	case p.accept(";"):
	case t.kind == tokEnd, t.op("}"):
	case p.java:
		if p.at > 0 && p.toks[p.at-1].op("}") || p.toks[p.at-1].op(";") {
			return
		}
		p.unexpected()
	case t.nl:
	case p.at > 0 && (p.toks[p.at-1].op("}") || p.toks[p.at-1].op(";")): // if (a) { } b
	default:
		p.unexpected()
	}
}

func (p *parser) enter(at pos) {
	if p.depth++; p.depth > maxNesting {
		p.fail(at, "the script is nested too deeply")
	}
}

// lines turns line ends on again inside braces.
func (p *parser) braces(do func()) {
	flat := p.flat
	p.flat = 0
	do()
	p.flat = flat
}

func (p *parser) block() *block {
	t := p.expect("{")
	b := &block{pos: t.pos}
	p.braces(func() {
		for !p.is("}") {
			if p.accept(";") {
				continue
			}
			if p.tok().kind == tokEnd {
				p.expect("}")
			}
			b.list = append(b.list, p.statement())
			p.endStatement()
		}
		p.at++
	})
	return b
}

func (p *parser) statement() expr {
	t := p.tok()
	p.enter(t.pos)
	defer func() { p.depth-- }()
	if t.op("{") {
		if !p.java {
			p.at++
			arrow := p.arrowAhead()
			p.at--
			if arrow { // a closure
				return p.expressionStatement()
			}
		}
		return p.block()
	}
	if t.op("@") {
		p.annotation()
		return p.statement()
	}
	if t.kind != tokName {
		return p.expressionStatement()
	}
	if n := p.peek(1); n.op(":") && !p.reserved(t.text) && !p.peek(2).op(":") { // a label
		p.at += 2
		return labelled(p.statement(), t.text)
	}
	switch t.text {
	case "if":
		return p.ifStatement()
	case "while":
		p.at++
		cond := p.condition()
		return &whileStmt{pos: t.pos, cond: cond, body: p.body()}
	case "do":
		p.at++
		body := p.body()
		for p.accept(";") {
		}
		if !p.acceptWord("while") {
			p.unexpected()
		}
		return &whileStmt{pos: t.pos, cond: p.condition(), body: body, after: true}
	case "for":
		return p.forStatement()
	case "switch":
		return p.switchStatement()
	case "break", "continue":
		p.at++
		j := &jump{pos: t.pos, cont: t.text == "continue"}
		if n := p.tok(); n.kind == tokName && !n.nl && !p.reserved(n.text) {
			j.label = n.text
			p.at++
		}
		return j
	case "return":
		p.at++
		r := &returnStmt{pos: t.pos}
		if n := p.tok(); n.kind != tokEnd && !n.op(";") && !n.op("}") && (!n.nl || p.java) {
			r.x = p.expressionStatement()
		}
		return r
	case "throw":
		p.at++
		return &throwStmt{pos: t.pos, x: p.expression()}
	case "try":
		return p.tryStatement()
	case "assert":
		return p.assertStatement()
	case "import":
		return p.importStatement()
	case "package":
		p.at++
		p.qualified()
		return &block{pos: t.pos}
	case "class", "interface", "enum", "trait":
		if n := p.peek(1); n.kind == tokName && (t.text != "trait" || n.text[0] <= 'Z') {
			p.fail(t.pos, "%s declarations are not supported", t.text)
		}
	case "synchronized":
		if p.peek(1).op("(") {
			p.at++
			p.condition()
			return p.block()
		}
	}
	if d := p.declaration(); d != nil {
		return d
	}
	return p.expressionStatement()
}

func labelled(s expr, label string) expr {
	switch s := s.(type) {
	case *whileStmt:
		s.label = label
	case *forStmt:
		s.label = label
	case *forIn:
		s.label = label
	case *switchStmt:
		s.label = label
	}
	return s
}

// annotation skips @Name and @Name(...).
func (p *parser) annotation() {
	p.expect("@")
	if p.tok().word("interface") {
		p.fail(p.tok().pos, "interface declarations are not supported")
	}
	p.qualified()
	if p.is("(") {
		p.parens(func() {
			for depth := 0; !(p.is(")") && depth == 0); p.at++ {
				switch {
				case p.tok().kind == tokEnd:
					p.unexpected()
				case p.is("("):
					depth++
				case p.is(")"):
					depth--
				}
			}
		})
	}
}

// parens runs do between ( and ).
func (p *parser) parens(do func()) {
	p.expect("(")
	p.flat++
	do()
	p.flat--
	p.expect(")")
}

func (p *parser) condition() (x expr) {
	p.parens(func() { x = p.expression() })
	return x
}

// body is what if and loops run: a block or one statement.
func (p *parser) body() expr {
	if p.accept(";") {
		return nil
	}
	s := p.statement()
	return s
}

func (p *parser) ifStatement() expr {
	s := &ifStmt{pos: p.tok().pos}
	p.at++
	s.cond = p.condition()
	s.yes = p.body()
	mark := p.at
	for p.accept(";") {
	}
	if p.acceptWord("else") {
		s.no = p.body()
	} else {
		p.at = mark
	}
	return s
}

func (p *parser) forStatement() expr {
	at := p.tok().pos
	p.at++
	p.expect("(")
	p.flat++
	if s := p.forInHead(at); s != nil {
		p.flat--
		p.expect(")")
		s.body = p.body()
		return s
	}
	s := &forStmt{pos: at}
	if !p.is(";") {
		if d := p.declaration(); d != nil {
			s.init = append(s.init, d)
		} else {
			s.init = p.expressions()
		}
	}
	p.expect(";")
	if !p.is(";") {
		s.cond = p.expression()
	}
	p.expect(";")
	if !p.is(")") {
		s.step = p.expressions()
	}
	p.flat--
	p.expect(")")
	s.body = p.body()
	return s
}

func (p *parser) expressions() []expr {
	list := []expr{p.expression()}
	for p.accept(",") {
		list = append(list, p.expression())
	}
	return list
}

// forInHead reads "x in list" or "Type x : list", or nothing.
func (p *parser) forInHead(at pos) *forIn {
	mark := p.at
	s := &forIn{pos: at}
	p.modifiers()
	if p.tok().kind == tokName && !p.reserved(p.tok().text) && (p.peek(1).op(":") || p.peek(1).word("in") && !p.java) {
		s.name = p.tok().text
		p.at++
	} else if t, ok := p.tryType(); ok && p.tok().kind == tokName && (p.peek(1).op(":") || p.peek(1).word("in") && !p.java) {
		s.class, s.name = t, p.tok().text
		p.at++
	} else {
		p.at = mark
		return nil
	}
	p.at++
	s.in = p.expression()
	return s
}

func (p *parser) switchStatement() expr {
	s := &switchStmt{pos: p.tok().pos}
	p.at++
	s.x = p.condition()
	p.expect("{")
	p.braces(func() {
		for !p.is("}") {
			var k switchCase
			for {
				if p.acceptWord("case") {
					k.tests = append(k.tests, p.expression())
				} else if p.acceptWord("default") {
					k.isElse = true
				} else {
					break
				}
				p.expect(":")
			}
			if k.tests == nil && !k.isElse {
				p.unexpected()
			}
			for !p.is("}") && !p.tok().word("case") && !p.tok().word("default") {
				if p.accept(";") {
					continue
				}
				k.body = append(k.body, p.statement())
				if !p.tok().word("case") && !p.tok().word("default") {
					p.endStatement()
				}
			}
			s.cases = append(s.cases, k)
		}
		p.at++
	})
	return s
}

func (p *parser) tryStatement() expr {
	s := &tryStmt{pos: p.tok().pos}
	p.at++
	if p.is("(") {
		p.fail(p.tok().pos, "try with resources is not supported")
	}
	s.body = p.block()
	for p.acceptWord("catch") {
		var k catch
		p.parens(func() {
			p.modifiers()
			if p.tok().kind == tokName && p.peek(1).op(")") {
				k.name, _ = p.ident()
				return
			}
			for {
				t, ok := p.tryType()
				if !ok {
					p.unexpected()
				}
				k.classes = append(k.classes, t)
				if !p.accept("|") {
					break
				}
			}
			k.name, _ = p.ident()
		})
		k.body = p.block()
		s.catches = append(s.catches, k)
	}
	if p.acceptWord("finally") {
		s.finally = p.block()
	}
	if s.catches == nil && s.finally == nil {
		p.unexpected()
	}
	return s
}

func (p *parser) assertStatement() expr {
	s := &assertStmt{pos: p.tok().pos}
	p.at++
	start := p.tok().start
	s.cond = p.expression()
	s.text = strings.TrimSpace(p.src[start:p.toks[p.at-1].end])
	if p.accept(":") || p.accept(",") {
		s.message = p.expression()
	}
	return s
}

func (p *parser) importStatement() expr {
	s := &importDecl{pos: p.tok().pos}
	p.at++
	s.static = p.acceptWord("static")
	s.name = p.qualified()
	if p.accept(".") {
		p.expect("*")
		s.name += ".*"
	} else if p.is(".") {
		p.unexpected()
	}
	s.alias = s.name[strings.LastIndexByte(s.name, '.')+1:]
	if !p.java && p.acceptWord("as") {
		s.alias, _ = p.ident()
	}
	return s
}

// qualified reads a.b.C; a star is left to the caller.
func (p *parser) qualified() string {
	n, _ := p.ident()
	for p.is(".") && p.peek(1).kind == tokName {
		p.at++
		n += "." + p.tok().text
		p.at++
	}
	return n
}
