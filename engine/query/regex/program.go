package regex

import (
	"slices"
	"unicode/utf8"
)

type op uint8

const (
	opMatch  op = iota // the pattern has matched
	opAccept           // the body of a look-around or atomic group has matched
	opLit              // the bytes of lit
	opChar             // one character of set
	opStar             // set repeated min to max times
	opSplit            // next, and when that fails alt
	opBranch           // opSplit between alternatives
	opTurn             // opSplit between one more turn of a greedy loop and the way out, in ORO
	opLoop             // a counted loop: one more turn is next, the way out alt
	opEnter            // count a turn of a counted loop
	opInit             // set a counted loop to its start
	opFloor            // remember the last closed group (ORO)
	opOpen             // group n begins
	opClose            // group n ends
	opAssert
	opBackref
	opLook
	opAtomic
)

// An inst is one instruction; next and alt are indexes of instructions.
type inst struct {
	op        op
	greed     greed
	assert    assertion
	neg       bool
	behind    bool
	fold      bool
	n         int32 // group; register of a loop; number of a choice
	next, alt int32
	memo      int32 // which row of the memory this choice has, or -1
	min, max  int
	set       *charset
	lit       []byte
	stop      int16 // opStar: the byte that must follow it, or -1
}

// A program is a pattern ready to run.
type program struct {
	insts     []inst
	groups    int
	registers int
	memos     int // rows of the memory; 0 when the pattern cannot use one
	linear    bool
	oro       bool // ORO's rules for groups
	start     int32
	eager     bool // use the memory from the first step on; tests do

	prefix   []byte     // every match begins with these bytes
	first    *[256]bool // or with one of these
	anchored bool       // matches only at the very beginning
	lead     *charset   // every match begins with a run of these, of any length
}

// assembler turns a tree into a program, from the end backwards: each node is
// told which instruction follows it.
type assembler struct {
	*program
	tooBig bool
	inner  int  // depth in look-arounds and atomic groups
	pure   bool // the state of a search is its position
}

// maxInsts bounds a program, since counted repetitions are written out.
const maxInsts = 50_000

// maxCopies is the size up to which a counted repetition is written out.
const maxCopies = 1000

func assemble(root *node, groups int, oro bool) (*program, bool) {
	a := &assembler{program: &program{groups: groups, oro: oro, linear: true}, pure: !root.has(kBackref)}
	a.start = a.node(root, a.emit(inst{op: opMatch}))
	if a.tooBig {
		return nil, false
	}
	if !a.pure {
		a.memos = 0
		a.linear = false
	}
	a.seal()
	a.prefix, _ = prefixOf(root)
	if len(a.prefix) == 0 {
		var f [256]bool
		if !firstBytes(root, &f) {
			a.first = &f
		}
	}
	a.anchored = beginsAtStart(root)
	return a.program, true
}

// seal notes what speeds a search up and needs the whole program.
func (a *assembler) seal() {
	for i := range a.insts {
		if in := &a.insts[i]; in.op == opStar {
			in.stop = -1
			if next := &a.insts[a.beyondGroups(in.next)]; next.op == opLit {
				in.stop = int16(next.lit[0])
			}
		}
	}
	if first := &a.insts[a.beyondGroups(a.start)]; a.pure && first.op == opStar && first.max == inf {
		a.lead = first.set
	}
}

// beyondGroups returns the first instruction from pc on that is not the edge of a group.
func (a *assembler) beyondGroups(pc int32) int32 {
	for a.insts[pc].op == opOpen || a.insts[pc].op == opClose {
		pc = a.insts[pc].next
	}
	return pc
}

func (a *assembler) emit(in inst) int32 {
	if len(a.insts) >= maxInsts {
		a.tooBig = true
		return 0
	}
	in.memo = -1
	a.insts = append(a.insts, in)
	return int32(len(a.insts) - 1)
}

// choice emits an instruction whose outcome depends only on the position, so that
// a position where it failed once need not be tried again.
func (a *assembler) choice(in inst) int32 {
	pc := a.emit(in)
	if a.inner > 0 || a.tooBig {
		a.linear = false
		return pc
	}
	a.insts[pc].memo = int32(a.memos)
	a.memos++
	return pc
}

func (a *assembler) node(n *node, next int32) int32 {
	if a.tooBig {
		return 0
	}
	switch n.kind {
	case kChars:
		if lit, ok := literalOf(n); ok {
			return a.emit(inst{op: opLit, lit: lit, next: next})
		}
		return a.emit(inst{op: opChar, set: newCharset(n.set), next: next})
	case kCat:
		return a.row(n.subs, next)
	case kAlt:
		pc := a.node(n.subs[len(n.subs)-1], next)
		for _, s := range slices.Backward(n.subs[:len(n.subs)-1]) {
			first := a.node(s, next)
			pc = a.choice(inst{op: opBranch, next: first, alt: pc})
		}
		return pc
	case kRepeat:
		return a.repeat(n, next)
	case kGroup:
		end := a.emit(inst{op: opClose, n: int32(n.n), next: next})
		body := a.node(n.subs[0], end)
		return a.emit(inst{op: opOpen, n: int32(n.n), next: body})
	case kAssert:
		return a.emit(inst{op: opAssert, assert: n.assert, next: next})
	case kBackref:
		return a.emit(inst{op: opBackref, n: int32(n.n), fold: n.fold, next: next})
	case kLook:
		lo, hi := n.subs[0].width()
		return a.emit(inst{op: opLook, neg: n.neg, behind: n.behind, min: lo, max: hi, alt: a.inside(n.subs[0]), next: next})
	case kAtomic:
		return a.emit(inst{op: opAtomic, alt: a.inside(n.subs[0]), next: next})
	}
	return next // kEmpty
}

// inside assembles a body that runs on its own, to its first success.
func (a *assembler) inside(n *node) int32 {
	a.inner++
	pc := a.node(n, a.emit(inst{op: opAccept}))
	a.inner--
	return pc
}

// row assembles nodes that follow each other; literal characters become one.
func (a *assembler) row(subs []*node, next int32) int32 {
	for i := len(subs); i > 0; {
		i--
		lit, ok := literalOf(subs[i])
		if !ok {
			next = a.node(subs[i], next)
			continue
		}
		for i > 0 {
			more, ok := literalOf(subs[i-1])
			if !ok {
				break
			}
			lit = append(more, lit...)
			i--
		}
		next = a.emit(inst{op: opLit, lit: lit, next: next})
	}
	return next
}

// literalOf returns the bytes of a node that is one certain character. U+FFFD is
// none, since it also stands for bytes that are not UTF-8.
func literalOf(n *node) ([]byte, bool) {
	if n.kind != kChars {
		return nil, false
	}
	r, ok := n.set.single()
	if !ok || r == utf8.RuneError || !utf8.ValidRune(r) {
		return nil, false
	}
	return utf8.AppendRune(nil, r), true
}

func (a *assembler) repeat(n *node, next int32) int32 {
	body := n.subs[0]
	if n.greed == possessive {
		loop := *n
		loop.greed = greedy
		return a.node(&node{kind: kAtomic, subs: []*node{&loop}}, next)
	}
	if n.max == 0 {
		return next
	}
	if body.kind == kChars {
		in := inst{op: opStar, greed: n.greed, min: n.min, max: n.max, set: newCharset(body.set), next: next}
		if n.max == inf {
			return a.choice(in)
		}
		return a.emit(in)
	}
	if body.kind == kGroup && body.subs[0].kind == kChars {
		return a.repeatGroup(n, body, next)
	}
	copies := n.min
	if n.max != inf {
		copies = n.max
	}
	if body.nullable() || copies > 1 && copies*size(body) > maxCopies {
		return a.countedLoop(n, next)
	}
	return a.plainLoop(n, next)
}

// repeatGroup is (S)* for a class S as (?:S*(S))?, which means the same and is a
// plain loop.
func (a *assembler) repeatGroup(n, group *node, next int32) int32 {
	once := group
	if n.max > 1 {
		lead := &node{kind: kRepeat, subs: group.subs, min: max(n.min-1, 0), max: n.max - 1, greed: n.greed}
		if n.max == inf {
			lead.max = inf
		}
		once = cat([]*node{lead, group})
	}
	if n.min > 0 {
		return a.node(once, next)
	}
	return a.plainLoop(&node{kind: kRepeat, subs: []*node{once}, max: 1, greed: n.greed}, next)
}

// plainLoop is a loop over a body that always consumes: its turns are written out
// up to what min and max need, and the state is the position alone.
func (a *assembler) plainLoop(n *node, next int32) int32 {
	body := n.subs[0]
	split := inst{op: opSplit, alt: next}
	if a.oro && a.groups > 0 && n.greed == greedy {
		split.op, split.n = opTurn, a.register(1)
	}
	turn := func(after int32) int32 { // a choice between body, then after, and the way out
		pc := a.choice(split)
		if after < 0 {
			after = pc
		}
		first := a.node(body, after)
		if a.tooBig {
			return 0
		}
		a.insts[pc].next = first
		if n.greed == lazy {
			a.insts[pc].next, a.insts[pc].alt = next, first
		}
		return pc
	}
	out := next
	if n.max == inf {
		out = turn(-1)
	} else {
		for range n.max - n.min {
			out = turn(out)
		}
	}
	for range n.min {
		out = a.node(body, out)
	}
	if split.op == opTurn {
		out = a.emit(inst{op: opFloor, n: split.n, next: out})
	}
	return out
}

// countedLoop keeps a count and the place of the last turn: for bodies that can
// match nothing, and for great counts.
func (a *assembler) countedLoop(n *node, next int32) int32 {
	a.pure = false
	reg := a.register(3)
	loop := a.emit(inst{op: opLoop, n: reg, greed: n.greed, min: n.min, max: n.max, alt: next})
	body := a.node(n.subs[0], loop)
	enter := a.emit(inst{op: opEnter, n: reg, next: body})
	if a.tooBig {
		return 0
	}
	a.insts[loop].next = enter
	return a.emit(inst{op: opInit, n: reg, next: loop})
}

func (a *assembler) register(n int) int32 {
	a.registers += n
	return int32(a.registers - n)
}

func size(n *node) int {
	total := 1
	for _, s := range n.subs {
		total += size(s)
	}
	if n.kind == kRepeat && n.subs[0].kind != kChars {
		turns := n.min + 1
		if n.max != inf {
			turns = n.max
		}
		total = mul(total, max(turns, 1))
	}
	return total
}

// prefixOf returns the bytes every match of n begins with, and whether they are
// all of it.
func prefixOf(n *node) (lit []byte, whole bool) {
	switch n.kind {
	case kEmpty:
		return nil, true
	case kChars:
		return literalOf(n)
	case kGroup, kAtomic:
		return prefixOf(n.subs[0])
	case kCat:
		for _, s := range n.subs {
			more, all := prefixOf(s)
			lit = append(lit, more...)
			if !all {
				return lit, false
			}
		}
		return lit, true
	case kRepeat:
		if n.min > 0 {
			lit, _ = prefixOf(n.subs[0])
			return lit, false
		}
	}
	return nil, false
}

// firstBytes collects into f the bytes a match of n may begin with, and reports
// whether n may match nothing.
func firstBytes(n *node, f *[256]bool) (nullable bool) {
	switch n.kind {
	case kChars:
		for i := 0; i < len(n.set); i += 2 {
			for r := n.set[i]; r <= min(n.set[i+1], utf8.RuneSelf-1); r++ {
				f[r] = true
			}
			if n.set[i+1] >= utf8.RuneSelf {
				for b := utf8.RuneSelf; b < 256; b++ {
					f[b] = true
				}
			}
		}
		return false
	case kCat:
		for _, s := range n.subs {
			if !firstBytes(s, f) {
				return false
			}
		}
		return true
	case kAlt:
		for _, s := range n.subs {
			nullable = firstBytes(s, f) || nullable
		}
		return nullable
	case kRepeat:
		if n.max == 0 {
			return true
		}
		return firstBytes(n.subs[0], f) || n.min == 0
	case kGroup, kAtomic:
		return firstBytes(n.subs[0], f)
	}
	return true
}

// beginsAtStart reports whether n can match only at the beginning of the text.
func beginsAtStart(n *node) bool {
	switch n.kind {
	case kAssert:
		return n.assert == atBegin
	case kGroup, kAtomic:
		return beginsAtStart(n.subs[0])
	case kCat:
		return beginsAtStart(n.subs[0])
	case kAlt:
		for _, s := range n.subs {
			if !beginsAtStart(s) {
				return false
			}
		}
		return true
	}
	return false
}
