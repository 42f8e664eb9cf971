package regex

import (
	"slices"
	"sort"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A ranges is a set of characters: pairs of first and last, ascending, neither
// touching nor overlapping.
type ranges []rune

// norm sorts pairs and joins those that touch.
func norm(pairs []rune) ranges {
	sort.Sort(byFirst(pairs))
	out := pairs[:0]
	for i := 0; i < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		if n := len(out); n > 0 && lo <= out[n-1]+1 {
			out[n-1] = max(out[n-1], hi)
			continue
		}
		out = append(out, lo, hi)
	}
	return ranges(out)
}

type byFirst []rune

func (p byFirst) Len() int           { return len(p) / 2 }
func (p byFirst) Less(i, j int) bool { return p[2*i] < p[2*j] }
func (p byFirst) Swap(i, j int) {
	p[2*i], p[2*j] = p[2*j], p[2*i]
	p[2*i+1], p[2*j+1] = p[2*j+1], p[2*i+1]
}

func one(r rune) ranges { return ranges{r, r} }

func (s ranges) union(o ranges) ranges { return norm(slices.Concat(s, o)) }

func (s ranges) negate() ranges {
	out := make(ranges, 0, len(s)+2)
	next := rune(0)
	for i := 0; i < len(s); i += 2 {
		if s[i] > next {
			out = append(out, next, s[i]-1)
		}
		next = s[i+1] + 1
	}
	if next <= unicode.MaxRune {
		out = append(out, next, unicode.MaxRune)
	}
	return out
}

func (s ranges) intersect(o ranges) ranges {
	return s.negate().union(o.negate()).negate()
}

func (s ranges) has(r rune) bool {
	i := sort.Search(len(s)/2, func(i int) bool { return s[2*i+1] >= r })
	return i < len(s)/2 && s[2*i] <= r
}

// single returns the only member of s, if it has just one.
func (s ranges) single() (rune, bool) {
	if len(s) == 2 && s[0] == s[1] {
		return s[0], true
	}
	return 0, false
}

// where collects the characters that satisfy a predicate.
func where(pred func(rune) bool) ranges {
	var out ranges
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !pred(r) {
			continue
		}
		if n := len(out); n > 0 && out[n-1] == r-1 {
			out[n-1] = r
		} else {
			out = append(out, r, r)
		}
	}
	return out
}

func fromTables(tables ...*unicode.RangeTable) ranges {
	var out []rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			out = append(out, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			out = append(out, r, r)
		}
	}
	for _, t := range tables {
		for _, x := range t.R16 {
			add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
		for _, x := range t.R32 {
			add(rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
	}
	return norm(out)
}

// A lowering is one character and what lower case makes of it.
type lowering struct{ from, to rune }

// lowerings lists the characters that lower case changes.
var lowerings = sync.OnceValue(func() []lowering {
	var out []lowering
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if l := unicode.ToLower(r); l != r {
			out = append(out, lowering{r, l})
		}
	}
	return out
})

// beforeLower returns the characters whose lower case is in s.
func (s ranges) beforeLower() ranges {
	var add, drop []rune
	for _, l := range lowerings() {
		switch in, to := s.has(l.from), s.has(l.to); {
		case to && !in:
			add = append(add, l.from, l.from)
		case in && !to:
			drop = append(drop, l.from, l.from)
		}
	}
	if len(drop) > 0 {
		s = s.intersect(norm(drop).negate())
	}
	return s.union(norm(add))
}

// A charset is a ranges made ready for matching.
type charset struct {
	all     ranges
	ascii   [4]uint64 // by first byte; only the lower half is ever set
	allHigh bool      // has every character beyond ASCII
	noHigh  bool      // has none of them
}

func newCharset(s ranges) *charset {
	c := &charset{all: s}
	for r := rune(0); r < utf8.RuneSelf; r++ {
		if s.has(r) {
			c.ascii[r>>6] |= 1 << (r & 63)
		}
	}
	high := s.intersect(ranges{utf8.RuneSelf, unicode.MaxRune})
	c.noHigh = len(high) == 0
	c.allHigh = len(high) == 2 && high[0] == utf8.RuneSelf && high[1] == unicode.MaxRune
	return c
}

func (c *charset) hasASCII(b byte) bool { return c.ascii[b>>6]&(1<<(b&63)) != 0 }

// take returns the width of the character at b[at] if c has it, else 0.
func (c *charset) take(b []byte, at int) int {
	if at >= len(b) {
		return 0
	}
	x := b[at]
	if x < utf8.RuneSelf {
		if c.hasASCII(x) {
			return 1
		}
		return 0
	}
	if c.noHigh {
		return 0
	}
	r, n := utf8.DecodeRune(b[at:])
	if c.allHigh || c.all.has(r) {
		return n
	}
	return 0
}

// run returns how far from at the characters of c reach in b.
func (c *charset) run(b []byte, at int) int {
	if c.allHigh {
		for at < len(b) && (b[at] >= utf8.RuneSelf || c.hasASCII(b[at])) {
			at++
		}
		return at
	}
	for {
		for at < len(b) && b[at] < utf8.RuneSelf {
			if !c.hasASCII(b[at]) {
				return at
			}
			at++
		}
		n := c.take(b, at)
		if n == 0 {
			return at
		}
		at += n
	}
}

// step returns the offset after the character at b[at]; beyond the end it still advances.
func step(b []byte, at int) int {
	if at >= len(b) || b[at] < utf8.RuneSelf {
		return at + 1
	}
	_, n := utf8.DecodeRune(b[at:])
	return at + n
}

// back returns the offset of the character before at.
func back(b []byte, at int) int {
	if b[at-1] < utf8.RuneSelf {
		return at - 1
	}
	_, n := utf8.DecodeLastRune(b[:at])
	return at - n
}

func runeAt(b []byte, at int) (rune, bool) {
	if at >= len(b) {
		return 0, false
	}
	r, _ := utf8.DecodeRune(b[at:])
	return r, true
}

func runeBefore(b []byte, at int) (rune, bool) {
	if at <= 0 {
		return 0, false
	}
	r, _ := utf8.DecodeLastRune(b[:at])
	return r, true
}
