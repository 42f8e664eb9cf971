package css

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gojm/gojm/engine/query/regex"
)

// pseudo reads what follows a colon.
func (p *parser) pseudo() (matcher, error) {
	name := p.identifier("-_")
	switch name {
	case "lt", "gt", "eq":
		n, err := p.index()
		if err != nil {
			return nil, err
		}
		return sibling{name, n}, nil
	case "has", "not", "is":
		return p.nested(name)
	case "contains", "containsOwn", "containsWholeText", "containsWholeOwnText", "containsData":
		return p.contains(name)
	case "matches", "matchesOwn", "matchesWholeText", "matchesWholeOwnText":
		return p.matches(name)
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		return p.nth(strings.Contains(name, "last"), strings.HasSuffix(name, "type"))
	case "first-child":
		return nth{0, 1, false, false}, nil
	case "last-child":
		return nth{0, 1, true, false}, nil
	case "first-of-type":
		return nth{0, 1, false, true}, nil
	case "last-of-type":
		return nth{0, 1, true, true}, nil
	case "only-child":
		return all{nth{0, 1, false, false}, nth{0, 1, true, false}}, nil
	case "only-of-type":
		return all{nth{0, 1, false, true}, nth{0, 1, true, true}}, nil
	case "empty":
		return isEmpty{}, nil
	case "root":
		return isTop{}, nil
	}
	return nil, fmt.Errorf("Could not parse query '%s': unexpected token at '%s'", p.query, p.rest)
}

func (p *parser) index() (int, error) {
	s, err := p.balanced('(', ')')
	if err != nil {
		return 0, err
	}
	s = strings.TrimFunc(s, isControlOrSpace)
	n, err := strconv.Atoi(s)
	if err != nil || s[0] == '+' || s[0] == '-' {
		return 0, fmt.Errorf("Index must be numeric")
	}
	return n, nil
}

func (p *parser) nested(name string) (matcher, error) {
	s, err := p.balanced('(', ')')
	if err != nil {
		return nil, err
	}
	if s == "" {
		return nil, fmt.Errorf(":%s(selector) sub-select must not be empty", name)
	}
	if s = strings.TrimFunc(s, isControlOrSpace); s == "" {
		return nil, fmt.Errorf("String must not be empty")
	}
	m, err := parse(s, p.depth+1)
	switch {
	case err != nil:
		return nil, err
	case name == "has":
		return has{m}, nil
	case name == "not":
		return not{m}, nil
	}
	return m, nil
}

func (p *parser) contains(name string) (matcher, error) {
	s, err := p.balanced('(', ')')
	if err != nil {
		return nil, err
	}
	if s = unescape(s); s == "" {
		return nil, fmt.Errorf(":%s(text) query must not be empty", name)
	}
	c := containing{part: strings.TrimPrefix(name, "contains"), text: s}
	switch c.part {
	case "", "Own":
		c.text = strings.ToLower(normalSpace(s))
	case "Data":
		c.text = strings.ToLower(s)
	}
	return c, nil
}

func (p *parser) matches(name string) (matcher, error) {
	s, err := p.balanced('(', ')')
	if err != nil {
		return nil, err
	}
	if s == "" {
		return nil, fmt.Errorf(":%s(regex) query must not be empty", name)
	}
	re, err := regex.Compile(s, regex.Java)
	if err != nil {
		return nil, err
	}
	return matching{strings.TrimPrefix(name, "matches"), re}, nil
}

// nth reads the an+b of a position.
func (p *parser) nth(last, ofType bool) (matcher, error) {
	s, err := p.balanced('(', ')')
	if err != nil {
		return nil, err
	}
	text := strings.ToLower(strings.TrimFunc(s, isControlOrSpace))
	a, b, ok := position(text)
	if !ok {
		return nil, fmt.Errorf("Could not parse nth-index '%s': unexpected format", text)
	}
	return nth{a, b, last, ofType}, nil
}

func position(s string) (a, b int, ok bool) {
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	before, after, hasN := strings.Cut(s, "n")
	if !hasN {
		b, ok = signed(s)
		return 0, b, ok
	}
	switch before {
	case "", "+", "-": // the library loses the sign
		a, ok = 1, true
	default:
		a, ok = signed(before)
	}
	if ok && after != "" {
		b, ok = signed(after)
	}
	return a, b, ok
}

// signed reads digits with a sign or none, no blanks.
func signed(s string) (int, bool) {
	if digits := strings.TrimLeft(s, "+-"); len(s)-len(digits) > 1 {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// unescape drops the backslash before any character.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			if i++; i == len(s) {
				break
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
