package regex

// class reads a class after its bracket; a part after && is read with consume
// false and leaves the closing bracket.
func (p *javaParser) class(consume bool) (ranges, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("Pattern too deeply nested", -1)
	}
	defer func() { p.depth-- }()
	negated := false
	if consume && p.peek() == '^' {
		p.at++
		negated = true
	}
	var set ranges
	started := false
	for {
		c := p.peek()
		switch {
		case c == eof:
			return nil, p.fail("Unclosed character class", len(p.src)-1)
		case c == '[':
			p.at++
			inner, err := p.class(true)
			if err != nil {
				return nil, err
			}
			set, started = set.union(inner), true
			continue
		case c == '&' && p.raw(1) == '&':
			p.at += 2
			right, ok, err := p.intersection()
			switch {
			case err != nil:
				return nil, err
			case !ok && !started:
				return nil, p.fail("Bad class syntax", p.at)
			case ok && started:
				set = set.intersect(right)
			case ok:
				set, started = right, true
			}
			continue
		case c == ']' && started:
			if consume {
				p.at++
			}
			if negated {
				set = set.negate()
			}
			return set, nil
		}
		item, err := p.classItem()
		if err != nil {
			return nil, err
		}
		set, started = set.union(item), true
	}
}

// intersection reads what follows &&, to the next && or the end of the class. As
// in Java, plain characters after a nested class replace it.
func (p *javaParser) intersection() (right ranges, ok bool, err error) {
	for {
		var part ranges
		switch c := p.peek(); c {
		case ']', '&':
			return right, ok, nil
		case '[':
			p.at++
			if part, err = p.class(true); err != nil {
				return nil, false, err
			}
			right = right.union(part)
		default:
			if right, err = p.class(false); err != nil {
				return nil, false, err
			}
		}
		ok = true
	}
}

func (p *javaParser) classItem() (ranges, error) {
	set, lo, err := p.classChar()
	if err != nil || set != nil {
		return set, err
	}
	if p.peek() != '-' {
		return p.folded(one(lo)), nil
	}
	if next := p.raw(1); next == '[' || next == ']' || next == eof {
		return p.folded(one(lo)), nil
	}
	p.at++
	set, hi, err := p.classChar()
	if err != nil {
		return nil, err
	}
	if set != nil || hi < lo {
		return nil, p.fail("Illegal character range", p.at-1)
	}
	return p.folded(ranges{lo, hi}), nil
}

func (p *javaParser) classChar() (set ranges, r rune, err error) {
	c := p.peek()
	if c == eof {
		return nil, 0, p.fail("Unclosed character class", len(p.src)-1)
	}
	p.at++
	if c == '\\' {
		return p.escaped()
	}
	return nil, c, nil
}
