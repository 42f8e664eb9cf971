package regex

import "unicode"

// escape reads an escape outside a class.
func (p *javaParser) escape() (*node, error) {
	c := p.raw(1)
	switch c {
	case 'A':
		p.at += 2
		return assertNode(atBegin), nil
	case 'B':
		p.at += 2
		return assertNode(atNoWordBoundary), nil
	case 'b':
		p.at += 2
		return assertNode(atWordBoundary), nil
	case 'G':
		p.at += 2
		return assertNode(atLastMatch), nil
	case 'Z':
		p.at += 2
		return assertNode(p.lines(atLastLine, atJavaLastLine)), nil
	case 'z':
		p.at += 2
		return assertNode(atEnd), nil
	case 'R':
		p.at += 2
		return alt([]*node{cat([]*node{char('\r'), char('\n')}), chars(verticalSpace)}), nil
	case 'X':
		p.at += 2
		marks := &node{kind: kRepeat, subs: []*node{chars(fromTables(unicode.M))}, max: inf, greed: possessive}
		return alt([]*node{cat([]*node{char('\r'), char('\n')}), cat([]*node{chars(anyChar), marks})}), nil
	case 'k':
		p.at += 2
		if !p.accept("<") {
			return nil, p.fail("\\k is not followed by '<' for named capturing group", p.at)
		}
		name, err := p.groupName()
		if err != nil {
			return nil, err
		}
		n, ok := p.names[name]
		if !ok {
			return nil, p.fail("named capturing group <"+name+"> does not exist", p.at-1)
		}
		return p.reference(n), nil
	}
	if c >= '1' && c <= '9' {
		p.at += 2
		n := int(c - '0')
		for d := p.raw(0); d >= '0' && d <= '9' && n*10+int(d-'0') <= p.groups; d = p.raw(0) {
			n = n*10 + int(d-'0')
			p.at++
		}
		return p.reference(n), nil
	}
	p.at++
	set, r, err := p.escaped()
	if err != nil {
		return nil, err
	}
	if set == nil {
		set = p.folded(one(r))
	}
	return chars(set), nil
}

func (p *javaParser) reference(n int) *node {
	if n > p.groups {
		return chars(nil)
	}
	return &node{kind: kBackref, n: n, fold: p.flags.fold}
}

// escaped reads what may stand after a backslash inside a class as well as
// outside: a class, or one character when set is nil.
func (p *javaParser) escaped() (set ranges, r rune, err error) {
	c := p.raw(0)
	p.at++
	switch c {
	case 'd':
		return p.byFlag(asciiDigit, digits), 0, nil
	case 'D':
		return p.byFlag(asciiDigit, digits).negate(), 0, nil
	case 'w':
		return p.byFlag(asciiWord, unicodeWord), 0, nil
	case 'W':
		return p.byFlag(asciiWord, unicodeWord).negate(), 0, nil
	case 's':
		return p.byFlag(asciiSpace, unicodeSpace), 0, nil
	case 'S':
		return p.byFlag(asciiSpace, unicodeSpace).negate(), 0, nil
	case 'h':
		return horizontalSpace, 0, nil
	case 'H':
		return horizontalSpace.negate(), 0, nil
	case 'v':
		return verticalSpace, 0, nil
	case 'V':
		return verticalSpace.negate(), 0, nil
	case 'p', 'P':
		set, err = p.property()
		if c == 'P' {
			set = set.negate()
		}
		return set, 0, err
	case 'a':
		return nil, 7, nil
	case 'e':
		return nil, 0x1b, nil
	case 'f':
		return nil, '\f', nil
	case 'n':
		return nil, '\n', nil
	case 'r':
		return nil, '\r', nil
	case 't':
		return nil, '\t', nil
	case '0':
		r, err = p.octal()
		return nil, r, err
	case 'x':
		r, err = p.hex()
		return nil, r, err
	case 'u':
		r, err = p.utf16()
		return nil, r, err
	case 'c':
		if p.raw(0) == eof {
			return nil, 0, p.fail("Illegal control escape sequence", p.at)
		}
		p.at++
		return nil, p.src[p.at-1] ^ 64, nil
	case eof:
		return nil, 0, p.fail("Unexpected internal error", len(p.src))
	}
	if isLatin(c) || c >= '1' && c <= '9' {
		return nil, 0, p.fail("Illegal/unsupported escape sequence", p.at-1)
	}
	return nil, c, nil
}

func (p *javaParser) byFlag(ascii ranges, all func() ranges) ranges {
	if p.flags.unicodeClasses {
		return all()
	}
	return ascii
}

func (p *javaParser) octal() (rune, error) {
	isOctal := func() bool { return p.raw(0) >= '0' && p.raw(0) <= '7' }
	if !isOctal() {
		return 0, p.fail("Illegal octal escape sequence", p.at)
	}
	width := 2
	if p.raw(0) <= '3' {
		width = 3
	}
	n := rune(0)
	for ; width > 0 && isOctal(); width-- {
		n = n*8 + p.raw(0) - '0'
		p.at++
	}
	return n, nil
}

// hexDigits reads width hexadecimal digits, or stops at what is none.
func (p *javaParser) hexDigits(width int) (rune, bool) {
	n := 0
	for range width {
		d := digitValue(p.raw(0))
		if d > 15 {
			return 0, false
		}
		n = n*16 + d
		p.at++
	}
	return rune(n), true
}

func (p *javaParser) hex() (rune, error) {
	if !p.accept("{") {
		n, ok := p.hexDigits(2)
		if !ok {
			return 0, p.fail("Illegal hexadecimal escape sequence", p.at)
		}
		return n, nil
	}
	if digitValue(p.raw(0)) < 16 {
		n := 0
		for digitValue(p.raw(0)) < 16 {
			if n = n*16 + digitValue(p.raw(0)); n > unicode.MaxRune {
				return 0, p.fail("Hexadecimal codepoint is too big", p.at)
			}
			p.at++
		}
		if p.raw(0) != '}' {
			return 0, p.fail("Unclosed hexadecimal escape sequence", p.at)
		}
		p.at++
		return rune(n), nil
	}
	return 0, p.fail("Illegal hexadecimal escape sequence", p.at)
}

// utf16 reads \uhhhh, and a second one that completes a surrogate pair.
func (p *javaParser) utf16() (rune, error) {
	hi, ok := p.hexDigits(4)
	if !ok {
		return 0, p.fail("Illegal Unicode escape sequence", p.at)
	}
	if hi >= 0xd800 && hi < 0xdc00 && p.raw(0) == '\\' && p.raw(1) == 'u' {
		at := p.at
		p.at += 2
		if lo, ok := p.hexDigits(4); ok && lo >= 0xdc00 && lo < 0xe000 {
			return (hi-0xd800)<<10 + (lo - 0xdc00) + 0x10000, nil
		}
		p.at = at
	}
	return hi, nil
}
