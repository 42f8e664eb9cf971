// Package css selects elements of HTML pages as jsoup 1.17.1 does, the library
// under JMeter's CSS Selector Extractor. Its selectors are CSS's and some of jQuery's,
// read by rules of its own; where they differ from CSS this package follows the
// library.
package css

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Selector is a compiled query. It is immutable and safe for concurrent use.
type Selector struct {
	text string
	test matcher
}

// String returns the query as it was given.
func (s *Selector) String() string { return s.text }

// Compile reads a query; the error has the library's words.
func Compile(query string) (*Selector, error) {
	query = strings.TrimFunc(query, isControlOrSpace)
	if query == "" {
		return nil, fmt.Errorf("String must not be empty")
	}
	m, err := parse(query, 0)
	if err != nil {
		return nil, err
	}
	return &Selector{query, m}, nil
}

// isControlOrSpace is what Java's String.trim removes.
func isControlOrSpace(r rune) bool { return r <= ' ' }

// maxDepth bounds selectors inside selectors.
const maxDepth = 100

type parser struct {
	query string
	queue
	parts []matcher // that an element must meet, all of them
	depth int
}

func parse(query string, depth int) (matcher, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("Could not parse query '%.50s': nested too deeply", query)
	}
	p := &parser{query: query, queue: queue{query}, depth: depth}
	p.skipSpace()
	if p.atCombinator() {
		p.parts = append(p.parts, isRoot{})
		if err := p.combine(p.take()); err != nil {
			return nil, err
		}
	} else if err := p.simple(); err != nil {
		return nil, err
	}
	for p.rest != "" {
		space := p.skipSpace()
		var err error
		switch {
		case p.atCombinator():
			err = p.combine(p.take())
		case space:
			err = p.combine(' ')
		default:
			err = p.simple()
		}
		if err != nil {
			return nil, err
		}
	}
	return p.whole(), nil
}

// whole is what was read so far as one test.
func (p *parser) whole() matcher {
	if len(p.parts) == 1 {
		return p.parts[0]
	}
	return all(p.parts)
}

// combine reads the selector behind a combinator and joins it with what stands
// before. A comma binds loosest.
func (p *parser) combine(sign byte) error {
	p.skipSpace()
	sub, err := p.subQuery()
	if err != nil {
		return err
	}
	next, err := parse(sub, p.depth+1)
	if err != nil {
		return err
	}
	whole := p.whole()
	left := whole
	or, isOr := whole.(*either)
	if isOr && sign != ',' {
		left = or.list[len(or.list)-1]
	}
	switch sign {
	case '>':
		left = all{parent{left}, next}
	case ' ':
		left = all{ancestor{left}, next}
	case '+':
		left = all{previous{left}, next}
	case '~':
		left = all{earlier{left}, next}
	default:
		if !isOr {
			or = &either{list: []matcher{whole}}
		}
		or.list = append(or.list, next)
		p.parts = []matcher{or}
		return nil
	}
	if isOr {
		or.list[len(or.list)-1] = left
		left = or
	}
	p.parts = []matcher{left}
	return nil
}

// subQuery takes the text up to the next combinator. As in the library, brackets at
// its front do not keep a combinator behind them out: what follows a > [b], c is one.
func (p *parser) subQuery() (string, error) {
	var b strings.Builder
	seen := false
	for p.rest != "" {
		switch {
		case p.rest[0] == '(':
			s, err := p.balanced('(', ')')
			if err != nil {
				return "", err
			}
			b.WriteString("(" + s + ")")
		case p.rest[0] == '[':
			s, err := p.balanced('[', ']')
			if err != nil {
				return "", err
			}
			b.WriteString("[" + s + "]")
		case p.rest[0] == '\\':
			b.WriteByte(p.take())
			if p.rest != "" {
				b.WriteString(p.takeRune())
			}
		case p.atCombinator():
			if seen {
				return b.String(), nil
			}
			b.WriteByte(p.take())
			continue
		default:
			b.WriteString(p.takeRune())
			seen = true
		}
	}
	return b.String(), nil
}

// simple reads one condition.
func (p *parser) simple() error {
	var m matcher
	var err error
	switch r, _ := utf8.DecodeRuneInString(p.rest); {
	case p.chomp("#"):
		id := p.identifier("-_")
		if id == "" {
			return fmt.Errorf("String must not be empty")
		}
		m = hasID(id)
	case p.chomp("."):
		class := p.identifier("-_")
		if class == "" {
			return fmt.Errorf("String must not be empty")
		}
		m = hasClass(strings.TrimSpace(class))
	case isWord(r) || strings.HasPrefix(p.rest, "*|"):
		m, err = p.tag()
	case r == '[':
		m, err = p.attribute()
	case p.chomp("*"):
		m = anything{}
	case p.chomp(":"):
		m, err = p.pseudo()
	default:
		err = fmt.Errorf("Could not parse query '%s': unexpected token at '%s'", p.query, p.rest)
	}
	if err == nil {
		p.parts = append(p.parts, m)
	}
	return err
}

func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// tag reads the name of an element; ns|name is the element ns:name, *|name one in
// any namespace or none.
func (p *parser) tag() (matcher, error) {
	name := ""
	for p.rest != "" {
		if strings.HasPrefix(p.rest, "*|") {
			name += "*|"
			p.rest = p.rest[2:]
			continue
		}
		s := p.identifier("|_-")
		if s == "" {
			break
		}
		name += s
	}
	name = strings.ToLower(strings.TrimSpace(name))
	if plain, ok := strings.CutPrefix(name, "*|"); ok {
		return &either{list: []matcher{hasTag(plain), tagEnds(":" + plain)}}, nil
	}
	return hasTag(strings.ReplaceAll(name, "|", ":")), nil
}

// operators of attributes, in the order in which they are looked for.
var operators = []string{"=", "!=", "^=", "$=", "*=", "~="}

func (p *parser) attribute() (matcher, error) {
	inside, err := p.balanced('[', ']')
	if err != nil {
		return nil, err
	}
	q := queue{inside}
	key := q.upTo(operators)
	if key == "" {
		return nil, fmt.Errorf("String must not be empty")
	}
	q.skipSpace()
	if q.rest == "" {
		if prefix, ok := strings.CutPrefix(key, "^"); ok {
			return attrPrefix(strings.ToLower(prefix)), nil
		}
		return hasAttr(strings.ToLower(strings.TrimSpace(key))), nil
	}
	for _, op := range operators {
		if !q.chomp(op) {
			continue
		}
		return newAttrTest(strings.ToLower(strings.TrimSpace(key)), op, q.rest)
	}
	return nil, fmt.Errorf("Could not parse attribute query '%s': unexpected token at '%s'", p.query, q.rest)
}
