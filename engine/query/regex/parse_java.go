package regex

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// javaParser reads java.util.regex of Java 17.
type javaParser struct {
	pattern string
	src     []rune // \Q...\E already spelled out
	at      int
	groups  int
	names   map[string]int
	flags   javaFlags
	depth   int
}

type javaFlags struct {
	fold, unicodeFold, multi, dotAll, unixLines, comments, unicodeClasses bool
}

// A javaError carries the place java.util.regex would name.
type javaError struct {
	text string
	at   int
}

func (e *javaError) Error() string { return e.text }

func parseJava(pattern string) (root *node, groups int, names map[string]int, err error) {
	p := &javaParser{pattern: pattern, src: unquote([]rune(pattern)), names: map[string]int{}}
	root, err = p.alternatives()
	if err == nil && p.at < len(p.src) {
		err = p.fail("Unmatched closing ')'", p.at-1)
	}
	if err != nil {
		return nil, 0, nil, p.describe(err)
	}
	return root, p.groups, p.names, nil
}

// describe words an error as PatternSyntaxException.getMessage does.
func (p *javaParser) describe(err error) error {
	var e *javaError
	if !errors.As(err, &e) {
		return err
	}
	text := fmt.Sprintf("%s near index %d\n%s", e.text, e.at, p.pattern)
	if e.at < 0 {
		text = e.text + "\n" + p.pattern
	} else if e.at < len([]rune(p.pattern)) {
		text += "\n" + strings.Repeat(" ", e.at) + "^"
	}
	return parseError(text)
}

func (p *javaParser) fail(text string, at int) error { return &javaError{text, at} }

// unquote spells out \Q...\E by a backslash before each character that could have
// a meaning.
func unquote(src []rune) []rune {
	i := 0
	for i+1 < len(src) && !(src[i] == '\\' && src[i+1] == 'Q') {
		if src[i] == '\\' {
			i++
		}
		i++
	}
	if i+1 >= len(src) {
		return src
	}
	out := slices.Clone(src[:i])
	quoted := true
	for i += 2; i < len(src); i++ {
		c := src[i]
		switch {
		case quoted && c == '\\' && i+1 < len(src) && src[i+1] == 'E':
			quoted = false
			i++
		case quoted:
			if c < unicode.MaxASCII && !isASCIIAlnum(c) {
				out = append(out, '\\')
			}
			out = append(out, c)
		case c == '\\' && i+1 < len(src):
			i++
			if quoted = src[i] == 'Q'; !quoted {
				out = append(out, c, src[i])
			}
		default:
			out = append(out, c)
		}
	}
	return out
}

func isASCIIAlnum(c rune) bool {
	return c >= '0' && c <= '9' || isLatin(c)
}

func isLatin(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// peek returns the next character that counts; with (?x), spaces and comments do not.
func (p *javaParser) peek() rune {
	for p.flags.comments && p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case asciiSpace.has(c):
			p.at++
		case c == '#':
			for p.at < len(p.src) && !p.endsLine(p.src[p.at]) {
				p.at++
			}
		default:
			return c
		}
	}
	return p.raw(0)
}

func (p *javaParser) endsLine(c rune) bool {
	return c == '\n' || !p.flags.unixLines && lineTerminators.has(c)
}

func (p *javaParser) raw(i int) rune {
	if p.at+i < len(p.src) {
		return p.src[p.at+i]
	}
	return eof
}

// accept passes text if it stands here.
func (p *javaParser) accept(text string) bool {
	for i, c := range text {
		if p.raw(i) != c {
			return false
		}
	}
	p.at += len(text)
	return true
}

func (p *javaParser) alternatives() (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("Pattern too deeply nested", -1)
	}
	defer func() { p.depth-- }()
	var branches []*node
	for {
		b, err := p.sequence()
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

func (p *javaParser) sequence() (*node, error) {
	var subs []*node
	for {
		c := p.peek()
		switch c {
		case eof, '|', ')':
			return cat(subs), nil
		case '*', '+', '?':
			return nil, p.fail("Dangling meta character '"+string(c)+"'", p.at)
		}
		n, err := p.atom(c)
		if err != nil {
			return nil, err
		}
		if n == nil { // flags
			continue
		}
		if n, err = p.closure(n); err != nil {
			return nil, err
		}
		subs = append(subs, n)
	}
}

func (p *javaParser) closure(n *node) (*node, error) {
	lo, hi := 0, inf
	switch p.peek() {
	case '*':
		p.at++
	case '+':
		p.at++
		lo = 1
	case '?':
		p.at++
		hi = 1
	case '{':
		var err error
		if lo, hi, err = p.interval(); err != nil {
			return nil, err
		}
	default:
		return n, nil
	}
	r := &node{kind: kRepeat, subs: []*node{n}, min: lo, max: hi}
	switch p.peek() {
	case '?':
		p.at++
		r.greed = lazy
	case '+':
		p.at++
		r.greed = possessive
	}
	return r, nil
}

func (p *javaParser) interval() (lo, hi int, err error) {
	isDigit := func() bool { return p.peek() >= '0' && p.peek() <= '9' }
	number := func() (n int, ok bool) {
		for isDigit() {
			if n = n*10 + int(p.peek()-'0'); n > 1<<31-1 {
				return 0, false
			}
			p.at++
		}
		return n, true
	}
	if c := p.raw(1); c < '0' || c > '9' {
		return 0, 0, p.fail("Illegal repetition", p.at+1)
	}
	p.at++
	lo, ok := number()
	hi = lo
	if ok && p.peek() == ',' {
		p.at++
		hi = inf
		if p.peek() != '}' {
			hi, ok = number()
		}
	}
	switch {
	case !ok:
		return 0, 0, p.fail("Illegal repetition range", p.at)
	case p.peek() != '}':
		return 0, 0, p.fail("Unclosed counted closure", p.at)
	case hi < lo:
		return 0, 0, p.fail("Illegal repetition range", p.at)
	}
	p.at++
	return min(lo, inf), min(hi, inf), nil
}

func (p *javaParser) atom(c rune) (*node, error) {
	switch c {
	case '(':
		return p.group()
	case '[':
		p.at++
		s, err := p.class(true)
		return chars(s), err
	case '\\':
		return p.escape()
	case '{':
		return &node{kind: kEmpty}, nil // what follows repeats it
	}
	p.at++
	switch c {
	case '^':
		if !p.flags.multi {
			return assertNode(atBegin), nil
		}
		return assertNode(p.lines(atLineBegin, atJavaLineBegin)), nil
	case '$':
		if p.flags.multi {
			return assertNode(p.lines(atLineEnd, atJavaLineEnd)), nil
		}
		return assertNode(p.lines(atLastLine, atJavaLastLine)), nil
	case '.':
		switch {
		case p.flags.dotAll:
			return chars(anyChar), nil
		case p.flags.unixLines:
			return chars(notNewline), nil
		}
		return chars(lineTerminators.negate()), nil
	}
	return chars(p.folded(one(c))), nil
}

// lines picks the assertion for (?d), where only \n ends a line, or for all others.
func (p *javaParser) lines(unix, all assertion) assertion {
	if p.flags.unixLines {
		return unix
	}
	return all
}

// folded adds to s what differs from it only in case, if the flags say so.
func (p *javaParser) folded(s ranges) ranges {
	if !p.flags.fold {
		return s
	}
	if p.flags.unicodeFold {
		return s.foldUnicode()
	}
	return s.foldASCII()
}

func (p *javaParser) group() (*node, error) {
	p.at++
	saved := p.flags
	n := &node{kind: kGroup}
	if p.raw(0) != '?' {
		p.groups++
		n.n = p.groups
		return p.closeGroup(n, saved)
	}
	p.at++
	c := p.raw(0)
	p.at++
	switch c {
	case ':':
		n = nil
	case '=', '!':
		n = &node{kind: kLook, neg: c == '!'}
	case '>':
		n = &node{kind: kAtomic}
	case '<':
		c = p.raw(0)
		if c != '=' && c != '!' {
			name, err := p.groupName()
			if err != nil {
				return nil, err
			}
			if _, taken := p.names[name]; taken {
				return nil, p.fail("Named capturing group <"+name+"> is already defined", p.at-1)
			}
			p.groups++
			n.n = p.groups
			p.names[name] = p.groups
			break
		}
		p.at++
		n = &node{kind: kLook, behind: true, neg: c == '!'}
		n, err := p.closeGroup(n, saved)
		if err != nil {
			return nil, err
		}
		if n.subs[0].unbounded() {
			return nil, p.fail("Look-behind group does not have an obvious maximum length", p.at-2)
		}
		return n, nil
	case '$', '@':
		return nil, p.fail("Unknown group type", p.at-1)
	default:
		p.at--
		if err := p.readFlags(); err != nil {
			return nil, err
		}
		c = p.raw(0)
		p.at++
		if c == ')' {
			return nil, nil // hold until the group around ends
		}
		if c != ':' {
			return nil, p.fail("Unknown inline modifier", p.at-1)
		}
		n = nil
	}
	return p.closeGroup(n, saved)
}

// unbounded reports what Java means by no obvious maximum length: a repeated class
// it lets pass.
func (n *node) unbounded() bool {
	found := false
	n.walk(func(x *node) {
		found = found || x.kind == kBackref || x.kind == kRepeat && x.max == inf && x.subs[0].kind != kChars
	})
	return found
}

// closeGroup reads what n holds and the parenthesis; a nil n only groups.
func (p *javaParser) closeGroup(n *node, saved javaFlags) (*node, error) {
	sub, err := p.alternatives()
	if err != nil {
		return nil, err
	}
	if p.peek() != ')' {
		return nil, p.fail("Unclosed group", p.at)
	}
	p.at++
	p.flags = saved
	if n == nil {
		return sub, nil
	}
	n.subs = []*node{sub}
	return n, nil
}

func (p *javaParser) readFlags() error {
	on := true
	for {
		switch p.raw(0) {
		case 'i':
			p.flags.fold = on
		case 'm':
			p.flags.multi = on
		case 's':
			p.flags.dotAll = on
		case 'd':
			p.flags.unixLines = on
		case 'u':
			p.flags.unicodeFold = on
		case 'x':
			p.flags.comments = on
		case 'U':
			p.flags.unicodeClasses, p.flags.unicodeFold = on, on
		case 'c': // canonical equivalence: not kept
		case '-':
			if !on {
				return nil
			}
			on = false
		default:
			return nil
		}
		p.at++
	}
}

func (p *javaParser) groupName() (string, error) {
	start := p.at
	if !isLatin(p.raw(0)) {
		return "", p.fail("capturing group name does not start with a Latin letter", p.at)
	}
	for isASCIIAlnum(p.raw(0)) {
		p.at++
	}
	name := string(p.src[start:p.at])
	p.at++
	if p.at > len(p.src) || p.src[p.at-1] != '>' {
		return "", p.fail("named capturing group is missing trailing '>'", p.at-1)
	}
	return name, nil
}
