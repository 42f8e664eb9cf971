package regex

import "unicode"

// An oroSet is a class as ORO tests it: item by item, and the first that has the
// character decides. A [:^name:] turns the sense of all that follows it, and each
// \w, \s or \d after one turns it again.
type oroSet struct {
	in, decided ranges
	sense       bool
}

func (s *oroSet) add(item ranges) {
	if s.sense {
		s.in = s.in.union(item.intersect(s.decided.negate()))
	}
	s.decided = s.decided.union(item)
}

func (s *oroSet) done() ranges {
	if s.sense {
		return s.in
	}
	return s.in.union(s.decided.negate())
}

func (p *oroParser) class() (*node, error) {
	set := oroSet{sense: true}
	if p.peek() == '^' {
		p.at++
		set.sense = false
	}
	low, ranging := rune(-1), false // the first end of a range that may follow; its dash was read
	turned := false                 // the last [:name:] had a ^
	for first := true; first || p.peek() != ']'; first = false {
		c := p.peek()
		if c == eof {
			return nil, errUnmatchedClass
		}
		p.at++
		var many ranges
		dash := c == '-'
		switch {
		case c == '[' && p.peek() == ':':
			var negated bool
			if many, negated = p.posixClass(); many != nil {
				turned = negated
			}
		case c == '\\':
			if p.peek() == eof {
				return nil, errUnmatchedClass
			}
			if many = oroClass(p.peek()); many != nil {
				p.at++
			} else if p.peek() == 'b' {
				p.at++
				c = '\b'
			} else {
				c = p.escapedChar()
			}
		}
		switch {
		case many != nil:
			if ranging {
				return nil, errBadRange
			}
			set.sense = set.sense != turned
			set.add(many)
			low = -1
		case ranging:
			if low > c {
				return nil, errBadRange
			}
			set.add(p.classRange(low, c))
			low, ranging = -1, false
		case low >= 0 && dash && p.peek() != ']' && p.peek() != eof:
			ranging = true
		default:
			set.add(p.classRange(c, c))
			low = c
		}
	}
	p.at++
	return chars(set.done()), nil
}

// classRange is a range of a class; with (?i) it has its lower case as well.
func (p *oroParser) classRange(lo, hi rune) ranges {
	s := ranges{lo, hi}
	if !p.fold {
		return s
	}
	var lower []rune
	for _, l := range lowerings() {
		if l.from >= lo && l.from <= hi {
			lower = append(lower, l.to, l.to)
		}
	}
	return s.union(norm(lower))
}

// posixClass reads [:name:] or [:^name:] after its bracket, if one stands here.
func (p *oroParser) posixClass() (set ranges, negated bool) {
	i := 1
	if negated = p.peekAt(i) == '^'; negated {
		i++
	}
	start := p.at + i
	for unicode.IsLetter(p.peekAt(i)) {
		i++
	}
	name := string(p.src[start : p.at+i])
	class, ok := posix[name]
	if !ok || p.peekAt(i) != ':' || p.peekAt(i+1) != ']' {
		return nil, false
	}
	p.at += i + 2
	if p.fold && (name == "lower" || name == "upper") {
		return posix["lower"]().union(posix["upper"]()), negated
	}
	return class(), negated
}
