package regex

import (
	"fmt"
	"strings"
	"unicode"
)

// oroParser reads Perl 5.003 as Jakarta ORO 2.0.8 does: no look-behind, no named
// or atomic group, no possessive quantifier, no \Q, \p, \z, \h or \x{}.
type oroParser struct {
	src    []rune
	at     int
	groups int
	oroFlags
}

type oroFlags struct{ fold, multi, single, extended bool }

const eof = unicode.MaxRune + 1

type parseError string

func (e parseError) Error() string { return string(e) }

func parseORO(pattern string) (root *node, groups int, err error) {
	// ORO compiles twice and begins the second time with the flags the first ended
	// with, so a flag holds before its place too, unless it is taken back.
	p := &oroParser{src: []rune(pattern)}
	if _, err = p.whole(); err == nil {
		p = &oroParser{src: p.src, oroFlags: p.oroFlags}
		root, err = p.whole()
	}
	if err != nil {
		return nil, 0, err
	}
	if p.fold {
		// With (?i) in force at the end, ORO puts the whole text in lower case.
		root.walk(func(n *node) {
			if n.kind == kChars {
				n.set = n.set.beforeLower()
			}
			n.fold = true
		})
	}
	return root, p.groups, nil
}

func (p *oroParser) whole() (*node, error) {
	root, err := p.alternatives(0)
	if err == nil && p.at < len(p.src) {
		err = errUnmatched
	}
	return root, err
}

const errUnmatched = parseError("Unmatched parentheses.")

func (p *oroParser) peek() rune { return p.peekAt(0) }

func (p *oroParser) peekAt(i int) rune {
	if p.at+i < len(p.src) {
		return p.src[p.at+i]
	}
	return eof
}

// maxDepth bounds nesting, so that no pattern can exhaust the stack.
const maxDepth = 1000

func (p *oroParser) alternatives(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, parseError("Expression nested too deeply.")
	}
	var branches []*node
	for {
		b, err := p.branch(depth)
		if err != nil {
			return nil, err
		}
		branches = append(branches, b)
		if p.peek() != '|' {
			return alt(branches), nil
		}
		p.at++
	}
}

func (p *oroParser) branch(depth int) (*node, error) {
	var subs []*node
	for {
		p.skip()
		switch p.peek() {
		case eof, '|', ')':
			return cat(subs), nil
		}
		n, err := p.piece(depth)
		if err != nil {
			return nil, err
		}
		subs = append(subs, n)
	}
}

// skip passes comments and, with (?x), what else is not part of the pattern. A
// comment that does not end reaches to the end.
func (p *oroParser) skip() {
	for {
		switch c := p.peek(); {
		case c == '(' && p.peekAt(1) == '?' && p.peekAt(2) == '#':
			p.skipPast(')')
		case p.extended && c == '#':
			p.skipPast('\n')
		case p.extended && isJavaWhitespace(c):
			p.at++
		default:
			return
		}
	}
}

func (p *oroParser) skipPast(end rune) {
	for p.peek() != eof && p.peek() != end {
		p.at++
	}
	if p.peek() == end {
		p.at++
	}
}

func (p *oroParser) piece(depth int) (*node, error) {
	n, err := p.atom(depth)
	if err != nil {
		return nil, err
	}
	p.skip()
	lo, hi, ok, err := p.quantifier()
	if err != nil || !ok {
		return n, err
	}
	g := greedy
	p.skip()
	if p.peek() == '?' {
		p.at++
		g = lazy
	}
	p.skip()
	if p.startsQuantifier() {
		return nil, parseError("Nested repetitions *?+ in expression")
	}
	if n.kind == kAssert && n.escaped {
		// ORO counts how often a \b matches, and it never takes a character.
		if lo > 0 {
			return chars(nil), nil
		}
		return &node{kind: kEmpty}, nil
	}
	return &node{kind: kRepeat, subs: []*node{n}, min: lo, max: hi, greed: g}, nil
}

func (p *oroParser) startsQuantifier() bool {
	switch p.peek() {
	case '*', '+', '?':
		return true
	case '{':
		return p.interval() > 0
	}
	return false
}

// interval returns the length of {n}, {n,} or {n,m} standing here, or 0.
func (p *oroParser) interval() int {
	i := 1
	isDigit := func() bool { return unicode.IsDigit(p.peekAt(i)) && p.peekAt(i) != eof }
	if !isDigit() {
		return 0
	}
	for isDigit() {
		i++
	}
	if p.peekAt(i) == ',' {
		i++
		for isDigit() {
			i++
		}
	}
	if p.peekAt(i) != '}' {
		return 0
	}
	return i + 1
}

func (p *oroParser) quantifier() (lo, hi int, ok bool, err error) {
	switch p.peek() {
	case '*':
		p.at++
		return 0, inf, true, nil
	case '+':
		p.at++
		return 1, inf, true, nil
	case '?':
		p.at++
		return 0, 1, true, nil
	case '{':
	default:
		return 0, 0, false, nil
	}
	n := p.interval()
	if n == 0 {
		return 0, 0, false, nil
	}
	text := string(p.src[p.at+1 : p.at+n-1])
	p.at += n
	first, second, comma := strings.Cut(text, ",")
	lo = oroCount(first)
	hi = lo
	switch {
	case comma && second == "":
		hi = inf
	case comma:
		if hi = oroCount(second); hi < lo {
			return 0, 0, false, parseError(fmt.Sprintf("Invalid interval {%d,%d}", lo, hi))
		}
		if hi == maxCount {
			hi = inf
		}
	}
	return lo, hi, true, nil
}

// maxCount is the greatest count ORO can store; it keeps 16 bits.
const maxCount = 0xffff

func oroCount(digits string) int {
	n := 0
	for _, c := range digits {
		d := 0
		if c >= '0' && c <= '9' {
			d = int(c - '0')
		}
		n = min(n*10+d, 1<<40)
	}
	return n & maxCount
}

func (p *oroParser) atom(depth int) (*node, error) {
	c := p.peek()
	p.at++
	switch c {
	case '^':
		if p.multi {
			return assertNode(atLineBegin), nil
		}
		return assertNode(atBegin), nil
	case '$':
		if p.multi {
			return assertNode(atLineEnd), nil
		}
		return assertNode(atLastLine), nil
	case '.':
		if p.single {
			return chars(anyChar), nil
		}
		return chars(notNewline), nil
	case '[':
		return p.class()
	case '(':
		return p.group(depth)
	case '*', '+', '?':
		return nil, parseError("?+* follows nothing in expression")
	case '\\':
		return p.escape()
	}
	return p.literal(c), nil
}

func (p *oroParser) literal(c rune) *node {
	if p.fold {
		c = unicode.ToLower(c)
	}
	return char(c)
}

func (p *oroParser) group(depth int) (*node, error) {
	n := &node{kind: kGroup}
	if p.peek() != '?' {
		p.groups++
		n.n = p.groups
		return p.closeGroup(n, depth)
	}
	p.at++
	c := p.peek()
	p.at++
	switch c {
	case ':':
		n = nil
	case '=', '!':
		n = &node{kind: kLook, neg: c == '!'}
	default:
		on := true
		for ; p.flag(c, on); p.at++ {
			on = on && c != '-'
			c = p.peek()
		}
		if c == ')' {
			return p.afterFlags(depth)
		}
		if c == eof {
			c = '?' // ORO's own way to show the end
		}
		return nil, parseError("Sequence (?" + string(c) + "...) not recognized")
	}
	return p.closeGroup(n, depth)
}

func (p *oroParser) flag(c rune, on bool) bool {
	switch c {
	case 'i':
		p.fold = on
	case 'm':
		p.multi = on
	case 's':
		p.single = on
	case 'x':
		p.extended = on
	case 'g', 'o', '-':
	default:
		return false
	}
	return true
}

// afterFlags reads the atom that ORO wants after (?i).
func (p *oroParser) afterFlags(depth int) (*node, error) {
	p.skip()
	switch p.peek() {
	case eof:
		return nil, errUnmatched
	case '|', ')':
		return nil, parseError("Unknown compilation error.")
	}
	return p.atom(depth)
}

// closeGroup reads what n holds, to the closing parenthesis; a nil n only groups.
func (p *oroParser) closeGroup(n *node, depth int) (*node, error) {
	sub, err := p.alternatives(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.peek() != ')' {
		return nil, errUnmatched
	}
	p.at++
	if n == nil {
		if sub.escaped {
			sub = assertNode(sub.assert)
		}
		return sub, nil
	}
	n.subs = []*node{sub}
	return n, nil
}

func (p *oroParser) escape() (*node, error) {
	c := p.peek()
	if c == eof {
		return nil, parseError("Trailing \\ in expression.")
	}
	if a, ok := oroAssertions[c]; ok {
		p.at++
		return &node{kind: kAssert, assert: a, escaped: true}, nil
	}
	if set := oroClass(c); set != nil {
		p.at++
		return chars(set), nil
	}
	if c >= '1' && c <= '9' {
		i, num := 0, 0
		for d := p.peekAt(i); d >= '0' && d <= '9'; d = p.peekAt(i) {
			num = min(num*10+int(d-'0'), 1<<20)
			i++
		}
		if num <= 9 || num <= p.groups {
			if num > p.groups {
				return nil, parseError(fmt.Sprintf("Invalid backreference: \\%d", num))
			}
			p.at += i
			return &node{kind: kBackref, n: num}, nil
		}
	}
	return p.literal(p.escapedChar()), nil
}

var oroAssertions = map[rune]assertion{
	'A': atBegin, 'Z': atLastLine, 'G': atBegin, 'b': atWordBoundary, 'B': atNoWordBoundary,
}

func oroClass(c rune) ranges {
	switch c {
	case 'w':
		return word()
	case 'W':
		return word().negate()
	case 's':
		return spaces()
	case 'S':
		return notSpace()
	case 'd':
		return digits()
	case 'D':
		return digits().negate()
	}
	return nil
}

// escapedChar reads what stands after a backslash and means one character.
func (p *oroParser) escapedChar() rune {
	c := p.peek()
	p.at++
	switch c {
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'f':
		return '\f'
	case 'e':
		return 0x1b
	case 'a':
		return 7
	case 'x':
		return p.number(16, 2)
	case 'c':
		if p.peek() == eof {
			return 'c'
		}
		c = unicode.ToUpper(p.peek()) ^ 64
		p.at++
	case '0', '1', '2', '3', '4', '5', '6', '7':
		p.at--
		return p.number(8, 3)
	}
	return c
}

// number reads at most width digits; none make 0.
func (p *oroParser) number(base, width int) rune {
	n := 0
	for ; width > 0; width-- {
		d := digitValue(p.peek())
		if d >= base {
			break
		}
		n = n*base + d
		p.at++
	}
	return rune(n)
}

func digitValue(c rune) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return 99
}

const (
	errBadRange       = parseError("Invalid [] range in expression.")
	errUnmatchedClass = parseError("Unmatched [] in expression.")
)
