package jsonpath

import (
	"strings"

	"github.com/gojm/gojm/engine/query/json"
	"github.com/gojm/gojm/engine/query/regex"
)

// An expression is a node of a filter: a comparison, or one of !, && and ||.
type expression struct {
	op          string // "!", "&&", "||", or "" for a comparison
	compare     operator
	left, right operand
	parts       []*expression
}

// A context is what a filter is applied to.
type context struct {
	item *json.Value
	run  *run
}

func (e *expression) holds(c *context) (bool, error) {
	switch e.op {
	case "!":
		ok, err := e.parts[0].holds(c)
		return !ok, err
	case "&&", "||":
		for _, p := range e.parts {
			if ok, err := p.holds(c); err != nil || ok == (e.op == "||") {
				return ok, err
			}
		}
		return e.op == "&&", nil
	}
	left, err := e.left.resolve(c)
	if err != nil {
		return false, err
	}
	right, err := e.right.resolve(c)
	if err != nil {
		return false, err
	}
	return e.compare(left, right)
}

type filterCompiler struct {
	*cursor
	depth int
}

// compileFilter reads [?( ... )].
func compileFilter(text string, depth int) (*expression, error) {
	c := newCursor(text)
	c.at, c.last = 1, c.last-1
	c.trim()
	c.at++ // the question mark
	c.trim()
	if !c.is('(') || !c.lastIs(')') {
		return nil, invalid("Filter must start with '[?(' and end with ')]'. %s", text)
	}
	p := &filterCompiler{c, depth}
	e, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.skipBlanks(); p.inBounds() {
		return nil, invalid("Expected end of filter expression instead of: %s", p.sub(p.at, p.length()))
	}
	return e, nil
}

// broken is what the library says when its parser trips over its own feet.
func (p *filterCompiler) broken() error {
	return &Error{InvalidPath, "Failed to parse filter: " + string(p.text) + ", error on position: " + itoa(p.at) + ", char: " + string(p.current())}
}

func (p *filterCompiler) or() (*expression, error) { return p.chain("||", p.and) }

func (p *filterCompiler) and() (*expression, error) { return p.chain("&&", p.not) }

func (p *filterCompiler) chain(op string, part func() (*expression, error)) (*expression, error) {
	e, err := part()
	if err != nil {
		return nil, err
	}
	parts := []*expression{e}
	for {
		at := p.at
		if !p.accept(op) {
			p.at = at
			break
		}
		if e, err = part(); err != nil {
			return nil, err
		}
		parts = append(parts, e)
	}
	if len(parts) == 1 {
		return e, nil
	}
	return &expression{op: op, parts: parts}, nil
}

func (p *filterCompiler) not() (*expression, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, invalid("Filter is nested too deeply")
	}
	defer func() { p.depth-- }()
	at := p.skipBlanks().at
	if p.is('!') {
		p.at++
		if c := p.skipBlanks().current(); c != '@' && c != '$' {
			e, err := p.not()
			if err != nil {
				return nil, err
			}
			return &expression{op: "!", parts: []*expression{e}}, nil
		}
		p.at = at // a path that must not be there
	}
	if p.skipBlanks().is('(') {
		p.at++
		e, err := p.or()
		if err != nil {
			return nil, err
		}
		return e, p.expect(')')
	}
	return p.comparison()
}

func (p *filterCompiler) comparison() (*expression, error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	at := p.at
	e, err := p.operatorAndRight(left)
	if !isInvalid(err) || strings.HasPrefix(err.Error(), "Failed to parse filter") {
		return e, err
	}
	p.at = at
	if left.kind != pathOperand {
		return nil, invalid("Expected path node")
	}
	left.exists = true
	want := operand{kind: valueOperand, value: json.NewBool(!left.absent)}
	return &expression{compare: existence, left: left, right: want}, nil
}

func (p *filterCompiler) operatorAndRight(left operand) (*expression, error) {
	start := p.skipBlanks().at
	if isOperatorChar(p.current()) {
		for p.inBounds() && isOperatorChar(p.current()) {
			p.at++
		}
	} else {
		for p.inBounds() && !p.is(' ') {
			p.at++
		}
	}
	name := p.sub(start, p.at)
	compare := operatorNamed(strings.ToUpper(name))
	if compare == nil {
		return nil, invalid("Filter operator %s is not supported!", name)
	}
	right, err := p.operand()
	if err != nil {
		return nil, err
	}
	return &expression{compare: compare, left: left, right: right}, nil
}

func isOperatorChar(c rune) bool {
	switch c {
	case '<', '>', '=', '~', '!':
		return true
	}
	return false
}

func (p *filterCompiler) operand() (operand, error) {
	switch p.skipBlanks().current() {
	case '$', '@':
		return p.pathOperand()
	case '!':
		p.at++
		if c := p.skipBlanks().current(); c != '@' && c != '$' {
			return operand{}, invalid("Unexpected character: !")
		}
		return p.pathOperand()
	case '"', '\'':
		return p.quoted()
	case 't', 'f':
		for _, word := range []string{"true", "false"} {
			if p.current() == rune(word[0]) && p.has(p.at+len(word)-1) && p.sub(p.at, p.at+len(word)) == word {
				p.at += len(word)
				return operand{kind: valueOperand, value: json.NewBool(word == "true")}, nil
			}
		}
		return operand{}, invalid("Expected boolean literal")
	case 'n':
		if p.has(p.at+3) && p.sub(p.at, p.at+4) == "null" {
			p.at += 4
			return operand{kind: valueOperand, value: json.NewNull()}, nil
		}
		return operand{}, invalid("Expected <null> value")
	case '[':
		return p.literal('[', ']')
	case '{':
		return p.literal('{', '}')
	case '/':
		return p.pattern()
	}
	return p.number()
}

func (p *filterCompiler) quoted() (operand, error) {
	quote := p.current()
	end := p.unescaped(p.at, quote)
	if end < 0 {
		return operand{}, invalid("String literal does not have matching quotes. Expected %c in %s", quote, string(p.text))
	}
	text := unescape(p.sub(p.at+1, end))
	p.at = end + 1
	return operand{kind: valueOperand, value: json.NewString(text)}, nil
}

func (p *filterCompiler) literal(open, close rune) (operand, error) {
	end, err := p.closing(p.at, open, close, false)
	if err != nil {
		return operand{}, err
	}
	if end < 0 {
		return operand{}, invalid("String not closed. Expected ' in %s", string(p.text))
	}
	v, err := json.ParseLenient([]byte(p.sub(p.at, end+1)))
	if err != nil {
		return operand{}, &Error{InvalidJSON, err.Error()}
	}
	p.at = end + 1
	return operand{kind: literalOperand, value: v}, nil
}

func (p *filterCompiler) number() (operand, error) {
	start := p.at
	for p.inBounds() && strings.ContainsRune("0123456789-.eE", p.current()) {
		p.at++
	}
	text := p.sub(start, p.at)
	if json.ParseRat(text) == nil {
		return operand{}, p.broken()
	}
	return operand{kind: valueOperand, value: json.NewDecimal(text)}, nil
}

func (p *filterCompiler) pattern() (operand, error) {
	start := p.at
	end := p.unescaped(p.at, '/')
	if end < 0 {
		return operand{}, invalid("Pattern not closed. Expected / in %s", string(p.text))
	}
	flags := end + 1
	for p.has(flags) && strings.ContainsRune("dixmsuU", p.charAt(flags)) {
		flags++
	}
	p.at = flags
	source := p.sub(start+1, end)
	if flags > end+1 {
		source = "(?" + p.sub(end+1, flags) + ")" + source
	}
	re, err := regex.Compile(source, regex.Java)
	if err != nil {
		return operand{}, p.broken()
	}
	return operand{kind: patternOperand, pattern: re}, nil
}

func (p *filterCompiler) pathOperand() (operand, error) {
	before := p.significantBefore(p.at)
	absent := before >= 0 && p.charAt(before) == '!'
	start := p.at
	p.at++
	for p.inBounds() {
		if p.is('[') {
			end, err := p.closing(p.at, '[', ']', false)
			if err != nil {
				return operand{}, err
			}
			if end < 0 {
				return operand{}, invalid("Square brackets does not match in filter %s", string(p.text))
			}
			p.at = end + 1
		}
		if !p.inBounds() || isOperatorChar(p.current()) || p.is(' ') || p.is(')') && !p.closesCall(start) {
			break
		}
		p.at++
	}
	path, err := compilePath(p.sub(start, p.at), p.depth+1)
	if err != nil {
		return operand{}, err
	}
	return operand{kind: pathOperand, path: path, absent: absent}, nil
}

// closesCall reports whether the parenthesis here belongs to a function without
// arguments in a path that began at start.
func (p *filterCompiler) closesCall(start int) bool {
	i := p.significantBefore(p.at)
	if i < 0 || p.charAt(i) != '(' {
		return false
	}
	for i--; p.has(i) && i > start; i-- {
		if p.charAt(i) == '.' {
			return true
		}
	}
	return false
}
