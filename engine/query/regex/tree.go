package regex

// kind tells what a node of a parsed pattern is.
type kind uint8

const (
	kEmpty   kind = iota
	kChars        // one character of set
	kCat          // subs in a row
	kAlt          // one of subs
	kRepeat       // subs[0], min to max times
	kGroup        // subs[0], captured as n
	kAssert       // a condition on the position
	kBackref      // what group n captured
	kLook         // subs[0] ahead or behind, or not
	kAtomic       // subs[0], its first way only
)

type assertion uint8

const (
	atBegin          assertion = iota // \A and ^
	atEnd                             // \z
	atLastLine                        // $ and \Z: the end, or before the newline there
	atLineBegin                       // ^ with m
	atLineEnd                         // $ with m
	atWordBoundary                    // \b
	atNoWordBoundary                  // \B
	atLastMatch                       // \G: where the match before ended
	atJavaLastLine                    // Java's $: knows its line terminators
	atJavaLineBegin                   // Java's ^ with m
	atJavaLineEnd                     // Java's $ with m
)

type greed uint8

const (
	greedy greed = iota
	lazy
	possessive
)

const inf = 1 << 30

type node struct {
	kind     kind
	subs     []*node
	set      ranges
	n        int // group number of kGroup and kBackref
	min, max int
	greed    greed
	assert   assertion
	neg      bool // kLook
	behind   bool // kLook
	fold     bool // kBackref: compare without case
	escaped  bool // kAssert: written with a backslash
}

func chars(s ranges) *node { return &node{kind: kChars, set: s} }

func char(r rune) *node { return chars(one(r)) }

func assertNode(a assertion) *node { return &node{kind: kAssert, assert: a} }

// cat and alt build the plainest node that says the same.
func cat(subs []*node) *node {
	switch len(subs) {
	case 0:
		return &node{kind: kEmpty}
	case 1:
		return subs[0]
	}
	return &node{kind: kCat, subs: subs}
}

func alt(subs []*node) *node {
	if len(subs) == 1 {
		return subs[0]
	}
	// (?:a|\n) is a class: this is what keeps (.|\n)*, dear to plans, a plain loop.
	var set ranges
	for _, s := range subs {
		if s.kind != kChars {
			return &node{kind: kAlt, subs: subs}
		}
		set = set.union(s.set)
	}
	return chars(set)
}

// walk visits n and everything under it.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, s := range n.subs {
		s.walk(visit)
	}
}

// nullable reports whether n can match without consuming.
func (n *node) nullable() bool {
	lo, _ := n.width()
	return lo == 0
}

// width returns the least and the greatest number of characters n consumes; the
// greatest is inf where there is no bound, a back-reference may take nothing.
func (n *node) width() (lo, hi int) {
	switch n.kind {
	case kChars:
		return 1, 1
	case kCat:
		for _, s := range n.subs {
			a, b := s.width()
			lo, hi = min(lo+a, inf), min(hi+b, inf)
		}
		return lo, hi
	case kAlt:
		lo = inf
		for _, s := range n.subs {
			a, b := s.width()
			lo, hi = min(lo, a), max(hi, b)
		}
		return lo, hi
	case kRepeat:
		a, b := n.subs[0].width()
		return mul(a, n.min), mul(b, n.max)
	case kGroup, kAtomic:
		return n.subs[0].width()
	case kBackref:
		return 0, inf
	}
	return 0, 0
}

func mul(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	if a >= inf/b {
		return inf
	}
	return a * b
}

// has reports whether a node of kind k is at or under n.
func (n *node) has(k kind) bool {
	found := false
	n.walk(func(x *node) { found = found || x.kind == k })
	return found
}
