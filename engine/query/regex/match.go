package regex

import (
	"bytes"
	"math"
	"sync"
	"unicode/utf8"
)

// Bounds of one search. A pattern that can keep a memory of failed positions never
// meets the first; one with back-references or loops over nothing may.
const (
	maxSteps = 10_000_000
	maxStack = 4 << 20 // entries
	maxMemo  = 1 << 29 // bits
)

// An entry of the stack is a choice to come back to, or a value to put back.
type entry struct {
	kind entryKind
	pc   int32 // instruction, or slot, or register
	pos  int32 // position, or old value
	aux  int32
}

type entryKind int32

const (
	goOn      entryKind = iota // run pc at pos
	goOnAlt                    // the same, and forget groups closed since aux (ORO)
	shorter                    // a greedy star: leave at pos or before, not below aux
	longer                     // a lazy star: take one more at pos; aux are left
	oldCap                     // caps[pc] was pos
	oldReg                     // regs[pc] was pos
	oldClosed                  // closed was pos
)

// A matcher is the state of one search.
type matcher struct {
	*program
	b        []byte
	from     int // where the search began
	last     int // where the match before ended, or -1
	mustEnd  int // the match must end here, if not negative
	acceptAt int // the body of a look-behind must end here, if not negative
	caps     []int32
	regs     []int32
	closed   int32 // ORO: the highest group closed
	stack    []entry
	end      int // where the match ended

	steps  int
	memory []uint64 // a bit for each row and position: the choice was taken there
	width  int      // positions of a row
	spent  bool     // a bound was met
}

var matchers = sync.Pool{New: func() any { return new(matcher) }}

// search finds the leftmost match of p at or after from, where the match before
// ended at last, -1 for none. The second result tells that a bound was met before
// the answer was known.
func (p *program) search(dst []int, b []byte, from, last int) (found []int, spent bool) {
	dst = dst[:0]
	if from > len(b) || len(b) > math.MaxInt32-1 {
		return dst, len(b) > math.MaxInt32-1
	}
	m := p.matcher(b, from)
	defer m.release()
	m.last = last
	for at := from; ; at = step(b, at) {
		at = p.candidate(b, at)
		if at < 0 || m.spent {
			return dst, m.spent
		}
		if m.try(at) {
			return m.result(dst, at), false
		}
		if p.anchored {
			return dst, m.spent
		}
		if p.lead != nil {
			// What failed after this run fails after each of its ends.
			at = max(p.lead.run(b, at), at)
		}
	}
}

// matchAt tries p at the offset at only; with whole, the match must end at the
// end of b.
func (p *program) matchAt(dst []int, b []byte, at int, whole bool) (found []int, spent bool) {
	dst = dst[:0]
	if at > len(b) || len(b) > math.MaxInt32-1 {
		return dst, len(b) > math.MaxInt32-1
	}
	m := p.matcher(b, at)
	defer m.release()
	if whole {
		m.mustEnd = len(b)
	}
	if m.try(at) {
		return m.result(dst, at), false
	}
	return dst, m.spent
}

// candidate returns the first offset from at on where p may match, or -1.
func (p *program) candidate(b []byte, at int) int {
	switch {
	case at > len(b):
		return -1
	case p.anchored:
		if at > 0 {
			return -1
		}
	case len(p.prefix) > 0:
		i := bytes.Index(b[at:], p.prefix)
		if i < 0 {
			return -1
		}
		return at + i
	case p.first != nil:
		for ; at < len(b); at++ {
			if p.first[b[at]] {
				return at
			}
		}
		return -1
	}
	return at
}

func (p *program) matcher(b []byte, from int) *matcher {
	m := matchers.Get().(*matcher)
	m.program, m.b, m.from = p, b, from
	m.last, m.mustEnd, m.acceptAt = -1, -1, -1
	m.steps, m.spent, m.width = 0, false, 0
	m.stack = m.stack[:0]
	m.caps = resize(m.caps, 2*(p.groups+1))
	m.regs = resize(m.regs, p.registers)
	if p.eager {
		m.remember()
	}
	return m
}

func resize(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	return s[:n]
}

// keepStack and keepMemory bound what an idle matcher holds on to.
const (
	keepStack  = 1 << 14
	keepMemory = 1 << 13
)

func (m *matcher) release() {
	m.b, m.program = nil, nil
	if cap(m.stack) > keepStack {
		m.stack = nil
	}
	if cap(m.memory) > keepMemory {
		m.memory = nil
	}
	matchers.Put(m)
}

func (m *matcher) result(dst []int, at int) []int {
	dst = append(dst, at, m.end)
	for i := 2; i < len(m.caps); i += 2 {
		lo, hi := int(m.caps[i]), int(m.caps[i+1])
		if lo < 0 || lo > hi { // ORO can leave the second, and calls it no group
			lo, hi = -1, -1
		}
		dst = append(dst, lo, hi)
	}
	return dst
}

func (m *matcher) try(at int) bool {
	for i := range m.caps {
		m.caps[i] = -1
	}
	m.closed = 0
	m.stack = m.stack[:0]
	return m.run(m.start, at)
}

// remember turns the memory on when a search takes long: from then on each choice
// is taken at most once a position, which bounds the search by their product.
func (m *matcher) remember() {
	width := len(m.b) - m.from + 1
	if m.memos == 0 || m.memos*width > maxMemo {
		return
	}
	words := (m.memos*width + 63) / 64
	if cap(m.memory) < words {
		m.memory = make([]uint64, words)
	}
	m.memory = m.memory[:words]
	clear(m.memory)
	m.width = width
}

// patience is how many steps a search may take before the memory is turned on.
func (m *matcher) patience() int { return 1000 + 8*(len(m.b)-m.from) }

// seen marks a choice at a position and reports whether it was marked before.
func (m *matcher) seen(row int32, pos int) bool {
	if m.width == 0 || row < 0 {
		return false
	}
	i := int(row)*m.width + pos - m.from
	w, bit := i>>6, uint64(1)<<(i&63)
	if m.memory[w]&bit != 0 {
		return true
	}
	m.memory[w] |= bit
	return false
}

func (m *matcher) push(k entryKind, pc int32, pos int, aux int32) {
	m.stack = append(m.stack, entry{k, pc, int32(pos), aux})
}

func (m *matcher) setReg(reg int32, v int) {
	m.push(oldReg, reg, int(m.regs[reg]), 0)
	m.regs[reg] = int32(v)
}

func (m *matcher) setCap(slot int32, v int) {
	if !m.oro { // ORO only puts groups back where a loop or an alternative failed
		m.push(oldCap, slot, int(m.caps[slot]), 0)
	}
	m.caps[slot] = int32(v)
}

// run runs the program from pc at pos to opMatch or opAccept, sets end, and
// reports whether it came there. Choices above the stack's height at entry are
// its own.
func (m *matcher) run(pc int32, pos int) bool {
	base := len(m.stack)
	for {
		in := &m.insts[pc]
		ok := true
		switch in.op {
		case opMatch:
			// ORO never lets a match end where the one before it ended.
			if !(m.oro && pos == m.last) && (m.mustEnd < 0 || pos == m.mustEnd) {
				m.end = pos
				return true
			}
			ok = false
		case opAccept:
			if ok = m.acceptAt < 0 || pos == m.acceptAt; ok {
				m.end = pos
				return true
			}
		case opLit:
			if ok = bytes.HasPrefix(m.b[pos:], in.lit); ok {
				pos += len(in.lit)
			}
		case opChar:
			n := in.set.take(m.b, pos)
			ok = n > 0
			pos += n
		case opStar:
			pos, ok = m.star(in, pc, pos)
		case opSplit, opBranch:
			if ok = !m.seen(in.memo, pos); ok {
				k := goOn
				if m.oro && in.op == opBranch && m.groups > 0 {
					k = goOnAlt
				}
				m.push(k, in.alt, pos, m.closed)
			}
		case opTurn:
			if ok = !m.seen(in.memo, pos); ok {
				m.push(goOn, in.alt, pos, 0)
				m.saveGroups(m.regs[in.n])
			}
		case opFloor:
			m.setReg(in.n, int(m.closed))
		case opInit:
			m.setReg(in.n, -1)
			m.setReg(in.n+1, -1)
			if m.oro {
				m.setReg(in.n+2, int(m.closed))
			}
		case opLoop:
			if next := m.loop(in, pos); next >= 0 {
				pc = next
				continue
			}
			ok = false
		case opEnter:
			m.setReg(in.n, int(m.regs[in.n]+1))
			m.setReg(in.n+1, pos)
		case opOpen:
			m.setCap(2*in.n, pos)
		case opClose:
			m.setCap(2*in.n+1, pos)
			m.closed = max(m.closed, in.n)
		case opAssert:
			ok = m.holds(in.assert, pos)
		case opBackref:
			pos, ok = m.backref(in, pos)
		case opLook:
			ok = m.look(in, pos)
		case opAtomic:
			pos, ok = m.atomic(in, pos)
		}
		if ok {
			pc = in.next
			continue
		}
		if pc, pos, ok = m.retreat(base); !ok {
			return false
		}
	}
}

// retreat goes back to the last choice above base.
func (m *matcher) retreat(base int) (pc int32, pos int, ok bool) {
	m.steps++
	if m.width == 0 && m.steps > m.patience() {
		m.remember()
	}
	if m.width == 0 && m.steps > maxSteps || len(m.stack) > maxStack {
		m.spent = true
	}
	if m.spent {
		m.stack = m.stack[:base]
		return 0, 0, false
	}
	for len(m.stack) > base {
		top := len(m.stack) - 1
		e := m.stack[top]
		m.stack = m.stack[:top]
		switch e.kind {
		case goOn:
			return e.pc, int(e.pos), true
		case goOnAlt:
			for ; m.closed > e.aux; m.closed-- {
				m.caps[2*m.closed+1] = -1
			}
			return e.pc, int(e.pos), true
		case shorter:
			if pos, ok := m.shorter(e); ok {
				return m.insts[e.pc].next, pos, true
			}
		case longer:
			if pos, ok := m.longer(e); ok {
				return m.insts[e.pc].next, pos, true
			}
		case oldCap:
			m.caps[e.pc] = e.pos
		case oldReg:
			m.regs[e.pc] = e.pos
		case oldClosed:
			m.closed = e.pos
		}
	}
	return 0, 0, false
}

// star runs a repeated class and leaves the other lengths as a choice.
func (m *matcher) star(in *inst, pc int32, pos int) (int, bool) {
	for range in.min {
		n := in.set.take(m.b, pos)
		if n == 0 {
			return pos, false
		}
		pos += n
	}
	if in.greed == lazy {
		if m.seen(in.memo, pos) {
			return pos, false
		}
		m.push(longer, pc, pos, int32(min(in.max-in.min, inf)))
		return pos, true
	}
	start := pos
	switch {
	case in.max != inf:
		for range in.max - in.min {
			n := in.set.take(m.b, pos)
			if n == 0 {
				break
			}
			pos += n
		}
	case m.width > 0 && in.memo >= 0:
		if m.seen(in.memo, pos) {
			return pos, false
		}
		for {
			n := in.set.take(m.b, pos)
			if n == 0 || m.seen(in.memo, pos+n) {
				break
			}
			pos += n
		}
	default:
		pos = in.set.run(m.b, pos)
	}
	m.steps += (pos - start) >> 4
	if pos > start {
		m.push(shorter, pc, pos, int32(start))
	}
	return pos, true
}

// shorter gives back one character of a greedy star; where a certain byte must
// follow, it goes back to the last place that has it.
func (m *matcher) shorter(e entry) (int, bool) {
	stop := m.insts[e.pc].stop
	for pos := int(e.pos); pos > int(e.aux); {
		pos = back(m.b, pos)
		if stop >= 0 && m.b[pos] != byte(stop) {
			continue
		}
		if pos > int(e.aux) {
			m.push(shorter, e.pc, pos, e.aux)
		}
		return pos, true
	}
	return 0, false
}

// longer takes one more character for a lazy star; where a certain byte must
// follow, it goes on to the next place that has it.
func (m *matcher) longer(e entry) (int, bool) {
	in := &m.insts[e.pc]
	pos, left := int(e.pos), e.aux
	if in.stop >= 0 && in.max == inf && in.set.allHigh && m.width == 0 {
		// The usual (.+?)" at the speed of bytes.
		at := pos
		for at < len(m.b) && (m.b[at] >= utf8.RuneSelf || in.set.hasASCII(m.b[at])) {
			if at++; at < len(m.b) && m.b[at] == byte(in.stop) {
				m.push(longer, e.pc, at, left)
				m.steps += (at - pos) >> 4
				return at, true
			}
		}
		return 0, false
	}
	for left > 0 {
		n := in.set.take(m.b, pos)
		if n == 0 {
			return 0, false
		}
		pos += n
		if in.max != inf {
			left--
		}
		if m.seen(in.memo, pos) {
			return 0, false
		}
		if in.stop >= 0 && (pos >= len(m.b) || m.b[pos] != byte(in.stop)) {
			continue
		}
		if left > 0 {
			m.push(longer, e.pc, pos, left)
		}
		return pos, true
	}
	return 0, false
}

// loop decides on a counted loop and returns the next instruction, or -1. A turn
// that consumed nothing is the last.
func (m *matcher) loop(in *inst, pos int) int32 {
	turns := int(m.regs[in.n]) + 1
	switch {
	case int(m.regs[in.n+1]) == pos:
		return in.alt
	case turns < in.min:
		return in.next
	case turns >= in.max:
		return in.alt
	case in.greed == lazy:
		m.push(goOn, in.next, pos, 0)
		return in.alt
	}
	m.push(goOn, in.alt, pos, 0)
	if m.oro && m.groups > 0 {
		m.saveGroups(m.regs[in.n+2])
	}
	return in.next
}

// saveGroups lets the groups above floor be put back when this turn fails (ORO).
func (m *matcher) saveGroups(floor int32) {
	m.push(oldClosed, 0, int(m.closed), 0)
	for slot := 2 * (floor + 1); int(slot) < len(m.caps); slot++ {
		m.push(oldCap, slot, int(m.caps[slot]), 0)
	}
}
