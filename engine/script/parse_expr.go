package script

import "strings"

// expressionStatement reads an expression, or a command: println x, y
func (p *parser) expressionStatement() expr {
	start := p.at
	if t := p.tok(); !p.java && t.kind == tokString && p.peek(1).op("{") && !p.peek(1).nl { // "a-b" { } of a builder
		p.at++
		return p.callRest(&call{pos: t.pos, name: groovyString(t.value)})
	}
	x := p.expression()
	if p.java || !p.commandArgument() {
		return x
	}
	var c *call
	switch x := x.(type) {
	case *name:
		c = &call{pos: x.pos, name: x.name}
	case *property:
		c = &call{pos: x.pos, obj: x.obj, name: x.name, dynamic: x.dynamic, safe: x.safe, spread: x.spread}
	default:
		return x
	}
	if p.at != start+1 && p.toks[p.at-1].op(")") {
		return x
	}
	c.args = p.arguments("")
	return c
}

// commandArgument says that the next token, on the same line, begins an argument without parentheses.
func (p *parser) commandArgument() bool {
	t := p.tok()
	if t.nl || !t.space || p.at == 0 {
		return false
	}
	if last := p.toks[p.at-1]; last.kind != tokName && last.kind != tokString {
		return false
	}
	switch t.kind {
	case tokNumber, tokString, tokGString:
		return true
	case tokName:
		switch t.text {
		case "in", "as", "instanceof", "else", "if":
			return false
		}
		return !p.reserved(t.text) || t.text == "new" || t.text == "true" || t.text == "false" || t.text == "null"
	}
	return false
}

func (p *parser) expression() expr {
	p.enter(p.tok().pos)
	defer func() { p.depth-- }()
	return p.assignment()
}

var assignOps = map[string]string{
	"=": "", "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%", "**=": "**", "&=": "&", "|=": "|", "^=": "^",
	"<<=": "<<", ">>=": ">>", ">>>=": ">>>", "?=": "?",
}

func (p *parser) assignment() expr {
	if !p.java && p.is("(") { // (a, b) = list
		if m := p.multiTarget(); m != nil {
			return m
		}
	}
	x := p.ternary()
	t := p.tok()
	if t.kind != tokOp || p.newline() {
		return x
	}
	op, ok := assignOps[t.text]
	if !ok {
		return x
	}
	p.at++
	if p.java && p.is("{") {
		return &assign{pos: t.pos, op: op, target: x, value: p.arrayInit(typeRef{})}
	}
	return &assign{pos: t.pos, op: op, target: x, value: p.nested(p.assignment)}
}

// nested bounds the depth of operators that associate to the right.
func (p *parser) nested(do func() expr) expr {
	p.enter(p.tok().pos)
	defer func() { p.depth-- }()
	return do()
}

func (p *parser) multiTarget() expr {
	mark := p.at
	at := p.tok().pos
	p.at++
	var targets []expr
	for p.tok().kind == tokName && !p.reserved(p.tok().text) {
		targets = append(targets, &name{p.tok().pos, p.tok().text})
		p.at++
		if !p.accept(",") {
			break
		}
	}
	if len(targets) < 2 || !p.is(")") || !p.peek(1).op("=") {
		p.at = mark
		return nil
	}
	p.at += 2
	return &multiAssign{pos: at, targets: targets, value: p.expression()}
}

func (p *parser) ternary() expr {
	x := p.binary(0)
	t := p.tok()
	switch {
	case t.op("?"):
		p.at++
		yes := p.nested(p.assignment)
		p.expect(":")
		return &ternary{pos: t.pos, cond: x, yes: yes, no: p.nested(p.assignment)}
	case t.op("?:"):
		p.at++
		return &ternary{pos: t.pos, cond: x, no: p.nested(p.ternary)}
	}
	return x
}

// levels are the binary operators from the weakest.
var levels = [][]string{
	{"||"}, {"&&"}, {"|"}, {"^"}, {"&"},
	{"==", "!=", "<=>", "===", "!==", "=~", "==~"},
	{"<", ">", "<=", ">=", "in", "!in", "instanceof", "!instanceof", "as"},
	{"<<", ">>", ">>>", "..", "..<"},
	{"+", "-"},
	{"*", "/", "%"},
}

var levelOf = func() map[string]int {
	m := map[string]int{}
	for i, ops := range levels {
		for _, op := range ops {
			m[op] = i
		}
	}
	return m
}()

// operator names the binary operator at hand, if it is one.
func (p *parser) operator() (string, int) {
	t := p.tok()
	switch t.kind {
	case tokName:
		if t.text == "instanceof" || !p.java && (t.text == "in" || t.text == "as") {
			return t.text, 1
		}
	case tokOp:
		if t.op("!") && !p.java {
			if n := p.peek(1); !n.space && (n.word("in") || n.word("instanceof")) {
				return "!" + n.text, 2
			}
		}
		return t.text, 1
	}
	return "", 0
}

func (p *parser) binary(level int) expr {
	x := p.unary()
	return p.binaryRest(x, level)
}

// binaryRest reads operators of the level and stronger, with x on their left.
func (p *parser) binaryRest(x expr, level int) expr {
	for {
		op, n := p.operator()
		l, ok := levelOf[op]
		if !ok || n == 0 || l < level {
			return x
		}
		if p.newline() && !p.java && (op == "+" || op == "-" || op == "<<" || op == "in" || op == "as") {
			return x
		}
		at := p.tok().pos
		p.at += n
		switch op {
		case "instanceof", "!instanceof", "as":
			t, ok := p.tryType()
			if !ok || t.name == "" {
				p.unexpected()
			}
			if op == "as" {
				x = &cast{pos: at, class: t, x: x, as: true}
			} else {
				x = &instance{pos: at, x: x, class: t, not: op[0] == '!'}
			}
			continue
		}
		y := p.unary()
		for { // stronger operators first
			next, n := p.operator()
			nl, ok := levelOf[next]
			if !ok || n == 0 || nl <= l || p.newline() && !p.java && (next == "+" || next == "-" || next == "<<" || next == "in" || next == "as") {
				break
			}
			y = p.binaryRest(y, nl)
		}
		switch op {
		case "&&", "||":
			x = &logic{pos: at, and: op == "&&", x: x, y: y}
		case "..", "..<":
			x = &rangeLit{pos: at, from: x, to: y, open: op == "..<"}
		default:
			x = &binary{pos: at, op: op, x: x, y: y}
		}
	}
}

func (p *parser) unary() expr {
	p.enter(p.tok().pos)
	defer func() { p.depth-- }()
	t := p.tok()
	if t.kind == tokOp {
		switch t.text {
		case "-", "+":
			p.at++
			if n := p.tok(); t.text == "-" && n.kind == tokNumber && !n.space && n.text == "2147483648" {
				p.at++
				return p.postfix(&literal{t.pos, int32(-1 << 31)})
			}
			return &unary{pos: t.pos, op: t.text, x: p.unary()}
		case "!", "~":
			p.at++
			return &unary{pos: t.pos, op: t.text, x: p.unary()}
		case "++", "--":
			p.at++
			return &step{pos: t.pos, op: t.text[:1], prefix: true, x: p.unary()}
		case "(":
			if c := p.castExpr(); c != nil {
				return c
			}
		}
	}
	x := p.postfix(p.primary())
	for (p.is("++") || p.is("--")) && !p.newline() {
		x = &step{pos: p.tok().pos, op: p.tok().text[:1], x: x}
		p.at++
	}
	if p.is("**") && !p.java {
		at := p.tok().pos
		p.at++
		return &binary{pos: at, op: "**", x: x, y: p.unary()}
	}
	return x
}

// castExpr reads (Type) operand, or nothing.
func (p *parser) castExpr() expr {
	mark, at := p.at, p.tok().pos
	p.at++
	primitive := primitiveNames[p.tok().text] && p.tok().kind == tokName
	t, ok := p.tryType()
	if !ok || t.name == "" || !p.is(")") || p.java && !primitive && !upper(t.name[strings.LastIndexByte(t.name, '.')+1:]) {
		p.at = mark
		return nil
	}
	p.at++
	n := p.tok()
	operand := false
	switch n.kind {
	case tokName:
		operand = !p.reserved(n.text) || n.text == "new" || n.text == "true" || n.text == "false" || n.text == "null"
	case tokNumber, tokString, tokGString:
		operand = true
	case tokOp:
		operand = n.text == "(" || n.text == "!" || n.text == "~" || n.text == "[" && !p.java || primitive && (n.text == "-" || n.text == "+")
		operand = operand || n.text == "{" && !p.java
	}
	if !operand || n.nl && p.flat == 0 && !p.java {
		p.at = mark
		return nil
	}
	return &cast{pos: at, class: t, x: p.unary()}
}

func (p *parser) primary() expr {
	t := p.tok()
	switch t.kind {
	case tokNumber, tokString:
		p.at++
		return &literal{t.pos, t.value}
	case tokGString:
		p.at++
		return p.gstring(t)
	case tokName:
		return p.nameOrKeyword(t)
	case tokOp:
		switch t.text {
		case "(":
			var x expr
			p.parens(func() { x = p.expression() })
			return x
		case "[":
			if !p.java {
				return p.listOrMap()
			}
		case "{":
			if !p.java {
				return p.closure()
			}
		}
	}
	p.unexpected()
	return nil
}

func (p *parser) gstring(t *token) expr {
	g := &gstring{pos: t.pos}
	for _, s := range t.parts {
		if !s.is {
			g.parts = append(g.parts, &literal{t.pos, s.text})
			continue
		}
		code, at := s.code, s.pos
		if strings.HasPrefix(strings.TrimSpace(code), "->") { // a closure, called when the text is made
			code, at.col = "{"+code+"}", max(at.col-1, 1)
		}
		list := parseAt(code, at, false, p.depth+1)
		switch len(list) {
		case 0:
			g.parts = append(g.parts, &literal{t.pos, nil})
		case 1:
			g.parts = append(g.parts, list[0])
		default:
			g.parts = append(g.parts, &block{s.pos, list})
		}
	}
	return g
}

func (p *parser) nameOrKeyword(t *token) expr {
	switch t.text {
	case "null", "true", "false":
		p.at++
		return &literal{t.pos, map[string]Value{"null": nil, "true": true, "false": false}[t.text]}
	case "new":
		return p.newExpr()
	case "void":
		if p.java {
			p.at++
			return &void{t.pos}
		}
	case "switch":
		p.fail(t.pos, "a switch as a value is not supported")
	}
	if primitiveNames[t.text] && (p.peek(1).op(".") || p.peek(1).op("[")) { // int.class, int[].class
		p.at++
		return &name{t.pos, t.text}
	}
	n, at := p.ident()
	if p.is("->") && !p.java {
		p.fail(at, "a lambda is not supported")
	}
	if p.is("(") && !p.newline() {
		return p.callRest(&call{pos: at, name: n})
	}
	if p.is("{") && !p.java && !p.newline() {
		return p.callRest(&call{pos: at, name: n})
	}
	return &name{at, n}
}

// callRest reads (arguments) and closures behind them.
func (p *parser) callRest(c *call) expr {
	if p.is("(") {
		p.at++
		p.flat++
		c.args = p.arguments(")")
		p.flat--
		p.expect(")")
	}
	for p.is("{") && !p.java && !p.newline() {
		c.args = append(c.args, p.closure())
	}
	return c
}

// arguments reads a list of arguments up to the closing token, or to the end of a command. Named ones
// become a map in the first place.
func (p *parser) arguments(end string) []expr {
	var list []expr
	var named *mapLit
	for end == "" || !p.is(end) {
		t := p.tok()
		switch {
		case !p.java && p.is("*") && end != "":
			p.at++
			list = append(list, &spread{t.pos, p.expression()})
		case !p.java && p.namedArgument():
			if named == nil {
				named = &mapLit{pos: t.pos}
			}
			key, value := p.mapEntry()
			named.keys, named.values = append(named.keys, key), append(named.values, value)
		default:
			list = append(list, p.expression())
		}
		if !p.accept(",") {
			break
		}
	}
	if named != nil {
		list = append([]expr{named}, list...)
	}
	return list
}

func (p *parser) namedArgument() bool {
	t, n := p.tok(), p.peek(1)
	return n.op(":") && (t.kind == tokName || t.kind == tokString || t.kind == tokNumber) || t.op("*") && n.op(":")
}

func (p *parser) mapEntry() (key, value expr) {
	t := p.tok()
	switch {
	case t.op("*"):
		p.at++
	case t.kind == tokName:
		p.at++
		key = &literal{t.pos, t.text}
	case t.op("("):
		p.parens(func() { key = p.expression() })
	default:
		key = p.unary()
	}
	p.expect(":")
	return key, p.expression()
}

func (p *parser) listOrMap() expr {
	t := p.expect("[")
	p.flat++
	defer func() { p.flat-- }()
	if p.is(":") && p.peek(1).op("]") {
		p.at += 2
		return &mapLit{pos: t.pos}
	}
	if p.mapAhead() {
		m := &mapLit{pos: t.pos}
		for !p.is("]") {
			k, v := p.mapEntry()
			m.keys, m.values = append(m.keys, k), append(m.values, v)
			if !p.accept(",") {
				break
			}
		}
		p.expect("]")
		return m
	}
	l := &listLit{pos: t.pos}
	for !p.is("]") {
		if s := p.tok(); p.accept("*") {
			l.items = append(l.items, &spread{s.pos, p.expression()})
		} else {
			l.items = append(l.items, p.expression())
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("]")
	return l
}

// mapAhead tells a map from a list by the colon behind its first key.
func (p *parser) mapAhead() bool {
	if p.namedArgument() {
		return true
	}
	if p.tok().kind == tokGString && p.peek(1).op(":") {
		return true
	}
	if !p.is("(") {
		return false
	}
	depth := 0
	for i := p.at; i < len(p.toks); i++ {
		t := &p.toks[i]
		switch {
		case t.op("("), t.op("["), t.op("{"):
			depth++
		case t.op(")"), t.op("]"), t.op("}"):
			if depth--; depth == 0 {
				return i+1 < len(p.toks) && p.toks[i+1].op(":")
			}
		}
	}
	return false
}

func (p *parser) closure() expr {
	t := p.expect("{")
	c := &closureLit{pos: t.pos, implicit: true, body: &block{pos: t.pos}}
	p.braces(func() {
		if p.arrowAhead() {
			c.implicit = false
			p.flat++
			if !p.is("->") {
				list, ok := p.paramList()
				if !ok {
					p.unexpected()
				}
				c.params = list
			}
			p.flat--
			p.expect("->")
		}
		for !p.is("}") {
			if p.accept(";") {
				continue
			}
			if p.tok().kind == tokEnd {
				p.expect("}")
			}
			c.body.list = append(c.body.list, p.statement())
			p.endStatement()
		}
		p.at++
	})
	return c
}

// arrowAhead says that parameters stand before the code of a closure.
func (p *parser) arrowAhead() bool {
	depth := 0
	for i := p.at; i < len(p.toks); i++ {
		t := &p.toks[i]
		switch {
		case t.op("->") && depth == 0:
			return true
		case t.op("("), t.op("["), t.op("{"):
			depth++
		case t.op(")"), t.op("]"), t.op("}"):
			if depth--; depth < 0 {
				return false
			}
		case depth > 0:
		case t.kind == tokName && (!reservedWords[t.text] || primitiveNames[t.text] || t.text == "final" || t.text == "null" || t.text == "true" || t.text == "false"),
			t.kind == tokNumber, t.kind == tokString, t.kind == tokGString,
			t.op(","), t.op("="), t.op("<"), t.op(">"), t.op("."), t.op("..."), t.op("?"), t.op(">>"), t.op("-"):
		default:
			return false
		}
	}
	return false
}

func (p *parser) newExpr() expr {
	at := p.tok().pos
	p.at++
	t := typeRef{pos: p.tok().pos}
	if primitiveNames[p.tok().text] {
		t.name = p.tok().text
		p.at++
	} else {
		t.name = p.qualified()
		if p.is("<") && !p.typeArguments() {
			p.unexpected()
		}
	}
	if p.is("[") {
		a := &newArray{pos: at, class: t}
		for p.is("[") {
			p.at++
			p.flat++
			if !p.is("]") {
				a.dims = append(a.dims, p.expression())
			}
			p.flat--
			p.expect("]")
			a.class.dims++
		}
		if p.is("{") && a.dims == nil {
			x := p.arrayInit(a.class).(*newArray)
			x.pos = at
			return x
		}
		if a.dims == nil {
			p.unexpected()
		}
		return a
	}
	n := &newObject{pos: at, class: t}
	p.expect("(")
	p.flat++
	n.args = p.arguments(")")
	p.flat--
	p.expect(")")
	if p.is("{") && !p.newline() {
		p.fail(p.tok().pos, "an anonymous class is not supported")
	}
	return n
}

// arrayInit reads {1, 2}.
func (p *parser) arrayInit(t typeRef) expr {
	at := p.expect("{").pos
	p.flat++
	if t.dims > 0 {
		t.dims--
	}
	a := &newArray{pos: at, class: typeRef{pos: t.pos, name: t.name}, given: true}
	if t.name == "" {
		a.class.name = "Object"
	}
	for !p.is("}") {
		if p.is("{") {
			a.init = append(a.init, p.arrayInit(t))
		} else {
			a.init = append(a.init, p.expression())
		}
		if !p.accept(",") {
			break
		}
	}
	p.flat--
	p.expect("}")
	if t.dims > 0 { // arrays of arrays
		a.class.name = "Object"
	}
	return a
}

// postfix reads members, indexes and calls behind an operand.
func (p *parser) postfix(x expr) expr {
	for {
		t := p.tok()
		if t.kind != tokOp {
			return x
		}
		switch t.text {
		case ".", "?.", "*.", ".@", "?.@", "*.@":
			if t.nl && p.flat == 0 && !p.java && t.text == "." && p.peek(1).op(".") {
				return x
			}
			p.at++
			x = p.member(x, t)
		case ".&":
			p.at++
			n := p.tok()
			if n.kind != tokName {
				p.unexpected()
			}
			p.at++
			x = &methodRef{pos: t.pos, obj: x, name: n.text}
		case "[", "?[":
			if p.newline() {
				return x
			}
			p.at++
			p.flat++
			i := &index{pos: t.pos, obj: x, safe: t.text == "?["}
			if p.is("]") { // Type[]
				p.flat--
				p.at++
				if n, ok := dotted(x); ok {
					x = &name{t.pos, n + "[]"}
					continue
				}
				p.unexpected()
			}
			i.args = p.arguments("]")
			p.flat--
			p.expect("]")
			x = i
		case "(":
			if p.newline() || !p.callable(x) {
				return x
			}
			x = p.callRest(&call{pos: t.pos, obj: x, name: "call"})
		default:
			return x
		}
	}
}

// callable says that a ( behind x calls its value.
func (p *parser) callable(x expr) bool {
	switch x.(type) {
	case *call, *index, *closureLit, *name, *property:
		return !p.java
	}
	return !p.java && p.toks[p.at-1].op(")")
}

func (p *parser) member(x expr, t *token) expr {
	n := p.tok()
	safe, each := strings.HasPrefix(t.text, "?"), strings.HasPrefix(t.text, "*")
	m := &property{pos: n.pos, obj: x, safe: safe, spread: each, attribute: strings.HasSuffix(t.text, "@")}
	switch n.kind {
	case tokName:
		m.name = n.text
		p.at++
	case tokString:
		if p.java {
			p.unexpected()
		}
		m.name = groovyString(n.value)
		p.at++
	case tokGString:
		p.at++
		m.dynamic = p.gstring(n)
	case tokOp:
		if n.op("@") && !p.java {
			p.at++
			a := p.tok()
			if a.kind != tokName {
				p.unexpected()
			}
			p.at++
			m.name, m.attribute = a.text, true
			return m
		}
		if n.op("(") && !p.java { // x.(expression)
			p.parens(func() { m.dynamic = p.expression() })
			return m
		}
		p.unexpected()
	default:
		p.unexpected()
	}
	if m.attribute {
		return m
	}
	if p.is("(") && !p.newline() || p.is("{") && !p.java && !p.newline() && n.text != "class" {
		return p.callRest(&call{pos: m.pos, obj: m.obj, name: m.name, dynamic: m.dynamic, safe: safe, spread: each})
	}
	return m
}
