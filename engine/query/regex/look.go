package regex

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

func (m *matcher) atomic(in *inst, pos int) (int, bool) {
	height, acceptAt := len(m.stack), m.acceptAt
	m.acceptAt = -1
	ok := m.run(in.alt, pos)
	m.acceptAt = acceptAt
	if ok {
		m.keepValues(height)
		pos = m.end
	}
	return pos, ok
}

func (m *matcher) look(in *inst, pos int) bool {
	height, acceptAt := len(m.stack), m.acceptAt
	found := false
	if in.behind {
		found = m.lookBehind(in, pos)
	} else {
		m.acceptAt = -1
		found = m.run(in.alt, pos)
	}
	m.acceptAt = acceptAt
	switch {
	case found && in.neg:
		m.undo(height)
	case found:
		m.keepValues(height)
	}
	return found != in.neg && !m.spent
}

// lookBehind tries the nearest starts first, as Java does.
func (m *matcher) lookBehind(in *inst, pos int) bool {
	start := pos
	for n := 0; n <= in.max; n++ {
		if n >= in.min {
			height := len(m.stack)
			m.acceptAt = pos
			if m.run(in.alt, start) {
				return true
			}
			m.undo(height)
		}
		if start == 0 || m.spent {
			return false
		}
		start = back(m.b, start)
	}
	return false
}

func (m *matcher) backref(in *inst, pos int) (int, bool) {
	lo, hi := m.caps[2*in.n], m.caps[2*in.n+1]
	if lo < 0 || hi < 0 {
		return pos, false
	}
	if lo >= hi {
		return pos, true
	}
	text := m.b[lo:hi]
	if !in.fold {
		return pos + len(text), bytes.HasPrefix(m.b[pos:], text)
	}
	for len(text) > 0 {
		x, n := utf8.DecodeRune(text)
		text = text[n:]
		y, ok := runeAt(m.b, pos)
		if !ok || unicode.ToLower(x) != unicode.ToLower(y) {
			return pos, false
		}
		pos = step(m.b, pos)
	}
	return pos, true
}

func (m *matcher) holds(a assertion, pos int) bool {
	b := m.b
	switch a {
	case atBegin:
		return pos == 0
	case atEnd:
		return pos == len(b)
	case atLastLine:
		return pos == len(b) || pos == len(b)-1 && b[pos] == '\n'
	case atLineBegin:
		return pos == 0 && (m.oro || len(b) > 0) || pos > 0 && pos < len(b) && b[pos-1] == '\n'
	case atLineEnd:
		return pos == len(b) || b[pos] == '\n'
	case atWordBoundary:
		return m.isWord(pos, true) != m.isWord(pos, false)
	case atNoWordBoundary:
		return m.isWord(pos, true) == m.isWord(pos, false)
	case atLastMatch:
		return pos == m.last || m.last < 0 && pos == m.from
	}
	return m.holdsJava(a, pos)
}

// isWord reports whether the character before or after pos is one of a word.
func (m *matcher) isWord(pos int, before bool) bool {
	r, ok := runeAt(m.b, pos)
	if before {
		r, ok = runeBefore(m.b, pos)
	}
	if !ok {
		return false
	}
	if r < utf8.RuneSelf {
		return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.Nd) || !m.oro && m.isJavaMark(pos, r, before)
}

// keepValues drops the choices above height, and keeps what is to be put back.
func (m *matcher) keepValues(height int) {
	kept := m.stack[:height]
	for _, e := range m.stack[height:] {
		if e.kind >= oldCap {
			kept = append(kept, e)
		}
	}
	m.stack = kept
}

// undo drops everything above height and puts the values back.
func (m *matcher) undo(height int) {
	for len(m.stack) > height {
		top := len(m.stack) - 1
		e := m.stack[top]
		m.stack = m.stack[:top]
		switch e.kind {
		case oldCap:
			m.caps[e.pc] = e.pos
		case oldReg:
			m.regs[e.pc] = e.pos
		case oldClosed:
			m.closed = e.pos
		}
	}
}
