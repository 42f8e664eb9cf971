package script

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gojm/gojm/engine/java"
)

// jexlParser reads JEXL 3.2, or with two set the smaller JEXL 2.1, into a tree.
type jexlParser struct {
	src   string
	at    int
	two   bool
	depth int
	loops int // open loops: break stands only in one
	tok   token
	prev  int // end of the token before
}

func parseJEXL(source, scriptName string, two bool) (list []expr, err error) {
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
	p := &jexlParser{src: source, two: two}
	p.next()
	for p.tok.kind != tokEnd {
		if s := p.statement(); s != nil {
			list = append(list, s)
		}
	}
	return list, nil
}

func (p *jexlParser) place(at int) pos {
	line := strings.Count(p.src[:at], "\n")
	return pos{line + 1, at - strings.LastIndexByte(p.src[:at], '\n')}
}

func (p *jexlParser) fail(at int, format string, args ...any) {
	w := p.place(at)
	panic(abort{&SyntaxError{Line: w.line, Column: w.col, Text: fmt.Sprintf(format, args...)}})
}

func (p *jexlParser) unexpected() {
	if p.tok.kind == tokEnd {
		p.fail(p.tok.start, "unexpected end of the expression")
	}
	p.fail(p.tok.start, "unexpected token: %s", p.src[p.tok.start:p.tok.end])
}

var jexlOperators = []string{
	"&&", "||", "==", "!=", "<=", ">=", "=~", "!~", "=^", "=$", "!^", "!$", "?:", "??", "?.", "->", "..", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
	"+", "-", "*", "/", "%", "=", "<", ">", "!", "~", "&", "|", "^", "?", ":", ";", ",", ".", "(", ")", "[", "]", "{", "}", "#", "@",
}

// jexlWords are operators and keywords written in letters.
var jexlWords = map[string]string{"and": "&&", "or": "||", "not": "!", "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "div": "/", "mod": "%"}

var jexlKeywords = map[string]bool{"if": true, "else": true, "for": true, "foreach": true, "while": true, "new": true, "var": true, "empty": true, "size": true,
	"null": true, "true": true, "false": true, "return": true}

func (p *jexlParser) keyword(s string) bool {
	return jexlKeywords[s] || !p.two && (s == "do" || s == "break" || s == "continue" || s == "function")
}

func (p *jexlParser) next() {
	p.prev = p.tok.end
	p.blank()
	p.tok = token{start: p.at, pos: p.place(p.at)}
	if p.at >= len(p.src) {
		p.tok.end = p.at
		return
	}
	rest := p.src[p.at:]
	c := rest[0]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case c == '_' || c == '$' || c == '@' && p.two || unicode.IsLetter(r):
		n := size
		for n < len(rest) {
			r, k := utf8.DecodeRuneInString(rest[n:])
			if r != '_' && r != '$' && r != '@' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			n += k
		}
		p.at += n
		p.tok.kind, p.tok.text = tokName, rest[:n]
		if op, ok := jexlWords[rest[:n]]; ok && !p.afterDot() {
			p.tok.kind, p.tok.text = tokOp, op
		}
	case isDigit(c):
		p.number(rest)
	case c == '"' || c == '\'':
		p.text(rest, c)
	case c == '`' && !p.two:
		p.template(rest)
	default:
		for _, op := range jexlOperators {
			if strings.HasPrefix(rest, op) && !(p.two && (len(op) == 2 && strings.Contains("=^ =$ !^ !$ ?? ?. -> .. += -= *= /= %= &= |= ^=", op))) {
				p.tok.kind, p.tok.text = tokOp, op
				p.at += len(op)
				p.tok.end = p.at
				return
			}
		}
		p.fail(p.at, "unexpected character '%c'", r)
	}
	p.tok.end = p.at
}

func (p *jexlParser) afterDot() bool {
	s := strings.TrimRight(p.src[:p.tok.start], " ")
	return strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..")
}

func (p *jexlParser) blank() {
	for p.at < len(p.src) {
		rest := p.src[p.at:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			p.at++
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "##"), !p.two && strings.HasPrefix(rest, "#pragma"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			p.at += n
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				p.fail(p.at, "a comment is not closed")
			}
			p.at += n + 4
		default:
			return
		}
	}
}

// number reads 1 1L 1H 0x1F 010 1.5 1.5f 1.5d 1.5B, and in JEXL 3 1e3.
func (p *jexlParser) number(s string) {
	i, base, float := 0, 10, false
	if strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X") {
		for base, i = 16, 2; i < len(s) && isHex(s[i]); i++ {
		}
	} else {
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
			float = true
			for i++; i < len(s) && isDigit(s[i]); i++ {
			}
		}
		if i < len(s) && s[i]|0x20 == 'e' && !p.two {
			j := i + 1
			if j < len(s) && (s[j] == '+' || s[j] == '-') {
				j++
			}
			if j < len(s) && isDigit(s[j]) {
				float = true
				for i = j; i < len(s) && isDigit(s[i]); i++ {
				}
			}
		}
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(s[:i], "0x"), "0X")
	suffix := byte(0)
	if i < len(s) && strings.IndexByte("lLhHbBfFdD", s[i]) >= 0 && base == 10 && (float || !p.two) || i < len(s) && strings.IndexByte("lLhH", s[i]) >= 0 {
		suffix = s[i] | 0x20
		i++
	}
	if base == 10 && !float && len(digits) > 1 && digits[0] == '0' {
		base = 8
	}
	v, ok := jexlNumber(digits, base, float, suffix, p.two)
	if !ok {
		p.fail(p.at, "%s is not a number", s[:i])
	}
	p.at += i
	p.tok.kind, p.tok.value = tokNumber, v
}

func jexlNumber(digits string, base int, float bool, suffix byte, two bool) (Value, bool) {
	if float || suffix == 'b' || suffix == 'f' || suffix == 'd' {
		switch {
		case suffix == 'b':
			d, err := java.ParseDecimal(digits)
			return d, err == nil
		case suffix == 'f', two && suffix == 0:
			f, err := strconv.ParseFloat(digits, 32)
			return float32(f), err == nil
		}
		f, err := strconv.ParseFloat(digits, 64)
		return f, err == nil
	}
	n, ok := parseBig(digits, base)
	switch {
	case !ok:
		return nil, false
	case suffix == 'h':
		return n, true
	case suffix == 'l':
		return n.Int64(), n.IsInt64()
	case n.IsInt64() && n.Int64() == int64(int32(n.Int64())):
		return int32(n.Int64()), true
	case n.IsInt64():
		return n.Int64(), true
	}
	return n, true
}

// text reads a string: the quote, the backslash and \uXXXX are escaped, in JEXL 3 also control
// characters; before any other character a backslash stays.
func (p *jexlParser) text(s string, quote byte) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		c := s[i]
		switch {
		case c == quote:
			p.at += i + 1
			p.tok.kind, p.tok.value = tokString, b.String()
			return
		case c == '\n' || c == '\r':
			p.fail(p.at, "a text is not closed at the end of the line")
		case c == '\\' && i+1 < len(s):
			i++
			switch e := s[i]; {
			case e == quote || e == '\\':
				b.WriteByte(e)
			case e == 'u' && i+4 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) && isHex(s[i+3]) && isHex(s[i+4]):
				v, _ := strconv.ParseUint(s[i+1:i+5], 16, 32)
				b.WriteRune(rune(v))
				i += 4
			case !p.two && strings.IndexByte("btnfr", e) >= 0:
				b.WriteByte("\b\t\n\f\r"[strings.IndexByte("btnfr", e)])
			default:
				b.WriteByte('\\')
				b.WriteByte(e)
			}
		default:
			b.WriteByte(c)
		}
	}
	p.fail(p.at, "a text is not closed")
}

// template reads `text ${expression}`.
func (p *jexlParser) template(s string) {
	end := strings.IndexByte(s[1:], '`')
	if end < 0 {
		p.fail(p.at, "a text is not closed")
	}
	body := s[1 : 1+end]
	var parts []part
	for {
		i := strings.Index(body, "${")
		if i < 0 {
			break
		}
		n := closing(body[i+1:])
		if n < 0 {
			p.fail(p.at, "${ is not closed")
		}
		parts = append(parts, part{text: body[:i]}, part{code: body[i+2 : i+1+n], is: true})
		body = body[i+n+2:]
	}
	p.tok.kind, p.tok.parts = tokGString, append(parts, part{text: body})
	p.at += end + 2
}

func (p *jexlParser) is(op string) bool { return p.tok.op(op) }

func (p *jexlParser) accept(op string) bool {
	if p.is(op) {
		p.next()
		return true
	}
	return false
}

func (p *jexlParser) expect(op string) {
	if !p.accept(op) {
		p.unexpected()
	}
}

func (p *jexlParser) enter() {
	if p.depth++; p.depth > maxNesting {
		p.fail(p.tok.start, "the expression is nested too deeply")
	}
}

// statement reads one statement; nil is an empty one.
func (p *jexlParser) statement() expr {
	p.enter()
	defer func() { p.depth-- }()
	at := p.tok.pos
	if p.accept(";") {
		return nil
	}
	if p.is("{") {
		if b := p.block(); b != nil {
			return b
		}
	}
	if p.tok.kind == tokName {
		switch p.tok.text {
		case "if":
			p.next()
			p.expect("(")
			s := &ifStmt{pos: at, cond: p.expression()}
			p.expect(")")
			s.yes = p.body()
			if p.tok.word("else") {
				p.next()
				s.no = p.body()
			}
			return s
		case "while":
			p.next()
			p.expect("(")
			cond := p.expression()
			p.expect(")")
			return &whileStmt{pos: at, cond: cond, body: p.loopBody()}
		case "do":
			if !p.two {
				p.next()
				body := p.loopBody()
				if !p.tok.word("while") {
					p.unexpected()
				}
				p.next()
				p.expect("(")
				cond := p.expression()
				p.expect(")")
				p.accept(";")
				return &whileStmt{pos: at, cond: cond, body: body, after: true}
			}
		case "for", "foreach":
			return p.forEach()
		case "var":
			p.next()
			n := p.ident()
			d := &varDecl{pos: at, names: []string{n}, inits: []expr{nil}}
			if p.accept("=") {
				d.inits[0] = p.expression()
			}
			p.end()
			return &jexlVar{d}
		case "return":
			p.next()
			r := &returnStmt{pos: at}
			if !p.is(";") && p.tok.kind != tokEnd && !p.is("}") {
				r.x = p.expression()
			}
			p.end()
			return r
		case "break", "continue":
			if !p.two {
				if p.loops == 0 {
					p.unexpected()
				}
				j := &jump{pos: at, cont: p.tok.text == "continue"}
				p.next()
				p.end()
				return j
			}
		}
	}
	x := p.expression()
	p.end()
	return x
}

// end wants the end of a statement.
func (p *jexlParser) end() {
	if p.accept(";") || p.tok.kind == tokEnd || p.is("}") || p.tok.word("else") {
		return
	}
	p.fail(p.tok.start, "ambiguous statement, missing ';' between expressions")
}

// jexlVar is var x = 1, which is also a value.
type jexlVar struct{ *varDecl }

func (p *jexlParser) body() expr {
	if s := p.statement(); s != nil {
		return s
	}
	return &block{pos: p.tok.pos}
}

// block reads { statements }, or nothing where a literal stands.
func (p *jexlParser) block() expr {
	if p.literalAhead() {
		return nil
	}
	b := &block{pos: p.tok.pos}
	p.expect("{")
	for !p.is("}") {
		if p.tok.kind == tokEnd {
			p.unexpected()
		}
		if s := p.statement(); s != nil {
			b.list = append(b.list, s)
		}
	}
	p.next()
	return b
}

// literalAhead tells a map or set from a block by what follows its first element.
func (p *jexlParser) literalAhead() (is bool) {
	save := *p
	defer func() {
		if a, ok := recover().(abort); ok {
			_ = a
			is = false
		}
		*p = save
	}()
	p.next()
	if p.is(":") {
		return true
	}
	if p.is("}") {
		return false
	}
	p.enter()
	p.conditional()
	return p.is(":") || p.is(",") && !p.two
}

func (p *jexlParser) forEach() expr {
	at, word := p.tok.pos, p.tok.text
	p.next()
	p.expect("(")
	if p.tok.word("var") {
		p.next()
	}
	s := &forIn{pos: at, name: p.ident()}
	if word == "foreach" && p.two && p.tok.word("in") {
		p.next()
	} else {
		p.expect(":")
	}
	s.in = p.expression()
	p.expect(")")
	s.body = p.loopBody()
	return s
}

func (p *jexlParser) loopBody() expr {
	p.loops++
	defer func() { p.loops-- }()
	return p.body()
}

func (p *jexlParser) ident() string {
	if p.tok.kind != tokName || p.keyword(p.tok.text) {
		p.unexpected()
	}
	n := p.tok.text
	p.next()
	return n
}

func (p *jexlParser) expression() expr {
	p.enter()
	defer func() { p.depth-- }()
	x := p.conditional()
	at := p.tok.pos
	if p.tok.kind == tokOp {
		switch op := p.tok.text; op {
		case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=":
			switch x.(type) {
			case *name, *property, *index:
			default:
				p.unexpected()
			}
			p.next()
			return &assign{pos: at, op: op[:len(op)-1], target: x, value: p.expression()}
		}
	}
	return x
}

func (p *jexlParser) conditional() expr {
	x := p.binary(0)
	at := p.tok.pos
	switch {
	case p.accept("?"):
		p.enter()
		yes := p.conditional()
		p.expect(":")
		no := p.conditional()
		p.depth--
		return &ternary{pos: at, cond: x, yes: yes, no: no}
	case p.accept("?:"):
		p.enter()
		defer func() { p.depth-- }()
		return &ternary{pos: at, cond: x, no: p.conditional()}
	case p.accept("??"):
		p.enter()
		defer func() { p.depth-- }()
		return &ternary{pos: at, cond: x, no: p.conditional(), null: true}
	}
	return x
}

// jexlLevels are the binary operators from the weakest; those of a single level do not chain.
var jexlLevels = []struct {
	ops    string
	single bool
}{
	{" || ", false}, {" && ", false}, {" | ", false}, {" ^ ", false}, {" & ", false}, {" == != .. ", true},
	{" < > <= >= =~ !~ =^ =$ !^ !$ ", true}, {" + - ", false}, {" * / % ", false},
}

func (p *jexlParser) binary(level int) expr {
	if level == len(jexlLevels) {
		return p.unary()
	}
	x := p.binary(level + 1)
	for p.tok.kind == tokOp && strings.Contains(jexlLevels[level].ops, " "+p.tok.text+" ") {
		at, op := p.tok.pos, p.tok.text
		p.next()
		y := p.binary(level + 1)
		switch op {
		case "||", "&&":
			x = &logic{pos: at, and: op == "&&", x: x, y: y}
		case "..":
			x = &rangeLit{pos: at, from: x, to: y}
		default:
			x = &binary{pos: at, op: op, x: x, y: y}
		}
		if jexlLevels[level].single {
			break
		}
	}
	return x
}

func (p *jexlParser) unary() expr {
	p.enter()
	defer func() { p.depth-- }()
	at := p.tok.pos
	if p.tok.kind == tokOp {
		switch op := p.tok.text; op {
		case "-", "~", "!":
			p.next()
			return &unary{pos: at, op: op, x: p.unary()}
		case "+":
			if !p.two {
				p.next()
				return &unary{pos: at, op: op, x: p.unary()}
			}
		}
	}
	if p.tok.kind == tokName && (p.tok.text == "empty" || p.tok.text == "size") {
		op := p.tok.text
		p.next()
		if p.tok.kind == tokEnd || p.is(";") {
			p.unexpected()
		}
		return &unary{pos: at, op: op, x: p.unary()}
	}
	return p.postfix(p.primary())
}

func (p *jexlParser) primary() expr {
	t := p.tok
	switch t.kind {
	case tokNumber, tokString:
		p.next()
		return &literal{t.pos, t.value}
	case tokGString:
		p.next()
		g := &gstring{pos: t.pos}
		for _, s := range t.parts {
			if !s.is {
				g.parts = append(g.parts, &literal{t.pos, s.text})
				continue
			}
			inner := &jexlParser{src: s.code, depth: p.depth + 1}
			inner.next()
			g.parts = append(g.parts, inner.expression())
			if inner.tok.kind != tokEnd {
				p.fail(t.start, "unexpected text in ${%s}", s.code)
			}
		}
		return g
	case tokName:
		switch t.text {
		case "null", "true", "false":
			p.next()
			return &literal{t.pos, map[string]Value{"null": nil, "true": true, "false": false}[t.text]}
		case "new":
			return p.newObject()
		case "function":
			if !p.two {
				p.fail(t.start, "functions are not supported")
			}
		}
		n := p.ident()
		if p.is("(") {
			p.next()
			return &call{pos: t.pos, name: n, args: p.arguments(")")}
		}
		return &name{t.pos, n}
	case tokOp:
		switch t.text {
		case "(":
			p.next()
			x := p.expression()
			p.expect(")")
			if p.is("->") {
				p.fail(p.tok.start, "functions are not supported")
			}
			return x
		case "[":
			p.next()
			return &listLit{pos: t.pos, items: p.arguments("]"), array: true}
		case "{":
			return p.braces()
		case "@":
			p.next() // an annotation: @silent expression
			p.ident()
			return p.unary()
		}
	}
	p.unexpected()
	return nil
}

func (p *jexlParser) arguments(end string) []expr {
	var list []expr
	for !p.is(end) {
		list = append(list, p.expression())
		if !p.accept(",") {
			break
		}
	}
	p.expect(end)
	return list
}

func (p *jexlParser) newObject() expr {
	at := p.tok.pos
	p.next()
	p.expect("(")
	args := p.arguments(")")
	if len(args) == 0 {
		p.unexpected()
	}
	l, ok := args[0].(*literal)
	class, isText := "", false
	if ok {
		class, isText = l.v.(string)
	}
	if !isText {
		p.fail(p.prev, "new needs the name of a class")
	}
	return &newObject{pos: at, class: typeRef{pos: at, name: class}, args: args[1:]}
}

// braces reads {} {:} {1, 2} {"a": 1}.
func (p *jexlParser) braces() expr {
	at := p.tok.pos
	p.expect("{")
	if !p.two && p.accept("}") {
		return &setLit{pos: at}
	}
	m := &mapLit{pos: at}
	if p.accept(":") {
		p.expect("}")
		return m
	}
	s := &setLit{pos: at}
	for {
		x := p.conditional()
		if p.accept(":") {
			if s.items != nil {
				p.unexpected()
			}
			m.keys, m.values = append(m.keys, x), append(m.values, p.expression())
		} else {
			if m.keys != nil || p.two {
				p.unexpected()
			}
			s.items = append(s.items, x)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	if m.keys != nil {
		return m
	}
	return s
}

func (p *jexlParser) postfix(x expr) expr {
	for {
		at := p.tok.pos
		switch {
		case p.is(".") || p.is("?."):
			if l, ok := x.(*literal); ok && p.two && isNumber(l.v) && isDigit(p.src[p.prev-1]) {
				p.unexpected()
			}
			p.next()
			t := p.tok
			switch {
			case t.kind == tokName:
				p.next()
				if p.two && p.keyword(t.text) && !p.is("(") {
					p.unexpected()
				}
				if p.is("(") {
					p.next()
					x = &call{pos: t.pos, obj: x, name: t.text, args: p.arguments(")")}
				} else {
					x = &property{pos: t.pos, obj: x, name: t.text}
				}
			case t.kind == tokNumber:
				p.next()
				x = &index{pos: t.pos, obj: x, args: []expr{&literal{t.pos, t.value}}}
			case t.kind == tokString:
				p.next()
				x = &property{pos: t.pos, obj: x, name: t.value.(string)}
			default:
				p.unexpected()
			}
		case p.is("["):
			if _, isCall := x.(*call); p.two && (isCall || isLiteral(x)) {
				p.unexpected()
			}
			p.next()
			x = &index{pos: at, obj: x, args: []expr{p.expression()}}
			p.expect("]")
		case p.is("(") && !p.two:
			if _, ok := x.(*name); ok {
				return x
			}
			p.unexpected()
		default:
			return x
		}
		p.enter()
		p.depth--
	}
}

func isLiteral(x expr) bool {
	switch x.(type) {
	case *literal, *listLit:
		return true
	}
	return false
}
