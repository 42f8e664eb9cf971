package script

import (
	"strings"
)

// modifiers skips final, static and their like, and annotations; it says whether there were any.
func (p *parser) modifiers() bool {
	any := false
	for {
		t := p.tok()
		switch {
		case t.op("@") && !p.peek(1).word("interface"):
			p.annotation()
		case t.kind == tokName && (t.text == "final" || t.text == "static" || t.text == "public" || t.text == "private" || t.text == "protected" ||
			t.text == "synchronized" && !p.peek(1).op("(") || t.text == "abstract" || t.text == "transient" || t.text == "volatile"):
			p.at++
		default:
			return any
		}
		any = true
	}
}

var primitiveNames = map[string]bool{"int": true, "long": true, "double": true, "float": true, "boolean": true, "char": true, "byte": true, "short": true, "void": true}

// tryType reads a type, or nothing. It takes def and var for any type.
func (p *parser) tryType() (typeRef, bool) {
	mark := p.at
	t := p.tok()
	if t.kind != tokName {
		return typeRef{}, false
	}
	ref := typeRef{pos: t.pos}
	switch {
	case t.text == "def" && !p.java, t.text == "var" && p.peek(1).kind == tokName && !p.peek(1).nl:
		p.at++
		return ref, true
	case primitiveNames[t.text]:
		p.at++
		ref.name = t.text
	case p.reserved(t.text):
		return ref, false
	default:
		ref.name = p.qualified()
		if !p.java && !upper(ref.name[strings.LastIndexByte(ref.name, '.')+1:]) {
			p.at = mark
			return ref, false
		}
		if p.is("<") && !p.typeArguments() {
			p.at = mark
			return ref, false
		}
	}
	for p.is("[") && p.peek(1).op("]") {
		p.at += 2
		ref.dims++
	}
	return ref, true
}

func upper(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// typeArguments skips <...>, if that is what stands there.
func (p *parser) typeArguments() bool {
	depth := 0
	for i := p.at; i < len(p.toks); i++ {
		t := &p.toks[i]
		switch {
		case t.op("<"):
			depth++
		case t.kind == tokOp && strings.Trim(t.text, ">") == "":
			if depth -= len(t.text); depth <= 0 {
				if depth < 0 {
					return false
				}
				p.at = i + 1
				return true
			}
		case t.kind == tokName, t.op(","), t.op("?"), t.op("."), t.op("["), t.op("]"), t.op("&"):
		default:
			return false
		}
	}
	return false
}

// declaration reads variables or a method, or nothing and goes back.
func (p *parser) declaration() expr {
	mark, at := p.at, p.tok().pos
	mod := p.modifiers()
	if p.tok().word("class") || p.tok().word("interface") || p.tok().word("enum") {
		p.fail(p.tok().pos, "%s declarations are not supported", p.tok().text)
	}
	if p.tok().word("def") && !p.java && p.peek(1).op("(") { // def (a, b) = list
		p.at++
		return p.multiDeclaration(at)
	}
	t, ok := p.tryType()
	name := p.tok()
	nameOK := name.kind == tokName && !p.reserved(name.text) || name.kind == tokString && p.peek(1).op("(")
	if !ok || !nameOK || name.nl && p.flat == 0 && !p.java {
		if mod && !ok && p.tok().kind == tokName { // final x = 1
			t = typeRef{}
		} else if mod && ok && t.dims == 0 && !upperOrDef(t) {
			p.at = mark
			p.modifiers()
			t = typeRef{}
		} else {
			p.at = mark
			return nil
		}
	}
	next := p.peek(1)
	switch {
	case next.op("(") && p.tok().kind == tokName:
		if m := p.method(at, t); m != nil {
			return m
		}
		p.at = mark
		return nil
	case next.op("="), next.op(";"), next.op(","), next.op("["), next.kind == tokEnd, next.op("}"), next.nl && !p.java, next.op(":") && p.java, next.word("in"):
	default:
		p.at = mark
		return nil
	}
	if p.tok().kind != tokName {
		p.at = mark
		return nil
	}
	d := &varDecl{pos: at, class: t}
	for {
		n, _ := p.ident()
		for p.is("[") && p.peek(1).op("]") {
			p.at += 2
			d.class.dims++
		}
		var init expr
		if p.accept("=") {
			if p.is("{") && p.java {
				init = p.arrayInit(d.class)
			} else {
				init = p.expressionStatement()
			}
		}
		d.names, d.inits = append(d.names, n), append(d.inits, init)
		if !p.accept(",") {
			return d
		}
	}
}

func upperOrDef(t typeRef) bool { return t.name == "" || upper(t.name) }

func (p *parser) multiDeclaration(at pos) expr {
	d := &varDecl{pos: at, multi: true}
	p.parens(func() {
		for {
			var t typeRef
			if p.peek(1).kind == tokName {
				t, _ = p.tryType()
			}
			n, _ := p.ident()
			d.names, d.types = append(d.names, n), append(d.types, t)
			if !p.accept(",") {
				return
			}
		}
	})
	p.expect("=")
	d.inits = []expr{p.expression()}
	return d
}

// method reads name(params) { body }, or nothing.
func (p *parser) method(at pos, t typeRef) expr {
	mark := p.at
	m := &methodDecl{pos: at, class: t, name: p.tok().text}
	p.at++
	ok := p.tryParams(&m.params)
	if ok && p.acceptWord("throws") {
		for p.tryQualified(); p.accept(","); p.tryQualified() {
		}
	}
	if !ok || !p.is("{") {
		p.at = mark
		return nil
	}
	m.body = p.block()
	return m
}

func (p *parser) tryQualified() { p.qualified() }

// tryParams reads (int a, b = 2, Object... rest), or nothing.
func (p *parser) tryParams(out *[]param) bool {
	mark := p.at
	p.expect("(")
	p.flat++
	defer func() { p.flat-- }()
	if p.accept(")") {
		return true
	}
	list, ok := p.paramList()
	if !ok || !p.accept(")") {
		p.at = mark
		return false
	}
	*out = list
	return true
}

func (p *parser) paramList() ([]param, bool) {
	var list []param
	for {
		var q param
		p.modifiers()
		if !(p.tok().kind == tokName && (p.peek(1).op(",") || p.peek(1).op(")") || p.peek(1).op("->") || p.peek(1).op("="))) || primitiveNames[p.tok().text] {
			t, ok := p.tryType()
			if !ok {
				return nil, false
			}
			q.class = t
		}
		if p.accept("...") {
			q.varargs = true
		}
		if p.tok().kind != tokName || p.reserved(p.tok().text) {
			return nil, false
		}
		q.name = p.tok().text
		p.at++
		for p.java && p.is("[") && p.peek(1).op("]") {
			p.at += 2
			q.class.dims++
		}
		if p.accept("=") {
			q.init = p.expression()
		}
		list = append(list, q)
		if !p.accept(",") {
			if n := len(list) - 1; list[n].class.dims > 0 && !p.java {
				list[n].varargs = list[n].varargs || false
			}
			return list, true
		}
	}
}
